/**
 * Writes of a container: Put Blob with conditions, Delete Blob, and blobs of blocks (Put Block, Put Block List) of the "Blob Service REST
 * API". Blocks that no list names belong to their blob, not to an upload, and the service removes them after a week. A request that is
 * repeated may have been carried out before: each operation knows how that looks.
 */
import type { HttpResponse } from "../../../../ports/network.ts";
import { base32, type RandomStream } from "../../../../ports/random.ts";
import { StorageError } from "../../../../ports/storage.ts";
import { encodeBase64 } from "../../../../types/base64.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import type { ObjectRequest, ObjectRequestOptions } from "../dated-requests.ts";
import { damagedDocument, listedUploads } from "../listing.ts";
import type { ObjectWriter, StoredObject, UnfinishedUpload, Upload, WriteCondition } from "../object-store.ts";
import { headerOf } from "../responses.ts";
import { parseHttpTime } from "../times.ts";
import { textIn } from "../xml.ts";
import { azureCodeOf, listOf, successful } from "./blobs.ts";

const answerBytesMax = 1_048_576;
const listedBytesMax = 16_777_216;
/** Digits of the number of a block: all ids of a blob have one length. */
const blockDigits = 6;
const absent = { "if-none-match": "*" };

export interface AzureWriterOptions {
  readonly send: (request: ObjectRequest, options: ObjectRequestOptions) => Promise<HttpResponse>;
  readonly head: (key: string) => Promise<StoredObject>;
  readonly random: RandomStream;
}

export class AzureWriter implements ObjectWriter {
  readonly forgetsUploads = true;
  readonly #options: AzureWriterOptions;

  constructor(options: AzureWriterOptions) {
    this.#options = options;
  }

  async put(key: string, bytes: Uint8Array, condition?: WriteCondition): Promise<boolean> {
    const conditions = condition === undefined ? {} : condition.kind === "absent" ? absent : { "if-match": condition.version };
    const headers = { "x-ms-blob-type": "BlockBlob", ...conditions };
    const response = await this.#send({ method: "PUT", key, headers, body: bytes }, "azure-put");
    if (isRefused(response) || (response.status === 404 && azureCodeOf(response) === "BlobNotFound")) {
      return false;
    }
    successful(response, key);
    return true;
  }

  async remove(key: string): Promise<void> {
    await this.#remove(key, {});
  }

  /** Nothing is sent: an upload begins with its first block. */
  begin(key: string): Promise<Upload> {
    return Promise.resolve({ key, id: this.#options.random.nextText(8, base32) });
  }

  async part({ key, id }: Upload, number: number, bytes: Uint8Array): Promise<string> {
    if (bytes.length === 0) {
      // The service has no empty blocks.
      return "";
    }
    const block = encodeBase64(encodeUtf8(`${id}-${String(number).padStart(blockDigits, "0")}`));
    const query = [
      ["blockid", block],
      ["comp", "block"],
    ] as const;
    successful(await this.#send({ method: "PUT", key, query, body: bytes }, "azure-upload-part"), key);
    return block;
  }

  async complete({ key }: Upload, tags: readonly string[], sizeBytes: number): Promise<void> {
    const response = await this.#putList(key, tags);
    // The request before this one may have completed it; its blocks are not known any more then.
    const mayBeComplete = isRefused(response) || azureCodeOf(response) === "InvalidBlockList";
    if (mayBeComplete && (await this.#options.head(key)).sizeBytes === sizeBytes) {
      return;
    }
    successful(response, key);
  }

  /**
   * A list of no blocks makes an empty blob, and its blocks are gone; then the blob is removed. One that is there before stays: the upload
   * is over.
   */
  async abandon({ key }: Upload): Promise<void> {
    const response = await this.#putList(key, []);
    if (isRefused(response)) {
      return;
    }
    const etag = headerOf(successful(response, key).headers, "etag");
    await this.#remove(key, etag === undefined ? {} : { "if-match": etag });
  }

  /** Lists all blobs below the prefix. */
  async unfinished(prefix: string): Promise<readonly UnfinishedUpload[]> {
    return listedUploads(async (marker) => {
      const query = [
        ["comp", "list"],
        ["include", "uncommittedblobs"],
        ["prefix", prefix],
        ["restype", "container"],
        ...(marker === undefined ? [] : [["marker", marker] as const]),
      ] as const;
      const options = { bodyBytesMax: listedBytesMax, label: "azure-upload-list", flaw: damagedDocument("list") };
      const { blobs, next } = listOf(successful(await this.#options.send({ method: "GET", key: "", query }, options), prefix), prefix);
      const uploads: UnfinishedUpload[] = [];
      for (const { name, properties } of blobs) {
        // A blob of blocks alone is listed without a size, and is not there for other requests.
        const isEmpty = (textIn(properties, "Content-Length") ?? "0") === "0";
        if (isEmpty && (await this.#options.head(name).catch(unlessNotFound)) === undefined) {
          uploads.push({ key: name, id: "", begunMillis: parseHttpTime(textIn(properties, "Last-Modified") ?? "") });
        }
      }
      return { uploads, next };
    });
  }

  #putList(key: string, blocks: readonly string[]): Promise<HttpResponse> {
    const body = encodeUtf8(
      `<BlockList>${blocks
        .filter((block) => block !== "")
        .map((block) => `<Latest>${block}</Latest>`)
        .join("")}</BlockList>`,
    );
    return this.#send({ method: "PUT", key, query: [["comp", "blocklist"]], headers: absent, body }, "azure-upload-complete");
  }

  async #remove(key: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await this.#send({ method: "DELETE", key, headers }, "azure-delete");
    const code = azureCodeOf(response);
    if ((response.status === 404 && code !== "ContainerNotFound") || code === "ConditionNotMet") {
      return;
    }
    successful(response, key);
  }

  #send(request: ObjectRequest, label: string): Promise<HttpResponse> {
    return this.#options.send(request, { bodyBytesMax: answerBytesMax, label });
  }
}

/** A condition of the request does not hold. */
function isRefused(response: HttpResponse): boolean {
  return response.status === 412 || azureCodeOf(response) === "BlobAlreadyExists";
}

function unlessNotFound(error: unknown): undefined {
  if (error instanceof StorageError && error.kind === "NOT_FOUND") {
    return undefined;
  }
  throw error;
}
