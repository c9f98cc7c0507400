/**
 * A bucket of S3, or of a server that speaks its protocol: GET with ranges, HEAD and ListObjectsV2 of the "Amazon S3 API Reference".
 */
import { parseXml, type XmlElement, XmlElement as Element } from "@rgrove/parse-xml";
import type { Clock } from "../../../ports/clock.ts";
import { type HttpMethod, type HttpRequest, type HttpResponse, noBody } from "../../../ports/network.ts";
import type { AccessKeys } from "../../../ports/outbound.ts";
import { StorageError } from "../../../ports/storage.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import type { Listed, ObjectStore, StoredObject } from "./object-store.ts";
import { changedError, cutShort, headerOf, objectOf, rangeOf } from "./responses.ts";
import { encodePath, queryText, signedHeaders, uriEncode, type UnsignedRequest } from "./signature.ts";
import type { StoreClient } from "./store-client.ts";
import { parseHttpTime, parseIsoTime } from "./times.ts";

const listedBytesMax = 16_777_216;
const listedObjectsMax = 200_000;
const messageLengthMax = 200;

export interface S3StoreOptions {
  readonly bucket: string;
  readonly region: string;
  /** `https://host:port` with the bucket in its host, or without it and in the path. */
  readonly endpoint: string;
  readonly isPathStyle: boolean;
  /** undefined for requests without a signature. */
  readonly keys: () => Promise<AccessKeys | undefined>;
  readonly client: StoreClient;
  readonly clock: Clock;
}

interface S3Request {
  readonly method: HttpMethod;
  readonly key: string;
  readonly query?: UnsignedRequest["query"];
  readonly headers?: Readonly<Record<string, string>>;
}

export class S3Store implements ObjectStore {
  readonly #options: S3StoreOptions;
  /** What the server's clock is ahead of the node's, in milliseconds. */
  #aheadMillis = 0;

  constructor(options: S3StoreOptions) {
    this.#options = options;
  }

  async list(folder: string): Promise<Listed> {
    const objects: StoredObject[] = [];
    const folders: string[] = [];
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = await this.#page(folder, token);
      objects.push(...page.objects);
      folders.push(...page.folders);
      if (objects.length + folders.length > listedObjectsMax) {
        throw new StorageError("IO", folder, `a folder has more than ${listedObjectsMax} objects`);
      }
      if (page.next !== undefined && page.next === token) {
        throw new StorageError("IO", folder, "the server repeats a page of its list");
      }
      token = page.next;
    }
    return { objects, folders };
  }

  async head(key: string): Promise<StoredObject> {
    const response = await this.#send({ method: "HEAD", key }, { bodyBytesMax: 0, label: "s3-head" });
    return objectOf(key, this.#successful(response, key));
  }

  async get(object: StoredObject, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array> {
    const { key, version } = object;
    const headers = { range: `bytes=${range.offset}-${range.offset + range.length - 1}`, ...(version !== "" && { "if-match": version }) };
    const response = await this.#send(
      { method: "GET", key, headers },
      { bodyBytesMax: range.length + listedBytesMax, label: "s3-get", flaw: (one) => cutShort(one, range.length) },
    );
    // Without the end of the object's former size there is no range either.
    if (response.status === 412 || response.status === 416) {
      throw changedError(key);
    }
    return rangeOf(this.#successful(response, key), object, range);
  }

  async #page(folder: string, token: string | undefined): Promise<Listed & { readonly next: string | undefined }> {
    const query = [
      ["delimiter", "%2F"],
      ["encoding-type", "url"],
      ["list-type", "2"],
      ["prefix", uriEncode(folder)],
      ...(token === undefined ? [] : [["continuation-token", uriEncode(token)] as const]),
    ] as const;
    const request = { method: "GET", key: "", query } as const;
    // A document that is cut short is not well-formed.
    const flaw = (response: HttpResponse): string | undefined =>
      response.status === 200 && documentOf(response) === undefined ? "the server sent a damaged list" : undefined;
    const response = await this.#send(request, { bodyBytesMax: listedBytesMax, label: "s3-list", flaw });
    const list = documentOf(this.#successful(response, folder));
    if (list?.name !== "ListBucketResult") {
      throw new StorageError("IO", folder, "the server did not answer with a list");
    }
    const isEncoded = textIn(list, "EncodingType") === "url";
    const name = (text: string): string => (isEncoded ? decoded(text) : text);
    return {
      objects: childrenOf(list, "Contents").flatMap((one) => objectIn(one, name)),
      folders: childrenOf(list, "CommonPrefixes").map((one) => name(textIn(one, "Prefix") ?? "")),
      next: textIn(list, "IsTruncated") === "true" ? textIn(list, "NextContinuationToken") : undefined,
    };
  }

  async #send(
    request: S3Request,
    options: { readonly bodyBytesMax: number; readonly label: string; readonly flaw?: (response: HttpResponse) => string | undefined },
  ): Promise<HttpResponse> {
    const { client } = this.#options;
    const sent = { make: () => this.#signed(request), path: request.key, ...options };
    const response = await client.send(sent);
    // The error has the server's time; a request is valid for a quarter of an hour.
    const time = parseHttpTime(headerOf(response.headers, "date") ?? "");
    if (response.status !== 403 || time === undefined || codeOf(response) !== "RequestTimeTooSkewed") {
      return response;
    }
    this.#aheadMillis = time - this.#options.clock.wallMillis();
    return client.send(sent);
  }

  async #signed({ method, key, query = [], headers = {} }: S3Request): Promise<HttpRequest> {
    const { bucket, endpoint, isPathStyle, region, clock } = this.#options;
    const keys = await this.#options.keys();
    const path = `/${isPathStyle ? `${uriEncode(bucket)}${key === "" ? "" : "/"}` : ""}${pathOf(key)}`;
    const host = endpoint.replace(/^https?:\/\//, "");
    const unsigned: UnsignedRequest = { method, host, path, query, headers, body: noBody };
    const wallMillis = clock.wallMillis() + this.#aheadMillis;
    return {
      method,
      url: `${endpoint}${path}${query.length === 0 ? "" : `?${queryText(query)}`}`,
      headers: keys === undefined ? headers : signedHeaders(unsigned, { keys, region, wallMillis }),
      body: noBody,
    };
  }

  #successful(response: HttpResponse, path: string): HttpResponse {
    const { status, headers } = response;
    if (status === 200 || status === 206) {
      return response;
    }
    const code = codeOf(response);
    if (status === 404 && code !== "NoSuchBucket") {
      throw new StorageError("NOT_FOUND", path, "there is no such object");
    }
    const region = headerOf(headers, "x-amz-bucket-region");
    if (region !== undefined && region !== this.#options.region) {
      throw new StorageError("IO", path, `the bucket is in region ${region.slice(0, messageLengthMax)}: set property 's3.region'`);
    }
    throw new StorageError("IO", path, `the server answered with status ${status}${code === undefined ? "" : ` (${code})`}`);
  }
}

function pathOf(key: string): string {
  try {
    return encodePath(key);
  } catch {
    throw new StorageError("INVALID_PATH", key, "the name is not well-formed");
  }
}

/** The root; undefined if the body is no XML. */
function documentOf({ body }: HttpResponse): XmlElement | undefined {
  try {
    return parseXml(decodeUtf8(body)).root ?? undefined;
  } catch {
    return undefined;
  }
}

/** The code alone: messages and other elements of an error repeat the request, with its access key. */
function codeOf(response: HttpResponse): string | undefined {
  const root = response.body.length === 0 ? undefined : documentOf(response);
  const code = root === undefined ? undefined : textIn(root, "Code");
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined;
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child): child is XmlElement => child instanceof Element && child.name === name);
}

function textIn(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text;
}

/** `+` is a space as well in these texts. Text that is not well-formed stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return text;
  }
}

function objectIn(element: XmlElement, name: (text: string) => string): readonly StoredObject[] {
  const key = textIn(element, "Key");
  const size = textIn(element, "Size");
  const version = textIn(element, "ETag");
  if (key === undefined || size === undefined || version === undefined || !/^\d{1,15}$/.test(size)) {
    return [];
  }
  const modifiedMillis = parseIsoTime(textIn(element, "LastModified") ?? "");
  return [{ key: name(key), sizeBytes: Number(size), version, ...(modifiedMillis !== undefined && { modifiedMillis }) }];
}
