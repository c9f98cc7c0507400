/**
 * What the filter right above a table scan says about single columns: ranges by which a connector can leave out whole splits. Asked when splits are listed;
 * of columns with a dynamic filter more is known when they are read.
 */
import type { ColumnRange, Constraint } from "../../connectors/spi.ts";
import type { Constant, RowExpression } from "../plan/typed-expression.ts";
import { conjunctsOf } from "../plan/expression-tree.ts";
import { sameType, type Type } from "../../types/type.ts";
import type { PlanNode, TableScanNode } from "../plan/node.ts";
import { numericValue } from "../optimizer/stats/selectivity.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** By the id of the scan; scans without any filter have none. */
export function constraintsOf(root: PlanNode): ReadonlyMap<string, Constraint> {
  const found = new Map<string, Constraint>();
  visitPlan(root, (node) => {
    if (node.kind === "Filter" && node.source.kind === "TableScan") {
      found.set(node.source.id, constraintOf(node.source, node.predicate));
    }
    if (node.kind === "TableScan" && (node.dynamicFilters ?? node.remoteDynamicFilters) !== undefined) {
      found.set(node.id, withLater(found.get(node.id), node));
    }
  });
  return found;
}

function withLater(
  known: Constraint = {},
  { columns, outputs, dynamicFilters = [], remoteDynamicFilters = [] }: TableScanNode,
): Constraint {
  const filters = [...dynamicFilters, ...remoteDynamicFilters];
  const later = new Set(filters.map(({ variable }) => columns[outputs.findIndex(({ name }) => name === variable.name)]?.name));
  const own = columns.filter(({ name }) => later.has(name)).map(({ name }) => [name, { ...known[name], later: true }] as const);
  return { ...known, ...Object.fromEntries(own) };
}

function constraintOf(scan: TableScanNode, predicate: RowExpression): Constraint {
  const ranges = new Map<string, ColumnRange>();
  for (const conjunct of conjunctsOf(predicate)) {
    const one = rangeOf(conjunct) ?? patternOf(conjunct);
    const column = scan.columns[scan.outputs.findIndex((output) => output.name === one?.name)]?.name;
    if (one === undefined || column === undefined) {
      continue;
    }
    ranges.set(column, intersect(ranges.get(column) ?? {}, one.range));
  }
  return Object.fromEntries(ranges);
}

/** Types whose statistics are numbers in the same order as their values. */
const ordered: ReadonlySet<string> = new Set(["tinyint", "smallint", "integer", "bigint", "date", "decimal", "double"]);

/** More are no help where each is looked for. */
const valuesMax = 1000;

function rangeOf(condition: RowExpression): { readonly name: string; readonly range: ColumnRange } | undefined {
  const bounds = boundsOf(condition);
  const values = valuesOf(condition);
  if (bounds === undefined || values === undefined) {
    return bounds ?? values;
  }
  return { name: bounds.name, range: { ...bounds.range, ...values.range } };
}

/** `column = constant` and `column IN (constants)`. A double is left to its bounds: two texts may be the same number. */
function valuesOf(condition: RowExpression): { readonly name: string; readonly range: ColumnRange } | undefined {
  const isEqual = condition.kind === "call" && condition.name === "$eq";
  const isIn = condition.kind === "special" && condition.form === "IN";
  if (!isEqual && !isIn) {
    return undefined;
  }
  const [first, ...rest] = isEqual && condition.args[0]?.kind === "constant" ? condition.args.toReversed() : condition.args;
  if (first?.kind !== "variable" || rest.length > valuesMax) {
    return undefined;
  }
  const values: string[] = [];
  for (const item of rest) {
    if (item.kind !== "constant" || !sameKind(first.type, item.type)) {
      return undefined;
    }
    const { value } = item;
    if (value === null) {
      continue;
    }
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") {
      return undefined;
    }
    values.push(String(value));
  }
  return { name: first.name, range: { values } };
}

/** `column LIKE 'text'`, with or without an ESCAPE. */
function patternOf(condition: RowExpression): { readonly name: string; readonly range: ColumnRange } | undefined {
  if (condition.kind !== "call" || condition.name !== "like") {
    return undefined;
  }
  const [text, pattern, escape] = condition.args;
  if (text?.kind !== "variable" || text.type.kind !== "varchar" || !isText(pattern) || (escape !== undefined && !isText(escape))) {
    return undefined;
  }
  const like = { pattern: pattern.value, ...(escape !== undefined && { escape: escape.value }) };
  return { name: text.name, range: { like } };
}

function isText(expression: RowExpression | undefined): expression is Constant & { readonly value: string } {
  return expression?.kind === "constant" && expression.type.kind === "varchar" && typeof expression.value === "string";
}

function sameKind(column: Type, constant: Type): boolean {
  return column.kind === "varchar" ? constant.kind === "varchar" : exact.has(column.kind) && sameType(column, constant);
}

const exact: ReadonlySet<string> = new Set(["tinyint", "smallint", "integer", "bigint", "date", "decimal"]);

function boundsOf(condition: RowExpression): { readonly name: string; readonly range: ColumnRange } | undefined {
  if (condition.kind !== "call" && condition.kind !== "special") {
    return undefined;
  }
  const [first, ...rest] = condition.args;
  if (condition.kind === "special") {
    if (condition.form !== "IN" || first?.kind !== "variable" || !ordered.has(first.type.kind)) {
      return undefined;
    }
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const item of rest) {
      const value = numericValue(item);
      if (value === undefined) {
        return undefined;
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return { name: first.name, range: { low, high } };
  }
  const [variable, value, turned] = first?.kind === "constant" ? [rest[0], first, true] : [first, rest[0], false];
  const bound = numericValue(value);
  if (variable?.kind !== "variable" || bound === undefined || !ordered.has(variable.type.kind)) {
    return undefined;
  }
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
  const values = a.values === undefined ? b.values : a.values.filter((value) => b.values?.includes(value) ?? true);
  // Of two patterns the first: what a connector gives too much is left out afterwards.
  const like = a.like ?? b.like;
  return { ...(low > -Infinity && { low }), ...(high < Infinity && { high }), ...(values && { values }), ...(like && { like }) };
}
