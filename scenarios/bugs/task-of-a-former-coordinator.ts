import { calmLink } from "../../sim/world/fates.ts";
import { calmCluster, ms, reads, second, user } from "../scenario.ts";
import type { Bug } from "./bug.ts";

const query = "SELECT orderkey FROM orders";
const table = "memory.default.t_u1";

export const taskOfAFormerCoordinator: Bug = {
  scenario: {
    name: "task-of-a-former-coordinator",
    story:
      "A client names its query itself and submits it. The coordinator crashes as soon as tasks are made, and the client gives the same query to the next one, whose tasks have the same ids while other workers are known. A worker that still has the former task must not take it for the new one: the table would get a part of its rows.",
    plan: (seed) =>
      calmCluster(seed, {
        workers: ["w1", "w2"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
        link: { ...calmLink, latencyNanosMin: 200_000, latencyNanosMax: 200_000 },
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
    "src/worker/task-registry.ts knew tasks by their ids alone, and took an update from another life of the coordinator for one of the task that it had: the splits that were not its own were ignored, and the rows of the former ones given out as all. An update says which life of the coordinator it is from, and one that is not the creator's is answered 410.",
  fixed: "2026-11-22",
};
