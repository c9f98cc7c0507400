/**
 * The definition of a kind of fault: how it is drawn, described, started and healed, and which places it affects. Each kind or family is
 * one small file, with one line in registry.ts. Kinds know places, links and disks, and nothing of the protocol.
 */
import type { Undo } from "../world/afflicted.ts";
import type { DiskConditions } from "../world/disk.ts";
import type { SimulatedNetwork } from "../world/network.ts";
import type { Stream } from "../world/streams.ts";
import type { World } from "../world/world.ts";

/**
 * A moment in the life cycle of a query: it waits for a slot; it is planned and has no task yet; its client has read a part of its rows.
 */
export type Moment = "queued" | "planned" | "half read";

export interface FaultTimes {
  readonly atNanos: number;
  readonly untilNanos: number;
  /** An aimed fault waits from `atNanos` until there is work at its places, and then this long. Its duration is unchanged. */
  readonly afterWorkNanos?: number;
  /**
   * Alternative to `afterWorkNanos`: number of events at the fault's first place, counted since it has work. The fault starts right after
   * them, which is at an await of the engine.
   */
  readonly afterWorkEvents?: number;
  /** Alternative to waiting for work: waits a limited time for such a moment of any query, then for work. */
  readonly atMoment?: Moment;
  /** The fault never heals: its places are outside the core that must stay live (RunPlan.core). */
  readonly permanent?: true;
}

/**
 * Data that a crash leaves on the disk: synced data, everything (the process dies, not the machine), synced data and a random part of the
 * rest, or nothing.
 */
export type CrashedDisk = "synced" | "kept" | "torn" | "wiped";

export interface NodeBuild {
  /** Undefined for the plan's own version. */
  readonly nodeVersion: string | undefined;
  /** Difference of its documents from those of this build: members that others do not know, or missing optional members. */
  readonly documents: "newer" | "older" | "same";
}

/** The operations on a machine that faults use, whatever program runs on it. */
export interface MachineTarget {
  readonly names: readonly string[];
  crash(name: string, disk: CrashedDisk): void;
  restart(name: string): void;
  pause(name: string, untilNanos: number): void;
  slowDown(name: string, factor: number): Undo;
  delayLink(from: string, to: string, nanos: number): Undo;
  stepClock(name: string, byMs: number): void;
  driftClock(name: string, byPpm: number): Undo;
  afflictDisk(name: string, change: (conditions: DiskConditions) => DiskConditions): Undo;
}

/** The operations on a node of the engine that faults use besides. */
export interface FaultTarget extends MachineTarget {
  readonly workerNames: readonly string[];
  /** Whether the place has a query or a task. */
  isWorking(name: string): boolean;
  /** Shuts the node down gracefully: it finishes its work, at most until the given time. */
  drain(name: string, untilNanos: number): void;
  /** Takes memory from what the node has for queries. */
  takeMemory(name: string, bytes: number): Undo;
  /** The next incarnation of the place runs this build. */
  install(name: string, build: NodeBuild): void;
  /** Cuts the coordinator that is the owner off from the directory that it shares with another one. */
  cutOff(name: string): Undo;
  /** Adds this many users at once, each with one statement. */
  addCrowd(users: number, sql: string): void;
}

export interface FaultStage<T extends MachineTarget = FaultTarget> {
  readonly world: World;
  readonly network: SimulatedNetwork;
  readonly target: T;
}

/** The facts of a cluster that a draw may use. */
export interface DrawnCluster {
  readonly workers: readonly string[];
}

/** `P` holds the parameters of a fault of this kind, besides its times; `T` is what it strikes. */
export interface FaultDefinition<P, T extends MachineTarget = FaultTarget> {
  /** Probability 1 in this many seeds: faults that end whole runs must not dominate. */
  readonly oneIn: number;
  /** Maximum instances in one seed; 2 if absent. */
  readonly countMax?: number;
  /** Range of drawn durations; 50 ms to 12 s if absent. */
  readonly lastsMs?: readonly [least: number, most: number];
  draw(stream: Stream, cluster: DrawnCluster): P;
  /** Parameters without kind and times: `w1 x30`. */
  describe(fault: P): string;
  /** Places of the fault. The fault lands if all of them have work. */
  places(fault: P): readonly string[];
  /** Starts the fault; the returned function heals it. */
  strike(fault: P & FaultTimes, stage: FaultStage<T>): Undo;
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

/** Draws a link with a worker on at least one end. */
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

/** A fault of machines, whatever program runs on them. */
export type MachineFault<P> = FaultDefinition<P, MachineTarget>;

export const nothingToHeal: Undo = () => {};
