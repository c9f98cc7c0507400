import { calmCluster, fromSeed, streamedStatement, ms, type Scenario, user } from "../scenario.ts";

export const slowClient: Scenario = {
  name: "slow-client",
  story:
    "A client pauses between pages while every buffer is small. Producers wait without exceeding their memory bounds, the query does not count as abandoned, and the rows arrive complete and in order.",
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
      // Its tasks could hold all rows, almost 2 MB; the bound must prevent it.
      expect: { atLeast: { polls: 10, finished: 1 }, atMost: { failed: 0, peakReservedBytes: 1_000_000 } },
    }),
};
