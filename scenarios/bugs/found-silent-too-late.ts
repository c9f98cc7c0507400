import { calmCluster, fromSeed, ms, reads, second, streamedStatement, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const foundSilentTooLate: Bug = {
  scenario: {
    name: "found-silent-too-late",
    story:
      "A worker is cut off. Its announcement runs out before three heartbeats in a row have failed, and only those make it gone. Whoever waits for one of its tasks is told then, and does not go on to ask until the error duration is over.",
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
    "src/monitor/failure-detector.ts told nobody what the last heartbeats said of a node whose announcement had run out, so that the tasks of a node that was gone were asked for until their error duration was over.",
  fixed: "2026-11-22",
};
