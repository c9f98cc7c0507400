import { calmCluster, fromSeed, ms, reads, type Scenario, second, stepsOn, user } from "../scenario.ts";

const counted =
  "SELECT o.orderpriority, count(*), sum(l.quantity) FROM tpch.tiny.orders o JOIN tpch.tiny.lineitem l ON o.orderkey = l.orderkey GROUP BY 1 ORDER BY 1";
const table = "memory.default.written";
const step = stepsOn(table);
const written = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l WHERE l.orderkey < 20000";

export const stoppedWorkerIsLeft: Scenario = {
  name: "stopped-worker-is-left",
  story:
    "A worker is stopped for twelve seconds while it has tasks that read others, and keeps its announcement. After three seconds its tasks run again on the other workers, and the queries end; when it goes on, its old tasks are ended and nothing of theirs is in a result. A statement that writes waits for the worker. No query runs again as a whole.",
  plan: (seed) =>
    calmCluster(seed, {
      lendsNothing: true,
      nanosPerWorkUnit: 20_000,
      properties: { "retry-policy": "TASK", "task-retry-unresponsive-timeout": "3s", "task.max-slice-rows": "500" },
      knobs: { "page-rows": 1_000, "frame-rows": 64 },
      users: [
        ...["u1", "u2"].map((name, index) => user(name, [reads(counted, index * 20 * ms), reads(counted, 15 * second)], second)),
        user("u3", [step("create", written), step("read", `SELECT count(*), sum(quantity) FROM ${table}`)], second),
      ],
      faults: [{ kind: "pause", node: "w2", atNanos: second, untilNanos: 13 * second, afterWorkNanos: (20 + fromSeed(seed, 60)) * ms }],
      healNanos: 30 * second,
      expect: {
        atLeast: { "landed pause": 1, "rounds of lost tasks": 1, "unresponsive workers": 1, finished: 6 },
        atMost: { failed: 0, unanswered: 0, "attempts lost": 0 },
      },
    }),
};
