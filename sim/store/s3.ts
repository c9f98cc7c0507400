/** A bucket of the simulated store by S3's protocol, after the "Amazon S3 API Reference". */
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

/** Smallest part of an upload, but for the last one. */
const partBytesMin = 5_242_880;

export const s3Door: StoreDoor = Object.freeze({
  denied: ({ headers }: HttpRequest, wallMillis: number) => {
    if (!String(headers["authorization"] ?? "").startsWith("AWS4-HMAC-SHA256 Credential=simulated/")) {
      return "AccessDenied";
    }
    const isOff = Math.abs(timeOf(String(headers["x-amz-date"])) - wallMillis) > skewMillisMax;
    return isOff ? "RequestTimeTooSkewed" : undefined;
  },
  failure,
  answer: (request, circumstances, { objects, bucket }) => {
    const { key, query } = circumstances;
    if (key === "") {
      return bucket !== undefined && query.has("uploads") ? listUploads(bucket, query) : listObjects(objects, circumstances);
    }
    if (request.method === "GET" || request.method === "HEAD" || bucket === undefined) {
      const found = objects.find(key);
      return found === undefined ? failure(404, "NoSuchKey") : (readAnswer(request, found, "range") ?? failure(412, "PreconditionFailed"));
    }
    const uploadId = query.get("uploadId");
    if (uploadId !== null) {
      return ofUpload(bucket, request, uploadId, circumstances);
    }
    switch (request.method) {
      case "POST":
        return begin(bucket, circumstances);
      case "PUT":
        return put(bucket, request, circumstances);
      default:
        bucket.remove(key);
        return textAnswer(204, "");
    }
  },
} satisfies StoreDoor);

function failure(status: number, code: string): HttpResponse {
  return textAnswer(status, `<Error><Code>${code}</Code></Error>`);
}

function put(bucket: Bucket, request: HttpRequest, { key, wallMillis }: Circumstances): HttpResponse {
  const holds = conditionsHold(request, bucket.find(key));
  if (holds !== true) {
    return holds === undefined ? failure(404, "NoSuchKey") : failure(412, "PreconditionFailed");
  }
  return textAnswer(200, "", { etag: bucket.put(key, request.body, wallMillis).etag });
}

function begin(bucket: Bucket, { key, wallMillis }: Circumstances): HttpResponse {
  const id = `upload-${bucket.begun++}`;
  bucket.uploads.set(id, { key, begunMillis: wallMillis, parts: new Map() });
  return textAnswer(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

function ofUpload(bucket: Bucket, { body, method }: HttpRequest, id: string, { key, query, wallMillis }: Circumstances): HttpResponse {
  const upload = bucket.uploads.get(id);
  if (upload?.key !== key) {
    return failure(404, "NoSuchUpload");
  }
  switch (method) {
    case "PUT": {
      const part = bucket.hold(body, wallMillis);
      upload.parts.set(String(Number(query.get("partNumber"))), part);
      return textAnswer(200, "", { etag: part.etag });
    }
    case "DELETE":
      bucket.uploads.delete(id);
      return textAnswer(204, "");
    default:
      return complete(bucket, { id, wallMillis, text: new TextDecoder().decode(body) });
  }
}

function complete(
  bucket: Bucket,
  { id, text, wallMillis }: { readonly id: string; readonly text: string; readonly wallMillis: number },
): HttpResponse {
  const upload = bucket.uploads.get(id);
  const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
  const chosen = named.map(([, number = "", etag = ""]) => {
    const part = upload?.parts.get(String(Number(number)));
    return part?.etag === etag.replaceAll("&quot;", '"') ? part : undefined;
  });
  if (upload === undefined || chosen.length === 0 || chosen.includes(undefined)) {
    return failure(400, "InvalidPart");
  }
  const pieces = chosen.flatMap((part) => part?.bytes ?? []);
  if (pieces.slice(0, -1).some((bytes) => bytes.length < partBytesMin)) {
    return failure(400, "EntityTooSmall");
  }
  const { key } = upload;
  bucket.put(key, joined(pieces), wallMillis);
  bucket.uploads.delete(id);
  return textAnswer(200, `<CompleteMultipartUploadResult><Key>${encodeURIComponent(key)}</Key></CompleteMultipartUploadResult>`);
}

function listObjects(objects: Objects, { pageKeys, query }: Circumstances): HttpResponse {
  const page = { prefix: query.get("prefix") ?? "", from: query.get("continuation-token"), pageKeys };
  const { names, next } = pageOf(objects.keys(), page);
  const entries = names.map((name) => {
    const found = objects.find(name);
    if (found === undefined) {
      return `<CommonPrefixes><Prefix>${encodeURIComponent(name)}</Prefix></CommonPrefixes>`;
    }
    const { bytes, etag, modifiedMillis } = found;
    const modified = modifiedMillis === undefined ? "" : `<LastModified>${new Date(modifiedMillis).toISOString()}</LastModified>`;
    return `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${bytes.length}</Size><ETag>${etag}</ETag>${modified}</Contents>`;
  });
  const more = next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
  const head = `<EncodingType>url</EncodingType><IsTruncated>${next !== undefined}</IsTruncated>`;
  return textAnswer(200, `<ListBucketResult>${head}${entries.join("")}${more}</ListBucketResult>`);
}

/** All on one page: they are few. */
function listUploads({ uploads }: Bucket, query: URLSearchParams): HttpResponse {
  const prefix = query.get("prefix") ?? "";
  const entries = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
  const texts = entries.map(
    ([id, { key, begunMillis }]) =>
      `<Upload><Key>${encodeURIComponent(key)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunMillis).toISOString()}</Initiated></Upload>`,
  );
  return textAnswer(200, `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${texts.join("")}</ListMultipartUploadsResult>`);
}

/** Milliseconds since 1970 of `20260131T120000Z`. */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}
