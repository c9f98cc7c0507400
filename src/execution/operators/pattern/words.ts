/**
 * A growing list of u32 in accounted memory.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";

export class Words {
  readonly #memory: MemoryContext;
  #address: Address = 0;
  #capacity = 0;
  #length = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#length;
  }

  /** Changes when the list grows. */
  get address(): Address {
    return this.#address;
  }

  push(value: number): void {
    this.reserve(this.#length + 1);
    this.#memory.linear.u32[(this.#address >>> 2) + this.#length++] = value;
  }

  at(index: number): number {
    return this.#memory.linear.u32[(this.#address >>> 2) + index] as number;
  }

  set(index: number, value: number): void {
    this.#memory.linear.u32[(this.#address >>> 2) + index] = value;
  }

  /** Drops the words after `length`. They can still be read until they are overwritten. */
  truncate(length: number): void {
    this.#length = length;
  }

  reserve(length: number): void {
    if (length <= this.#capacity) {
      return;
    }
    this.#capacity = Math.max(this.#memory.knobs.value("pattern-words"), length, 2 * this.#capacity);
    const bytes = 4 * this.#capacity;
    this.#address = this.#address === 0 ? this.#memory.allocate(bytes) : this.#memory.reallocate(this.#address, bytes);
  }
}
