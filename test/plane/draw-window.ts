/** Random Window nodes: functions, frames and partitions over the columns of a source. */
import { outputsOf, type PlanNode, type WindowBound, type WindowCall, type WindowFrame } from "../../src/planner/plan/node.ts";
import type { Variable } from "../../src/planner/plan/typed-expression.ts";
import { BIGINT, DOUBLE } from "../../src/types/type.ts";
import { big, type Plans } from "./plans.ts";

const ranking = ["row_number", "rank", "dense_rank", "percent_rank", "cume_dist"] as const;
const values = ["first_value", "last_value", "nth_value", "lag", "lead"] as const;

export function drawWindow(plans: Plans, source: PlanNode): PlanNode {
  const outputs = outputsOf(source);
  return {
    kind: "Window",
    id: plans.id(),
    source,
    partitionBy: plans.some(
      outputs.filter(({ type }) => type.kind !== "array"),
      2,
    ),
    orderBy: plans.orderings(outputs, 0),
    functions: Array.from({ length: 1 + plans.random.below(3) }, () => drawCall(plans, outputs)),
  };
}

function drawCall(plans: Plans, outputs: readonly Variable[]): WindowCall {
  const { random } = plans;
  const frame = drawFrame(plans);
  if (random.chance(30)) {
    const name = random.pick(ranking);
    const type = name === "percent_rank" || name === "cume_dist" ? DOUBLE : BIGINT;
    return { output: plans.variable(type), name, argumentTypes: [], args: [], ignoreNulls: false, frame };
  }
  if (random.chance(50)) {
    const name = random.pick(values);
    const arg = random.pick(outputs);
    const hasCount = name !== "first_value" && name !== "last_value";
    const args = hasCount ? [arg, big(1 + random.below(3))] : [arg];
    const output = plans.variable(arg.type);
    return { output, name, argumentTypes: args.map(({ type }) => type), args, ignoreNulls: random.chance(30), frame };
  }
  // A window's aggregates read columns.
  const call = plans.aggregate(outputs);
  const isRead = call.args.every((arg) => arg.kind === "variable") && call.name !== "arbitrary";
  const { output, name, argumentTypes, args } = isRead
    ? call
    : { output: plans.variable(BIGINT), name: "count", argumentTypes: [], args: [] };
  const masks = outputs.filter(({ type }) => type.kind === "boolean");
  const mask = masks.length > 0 && random.chance(30) ? { mask: random.pick(masks) } : {};
  return { output, name, argumentTypes, args: args as readonly Variable[], ignoreNulls: false, frame, ...mask };
}

/** The offsets of a frame are constants here; a start does not follow the end. */
function drawFrame({ random }: Plans): WindowFrame {
  const type = random.pick(["ROWS", "GROUPS", "RANGE"] as const);
  const bounds: WindowBound[] = [
    { type: "UNBOUNDED_PRECEDING" },
    ...(type === "RANGE" ? [] : [{ type: "PRECEDING" as const, offset: big(random.below(4)) }]),
    { type: "CURRENT_ROW" },
    ...(type === "RANGE" ? [] : [{ type: "FOLLOWING" as const, offset: big(random.below(4)) }]),
    { type: "UNBOUNDED_FOLLOWING" },
  ];
  const start = random.below(bounds.length - 1);
  const end = Math.max(1, start) + random.below(bounds.length - Math.max(1, start));
  return { type, start: bounds[start] as WindowBound, end: bounds[end] as WindowBound };
}
