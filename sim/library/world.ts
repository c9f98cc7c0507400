/**
 * `createWorld`: the simulated world for anybody's programs, over the ports of the engine. The parts are those of the engine's own runs:
 * the event queue, the network, machines with clocks and disks, faults, traps.
 */
import type { Undo } from "../world/afflicted.ts";
import type { DiskConditions } from "../world/disk.ts";
import { calmLink, type MessageFate } from "../world/fates.ts";
import type { CrashedDisk, MachineTarget } from "../faults/fault.ts";
import { LinkDelays } from "../world/link-delays.ts";
import { Machine } from "../world/machine.ts";
import { SimulatedNetwork } from "../world/network.ts";
import { StreamTree } from "../world/streams.ts";
import { TrapError, Traps } from "../world/traps.ts";
import { drain, nanosPerMs, World } from "../world/world.ts";
import { scheduleFaults, type WorldFault } from "./faults.ts";
import { linkConditions, type NodePorts, type NodeProgram, type WorldCheck, type WorldOptions, type WorldView } from "./options.ts";

export interface RunWorldOptions {
  /** Simulated time at which the run ends. */
  readonly untilMs: number;
  /** Ends the run after this many events; ten million if absent. */
  readonly eventsMax?: number;
}

export interface WorldViolation {
  /** `crash`: a program threw, or left a rejection unhandled. `nondeterminism`: it used the host's time, entropy, files or sockets. */
  readonly kind: "invariant" | "goal" | "crash" | "nondeterminism";
  /** Name of the invariant or goal; of the node for a crash at its start. */
  readonly name: string;
  readonly sentence: string;
  readonly atMs: number;
  readonly event: number;
}

export interface WorldResult {
  readonly passed: boolean;
  /** The first invariant or goal that did not hold. The run ends there. */
  readonly violation: WorldViolation | undefined;
  /** Hash of everything that happened: equal runs have equal fingerprints. */
  readonly fingerprint: string;
  readonly events: number;
  readonly simulatedMs: number;
  readonly seed: string;
  readonly faults: readonly WorldFault[];
  /** What the links did to single messages, in the format of `WorldOptions.fates`. */
  readonly fates: readonly MessageFate[];
}

const eventsMaxDefault = 10_000_000;

interface Place<S> {
  readonly machine: Machine;
  readonly program: NodeProgram<S>;
  state: S | undefined;
}

export interface SimulatedWorld {
  /**
   * Lets simulated time pass, until the given time or the first violation. May be called again with a later time. Worlds of one thread must
   * not run at the same time, because the traps are those of the thread.
   */
  run(options: RunWorldOptions): Promise<WorldResult>;
}

class ProgramWorld<S> implements SimulatedWorld {
  readonly #options: WorldOptions<S>;
  readonly #world: World;
  readonly #network: SimulatedNetwork;
  readonly #places = new Map<string, Place<S>>();
  readonly #delays = new LinkDelays();
  readonly #view: WorldView<S>;
  #violation: WorldViolation | undefined;

  constructor(options: WorldOptions<S>) {
    this.#options = options;
    this.#world = new World({ streams: StreamTree.root(String(options.seed)), trace: options.onEntry });
    const conditions = linkConditions(options.links ?? {});
    const calm = { ...calmLink, latencyNanosMin: conditions.latencyNanosMin, latencyNanosMax: conditions.latencyNanosMax };
    const healNanos = (options.healMs ?? Number.POSITIVE_INFINITY) * nanosPerMs;
    this.#network = new SimulatedNetwork(
      this.#world,
      (from, to) => this.#delays.apply(from, to, this.#world.nowNanos < healNanos ? conditions : calm),
      options.fates === undefined ? {} : { fates: options.fates },
    );
    this.#world.onEventDone = () => this.#check("invariant", options.invariants ?? {});
    for (const [name, program] of Object.entries(options.nodes)) {
      this.#addPlace(name, program);
    }
    this.#view = this.#makeView();
    scheduleFaults(
      options.faults ?? [],
      { world: this.#world, network: this.#network, target: this.#target() },
      options.healMs ?? Number.POSITIVE_INFINITY,
    );
    for (const name of this.#places.keys()) {
      this.#start(name);
    }
  }

  #addPlace(name: string, program: NodeProgram<S>): void {
    if (!/^[A-Za-z][\w-]*$/.test(name) || name === "world") {
      throw new Error(`'${name}' is no name of a node: letters, digits, '-' and '_', and not 'world'`);
    }
    const { offsetMs = 0, driftPpm = 0 } = this.#options.clocks?.[name] ?? {};
    const clock = { clockOffsetMs: offsetMs, clockDriftPpm: driftPpm };
    const machine = new Machine(this.#world, this.#network, { name, ...clock, nanosPerWorkUnit: 1 });
    this.#places.set(name, { machine, program, state: undefined });
  }

  #place(name: string): Place<S> {
    const place = this.#places.get(name);
    if (place === undefined) {
      throw new Error(`no node is called '${name}'`);
    }
    return place;
  }

  #makeView(): WorldView<S> {
    const world = this.#world;
    return {
      names: [...this.#places.keys()],
      get nowMs() {
        return world.nowNanos / nanosPerMs;
      },
      state: (name) => this.#place(name).state,
      durable: (name, path) => this.#place(name).machine.disk.synced(path),
    };
  }

  #start(name: string): void {
    const place = this.#place(name);
    const { incarnation, clock, streams } = place.machine.begin();
    const ports: NodePorts = {
      name,
      life: incarnation.number,
      clock,
      network: this.#network.attach(incarnation),
      random: streams.asRandom(),
      storage: place.machine.disk.open(incarnation),
      log: (text) => this.#world.note(name, "log-info", text),
    };
    this.#world.note(name, "start", `life ${incarnation.number}`);
    this.#world.on(incarnation, this.#world.nowNanos, "start", () => {
      const started = async (): Promise<S> => place.program(ports);
      started().then(
        (state) => {
          if (incarnation.alive) {
            place.state = state;
          }
        },
        (error: unknown) => this.#fail(error, name),
      );
    });
  }

  #target(): MachineTarget {
    const machine = (name: string): Machine => this.#place(name).machine;
    return {
      names: [...this.#places.keys()],
      crash: (name, disk) => this.#crash(name, disk),
      restart: (name) => {
        machine(name).release();
        if (!machine(name).isKeptDown && !machine(name).isAlive) {
          this.#start(name);
        }
      },
      pause: (name, untilNanos) => machine(name).pause(untilNanos),
      slowDown: (name, factor) => machine(name).slowDown(factor),
      delayLink: (from, to, nanos) => this.#delays.delay(from, to, nanos),
      stepClock: (name, byMs) => machine(name).stepClock(byMs),
      driftClock: (name, byPpm) => machine(name).driftClock(byPpm),
      afflictDisk: (name, change: (conditions: DiskConditions) => DiskConditions): Undo => machine(name).disk.conditions.change(change),
    };
  }

  #crash(name: string, disk: CrashedDisk): void {
    const place = this.#place(name);
    place.machine.hold();
    if (place.machine.isAlive) {
      place.state = undefined;
      place.machine.loseData(disk);
      place.machine.end("crash");
    }
  }

  async run({ untilMs, eventsMax = eventsMaxDefault }: RunWorldOptions): Promise<WorldResult> {
    const stray = (error: unknown): void => this.#fail(error, "rejection");
    process.on("unhandledRejection", stray);
    const traps = new Traps();
    this.#world.traps = traps;
    try {
      await this.#world.run({ untilNanos: untilMs * nanosPerMs, eventsMax, done: () => this.#violation !== undefined });
      await drain();
    } catch (error) {
      this.#fail(error, "world");
    } finally {
      traps.release();
      this.#world.traps = undefined;
      process.off("unhandledRejection", stray);
    }
    if (this.#violation === undefined) {
      this.#check("goal", this.#options.goals ?? {});
    }
    return {
      passed: this.#violation === undefined,
      violation: this.#violation,
      fingerprint: this.#world.fingerprint.digest(),
      events: this.#world.events,
      simulatedMs: this.#world.nowNanos / nanosPerMs,
      seed: String(this.#options.seed),
      faults: this.#options.faults ?? [],
      fates: [...this.#network.fates],
    };
  }

  #check(kind: "invariant" | "goal", checks: Readonly<Record<string, WorldCheck<S>>>): void {
    for (const [name, check] of Object.entries(checks)) {
      const sentence = this.#violation === undefined ? check(this.#view) : undefined;
      if (sentence !== undefined) {
        this.#violate(kind, name, sentence);
      }
    }
  }

  #fail(error: unknown, name: string): void {
    if (error instanceof TrapError) {
      this.#violate("nondeterminism", "traps", error.message);
    } else {
      this.#violate("crash", name, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    }
  }

  #violate(kind: WorldViolation["kind"], name: string, sentence: string): void {
    if (this.#violation === undefined) {
      const { nowNanos, events } = this.#world;
      this.#violation = { kind, name, sentence, atMs: nowNanos / nanosPerMs, event: events };
      // The words of a line of the trace are separated by blanks.
      this.#world.note("world", "violation", `${kind} ${name.replaceAll(/\s+/g, "-")} ${sentence}`);
    }
  }
}

/** Builds a world. Nothing happens before `run`. Throws if a fault names a node that there is not. */
export function createWorld<S>(options: WorldOptions<S>): SimulatedWorld {
  return new ProgramWorld(options);
}
