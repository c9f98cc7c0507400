/**
 * Estimates the selectivity of filters and their effect on column statistics.
 */
import { toDouble } from "../../../types/domain/double-range.ts";
import { comparisonOf } from "../../domain/domains.ts";
import type { ColumnEstimate, Estimate } from "./estimate.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { disjunctsOf, isConstant } from "../../plan/expression-tree.ts";

const unknownFilterFactor = 0.9;
const unknownEqualityFactor = 0.1;
const unknownRangeFactor = 0.33;
/** Conditions such as HAVING sum(x) > 300 usually select few groups. */
const aggregateRangeFactor = 0.05;

/** Applies the conjuncts one after the other, each to the estimate of the previous one: `x >= 1 AND x < 3` is one range. */
export function applyFilter(source: Estimate, conjuncts: readonly RowExpression[]): Estimate {
  return conjuncts.reduce((current, conjunct) => {
    const factor = selectivity(conjunct, current);
    return { ...current, rows: current.rows * factor, columns: narrowed(conjunct, current, factor) };
  }, source);
}

/** Returns the column estimates of the rows for which the condition is true. */
function narrowed(condition: RowExpression, source: Estimate, factor: number): Estimate["columns"] {
  const isIn = condition.kind === "special" && condition.form === "IN";
  const comparison = comparisonOf(condition);
  const variable = isIn && condition.args[1]?.kind === "constant" ? condition.args[0] : comparison?.variable;
  const column = variable?.kind === "variable" ? source.columns.get(variable.name) : undefined;
  if (variable?.kind !== "variable" || column === undefined) {
    return source.columns;
  }
  const set = (estimate: ColumnEstimate) => new Map([...source.columns, [variable.name, estimate]]);
  if (isIn) {
    const items = condition.args.length - 1;
    return set({ ...column, nullsFraction: 0, distinct: Math.min(column.distinct ?? column.distinctMax ?? Infinity, items) });
  }
  if (comparison === undefined || comparison.operator === "$ne") {
    return source.columns;
  }
  const { operator, value } = comparison;
  const bound = numericValue(value);
  if (operator === "$eq") {
    return set({ ...column, nullsFraction: 0, distinct: 1, ...(bound !== undefined && { low: bound, high: bound }) });
  }
  const above = operator === "$gt" || operator === "$ge";
  const { distinct, distinctMax, low, high } = column;
  return set({
    ...column,
    nullsFraction: 0,
    ...(distinct !== undefined && { distinct: Math.max(1, distinct * factor) }),
    ...(distinctMax !== undefined && { distinctMax: Math.max(1, distinctMax * factor) }),
    ...(bound !== undefined && above && { low: Math.max(bound, low ?? bound) }),
    ...(bound !== undefined && !above && { high: Math.min(bound, high ?? bound) }),
  });
}

/** Returns the fraction of rows for which the condition is true. */
function selectivity(condition: RowExpression, source: Estimate): number {
  if (condition.kind === "constant") {
    return condition.value === true ? 1 : 0;
  }
  if (condition.kind === "variable") {
    return source.columns.get(condition.name)?.trueFraction ?? 0.5;
  }
  if (condition.kind === "special") {
    switch (condition.form) {
      case "AND":
        return condition.args.reduce((product, arg) => product * selectivity(arg, source), 1);
      case "OR":
        return 1 - disjunctsOf(condition).reduce((product, arg) => product * (1 - selectivity(arg, source)), 1);
      case "IN":
        return inSelectivity(condition.args, source);
      case "IS_NULL":
        return columnOf(condition.args[0], source)?.nullsFraction ?? unknownEqualityFactor;
      case "COALESCE": {
        const [value, otherwise] = condition.args;
        return value !== undefined && otherwise !== undefined && isConstant(otherwise, false)
          ? selectivity(value, source)
          : unknownFilterFactor;
      }
      default:
        return unknownFilterFactor;
    }
  }
  if (condition.kind !== "call") {
    return unknownFilterFactor;
  }
  const [left, right] = condition.args;
  switch (condition.name) {
    case "$not":
      return left === undefined ? unknownFilterFactor : 1 - selectivity(left, source);
    case "$eq":
      return equalitySelectivity(left, right, source);
    case "$ne":
      return 1 - equalitySelectivity(left, right, source);
    case "$lt":
    case "$le":
      return rangeSelectivity(left, right, source, true);
    case "$gt":
    case "$ge":
      return rangeSelectivity(left, right, source, false);
    case "like":
      return unknownEqualityFactor;
    default:
      return unknownFilterFactor;
  }
}

export function expressionEstimate(expression: RowExpression, source: Estimate): ColumnEstimate | undefined {
  if (expression.kind === "variable") {
    return source.columns.get(expression.name);
  }
  if (expression.kind === "cast") {
    const column = expressionEstimate(expression.arg, source);
    if (column === undefined) {
      return undefined;
    }
    const { averageBytes: _bytes, ...rest } = column;
    return rest;
  }
  return expression.kind === "constant" ? { distinct: 1 } : undefined;
}

function columnOf(expression: RowExpression | undefined, source: Estimate): ColumnEstimate | undefined {
  return expression === undefined || expression.kind === "constant" ? undefined : expressionEstimate(expression, source);
}

function equalitySelectivity(left: RowExpression | undefined, right: RowExpression | undefined, source: Estimate): number {
  const column = columnOf(left, source) ?? columnOf(right, source);
  const values = column?.distinct ?? (column?.fillsRange === true ? column.distinctMax : undefined);
  return values === undefined ? unknownEqualityFactor : 1 / Math.max(1, values);
}

function inSelectivity(args: readonly RowExpression[], source: Estimate): number {
  const [value, ...items] = args;
  return Math.min(1, items.length * equalitySelectivity(value, items[0], source));
}

function rangeSelectivity(left: RowExpression | undefined, right: RowExpression | undefined, source: Estimate, below: boolean): number {
  if (left?.kind === "constant") {
    return right?.kind === "constant" ? unknownRangeFactor : rangeSelectivity(right, left, source, !below);
  }
  const column = columnOf(left, source);
  const bound = numericValue(right);
  if (column?.aggregate === true) {
    return aggregateRangeFactor;
  }
  if (column?.low === undefined || column.high === undefined || bound === undefined || column.high <= column.low) {
    return unknownRangeFactor;
  }
  const part = (bound - column.low) / (column.high - column.low);
  return Math.min(1, Math.max(0, below ? part : 1 - part));
}

/** Returns the constant in the unit of column statistics. */
export function numericValue(expression: RowExpression | undefined): number | undefined {
  if (expression?.kind !== "constant" || expression.value === null) {
    return undefined;
  }
  const value = Number(expression.value);
  return Number.isFinite(value) ? toDouble(expression.type, value) : undefined;
}
