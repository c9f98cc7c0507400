import { calmCluster, fromSeed, streamedStatement, ms, type Scenario, user } from "../scenario.ts";

export const slowClient: Scenario = {
  name: "slow-client",
  story:
    "A client takes its time between pages while every buffer is small. Producers wait without holding memory beyond their bounds, the query is not taken for abandoned, and the rows come complete and in order.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "sink.max-buffer-size": "32kB", "exchange.max-buffer-size": "32kB", "exchange.max-response-size": "16kB" },
      users: [
        {
          ...user("u1", [
            { sql: streamedStatement, behaviour: { kind: "slow", pauseNanos: (1_000 + fromSeed(seed, 4_000)) * ms }, thinkNanos: 0 },
          ]),
          targetResultSize: "16kB",
        },
      ],
      // Its tasks could hold all rows, almost 2 MB; they may not.
      expect: { atLeast: { polls: 10, finished: 1 }, atMost: { failed: 0, peakReservedBytes: 1_000_000 } },
    }),
};
