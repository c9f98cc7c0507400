import { calmCluster, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const queryIdGivenTwice: Bug = {
  scenario: {
    name: "query-id-given-twice",
    story:
      "The coordinator's clock is set back over midnight and reaches the same second again. A query of that second must not get the id of an earlier query.",
    plan: (seed) =>
      calmCluster(seed, {
        users: [
          user("u1", [reads("SELECT count(*) FROM nation")], 1.2 * second),
          user("u2", [reads("SELECT count(*) FROM region")], 4 * second),
          user("u3", [reads("SELECT name FROM region ORDER BY 1")], 11.4 * second),
        ],
        coordinator: { name: "c", clockOffsetMs: -1_000, clockDriftPpm: 0 },
        faults: [{ kind: "clock-step" as const, node: "c", byMs: -10_000, atNanos: 3 * second, untilNanos: 4 * second }],
        healNanos: 15 * second,
        expect: { atLeast: { finished: 4 }, atMost: { failed: 0 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "state-tables",
    sentence: "query 20260101_000000_00000_v597r left QUEUED although it was in FAILED",
  },
  cause:
    "src/protocol/query-id.ts restarted its counter whenever the day changed, even to an earlier day, and a user was shown the query of another user. The counter now restarts only on a later day.",
  fixed: "2026-11-22",
};
