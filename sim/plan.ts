/** The data of a run: cluster, links, faults, users and their statements. Plain JSON: it is printed before a run, written into traces, and a scenario is the same data by hand. */
import type { LinkConditions } from "./kernel/network.ts";
import type { MessageFate } from "./kernel/fates.ts";
import type { TableStep } from "./workload/workload.ts";

export interface FaultTimes {
  readonly atNanos: number;
  readonly untilNanos: number;
  /** An aimed fault waits from `atNanos` on until there is work where it strikes, and then so long. It lasts as long as it would have. */
  readonly afterWorkNanos?: number;
}

export type Fault = FaultTimes &
  (
    | { readonly kind: "crash"; readonly node: string }
    /** A crash of the coordinator: all its queries are lost. */
    | { readonly kind: "coordinator-crash"; readonly node: string }
    | { readonly kind: "pause"; readonly node: string }
    | { readonly kind: "slow-node"; readonly node: string; readonly factor: number }
    | { readonly kind: "partition"; readonly nodes: readonly string[] }
    | { readonly kind: "one-way-partition"; readonly from: string; readonly to: string }
    | { readonly kind: "slow-link"; readonly from: string; readonly to: string; readonly extraNanos: number }
    | { readonly kind: "shutdown"; readonly node: string }
    /** The wall clock jumps; no duration may depend on it. */
    | { readonly kind: "clock-step"; readonly node: string; readonly byMs: number }
    /** The disk takes no more than so many bytes. */
    | { readonly kind: "full-disk"; readonly node: string; readonly bytesMax: number }
  );

export type FaultKind = Fault["kind"];

/** How a user treats the service. */
export type Behaviour =
  | { readonly kind: "reads-all" }
  /** Waits between polls. */
  | { readonly kind: "slow"; readonly pauseNanos: number }
  /** DELETE after so many polls. */
  | { readonly kind: "cancels"; readonly afterPolls: number }
  /** Never comes back after so many polls. */
  | { readonly kind: "vanishes"; readonly afterPolls: number }
  /** Asks each token twice and compares the bytes. */
  | { readonly kind: "asks-twice" }
  /** Submits with PUT, repeats it, and reads an old token now and then. */
  | { readonly kind: "retries" };

export interface PlannedStatement {
  readonly sql: string;
  readonly behaviour: Behaviour;
  /** Wait before it is submitted. */
  readonly thinkNanos: number;
  /** It reads or writes a table of the user's own. */
  readonly step?: TableStep;
}

export interface PlannedUser {
  readonly name: string;
  /** Asks for answers of about this size; the server's own choice when absent. */
  readonly targetResultSize?: string;
  readonly startNanos: number;
  readonly statements: readonly PlannedStatement[];
}

export interface PlannedNode {
  readonly name: string;
  readonly clockOffsetMs: number;
  readonly clockDriftPpm: number;
}

/** Values of engine properties by their Presto names. */
export type Properties = Readonly<Record<string, string>>;

export interface RunPlan {
  readonly seed: string;
  readonly coordinator: PlannedNode;
  readonly workers: readonly PlannedNode[];
  readonly link: LinkConditions;
  /** In place of what `link` would draw: what happens to single messages, by their names. Every other message arrives after its latency. */
  readonly fates?: readonly MessageFate[];
  readonly properties: Properties;
  /** Of the generated tables that the users ask: `sf0.0028`. */
  readonly schema: string;
  readonly users: readonly PlannedUser[];
  readonly faults: readonly Fault[];
  /** Of the large tables; more splits are more drivers and smaller pages. */
  readonly splitsPerNode: number;
  /** Time of one unit of work (about a row through one operator) on a normal node: how long statements take, against latencies and faults. */
  readonly nanosPerWorkUnit: number;
  /** The last fault has healed by then, and messages are no longer lost, reset or duplicated. */
  readonly healNanos: number;
  /** Every statement must have ended this long after `healNanos`. */
  readonly livenessNanos: number;
  /** What a story must have brought about, and how often at least and at most: counters of the run by name. */
  readonly expect?: Expectations;
}

export interface Expectations {
  readonly atLeast?: Readonly<Record<string, number>>;
  readonly atMost?: Readonly<Record<string, number>>;
}
