/**
 * What somebody holds outside of linear memory, in one number that grows and shrinks: it is charged to a memory context as a reservation.
 */
import type { MemoryContext } from "./memory.ts";

export class HeldMemory {
  readonly #memory: MemoryContext;
  #bytes = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  /** Replaces what was held before. Throws MemoryLimitExceeded, and then holds as much as before. */
  set(bytes: number): void {
    if (bytes > this.#bytes) {
      this.#memory.reserve(bytes - this.#bytes);
    } else {
      this.#memory.release(this.#bytes - bytes);
    }
    this.#bytes = bytes;
  }

  /** Holds at least so much. Throws MemoryLimitExceeded. */
  raiseTo(bytes: number): void {
    this.set(Math.max(bytes, this.#bytes));
  }
}
