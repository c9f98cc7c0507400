/**
 * Writes of a bucket: PutObject with conditions, DeleteObject, and multipart uploads of the "Amazon S3 API Reference". A request that is
 * repeated may have been carried out before: each operation knows how that looks.
 */
import type { HttpResponse } from "../../../ports/network.ts";
import { StorageError } from "../../../ports/storage.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import type { ObjectRequest, ObjectRequestOptions } from "./dated-requests.ts";
import { damagedDocument, listedUploads } from "./listing.ts";
import type { ObjectWriter, StoredObject, UnfinishedUpload, Upload, WriteCondition } from "./object-store.ts";
import { headerOf } from "./responses.ts";
import { childrenOf, codeOf, decoded, documentOf, textIn } from "./xml.ts";
import { uriEncode } from "./signature.ts";
import { parseIsoTime } from "./times.ts";

const answerBytesMax = 1_048_576;
const listedBytesMax = 16_777_216;

export interface S3WriterOptions {
  readonly send: (request: ObjectRequest, options: ObjectRequestOptions) => Promise<HttpResponse>;
  readonly head: (key: string) => Promise<StoredObject>;
  /** Throws unless the status is 200 or 206. */
  readonly successful: (response: HttpResponse, path: string) => HttpResponse;
  /** Headers of a condition. */
  readonly conditionOf: (condition: WriteCondition) => Readonly<Record<string, string>>;
}

export class S3Writer implements ObjectWriter {
  readonly #options: S3WriterOptions;

  constructor(options: S3WriterOptions) {
    this.#options = options;
  }

  async put(key: string, bytes: Uint8Array, condition?: WriteCondition): Promise<boolean> {
    const headers = condition === undefined ? {} : this.#options.conditionOf(condition);
    const response = await this.#send({ method: "PUT", key, headers, body: bytes }, "s3-put");
    // 409: another write of the key is under way. 404: an object with a version is asked for, and there is none.
    if (response.status === 412 || response.status === 409 || (response.status === 404 && condition?.kind === "version")) {
      return false;
    }
    this.#options.successful(response, key);
    return true;
  }

  async remove(key: string): Promise<void> {
    const response = await this.#send({ method: "DELETE", key }, "s3-delete");
    if (response.status !== 204 && response.status !== 404) {
      this.#options.successful(response, key);
    }
  }

  async begin(key: string): Promise<Upload> {
    const request = { method: "POST", key, query: [["uploads", ""]] } as const;
    const response = this.#options.successful(await this.#send(request, "s3-upload-begin", damagedDocument("answer")), key);
    const document = documentOf(response);
    const id = document && textIn(document, "UploadId");
    if (id === undefined || id === "") {
      throw new StorageError("IO", key, "the server gave no id for the upload");
    }
    return { key, id };
  }

  async part({ key, id }: Upload, number: number, bytes: Uint8Array): Promise<string> {
    const query = [
      ["partNumber", String(number)],
      ["uploadId", uriEncode(id)],
    ] as const;
    const response = this.#options.successful(await this.#send({ method: "PUT", key, query, body: bytes }, "s3-upload-part"), key);
    const tag = headerOf(response.headers, "etag");
    if (tag === undefined) {
      throw new StorageError("IO", key, "the server gave no tag for a part");
    }
    return tag;
  }

  async complete({ key, id }: Upload, tags: readonly string[], sizeBytes: number): Promise<void> {
    const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
    const body = encodeUtf8(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    const query = [["uploadId", uriEncode(id)]] as const;
    // The server answers with status 200 before it knows whether it succeeds; the document says it.
    const flaw = (one: HttpResponse): string | undefined => {
      const root = one.status === 200 ? documentOf(one)?.name : "CompleteMultipartUploadResult";
      return root === "CompleteMultipartUploadResult" ? undefined : `the server did not complete the upload${codeText(codeOf(one))}`;
    };
    const response = await this.#send({ method: "POST", key, query, body }, "s3-upload-complete", flaw);
    // The request before this one may have completed it. The document with the code NoSuchUpload may be damaged.
    const mayBeComplete = response.status === 404 && codeOf(response) !== "NoSuchBucket";
    if (mayBeComplete && (await this.#options.head(key)).sizeBytes === sizeBytes) {
      return;
    }
    this.#options.successful(response, key);
  }

  async abandon({ key, id }: Upload): Promise<void> {
    const response = await this.#send({ method: "DELETE", key, query: [["uploadId", uriEncode(id)]] }, "s3-upload-abort");
    if (response.status !== 204 && response.status !== 404) {
      this.#options.successful(response, key);
    }
  }

  async unfinished(prefix: string): Promise<readonly UnfinishedUpload[]> {
    return listedUploads(async (marker) => {
      const [keyMarker, idMarker] = marker === undefined ? [] : (JSON.parse(marker) as readonly string[]);
      const query = [
        ["encoding-type", "url"],
        ...(keyMarker === undefined ? [] : [["key-marker", uriEncode(keyMarker)] as const]),
        ["prefix", uriEncode(prefix)],
        ...(idMarker === undefined ? [] : [["upload-id-marker", uriEncode(idMarker)] as const]),
        ["uploads", ""],
      ] as const;
      const options = { bodyBytesMax: listedBytesMax, label: "s3-upload-list", flaw: damagedDocument("list") };
      const list = documentOf(this.#options.successful(await this.#options.send({ method: "GET", key: "", query }, options), prefix));
      if (list?.name !== "ListMultipartUploadsResult") {
        throw new StorageError("IO", prefix, "the server did not answer with a list");
      }
      const uploads = childrenOf(list, "Upload").flatMap((one): readonly UnfinishedUpload[] => {
        const [key, id] = [textIn(one, "Key"), textIn(one, "UploadId")];
        const begunMillis = parseIsoTime(textIn(one, "Initiated") ?? "");
        return key === undefined || id === undefined ? [] : [{ key: decoded(key), id, begunMillis }];
      });
      const [nextKey, nextId = ""] = [textIn(list, "NextKeyMarker"), textIn(list, "NextUploadIdMarker")];
      const isMore = textIn(list, "IsTruncated") === "true" && nextKey !== undefined;
      return { uploads, next: isMore ? JSON.stringify([decoded(nextKey), nextId]) : undefined };
    });
  }

  #send(request: ObjectRequest, label: string, flaw?: ObjectRequestOptions["flaw"]): Promise<HttpResponse> {
    return this.#options.send(request, { bodyBytesMax: answerBytesMax, label, ...(flaw !== undefined && { flaw }) });
  }
}

function codeText(code: string | undefined): string {
  return code === undefined ? "" : ` (${code})`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
