/** Answers of the simulated object store in S3's form. */
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";

export function failure(status: number, code: string): HttpResponse {
  return { status, headers: {}, body: new TextEncoder().encode(`<Error><Code>${code}</Code></Error>`) };
}

/** What HEAD, and GET of a range, say of an object. */
export function objectAnswer(
  { method, headers }: HttpRequest,
  { bytes, etag, modifiedMillis }: { readonly bytes: Uint8Array; readonly etag: string; readonly modifiedMillis?: number },
): HttpResponse {
  const described = { etag, ...(modifiedMillis !== undefined && { "last-modified": new Date(modifiedMillis).toUTCString() }) };
  if (method === "HEAD") {
    return { status: 200, headers: { ...described, "content-length": String(bytes.length) }, body: new Uint8Array(0) };
  }
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag) {
    return failure(412, "PreconditionFailed");
  }
  const [, first = "", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(String(headers["range"])) ?? [];
  const body = bytes.slice(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + body.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...described, "content-range": range }, body };
}

interface Described {
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMillis?: number;
}

/** One page of what lies below a prefix, keys in order: objects, and names of what has further slashes. */
export function listDocument(
  keys: readonly string[],
  {
    query,
    pageKeys,
    describe,
  }: { readonly query: URLSearchParams; readonly pageKeys: number; readonly describe: (key: string) => Described | undefined },
): HttpResponse {
  const prefix = query.get("prefix") ?? "";
  const names = new Set<string>();
  for (const key of keys) {
    if (key.startsWith(prefix)) {
      const slash = key.indexOf("/", prefix.length);
      names.add(slash < 0 ? key : key.slice(0, slash + 1));
    }
  }
  const all = [...names];
  const from = Math.max(0, all.indexOf(query.get("continuation-token") ?? ""));
  const next = all[from + pageKeys];
  const entries = all.slice(from, from + pageKeys).map((name) => {
    const found = describe(name);
    if (found === undefined) {
      return `<CommonPrefixes><Prefix>${encodeURIComponent(name)}</Prefix></CommonPrefixes>`;
    }
    const { etag, modifiedMillis, sizeBytes } = found;
    const modified = modifiedMillis === undefined ? "" : `<LastModified>${new Date(modifiedMillis).toISOString()}</LastModified>`;
    return `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${sizeBytes}</Size><ETag>${etag}</ETag>${modified}</Contents>`;
  });
  const more = next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
  const document = `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${next !== undefined}</IsTruncated>${entries.join("")}${more}</ListBucketResult>`;
  return { status: 200, headers: {}, body: new TextEncoder().encode(document) };
}
