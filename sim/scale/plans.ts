/**
 * Plans of clusters of any size, to measure how cost grows. `idle` has no statements; `fixed` has the same number at every size; `growing`
 * has more statements with more workers; `wide` has few, with up to 64 tasks a stage. All but `idle` lose workers while they work,
 * which return later.
 */
import { calmLink } from "../world/fates.ts";
import { nanosPerSecond } from "../world/world.ts";
import type { Fault, PlannedStatement, PlannedUser, RunPlan } from "../plan.ts";

export const workloads = ["idle", "fixed", "growing", "wide"] as const;
export type Workload = (typeof workloads)[number];

/** One of each shape: a scan, a grouping, a join over hash exchanges, a sort, a distinct, a set operation. */
const statements: readonly string[] = [
  "SELECT count(*), min(totalprice), max(totalprice) FROM orders",
  "SELECT orderpriority, count(*) FROM orders GROUP BY orderpriority ORDER BY orderpriority",
  "SELECT n.name, count(*) FROM customer c JOIN nation n ON c.nationkey = n.nationkey GROUP BY n.name ORDER BY n.name",
  "SELECT orderkey, totalprice FROM orders ORDER BY totalprice DESC, orderkey LIMIT 10",
  "SELECT count(DISTINCT custkey) FROM orders WHERE totalprice > 100000",
  "SELECT name FROM region UNION SELECT name FROM nation WHERE nationkey < 5",
];

/** Number of statements of the fixed workload, by two users. */
const fixedStatements = 12;
/** Workers for each statement of the growing workload. */
const workersPerStatement = 10;
/** Number of splits of small generated tables; the connector accepts up to `splitsMax`. */
const splits = 4;
const splitsMax = 1000;
const wideStatements = 4;
const usersMax = 16;
const workersPerCrash = 50;
const idleNanos = 30 * nanosPerSecond;
const healNanos = 10 * nanosPerSecond;

export interface ScaleRequest {
  readonly nodes: number;
  readonly workload: Workload;
  readonly seed: string;
}

export function scalePlan({ nodes, workload, seed }: ScaleRequest): RunPlan {
  const count = statementsOf(workload, nodes);
  return {
    seed: `scale/${workload}/${nodes}/${seed}`,
    coordinator: calmNode("c"),
    workers: Array.from({ length: nodes }, (_, index) => calmNode(`w${index + 1}`)),
    link: calmLink,
    // Small memories, because even reserved memory costs bookkeeping, and the garbage collector counts it as used.
    properties: {
      "query.required-workers": String(nodes),
      "node.memory": "16MB",
      "query.max-memory-per-node": "12MB",
      ...(workload === "wide" ? { "query.hash-partition-count": String(nodes), "optimizer.min-input-rows-per-task": "1" } : {}),
    },
    schema: "tiny",
    users: usersOf(count),
    faults: workload === "idle" ? [] : crashes(nodes),
    splitsPerNode: workload === "wide" ? Math.min(nodes, splitsMax) : splits,
    nanosPerWorkUnit: 2_000,
    healNanos: workload === "idle" ? idleNanos : healNanos,
    livenessNanos: 600 * nanosPerSecond,
    ...(workload === "idle"
      ? {}
      : {
          expect: {
            atLeast: { finished: Math.ceil(count / 3), "landed crash": 1 },
            atMost: { unanswered: 0, "failed EXCEEDED_LOCAL_MEMORY_LIMIT": 0 },
          },
        }),
  };
}

function statementsOf(workload: Workload, nodes: number): number {
  switch (workload) {
    case "idle":
      return 0;
    case "fixed":
      return fixedStatements;
    case "growing":
      return Math.max(fixedStatements, Math.ceil(nodes / workersPerStatement));
    case "wide":
      return wideStatements;
  }
}

function calmNode(name: string): RunPlan["coordinator"] {
  return { name, clockOffsetMs: 0, clockDriftPpm: 0 };
}

/** Distributes the statements over users, so that several run at the same time. */
function usersOf(count: number): readonly PlannedUser[] {
  const users = Math.min(usersMax, Math.ceil(count / (fixedStatements / 2)));
  return Array.from({ length: users }, (_, user) => ({
    name: `u${user + 1}`,
    startNanos: 0,
    statements: Array.from({ length: count }, (_unused, index) => index)
      .filter((index) => index % users === user)
      .map(
        (index): PlannedStatement => ({
          sql: statements[(index + user) % statements.length] as string,
          behaviour: { kind: "reads-all" },
          thinkNanos: 0,
        }),
      ),
  }));
}

/** One crash for this many workers, in turn, each while there is work on the worker. In a large cluster, some workers never get any. */
function crashes(nodes: number): readonly Fault[] {
  return Array.from({ length: Math.ceil(nodes / workersPerCrash) }, (_, index) => ({
    kind: "crash",
    node: `w${1 + index * workersPerCrash}`,
    atNanos: 0,
    afterWorkNanos: (index % 5) * 4_000_000,
    untilNanos: (3 + (index % 5)) * nanosPerSecond,
  }));
}
