/**
 * A run of the playground: the cluster of real nodes in the simulated world, moved on by a person. It is a function of its script: the same
 * acts at the same times give the same events, whatever the pieces in which time passed.
 */
import { Cluster } from "../cluster.ts";
import type { RunPlan } from "../plan.ts";
import type { SharedState } from "../shared.ts";
import type { Undo } from "../world/afflicted.ts";
import { calmLink } from "../world/fates.ts";
import { StreamTree } from "../world/streams.ts";
import { nanosPerMs, type TraceEntry, World } from "../world/world.ts";
import { Clients, type ShownStatement } from "./clients.ts";
import { type Act, coordinatorName, type Deed, nodeNames, type PlaygroundCluster, workerNames } from "./script.ts";

export interface SessionHooks {
  readonly onEntry: (entry: TraceEntry) => void;
  readonly onStatement: (statement: ShownStatement) => void;
  /** Digest of everything that happened up to this event, after each event. */
  readonly onDigest: (event: number, digest: string) => void;
}

export interface ShownNode {
  readonly name: string;
  readonly isUp: boolean;
}

export interface ShownLink {
  readonly from: string;
  readonly to: string;
  readonly state: "whole" | "cut" | "slow";
}

const slowNanos = 200 * nanosPerMs;
const eventsMax = 50_000_000;
/** Slow enough that messages and drivers are seen side by side. */
const nanosPerWorkUnit = 4_000;

function planOf({ seed, workers }: PlaygroundCluster): RunPlan {
  const node = (name: string): RunPlan["coordinator"] => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 });
  return {
    seed,
    coordinator: node(coordinatorName),
    workers: workerNames({ seed, workers }).map(node),
    link: { ...calmLink, latencyNanosMin: 1_000_000, latencyNanosMax: 3_000_000 },
    properties: {},
    schema: "tiny",
    splitsPerNode: 2,
    nanosPerWorkUnit,
    users: [],
    faults: [],
    healNanos: 0,
    livenessNanos: 0,
  };
}

export class Session {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #clients: Clients;
  readonly #names: readonly string[];
  readonly #down = new Set<string>();
  /** What was done to links, by `a~b` in the order of the nodes. */
  readonly #links = new Map<string, { readonly state: "cut" | "slow"; readonly undo: Undo; readonly text: string }>();
  #reachedNanos = 0;
  #isClosed = false;

  constructor(cluster: PlaygroundCluster, options: { readonly shared: SharedState; readonly hooks: SessionHooks }) {
    const { shared, hooks } = options;
    this.#names = nodeNames(cluster);
    this.#world = new World({
      streams: StreamTree.root(cluster.seed),
      trace: (entry) => {
        if (!this.#isClosed) {
          hooks.onEntry(entry);
        }
      },
      checkpoints: { everyEvents: 1, reached: hooks.onDigest },
    });
    this.#cluster = new Cluster(this.#world, {
      plan: planOf(cluster),
      shared,
      hooks: {
        onTransition: (place, _, { kind, id, from, to }) => this.#world.note(place, kind, `${id} ${from} -> ${to}`),
        onStartFailure: (place, error) => {
          this.#world.failure ??= new Error(`${place} does not start: ${String(error)}`);
        },
      },
    });
    this.#clients = new Clients({
      world: this.#world,
      cluster: this.#cluster,
      coordinator: coordinatorName,
      onStatement: hooks.onStatement,
    });
    for (const name of this.#names) {
      this.#cluster.start(name);
    }
  }

  /** Simulated time up to which everything has happened. */
  get reachedNanos(): number {
    return this.#reachedNanos;
  }

  get events(): number {
    return this.#world.events;
  }

  /** Time of the next event; undefined if nothing will ever happen. */
  get nextNanos(): number | undefined {
    return this.#world.queue.peekNanos();
  }

  get fingerprint(): string {
    return this.#world.fingerprint.digest();
  }

  /** Number of clients that run statements. */
  get openStatements(): number {
    return this.#clients.open;
  }

  get nodes(): readonly ShownNode[] {
    return this.#names.map((name) => ({ name, isUp: !this.#down.has(name) }));
  }

  get links(): readonly ShownLink[] {
    return this.#names.flatMap((from, index) =>
      this.#names.slice(index + 1).map((to) => ({ from, to, state: this.#links.get(`${from}~${to}`)?.state ?? ("whole" as const) })),
    );
  }

  /** Lets time pass. Stops early after an event for which `isOver` holds. */
  async advance(untilNanos: number, isOver: () => boolean = () => false): Promise<void> {
    if (untilNanos < this.#reachedNanos) {
      return;
    }
    const first = this.#world.events;
    const stopped = await this.#world.run({ untilNanos, eventsMax, done: () => this.#world.events > first && isOver() });
    this.#reachedNanos = stopped ? this.#world.nowNanos : untilNanos;
  }

  /** Whether everything has happened that happens up to this time. An early stop may lie in the middle of an instant. */
  hasPassed(untilNanos: number): boolean {
    return this.#reachedNanos >= untilNanos && (this.nextNanos ?? Number.POSITIVE_INFINITY) > untilNanos;
  }

  /** Does something at its time, which must not be in the past. Everything before it happens first. */
  async act(act: Act): Promise<void> {
    // Events of the same nanosecond come first, whether time passed in one piece or in many.
    await this.advance(act.atNanos);
    this.#world.at(act.atNanos, act.kind, () => this.#do(act));
    await this.advance(act.atNanos);
  }

  #do(act: Deed): void {
    switch (act.kind) {
      case "sql":
        this.#clients.run(act.sql);
        break;
      case "cancel":
        this.#clients.cancel(act.client);
        break;
      case "kill":
        if (!this.#down.has(act.node)) {
          this.#down.add(act.node);
          this.#world.note("world", "fault", `kill ${act.node}`);
          this.#cluster.crash(act.node);
        }
        break;
      case "restart":
        if (this.#down.delete(act.node)) {
          this.#world.note("world", "heal", `kill ${act.node}`);
          this.#cluster.restart(act.node);
        }
        break;
      case "cut":
      case "slow":
        this.#afflict(act.kind, act.from, act.to);
        break;
      case "join":
        this.#heal(act.from, act.to);
        break;
    }
  }

  #keyOf(a: string, b: string): string {
    return this.#names.indexOf(a) < this.#names.indexOf(b) ? `${a}~${b}` : `${b}~${a}`;
  }

  #afflict(state: "cut" | "slow", from: string, to: string): void {
    this.#heal(from, to);
    const undos =
      state === "cut"
        ? [this.#cluster.network.cut(from, to), this.#cluster.network.cut(to, from)]
        : [this.#cluster.delayLink(from, to, slowNanos), this.#cluster.delayLink(to, from, slowNanos)];
    const text = `${state} ${from}<->${to}`;
    this.#links.set(this.#keyOf(from, to), { state, text, undo: () => undos.forEach((undo) => undo()) });
    this.#world.note("world", "fault", text);
  }

  #heal(from: string, to: string): void {
    const key = this.#keyOf(from, to);
    const link = this.#links.get(key);
    if (link !== undefined) {
      this.#links.delete(key);
      link.undo();
      this.#world.note("world", "heal", link.text);
    }
  }

  /** Gives the memory of the nodes back. */
  close(): void {
    this.#isClosed = true;
    this.#cluster.close();
  }
}
