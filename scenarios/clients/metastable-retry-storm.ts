import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const metastableRetryStorm: Scenario = {
  name: "metastable-retry-storm",
  story:
    "Many clients arrive while the coordinator rejects most requests and a worker is slow, so that all clients retry repeatedly. Afterwards, the original load reaches the same throughput as without the disturbance.",
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
