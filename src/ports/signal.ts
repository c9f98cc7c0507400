/** Waiting for events that ports cause, without a timer where the event comes in time. */
import type { Clock } from "./clock.ts";

/** A promise that an event resolves later. */
export interface Deferred {
  readonly promise: Promise<void>;
  /** Idempotent. */
  resolve(): void;
}

export function defer(): Deferred {
  let settle: () => void = noop;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

function noop(): void {}

export interface TimedWait {
  readonly clock: Clock;
  /** Names the timer. */
  readonly label: string;
  readonly waitMs: number;
}

/** An event that may happen again. Whoever waits resumes at its next occurrence, in the order of the calls. */
export class Signal {
  #waiters: (() => void)[] = [];
  #next: Deferred | undefined;

  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  fire(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#next = undefined;
    for (const wake of waiters) {
      wake();
    }
  }

  /** Resolves when it fires next. Calls before that share one promise. */
  next(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = defer();
      this.#waiters.push(this.#next.resolve);
    }
    return this.#next.promise;
  }

  /** Resolves when it fires next or after `waitMs`, whichever is first. */
  wait({ clock, label, waitMs }: TimedWait): Promise<void> {
    return new Promise((resolve) => {
      if (waitMs <= 0) {
        resolve();
        return;
      }
      const timer = clock.timer(label, waitMs, () => {
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

  /** Waits until `ready` holds, which is asked again whenever the signal fires, for at most `waitMs`. True if it held. */
  async waitUntil(ready: () => boolean, { clock, label, waitMs }: TimedWait): Promise<boolean> {
    const start = clock.monotonicNanos();
    for (;;) {
      if (ready()) {
        return true;
      }
      const left = waitMs - (clock.monotonicNanos() - start) / 1e6;
      if (left <= 0) {
        return false;
      }
      await this.wait({ clock, label, waitMs: Math.ceil(left) });
    }
  }
}
