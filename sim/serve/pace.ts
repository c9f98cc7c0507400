/**
 * Couples the time of a simulated world to real time: at a speed, or only when somebody asks. The events themselves stay in the order of
 * the world; real time decides only how far the world may go.
 */
import { nanosPerMs, type World } from "../world/world.ts";

export interface PaceOptions {
  /** Simulated seconds a second; 0 lets time pass only by `advance`. */
  readonly speed: number;
  /** Real time in milliseconds. */
  readonly realMs: () => number;
  /** Receives a failure that must never happen in the world. */
  readonly onFailure: (error: unknown) => void;
}

/** Longest real pause between two looks at the world, in milliseconds. */
const pauseMsMax = 20;
/** Real time by which the world may fall behind before its clock waits for it, in milliseconds. */
const behindMsMax = 50;

interface Jump {
  untilNanos: number;
  readonly isDone: () => boolean;
  readonly onDone: () => void;
}

export class Pace {
  readonly #world: World;
  readonly #options: PaceOptions;
  readonly #jumps: Jump[] = [];
  /** Simulated time that the world may reach. */
  #limitNanos: number;
  #realMs: number;
  #stopped = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(world: World, options: PaceOptions) {
    this.#world = world;
    this.#options = options;
    this.#limitNanos = world.nowNanos;
    this.#realMs = options.realMs();
  }

  /** Current simulated time. It passes the last event while the world waits for the next. */
  get nowNanos(): number {
    this.#flow();
    return Math.max(this.#world.nowNanos, Math.min(this.#limitNanos, this.#world.queue.peekNanos() ?? this.#limitNanos));
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Something was queued that may run at once. */
  poke(): void {
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.poke();
    await this.#running;
  }

  /** Lets this much simulated time pass as fast as the world can, or less if `isDone` holds before. Returns the time that has passed. */
  async advance(nanos: number, isDone: () => boolean = () => false): Promise<number> {
    const beforeNanos = this.nowNanos;
    await new Promise<void>((onDone) => {
      this.#jumps.push({ untilNanos: beforeNanos + nanos, isDone, onDone });
      this.poke();
    });
    return this.nowNanos - beforeNanos;
  }

  #flow(): void {
    const { realMs, speed } = this.#options;
    const now = realMs();
    const passed = Math.floor((now - this.#realMs) * nanosPerMs * speed);
    this.#realMs = now;
    this.#limitNanos = Math.min(this.#limitNanos + passed, this.#world.nowNanos + behindMsMax * nanosPerMs * speed);
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped) {
        const jump = this.#jumps[0];
        if (jump === undefined) {
          this.#flow();
          await this.#pass(this.#limitNanos, () => this.#stopped || this.#jumps.length > 0);
          await this.#wait();
        } else {
          await this.#jump(jump);
        }
      }
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  async #jump(jump: Jump): Promise<void> {
    const done = (): boolean => this.#stopped || jump.isDone();
    await this.#pass(jump.untilNanos, done);
    this.#jumps.shift();
    this.#limitNanos = Math.max(this.#limitNanos, this.#world.nowNanos);
    this.#realMs = this.#options.realMs();
    jump.onDone();
  }

  /** Runs the events until that time, which then is the world's. */
  async #pass(untilNanos: number, done: () => boolean): Promise<void> {
    let arrived = false;
    const marker = this.#world.at(untilNanos, "pace", () => {
      arrived = true;
    });
    await this.#world.run({ untilNanos, eventsMax: Number.POSITIVE_INFINITY, done: () => arrived || done() });
    marker.cancelled = true;
  }

  /** Until the next event is due, or something is queued. */
  async #wait(): Promise<void> {
    if (this.#stopped || this.#jumps.length > 0) {
      return;
    }
    const { speed } = this.#options;
    const nextNanos = this.#world.queue.peekNanos();
    const dueMs = nextNanos === undefined || speed === 0 ? pauseMsMax : (nextNanos - this.#limitNanos) / nanosPerMs / speed;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(pauseMsMax, dueMs)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
