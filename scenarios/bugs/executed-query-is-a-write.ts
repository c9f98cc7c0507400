import { calmCluster, ms, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const sql = "EXECUTE IMMEDIATE 'SELECT custkey, count(*) FROM orders WHERE totalprice > ? GROUP BY custkey' USING 226512";

export const executedQueryIsAWrite: Bug = {
  scenario: {
    name: "executed-query-is-a-write",
    story:
      "Another cluster runs a SELECT that a client executes with parameters. Its coordinator is started again before the client has a row. The statement only reads, so it is sent there once more.",
    plan: (seed) => ({
      ...calmCluster(seed, {}),
      properties: { "query.client.timeout": "60s" },
      nanosPerWorkUnit: 200_000,
      remote: {
        name: "far",
        clockOffsetMs: 0,
        clockDriftPpm: 0,
        errorDuration: "5s",
        rules: [{ user: "u.", queryType: "SELECT", cluster: "far" }],
      },
      users: [user("u1", [reads(sql)], second)],
      faults: [{ kind: "crash", atNanos: second + 100 * ms, untilNanos: 2 * second, node: "far" }],
      healNanos: 4 * second,
      expect: { atLeast: { "landed crash": 1, finished: 1 }, atMost: { failed: 0 } },
    }),
  },
  noticed: {
    kind: "safety",
    oracle: "retries",
    sentence: "20260101_000000_00001_xxxu1 failed with REMOTE_HOST_GONE after 0 lost attempts (writes)",
  },
  cause:
    "src/coordinator/routing/statement-router.ts asked whether the statement is a SELECT, which EXECUTE is not, while the rules look at what it executes (seed 975168). Both look at that now.",
  fixed: "2026-11-29",
};
