/** What the filter right above a table scan says about single columns: ranges by which a connector can leave out whole splits. Asked when splits are listed. */
import type { ColumnRange, Constraint } from "../connectors/connector.ts";
import type { RowExpression } from "./expression.ts";
import { conjunctsOf } from "./expressions.ts";
import type { PlanNode, TableScanNode } from "./node.ts";
import { numericValue } from "./selectivity.ts";
import { visitPlan } from "./tree.ts";

/** By the id of the scan; scans without a filter have none. */
export function constraintsOf(root: PlanNode): ReadonlyMap<string, Constraint> {
  const found = new Map<string, Constraint>();
  visitPlan(root, (node) => {
    if (node.kind === "Filter" && node.source.kind === "TableScan") found.set(node.source.id, constraintOf(node.source, node.predicate));
  });
  return found;
}

function constraintOf(scan: TableScanNode, predicate: RowExpression): Constraint {
  const ranges = new Map<string, ColumnRange>();
  for (const conjunct of conjunctsOf(predicate)) {
    const one = rangeOf(conjunct);
    const column = scan.columns[scan.outputs.findIndex((output) => output.name === one?.name)]?.name;
    if (one === undefined || column === undefined) continue;
    ranges.set(column, intersect(ranges.get(column) ?? {}, one.range));
  }
  return Object.fromEntries(ranges);
}

/** Types whose statistics are numbers in the same order as their values. */
const ordered: ReadonlySet<string> = new Set(["tinyint", "smallint", "integer", "bigint", "date", "decimal", "double"]);

function rangeOf(condition: RowExpression): { readonly name: string; readonly range: ColumnRange } | undefined {
  if (condition.kind !== "call" && condition.kind !== "special") return undefined;
  const [first, ...rest] = condition.args;
  if (condition.kind === "special") {
    const items = rest.map(numericValue);
    const isList = condition.form === "IN" && first?.kind === "variable" && ordered.has(first.type.kind);
    if (!isList || items.includes(undefined)) return undefined;
    return { name: first.name, range: { low: Math.min(...(items as number[])), high: Math.max(...(items as number[])) } };
  }
  const [variable, value, turned] = first?.kind === "constant" ? [rest[0], first, true] : [first, rest[0], false];
  const bound = numericValue(value);
  if (variable?.kind !== "variable" || bound === undefined || !ordered.has(variable.type.kind)) return undefined;
  switch (condition.name) {
    case "$eq":
      return { name: variable.name, range: { low: bound, high: bound } };
    case "$lt":
    case "$le":
      return { name: variable.name, range: turned ? { low: bound } : { high: bound } };
    case "$gt":
    case "$ge":
      return { name: variable.name, range: turned ? { high: bound } : { low: bound } };
    default:
      return undefined;
  }
}

function intersect(a: ColumnRange, b: ColumnRange): ColumnRange {
  const low = Math.max(a.low ?? -Infinity, b.low ?? -Infinity);
  const high = Math.min(a.high ?? Infinity, b.high ?? Infinity);
  return { ...(low > -Infinity && { low }), ...(high < Infinity && { high }) };
}
