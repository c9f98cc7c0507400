import { calmCluster, fromSeed, ms, reads, second, user } from "../../scenario.ts";
import type { Bug } from "../bug.ts";

export const readerThatLeftWithNothing: Bug = {
  scenario: {
    name: "reader-that-left-with-nothing",
    story:
      "A worker has just created a task when it is told to shut down, and the response to the creation is lost. The grace period ends before the task has received a page: the task fails and closes its input. The worker restarts, and the coordinator retries its request. The task must not be created again with its remaining input, which is empty.",
    plan: (seed) =>
      calmCluster(seed, {
        nanosPerWorkUnit: 40,
        users: [user("u1", [reads("SELECT regionkey, count(*) FROM nation GROUP BY regionkey", 100 * ms)])],
        properties: { "query.hash-partition-count": "3" },
        faults: [
          { kind: "slow-node" as const, node: "w1", factor: 100_000, atNanos: 0, untilNanos: 1 * second },
          ...["w2", "w3"].flatMap((node) => [
            { kind: "one-way-partition" as const, from: node, to: "c", atNanos: 90 * ms, untilNanos: 200 * ms },
            { kind: "shutdown" as const, node, atNanos: (110 + fromSeed(seed, 10)) * ms, untilNanos: 180 * ms },
            { kind: "crash" as const, node, disk: "synced" as const, atNanos: 220 * ms, untilNanos: 350 * ms },
          ]),
        ],
        expect: { atLeast: { "landed shutdown": 1 } },
      }),
  },
  noticed: {
    kind: "wrong-result",
    oracle: "results",
    sentence:
      "u1 got 4 of 5 rows, first difference at row 1: expected [1,5], found [2,5]: SELECT regionkey, count(*) FROM nation GROUP BY regionkey",
  },
  cause:
    "src/worker/task-resource.ts created a task for every request, even if the request was meant for a former incarnation of the node, which may have had the task. An output buffer whose consumer has closed it looks complete to the next consumer. A request now names the intended incarnation, and another incarnation answers with 412.",
  fixed: "2026-11-22",
};
