/** What a world is made of: programs, links, faults, and what must hold. */
import type { Clock } from "../../src/ports/clock.ts";
import type { Network } from "../../src/ports/network.ts";
import type { Random } from "../../src/ports/random.ts";
import type { Storage } from "../../src/ports/storage.ts";
import { calmLink, type LinkConditions, type MessageFate } from "../world/fates.ts";
import { nanosPerMs, type TraceEntry } from "../world/world.ts";
import type { WorldFault } from "./faults.ts";

/** A program's only access to the world outside of it. */
export interface NodePorts {
  readonly name: string;
  /** Ordinal of this incarnation of the node, from 1. */
  readonly life: number;
  readonly clock: Clock;
  readonly network: Network;
  readonly random: Random;
  /** The node's disk. A crash loses what was not synced. */
  readonly storage: Storage;
  /** Writes a line of the trace. */
  log(text: string): void;
}

/**
 * The program of a node: called when the node starts, and again after each crash. What it returns is the state that invariants look at; a
 * crash loses it.
 */
export type NodeProgram<S> = (ports: NodePorts) => S | Promise<S>;

/** A world as invariants see it. */
export interface WorldView<S> {
  /** Simulated time since the start of the run. */
  readonly nowMs: number;
  readonly names: readonly string[];
  /** State of a node's program; undefined while the node is down, or has not begun. */
  state(name: string): S | undefined;
  /** Bytes of a file that a crash would leave; undefined if there would be none. */
  durable(name: string, path: string): Uint8Array | undefined;
}

/** Returns a sentence if it does not hold. */
export type WorldCheck<S> = (view: WorldView<S>) => string | undefined;

/** What all links do to messages. Probabilities in parts per 10,000 messages. Absent: nothing, and 0.1 to 0.4 ms of latency. */
export interface LinkOptions {
  readonly latencyMsMin?: number;
  readonly latencyMsMax?: number;
  /** A message takes up to `tailMsMax` longer. */
  readonly tailPer10k?: number;
  readonly tailMsMax?: number;
  /** Neither side is told. */
  readonly lossPer10k?: number;
  /** The sender sees a reset connection; half of these messages arrive nevertheless. */
  readonly resetPer10k?: number;
  readonly duplicatePer10k?: number;
  /** The message waits until one that was sent after it has arrived. */
  readonly overtakenPer10k?: number;
  /** The connection is accepted and stays silent. */
  readonly neverAnsweredPer10k?: number;
  /** A response ends in the middle of its body. */
  readonly truncatedPer10k?: number;
}

export interface ClockSkew {
  readonly offsetMs?: number;
  readonly driftPpm?: number;
}

export interface WorldOptions<S = unknown> {
  /** The same seed and faults give the same run, byte for byte. */
  readonly seed: number | string;
  readonly nodes: Readonly<Record<string, NodeProgram<S>>>;
  readonly links?: LinkOptions;
  readonly faults?: readonly WorldFault[];
  /** From this time on the links lose nothing, and no fault is in effect: goals may be expected then. Never, if absent. */
  readonly healMs?: number;
  /** Fates of single messages by name, as a result lists them, instead of draws from `links`. */
  readonly fates?: readonly MessageFate[];
  readonly clocks?: Readonly<Record<string, ClockSkew>>;
  /** Must hold after every event. */
  readonly invariants?: Readonly<Record<string, WorldCheck<S>>>;
  /** Must hold at the end of the run. */
  readonly goals?: Readonly<Record<string, WorldCheck<S>>>;
  /** Receives everything that happens. */
  readonly onEntry?: (entry: TraceEntry) => void;
}

export function linkConditions(links: LinkOptions): LinkConditions {
  const { latencyMsMin, latencyMsMax, tailMsMax, ...chances } = links;
  const nanos = (ms: number): number => Math.round(ms * nanosPerMs);
  const least = latencyMsMin === undefined ? calmLink.latencyNanosMin : nanos(latencyMsMin);
  return {
    ...calmLink,
    ...chances,
    latencyNanosMin: least,
    latencyNanosMax: Math.max(least, latencyMsMax === undefined ? calmLink.latencyNanosMax : nanos(latencyMsMax)),
    tailNanosMax: nanos(tailMsMax ?? 0),
  };
}
