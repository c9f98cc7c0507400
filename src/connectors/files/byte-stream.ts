/**
 * The bytes of a file in order, chunk by chunk: a range of a plain file, or a whole compressed file.
 */
import type { Storage } from "../../ports/storage.ts";
import { BadData, badFile, reading } from "../shared/file-errors.ts";

export interface ByteStream {
  /** The next bytes, valid until the next call; undefined at the end. There is one call at a time. */
  next(): Promise<Uint8Array | undefined>;
}

export interface ByteRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly chunkBytes: number;
  /** The bytes of a call are no more used when the next one is made, and may be written over. */
  readonly isReused?: boolean;
  /** Size of the whole file when the statement was planned, in bytes. A different size when it is read means that the file was replaced. */
  readonly sizeBytes: number;
}

const changed = "the file changed while it was read";

export async function requireSize(storage: Storage, path: string, sizeBytes: number): Promise<void> {
  const entry = await reading(path, storage.stat(path));
  if (entry.sizeBytes !== sizeBytes) {
    throw badFile(path, "", changed);
  }
}

export class RangeStream implements ByteStream {
  readonly #storage: Storage;
  readonly #range: ByteRange;
  #at: number;
  #isChecked = false;
  /** Of the last read: memory that is used again is not cleared, and not collected. */
  #buffer: Uint8Array | undefined;

  constructor(storage: Storage, range: ByteRange) {
    this.#storage = storage;
    this.#range = range;
    this.#at = range.start;
  }

  async next(): Promise<Uint8Array | undefined> {
    const { path, end, chunkBytes } = this.#range;
    await this.#check();
    const length = Math.min(chunkBytes, end - this.#at);
    if (length <= 0) {
      return undefined;
    }
    const bytes = await reading(path, this.#storage.read(path, this.#at, length, this.#buffer));
    if (bytes.length < length) {
      throw badFile(path, "", changed);
    }
    if (this.#range.isReused === true) {
      this.#buffer ??= bytes;
    }
    this.#at += length;
    return bytes;
  }

  async #check(): Promise<void> {
    if (!this.#isChecked) {
      this.#isChecked = true;
      await requireSize(this.#storage, this.#range.path, this.#range.sizeBytes);
    }
  }
}

/** What a compressed stream is made of; see inflate.ts and zstd.ts. */
export interface Decompressor {
  push(bytes: Uint8Array, isLast: boolean): void;
  pull(): Uint8Array;
  readonly finished: boolean;
}

/** `range` refers to the compressed file and must cover all of it. */
export class CompressedStream implements ByteStream {
  readonly #source: RangeStream;
  readonly #range: ByteRange;
  readonly #decompressor: Decompressor;
  #readBytes = 0;

  /** In compressed bytes. */
  get readBytes(): number {
    return this.#readBytes;
  }

  constructor(storage: Storage, range: ByteRange, decompressor: Decompressor) {
    this.#source = new RangeStream(storage, range);
    this.#range = range;
    this.#decompressor = decompressor;
  }

  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.#within(() => this.#decompressor.pull());
      if (piece.length > 0) {
        return piece;
      }
      if (this.#decompressor.finished) {
        return undefined;
      }
      const bytes = (await this.#source.next()) ?? new Uint8Array(0);
      this.#readBytes += bytes.length;
      this.#within(() => {
        this.#decompressor.push(bytes, this.#readBytes >= this.#range.end);
      });
    }
  }

  #within<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof BadData) {
        throw badFile(this.#range.path, "", error.message);
      }
      throw error;
    }
  }
}
