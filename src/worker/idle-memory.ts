/**
 * Gives memory back that queries have used. A node's linear memory has its full size from the start, and pages of it that were touched stay with the process: a query of
 * gigabytes would keep them from others on the machine for good. While queries come the next one uses what the last one had. Once a node has been idle for a while, and much more
 * of its memory was touched than is in use, what is in use (tables in memory) moves to a new memory at the same addresses.
 */
import type { NodeMemory } from "../memory/allocator.ts";
import type { Clock, Timer } from "../ports/clock.ts";

export interface IdleMemoryOptions {
  readonly clock: Clock;
  /** node.memory-return-delay: nothing has ended for so long. What comes every few seconds uses the memory again. */
  readonly delayMs: number;
  readonly memory: Pick<NodeMemory, "residentBytes" | "usedBytes" | "renew">;
  /** No task lives and no query has memory: nothing holds a view of the memory or a kernel. */
  readonly isIdle: () => boolean;
  /** The memory is another; kernels of the former one are not to be used. */
  readonly onRenewed: () => void;
}

/** Less than this is not worth the faults of touching it again. */
export const wasteBytesMin: number = 128 * 1024 * 1024;

export class IdleMemory {
  readonly #options: IdleMemoryOptions;
  #timer: Timer | undefined;
  /** Pieces of work that have ended. */
  #ended = 0;
  #closed = false;

  constructor(options: IdleMemoryOptions) {
    this.#options = options;
  }

  /** A query has left the node, or a table has changed. */
  workEnded(): void {
    this.#ended += 1;
    this.#watch();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#closed || !this.#isWasteful()) {
      return;
    }
    const seen = this.#ended;
    this.#timer = this.#options.clock.timer("memory-return", this.#options.delayMs, () => {
      this.#timer = undefined;
      this.#look(seen);
    });
  }

  #look(seen: number): void {
    const { isIdle, memory, onRenewed } = this.#options;
    if (seen !== this.#ended) {
      this.#watch();
    } else if (isIdle() && this.#isWasteful()) {
      memory.renew();
      onRenewed();
    }
    // Work that goes on tells when it ends.
  }

  /** More is touched and free than is in use, which has to be copied. */
  #isWasteful(): boolean {
    const { residentBytes, usedBytes } = this.#options.memory;
    return residentBytes - usedBytes >= Math.max(wasteBytesMin, usedBytes);
  }
}
