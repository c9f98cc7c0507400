import { calmCluster, fromSeed, ms, reads, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const pagesOfAFormerReader: Bug = {
  scenario: {
    name: "pages-of-a-former-reader",
    story:
      "A worker creates a task and takes its input from the others, but its answers do not reach the coordinator. It is started anew, the coordinator's repeated request creates the task a second time, and the pages it asks for have been taken by its former life. It must be told that they are gone, not that there are none.",
    plan: (seed) =>
      calmCluster(seed, {
        nanosPerWorkUnit: 40,
        users: [
          user("u1", [
            reads(
              "SELECT o.orderkey, c.name FROM orders o LEFT JOIN customer c ON o.custkey = c.custkey WHERE o.orderkey < 3000 ORDER BY 1 LIMIT 400",
              100 * ms,
            ),
          ]),
        ],
        properties: { "query.hash-partition-count": "3" },
        faults: ["w2", "w3"].flatMap((node) => [
          { kind: "one-way-partition" as const, from: node, to: "c", atNanos: 101 * ms, untilNanos: 900 * ms },
          { kind: "crash" as const, node, disk: "synced" as const, atNanos: (130 + fromSeed(seed, 40)) * ms, untilNanos: 300 * ms },
        ]),
        expect: { atLeast: { "landed crash": 1 } },
      }),
  },
  noticed: {
    kind: "wrong-result",
    oracle: "results",
    sentence: 'u4 got 15 of 15 rows, first difference at row 2: expected ["9967.60","1993-01-28"], found ["9967.60","1993-02-21"]',
  },
  cause:
    "src/execution/exchange/output-buffer.ts told whoever asked for pages that had been acknowledged that the buffer was complete, or nothing at all. A task that was created anew on a restarted worker took that for its whole input.",
  fixed: "2026-11-22",
};
