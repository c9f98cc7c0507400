/**
 * The faults of a plan on a real cluster: which of them can be acted out, and how.
 */
import type { Fault } from "../../plan.ts";
import { describeFault, placesOf } from "../../faults/faults.ts";
import type { Processes } from "./processes.ts";
import type { Weather } from "./proxy.ts";

/** Heals a fault; returned when the fault begins. */
type Heal = () => Promise<void> | void;

export interface Stage {
  readonly processes: Processes;
  readonly weather: Weather;
  readonly names: readonly string[];
  /** Adds this many users at once, each with the statement. */
  readonly callUp: (users: number, sql: string) => void;
}

/** Period of the slices in which a slowed node runs, in milliseconds. */
const slicePeriodMs = 20;
/** Approximate duration of an operation on a simulated disk, in milliseconds. */
const diskOperationMs = 0.1;

/** The reason why a fault cannot be acted out; undefined if it can. */
export function whyNot(fault: Fault): string | undefined {
  switch (fault.kind) {
    case "memory-pressure":
      return "the memory limit of a node is fixed when its process starts";
    case "unheard-crash":
      return "a proxy cannot observe when a node has executed a request";
    case "directory-cut":
      return "a recording has one coordinator";
    case "rolling-upgrade":
      return "there is only one version of the programs";
    case "clogged-link":
      return "the proxies hold back whole messages, not parts of them";
    default:
      return undefined;
  }
}

/** Starts a fault; the returned function heals it. */
async function begin(fault: Fault, { processes, weather, names, callUp }: Stage): Promise<Heal> {
  switch (fault.kind) {
    case "crash":
    case "coordinator-crash":
    case "wiped-restart":
      await processes.kill(fault.node);
      return () => processes.restart(fault.node);
    case "shutdown":
      await processes.terminate(fault.node);
      return () => processes.restart(fault.node);
    case "pause":
      processes.freeze(fault.node);
      return () => processes.thaw(fault.node);
    case "slow-node":
      return slowDown(fault.node, fault.factor, processes);
    case "partition": {
      const heals = fault.nodes.flatMap((inside) =>
        names
          .filter((name) => !fault.nodes.includes(name))
          .flatMap((outside) => [weather.cut(inside, outside), weather.cut(outside, inside)]),
      );
      return () => heals.forEach((heal) => heal());
    }
    case "one-way-partition":
      return weather.cut(fault.from, fault.to);
    case "flapping-partition":
      return flap(fault, weather);
    case "slow-link":
      return weather.delay(fault.from, fault.to, fault.extraNanos / 1e6);
    case "never-answers":
      return weather.swallow(fault.node);
    case "slow-disk":
      return processes.afflictDisk(fault.node, { delayMs: Math.max(1, fault.factor * diskOperationMs) });
    case "full-disk":
      return processes.afflictDisk(fault.node, { bytesMax: fault.bytesMax });
    case "disk-errors":
      return processes.afflictDisk(fault.node, { errorPercent: fault.percent });
    case "corrupt-reads":
      return processes.afflictDisk(fault.node, { corruptPercent: fault.percent });
    case "clock-step":
      processes.turnClock(fault.node, { offsetMs: fault.byMs, driftPpm: 0 });
      // The wall clock stays where it was set.
      return () => undefined;
    case "clock-drift":
      return processes.turnClock(fault.node, { offsetMs: 0, driftPpm: fault.byPpm });
    case "overload-503":
      return weather.turnAway(fault.node, fault.percent);
    case "crowd":
      callUp(fault.users, fault.sql);
      return () => undefined;
    default:
      throw new Error(`${fault.kind} cannot be acted out`);
  }
}

/** Stops the process for most of every period, so that it runs slower by the factor. */
function slowDown(node: string, factor: number, processes: Processes): Heal {
  let thaw: NodeJS.Timeout | undefined;
  const period = setInterval(() => {
    processes.freeze(node);
    thaw = setTimeout(() => processes.thaw(node), slicePeriodMs * (1 - 1 / factor));
  }, slicePeriodMs);
  return () => {
    clearInterval(period);
    clearTimeout(thaw);
    processes.thaw(node);
  };
}

function flap(fault: Extract<Fault, { kind: "flapping-partition" }>, weather: Weather): Heal {
  let timer: NodeJS.Timeout | undefined;
  let heals: (() => void)[] = [];
  const up = (): void => {
    heals.forEach((heal) => heal());
    heals = [];
    timer = setTimeout(down, fault.upNanos / 1e6);
  };
  const down = (): void => {
    heals = [weather.cut(fault.from, fault.to), ...(fault.bothWays ? [weather.cut(fault.to, fault.from)] : [])];
    timer = setTimeout(up, fault.downNanos / 1e6);
  };
  down();
  return () => {
    clearTimeout(timer);
    heals.forEach((heal) => heal());
  };
}

export interface ActedFault {
  readonly fault: Fault;
  readonly atMs: number;
  readonly landed: boolean;
}

/**
 * Starts and heals faults at the plan's times, by the real clock. Resolves when all faults that started have healed, or at once when `over`
 * says so.
 */
export class FaultActor {
  readonly acted: ActedFault[] = [];
  readonly #stage: Stage;
  readonly #onNote: (text: string) => void;
  readonly #startedMs = performance.now();
  /** Tasks by node, as the proxies observed their creation and deletion. */
  readonly #tasks = new Map<string, Set<string>>();
  readonly #armed = new Set<Fault>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #healing = new Map<Fault, Heal>();
  readonly #working: Promise<void>[] = [];
  #over = false;

  constructor(faults: readonly Fault[], stage: Stage, onNote: (text: string) => void) {
    this.#stage = stage;
    this.#onNote = onNote;
    stage.weather.onAnswer = ({ to, method, path, status }) => {
      if (status === 200) {
        this.#observe(to, method, path);
      }
    };
    for (const fault of faults.filter((one) => whyNot(one) === undefined)) {
      this.#after(fault.atNanos / 1e6, () => {
        if (fault.afterWorkNanos === undefined && fault.afterWorkEvents === undefined) {
          this.#strike(fault);
        } else {
          this.#armed.add(fault);
          this.#poke();
        }
      });
    }
  }

  /** Starts no more faults and heals all. */
  async end(): Promise<void> {
    this.#over = true;
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
    await Promise.all(this.#working);
    for (const [fault, heal] of this.#healing) {
      this.#onNote(`heal ${fault.kind}`);
      await heal();
    }
    this.#healing.clear();
  }

  #observe(to: string, method: string, path: string): void {
    const taskId = /^\/v1\/task\/([^/?]+)(?:\?.*)?$/.exec(path)?.[1];
    if (taskId === undefined) {
      return;
    }
    const tasks = this.#tasks.get(to) ?? new Set();
    this.#tasks.set(to, tasks);
    if (method === "POST") {
      tasks.add(taskId);
      this.#poke();
    } else if (method === "DELETE") {
      tasks.delete(taskId);
    }
  }

  /** The coordinator has work whenever any node has. */
  #isWorking(name: string): boolean {
    return name === this.#stage.names[0]
      ? [...this.#tasks.values()].some((tasks) => tasks.size > 0)
      : (this.#tasks.get(name)?.size ?? 0) > 0;
  }

  #poke(): void {
    for (const fault of this.#armed) {
      if (placesOf(fault).every((name) => this.#isWorking(name))) {
        this.#armed.delete(fault);
        // One event of a simulated node corresponds to about a millisecond of a real one.
        this.#after((fault.afterWorkNanos ?? (fault.afterWorkEvents ?? 0) * 1e6) / 1e6, () => this.#strike(fault));
      }
    }
  }

  #strike(fault: Fault): void {
    const landed = placesOf(fault).every((name) => this.#isWorking(name));
    const atMs = performance.now() - this.#startedMs;
    this.acted.push({ fault, atMs, landed });
    this.#onNote(`fault ${describeFault(fault)}, at ${(atMs / 1000).toFixed(3)} s${landed ? ", while there was work" : ""}`);
    this.#working.push(
      begin(fault, this.#stage).then((heal) => {
        this.#healing.set(fault, heal);
        if (fault.permanent !== true) {
          this.#after((fault.untilNanos - fault.atNanos) / 1e6, () => {
            this.#healing.delete(fault);
            this.#onNote(`heal ${fault.kind}`);
            this.#working.push(Promise.resolve(heal()));
          });
        }
      }),
    );
    if (fault.kind === "crash" || fault.kind === "wiped-restart" || fault.kind === "shutdown") {
      this.#tasks.get(fault.node)?.clear();
    }
  }

  #after(ms: number, work: () => void): void {
    if (this.#over) {
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}
