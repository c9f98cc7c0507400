/**
 * The data of a run: cluster, links, faults, users and their statements. Plain JSON: it is printed before a run and written into traces,
 * and a scenario is the same data written by hand.
 */
import type { RoutingRuleDocument } from "../src/protocol/documents/query-routing.ts";
import type { ResourceGroupsDocument } from "../src/protocol/documents/resource-groups.ts";
import type { AccessConfiguration } from "../src/security/access-configuration.ts";
import type { UserGroupsDocument } from "../src/security/user-groups.ts";
import type { HeaderFamily } from "../src/protocol/http/headers.ts";
import type { KnobValues } from "../src/ports/knobs.ts";
import type { PointName } from "../src/ports/points.ts";
import type { Fault } from "./faults/registry.ts";
import type { LinkConditions, MessageFate } from "./world/fates.ts";
import type { DiskConditions } from "./world/disk.ts";
import type { StoreConditions } from "./store/store.ts";
import type { PlannedSchedule } from "./world/schedule.ts";
import type { SessionStep } from "./workload/sessions.ts";
import type { GrantStep } from "./workload/grants.ts";
import type { SharedStep } from "./workload/shared-table.ts";
import type { TableStep } from "./workload/user-tables.ts";

export type { Fault, FaultKind } from "./faults/registry.ts";

/** Behaviour of a user towards the service. */
export type Behaviour =
  | { readonly kind: "reads-all" }
  /** Waits between polls. */
  | { readonly kind: "slow"; readonly pauseNanos: number }
  /** Sends DELETE after this many polls. */
  | { readonly kind: "cancels"; readonly afterPolls: number }
  /** Cancels this long after submission, in any state: before the first response, between two polls, or during one. */
  | { readonly kind: "cancels-at"; readonly afterNanos: number }
  /**
   * Cancels the deepest running stage this long after submission, and again after the same time. The query continues with the rows it has.
   */
  | { readonly kind: "ends-stages"; readonly afterNanos: number; readonly times: number }
  /** Sends DELETE after this many polls, twice. */
  | { readonly kind: "cancels-twice"; readonly afterPolls: number }
  /** Sends DELETE after this many polls, then continues to poll. */
  | { readonly kind: "cancels-then-asks"; readonly afterPolls: number }
  /** Reads the whole result, then sends DELETE, as clients do that close every statement. */
  | { readonly kind: "closes" }
  /** Submits and waits this long before it requests the first rows, which may be gone by then. */
  | { readonly kind: "never-reads"; readonly pauseNanos: number }
  /** Requests each token a second time after a pause. */
  | { readonly kind: "retries-late"; readonly pauseNanos: number }
  /** Requests a token and the following one at the same time, which is not guaranteed to work. */
  | { readonly kind: "polls-two" }
  /** Stops polling after this many polls and never returns. */
  | { readonly kind: "vanishes"; readonly afterPolls: number }
  /** Requests each token twice and compares the bytes. */
  | { readonly kind: "asks-twice" }
  /** Submits with PUT, repeats the submission, and sometimes requests an old token. */
  | { readonly kind: "retries" };

/** `equivalent` has the same rows for a user without restrictions; `denied` is a part of the message of PERMISSION_DENIED. */
export type Restricted = { readonly equivalent: string } | { readonly denied: string };

export interface PlannedStatement {
  readonly sql: string;
  readonly behaviour: Behaviour;
  /** Delay before submission. */
  readonly thinkNanos: number;
  /** Set if the statement reads or writes a table of the user's own. */
  readonly step?: TableStep;
  /** Set if the statement reads or writes the table that several users share. */
  readonly shared?: SharedStep;
  /** Set if the statement changes the user's session, or depends on it. */
  readonly sessionStep?: SessionStep;
  /**
   * Set if the statement changes the catalogs (its update type), or reads one that is created at run time (a statement with the same rows
   * over the catalogs of the configuration).
   */
  readonly catalogStep?: { readonly updateType: string } | { readonly equivalent: string };
  /** Set if rules of access control restrict the user: what the statement must give. */
  readonly restricted?: Restricted;
  /** Set if the statement is about, or uses, rights that a catalog keeps itself. */
  readonly granting?: GrantStep;
  /**
   * Set if the last column is drawn at random, or depends on the order of rows: a statement with the same rows without it. `isPaired`: all
   * who submit the statement get the same rows in the same order.
   */
  readonly volatile?: { readonly equivalent: string; readonly isPaired?: true };
}

export interface PlannedUser {
  readonly name: string;
  /** Header family of the client; `engine` if absent. */
  readonly family?: HeaderFamily;
  /** Requests rows as segments; family `trino` only. */
  readonly queryDataEncodings?: readonly string[];
  /** Requested size of responses; the server's default if absent. */
  readonly targetResultSize?: string;
  /** Whether the client also sends requests that it may not: it uses other slugs and tokens on its own queries and those of others. */
  readonly trespasses?: true;
  /** Whether the client also asks for the queries of others, and tries to end them, in its own name. */
  readonly peeks?: true;
  /** Names of a script and of inquiries (sim/inquiries) that the client sends first, and the pause before each inquiry. */
  readonly inquires?: { readonly script?: string; readonly asks: readonly string[]; readonly pauseNanos: number };
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

export interface PlannedRemote extends PlannedNode {
  readonly rules: readonly RoutingRuleDocument[];
  /** How long the coordinator asks it again when it cannot be reached: `5s`. */
  readonly errorDuration: string;
}

/** Engine properties with Presto's names. */
export type Properties = Readonly<Record<string, string>>;

export interface RunPlan {
  readonly seed: string;
  readonly coordinator: PlannedNode;
  readonly workers: readonly PlannedNode[];
  /**
   * Clock of a second machine with a coordinator, which stands by. Both have the address and the name of the coordinator, and share the
   * directory of what it keeps on the disk.
   */
  readonly standby?: Pick<PlannedNode, "clockOffsetMs" | "clockDriftPpm">;
  readonly link: LinkConditions;
  /** Fates of single messages by name, instead of draws from `link`. Every other message arrives after its latency. */
  readonly fates?: readonly MessageFate[];
  /** Order of nearly simultaneous messages. A run with listed fates has none: its delays are in the list. */
  readonly schedule?: PlannedSchedule;
  /** Further delays of single messages by name, on top of what is drawn: nanoseconds. Listed fates contain them. */
  readonly delays?: Readonly<Record<string, number>>;
  readonly properties: Properties;
  /** Rights of users, as Trino's rules; absent if all may do everything, and be anybody. */
  readonly access?: AccessConfiguration;
  /** Groups that rules of access name; absent if nobody has any. */
  readonly userGroups?: UserGroupsDocument;
  /** Whether there is a memory catalog `vault` that keeps owners, roles and grants. */
  readonly vault?: true;
  /** Resource groups of the coordinator; absent if there is the one of the properties. */
  readonly resourceGroups?: ResourceGroupsDocument;
  /** Another cluster of one node, with the same tables, to which the coordinator sends statements by rule. */
  readonly remote?: PlannedRemote;
  /** Conditions of a store that all nodes share, which survives them: the folder of a catalog `lake` of files that may be written. */
  readonly lake?: Partial<DiskConditions>;
  /** Conditions of an object store: a catalog `bucket` writes tables to it, and a catalog `store` reads the files of the lake. */
  readonly store?: StoreConditions;
  /** Fault points of the engine with their firings per 1,000 passes until the heal; 1,000 means always, until the end of the run. */
  readonly points?: Readonly<Partial<Record<PointName, number>>>;
  /** Bounds of the engine that differ from its defaults, on all nodes and for the whole run. */
  readonly knobs?: KnobValues;
  /** Schema of the generated tables that the users query: `sf0.0028`. */
  readonly schema: string;
  readonly users: readonly PlannedUser[];
  readonly faults: readonly Fault[];
  /** Workers that are healthy after the heal; all workers if absent. Faults of the other workers are permanent. */
  readonly core?: readonly string[];
  /** Splits of the large tables; more splits mean more drivers and smaller pages. */
  readonly splitsPerNode: number;
  /**
   * Time of one unit of work (about one row through one operator) on a normal node. It scales statements relative to latencies and faults.
   */
  readonly nanosPerWorkUnit: number;
  /** memory.replication, on all nodes; absent for the default. */
  readonly replication?: number;
  /** Time by which the last fault has healed. From then on no message is lost, reset or duplicated. */
  readonly healNanos: number;
  /** Workers of a calm cluster that must return the same rows in the same order. */
  readonly twinWorkers?: number;
  /** A load whose throughput after the faults must match that without them. */
  readonly goodput?: GoodputProbe;
  /** Every statement must have ended this long after `healNanos`. */
  readonly livenessNanos: number;
  /** Duration without requests at the end, in which values decay, expire or are forgotten. */
  readonly silenceNanos?: number;
  /** Each node is a process of its own, and lends no pages. */
  readonly lendsNothing?: true;
  /** Counters that a scenario's run must have reached: minimum and maximum by name. */
  readonly expect?: Expectations;
}

/** Closed-loop users, each of which repeats one statement. */
export interface GoodputProbe {
  readonly users: number;
  readonly sql: string;
  readonly thinkNanos: number;
  /** Start of the load, while faults are still in effect. */
  readonly startNanos: number;
  /**
   * Time limit for recovery, from the heal or the end of the last statement, whichever is later. Some window that begins within it must
   * match the calm cluster.
   */
  readonly recoveryNanos: number;
  /** Window in which finished statements are counted. */
  readonly windowNanos: number;
}

export interface Expectations {
  readonly atLeast?: Readonly<Record<string, number>>;
  readonly atMost?: Readonly<Record<string, number>>;
}
