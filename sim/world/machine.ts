/**
 * A machine of the simulated world: its disk, its clock and its speed, and the incarnations of the program that runs on it. It knows
 * nothing of the program.
 */
import { Afflicted, type Undo } from "./afflicted.ts";
import { SimulatedClock } from "./clock.ts";
import { type AfterCrash, calmDisk, SimulatedDisk } from "./disk.ts";
import type { SimulatedNetwork } from "./network.ts";
import type { StreamTree } from "./streams.ts";
import { Incarnation, type World } from "./world.ts";

/** A time that never comes. */
export const forGood: number = Number.MAX_SAFE_INTEGER;

export interface MachineOptions {
  readonly name: string;
  readonly clockOffsetMs: number;
  readonly clockDriftPpm: number;
  /** Time of one unit of work on a machine of normal speed. */
  readonly nanosPerWorkUnit: number;
  /** One of two machines with the name; the other has the other numbers of incarnations. */
  readonly twin?: { readonly number: 1 | 2; readonly stream: string };
}

/** The beginning of an incarnation. */
export interface Begun {
  readonly incarnation: Incarnation;
  readonly clock: SimulatedClock;
  readonly streams: StreamTree;
}

export class Machine {
  readonly name: string;
  readonly disk: SimulatedDisk;
  /** Number of incarnations so far, and of those that crashed or stopped. */
  incarnations = 0;
  ends = 0;
  incarnation: Incarnation | undefined;
  readonly #world: World;
  readonly #network: SimulatedNetwork;
  readonly #nanosPerWorkUnit: number;
  readonly #twin: MachineOptions["twin"];
  readonly #stream: string;
  readonly #slowness = new Afflicted(1);
  readonly #driftPpm: Afflicted<number>;
  #clock: SimulatedClock | undefined;
  #clockOffsetMs: number;
  /** Applies to all later incarnations too. */
  #isFrozen = false;
  /** Number of faults that keep the machine down. */
  #downs = 0;

  constructor(world: World, network: SimulatedNetwork, options: MachineOptions) {
    const { name, clockOffsetMs, clockDriftPpm, nanosPerWorkUnit } = options;
    this.name = name;
    this.#twin = options.twin;
    this.#stream = options.twin?.stream ?? name;
    this.disk = new SimulatedDisk(world, { stream: world.streams.stream(`disk/${this.#stream}`), conditions: calmDisk });
    this.#world = world;
    this.#network = network;
    this.#nanosPerWorkUnit = nanosPerWorkUnit;
    this.#driftPpm = new Afflicted(clockDriftPpm);
    this.#clockOffsetMs = clockOffsetMs;
  }

  /** Name in the trace, of the machine itself. */
  get label(): string {
    return this.#stream;
  }

  get isAlive(): boolean {
    return this.incarnation?.alive === true;
  }

  get isKeptDown(): boolean {
    return this.#downs > 0;
  }

  /** Current speed of the clock, in its nanoseconds per nanosecond of the world. */
  get clockRate(): number {
    return 1 + this.#driftPpm.value / 1_000_000;
  }

  /** Time of the monotonic clock since the current or last start, in its nanoseconds. */
  get localNanos(): number {
    return this.#clock?.monotonicNanos() ?? 0;
  }

  begin(): Begun {
    this.incarnations++;
    const number = this.#twin === undefined ? this.incarnations : 2 * this.incarnations - 2 + this.#twin.number;
    const incarnation = new Incarnation(this.name, number);
    this.incarnation = incarnation;
    incarnation.pausedUntilNanos = this.#isFrozen ? forGood : 0;
    const clock = new SimulatedClock(this.#world, incarnation, {
      offsetMs: () => this.#clockOffsetMs,
      driftPpm: () => this.#driftPpm.value,
      nanosPerWorkUnit: this.#nanosPerWorkUnit,
      slowness: () => this.#slowness.value,
    });
    this.#clock = clock;
    return { incarnation, clock, streams: this.#world.streams.child(`node/${this.#stream}/life/${this.incarnations}`) };
  }

  /** Ends the incarnation: its events never run, and its connections are reset. */
  end(how: "crash" | "stopped"): void {
    this.ends++;
    if (this.incarnation !== undefined) {
      this.#world.endIncarnation(this.incarnation);
    }
    this.#network.crash(this.name, this.incarnation);
    this.#world.note(this.label, how, `life ${this.incarnations}`);
  }

  /** One more fault keeps the machine down, until `release`. */
  hold(): void {
    this.#downs++;
  }

  release(): void {
    this.#downs = Math.max(0, this.#downs - 1);
  }

  /** What a crash leaves on the disk. */
  loseData(leaves: AfterCrash): void {
    this.disk.crash(leaves);
    if (leaves === "wiped") {
      this.#world.note(this.name, "disk-wiped", "");
    }
  }

  pause(untilNanos: number): void {
    const { incarnation } = this;
    if (incarnation !== undefined) {
      incarnation.pausedUntilNanos = Math.max(incarnation.pausedUntilNanos, untilNanos);
    }
    if (untilNanos === forGood) {
      this.#isFrozen = true;
    }
  }

  slowDown(factor: number): Undo {
    return this.#slowness.change((slowness) => Math.max(slowness, factor));
  }

  stepClock(byMs: number): void {
    this.#clockOffsetMs += byMs;
  }

  driftClock(byPpm: number): Undo {
    this.#clock?.rebase();
    const undo = this.#driftPpm.change((ppm) => ppm + byPpm);
    return () => {
      this.#clock?.rebase();
      undo();
    };
  }
}
