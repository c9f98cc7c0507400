import { calmCluster, ms, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const count = "SELECT count(*) FROM tpch.tiny.nation";

export const halfOfTheHeartbeatsLost: Bug = {
  scenario: {
    name: "half-of-the-heartbeats-lost",
    story:
      "The link to a worker is down for every other second. Half of its heartbeats fail, but never three in a row. Once enough heartbeats were sent for the ratio to mean something, the worker gets no more tasks.",
    plan: (seed) =>
      calmCluster(seed, {
        users: [
          user(
            "u1",
            Array.from({ length: 10 }, () => reads(count, 4 * second)),
          ),
        ],
        faults: [
          {
            kind: "flapping-partition",
            from: "c",
            to: "w3",
            bothWays: false,
            downNanos: 990 * ms,
            upNanos: 1_010 * ms,
            atNanos: 2 * second,
            untilNanos: 50 * second,
          },
        ],
        healNanos: 52 * second,
        expect: { atLeast: { finished: 5, "listed as failed": 1 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "node-monitor",
    sentence: "w3 still counts although 0.397 of its heartbeats failed, of 0.1 allowed",
  },
  cause:
    "src/monitor/monitored-node.ts asked for three failures in a row in every history, not only in a short one. Now the ratio counts alone when there were 40 recent heartbeats.",
  fixed: "2026-11-24",
};
