/**
 * Returns memory that queries have used to the operating system. A node's linear memory has its full size from the start, and touched pages
 * stay with the process, so a query of gigabytes would occupy them forever. While queries run, the next one reuses the pages. When a node
 * has been idle for a while and far more memory is touched than in use, the used part (tables in memory) moves to a new linear memory at
 * the same addresses. An idle node allocates nothing, so its collector does not run either: garbage beside the linear memory is collected
 * then, which also frees the frames that this node has read from others.
 */
import type { NodeMemory } from "../memory/allocator.ts";
import type { Clock, Timer } from "../ports/clock.ts";

export interface IdleMemoryOptions {
  readonly clock: Clock;
  /** node.memory-return-delay: how long the node must be idle. Frequent queries reuse the memory instead. */
  readonly delayMs: number;
  readonly memory: Pick<NodeMemory, "residentBytes" | "usedBytes" | "renew">;
  /** Below this, the gain is not worth the page faults of touching the memory again. */
  readonly wasteBytesMin: number;
  /** True if no task runs and no query has memory, so that nothing holds a view of the memory or a kernel. */
  readonly isIdle: () => boolean;
  /** The linear memory was replaced; kernels of the former one must not be used. */
  readonly onRenewed: () => void;
  /** Bytes beside the linear memory that `collect` may free. */
  readonly garbageBytes: () => number;
  readonly collect: () => void;
}

/** Garbage is worth a collection from this part of the waste on: nothing has to be copied, and no memory touched again. */
const garbageShare = 4;

export class IdleMemory {
  readonly #options: IdleMemoryOptions;
  #timer: Timer | undefined;
  /** Time at which a query or a table change has ended last. */
  #endedNanos = 0;
  #closed = false;

  constructor(options: IdleMemoryOptions) {
    this.#options = options;
  }

  /** A query has left the node, or a table has changed. */
  workEnded(): void {
    this.#endedNanos = this.#options.clock.monotonicNanos();
    this.#watch();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#closed || !(this.#isWasteful() || this.#hasGarbage())) {
      return;
    }
    this.#timer = this.#options.clock.timer("memory-return", this.#leftMs(), () => {
      this.#timer = undefined;
      this.#look();
    });
  }

  /** Milliseconds until the node has been idle for long enough. */
  #leftMs(): number {
    const { clock, delayMs } = this.#options;
    return Math.max(0, Math.ceil(delayMs - (clock.monotonicNanos() - this.#endedNanos) / 1e6));
  }

  #look(): void {
    const { collect, isIdle, memory, onRenewed } = this.#options;
    if (this.#leftMs() > 0) {
      this.#watch();
      return;
    }
    // Work in progress calls `workEnded` when it ends.
    if (!isIdle()) {
      return;
    }
    const isWasteful = this.#isWasteful();
    if (isWasteful) {
      memory.renew();
      onRenewed();
    }
    if (isWasteful || this.#hasGarbage()) {
      collect();
    }
  }

  #hasGarbage(): boolean {
    return this.#options.garbageBytes() >= this.#options.wasteBytesMin / garbageShare;
  }

  /** True if more memory is touched and free than is in use, because the used part must be copied. */
  #isWasteful(): boolean {
    const { memory, wasteBytesMin } = this.#options;
    return memory.residentBytes - memory.usedBytes >= Math.max(wasteBytesMin, memory.usedBytes);
  }
}
