/** What a simulated store holds, whatever protocol it speaks. It shares no code with the engine's client. */
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";

export interface HeldObject {
  readonly bytes: Uint8Array;
  /** With its quotes. */
  readonly etag: string;
  readonly modifiedMillis?: number;
}

export interface Objects {
  /** In order. */
  keys(): readonly string[];
  find(key: string): HeldObject | undefined;
}

/** What a request is about, and when it is carried out. */
export interface Circumstances {
  /** Empty for a request about the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  /** The store's clock. */
  readonly wallMillis: number;
  /** Entries of a page of a list. */
  readonly pageKeys: number;
}

/** A protocol over what a store holds. */
export interface StoreDoor {
  /** Code of an error with status 403; undefined if the request is signed and its time is right. */
  denied(request: HttpRequest, wallMillis: number): string | undefined;
  failure(status: number, code: string): HttpResponse;
  /** `bucket`: absent if the objects are only read. */
  answer(
    request: HttpRequest,
    circumstances: Circumstances,
    held: { readonly objects: Objects; readonly bucket: Bucket | undefined },
  ): HttpResponse;
}

interface HeldUpload {
  readonly key: string;
  readonly begunMillis: number;
  readonly parts: Map<string, HeldObject>;
}

/** A request is refused if its time differs more from the store's. */
export const skewMillisMax = 900_000;

/** Objects that are written by requests, and parts that are none yet. What it has, it has for good: it is nobody's memory. */
export class Bucket implements Objects {
  readonly #objects = new Map<string, HeldObject>();
  /** By their ids. */
  readonly uploads = new Map<string, HeldUpload>();
  /** Uploads that were ever begun, for their ids. */
  begun = 0;
  #versions = 0;

  keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }

  find(key: string): HeldObject | undefined {
    return this.#objects.get(key);
  }

  put(key: string, bytes: Uint8Array, wallMillis: number): HeldObject {
    const held = this.hold(bytes, wallMillis);
    this.#objects.set(key, held);
    return held;
  }

  remove(key: string): boolean {
    return this.#objects.delete(key);
  }

  /** The bytes belong to the sender, who may use them again. */
  hold(bytes: Uint8Array, modifiedMillis: number): HeldObject {
    return { bytes: bytes.slice(), etag: `"${++this.#versions}"`, modifiedMillis };
  }
}

/** Whether the conditions of a write hold; undefined if a version is asked for and there is no object. */
export function conditionsHold({ headers }: HttpRequest, found: HeldObject | undefined): boolean | undefined {
  const version = headers["if-match"];
  if (version !== undefined && found === undefined) {
    return undefined;
  }
  return !(headers["if-none-match"] === "*" && found !== undefined) && (version === undefined || found?.etag === version);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, bytes) => sum + bytes.length, 0));
  let at = 0;
  for (const bytes of pieces) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}

/** One page of what lies below a prefix: names of objects and, which end with a slash, of what has further slashes. */
export function pageOf(
  keys: readonly string[],
  { prefix, from, pageKeys }: { readonly prefix: string; readonly from: string | null; readonly pageKeys: number },
): { readonly names: readonly string[]; readonly next: string | undefined } {
  const names = new Set<string>();
  for (const key of keys) {
    if (key.startsWith(prefix)) {
      const slash = key.indexOf("/", prefix.length);
      names.add(slash < 0 ? key : key.slice(0, slash + 1));
    }
  }
  const all = [...names];
  const start = Math.max(0, all.indexOf(from ?? ""));
  return { names: all.slice(start, start + pageKeys), next: all[start + pageKeys] };
}

/** What HEAD, and GET of the range in header `rangeHeader`, say of an object. undefined if it has another version. */
export function readAnswer(
  { method, headers }: HttpRequest,
  { bytes, etag, modifiedMillis }: HeldObject,
  rangeHeader: string,
): HttpResponse | undefined {
  const described = { etag, ...(modifiedMillis !== undefined && { "last-modified": new Date(modifiedMillis).toUTCString() }) };
  if (method === "HEAD") {
    return { status: 200, headers: { ...described, "content-length": String(bytes.length) }, body: new Uint8Array(0) };
  }
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag) {
    return undefined;
  }
  const [, first = "", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(String(headers[rangeHeader])) ?? [];
  const body = bytes.slice(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + body.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...described, "content-range": range }, body };
}

export function textAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, body: new TextEncoder().encode(text) };
}
