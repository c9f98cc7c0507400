/** A node's clock in the simulated world: its own offset and drift, and time that passes while it computes. */
import type { Clock, MonotonicNanos, Timer, WallMillis } from "../../src/ports/clock.ts";
import { type Life, nanosPerMs, type World } from "./world.ts";

/** 2026-01-01T00:00:00Z: where the simulated wall clock starts. */
const epochMillis = 1_767_225_600_000;

export interface ClockOptions {
  /** Of the wall clock; may step while it runs. */
  readonly offsetMs: () => number;
  /** Parts per million by which the clock runs fast (negative: slow). */
  readonly driftPpm: number;
  /** Nanoseconds of one unit of work. */
  readonly nanosPerWorkUnit: number;
  /** How many times slower than normal the node computes; may change while it runs. */
  readonly slowness: () => number;
}

export class SimulatedClock implements Clock {
  readonly #world: World;
  readonly #life: Life;
  readonly #options: ClockOptions;
  readonly #bornNanos: number;
  #cpuNanos = 0;

  constructor(world: World, life: Life, options: ClockOptions) {
    this.#world = world;
    this.#life = life;
    this.#options = options;
    this.#bornNanos = world.nowNanos;
  }

  monotonicNanos(): MonotonicNanos {
    return this.#local(this.#world.nowNanos - this.#bornNanos) as MonotonicNanos;
  }

  wallMillis(): WallMillis {
    return (epochMillis + this.#options.offsetMs() + Math.floor(this.#local(this.#world.nowNanos) / nanosPerMs)) as WallMillis;
  }

  cpuNanos(): number {
    return this.#cpuNanos;
  }

  timer(label: string, delayMs: number, callback: () => void): Timer {
    const delayNanos = Math.max(0, Math.ceil((delayMs * nanosPerMs * 1_000_000) / (1_000_000 + this.#options.driftPpm)));
    if (!this.#life.alive) {
      return { cancel: () => undefined };
    }
    return this.#world.on(this.#life, this.#world.nowNanos + delayNanos, `timer ${label}`, () => {
      this.#world.note(this.#life.place, "timer", label);
      callback();
    });
  }

  turn(workUnits: number): Promise<void> {
    const nanos = Math.max(1_000, Math.round(workUnits * this.#options.nanosPerWorkUnit)) * this.#options.slowness();
    this.#cpuNanos += nanos;
    if (!this.#life.alive) {
      return new Promise(() => undefined);
    }
    this.#life.busyUntilNanos = Math.max(this.#life.busyUntilNanos, this.#world.nowNanos) + nanos;
    // One nanosecond later: what waited for the end of this slice is served before the next one begins.
    return new Promise((resolve) => {
      this.#world.on(this.#life, this.#life.busyUntilNanos + 1, "turn", resolve);
    });
  }

  #local(nanos: number): number {
    return nanos + Math.floor((nanos * this.#options.driftPpm) / 1_000_000);
  }
}
