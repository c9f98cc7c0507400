/** Answers of the Blob Service: codes of errors, and pages of lists. */
import type { XmlElement } from "@rgrove/parse-xml";
import type { HttpResponse } from "../../../../ports/network.ts";
import { StorageError } from "../../../../ports/storage.ts";
import { headerOf } from "../responses.ts";
import { childrenOf, codeOf, decoded, documentOf, textIn } from "../xml.ts";

export function azureCodeOf(response: HttpResponse): string | undefined {
  const code = headerOf(response.headers, "x-ms-error-code");
  return code !== undefined && /^[A-Za-z0-9]{1,64}$/.test(code) ? code : codeOf(response);
}

export function successful(response: HttpResponse, path: string): HttpResponse {
  const { status } = response;
  if (status >= 200 && status < 300) {
    return response;
  }
  const code = azureCodeOf(response);
  if (status === 404 && code !== "ContainerNotFound") {
    throw new StorageError("NOT_FOUND", path, "there is no such blob");
  }
  throw new StorageError("IO", path, `the server answered with status ${status}${code === undefined ? "" : ` (${code})`}`);
}

interface ListedBlobs {
  readonly blobs: readonly { readonly name: string; readonly properties: XmlElement; readonly metadata: XmlElement | undefined }[];
  readonly prefixes: readonly string[];
  readonly next: string | undefined;
}

/** A page of List Blobs. */
export function listOf(response: HttpResponse, path: string): ListedBlobs {
  const list = documentOf(response);
  const entries = list && childrenOf(list, "Blobs")[0];
  if (list?.name !== "EnumerationResults" || entries === undefined) {
    throw new StorageError("IO", path, "the server did not answer with a list");
  }
  const next = textIn(list, "NextMarker") ?? "";
  return {
    blobs: childrenOf(entries, "Blob").flatMap((one) => {
      const [name, properties] = [nameIn(one), childrenOf(one, "Properties")[0]];
      return name === undefined || properties === undefined ? [] : [{ name, properties, metadata: childrenOf(one, "Metadata")[0] }];
    }),
    prefixes: childrenOf(entries, "BlobPrefix").flatMap((one) => nameIn(one) ?? []),
    next: next === "" ? undefined : next,
  };
}

function nameIn(element: XmlElement): string | undefined {
  const name = childrenOf(element, "Name")[0];
  return name?.attributes["Encoded"] === "true" ? decoded(name.text.replaceAll("+", "%2B")) : name?.text;
}
