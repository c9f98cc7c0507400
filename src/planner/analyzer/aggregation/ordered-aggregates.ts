/**
 * Aggregates with ORDER BY inside. The rows of one aggregation come in one order, which serves all aggregates whose own order begins it. Another order is left to
 * the aggregate itself: array_agg collects its values beside what they are ordered by and has them put in order; of any other, a window computes the value over the rows
 * of the group, and the aggregation picks it up. Called by aggregates.ts.
 */
import { rowName } from "../../../functions/operator/structures.ts";
import { arrayType, tupleType, VARCHAR } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { call, constant } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { type AggregateCall, type Assignment, type Ordering, outputsOf, type PlanNode, type WindowFrame } from "../../plan/node.ts";
import { distinctOrderings, distinctVariables, identity, projectNode } from "../../plan/plan-tree.ts";

const wholeGroup: WindowFrame = Object.freeze({
  type: "ROWS",
  start: Object.freeze({ type: "UNBOUNDED_PRECEDING" }),
  end: Object.freeze({ type: "UNBOUNDED_FOLLOWING" }),
});

/** The order that the rows come in: the first aggregate's, as long as another goes on where it ends. */
export function commonOrder(orders: readonly (readonly Ordering[])[]): readonly Ordering[] {
  let longest: readonly Ordering[] = [];
  for (const own of orders) {
    if (own.length > longest.length && begins(longest, own)) {
      longest = own;
    }
  }
  return longest;
}

export function begins(short: readonly Ordering[], long: readonly Ordering[]): boolean {
  return short.every((one, index) => sameOrdering(one, long[index]));
}

function sameOrdering(a: Ordering, b: Ordering | undefined): boolean {
  return a.variable.name === b?.variable.name && a.descending === b.descending && a.nullsFirst === b.nullsFirst;
}

export interface OrderedCall {
  readonly call: AggregateCall;
  readonly orderBy: readonly Ordering[];
}

/** What array_agg collects and by what it is ordered, as it is below the aggregation. */
export interface CollectedValue {
  readonly value: RowExpression;
  readonly orderBy: readonly { readonly expression: RowExpression; readonly descending: boolean; readonly nullsFirst: boolean }[];
}

/** Collects the rows of an array_agg with what they are ordered by; `finish` is over the output. */
export function collectForOrder(
  output: Variable,
  { value, orderBy }: CollectedValue,
  { columns, ids }: { readonly columns: RowColumns; readonly ids: PlanIds },
): CollectedCall {
  const fields = [value, ...orderBy.map(({ expression }) => expression)];
  const row = call(rowName, tupleType(fields.map(({ type }) => type)), fields);
  const collected = columns.variableFor(row, "ordered");
  const array = ids.variable("array_agg", arrayType(row.type));
  // Two letters a key: ascending or descending, NULL first or last.
  const flags = orderBy.map(({ descending, nullsFirst }) => `${descending ? "D" : "A"}${nullsFirst ? "F" : "L"}`).join("");
  return {
    call: { output: array, name: "array_agg", argumentTypes: [row.type], args: [collected] },
    finish: { output, expression: call("$in_order", output.type, [array, constant(VARCHAR, flags)]) },
  };
}

interface RowColumns {
  variableFor(expression: RowExpression, hint: string): Variable;
}

export interface CollectedCall {
  readonly call: AggregateCall;
  readonly finish: Assignment;
}

/** The aggregates as windows over the groups, one a different order, and in their place what picks up a value of each. */
export function windowsForOrder(
  source: PlanNode,
  keys: readonly Variable[],
  calls: readonly OrderedCall[],
  ids: PlanIds,
): { readonly node: PlanNode; readonly calls: readonly AggregateCall[] } {
  let node = source;
  const picked: AggregateCall[] = [];
  const partitionBy = distinctVariables(keys);
  for (const { call: wanted, orderBy } of calls) {
    const { mask, ...rest } = wanted;
    const output = ids.variable(wanted.name, wanted.output.type);
    node = {
      kind: "Window",
      id: ids.node(),
      source: node,
      partitionBy,
      orderBy: distinctOrderings(orderBy),
      functions: [
        {
          output,
          name: rest.name,
          argumentTypes: rest.argumentTypes,
          args: rest.args as readonly Variable[],
          ignoreNulls: false,
          ...(mask && { mask }),
          frame: wholeGroup,
        },
      ],
    };
    picked.push({ output: wanted.output, name: "arbitrary", argumentTypes: [output.type], args: [output] });
  }
  return { node, calls: picked };
}

/** The aggregation's outputs with the collected arrays in order. */
export function finishOrder(aggregation: PlanNode, finished: readonly Assignment[], ids: PlanIds): PlanNode {
  if (finished.length === 0) {
    return aggregation;
  }
  const collected = new Set(finished.flatMap(({ expression }) => (expression.kind === "call" ? expression.args : [])));
  const kept = outputsOf(aggregation).filter(
    (output) => ![...collected].some((arg) => arg.kind === "variable" && arg.name === output.name),
  );
  return projectNode(ids, aggregation, [...kept.map(identity), ...finished]);
}
