/**
 * Ended queries that no client waits for, in the order of their ends. They are kept for those who look at past queries: `query.max-history`
 * of them, younger ones than `query.min-expire-age` beyond that, within a bound of number and of bytes. A look at what is to be forgotten
 * is free; adding and forgetting cost the logarithm of their number.
 */
import type { MonotonicNanos } from "../../ports/clock.ts";
import type { Query } from "../query/query.ts";
import { IndexedHeap } from "./indexed-heap.ts";

/** Ended queries are forgotten beyond this many times query.max-history, however young they are. */
const historyFactorMax = 3;
export const historyBytesMax: number = 128 * 1024 * 1024;

export interface HistoryOptions {
  /** query.max-history */
  readonly historyMax: number;
  /** query.min-expire-age */
  readonly expireAgeMinMs: number;
}

export class History {
  readonly #options: HistoryOptions;
  readonly #heap = new IndexedHeap<Query>();
  readonly #bytesOf = new Map<Query, number>();
  #bytes = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#heap.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a query, or changes its bytes. `endOrdinal`: the position of its end among the ends of all queries. */
  add(query: Query, { endOrdinal, bytes }: { readonly endOrdinal: number; readonly bytes: number }): void {
    this.#heap.set(query, endOrdinal);
    this.#bytes += bytes - (this.#bytesOf.get(query) ?? 0);
    this.#bytesOf.set(query, bytes);
  }

  /** Removes and returns the oldest query if it is to be forgotten now. */
  take(now: MonotonicNanos): Query | undefined {
    const isOverBounds = this.count > this.#options.historyMax * historyFactorMax || this.#bytes > historyBytesMax;
    if (!isOverBounds && now < this.nextNanos) {
      return undefined;
    }
    const oldest = this.#heap.take(Number.POSITIVE_INFINITY);
    if (oldest !== undefined) {
      this.#bytes -= this.#bytesOf.get(oldest) ?? 0;
      this.#bytesOf.delete(oldest);
    }
    return oldest;
  }

  /** When the oldest query may be forgotten by its age; infinite while the history is not full. */
  get nextNanos(): number {
    const oldest = this.#heap.first;
    return oldest === undefined || this.count <= this.#options.historyMax
      ? Number.POSITIVE_INFINITY
      : (oldest.endNanos ?? 0) + this.#options.expireAgeMinMs * 1e6;
  }
}
