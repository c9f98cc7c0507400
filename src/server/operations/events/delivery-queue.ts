/**
 * A bounded queue between the engine, which never waits, and a consumer that may be slow or gone. What does not fit, and what the consumer
 * does not take, is dropped and counted.
 */
import type { DeliveryCounts } from "../metrics/node-metrics.ts";

export interface DeliveryQueueOptions {
  /** Name of the consumer in metrics. */
  readonly consumer: string;
  readonly entriesMax: number;
  readonly bytesMax: number;
  /** Entries that are delivered by one call. */
  readonly batchMax: number;
  /** Calls at the same time. */
  readonly concurrency: number;
  /** Resolves to the number of entries that were taken. Ends soon after `signal` aborts. */
  readonly deliver: (batch: readonly string[], signal: AbortSignal) => Promise<number>;
  readonly onError: (error: unknown) => void;
}

export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  readonly #waiting: string[] = [];
  readonly #abort = new AbortController();
  readonly #idleCallbacks: (() => void)[] = [];
  #waitingBytes = 0;
  #running = 0;
  #delivered = 0;
  #dropped = 0;
  #closed = false;

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
  }

  get counts(): DeliveryCounts {
    return { consumer: this.#options.consumer, delivered: this.#delivered, dropped: this.#dropped };
  }

  /** Never waits and never throws. */
  add(entry: string): void {
    const { bytesMax, entriesMax } = this.#options;
    const bytes = 2 * entry.length;
    if (this.#closed || this.#waiting.length >= entriesMax || this.#waitingBytes + bytes > bytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(entry);
    this.#waitingBytes += bytes;
    // Entries of one turn share a batch.
    queueMicrotask(() => this.#start());
  }

  /** Delivers what waits, for at most `waitMs`, and drops the rest. */
  async close(waitMs: number): Promise<void> {
    const late = setTimeout(() => this.#abort.abort(), waitMs);
    await this.#idle();
    clearTimeout(late);
    this.#closed = true;
    this.#dropped += this.#waiting.splice(0).length;
    this.#waitingBytes = 0;
  }

  #idle(): Promise<void> {
    return this.#running === 0 && (this.#waiting.length === 0 || this.#abort.signal.aborted)
      ? Promise.resolve()
      : new Promise((resolve) => this.#idleCallbacks.push(resolve));
  }

  #start(): void {
    const { batchMax, concurrency } = this.#options;
    while (this.#running < concurrency && this.#waiting.length > 0 && !this.#abort.signal.aborted) {
      const batch = this.#waiting.splice(0, batchMax);
      this.#waitingBytes -= batch.reduce((sum, entry) => sum + 2 * entry.length, 0);
      this.#running += 1;
      void this.#deliver(batch);
    }
    if (this.#running === 0) {
      for (const callback of this.#idleCallbacks.splice(0)) {
        callback();
      }
    }
  }

  async #deliver(batch: readonly string[]): Promise<void> {
    let taken = 0;
    try {
      taken = await this.#options.deliver(batch, this.#abort.signal);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#delivered += taken;
    this.#dropped += batch.length - taken;
    this.#running -= 1;
    this.#start();
  }
}
