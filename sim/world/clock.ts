/**
 * The clock of one simulated node. It has its own offset and drift, and time passes while the node computes.
 */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../src/ports/clock.ts";
import { type Incarnation, nanosPerMs, type World } from "./world.ts";

/** Start of the simulated wall clock: 2026-01-01T00:00:00Z. */
export const epochMillis = 1_767_225_600_000;

export interface ClockOptions {
  /** Offset of the wall clock. It may step during the run. */
  readonly offsetMs: () => number;
  /** Parts per million by which the clock runs fast (negative: slow). Call `rebase` before it changes. */
  readonly driftPpm: () => number;
  /** Duration of one unit of work, in nanoseconds. */
  readonly nanosPerWorkUnit: number;
  /** Factor by which the node computes slower than normal. It may change during the run. */
  readonly slowness: () => number;
}

export class SimulatedClock implements Clock {
  readonly #world: World;
  readonly #incarnation: Incarnation;
  readonly #options: ClockOptions;
  /** World time and local time since birth, and wall time, at the last change of the drift. Local time is linear from that point. */
  #baseNanos: number;
  #monotonicNanos = 0;
  #wallNanos: number;
  #cpuNanos = 0;

  constructor(world: World, incarnation: Incarnation, options: ClockOptions) {
    this.#world = world;
    this.#incarnation = incarnation;
    this.#options = options;
    this.#baseNanos = world.nowNanos;
    this.#wallNanos = this.#drifted(world.nowNanos);
  }

  monotonicNanos(): MonotonicNanos {
    return (this.#monotonicNanos + this.#sinceBase()) as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return (epochMillis + this.#options.offsetMs() + Math.floor((this.#wallNanos + this.#sinceBase()) / nanosPerMs)) as WallMillis;
  }

  cpuNanos(workUnits: number): number {
    return this.#cpuNanos + this.#costNanos(workUnits);
  }

  timer(label: string, delayMs: number, callback: () => void): Timer {
    const delayNanos = Math.max(0, Math.ceil((delayMs * nanosPerMs * 1_000_000) / (1_000_000 + this.#options.driftPpm())));
    if (!this.#incarnation.alive) {
      return { cancel: () => undefined };
    }
    return this.#world.on(this.#incarnation, this.#world.nowNanos + delayNanos, `timer ${label}`, () => {
      this.#world.note(this.#incarnation.place, "timer", label);
      callback();
    });
  }

  turn(workUnits: number): Promise<void> {
    const nanos = Math.max(1_000 * this.#options.slowness(), this.#costNanos(workUnits));
    this.#cpuNanos += nanos;
    if (!this.#incarnation.alive) {
      return new Promise(() => undefined);
    }
    this.#incarnation.busyUntilNanos = Math.max(this.#incarnation.busyUntilNanos, this.#world.nowNanos) + nanos;
    // The next slice starts one nanosecond later, so that events that waited for the end of this one are served first.
    return new Promise((resolve) => {
      this.#world.on(this.#incarnation, this.#incarnation.busyUntilNanos + 1, "turn", resolve);
    });
  }

  /** Must be called before the drift changes: time up to now passed at the old drift. */
  rebase(): void {
    const passed = this.#sinceBase();
    this.#monotonicNanos += passed;
    this.#wallNanos += passed;
    this.#baseNanos = this.#world.nowNanos;
  }

  #costNanos(workUnits: number): number {
    return Math.round(workUnits * this.#options.nanosPerWorkUnit) * this.#options.slowness();
  }

  #sinceBase(): number {
    return this.#drifted(this.#world.nowNanos - this.#baseNanos);
  }

  #drifted(nanos: number): number {
    return nanos + Math.floor((nanos * this.#options.driftPpm()) / 1_000_000);
  }
}
