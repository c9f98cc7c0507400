/**
 * Frames of LZ4 (lz4_Frame_format.md): blocks of unknown size that may repeat bytes of those before them. Their checksums are not verified.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { viewOf } from "../../../types/bytes.ts";
import type { ParquetKernels } from "../parquet/kernels/kernels.ts";

const magic = 0x184d2204;
/** Skippable frames differ in their last four bits. */
const skippable = 0x184d2a50;
const uncompressedBlock = 0x80000000;
const flags = Object.freeze({ version: 0xc0, independent: 0x20, blockChecksum: 0x10, contentSize: 8, contentChecksum: 4, dictionary: 1 });
const version1 = 0x40;

interface Target {
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
  readonly address: Address;
  readonly sizeBytes: number;
}

/** Whether the frames are well-formed and fill the target. */
export function decompressLz4Frames(input: Uint8Array, target: Target): boolean {
  const { memory, address, sizeBytes } = target;
  const at = memory.allocate(Math.max(1, input.length));
  memory.linear.u8.set(input, at);
  try {
    return new Frames(input, at, target).read() === address + sizeBytes;
  } finally {
    memory.free(at);
  }
}

class Frames {
  readonly #input: Uint8Array;
  readonly #view: DataView;
  /** Of the input in linear memory. */
  readonly #address: Address;
  readonly #target: Target;
  #at = 0;
  #to: Address;

  constructor(input: Uint8Array, address: Address, target: Target) {
    this.#input = input;
    this.#view = viewOf(input);
    this.#address = address;
    this.#target = target;
    this.#to = target.address;
  }

  /** The address after what was written; 0 if it is damaged. */
  read(): Address {
    while (this.#at < this.#input.length) {
      const mark = this.#u32();
      const isWhole = mark === magic ? this.#frame() : mark !== undefined && (mark & ~0xf) >>> 0 === skippable && this.#skip(this.#u32());
      if (!isWhole) {
        return 0;
      }
    }
    return this.#to;
  }

  #u32(): number | undefined {
    const at = this.#at;
    return this.#skip(4) ? this.#view.getUint32(at, true) : undefined;
  }

  #skip(bytes: number | undefined): boolean {
    if (bytes === undefined || this.#at + bytes > this.#input.length) {
      return false;
    }
    this.#at += bytes;
    return true;
  }

  #frame(): boolean {
    const flag = this.#input[this.#at] ?? 0;
    // Of a dictionary nothing is known.
    if ((flag & flags.version) !== version1 || (flag & flags.dictionary) !== 0) {
      return false;
    }
    // Two bytes of descriptor, the size of the content, a checksum.
    if (!this.#skip(3 + ((flag & flags.contentSize) === 0 ? 0 : 8))) {
      return false;
    }
    const checksumBytes = (flag & flags.blockChecksum) === 0 ? 0 : 4;
    const start = this.#to;
    for (;;) {
      const size = this.#u32();
      if (size === undefined) {
        return false;
      }
      if (size === 0) {
        return this.#skip((flag & flags.contentChecksum) === 0 ? 0 : 4);
      }
      const window = (flag & flags.independent) === 0 ? start : this.#to;
      if (!this.#block(size, window) || !this.#skip(checksumBytes)) {
        return false;
      }
    }
  }

  #block(size: number, window: Address): boolean {
    const from = this.#at;
    const bytes = size % uncompressedBlock;
    const { kernels, memory, address, sizeBytes } = this.#target;
    const end = address + sizeBytes;
    if (!this.#skip(bytes)) {
      return false;
    }
    if (size >= uncompressedBlock) {
      if (this.#to + bytes > end) {
        return false;
      }
      memory.linear.u8.copyWithin(this.#to, this.#address + from, this.#address + from + bytes);
      this.#to += bytes;
      return true;
    }
    const input = { at: this.#address + from, end: this.#address + from + bytes };
    this.#to = kernels.decompressLz4(input, { at: window, end }, this.#to);
    return this.#to !== 0;
  }
}
