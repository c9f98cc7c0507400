import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const corruptSpill: Scenario = {
  name: "corrupt-spill",
  story:
    "Spilled pages are read back with a flipped bit. The worker detects it, and the query fails with Presto's error message; wrong rows never leave the node.",
  plan: (seed) =>
    calmCluster(seed, {
      points: { "buffer-spills-early": 1_000 },
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 12 * second)])],
      faults: ["w1", "w2", "w3"].map((node) => ({
        kind: "corrupt-reads" as const,
        atNanos: 0,
        untilNanos: 8 * second,
        afterWorkNanos: fromSeed(seed, 20) * ms,
        node,
        percent: 100,
      })),
      expect: { atLeast: { "landed corrupt-reads": 1, "failed GENERIC_INTERNAL_ERROR": 1, finished: 1, spills: 1 } },
    }),
};
