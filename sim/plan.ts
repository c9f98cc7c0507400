/** The data of a run: cluster, links, faults, users and their statements. Plain JSON: it is printed before a run, written into traces, and a scenario is the same data by hand. */
import type { HeaderFamily } from "../src/protocol/http/headers.ts";
import type { PointName } from "../src/ports/points.ts";
import type { Fault } from "./faults/registry.ts";
import type { LinkConditions, MessageFate } from "./world/fates.ts";
import type { SessionStep } from "./workload/sessions.ts";
import type { TableStep } from "./workload/user-tables.ts";

export type { Fault, FaultKind } from "./faults/registry.ts";

/** How a user treats the service. */
export type Behaviour =
  | { readonly kind: "reads-all" }
  /** Waits between polls. */
  | { readonly kind: "slow"; readonly pauseNanos: number }
  /** DELETE after so many polls. */
  | { readonly kind: "cancels"; readonly afterPolls: number }
  /** Cancels so long after it submitted, whatever is under way: before the first answer, between two polls, during one. */
  | { readonly kind: "cancels-at"; readonly afterNanos: number }
  /** Ends the deepest stage that still runs, so long after it submitted and again after as long: the query goes on with the rows it has. */
  | { readonly kind: "ends-stages"; readonly afterNanos: number; readonly times: number }
  /** DELETE after so many polls, and again. */
  | { readonly kind: "cancels-twice"; readonly afterPolls: number }
  /** DELETE after so many polls, and then it goes on asking. */
  | { readonly kind: "cancels-then-asks"; readonly afterPolls: number }
  /** Submits and lets so much time pass before it asks for the first rows, if anybody still knows them. */
  | { readonly kind: "never-reads"; readonly pauseNanos: number }
  /** Asks for each token a second time after a while. */
  | { readonly kind: "retries-late"; readonly pauseNanos: number }
  /** Asks for a token and for the one behind it at once, which nobody may rely on. */
  | { readonly kind: "polls-two" }
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
  /** It changes the user's session, or what it means hangs on it. */
  readonly sessionStep?: SessionStep;
}

export interface PlannedUser {
  readonly name: string;
  /** Of its client's headers; `engine` when absent. */
  readonly family?: HeaderFamily;
  /** Asks for rows as segments; only of the family `trino`. */
  readonly queryDataEncodings?: readonly string[];
  /** Asks for answers of about this size; the server's own choice when absent. */
  readonly targetResultSize?: string;
  /** Session properties of all its statements: the same rows by another plan. */
  readonly session?: Readonly<Record<string, string>>;
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
  /** Points of the engine that fire, in so many of 1,000 passes until the heal; 1,000 is always, and to the end. */
  readonly points?: Readonly<Partial<Record<PointName, number>>>;
  /** Of the generated tables that the users ask: `sf0.0028`. */
  readonly schema: string;
  readonly users: readonly PlannedUser[];
  readonly faults: readonly Fault[];
  /** Workers that are whole again after the heal; what happened to the others lasts. All of them when absent. */
  readonly core?: readonly string[];
  /** Of the large tables; more splits are more drivers and smaller pages. */
  readonly splitsPerNode: number;
  /** Time of one unit of work (about a row through one operator) on a normal node: how long statements take, against latencies and faults. */
  readonly nanosPerWorkUnit: number;
  /** The last fault has healed by then, and messages are no longer lost, reset or duplicated. */
  readonly healNanos: number;
  /** A load that must get as much done after the faults as it does without them. */
  readonly goodput?: GoodputProbe;
  /** Every statement must have ended this long after `healNanos`. */
  readonly livenessNanos: number;
  /** So long nothing happens at the end: what fades, runs out or is forgotten does so then. */
  readonly silenceNanos?: number;
  /** What a story must have brought about, and how often at least and at most: counters of the run by name. */
  readonly expect?: Expectations;
}

/** Closed-loop users of one statement each, again and again. */
export interface GoodputProbe {
  readonly users: number;
  readonly sql: string;
  readonly thinkNanos: number;
  /** They begin while faults still last. */
  readonly startNanos: number;
  /** Some window that begins within this time of the heal, or of the last statement's end if that is later, must be as good as in a calm cluster. */
  readonly recoveryNanos: number;
  /** In which finished statements are counted. */
  readonly windowNanos: number;
}

export interface Expectations {
  readonly atLeast?: Readonly<Record<string, number>>;
  readonly atMost?: Readonly<Record<string, number>>;
}
