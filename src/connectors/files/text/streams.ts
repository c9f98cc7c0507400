/**
 * The bytes of a text file, decompressed, and the line of an offset in them.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { Storage } from "../../../ports/storage.ts";
import { type ByteStream, CompressedStream, RangeStream } from "../byte-stream.ts";
import type { TableFile } from "../folder.ts";
import { Inflater } from "../inflate.ts";
import { type CsvDialect, lineEndOf } from "./csv.ts";
import { ZstdInflater } from "../zstd.ts";

export const chunkBytes = 1_048_576;
const compressedChunkBytes = 131_072;
export const newline = 0x0a;

export type StoredText = Pick<TableFile, "path" | "sizeBytes" | "compression">;

export type CountedText = StoredText & { readonly dialect?: Pick<CsvDialect, "hasReturns"> };

/** A compressed file is read as a whole. The memory is charged with what its decompression takes. */
export function openStream(
  storage: Storage,
  file: StoredText,
  range: { readonly start: number; readonly end: number; readonly chunkBytes: number; readonly memory: MemoryContext },
): ByteStream {
  const { path, sizeBytes, compression } = file;
  if (compression === "none") {
    return new RangeStream(storage, { path, sizeBytes, ...range, isReused: true });
  }
  const whole = { path, sizeBytes, start: 0, end: sizeBytes, chunkBytes: compressedChunkBytes };
  return new CompressedStream(storage, whole, compression === "gzip" ? new Inflater() : new ZstdInflater(range.memory));
}

export function lineCounter(storage: Storage, file: CountedText, memory: MemoryContext): LineCounter {
  return new LineCounter(openStream(storage, file, { start: 0, end: file.sizeBytes, chunkBytes, memory }), lineEndOf(file.dialect));
}

/** Line of a byte, from 1. */
export async function lineOf(storage: Storage, file: CountedText, offset: number, parent: MemoryContext): Promise<number> {
  const memory = parent.child("files lines");
  try {
    return await lineCounter(storage, file, memory).lineOf(offset);
  } finally {
    memory.close();
  }
}

/** Lines of growing offsets, in one pass over the file. */
export class LineCounter {
  readonly #stream: ByteStream;
  readonly #lineEnd: number;
  #line = 1;
  /** Bytes that are counted. */
  #passed = 0;
  /** Bytes that follow those. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(stream: ByteStream, lineEnd: number) {
    this.#stream = stream;
    this.#lineEnd = lineEnd;
  }

  /** From 1. The offset must not be less than the one before. */
  async lineOf(offset: number): Promise<number> {
    for (;;) {
      const part = this.#rest.subarray(0, offset - this.#passed);
      for (let at = part.indexOf(this.#lineEnd); at >= 0; at = part.indexOf(this.#lineEnd, at + 1)) {
        this.#line++;
      }
      this.#passed += part.length;
      this.#rest = this.#rest.subarray(part.length);
      const bytes = this.#passed < offset ? await this.#stream.next() : undefined;
      if (bytes === undefined) {
        return this.#line;
      }
      this.#rest = bytes;
    }
  }
}

/** Skips the first bytes: the header of a compressed file. */
export class SkippingStream implements ByteStream {
  readonly #stream: ByteStream;
  #skipBytes: number;

  constructor(stream: ByteStream, skipBytes: number) {
    this.#stream = stream;
    this.#skipBytes = skipBytes;
  }

  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const bytes = await this.#stream.next();
      if (bytes === undefined || this.#skipBytes === 0) {
        return bytes;
      }
      const skipped = Math.min(this.#skipBytes, bytes.length);
      this.#skipBytes -= skipped;
      if (skipped < bytes.length) {
        return bytes.subarray(skipped);
      }
    }
  }
}
