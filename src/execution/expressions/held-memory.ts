/**
 * Charges a query for what the unfinished calls of its functions hold between two slices: arguments, states of loops and partly made
 * results, which are JavaScript objects. Without it many queries could each hold as much as one may, and end the process.
 */
import type { MemoryContext } from "../../memory/memory.ts";

export class HeldMemory {
  readonly #memory: MemoryContext;
  #bytes = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  /** Replaces what was held before. Throws MemoryLimitExceeded. */
  set(bytes: number): void {
    if (bytes > this.#bytes) {
      this.#memory.reserve(bytes - this.#bytes);
    } else {
      this.#memory.release(this.#bytes - bytes);
    }
    this.#bytes = bytes;
  }
}
