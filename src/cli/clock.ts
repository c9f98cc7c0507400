/**
 * The Clock port of the command line, which has no node.
 */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../ports/clock.ts";

export class ProcessClock implements Clock {
  monotonicNanos(): MonotonicNanos {
    return Math.round(performance.now() * 1e6) as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return Date.now() as WallMillis;
  }

  cpuNanos(): number {
    return process.cpuUsage().user * 1000;
  }

  timer(_label: string, delayMs: number, callback: () => void): Timer {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  }

  turn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
