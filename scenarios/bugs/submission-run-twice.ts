import { calmCluster, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const submissionRunTwice: Bug = {
  scenario: {
    name: "submission-run-twice",
    story:
      "A client submits with an id of its own, gets no response, and retries half a minute later. Meanwhile its query has ended and was forgotten, because no client fetched its rows. The statement must not run a second time.",
    plan: (seed) =>
      calmCluster(seed, {
        properties: { "query.client.timeout": "30s", "query.max-history": "2", "query.min-expire-age": "10s" },
        users: [
          user("u1", [{ sql: "SELECT custkey FROM orders", behaviour: { kind: "retries" }, thinkNanos: 0 }], second),
          user(
            "u2",
            Array.from({ length: 4 }, () => reads("SELECT count(*) FROM region", 0.1 * second)),
            2 * second,
          ),
        ],
        fates: [{ message: "u1>c statement-submit-again #1 answer", kind: "lost" }],
        healNanos: 40 * second,
        expect: { atLeast: { finished: 5 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "state-tables",
    sentence: "query 20260101_000000_00001_xxxu2 left QUEUED although it was in FINISHED",
  },
  cause:
    "src/coordinator/resources/statement-resource.ts treated a PUT with the id of a query that src/coordinator/query/query-tracker.ts had forgotten as a new statement. The ids of the last 10,000 forgotten queries are now kept and answered with 410.",
  fixed: "2026-11-22",
};
