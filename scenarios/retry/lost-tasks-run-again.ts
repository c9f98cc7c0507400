import { calmCluster, fromSeed, ms, type Scenario, second, streamedStatement, user } from "../scenario.ts";

const counted =
  "SELECT o.orderpriority, count(*), sum(l.quantity) FROM tpch.tiny.orders o JOIN tpch.tiny.lineitem l ON o.orderkey = l.orderkey GROUP BY 1 ORDER BY 1";

export const lostTasksRunAgain: Scenario = {
  name: "lost-tasks-run-again",
  story:
    "A worker crashes while clients read joined rows page by page, and another one a little later. The lost tasks run again on the other workers, with what they had read from tasks that have given it away; no query runs again as a whole. Each client gets each row once, in the same order, without an error.",
  plan: (seed) =>
    calmCluster(seed, {
      lendsNothing: true,
      properties: { "retry-policy": "TASK", "sink.max-buffer-size": "16kB", "exchange.max-buffer-size": "16kB" },
      knobs: { "page-rows": 1_000, "frame-rows": 64 },
      users: ["u1", "u2"].map((name, index) => ({
        ...user(
          name,
          [streamedStatement, counted].map((sql) => ({
            sql,
            behaviour: { kind: "slow", pauseNanos: 40 * ms },
            thinkNanos: index * 300 * ms,
          })),
          second,
        ),
        targetResultSize: "32kB",
      })),
      faults: [
        { kind: "crash", atNanos: 0, untilNanos: 3 * second, atMoment: "half read", afterWorkNanos: fromSeed(seed, 900) * ms, node: "w2" },
        { kind: "crash", atNanos: 2_200 * ms, untilNanos: 5 * second, afterWorkNanos: fromSeed(`${seed}2`, 600) * ms, node: "w3" },
      ],
      expect: {
        atLeast: { "landed crash": 2, "rounds of lost tasks": 1, finished: 4 },
        atMost: { failed: 0, unanswered: 0, "attempts lost": 0 },
      },
    }),
};
