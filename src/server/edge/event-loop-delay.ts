/**
 * How late the event loop runs: the mean over the last full sample. Reads a histogram that the runtime fills without JavaScript. Nothing here asks the operating system
 * for anything, so it works, and its timer cannot throw, where the process has no file descriptor left.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10;

export class EventLoopDelay {
  readonly #histogram: IntervalHistogram;
  readonly #timer: NodeJS.Timeout;
  #meanMs = 0;

  constructor(sampleMs: number) {
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#sample(), sampleMs);
    this.#timer.unref();
  }

  /** Beyond what an idle loop shows. */
  get meanMs(): number {
    return this.#meanMs;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #sample(): void {
    // One pause longer than the sample leaves the histogram empty: the figure before it stays until the next one.
    if (this.#histogram.count > 0) {
      this.#meanMs = Math.max(0, this.#histogram.mean / 1e6 - resolutionMs);
      this.#histogram.reset();
    }
  }
}
