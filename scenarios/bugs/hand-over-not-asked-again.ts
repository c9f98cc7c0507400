import { calmCluster, ms, second, stepsOn, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const table = "memory.default.moved";

const step = stepsOn(table);

export const handOverNotAskedAgain: Bug = {
  scenario: {
    name: "hand-over-not-asked-again",
    story:
      "A table has one copy. A worker that shuts down asks the coordinator whether its part is elsewhere, and the network loses the question. It asks again, so that the part is copied and all rows are there afterwards.",
    plan: (seed) =>
      calmCluster(seed, {
        nanosPerWorkUnit: 10_000,
        replication: 1,
        users: [
          user(
            "u1",
            [
              step("create", "SELECT orderkey, linenumber, shipmode FROM tpch.tiny.lineitem l"),
              step("read", `SELECT shipmode, count(*) FROM ${table} GROUP BY shipmode`, 20 * second),
            ],
            second,
          ),
        ],
        faults: [
          { kind: "shutdown", atNanos: 8 * second, untilNanos: 17 * second, node: "w2" },
          { kind: "partition", atNanos: 8 * second + 200 * ms, untilNanos: 9 * second, nodes: ["w2"] },
        ],
        healNanos: 19 * second,
        expect: { atLeast: { finished: 3, cut: 1 }, atMost: { failed: 0, unanswered: 0 } },
      }),
  },
  noticed: {
    kind: "liveness",
    oracle: "promptness",
    sentence: "w1 was told to leave, has had no task that runs for 6.9 s, and is still there",
  },
  cause:
    "src/worker/catalogs.ts waited for the answer to one question until the end of the grace period (seed 996080), so the part was lost with the worker although the network was well again. Now it asks again after one second.",
  fixed: "2026-11-30",
};
