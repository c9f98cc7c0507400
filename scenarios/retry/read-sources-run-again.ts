import { calmCluster, fromSeed, ms, type Scenario, second, user } from "../scenario.ts";

/** Its scans and its aggregation are over while the client reads, so their tasks have been canceled as nobody reads them any more. */
const numbered =
  "SELECT k, row_number() OVER (PARTITION BY k % 9 ORDER BY k) AS n FROM (SELECT custkey AS k, count(*) AS c FROM tpch.tiny.orders GROUP BY custkey)";

export const readSourcesRunAgain: Scenario = {
  name: "read-sources-run-again",
  story:
    "A worker crashes while clients read rows of a window function whose sources are long over: their tasks were canceled when all had been read. The lost tasks and these sources run again; the clients get each row once, in the same order, without an error.",
  plan: (seed) =>
    calmCluster(seed, {
      lendsNothing: true,
      properties: { "retry-policy": "TASK", "sink.max-buffer-size": "1kB", "exchange.max-buffer-size": "1kB" },
      knobs: { "page-rows": 20, "frame-rows": 20, "result-buffer-bytes": 1_000, "result-read-bytes": 1_000 },
      users: ["u1", "u2"].map((name) => ({
        ...user(name, [{ sql: numbered, behaviour: { kind: "slow", pauseNanos: 100 * ms }, thinkNanos: 0 }], second),
        targetResultSize: "1kB",
      })),
      faults: [
        { kind: "crash", atNanos: 0, untilNanos: 3 * second, atMoment: "half read", afterWorkNanos: fromSeed(seed, 200) * ms, node: "w2" },
      ],
      expect: {
        atLeast: { "landed crash": 1, "rounds of lost tasks": 1, finished: 2 },
        atMost: { failed: 0, unanswered: 0, "attempts lost": 0 },
      },
    }),
};
