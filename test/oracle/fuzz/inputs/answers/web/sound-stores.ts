/**
 * Sound answers of stores of objects, after their documents: S3 and the XML API of Google Cloud Storage, the Blob Service of Azure, a web
 * server, and token endpoints of OAuth 2.0.
 */
import type { HttpRequest, HttpResponse } from "../../../../../../src/ports/network.ts";
import { response } from "./altered-web.ts";

export type Files = ReadonlyMap<string, Uint8Array>;

const time = "Mon, 01 Jan 2024 00:00:00 GMT";

/** Keys directly below a folder, and the folders there. */
function below(files: Files, prefix: string): { readonly keys: readonly string[]; readonly folders: readonly string[] } {
  const inside = [...files.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return {
    keys: inside.filter((name) => !name.includes("/")),
    folders: [...new Set(inside.filter((name) => name.includes("/")).map((name) => name.slice(0, name.indexOf("/") + 1)))],
  };
}

/** An object, or a part of it. */
function objectAt(files: Files, path: string, { headers, method }: HttpRequest): HttpResponse {
  const bytes = files.get(path);
  if (bytes === undefined) {
    return response(404, "<Error><Code>NoSuchKey</Code></Error>");
  }
  const common = { etag: '"1"', "last-modified": time, date: time };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers["range"] ?? headers["x-ms-range"])) ?? [];
  if (method === "HEAD" || first === undefined) {
    return response(200, method === "HEAD" ? "" : bytes, { ...common, "content-length": String(bytes.length) });
  }
  const part = bytes.slice(Number(first), Number(last) + 1);
  return response(206, part, { ...common, "content-range": `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}` });
}

export function listOfS3(entries: readonly (readonly string[])[], folders: readonly string[] = [], next?: string): string {
  const contents = entries.map(
    ([key = "", size = "0"]) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${size}</Size><ETag>"1"</ETag><LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents>`,
  );
  const prefixes = folders.map((folder) => `<CommonPrefixes><Prefix>${encodeURIComponent(folder)}</Prefix></CommonPrefixes>`);
  const more = next === undefined ? "false" : `true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken><IsTruncated>true`;
  return `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${contents.join("")}${prefixes.join("")}</ListBucketResult>`;
}

export function listOfAzure(entries: readonly (readonly string[])[], folders: readonly string[] = [], next = ""): string {
  const text = (name: string): string => name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const blobs = entries.map(
    ([key = "", size = "0"]) =>
      `<Blob><Name>${text(key)}</Name><Properties><Last-Modified>${time}</Last-Modified><Etag>1</Etag><Content-Length>${size}</Content-Length><BlobType>BlockBlob</BlobType></Properties><Metadata/></Blob>`,
  );
  const prefixes = folders.map((folder) => `<BlobPrefix><Name>${text(folder)}</Name></BlobPrefix>`);
  return `<EnumerationResults><Blobs>${blobs.join("")}${prefixes.join("")}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;
}

/** Of a bucket whose name comes first in the path. */
export function s3Answer(files: Files, request: HttpRequest): HttpResponse {
  const { pathname, searchParams } = new URL(request.url);
  if (!searchParams.has("list-type")) {
    return objectAt(files, decodeURIComponent(pathname).replace(/^\/[^/]*\/?/, ""), request);
  }
  const prefix = searchParams.get("prefix") ?? "";
  const { folders, keys } = below(files, prefix);
  const { entries, isFirst, next } = pageOf(keys, files, prefix, searchParams.get("continuation-token"));
  return response(200, listOfS3(entries, isFirst ? folders.map((folder) => prefix + folder) : [], next));
}

/** Of a container whose name comes first in the path. */
export function azureAnswer(files: Files, request: HttpRequest): HttpResponse {
  const { pathname, searchParams } = new URL(request.url);
  if (searchParams.get("comp") !== "list") {
    return objectAt(files, decodeURIComponent(pathname).replace(/^\/[^/]*\/?/, ""), request);
  }
  const prefix = searchParams.get("prefix") ?? "";
  const { folders, keys } = below(files, prefix);
  const { entries, isFirst, next } = pageOf(keys, files, prefix, searchParams.get("marker"));
  return response(200, listOfAzure(entries, isFirst ? folders.map((folder) => prefix + folder) : [], next));
}

/** Of a web server with the files below a folder. */
export function webAnswer(files: Files, request: HttpRequest, root: string): HttpResponse {
  const path = decodeURIComponent(new URL(request.url).pathname).slice(root.length);
  if (path !== "" && !path.endsWith("/")) {
    return objectAt(files, path, request);
  }
  const { folders, keys } = below(files, path);
  const links = [...folders, ...keys].map((name) => `<a href="${encodeURIComponent(name).replace(/%2F$/, "/")}">x</a>`);
  return response(200, links.join("\n"));
}

export function tokenAnswer(token: string): HttpResponse {
  return response(200, JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 3600 }));
}

/** A page for each object, so that there are several. */
function pageOf(
  keys: readonly string[],
  files: Files,
  prefix: string,
  token: string | null,
): { readonly entries: readonly (readonly string[])[]; readonly isFirst: boolean; readonly next?: string } {
  const at = Number(token ?? 0);
  const key = keys[at];
  const entries = key === undefined ? [] : [[prefix + key, String(files.get(prefix + key)?.length)]];
  return { entries, isFirst: at === 0, ...(at + 1 < keys.length && { next: String(at + 1) }) };
}
