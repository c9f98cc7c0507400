/**
 * When the splits of a scan began and ended. Beyond a number of splits only every second, fourth and so on is kept, so that the kept ones
 * cover the whole scan.
 */
import type { MonotonicNanos } from "../../../ports/clock.ts";

export interface SplitSpan {
  /** Position among the splits that the scan has read. */
  readonly ordinal: number;
  readonly startNanos: MonotonicNanos;
  endNanos: MonotonicNanos | undefined;
  /** Rows read, once the split has ended. */
  positions: number;
}

/** The spans of a scan's splits, which run one after the other. */
export class SplitSpans {
  /** Kept splits of one scan. */
  readonly #spansMax: number;
  #spans: SplitSpan[] = [];
  #stride = 1;
  #count = 0;
  #current: SplitSpan | undefined;

  constructor(spansMax: number) {
    this.#spansMax = spansMax;
  }

  get all(): readonly SplitSpan[] {
    return this.#spans;
  }

  started(now: MonotonicNanos): void {
    const ordinal = this.#count++;
    if (ordinal % this.#stride !== 0) {
      return;
    }
    if (this.#spans.length === this.#spansMax) {
      this.#stride *= 2;
      this.#spans = this.#spans.filter((span) => span.ordinal % this.#stride === 0);
      if (ordinal % this.#stride !== 0) {
        return;
      }
    }
    this.#current = { ordinal, startNanos: now, endNanos: undefined, positions: 0 };
    this.#spans.push(this.#current);
  }

  ended(now: MonotonicNanos, positions: number): void {
    if (this.#current !== undefined) {
      this.#current.endNanos = now;
      this.#current.positions = positions;
      this.#current = undefined;
    }
  }
}
