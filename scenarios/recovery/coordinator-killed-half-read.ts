import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user, wideStatement } from "../scenario.ts";

export const coordinatorKilledHalfRead: Scenario = {
  name: "coordinator-killed-half-read",
  story:
    "The process of the coordinator is killed while clients have a part of their rows, wait for the first ones, or have just sent a statement. It starts again a second later; each client goes on with the address that it has, and gets each row once, in the same order.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: {
        "query-recovery.enabled": "true",
        "sink.max-buffer-size": "16kB",
        "exchange.max-buffer-size": "16kB",
      },
      knobs: { "page-rows": 1_000, "frame-rows": 64 },
      users: [
        ...["u1", "u2"].map((name, index) => ({
          ...user(
            name,
            [{ sql: streamedStatement, behaviour: { kind: "slow" as const, pauseNanos: 40 * ms }, thinkNanos: index * 300 * ms }],
            second,
          ),
          targetResultSize: "32kB",
        })),
        user("u3", [reads(wideStatement), reads(wideStatement)], second + fromSeed(`${seed}u3`, 1_000) * ms),
        user(
          "u4",
          Array.from({ length: 6 }, () => reads("SELECT count(*) FROM nation", 200 * ms)),
          second,
        ),
      ],
      faults: [
        {
          kind: "coordinator-crash",
          atNanos: second + fromSeed(seed, 2_000) * ms,
          untilNanos: 4 * second,
          afterWorkEvents: 0,
          node: "c",
          disk: "kept",
        },
      ],
      expect: { atLeast: { "landed coordinator-crash": 1, finished: 10 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
