import { type TableStep, tableStatement } from "../../sim/workload/user-tables.ts";
import type { PlannedStatement } from "../../sim/plan.ts";
import { calmCluster, fromSeed, ms, type Scenario, second, user } from "../scenario.ts";

const table = "memory.default.killed";
const lines = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l";

function step(operation: TableStep["operation"], query: string, thinkNanos = 0): PlannedStatement {
  const planned: TableStep = { table, operation, query };
  return { sql: tableStatement(planned), behaviour: { kind: "reads-all" }, thinkNanos, step: planned };
}

export const killedWhileWriting: Scenario = {
  name: "killed-while-writing",
  story:
    "A worker dies for good while CREATE TABLE AS writes, and its rows with it. The statement runs again on the others: the table has each row once. Nothing of the lost attempt is visible, and nothing of it stays.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      core: ["w1", "w3"],
      users: [
        user(
          "u1",
          [
            step("create", `${lines} WHERE l.orderkey > 0`),
            step("read", `SELECT count(*), sum(quantity) FROM ${table}`),
            step("insert", `${lines} WHERE l.orderkey < 100`),
            step("read", `SELECT count(*), sum(quantity) FROM ${table}`),
          ],
          second,
        ),
      ],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: fromSeed(seed, 40) * ms, node: "w2", permanent: true }],
      expect: { atLeast: { "landed crash": 1, "attempts lost": 1, finished: 4 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
