import { tableStatement } from "../../../sim/workload/user-tables.ts";
import type { PlannedStatement } from "../../../sim/plan.ts";
import { calmCluster, fromSeed, ms, second, stepsOn, user } from "../../scenario.ts";
import type { Bug } from "../bug.ts";

const [lines, others] = ["bucket.default.lines", "bucket.default.others"] as const;
const read = "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l WHERE l.orderkey < 100";

/** Canceled while its commit asks the store what there is. */
function canceled(table: string, operation: "create" | "drop", afterMs: number): PlannedStatement {
  const step = { table, operation, query: operation === "drop" ? "" : read };
  return { sql: tableStatement(step), behaviour: { kind: "cancels-at", afterNanos: afterMs * ms }, thinkNanos: 0, step };
}

export const canceledBeforeItsChange: Bug = {
  scenario: {
    name: "canceled-before-its-change",
    story:
      "CREATE TABLE AS and DROP TABLE in an object store are canceled while their commits are several requests away from the change. The client is told that its statement is canceled, and the table stays as it was.",
    plan: (seed) => ({
      ...calmCluster(seed, {}),
      nanosPerWorkUnit: 500,
      store: { delayNanosMin: 100 * ms, delayNanosMax: 300 * ms, faultPercent: 0, pageKeys: 1_000 },
      users: [
        user(
          "u1",
          [
            stepsOn(lines)("create", read),
            ...[0, 1, 2].map((index) => canceled(lines, "drop", 2_500 + fromSeed(`${seed}/${index}`, 1_400))),
          ],
          second,
        ),
        user(
          "u2",
          [0, 1, 2, 3].map((index) => canceled(others, "create", 1_500 + fromSeed(`${seed}/u2/${index}`, 1_000))),
          second,
        ),
      ],
      healNanos: 12 * second,
      expect: { atLeast: { canceled: 1 }, atMost: { unanswered: 0 } },
    }),
  },
  noticed: {
    kind: "safety",
    oracle: "late-changes",
    sentence: "c changes table lines by DELETE, and no query of u1, who alone writes it, runs",
  },
  cause:
    "src/connectors/files/write/store/store-commits.ts went through with a commit whose query had ended: a canceled statement took effect seconds after the answer to its cancellation.",
  fixed: "2026-11-30",
};
