/**
 * The order in which queries get memory when their node is full. While older queries hold memory that they will free, the drivers of a
 * younger query wait before each step. The oldest query of a node never waits here. Age is the same on all nodes, so the oldest query of
 * the cluster goes on everywhere, and no queries wait for each other (decision 92).
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { Signal } from "../../ports/signal.ts";

export interface MemoryHolder {
  readonly queryId: string;
  readonly reservedBytes: number;
}

export interface MemoryQueueOptions {
  readonly clock: Clock;
  readonly points: FaultPoints;
  /** Of all queries; what is below it is the node's. */
  readonly memory: MemoryContext;
  /** The queries of the node. */
  readonly holders: () => readonly MemoryHolder[];
}

export class MemoryQueue {
  /** Some query waits. Called again and again while it does. */
  onWait: (() => void) | undefined;
  readonly #options: MemoryQueueOptions;
  readonly #retry = new Signal();
  readonly #delayMs: number;
  readonly #olderBytesMin: number;
  #timer: Timer | undefined;

  constructor(options: MemoryQueueOptions) {
    const { knobs } = options.memory;
    this.#options = options;
    this.#delayMs = knobs.value("memory-wait-ms");
    this.#olderBytesMin = knobs.value("memory-wait-bytes");
  }

  /** Undefined if the query may take memory now; otherwise resolves when it should ask again. */
  turn(queryId: string): Promise<void> | undefined {
    const { memory, points } = this.#options;
    const isFull = memory.nearLimit(0) !== undefined;
    const bytesMin = points.fires("query-waits-for-memory") ? 1 : isFull ? this.#olderBytesMin : Number.POSITIVE_INFINITY;
    if (bytesMin === Number.POSITIVE_INFINITY || this.#olderBytes(queryId) < Math.max(1, bytesMin)) {
      return undefined;
    }
    this.#arm();
    this.onWait?.();
    return this.#retry.next();
  }

  /** Nobody is left that could wait. */
  reset(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #olderBytes(queryId: string): number {
    const older = this.#options.holders().filter((holder) => holder.queryId < queryId);
    return older.reduce((sum, { reservedBytes }) => sum + reservedBytes, 0);
  }

  /** Nothing announces freed memory: releasing a block is far too frequent. */
  #arm(): void {
    this.#timer ??= this.#options.clock.timer("memory-wait", this.#delayMs, () => {
      this.#timer = undefined;
      this.#retry.fire();
    });
  }
}
