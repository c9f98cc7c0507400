/**
 * A bucket of the simulated object store that may be written to: objects, conditions of PutObject, and multipart uploads, after the
 * "Amazon S3 API Reference". What it has, it has for good: it is nobody's memory. It shares no code with the engine's client.
 */
import { failure, listDocument, objectAnswer } from "./answers.ts";
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";

/** Smallest part of an upload, but for the last one. */
const partBytesMin = 5_242_880;

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly modifiedMillis: number;
}

interface Upload {
  readonly key: string;
  readonly begunMillis: number;
  readonly parts: Map<number, StoredObject>;
}

interface Circumstances {
  readonly key: string;
  readonly query: URLSearchParams;
  /** The store's clock. */
  readonly wallMillis: number;
  /** Entries of a page of a list. */
  readonly pageKeys: number;
}

export class Bucket {
  readonly #objects = new Map<string, StoredObject>();
  readonly #uploads = new Map<string, Upload>();
  #versions = 0;
  #begun = 0;

  /** Carries out one request. */
  answer(request: HttpRequest, circumstances: Circumstances): HttpResponse {
    const { key, query } = circumstances;
    if (key === "") {
      return query.has("uploads") ? this.#listUploads(circumstances) : this.#list(circumstances);
    }
    const uploadId = query.get("uploadId");
    if (uploadId !== null) {
      return this.#ofUpload(request, uploadId, circumstances);
    }
    switch (request.method) {
      case "POST":
        return this.#begin(circumstances);
      case "PUT":
        return this.#put(request, circumstances);
      case "DELETE":
        this.#objects.delete(key);
        return { status: 204, headers: {}, body: new Uint8Array(0) };
      default:
        return this.#read(request, key);
    }
  }

  #put({ body, headers }: HttpRequest, { key, wallMillis }: Circumstances): HttpResponse {
    const found = this.#objects.get(key);
    const version = headers["if-match"];
    if (version !== undefined && found === undefined) {
      return failure(404, "NoSuchKey");
    }
    if ((headers["if-none-match"] === "*" && found !== undefined) || (version !== undefined && found?.etag !== version)) {
      return failure(412, "PreconditionFailed");
    }
    const stored = this.#stored(body, wallMillis);
    this.#objects.set(key, stored);
    return { status: 200, headers: { etag: stored.etag }, body: new Uint8Array(0) };
  }

  #read(request: HttpRequest, key: string): HttpResponse {
    const found = this.#objects.get(key);
    return found === undefined ? failure(404, "NoSuchKey") : objectAnswer(request, found);
  }

  #begin({ key, wallMillis }: Circumstances): HttpResponse {
    const id = `upload-${this.#begun++}`;
    this.#uploads.set(id, { key, begunMillis: wallMillis, parts: new Map() });
    return answered(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  #ofUpload({ body, method }: HttpRequest, id: string, { key, query, wallMillis }: Circumstances): HttpResponse {
    const upload = this.#uploads.get(id);
    if (upload?.key !== key) {
      return failure(404, "NoSuchUpload");
    }
    switch (method) {
      case "PUT": {
        const part = this.#stored(body, wallMillis);
        upload.parts.set(Number(query.get("partNumber")), part);
        return { status: 200, headers: { etag: part.etag }, body: new Uint8Array(0) };
      }
      case "DELETE":
        this.#uploads.delete(id);
        return { status: 204, headers: {}, body: new Uint8Array(0) };
      default:
        return this.#complete(upload, { id, wallMillis, text: new TextDecoder().decode(body) });
    }
  }

  #complete({ key, parts }: Upload, { id, text, wallMillis }: { readonly id: string; readonly text: string; readonly wallMillis: number }) {
    const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const chosen = named.map(([, number = "", etag = ""]) => {
      const part = parts.get(Number(number));
      return part?.etag === etag.replaceAll("&quot;", '"') ? part : undefined;
    });
    if (chosen.length === 0 || chosen.includes(undefined)) {
      return failure(400, "InvalidPart");
    }
    const pieces = chosen.flatMap((part) => part?.bytes ?? []);
    if (pieces.slice(0, -1).some((bytes) => bytes.length < partBytesMin)) {
      return failure(400, "EntityTooSmall");
    }
    const whole = new Uint8Array(pieces.reduce((sum, bytes) => sum + bytes.length, 0));
    let at = 0;
    for (const bytes of pieces) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    this.#objects.set(key, this.#stored(whole, wallMillis));
    this.#uploads.delete(id);
    return answered(`<CompleteMultipartUploadResult><Key>${encodeURIComponent(key)}</Key></CompleteMultipartUploadResult>`);
  }

  #list({ pageKeys, query }: Circumstances): HttpResponse {
    return listDocument([...this.#objects.keys()].sort(), {
      query,
      pageKeys,
      describe: (key) => {
        const found = this.#objects.get(key);
        return found === undefined ? undefined : { sizeBytes: found.bytes.length, ...found };
      },
    });
  }

  /** All on one page: they are few. */
  #listUploads({ query }: Circumstances): HttpResponse {
    const prefix = query.get("prefix") ?? "";
    const entries = [...this.#uploads].filter(([, { key }]) => key.startsWith(prefix));
    const texts = entries.map(
      ([id, { key, begunMillis }]) =>
        `<Upload><Key>${encodeURIComponent(key)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunMillis).toISOString()}</Initiated></Upload>`,
    );
    return answered(`<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${texts.join("")}</ListMultipartUploadsResult>`);
  }

  /** The bytes belong to the sender, who may use them again. */
  #stored(bytes: Uint8Array, modifiedMillis: number): StoredObject {
    return { bytes: bytes.slice(), etag: `"${++this.#versions}"`, modifiedMillis };
  }
}

function answered(document: string): HttpResponse {
  return { status: 200, headers: {}, body: new TextEncoder().encode(document) };
}
