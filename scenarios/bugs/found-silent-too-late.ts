import { calmCluster, fromSeed, ms, reads, second, streamedStatement, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const foundSilentTooLate: Bug = {
  scenario: {
    name: "found-silent-too-late",
    story:
      "A worker is cut off. Its announcement expires before three consecutive heartbeats have failed, and only those mark it as gone. Queries that wait for one of its tasks must fail at that point, and not continue to send requests until the error duration is over.",
    plan: (seed) =>
      calmCluster(seed, {
        users: [user("u1", [reads(streamedStatement)], 4 * second)],
        properties: { "discovery.max-age": "4s", "task.info.max-age": "10s" },
        faults: [{ kind: "partition" as const, nodes: ["w1"], atNanos: 4020 * ms + fromSeed(seed, 8) * ms, untilNanos: 20 * second }],
        healNanos: 20 * second,
        expect: { atLeast: { "landed partition": 1 } },
      }),
  },
  noticed: {
    kind: "safety",
    oracle: "membership",
    sentence: "w1 is known to be gone, and is asked for a task: task-status GET /v1/task/20260101_000000_00001_ecyn8.1.0/status",
  },
  cause:
    "src/monitor/failure-detector.ts did not report the result of the last heartbeats for a node whose announcement had expired, so requests about tasks of a node that was gone continued until their error duration was over.",
  fixed: "2026-11-22",
};
