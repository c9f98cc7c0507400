/**
 * Plans whose rows are known when they are made: literals and what the optimizer has computed of them, without an operator that works on
 * rows. The optimizer computes an expression within a bound of work; one that exceeds it, fails, or draws random bits is not a constant.
 */
import type { FragmentedPlan } from "./fragmenter/fragment.ts";
import { outputsOf, type PlanNode } from "./plan/node.ts";
import type { Constant, Variable } from "./plan/typed-expression.ts";

/** Of the texts of all cells, in characters. */
const textMax = 16_384;

export type ConstantRows = readonly (readonly Constant[])[];

/**
 * Rows in the order of the plan's outputs. Undefined if the plan computes them, or they have more than `cellsMax` cells: a task makes
 * larger results page by page.
 */
export function constantRows({ fragments }: FragmentedPlan, cellsMax: number): ConstantRows | undefined {
  const [root] = fragments;
  if (fragments.length !== 1 || root?.root.kind !== "Output") {
    return undefined;
  }
  const { outputs, source } = root.root;
  const rows = rowsOf(source, cellsMax);
  const isSmall = rows !== undefined && cellCount(rows, outputs.length) <= cellsMax && textLength(rows) <= textMax;
  return isSmall ? pick(rows, outputsOf(source), outputs) : undefined;
}

function rowsOf(node: PlanNode, cellsMax: number): ConstantRows | undefined {
  switch (node.kind) {
    case "Values":
      return cellCount(node.rows, node.outputs.length) <= cellsMax && node.rows.every(isConstantRow) ? node.rows : undefined;
    case "Union": {
      const parts = node.sources.map((source, index) => {
        const rows = rowsOf(source, cellsMax);
        // More rows of a source may be several pages, which a task takes in turn with those of the others.
        return rows === undefined || rows.length > 1 ? undefined : pick(rows, outputsOf(source), node.sourceVariables[index] ?? []);
      });
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    case "Limit":
      return rowsOf(node.source, cellsMax)?.slice(0, node.count);
    case "Offset":
      return rowsOf(node.source, cellsMax)?.slice(node.count);
    default:
      return undefined;
  }
}

function isConstantRow(row: readonly { readonly kind: string }[]): row is readonly Constant[] {
  return row.every(({ kind }) => kind === "constant");
}

/** A row without columns counts as a cell. */
function cellCount(rows: readonly unknown[], columns: number): number {
  return rows.length * Math.max(1, columns);
}

function textLength(rows: ConstantRows): number {
  let length = 0;
  for (const { value } of rows.flat()) {
    length += typeof value === "string" ? value.length : 0;
  }
  return length;
}

/** Columns may repeat, and may be in another order. */
function pick(rows: ConstantRows, given: readonly Variable[], wanted: readonly Variable[]): ConstantRows | undefined {
  const places = wanted.map(({ name }) => given.findIndex((variable) => variable.name === name));
  if (places.every((place, index) => place === index) && places.length === given.length) {
    return rows;
  }
  return places.includes(-1) ? undefined : rows.map((row) => places.map((place) => row[place] as Constant));
}
