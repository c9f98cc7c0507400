/**
 * Frames of an output buffer beyond its bound, in a file of the node's own storage. Frames are written in order and read back in any order.
 * The file is removed when none is left.
 */
import type { Clock } from "../../ports/clock.ts";
import { type Storage, StorageError } from "../../ports/storage.ts";
import { type Checksum, checksumOfBytes } from "../../page/checksum.ts";
import { QueryError } from "../../protocol/errors.ts";
import { removeUntilGone } from "./spill-folder.ts";

export interface SpillPlace {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  /** Checksum of the written bytes: a disk may return other bytes. */
  readonly sum: Checksum;
}

export class SpillFile {
  readonly #storage: Storage;
  readonly #directory: string;
  readonly #clock: Clock;
  #fileNumber = 0;
  #offset = 0;
  /** Number of frames of the current file that may still be read. */
  #live = 0;
  #writing: Promise<void> = Promise.resolve();
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
      path: `${this.#directory}/${this.#fileNumber}`,
      offset: this.#offset,
      length: frame.length,
      sum: checksumOfBytes(frame),
    };
    this.#used = true;
    this.#offset += frame.length;
    this.#live++;
    this.spilledBytes += frame.length;
    const written = this.#writing
      .then(() => (this.#closed ? undefined : this.#storage.append(place.path, frame)))
      .catch((error: unknown) => failSpill(error, "Failed to spill pages"));
    this.#writing = written.catch(ignore);
    return { place, written };
  }

  async read(place: SpillPlace): Promise<Uint8Array> {
    const bytes = await this.#storage
      .read(place.path, place.offset, place.length)
      .catch((error: unknown) => failSpill(error, "Failed to read spilled pages"));
    const sum = checksumOfBytes(bytes);
    // Checked here, so that the node with the faulty disk reports the error and not the consumer.
    if (bytes.length !== place.length || sum.low !== place.sum.low || sum.high !== place.sum.high) {
      throw new QueryError("GENERIC_INTERNAL_ERROR", "Failed to read spilled pages");
    }
    return bytes;
  }

  /** The frame will not be read again. */
  release(place: SpillPlace): void {
    if (place.path === `${this.#directory}/${this.#fileNumber}`) {
      this.#live--;
    }
  }

  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    if (this.#used) {
      void this.#writing.then(() => removeUntilGone(this.#storage, this.#clock, this.#directory));
    }
  }

  #dropFile(): void {
    const path = `${this.#directory}/${this.#fileNumber}`;
    void this.#writing.then(() => removeUntilGone(this.#storage, this.#clock, path));
    this.#fileNumber++;
    this.#offset = 0;
  }
}

function failSpill(error: unknown, doing: string): never {
  if (error instanceof StorageError && error.kind === "NO_SPACE") {
    throw new QueryError("OUT_OF_SPILL_SPACE", "No free space available for spill");
  }
  throw error instanceof QueryError ? error : new QueryError("GENERIC_INTERNAL_ERROR", doing);
}

/** The failure is reported to the reader of the pages. */
function ignore(): void {}
