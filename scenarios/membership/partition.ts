import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user, wideStatement } from "../scenario.ts";

export const partition: Scenario = {
  name: "partition",
  story:
    "Two workers cannot reach each other while both still reach the coordinator; then one worker reaches no other node. Exchanges starve although heartbeats succeed at first. No query hangs, and no result lacks rows.",
  plan: (seed) => {
    const afterWorkNanos = fromSeed(seed, 40) * ms;
    return calmCluster(seed, {
      users: [
        user("u1", [reads(wideStatement), reads(wideStatement)]),
        user("u2", [reads(streamedStatement, 2 * ms), reads(wideStatement, 8 * second)]),
      ],
      faults: [
        { kind: "one-way-partition", atNanos: 0, untilNanos: 4 * second, afterWorkNanos, from: "w1", to: "w2" },
        { kind: "partition", atNanos: 8 * second, untilNanos: 14 * second, afterWorkNanos, nodes: ["w3"] },
      ],
      healNanos: 40 * second,
      expect: { atLeast: { "landed one-way-partition": 1, "landed partition": 1, finished: 2, cut: 4 } },
    });
  },
};
