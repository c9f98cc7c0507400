import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

/** 22 million comparisons without a match, with one side in memory: eleven seconds of CPU time. */
const longStatement = "SELECT count(*) FROM tpch.tiny.customer c JOIN tpch.tiny.orders o ON c.acctbal + o.totalprice = -1";
const mebi = 1_048_576;

export const clusterOutOfMemory: Scenario = {
  name: "cluster-out-of-memory",
  story:
    "Other processes take nearly all memory of the workers. Queries wait for the memory of older ones. After each delay the largest query, one that waits or one that is waited for, is ended as the policy says; the others go on and finish.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: {
        "query.low-memory-killer.policy": fromSeed(seed, 2) === 0 ? "total-reservation" : "total-reservation-on-blocked-nodes",
        "query.low-memory-killer.delay": `${1500 + fromSeed(`${seed}d`, 1500)}ms`,
      },
      knobs: { "memory-wait-bytes": 0 },
      users: [
        user("u1", [reads(longStatement), reads("SELECT count(*) FROM nation", second)]),
        user("u2", [reads(wideStatement)], 300 * ms + fromSeed(`${seed}2`, 300) * ms),
        user("u3", [reads("SELECT custkey, count(*) FROM tpch.tiny.orders GROUP BY custkey ORDER BY 2 DESC, 1 LIMIT 30")], 6 * second),
      ],
      faults: ["w1", "w2", "w3"].map((node) => ({
        kind: "memory-pressure",
        node,
        bytes: 60 * mebi,
        atNanos: 100 * ms,
        untilNanos: 10 * second,
      })),
      expect: { atLeast: { "failed CLUSTER_OUT_OF_MEMORY": 1, finished: 3 }, atMost: { failed: 2, unanswered: 0 } },
    }),
};
