/**
 * Files of a sink in an object store: uploads under their final names, in parts. A file is there when the commit completes its upload; one
 * that is given up never was. When the sink is aborted, parts that are being sent are given up at once; then the uploads are.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import type { Timer } from "../../../../ports/clock.ts";
import { type Lifetime, OpenLifetime } from "../../../../ports/lifetime.ts";
import { assert } from "../../../../protocol/errors.ts";
import { type Grace, graceful, requireWanted } from "../../../shared/lifetime.ts";
import type { ObjectStorage } from "../../../shared/object-store/object-storage.ts";
import { type ObjectWriter, partBytesMin, type Upload } from "../../../shared/object-store/object-store.ts";
import type { FileStage, StagedUpload } from "../file-stage.ts";

export interface UploadStageOptions {
  readonly storage: ObjectStorage;
  readonly grace: Grace;
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
  readonly #life = new OpenLifetime();
  /** Of the removal of uploads: it ends some time after the sink is aborted. */
  readonly #removal = new OpenLifetime();
  #timer: Timer | undefined;
  #isAborted = false;

  constructor(options: UploadStageOptions) {
    this.#options = options;
  }

  pathOf(partition: string, name: string): string {
    const { folder, token } = this.#options;
    return [folder, ...(partition === "" ? [] : [partition]), `${token}_${name}`].join("/");
  }

  async append(path: string, bytes: Uint8Array): Promise<void> {
    const file = this.#open.get(path) ?? (await this.#begin(path));
    if (this.#life.isOver) {
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

  stop(): void {
    const { clock, graceMs } = this.#options.grace;
    this.#timer ??= clock.timer("store-cleanup", graceMs, () => this.#removal.end());
    this.#life.end();
  }

  async abort(): Promise<void> {
    this.stop();
    this.#isAborted = true;
    this.#open.clear();
    for (const upload of this.#uploads) {
      await this.#abandon(upload);
    }
    this.#timer?.cancel();
  }

  async #begin(path: string): Promise<OpenUpload> {
    requireWanted(this.#life);
    // Its name is known by the answer alone, so that one which is under way is waited for.
    const upload = await this.#writer(graceful(this.#life, this.#removal)).begin(path);
    this.#uploads.push(upload);
    if (this.#isAborted) {
      // It was begun while the others were given up.
      await this.#abandon(upload);
    }
    const file = { upload, tags: [], waiting: [], waitingBytes: 0 };
    this.#open.set(path, file);
    return file;
  }

  async #abandon(upload: Upload): Promise<void> {
    await this.#writer(this.#removal)
      .abandon(upload)
      .catch(() => {});
  }

  #writer(life: Lifetime): ObjectWriter {
    const { writer } = this.#options.storage.until(life);
    assert(writer !== undefined, "files are written to stores that can be written to");
    return writer;
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
    file.tags.push(await this.#writer(this.#life).part(file.upload, file.tags.length + 1, bytes));
    if (!this.#life.isOver) {
      this.#options.memory.release(bytes.length);
    }
  }
}
