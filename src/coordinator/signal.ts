/**
 * A place to wait for news without a timer in the happy path: who changes something fires, who waits wakes at once or after its time. Used by long
 * polls, the dispatcher and stages. Waiters are woken in the order in which they came.
 */
import type { Clock } from "../ports/clock.ts";

export class Signal {
  readonly #clock: Clock;
  #waiters: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  fire(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) {
      wake();
    }
  }

  /** Resolves at the next fire. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  /** Resolves at the next fire or after `waitMs`, whichever is first. `label` names the timer. */
  wait(label: string, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (waitMs <= 0) {
        resolve();
        return;
      }
      const timer = this.#clock.timer(label, waitMs, () => {
        this.#waiters = this.#waiters.filter((waiter) => waiter !== wake);
        resolve();
      });
      const wake = (): void => {
        timer.cancel();
        resolve();
      };
      this.#waiters.push(wake);
    });
  }

  /** Waits until `ready` holds, looking again after every fire, for at most `waitMs`. True when it held. */
  async waitUntil(ready: () => boolean, label: string, waitMs: number): Promise<boolean> {
    const start = this.#clock.monotonicNanos();
    for (;;) {
      if (ready()) {
        return true;
      }
      const left = waitMs - (this.#clock.monotonicNanos() - start) / 1e6;
      if (left <= 0) {
        return false;
      }
      await this.wait(label, Math.ceil(left));
    }
  }
}
