/**
 * Exponentially decaying counters: a count decays to 1/e after one minute (the interface, section 2.6). Presto's DecayCounter: time is in
 * whole seconds of the monotonic clock, and weights are relative to a landmark that moves before they grow too large.
 */
import type { Clock } from "../ports/clock.ts";

/** The only window that the interface specifies. */
const decayWindowSeconds = 60;
const rescaleSeconds = 50;

export class DecayCounter {
  readonly #clock: Clock;
  readonly #alpha: number;
  #landmarkSeconds: number;
  #count = 0;

  constructor(clock: Clock, windowSeconds: number = decayWindowSeconds) {
    this.#clock = clock;
    this.#alpha = 1 / windowSeconds;
    this.#landmarkSeconds = this.#nowSeconds();
  }

  add(value: number): void {
    const now = this.#nowSeconds();
    if (now - this.#landmarkSeconds >= rescaleSeconds) {
      this.#count /= this.#weight(now);
      this.#landmarkSeconds = now;
    }
    this.#count += value * this.#weight(now);
  }

  get count(): number {
    return this.#count / this.#weight(this.#nowSeconds());
  }

  /** Weight of a count made now, relative to one made at the landmark. */
  #weight(nowSeconds: number): number {
    return Math.exp(this.#alpha * (nowSeconds - this.#landmarkSeconds));
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock.monotonicNanos() / 1e9);
  }
}
