/**
 * Frames of an output buffer beyond its bound, in a file of the node's own storage. Frames are written in order and read back in any order.
 * Frames that wait while others are written are written together. The file is removed when none is left.
 */
import type { Clock } from "../../ports/clock.ts";
import { type Storage, StorageError, type StorageFile } from "../../ports/storage.ts";
import { type Checksum, checksumOfBytes } from "../../page/checksum.ts";
import { QueryError } from "../../protocol/errors.ts";
import { openFileOf } from "./file-by-path.ts";
import { removeUntilGone } from "./spill-folder.ts";

export interface SpillPlace {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  /** Checksum of the written bytes: a disk may return other bytes. */
  readonly sum: Checksum;
}

/** Frames that are written at once, in bytes. */
const writeBytesMax = 1_048_576;

interface WaitingFrame {
  readonly frame: Uint8Array;
  readonly file: StorageFile;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class SpillFile {
  readonly #storage: Storage;
  readonly #directory: string;
  readonly #clock: Clock;
  #fileNumber = 0;
  #offset = 0;
  /** Number of frames of the current file that may still be read. */
  #live = 0;
  #file: StorageFile | undefined;
  /** Frames that are not being written yet, in order. */
  #waiting: WaitingFrame[] = [];
  /** Ends with the last of the frames. */
  #writing: Promise<void> | undefined;
  #used = false;
  #closed = false;
  spilledBytes = 0;

  constructor(storage: Storage, directory: string, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
    this.#directory = directory;
  }

  /** The place is known at once; `written` resolves when the bytes can be read there. */
  write(frame: Uint8Array): { readonly place: SpillPlace; readonly written: Promise<void> } {
    if (this.#live === 0 && this.#offset > 0) {
      this.#dropFile();
    }
    const place: SpillPlace = {
      path: this.#path,
      offset: this.#offset,
      length: frame.length,
      sum: checksumOfBytes(frame),
    };
    this.#used = true;
    this.#offset += frame.length;
    this.#live++;
    this.spilledBytes += frame.length;
    const file = this.#file ?? openFileOf(this.#storage, place.path);
    this.#file = file;
    const written = new Promise<void>((resolve, reject) => this.#waiting.push({ frame, file, resolve, reject }));
    this.#writing ??= this.#writeAll();
    return { place, written };
  }

  async read(place: SpillPlace): Promise<Uint8Array> {
    if (this.#file === undefined || place.path !== this.#path) {
      throw new QueryError("GENERIC_INTERNAL_ERROR", "Failed to read spilled pages");
    }
    const bytes = await this.#file.read(place.offset, place.length).catch((error: unknown) => {
      throw spillFailure(error, "Failed to read spilled pages");
    });
    const sum = checksumOfBytes(bytes);
    // Checked here, so that the node with the faulty disk reports the error and not the consumer.
    if (bytes.length !== place.length || sum.low !== place.sum.low || sum.high !== place.sum.high) {
      throw new QueryError("GENERIC_INTERNAL_ERROR", "Failed to read spilled pages");
    }
    return bytes;
  }

  /** The frame will not be read again. */
  release(place: SpillPlace): void {
    if (place.path === this.#path) {
      this.#live--;
    }
  }

  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#removeAfterWrites(this.#directory);
  }

  get #path(): string {
    return `${this.#directory}/${this.#fileNumber}`;
  }

  #dropFile(): void {
    this.#removeAfterWrites(this.#path);
    this.#fileNumber++;
    this.#offset = 0;
  }

  #removeAfterWrites(path: string): void {
    const file = this.#file;
    this.#file = undefined;
    if (this.#used) {
      void (this.#writing ?? Promise.resolve()).then(() => {
        file?.close();
        return removeUntilGone(this.#storage, this.#clock, path);
      });
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const { file } = batch[0] as WaitingFrame;
      try {
        if (!this.#closed) {
          await file.append(batch.map(({ frame }) => frame));
        }
        batch.forEach(({ resolve }) => resolve());
      } catch (error) {
        const failure = spillFailure(error, "Failed to spill pages");
        batch.forEach(({ reject }) => reject(failure));
      }
    }
    this.#writing = undefined;
  }

  /** At least one frame, all of one file. */
  #nextBatch(): readonly WaitingFrame[] {
    const { file } = this.#waiting[0] as WaitingFrame;
    let bytes = 0;
    let count = 0;
    for (const { frame, file: other } of this.#waiting) {
      bytes += frame.length;
      if (count > 0 && (other !== file || bytes > writeBytesMax)) {
        break;
      }
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}

function spillFailure(error: unknown, doing: string): QueryError {
  if (error instanceof StorageError && error.kind === "NO_SPACE") {
    return new QueryError("OUT_OF_SPILL_SPACE", "No free space available for spill");
  }
  return error instanceof QueryError ? error : new QueryError("GENERIC_INTERNAL_ERROR", doing);
}
