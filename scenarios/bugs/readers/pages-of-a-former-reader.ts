import { calmCluster, fromSeed, ms, reads, user } from "../../scenario.ts";
import type { Bug } from "../bug.ts";

export const pagesOfAFormerReader: Bug = {
  scenario: {
    name: "pages-of-a-former-reader",
    story:
      "A worker creates a task and consumes its input, but its responses do not reach the coordinator. The worker restarts, the coordinator's retried request creates the task a second time, and the requested pages were consumed by the former incarnation. The task must learn that they are gone, not that there are none.",
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
    "src/execution/exchange/output-buffer.ts answered a request for acknowledged pages with an end of the buffer, or with an empty response. A task that was created again on a restarted worker treated that as its complete input.",
  fixed: "2026-11-22",
};
