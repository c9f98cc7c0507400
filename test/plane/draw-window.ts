/** Random Window nodes: functions, frames and partitions over the columns of a source. */
import {
  type Assignment,
  type Ordering,
  outputsOf,
  type PlanNode,
  type WindowBound,
  type WindowCall,
  type WindowFrame,
} from "../../src/planner/plan/node.ts";
import type { RowExpression, Variable } from "../../src/planner/plan/typed-expression.ts";
import { BIGINT, DOUBLE } from "../../src/types/type.ts";
import { big, type Plans } from "./plans.ts";

const ranking = ["row_number", "rank", "dense_rank", "percent_rank", "cume_dist"] as const;
const values = ["first_value", "last_value", "nth_value", "lag", "lead"] as const;

export function drawWindow(plans: Plans, below: PlanNode): PlanNode {
  const { random } = plans;
  const columns = outputsOf(below);
  const orderBy = plans.orderings(columns, 0);
  const number = plans.numberOf(columns);
  // Frames by the distance from a number need an order by this number alone.
  const ranged = number.kind === "variable" && random.chance(20);
  const frames = new Frames(
    plans,
    columns,
    ranged ? { variable: number, descending: random.chance(50), nullsFirst: random.chance(50) } : undefined,
  );
  const functions = Array.from({ length: 1 + random.below(3) }, () => drawCall(plans, columns, frames.draw()));
  return {
    kind: "Window",
    id: plans.id(),
    source: frames.sourceOf(below),
    partitionBy: plans.some(
      columns.filter(({ type }) => type.kind !== "array"),
      2,
    ),
    orderBy: frames.key === undefined ? orderBy : [frames.key],
    functions,
  };
}

function drawCall(plans: Plans, outputs: readonly Variable[], frame: WindowFrame): WindowCall {
  const { random } = plans;
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

/** Draws frames, and the columns that their bounds read. An end may come before its start: the frame is then empty. */
class Frames {
  /** The order of frames by distance. */
  readonly key: Ordering | undefined;
  readonly #plans: Plans;
  readonly #columns: readonly Variable[];
  readonly #computed: Assignment[] = [];

  constructor(plans: Plans, columns: readonly Variable[], key: Ordering | undefined) {
    this.#plans = plans;
    this.#columns = columns;
    this.key = key;
  }

  draw(): WindowFrame {
    const { random } = this.#plans;
    const type = this.key === undefined ? random.pick(["ROWS", "GROUPS", "RANGE"] as const) : "RANGE";
    const hasOffsets = type !== "RANGE" || this.key !== undefined;
    const starts = [
      "UNBOUNDED_PRECEDING",
      ...(hasOffsets ? (["PRECEDING", "CURRENT_ROW", "FOLLOWING"] as const) : ["CURRENT_ROW" as const]),
    ] as const;
    const startType = random.pick(starts);
    const ends = [...starts, "UNBOUNDED_FOLLOWING" as const].filter(
      (end) => end !== "UNBOUNDED_PRECEDING" && order.indexOf(end) >= order.indexOf(startType),
    );
    return { type, start: this.#bound(type, startType), end: this.#bound(type, random.pick(ends)) };
  }

  #bound(frame: WindowFrame["type"], type: WindowBound["type"]): WindowBound {
    if (type !== "PRECEDING" && type !== "FOLLOWING") {
      return { type };
    }
    if (frame === "RANGE") {
      return this.#distant(type);
    }
    const { random } = this.#plans;
    const [one, other] = [big(random.below(4)), big(random.below(4))];
    if (random.chance(75)) {
      return { type, offset: one };
    }
    const condition = this.#plans.condition(this.#columns);
    return { type, offset: this.#compute({ kind: "special", form: "IF", type: BIGINT, args: [condition, one, other] }) };
  }

  #distant(type: "PRECEDING" | "FOLLOWING"): WindowBound {
    const { variable, descending } = this.key as Ordering;
    const offset = big(this.#plans.random.below(3));
    const isBelow = (type === "PRECEDING") !== descending;
    const limit = this.#compute({ kind: "call", name: isBelow ? "$subtract" : "$add", type: BIGINT, args: [variable, offset] });
    return { type, offset: this.#compute(offset), range: { key: variable, limit } };
  }

  #compute(expression: RowExpression): Variable {
    const output = this.#plans.variable(BIGINT);
    this.#computed.push({ output, expression });
    return output;
  }

  sourceOf(source: PlanNode): PlanNode {
    if (this.#computed.length === 0) {
      return source;
    }
    const passed = outputsOf(source).map((output): Assignment => ({ output, expression: output }));
    return { kind: "Project", id: this.#plans.id(), source, assignments: [...passed, ...this.#computed] };
  }
}

const order: readonly WindowBound["type"][] = ["UNBOUNDED_PRECEDING", "PRECEDING", "CURRENT_ROW", "FOLLOWING", "UNBOUNDED_FOLLOWING"];
