/**
 * The part of a text file that is being read, in linear memory, so that strings of a page stay where they were read. Records are consumed
 * from its start. When more bytes arrive, the incomplete record moves to the front, which invalidates the previous page.
 */
import type { LinearMemory, MemoryContext, Address } from "../../../memory/memory.ts";

export class TextWindow {
  readonly linear: LinearMemory;
  readonly #memory: MemoryContext;
  #block: Address = 0;
  #capacity = 0;
  /** Address of the first byte that is not consumed. */
  start: Address = 0;
  end: Address = 0;
  /** True if nothing follows. */
  isLast = false;
  /** File offset of the byte at `#block`. */
  #fileOffset: number;

  constructor(memory: MemoryContext, fileOffset: number) {
    this.#memory = memory;
    this.linear = memory.linear;
    this.#fileOffset = fileOffset;
  }

  /** Offset in the (decompressed) file. */
  offsetOf(address: Address): number {
    return this.#fileOffset + address - this.#block;
  }

  append(bytes: Uint8Array): void {
    const rest = this.end - this.start;
    this.#fileOffset += this.start - this.#block;
    if (this.#block !== 0) {
      this.linear.u8.copyWithin(this.#block, this.start, this.end);
    }
    if (rest + bytes.length > this.#capacity) {
      const capacity = Math.max(rest + bytes.length, Math.min(this.#capacity * 2, this.#capacity + bytes.length * 4));
      this.#block = this.#block === 0 ? this.#memory.allocate(capacity) : this.#memory.reallocate(this.#block, capacity);
      this.#capacity = capacity;
    }
    this.linear.u8.set(bytes, this.#block + rest);
    this.start = this.#block;
    this.end = this.#block + rest + bytes.length;
  }

  close(): void {
    if (this.#block !== 0) {
      this.#memory.free(this.#block);
      this.#block = 0;
      this.start = 0;
      this.end = 0;
    }
  }
}
