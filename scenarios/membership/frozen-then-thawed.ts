import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const frozenThenThawed: Scenario = {
  name: "frozen-then-thawed",
  story:
    "A worker stands still in the middle of its tasks for longer than anybody waits, is taken for dead, and goes on where it was: with tasks of queries that ended long ago, and answers that nobody wants. It is used again, and nothing old gets into anything new.",
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
