import { calmCluster, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const slowReaderForgotten: Bug = {
  scenario: {
    name: "slow-reader-forgotten",
    story:
      "A client pauses between two responses. Meanwhile other users complete many short statements, more than the history holds. The client's rows must still be available when it requests them.",
    plan: (seed) =>
      calmCluster(seed, {
        properties: { "query.max-history": "1" },
        users: [
          {
            ...user(
              "u1",
              [{ sql: "SELECT name FROM nation", behaviour: { kind: "slow", pauseNanos: 3 * second }, thinkNanos: 0 }],
              0.5 * second,
            ),
          },
          user(
            "u2",
            Array.from({ length: 8 }, () => reads("SELECT count(*) FROM region", 0.1 * second)),
            0.6 * second,
          ),
        ],
        expect: { atLeast: { finished: 10 }, atMost: { failed: 0 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "probes",
    sentence: "u2 asked a token again after a while, /v1/statement/20260101_000000_00001_nq4qz/1 and was answered 404, not 200 or 503",
  },
  cause:
    "src/coordinator/query/query-tracker.ts forgot the oldest ended query as soon as three times query.max-history had ended, even if its client had not received its rows. Now a query is forgotten only if no client waits for it: the client has the last document, has cancelled, or has been silent for query.client.timeout.",
  fixed: "2026-11-22",
};
