import { calmCluster, ms, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const join = "SELECT o.orderkey, c.name FROM tpch.tiny.orders o JOIN tpch.tiny.customer c ON o.custkey = c.custkey WHERE o.orderkey < 3000";

export const blockedDriversUntold: Bug = {
  scenario: {
    name: "blocked-drivers-untold",
    story:
      "Workers of an older build do not report the number of blocked drivers of a task, and the coordinator requests the task's full document while some are blocked. The split counts that the client receives must add up nevertheless.",
    plan: (seed) =>
      calmCluster(seed, {
        points: { "task-info-instead-of-status": 1000, "task-created-twice": 1000 },
        properties: { "task.max-slice-rows": "256" },
        nanosPerWorkUnit: 200_000,
        users: [user("u1", [reads(join, 4 * second), reads(join, 100 * ms)])],
        faults: [{ kind: "rolling-upgrade", nodes: ["w1", "w2", "w3"], documents: "older", atNanos: 0, untilNanos: 20 * second }],
        expect: { atLeast: { finished: 2 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "statistics",
    sentence: "20260101_003456_00009_8ii75 has 9 splits: 2 queued, 1 running, 4 completed",
  },
  cause:
    "src/coordinator/scheduler/task-wire.ts counted blocked drivers as running only if the document reported them. Now drivers that are neither queued nor completed count as running, independent of the build.",
  fixed: "2026-11-22",
};
