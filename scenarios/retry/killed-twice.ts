import { calmCluster, fromSeed, ms, type Scenario, second, streamedStatement, user } from "../scenario.ts";

export const killedTwice: Scenario = {
  name: "killed-twice",
  story:
    "A worker crashes while a client reads, and another one while the query has run again and continues behind the rows that the client has. The third attempt repeats the rows of the two before.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "retry-policy": "QUERY", "sink.max-buffer-size": "16kB", "exchange.max-buffer-size": "16kB" },
      knobs: { "page-rows": 1_000, "frame-rows": 64 },
      users: [
        {
          ...user("u1", [{ sql: streamedStatement, behaviour: { kind: "slow", pauseNanos: 40 * ms }, thinkNanos: 0 }], second),
          targetResultSize: "32kB",
        },
      ],
      faults: (["w2", "w3"] as const).map((node, index) => ({
        kind: "crash",
        atNanos: second + index * 1_200 * ms,
        untilNanos: (7 + index) * second,
        atMoment: "half read",
        afterWorkNanos: fromSeed(`${seed}${node}`, 300) * ms,
        node,
      })),
      expect: { atLeast: { "landed crash": 2, "attempts lost": 2, finished: 1 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
