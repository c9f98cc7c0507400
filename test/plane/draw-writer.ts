/** Random TableWriter nodes: inserts, and rewrites with marks of changed and deleted rows. */
import type { PlanNode, WriteTarget } from "../../src/planner/plan/node.ts";
import type { RowExpression, Variable } from "../../src/planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN, VARBINARY } from "../../src/types/type.ts";
import type { Plans } from "./plans.ts";

const kinds = ["CREATE", "INSERT", "DELETE", "UPDATE", "MERGE"] as const;

export function drawWriter(plans: Plans): PlanNode {
  const { random } = plans;
  const kind = random.pick(kinds);
  const scan = plans.scan();
  const marks: readonly { readonly output: Variable; readonly expression: RowExpression }[] = Array.from({ length: 2 }, () => ({
    output: plans.variable(BOOLEAN),
    expression: plans.condition(scan.outputs),
  }));
  const kept = scan.outputs.map((output) => ({ output, expression: output }));
  const source: PlanNode = { kind: "Project", id: plans.id(), source: scan, assignments: [...kept, ...marks] };
  const columns = random.shuffle(scan.outputs);
  const markCount = kind === "MERGE" ? 2 : kind === "DELETE" || kind === "UPDATE" ? 1 : 0;
  const target: WriteTarget = {
    catalog: "test",
    name: { schema: "s", table: "t" },
    kind,
    columns: columns.map(({ name, type }) => ({ name, type })),
    handle: null,
  };
  const inputs = [...columns, ...marks.slice(0, markCount).map(({ output }) => output)];
  return { kind: "TableWriter", id: plans.id(), source, target, inputs, outputs: [plans.variable(BIGINT), plans.variable(VARBINARY)] };
}
