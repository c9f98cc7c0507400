import { calmCluster, fromSeed, ms, reads, second, streamedStatement, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const taskOfOneWhoCameBack: Bug = {
  scenario: {
    name: "task-of-one-who-came-back",
    story:
      "The request that creates a task is delayed on its way to a worker that is unreachable meanwhile. The worker is marked as gone, and the query fails. Then the worker returns, is known again, and only now receives the request. The task, which no query waits for, must be deleted.",
    plan: (seed) =>
      calmCluster(seed, {
        users: [user("u1", [reads(streamedStatement)], 4 * second)],
        properties: {
          "discovery.max-age": "4s",
          "task.info.max-age": "10s",
          "query.remote-task.max-error-duration": "20s",
          "retry-policy": "NONE",
        },
        faults: [
          { kind: "slow-link" as const, from: "w1", to: "c", extraNanos: 3 * second, atNanos: 5 * second, untilNanos: 9 * second },
          {
            kind: "slow-link" as const,
            from: "c",
            to: "w1",
            extraNanos: 8 * second + fromSeed(seed, 400) * ms,
            atNanos: 3900 * ms,
            untilNanos: 9 * second,
          },
        ],
        healNanos: 20 * second,
        expect: { atLeast: { failed: 1 } },
      }),
  },
  noticed: {
    kind: "leak",
    oracle: "deletions",
    sentence: "20260101_000001_00003_7gp36.1.1 was created on w1, its query has ended, and nobody asks w1 to delete it",
  },
  cause:
    "src/coordinator/scheduler/remote-task.ts remembered that the node had been gone, and sent no deletion although the node had returned and had received the request to create the task.",
  fixed: "2026-11-22",
};
