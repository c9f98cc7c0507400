/**
 * Aggregates with ORDER BY. An aggregation sorts its input once. That order serves every aggregate whose own order is a prefix of it.
 *
 * Aggregates with another order need their own plan. array_agg collects each value together with its sort keys and sorts the collected
 * rows. Any other aggregate is computed by a window over the rows of its group, and the aggregation picks an arbitrary value of the
 * window's result.
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

/** Returns the sort order of the input: the order of the first aggregate, extended by later aggregates whose order begins with it. */
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

/** Argument and sort keys of an array_agg, as expressions below the aggregation. */
export interface CollectedValue {
  readonly value: RowExpression;
  readonly orderBy: readonly { readonly expression: RowExpression; readonly descending: boolean; readonly nullsFirst: boolean }[];
}

/** Collects rows of the value and its sort keys; `finish` sorts them and extracts the values. */
export function collectForOrder(
  output: Variable,
  { value, orderBy }: CollectedValue,
  { columns, ids }: { readonly columns: RowColumns; readonly ids: PlanIds },
): CollectedCall {
  const fields = [value, ...orderBy.map(({ expression }) => expression)];
  const row = call(rowName, tupleType(fields.map(({ type }) => type)), fields);
  const collected = columns.variableFor(row, "ordered");
  const array = ids.variable("array_agg", arrayType(row.type));
  // Two letters for each key: A or D for ascending or descending, F or L for NULLs first or last.
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

/** Plans a window over the groups for each aggregate, and an aggregate that picks its result. */
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

/** Projects the outputs of the aggregation, with the collected arrays sorted. */
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
