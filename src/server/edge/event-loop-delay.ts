/**
 * Event loop delay: the mean over the last full sample. Reads a histogram that the runtime fills without running JavaScript. Makes no
 * system calls, so it still works, and its timer cannot throw, when the process has no file descriptors left.
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

  /** In addition to the delay of an idle event loop. */
  get meanMs(): number {
    return this.#meanMs;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #sample(): void {
    // A pause longer than the sample leaves the histogram empty; the previous value then stays until the next sample.
    if (this.#histogram.count > 0) {
      this.#meanMs = Math.max(0, this.#histogram.mean / 1e6 - resolutionMs);
      this.#histogram.reset();
    }
  }
}
