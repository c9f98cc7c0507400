/**
 * Decompresses Zstandard (RFC 8878) in pieces with fzstd: input comes in any pieces, output goes out block by block, at most 128 KB each.
 * The frames are followed here, so that the library gets whole blocks, windows are bounded and charged before it allocates them, and what
 * it does not support is an error. Checksums of frames are not verified.
 */
import { Decompress } from "fzstd";
import { HeldMemory } from "../../memory/held-memory.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { BadData } from "../shared/file-errors.ts";

/** The default of the program zstd. */
const windowBytesMax = 134_217_728;
const blockBytesMax = 131_072;
/** Magic number, descriptor, window, dictionary, size of the content. */
const headerBytesMax = 18;
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const damaged = "zstd: the file is damaged";
const endsTooEarly = "zstd: the file ends too early";

interface Header {
  readonly bytes: number;
  readonly windowBytes: number;
  readonly hasChecksum: boolean;
}

export class ZstdInflater {
  readonly #held: HeldMemory;
  /** Input that is not used, from `#at` on. */
  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #isLast = false;
  #frame: Decompress | undefined;
  #hasChecksum = false;
  /** Bytes to pass over: checksums and skippable frames. */
  #skip = 0;
  readonly #output: Uint8Array[] = [];

  constructor(memory: MemoryContext) {
    this.#held = new HeldMemory(memory);
  }

  push(bytes: Uint8Array, isLast: boolean): void {
    const rest = this.#input.subarray(this.#at);
    if (rest.length === 0) {
      this.#input = bytes;
    } else {
      const joined = new Uint8Array(rest.length + bytes.length);
      joined.set(rest);
      joined.set(bytes, rest.length);
      this.#input = joined;
    }
    this.#at = 0;
    this.#isLast = isLast;
  }

  get finished(): boolean {
    return this.#isLast && this.#frame === undefined && this.#skip === 0 && this.#left === 0 && this.#output.length === 0;
  }

  /** Decompressed bytes; empty if more input is needed or nothing is left. */
  pull(): Uint8Array {
    while (this.#output.length === 0) {
      if (!this.#step()) {
        if (this.#isLast && !this.finished) {
          throw new BadData(endsTooEarly);
        }
        return new Uint8Array(0);
      }
    }
    return this.#output.shift() as Uint8Array;
  }

  get #left(): number {
    return this.#input.length - this.#at;
  }

  /** Uses some input; false if there is too little. */
  #step(): boolean {
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, this.#left);
      this.#skip -= skipped;
      this.#at += skipped;
      return skipped > 0;
    }
    return this.#frame === undefined ? this.#begin() : this.#block(this.#frame);
  }

  #begin(): boolean {
    if (this.#left < 8 || (this.#left < headerBytesMax && !this.#isLast)) {
      return false;
    }
    const view = new DataView(this.#input.buffer, this.#input.byteOffset + this.#at, this.#left);
    const magic = view.getUint32(0, true);
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      this.#skip = 8 + view.getUint32(4, true);
      return true;
    }
    if (magic !== frameMagic) {
      throw new BadData("zstd: this is not a Zstandard file");
    }
    const header = headerOf(view);
    if (header.bytes > this.#left) {
      return false;
    }
    this.#held.raiseTo(header.windowBytes + 2 * blockBytesMax);
    this.#hasChecksum = header.hasChecksum;
    this.#frame = new Decompress((chunk) => {
      if (chunk.length > 0) {
        this.#output.push(chunk);
      }
    });
    this.#feed(this.#frame, header.bytes);
    return true;
  }

  #block(frame: Decompress): boolean {
    if (this.#left < 3) {
      return false;
    }
    const at = this.#at;
    const head = (this.#input[at] as number) | ((this.#input[at + 1] as number) << 8) | ((this.#input[at + 2] as number) << 16);
    const isLastBlock = (head & 1) === 1;
    const kind = (head >>> 1) & 3;
    const size = head >>> 3;
    if (kind === 3 || size > blockBytesMax) {
      throw new BadData(damaged);
    }
    const bytes = 3 + (kind === 1 ? 1 : size);
    if (this.#left < bytes) {
      return false;
    }
    this.#feed(frame, bytes);
    if (isLastBlock) {
      // The library keeps the blocks of a short frame until it has this many bytes.
      this.#flush(frame);
      this.#frame = undefined;
      this.#skip = this.#hasChecksum ? 4 : 0;
    }
    return true;
  }

  #feed(frame: Decompress, bytes: number): void {
    const piece = this.#input.slice(this.#at, this.#at + bytes);
    this.#at += bytes;
    this.#guarded(() => frame.push(piece, false));
  }

  /** The library begins a frame with 18 bytes at least: it gets those of an empty skippable frame. */
  #flush(frame: Decompress): void {
    const padding = new Uint8Array(this.#hasChecksum ? headerBytesMax + 4 : headerBytesMax);
    const start = this.#hasChecksum ? 4 : 0;
    new DataView(padding.buffer).setUint32(start, skippableMagic, true);
    new DataView(padding.buffer).setUint32(start + 4, padding.length - start - 8, true);
    this.#guarded(() => frame.push(padding, false));
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch {
      throw new BadData(damaged);
    }
  }
}

function headerOf(view: DataView): Header {
  const flags = view.getUint8(4);
  const isSingle = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] as number;
  const sizeFlag = flags >>> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingle ? 1 : 0) : 2 ** sizeFlag;
  const sizeAt = 5 + (isSingle ? 0 : 1) + dictionaryBytes;
  if ((flags & 8) !== 0) {
    throw new BadData(damaged);
  }
  if (dictionaryBytes > 0) {
    throw new BadData("zstd: dictionaries are not supported");
  }
  const bytes = sizeAt + sizeBytes;
  if (bytes > view.byteLength) {
    return { bytes, windowBytes: 0, hasChecksum: false };
  }
  const windowBytes = isSingle ? contentBytes(view, sizeAt, sizeBytes) : windowOf(view.getUint8(5));
  if (windowBytes > windowBytesMax) {
    throw new BadData(`zstd: the window of ${windowBytes} bytes is larger than the maximum of ${windowBytesMax}`);
  }
  return { bytes, windowBytes, hasChecksum: (flags & 4) !== 0 };
}

function contentBytes(view: DataView, at: number, bytes: number): number {
  switch (bytes) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at, true) + 256;
    case 4:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}
