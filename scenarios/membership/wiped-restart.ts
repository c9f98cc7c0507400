import { calmCluster, fromSeed, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const wipedRestart: Scenario = {
  name: "wiped-restart",
  story:
    "A worker's machine is replaced by an empty one with the same name and address while its pages are on the old machine's disk. Another worker crashes and finds its old files: they belong to no query, and must be neither read nor kept.",
  plan: (seed) =>
    calmCluster(seed, {
      points: { "buffer-spills-early": 1_000 },
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 8 * second)]), user("u2", [reads(wideStatement, 4 * second)])],
      faults: [
        { kind: "wiped-restart", atNanos: 0, untilNanos: second, afterWorkEvents: 20 + fromSeed(seed, 60), node: "w2" },
        { kind: "crash", atNanos: 3 * second, untilNanos: 4 * second, afterWorkEvents: 20 + fromSeed(seed, 60), node: "w1", disk: "kept" },
      ],
      expect: { atLeast: { "landed wiped-restart": 1, "landed crash": 1, spills: 1, finished: 1 } },
    }),
};
