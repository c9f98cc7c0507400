import { calmLink } from "../../sim/world/fates.ts";
import { calmCluster, ms, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const query = "SELECT orderkey FROM orders";
const table = "memory.default.t_u1";

export const taskOfAFormerCoordinator: Bug = {
  scenario: {
    name: "task-of-a-former-coordinator",
    story:
      "A client submits a query with an id of its own. The coordinator crashes as soon as tasks are created, and the client submits the same query to the next incarnation, whose tasks have the same ids while other workers are known. A worker that still has a task of the former incarnation must not treat it as the new task: the table would get only a part of its rows.",
    plan: (seed) =>
      calmCluster(seed, {
        workers: ["w1", "w2"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
        link: { ...calmLink, latencyNanosMin: 200_000, latencyNanosMax: 200_000 },
        properties: { "retry-policy": "NONE" },
        splitsPerNode: 2,
        nanosPerWorkUnit: 1,
        users: [
          user(
            "u1",
            [
              {
                sql: `CREATE TABLE ${table} AS ${query}`,
                behaviour: { kind: "retries" },
                thinkNanos: 0,
                step: { table, operation: "create", query },
              },
            ],
            2 * ms,
          ),
          user("u2", [reads("SELECT count(*) FROM nation")], 5 * second),
        ],
        faults: [{ kind: "coordinator-crash", atNanos: 0, untilNanos: 2 * ms, afterWorkEvents: 0, node: "c" }],
        healNanos: 500 * ms,
        expect: { atLeast: { finished: 1, "landed coordinator-crash": 1, "failed REMOTE_TASK_ERROR": 1 } },
      }),
  },
  noticed: {
    kind: "wrong-result",
    oracle: "tables",
    sentence: "u1 got 1 rows where 1 rows is right: create memory.default.t_u1 SELECT orderkey FROM orders",
  },
  cause:
    "src/worker/task-registry.ts identified tasks by their ids only, and applied an update from another incarnation of the coordinator to its existing task: the new splits were ignored, and the rows of the former splits returned as the complete output. An update now contains the incarnation of the coordinator, and one from another incarnation than the creator's is answered with 410.",
  fixed: "2026-11-22",
};
