/**
 * A container of the simulated store by the protocol of Azure Blob Storage, after the "Blob Service REST API". Blocks that no list names
 * belong to their blob; the service would remove them after a week, which no run lasts.
 */
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import {
  type Bucket,
  type Circumstances,
  conditionsHold,
  joined,
  type Objects,
  pageOf,
  readAnswer,
  skewMillisMax,
  type StoreDoor,
  textAnswer,
} from "./objects.ts";

export const azureDoor: StoreDoor = Object.freeze({
  // The service says no more of a wrong time than of a wrong signature.
  denied: ({ headers }: HttpRequest, wallMillis: number) => {
    const isSigned = /^SharedKey simulated:[A-Za-z0-9+/]{43}=$/.test(String(headers["authorization"] ?? ""));
    const isOff = Math.abs(Date.parse(String(headers["x-ms-date"])) - wallMillis) > skewMillisMax;
    return isSigned && !isOff ? undefined : "AuthenticationFailed";
  },
  failure,
  answer: (request, circumstances, { objects, bucket }) => {
    const { key } = circumstances;
    if (key === "") {
      return listBlobs(objects, bucket, circumstances);
    }
    if (request.method === "GET" || request.method === "HEAD" || bucket === undefined) {
      const found = objects.find(key);
      return found === undefined
        ? failure(404, "BlobNotFound")
        : (readAnswer(request, found, "x-ms-range") ?? failure(412, "ConditionNotMet"));
    }
    const refused = refusedWrite(request, bucket, circumstances);
    return refused ?? (request.method === "DELETE" ? remove(bucket, key) : put(request, bucket, circumstances));
  },
} satisfies StoreDoor);

function failure(status: number, code: string): HttpResponse {
  return textAnswer(status, `<Error><Code>${code}</Code></Error>`, { "x-ms-error-code": code });
}

function refusedWrite(request: HttpRequest, bucket: Bucket, { key }: Circumstances): HttpResponse | undefined {
  if (conditionsHold(request, bucket.find(key)) === true) {
    return undefined;
  }
  return request.headers["if-none-match"] === "*" ? failure(409, "BlobAlreadyExists") : failure(412, "ConditionNotMet");
}

function put(request: HttpRequest, bucket: Bucket, circumstances: Circumstances): HttpResponse {
  const { key, query, wallMillis } = circumstances;
  switch (query.get("comp")) {
    case "block": {
      const blocks = bucket.uploads.get(key) ?? { key, begunMillis: wallMillis, parts: new Map() };
      const id = query.get("blockid") ?? "";
      if (request.body.length === 0 || [...blocks.parts.keys()].some((other) => other.length !== id.length)) {
        return failure(400, "InvalidBlobOrBlock");
      }
      blocks.parts.set(id, bucket.hold(request.body, wallMillis));
      bucket.uploads.set(key, blocks);
      return textAnswer(201, "");
    }
    case "blocklist":
      return putList(bucket, circumstances, new TextDecoder().decode(request.body));
    default: {
      if (request.headers["x-ms-blob-type"] !== "BlockBlob") {
        return failure(400, "MissingRequiredHeader");
      }
      bucket.uploads.delete(key);
      return textAnswer(201, "", { etag: bucket.put(key, request.body, wallMillis).etag });
    }
  }
}

/** Blocks of a blob that is there are not kept here: a list that names them again is refused. */
function putList(bucket: Bucket, { key, wallMillis }: Circumstances, text: string): HttpResponse {
  const blocks = [...text.matchAll(/<Latest>([^<]*)<\/Latest>/g)].map(([, id = ""]) => bucket.uploads.get(key)?.parts.get(id)?.bytes);
  const pieces = blocks.flatMap((bytes) => bytes ?? []);
  if (pieces.length < blocks.length) {
    return failure(400, "InvalidBlockList");
  }
  bucket.uploads.delete(key);
  return textAnswer(201, "", { etag: bucket.put(key, joined(pieces), wallMillis).etag });
}

function remove(bucket: Bucket, key: string): HttpResponse {
  return bucket.remove(key) ? textAnswer(202, "") : failure(404, "BlobNotFound");
}

function listBlobs(objects: Objects, bucket: Bucket | undefined, { pageKeys, query }: Circumstances): HttpResponse {
  const prefix = query.get("prefix") ?? "";
  const withBlocks = query.get("include")?.includes("uncommittedblobs") === true;
  const open = withBlocks && bucket !== undefined ? [...bucket.uploads.keys()] : [];
  const keys = [...new Set([...objects.keys(), ...open])].sort();
  const hasDelimiter = query.get("delimiter") === "/";
  const page = { prefix, from: query.get("marker"), pageKeys };
  const { names, next } = hasDelimiter ? pageOf(keys, page) : flatPageOf(keys, page);
  const entries = names.map((name) => {
    const found = objects.find(name);
    if (found === undefined) {
      return keys.includes(name)
        ? `<Blob><Name>${escaped(name)}</Name><Properties><Content-Length>0</Content-Length></Properties></Blob>`
        : `<BlobPrefix><Name>${escaped(name)}</Name></BlobPrefix>`;
    }
    const { bytes, etag, modifiedMillis } = found;
    const modified = modifiedMillis === undefined ? "" : `<Last-Modified>${new Date(modifiedMillis).toUTCString()}</Last-Modified>`;
    const properties = `${modified}<Etag>${etag.replaceAll('"', "")}</Etag><Content-Length>${bytes.length}</Content-Length>`;
    return `<Blob><Name>${escaped(name)}</Name><Properties>${properties}</Properties></Blob>`;
  });
  const more = next === undefined ? "<NextMarker />" : `<NextMarker>${escaped(next)}</NextMarker>`;
  return textAnswer(200, `<EnumerationResults><Blobs>${entries.join("")}</Blobs>${more}</EnumerationResults>`);
}

function flatPageOf(
  keys: readonly string[],
  { prefix, from, pageKeys }: { readonly prefix: string; readonly from: string | null; readonly pageKeys: number },
): { readonly names: readonly string[]; readonly next: string | undefined } {
  const all = keys.filter((key) => key.startsWith(prefix));
  const start = Math.max(0, all.indexOf(from ?? ""));
  return { names: all.slice(start, start + pageKeys), next: all[start + pageKeys] };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
