import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user, wideStatement } from "../scenario.ts";

export const anotherClusterGoesOn: Scenario = {
  name: "another-cluster-goes-on",
  story:
    "The process of the coordinator is killed twice while another cluster runs the statements of its clients: some have a part of their rows, some wait for the first ones, some have just sent a statement. The next incarnation goes on with the queries that the other cluster still has. Each client gets each row once, and nothing is sent twice whose first answer had come.",
  plan: (seed) => {
    const far = "far";
    return {
      ...calmCluster(seed, {}),
      properties: { "query-recovery.enabled": "true", "query.client.timeout": "60s" },
      knobs: { "result-buffer-bytes": 64 * 1024 },
      remote: {
        name: far,
        clockOffsetMs: -70_000,
        clockDriftPpm: 0,
        errorDuration: "5s",
        rules: [{ user: "u.", cluster: far }],
      },
      users: [
        ...["u1", "u2", "u3"].map((name, index) => ({
          ...user(
            name,
            [{ sql: streamedStatement, behaviour: { kind: "slow" as const, pauseNanos: 60 * ms }, thinkNanos: index * 300 * ms }],
            second,
          ),
          ...(index > 0 && { family: "trino" as const }),
          targetResultSize: "16kB",
        })),
        user("u4", [reads(wideStatement), reads(wideStatement)], second + fromSeed(`${seed}u4`, 1_000) * ms),
        user(
          "u5",
          Array.from({ length: 6 }, () => reads("SELECT count(*) FROM nation", 200 * ms)),
          second,
        ),
      ],
      faults: [2, 6].map((seconds) => ({
        kind: "coordinator-crash" as const,
        atNanos: seconds * second + fromSeed(`${seed}${seconds}`, 1_500) * ms,
        untilNanos: (seconds + 2) * second,
        afterWorkEvents: 0,
        node: "c",
        disk: "kept" as const,
      })),
      healNanos: 16 * second,
      expect: { atLeast: { "landed coordinator-crash": 2, finished: 8 }, atMost: { failed: 0, unanswered: 4 } },
    };
  },
};
