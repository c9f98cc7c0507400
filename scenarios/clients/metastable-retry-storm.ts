import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const metastableRetryStorm: Scenario = {
  name: "metastable-retry-storm",
  story:
    "Crowds of clients come while the coordinator turns most requests away and a worker is slow, so that everybody asks again and again. When that is over the load that was there before gets as much done as if nothing had happened.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 3 * second)])],
      goodput: {
        users: 2,
        sql: "SELECT regionkey, count(*) FROM nation GROUP BY regionkey",
        thinkNanos: 300 * ms,
        startNanos: 0,
        recoveryNanos: 8 * second,
        windowNanos: 5 * second,
      },
      faults: [
        { kind: "overload-503", atNanos: 2 * second, untilNanos: 8 * second, node: "c", percent: 80 },
        { kind: "slow-node", atNanos: 2 * second, untilNanos: 9 * second, node: "w1", factor: 20 },
        ...[2, 4].map((at) => ({
          kind: "crowd" as const,
          atNanos: at * second + fromSeed(`${seed}${at}`, 500) * ms,
          untilNanos: 9 * second,
          users: 8,
          sql: "SELECT count(*) FROM nation",
        })),
      ],
      expect: { atLeast: { turnedAway: 20, finished: 10, "load finished": 20 } },
    }),
};
