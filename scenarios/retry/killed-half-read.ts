import { calmCluster, fromSeed, ms, type Scenario, second, streamedStatement, user } from "../scenario.ts";

export const killedHalfRead: Scenario = {
  name: "killed-half-read",
  story:
    "A worker crashes when clients have read a part of a result page by page. The query runs again on the other workers, and each client gets each row once, in the same order, without an error.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "retry-policy": "QUERY", "sink.max-buffer-size": "16kB", "exchange.max-buffer-size": "16kB" },
      knobs: { "page-rows": 1_000, "frame-rows": 64 },
      users: ["u1", "u2"].map((name, index) => ({
        ...user(name, [{ sql: streamedStatement, behaviour: { kind: "slow", pauseNanos: 40 * ms }, thinkNanos: index * 300 * ms }], second),
        targetResultSize: "32kB",
      })),
      faults: [
        { kind: "crash", atNanos: 0, untilNanos: 3 * second, atMoment: "half read", afterWorkNanos: fromSeed(seed, 900) * ms, node: "w2" },
      ],
      expect: { atLeast: { "landed crash": 1, "attempts lost": 1, finished: 2 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
