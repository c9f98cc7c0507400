/**
 * Numbers rows by a window function.
 */
import { BIGINT } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import type { Ordering, PlanNode, WindowNode } from "../../plan/node.ts";
import { defaultFrame } from "./specification.ts";

export type RowNumbering = "row_number" | "rank";

export interface NumberedRows {
  readonly node: WindowNode;
  /** Starts at 1. */
  readonly number: Variable;
}

interface NumberOptions {
  readonly partitionBy?: readonly Variable[];
  readonly orderBy?: readonly Ordering[] | undefined;
  readonly name?: RowNumbering | undefined;
}

/** Returns the rows of `source` with an additional column for the number. */
export function numberRows(
  ids: PlanIds,
  source: PlanNode,
  { partitionBy = [], orderBy = [], name = "row_number" }: NumberOptions = {},
): NumberedRows {
  const number = ids.variable(name, BIGINT);
  const node: WindowNode = {
    kind: "Window",
    id: ids.node(),
    source,
    partitionBy,
    orderBy,
    functions: [{ output: number, name, argumentTypes: [], args: [], ignoreNulls: false, frame: defaultFrame }],
  };
  return { node, number };
}

export function count(value: number): RowExpression {
  return constant(BIGINT, String(value));
}
