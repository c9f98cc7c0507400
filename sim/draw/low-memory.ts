/**
 * Draws runs whose nodes are out of memory nearly all the time: younger queries wait for older ones, and the coordinator ends some of them.
 */
import type { PlannedUser, RunPlan } from "../plan.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

export interface LowMemory extends Partial<Pick<RunPlan, "points" | "properties">> {
  /** Users whose queries hold memory at the same time, some of them far more than others. */
  readonly users: readonly PlannedUser[];
}

export function drawLowMemory(tree: StreamTree): LowMemory {
  const stream = tree.stream("low memory");
  const [everywhere, onBlockedNodes] = ["total-reservation", "total-reservation-on-blocked-nodes"] as const;
  const policy = stream.pick([everywhere, everywhere, everywhere, onBlockedNodes, onBlockedNodes, "none"]);
  const delay = stream.pick(["10ms", "50ms", "200ms"]);
  const refresh = stream.pick(["20ms", "100ms"]);
  if (!stream.chance(1, 6, "queries wait for memory")) {
    return { users: [] };
  }
  // One that is to end the largest query has a choice only if several hold memory.
  const isHungry = policy !== "none" && stream.chance(1, 2, "several hold memory");
  return {
    properties: {
      "query.low-memory-killer.policy": policy,
      "query.low-memory-killer.delay": delay,
      "task.status-refresh-max-wait": refresh,
      ...(isHungry ? { "query.max-concurrent-queries": "1000" } : {}),
    },
    points: { "query-waits-for-memory": 700 },
    users: isHungry ? ["h1", "h2", "h3"].map((name, place) => drawHungry(tree.stream(`user/${name}`), name, statements[place] ?? "")) : [],
  };
}

/** Groups by the size of what they hold. */
const statements = [
  "SELECT orderkey, partkey, count(*), max(comment) FROM lineitem GROUP BY orderkey, partkey",
  "SELECT custkey, count(*), max(clerk) FROM orders GROUP BY custkey",
  "SELECT suppkey, count(*) FROM lineitem GROUP BY suppkey",
] as const;

function drawHungry(stream: Stream, name: string, sql: string): PlannedUser {
  return {
    name,
    startNanos: stream.between(500, 540, "start") * nanosPerMs,
    statements: [{ sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 }],
  };
}
