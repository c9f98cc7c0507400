import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user } from "../scenario.ts";

export const stragglerRunsTwice: Scenario = {
  name: "straggler-runs-twice",
  story:
    "A worker is stopped for twenty seconds while it scans, and another one is slow later. Their tasks get second runs on other workers, which are kept; the queries end with the same rows while the worker is still stopped. Nothing of the runs that were not kept is left.",
  plan: (seed) =>
    calmCluster(seed, {
      lendsNothing: true,
      nanosPerWorkUnit: 20_000,
      properties: { "retry-policy": "TASK", "speculative-execution-enabled": "true", "task.max-slice-rows": "500" },
      knobs: { "speculation-min-ms": 50, "speculation-percent": 100, "page-rows": 200, "frame-rows": 64 },
      users: ["u1", "u2"].map((name) =>
        user(name, [reads(streamedStatement), reads(streamedStatement, 30 * second), reads(streamedStatement, second)], second),
      ),
      faults: [
        { kind: "pause", node: "w2", atNanos: second, untilNanos: 21 * second, afterWorkNanos: (20 + fromSeed(seed, 60)) * ms },
        {
          kind: "slow-node",
          node: "w1",
          factor: 40,
          atNanos: 31 * second,
          untilNanos: 36 * second,
          afterWorkNanos: fromSeed(`${seed}2`, 60) * ms,
        },
      ],
      healNanos: 40 * second,
      expect: {
        atLeast: { "second runs": 1, "second runs kept": 1, finished: 6 },
        atMost: { failed: 0, unanswered: 0, "attempts lost": 0 },
      },
    }),
};
