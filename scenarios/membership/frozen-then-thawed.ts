import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const frozenThenThawed: Scenario = {
  name: "frozen-then-thawed",
  story:
    "A worker freezes in the middle of its tasks for longer than any time-out, is declared failed, and then continues where it stopped: with tasks of queries that ended long ago, and responses that no client waits for. It is used again, and no old data reaches a new query.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [
        user("u1", [reads(wideStatement), reads(wideStatement, second)]),
        user("u2", [reads(wideStatement, 5 * ms), reads(wideStatement, 41 * second)]),
      ],
      faults: [{ kind: "pause", atNanos: 0, untilNanos: 40 * second, afterWorkNanos: fromSeed(seed, 120) * ms, node: "w2" }],
      healNanos: 45 * second,
      expect: { atLeast: { "landed pause": 1, timedOut: 1, finished: 1 } },
    }),
};
