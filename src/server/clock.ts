/** The process's time as the Clock port. One instance a node; the simulator has its own. */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../ports/clock.ts";

/** Timers longer than Node's own limit are set in pieces. */
const timeoutMsMax = 2 ** 31 - 1;

export class RealClock implements Clock {
  readonly #timers = new Set<RealTimer>();

  monotonicNanos(): MonotonicNanos {
    return Math.round(performance.now() * 1e6) as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return Date.now() as WallMillis;
  }

  cpuNanos(): number {
    // Nodes share the process: the CPU time of one thread is not to be had on Node 20, scheduled time stands in for it.
    return Math.round(performance.now() * 1e6);
  }

  timer(label: string, delayMs: number, callback: () => void): Timer {
    const timer = new RealTimer(label, callback, this.#timers);
    timer.start(delayMs);
    return timer;
  }

  turn(_workUnits: number): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  /** Cancels every timer: the node is closing. */
  close(): void {
    for (const timer of this.#timers) {
      timer.cancel();
    }
  }
}

class RealTimer implements Timer {
  #handle: NodeJS.Timeout | undefined;

  constructor(
    readonly label: string,
    readonly callback: () => void,
    readonly owner: Set<RealTimer>,
  ) {
    owner.add(this);
  }

  start(delayMs: number): void {
    const piece = Math.min(delayMs, timeoutMsMax);
    this.#handle = setTimeout(() => {
      if (delayMs > piece) {
        this.start(delayMs - piece);
        return;
      }
      this.owner.delete(this);
      this.callback();
    }, piece);
  }

  cancel(): void {
    this.owner.delete(this);
    clearTimeout(this.#handle);
  }
}
