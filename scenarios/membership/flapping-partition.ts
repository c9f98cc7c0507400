import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const flappingPartition: Scenario = {
  name: "flapping-partition",
  story:
    "The link between coordinator and a worker goes down and up several times a second, and so does one between two workers. Requests fail and succeed in turn. No node is declared failed permanently, and no row is lost or duplicated.",
  plan: (seed) => {
    const times = { atNanos: 0, untilNanos: 6 * second, afterWorkNanos: fromSeed(seed, 60) * ms };
    const flaps = { bothWays: true, downNanos: (60 + fromSeed(seed, 200)) * ms, upNanos: (100 + fromSeed(`${seed}up`, 300)) * ms };
    return calmCluster(seed, {
      users: [user("u1", [reads(wideStatement), reads(wideStatement, second)]), user("u2", [reads(wideStatement, 20 * ms)])],
      faults: [
        { kind: "flapping-partition", ...times, ...flaps, from: "c", to: "w2" },
        { kind: "flapping-partition", ...times, ...flaps, from: "w1", to: "w3" },
      ],
      expect: { atLeast: { "landed flapping-partition": 1, cut: 4, finished: 1 } },
    });
  },
};
