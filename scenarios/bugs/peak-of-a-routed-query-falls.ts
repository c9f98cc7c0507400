import { calmCluster, ms, second, streamedStatement, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const peakOfARoutedQueryFalls: Bug = {
  scenario: {
    name: "peak-of-a-routed-query-falls",
    story:
      "Another cluster runs a query of a slow client. Its coordinator is started again, knows the query from its journal, and goes on with it; its sums begin at zero. The peak memory that the client sees must not decrease.",
    plan: (seed) => ({
      ...calmCluster(seed, {}),
      properties: { "query-recovery.enabled": "true", "query.client.timeout": "60s" },
      knobs: { "journal-sync-ms": 0 },
      nanosPerWorkUnit: 20_000,
      remote: {
        name: "far",
        clockOffsetMs: 0,
        clockDriftPpm: 0,
        errorDuration: "10s",
        rules: [{ user: "u.", cluster: "far" }],
      },
      users: [
        {
          ...user("u1", [{ sql: streamedStatement, behaviour: { kind: "slow" as const, pauseNanos: 60 * ms }, thinkNanos: 0 }], second),
          targetResultSize: "16kB",
        },
      ],
      faults: [{ kind: "crash", atNanos: 4 * second, untilNanos: 5 * second, node: "far" }],
      healNanos: 7 * second,
      expect: { atLeast: { finished: 2, refused: 1 }, atMost: { failed: 0, unanswered: 0 } },
    }),
  },
  noticed: {
    kind: "safety",
    oracle: "statement-documents",
    sentence: "20260101_000000_00000_pe4tk/10 of f1 has less peakMemoryBytes than before: 0",
  },
  cause:
    "src/coordinator/routing/routed-query.ts remembered the peak of runs that were lost, and not that of a run with which the other cluster goes on (seed 996046).",
  fixed: "2026-11-30",
};
