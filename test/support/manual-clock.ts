/**
 * A clock that moves only when a test advances it.
 */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../src/ports/clock.ts";

interface Alarm {
  readonly label: string;
  readonly dueNanos: number;
  readonly callback: () => void;
}

export class ManualClock implements Clock {
  #nanos = 0;
  #alarms: Alarm[] = [];

  monotonicNanos(): MonotonicNanos {
    return this.#nanos as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return (1_400_000_000_000 + Math.floor(this.#nanos / 1e6)) as WallMillis;
  }

  cpuNanos(): number {
    return this.#nanos;
  }

  timer(label: string, delayMs: number, callback: () => void): Timer {
    const alarm: Alarm = { label, dueNanos: this.#nanos + delayMs * 1e6, callback };
    this.#alarms.push(alarm);
    return { cancel: () => (this.#alarms = this.#alarms.filter((one) => one !== alarm)) };
  }

  turn(): Promise<void> {
    return Promise.resolve();
  }

  get labels(): readonly string[] {
    return this.#alarms.map((alarm) => alarm.label).toSorted();
  }

  /** Fires all timers up to the new time in order, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#nanos + ms * 1e6;
    await settle();
    for (;;) {
      const next = this.#alarms.filter((alarm) => alarm.dueNanos <= end).toSorted((a, b) => a.dueNanos - b.dueNanos)[0];
      if (next === undefined) {
        break;
      }
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      this.#nanos = Math.max(this.#nanos, next.dueNanos);
      next.callback();
      await settle();
    }
    this.#nanos = end;
    await settle();
  }
}

/** Enough turns for every chain of promises in these tests. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    await Promise.resolve();
  }
}
