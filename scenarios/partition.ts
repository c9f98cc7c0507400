import { calmCluster, fromSeed, longStatement, ms, reads, type Scenario, second, user, wideStatement } from "./scenario.ts";

export const partition: Scenario = {
  name: "partition",
  story:
    "Two workers lose each other while both still reach the coordinator, then one worker loses everybody. Exchanges starve, heartbeats stay green at first; no query hangs and no result is short.",
  plan: (seed) => {
    const atNanos = 1 * ms + fromSeed(seed, 200) * ms;
    return calmCluster(seed, {
      users: [user("u1", [reads(wideStatement), reads(wideStatement)]), user("u2", [reads(longStatement, 2 * ms)])],
      faults: [
        { kind: "one-way-partition", atNanos, untilNanos: atNanos + 4 * second, from: "w1", to: "w2" },
        { kind: "partition", atNanos: atNanos + second, untilNanos: atNanos + 6 * second, nodes: ["w3"] },
      ],
      healNanos: 12 * second,
    });
  },
};
