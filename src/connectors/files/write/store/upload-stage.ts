/**
 * Files of a sink in an object store: uploads under their final names, in parts. A file is there when the commit completes its upload; one
 * that is given up never was.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import { type ObjectWriter, partBytesMin, type Upload } from "../../../shared/object-store/object-store.ts";
import type { FileStage, StagedUpload } from "../file-stage.ts";

export interface UploadStageOptions {
  readonly writer: ObjectWriter;
  /** Folder of the write. */
  readonly folder: string;
  /** Of this sink alone. */
  readonly token: string;
  readonly partBytes: number;
  readonly memory: MemoryContext;
}

interface OpenUpload {
  readonly upload: Upload;
  readonly tags: string[];
  /** Bytes of the next part. */
  waiting: Uint8Array[];
  waitingBytes: number;
}

export class UploadStage implements FileStage {
  readonly #options: UploadStageOptions;
  readonly #open = new Map<string, OpenUpload>();
  /** All that were begun. */
  readonly #uploads: Upload[] = [];
  #aborted = false;

  constructor(options: UploadStageOptions) {
    this.#options = options;
  }

  pathOf(partition: string, name: string): string {
    const { folder, token } = this.#options;
    return [folder, ...(partition === "" ? [] : [partition]), `${token}_${name}`].join("/");
  }

  async append(path: string, bytes: Uint8Array): Promise<void> {
    const file = this.#open.get(path) ?? (await this.#begin(path));
    if (this.#aborted) {
      return;
    }
    file.waiting.push(bytes);
    file.waitingBytes += bytes.length;
    this.#options.memory.reserve(bytes.length);
    const partBytes = Math.max(partBytesMin, this.#options.partBytes);
    if (file.waitingBytes >= partBytes) {
      await this.#store(file);
    }
  }

  async end(path: string): Promise<StagedUpload> {
    const file = this.#open.get(path) ?? (await this.#begin(path));
    if (file.waitingBytes > 0 || file.tags.length === 0) {
      await this.#store(file);
    }
    this.#open.delete(path);
    return { id: file.upload.id, tags: file.tags };
  }

  async abort(): Promise<void> {
    this.#aborted = true;
    this.#open.clear();
    for (const upload of this.#uploads) {
      await this.#options.writer.abandon(upload).catch(() => {});
    }
  }

  async #begin(path: string): Promise<OpenUpload> {
    const upload = await this.#options.writer.begin(path);
    this.#uploads.push(upload);
    if (this.#aborted) {
      // It was begun while the others were given up.
      await this.#options.writer.abandon(upload).catch(() => {});
    }
    const file = { upload, tags: [], waiting: [], waitingBytes: 0 };
    this.#open.set(path, file);
    return file;
  }

  async #store(file: OpenUpload): Promise<void> {
    const bytes = new Uint8Array(file.waitingBytes);
    let at = 0;
    for (const piece of file.waiting) {
      bytes.set(piece, at);
      at += piece.length;
    }
    file.waiting = [];
    file.waitingBytes = 0;
    file.tags.push(await this.#options.writer.part(file.upload, file.tags.length + 1, bytes));
    if (!this.#aborted) {
      this.#options.memory.release(bytes.length);
    }
  }
}
