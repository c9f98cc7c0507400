/**
 * What a kind of fault is: how it is drawn, told, struck and healed, and which places it concerns. One small file a kind or family, and one line in registry.ts.
 * Kinds know places, links and disks, nothing of the protocol.
 */
import type { Undo } from "../world/afflicted.ts";
import type { DiskConditions } from "../world/disk.ts";
import type { SimulatedNetwork } from "../world/network.ts";
import type { Stream } from "../world/streams.ts";
import type { World } from "../world/world.ts";

/** A moment in the life of a query: it waits for a slot, it has just been planned and has no task yet, its client has some of its rows and not all. */
export type Moment = "queued" | "planned" | "half read";

export interface FaultTimes {
  readonly atNanos: number;
  readonly untilNanos: number;
  /** An aimed fault waits from `atNanos` on until there is work where it strikes, and then so long. It lasts as long as it would have. */
  readonly afterWorkNanos?: number;
  /** In place of `afterWorkNanos`: it strikes right after the so many-th event of its first place since work was there, which is at an await of the engine. */
  readonly afterWorkEvents?: number;
  /** In place of work: it waits for such a moment of any query, and for a while only; then for work. */
  readonly atMoment?: Moment;
  /** It never heals: its places are outside of the core that must live on (RunPlan.core). */
  readonly permanent?: true;
}

/** What a crash leaves on the disk: what was synced, everything (the process dies, the machine does not), an arbitrary part of what was not synced, nothing. */
export type CrashedDisk = "synced" | "kept" | "torn" | "wiped";

export interface NodeBuild {
  /** Undefined is the plan's own version. */
  readonly nodeVersion: string | undefined;
  /** How its documents differ from those of this build: members that others do not know, or optional ones that are not there. */
  readonly documents: "newer" | "older" | "same";
}

/** What a fault can do to a place. */
export interface FaultTarget {
  readonly names: readonly string[];
  readonly workerNames: readonly string[];
  /** A query or task lives on it. */
  isWorking(name: string): boolean;
  crash(name: string, disk: CrashedDisk): void;
  restart(name: string): void;
  pause(name: string, untilNanos: number): void;
  slowDown(name: string, factor: number): Undo;
  delayLink(from: string, to: string, nanos: number): Undo;
  /** An orderly end: finishes its work, at most until then. */
  drain(name: string, untilNanos: number): void;
  stepClock(name: string, byMs: number): void;
  driftClock(name: string, byPpm: number): Undo;
  afflictDisk(name: string, change: (conditions: DiskConditions) => DiskConditions): Undo;
  /** Takes memory away from what the node has for queries. */
  takeMemory(name: string, bytes: number): Undo;
  /** The next life of the place is of this build. */
  install(name: string, build: NodeBuild): void;
  /** So many more users at once, each with one statement. */
  addCrowd(users: number, sql: string): void;
}

export interface FaultStage {
  readonly world: World;
  readonly network: SimulatedNetwork;
  readonly target: FaultTarget;
}

/** Of the cluster, what a draw may know. */
export interface DrawnCluster {
  readonly workers: readonly string[];
}

/** `P` is what a fault of this kind says of itself besides its times. */
export interface FaultDefinition<P> {
  /** One of so many seeds may draw it: what ends whole runs must not drown the rest. */
  readonly oneIn: number;
  /** Instances a seed draws at most; 2 where absent. */
  readonly countMax?: number;
  /** Durations that are drawn; 50 ms to 12 s where absent. */
  readonly lastsMs?: readonly [least: number, most: number];
  draw(stream: Stream, cluster: DrawnCluster): P;
  /** Without kind and times: `w1 x30`. */
  describe(fault: P): string;
  /** Work on all of them means that it lands. */
  places(fault: P): readonly string[];
  /** Begins it; what it returns heals it. */
  strike(fault: P & FaultTimes, stage: FaultStage): Undo;
}

export interface OneNode {
  readonly node: string;
}

export interface OneLink {
  readonly from: string;
  readonly to: string;
}

export function drawNode(stream: Stream, { workers }: DrawnCluster): OneNode {
  return { node: stream.pick(workers) };
}

/** A link of which at least one end is a worker. */
export function drawLink(stream: Stream, { workers }: DrawnCluster): OneLink {
  const node = stream.pick(workers);
  const other = stream.pick(["c", ...workers].filter((name) => name !== node));
  return stream.chance(1, 2) ? { from: node, to: other } : { from: other, to: node };
}

export function nodeOnly({ node }: OneNode): readonly string[] {
  return [node];
}

export function bothEnds({ from, to }: OneLink): readonly string[] {
  return [from, to];
}

/** A time that never comes. */
export const forGood: number = Number.MAX_SAFE_INTEGER;

export const nothingToHeal: Undo = () => {};
