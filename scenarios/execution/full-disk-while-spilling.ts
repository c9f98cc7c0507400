import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const fullDiskWhileSpilling: Scenario = {
  name: "full-disk-while-spilling",
  story:
    "Output buffers spill as much as possible, and the disks of all workers are full. The query fails with OUT_OF_SPILL_SPACE instead of returning fewer rows, no resources are left, and the next query has space again.",
  plan: (seed) =>
    calmCluster(seed, {
      points: { "buffer-spills-early": 1_000 },
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 12 * second)])],
      faults: ["w1", "w2", "w3"].map((node) => ({
        kind: "full-disk" as const,
        atNanos: 0,
        untilNanos: 8 * second,
        afterWorkNanos: fromSeed(seed, 20) * ms,
        node,
        bytesMax: fromSeed(`${seed}${node}`, 4_000),
      })),
      expect: { atLeast: { "landed full-disk": 1, "failed OUT_OF_SPILL_SPACE": 1, finished: 1, spills: 1 } },
    }),
};
