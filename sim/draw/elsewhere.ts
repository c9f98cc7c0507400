/**
 * Draws what is beside the cluster of a run: a second coordinator on stand-by, or another cluster to which rules send statements. Each has
 * faults of its own.
 */
import type { RoutingRuleDocument } from "../../src/protocol/documents/query-routing.ts";
import type { Behaviour, Fault, PlannedUser, RunPlan } from "../plan.ts";
import { standbyProperties } from "../properties.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

export interface Elsewhere extends Pick<RunPlan, "standby" | "remote">, Required<Pick<RunPlan, "faults" | "properties">> {
  /** Further users, whose statements the other cluster runs. */
  readonly users: readonly PlannedUser[];
}

/** Name of the other cluster's only node. */
const far = "far";
const nothing: Elsewhere = { faults: [], properties: {}, users: [] };

interface Circumstances {
  readonly healNanos: number;
  readonly users: readonly PlannedUser[];
  /** A load is measured, or a calm cluster repeats statements: both compare with one coordinator and its workers. */
  readonly isCompared: boolean;
  /** Nodes have one way out of the cluster. */
  readonly hasStore: boolean;
}

/** One run in twelve has the one or the other. */
export function drawElsewhere(tree: StreamTree, { hasStore, healNanos, isCompared, users }: Circumstances): Elsewhere {
  const stream = tree.stream("elsewhere");
  const which = stream.nextInt(24, "elsewhere");
  if (isCompared || which > 1 || (which === 1 && hasStore)) {
    return nothing;
  }
  return which === 0 ? drawStandby(stream, healNanos) : drawRemote(tree, healNanos, users);
}

const strikes = ["coordinator-crash", "pause", "directory-cut"] as const;

/** The one that is active dies, stands still or loses the directory, once or twice. */
function drawStandby(stream: Stream, healNanos: number): Elsewhere {
  return {
    standby: { clockOffsetMs: stream.between(-30_000, 30_000), clockDriftPpm: stream.between(-300, 300) },
    properties: standbyProperties,
    users: [],
    faults: Array.from({ length: stream.between(1, 2, "strikes") }, (): Fault => {
      const kind = stream.pick(strikes, "kind");
      const times = { ...drawTimes(stream, healNanos, 6_000), afterWorkEvents: stream.between(0, 200), node: "c" };
      return kind === "coordinator-crash" ? { kind, ...times, disk: "kept" } : { kind, ...times };
    }),
  };
}

function drawRemote(tree: StreamTree, healNanos: number, users: readonly PlannedUser[]): Elsewhere {
  const stream = tree.stream("elsewhere");
  const [offsetMs, driftPpm] = [stream.between(-90_000, 90_000), stream.between(-300, 300)];
  const errorDuration = stream.pick(["1s", "2s", "5s"], "error duration");
  const faults = [0, 1].flatMap(() => drawFarFault(stream, healNanos));
  const crash: Fault = {
    kind: "coordinator-crash",
    node: "c",
    disk: "kept",
    ...drawTimes(stream, healNanos, 1_000),
    afterWorkEvents: stream.between(0, 120),
  };
  const recovers = stream.chance(1, 2, "the coordinator dies");
  const leaver = drawLeaver(tree.stream("user/f1"), recovers ? crash.atNanos : undefined);
  const sent = [...users.filter(isSendable), leaver].map(({ name }) => name);
  return {
    users: [leaver],
    remote: {
      name: far,
      clockOffsetMs: offsetMs,
      clockDriftPpm: driftPpm,
      errorDuration,
      rules: drawRules(tree.stream("elsewhere/rules"), sent.join("|")),
    },
    // A routed query goes on where the client has some of its rows.
    properties: recovers ? { "query-recovery.enabled": "true" } : {},
    faults: recovers ? [...faults, crash] : faults,
  };
}

/** Half of the runs send all reads of the users. In the others, the catalogs of a statement or the bytes that its plan reads decide too. */
function drawRules(stream: Stream, user: string): readonly RoutingRuleDocument[] {
  const all: RoutingRuleDocument = { user, queryType: "SELECT", cluster: far };
  const some: readonly (readonly RoutingRuleDocument[])[] = [
    [{ ...all, catalog: "tpch|memory" }],
    [{ user, inputDataSize: { max: stream.pick(["2kB", "100kB"], "stays") } }, all],
    [{ ...all, catalog: "tpch", inputDataSize: { min: stream.pick(["1kB", "10kB"], "leaves") } }],
  ];
  return stream.chance(1, 2, "all") ? [all] : stream.pick(some, "some");
}

/** Their rows are more than one answer of the other cluster. */
const longReads = [
  "SELECT * FROM lineitem",
  "SELECT l.*, o.clerk, o.comment FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey",
  "SELECT * FROM orders UNION ALL SELECT * FROM orders",
] as const;

/** A user who leaves statements that the other cluster still runs: it cancels them, or the coordinator dies before they are read. */
function drawLeaver(stream: Stream, crashNanos: number | undefined): PlannedUser {
  const beforeNanos = stream.between(200, 900, "before the crash") * nanosPerMs;
  const startNanos = stream.between(300, 1_000, "start") * nanosPerMs;
  const pauseNanos = stream.pick([20, 100], "pause") * nanosPerMs;
  const afterNanos = [5, 60, 600].map((most) => stream.between(1, most, "after") * nanosPerMs);
  const leaving: readonly Behaviour[] = [
    ...afterNanos.map((one): Behaviour => ({ kind: "cancels-at", afterNanos: one })),
    { kind: "cancels", afterPolls: stream.between(1, 3, "polls") },
  ];
  const behaviours: readonly Behaviour[] = [{ kind: "slow", pauseNanos }, ...stream.shuffle(leaving)];
  return {
    name: "f1",
    targetResultSize: stream.pick(["64kB", "256kB"], "result size"),
    startNanos: crashNanos === undefined ? startNanos : Math.max(startNanos, crashNanos - beforeNanos),
    statements: behaviours.map((behaviour) => ({
      sql: stream.pick(longReads, "read"),
      behaviour,
      thinkNanos: stream.between(0, 200) * nanosPerMs,
    })),
  };
}

/** The other cluster has the same generated tables, and neither tables that users write, nor this one's rights. */
function isSendable({ inquires, statements }: PlannedUser): boolean {
  const isPlain = statements.every(({ catalogStep, granting, restricted, sessionStep, shared, step, volatile }) =>
    [catalogStep, granting, restricted, sessionStep, shared, step, volatile].every((one) => one === undefined),
  );
  return isPlain && inquires === undefined;
}

function drawFarFault(stream: Stream, healNanos: number): readonly Fault[] {
  const kind = stream.pick(["crash", "overload-503", "partition", "slow-link"] as const, "kind");
  const times = { ...drawTimes(stream, healNanos, 3_000), afterWorkNanos: stream.between(0, 700) * nanosPerMs };
  const extraNanos = stream.pick([5, 40, 400], "extra") * nanosPerMs;
  if (!stream.chance(2, 3, "strikes")) {
    return [];
  }
  switch (kind) {
    case "crash":
      return [{ kind, node: far, ...times }];
    case "overload-503":
      return [{ kind, node: far, percent: 100, ...times }];
    case "partition":
      return [{ kind, nodes: [far], ...times }];
    case "slow-link":
      return [{ kind, from: "c", to: far, extraNanos, ...times }];
  }
}

function drawTimes(stream: Stream, healNanos: number, lastsMsMax: number): Pick<Fault, "atNanos" | "untilNanos"> {
  const atNanos = stream.between(500 * nanosPerMs, Math.floor(healNanos * 0.6), "at");
  const lastsNanos = stream.between(300, lastsMsMax, "lasts") * nanosPerMs;
  return { atNanos, untilNanos: Math.min(healNanos, atNanos + lastsNanos) };
}
