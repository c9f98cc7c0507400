/** What responses of HTTP servers say of an object. */
import type { Headers, HttpResponse } from "../../../ports/network.ts";
import { StorageError } from "../../../ports/storage.ts";
import type { StoredObject } from "./object-store.ts";
import { parseHttpTime } from "./times.ts";

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** What headers say of the version of an object. */
export type VersionOf = (headers: Headers) => string;

/** The strong ETag; without one the time of the last change, which a server has in seconds. */
export function etagOf(headers: Headers): string {
  return headerOf(headers, "etag") ?? headerOf(headers, "last-modified") ?? "";
}

/** The object of a response to HEAD. */
export function objectOf(key: string, { headers }: HttpResponse, versionOf: VersionOf = etagOf): StoredObject {
  const length = headerOf(headers, "content-length");
  if (length === undefined || !/^\d{1,15}$/.test(length)) {
    throw new StorageError("IO", key, "the server does not tell its size");
  }
  const modifiedMillis = parseHttpTime(headerOf(headers, "last-modified") ?? "");
  return { key, sizeBytes: Number(length), version: versionOf(headers), ...(modifiedMillis !== undefined && { modifiedMillis }) };
}

export function changedError(path: string): StorageError {
  return new StorageError("CHANGED", path, "the file changed while it was read");
}

/** Why the response to a request for a range must be asked for again: it is cut short. */
export function cutShort({ status, body }: HttpResponse, length: number): string | undefined {
  return status === 206 && body.length < length ? `the server sent ${body.length} of ${length} bytes` : undefined;
}

/** The bytes of a response to a request for a range. CHANGED if the object is of another version or size. */
export function rangeOf(
  response: HttpResponse,
  object: StoredObject,
  { offset, length }: { readonly offset: number; readonly length: number },
  versionOf: VersionOf = etagOf,
): Uint8Array {
  const { status, headers, body } = response;
  if (object.version !== "" && versionOf(headers) !== object.version && status < 300) {
    throw changedError(object.key);
  }
  if (status === 200 && body.length === object.sizeBytes) {
    return body.subarray(offset, offset + length);
  }
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headerOf(headers, "content-range") ?? "");
  if (status !== 206 || range === null) {
    throw new StorageError("IO", object.key, "the server does not send ranges of files");
  }
  const [, first, last, total] = range;
  if (total !== "*" && Number(total) !== object.sizeBytes) {
    throw changedError(object.key);
  }
  if (Number(first) !== offset || Number(last) !== offset + length - 1 || body.length !== length) {
    throw new StorageError("IO", object.key, "the server sent another range than that it was asked for");
  }
  return body;
}
