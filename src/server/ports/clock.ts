/**
 * The Clock port over the process's time. One instance per node.
 */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../ports/clock.ts";
import { type CpuTime, threadCpuTime } from "./cpu-time.ts";

/** Longer timers are split, because of the limit of setTimeout. */
const timeoutMsMax = 2 ** 31 - 1;

/** Work without a turn for this long, in milliseconds, has kept requests waiting. */
const longWorkMs = 2;
/**
 * Rounds of the event loop in the turn after it. A short statement takes several rounds, from its request to its answer: with one round
 * between two slices of long work it would wait for as many slices. An idle round takes some microseconds.
 */
const roundsAfterLongWork = 12;

export class RealClock implements Clock {
  readonly #timers = new Set<RealTimer>();
  readonly #cpuTime: CpuTime;
  readonly #cpuBaseNanos: number;
  #cpuAskedNanos: MonotonicNanos;
  #cpuNanos = 0;
  #resumedMs = performance.now();

  /** Must be created on the node's own thread. */
  constructor(cpuTime: CpuTime = threadCpuTime()) {
    this.#cpuTime = cpuTime;
    this.#cpuBaseNanos = cpuTime.read() ?? 0;
    this.#cpuAskedNanos = this.monotonicNanos();
  }

  monotonicNanos(): MonotonicNanos {
    return Math.round(performance.now() * 1e6) as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return Date.now() as WallMillis;
  }

  cpuNanos(_workUnits: number): number {
    const now = this.monotonicNanos();
    const told = this.#cpuTime.read();
    if (told === undefined) {
      return this.#cpuNanos;
    }
    // The system may report used CPU time a tick late. The surplus is counted as soon as it fits into the elapsed time.
    const passed = now - this.#cpuAskedNanos;
    this.#cpuNanos += Math.max(0, Math.min(passed, told - this.#cpuBaseNanos - this.#cpuNanos));
    this.#cpuAskedNanos = now;
    return this.#cpuNanos;
  }

  timer(label: string, delayMs: number, callback: () => void): Timer {
    const timer = new RealTimer(label, callback, this.#timers);
    timer.start(delayMs);
    return timer;
  }

  turn(workUnits: number): Promise<void> {
    let rounds = workUnits > 0 && performance.now() - this.#resumedMs > longWorkMs ? roundsAfterLongWork : 1;
    return new Promise((resolve) => {
      const next = (): void => {
        rounds -= 1;
        if (rounds > 0) {
          setImmediate(next);
          return;
        }
        this.#resumedMs = performance.now();
        resolve();
      };
      setImmediate(next);
    });
  }

  /** Cancels all timers when the node closes. */
  close(): void {
    for (const timer of this.#timers) {
      timer.cancel();
    }
    this.#cpuTime.close();
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
