import type { PlannedStatement } from "../../sim/plan.ts";
import { calmCluster, fromSeed, ms, type Scenario, second, stepsOn, user } from "../scenario.ts";

const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";

/** What a user does with a table of its own. */
export function steps(table: string): readonly PlannedStatement[] {
  const step = stepsOn(table, { behaviour: { kind: "retries" } });
  const count = step("read", `SELECT count(*), sum(quantity), max(shipmode) FROM ${table}`);
  return [
    step("create", `${lines} WHERE l.orderkey > 0`),
    count,
    step("insert", `${lines} WHERE l.orderkey < 100`),
    count,
    step("replace", `${lines} WHERE l.orderkey % 2 = 0`),
    step("insert", `${lines} WHERE l.orderkey % 2 = 1`),
    count,
    step("drop"),
    step("create", lines),
    count,
  ];
}

export const coordinatorKilledWhileWriting: Scenario = {
  name: "coordinator-killed-while-writing",
  story:
    "The process of the coordinator is killed while users create, fill, replace, read and drop tables in memory, often between the record of a change and the answer. It starts again; the tables are there, as the workers still have their rows. Each statement has its effect once, and tells its rows.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 2_000,
      properties: { "query-recovery.enabled": "true", "table-recovery.enabled": "true", "task.info.max-age": "10s" },
      points: { "memory-catalog-synced-late": 500, "memory-catalog-answers-late": 900 },
      users: ["u1", "u2"].map((name) => user(name, steps(`memory.default.${name}`), second)),
      faults: [0, 1].map((index) => ({
        kind: "coordinator-crash" as const,
        atNanos: (1 + 4 * index) * second + fromSeed(`${seed}/${index}`, 1_500) * ms,
        untilNanos: (4 + 4 * index) * second,
        afterWorkEvents: fromSeed(`${seed}/${index}/events`, 200),
        node: "c",
        disk: "kept" as const,
      })),
      expect: { atLeast: { "landed coordinator-crash": 1, finished: 20 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
