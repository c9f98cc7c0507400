/** A node's clock in the simulated world: its own offset and drift, and time that passes while it computes. */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../src/ports/clock.ts";
import { type Incarnation, nanosPerMs, type World } from "./world.ts";

/** 2026-01-01T00:00:00Z: where the simulated wall clock starts. */
const epochMillis = 1_767_225_600_000;

export interface ClockOptions {
  /** Of the wall clock; may step while it runs. */
  readonly offsetMs: () => number;
  /** Parts per million by which the clock runs fast (negative: slow); `rebase` before it changes. */
  readonly driftPpm: () => number;
  /** Nanoseconds of one unit of work. */
  readonly nanosPerWorkUnit: number;
  /** How many times slower than normal the node computes; may change while it runs. */
  readonly slowness: () => number;
}

export class SimulatedClock implements Clock {
  readonly #world: World;
  readonly #incarnation: Incarnation;
  readonly #options: ClockOptions;
  /** World and local time since birth, and the wall's, at the last change of the drift: from there on it is linear. */
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
    // One nanosecond later: what waited for the end of this slice is served before the next one begins.
    return new Promise((resolve) => {
      this.#world.on(this.#incarnation, this.#incarnation.busyUntilNanos + 1, "turn", resolve);
    });
  }

  /** The drift is about to change: what has passed so far passed at the old one. */
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
