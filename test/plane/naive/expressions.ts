/**
 * Expressions, orders and aggregates over the values of one row or group, from the rules of SQL.
 */
import type { Ordering } from "../../../src/planner/plan/node.ts";
import type { RowExpression, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { compareValues, equals, keyOf, type Row, type Value } from "../values.ts";

export type Bound = ReadonlyMap<string, Value>;

export function bind(outputs: readonly Variable[], row: Row): Bound {
  return new Map(outputs.map(({ name }, index) => [name, row[index] ?? null]));
}

/** Stable; NULLs as the ordering says, other values in SQL's order. */
export function sorted(rows: readonly Row[], outputs: readonly Variable[], orderBy: readonly Ordering[]): readonly Row[] {
  return rows.toSorted((a, b) => compareRows(bind(outputs, a), bind(outputs, b), orderBy));
}

export function compareRows(a: Bound, b: Bound, orderBy: readonly Ordering[]): number {
  for (const { variable, descending, nullsFirst } of orderBy) {
    const [x, y] = [a.get(variable.name) ?? null, b.get(variable.name) ?? null];
    const order =
      x === null || y === null
        ? (Number(x === null) - Number(y === null)) * (nullsFirst ? -1 : 1)
        : compareValues(x, y) * (descending ? -1 : 1);
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

/** The three-valued IN. */
export function isIn(value: Value, items: readonly Value[]): Value {
  if (items.length === 0) {
    return false;
  }
  if (value === null) {
    return null;
  }
  return items.some((item) => item !== null && equals(item, value)) ? true : items.includes(null) ? null : false;
}

/** An aggregate over values that are not NULL. */
export function reduce(name: string, values: readonly Exclude<Value, null>[]): Value {
  const sum = (): bigint => values.reduce((total: bigint, value) => total + BigInt(value), 0n);
  const extreme = (sign: number): Value =>
    values.reduce((best: Exclude<Value, null>, value) => (compareValues(value, best) * sign > 0 ? value : best), values[0] as never);
  if (name === "count") {
    return BigInt(values.length);
  }
  if (name === "count_if") {
    return BigInt(values.filter((value) => value === true).length);
  }
  if (values.length === 0) {
    return null;
  }
  switch (name) {
    case "sum":
      return sum();
    case "avg":
      return Number(sum()) / values.length;
    case "min":
      return extreme(-1);
    case "max":
      return extreme(1);
    case "arbitrary":
      return values[0] ?? null;
    case "bool_and":
      return values.every((value) => value === true);
    case "bool_or":
      return values.includes(true);
    default:
      throw new Error(`no meaning for ${name}`);
  }
}

export function evaluate(expression: RowExpression, values: Bound): Value {
  const value = (arg: RowExpression): Value => evaluate(arg, values);
  switch (expression.kind) {
    case "variable":
      return values.get(expression.name) ?? null;
    case "constant":
      return constantValue(expression.type.kind, expression.value);
    case "call": {
      const [a, b] = expression.args.map(value);
      return call(expression.name, a ?? null, b ?? null);
    }
    case "special":
      return special(expression, value);
    default:
      throw new Error(`no meaning for ${expression.kind}`);
  }
}

function constantValue(kind: string, value: Value): Value {
  if (value === null || kind === "varchar" || kind === "char" || kind === "varbinary" || kind === "uuid" || kind === "boolean") {
    return value;
  }
  if (kind === "real" || kind === "double" || typeof value === "number") {
    return Number(value);
  }
  return BigInt(value);
}

function call(name: string, a: Value, b: Value): Value {
  if (name === "$distinct") {
    return keyOf([a]) !== keyOf([b]);
  }
  if (name === "$not") {
    return a === null ? null : a !== true;
  }
  if (a === null || b === null) {
    return null;
  }
  const hasNaN = Number.isNaN(a) || Number.isNaN(b);
  switch (name) {
    case "$eq":
      return equals(a, b);
    case "$ne":
      return !equals(a, b);
    case "$lt":
      return !hasNaN && compareValues(a, b) < 0;
    case "$le":
      return !hasNaN && compareValues(a, b) <= 0;
    case "$gt":
      return !hasNaN && compareValues(a, b) > 0;
    case "$ge":
      return !hasNaN && compareValues(a, b) >= 0;
    case "$add":
      return BigInt(a) + BigInt(b);
    case "$subtract":
      return BigInt(a) - BigInt(b);
    case "$multiply":
      return BigInt(a) * BigInt(b);
    default:
      throw new Error(`no meaning for ${name}`);
  }
}

function special(expression: RowExpression & { readonly kind: "special" }, value: (arg: RowExpression) => Value): Value {
  const [first, second, third] = expression.args as [RowExpression, RowExpression, RowExpression];
  switch (expression.form) {
    case "AND":
    case "OR": {
      const decider = expression.form === "OR";
      const all = expression.args.map(value);
      return all.includes(decider) ? decider : all.includes(null) ? null : !decider;
    }
    case "IS_NULL":
      return value(first) === null;
    case "COALESCE":
      return value(first) ?? value(second);
    case "IF":
      return value(first) === true ? value(second) : value(third);
    case "IN": {
      const [item, ...items] = expression.args.map(value);
      return isIn(item ?? null, items);
    }
    default:
      throw new Error(`no meaning for ${expression.form}`);
  }
}
