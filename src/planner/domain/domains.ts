/**
 * The values that a filter right above a table scan leaves to each of its columns: ranges with open and closed ends, in order and apart from each other. Told by
 * EXPLAIN (TYPE IO). What a condition says of more than one column, or of anything but constants, is left out.
 */
import { comparePadded, compareText } from "../../types/nested/nested-order.ts";
import { BOOLEAN, type Type } from "../../types/type.ts";
import type { Constant, RowExpression } from "../plan/typed-expression.ts";
import { call, conjunctsOf, disjunctsOf } from "../plan/expression-tree.ts";

/** An end without a value is open to that side. */
export interface RangeEnd {
  readonly value: Constant;
  readonly included: boolean;
}

export interface Range {
  readonly low?: RangeEnd;
  readonly high?: RangeEnd;
}

export interface Domain {
  readonly nullsAllowed: boolean;
  readonly ranges: readonly Range[];
}

interface Said {
  readonly variable: string;
  readonly domain: Domain;
}

/** By name of the variable, in the order in which the conditions name them. */
export function domainsOf(predicate: RowExpression): ReadonlyMap<string, Domain> {
  const domains = new Map<string, Domain>();
  for (const conjunct of conjunctsOf(predicate)) {
    const said = saidBy(conjunct);
    if (said === undefined) {
      continue;
    }
    const known = domains.get(said.variable);
    domains.set(said.variable, known === undefined ? said.domain : intersection(known, said.domain));
  }
  return domains;
}

function saidBy(condition: RowExpression): Said | undefined {
  if (condition.kind === "special") {
    if (condition.form === "OR") {
      return saidTogether(disjunctsOf(condition), union);
    }
    if (condition.form === "AND") {
      return saidTogether(conjunctsOf(condition), intersection);
    }
    const [first, ...rest] = condition.args;
    if (first?.kind !== "variable" || !ordered.has(first.type.kind)) {
      return undefined;
    }
    if (condition.form === "IS_NULL") {
      return { variable: first.name, domain: { nullsAllowed: true, ranges: [] } };
    }
    if (condition.form !== "IN" || !rest.every((item) => isValueOf(item, first.type))) {
      return undefined;
    }
    const all = rest.map((item) => call("$eq", BOOLEAN, [first, item]));
    return saidTogether(all, union);
  }
  if (condition.kind !== "call") {
    return undefined;
  }
  const [first, second] = condition.args;
  if (condition.name === "$not") {
    const isNull = first === undefined ? undefined : saidBy(first);
    return isNull?.domain.nullsAllowed === true && isNull.domain.ranges.length === 0
      ? { variable: isNull.variable, domain: { nullsAllowed: false, ranges: [{}] } }
      : undefined;
  }
  if (first?.kind === "variable" && isValueOf(second, first.type)) {
    return comparison(first.name, condition.name, second);
  }
  if (second?.kind === "variable" && isValueOf(first, second.type)) {
    return comparison(second.name, turned[condition.name] ?? condition.name, first);
  }
  return undefined;
}

/** Conditions say something together where all of them are about one column. */
function saidTogether(conditions: readonly RowExpression[], combine: (a: Domain, b: Domain) => Domain): Said | undefined {
  const [first, ...others] = conditions.map(saidBy);
  return others.reduce(
    (one, other) =>
      one === undefined || other?.variable !== one.variable ? undefined : { ...one, domain: combine(one.domain, other.domain) },
    first,
  );
}

const turned: Readonly<Record<string, string>> = Object.freeze({ $lt: "$gt", $le: "$ge", $gt: "$lt", $ge: "$le" });

const ordered: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>([
  ...(["tinyint", "smallint", "integer", "bigint", "decimal", "real", "double", "date", "timestamp"] as const),
  ...(["varchar", "char"] as const),
]);

function isValueOf(expression: RowExpression | undefined, { kind }: Type): expression is Constant {
  if (expression?.kind !== "constant" || expression.value === null || expression.type.kind !== kind || !ordered.has(kind)) {
    return false;
  }
  return (kind !== "real" && kind !== "double") || Number.isFinite(Number(expression.value));
}

function comparison(variable: string, operator: string, value: Constant): Said | undefined {
  const ranges = rangesOf(operator, value);
  return ranges === undefined ? undefined : { variable, domain: { nullsAllowed: false, ranges } };
}

function rangesOf(operator: string, value: Constant): readonly Range[] | undefined {
  const [closed, open] = [
    { value, included: true },
    { value, included: false },
  ];
  switch (operator) {
    case "$eq":
      return [{ low: closed, high: closed }];
    case "$ne":
      return [{ high: open }, { low: open }];
    case "$lt":
      return [{ high: open }];
    case "$le":
      return [{ high: closed }];
    case "$gt":
      return [{ low: open }];
    case "$ge":
      return [{ low: closed }];
    default:
      return undefined;
  }
}

function intersection(a: Domain, b: Domain): Domain {
  const ranges = a.ranges.flatMap((one) =>
    b.ranges.flatMap((other) => {
      const low = isLater(one.low, other.low) ? one.low : other.low;
      const high = isSooner(one.high, other.high) ? one.high : other.high;
      return isEmpty(low, high) ? [] : [{ ...(low && { low }), ...(high && { high }) }];
    }),
  );
  return { nullsAllowed: a.nullsAllowed && b.nullsAllowed, ranges };
}

function union(a: Domain, b: Domain): Domain {
  const sorted = [...a.ranges, ...b.ranges].sort((one, other) => (isLater(one.low, other.low) ? 1 : isLater(other.low, one.low) ? -1 : 0));
  const ranges: Range[] = [];
  for (const range of sorted) {
    const last = ranges.at(-1);
    if (last === undefined || !touches(last, range)) {
      ranges.push(range);
      continue;
    }
    const high = isSooner(last.high, range.high) ? range.high : last.high;
    ranges[ranges.length - 1] = { ...(last.low && { low: last.low }), ...(high && { high }) };
  }
  return { nullsAllowed: a.nullsAllowed || b.nullsAllowed, ranges };
}

/** Whether nothing is left out between one range and another that begins no sooner. */
function touches({ high }: Range, { low }: Range): boolean {
  if (high === undefined || low === undefined) {
    return true;
  }
  const order = compare(high.value, low.value);
  return order > 0 || (order === 0 && (high.included || low.included));
}

function isEmpty(low: RangeEnd | undefined, high: RangeEnd | undefined): boolean {
  if (low === undefined || high === undefined) {
    return false;
  }
  const order = compare(low.value, high.value);
  return order > 0 || (order === 0 && !(low.included && high.included));
}

/** Whether a range begins behind where another does. */
function isLater(low: RangeEnd | undefined, other: RangeEnd | undefined): boolean {
  if (low === undefined || other === undefined) {
    return low !== undefined;
  }
  const order = compare(low.value, other.value);
  return order > 0 || (order === 0 && !low.included && other.included);
}

/** Whether a range ends before another does. */
function isSooner(high: RangeEnd | undefined, other: RangeEnd | undefined): boolean {
  if (high === undefined || other === undefined) {
    return high !== undefined;
  }
  const order = compare(high.value, other.value);
  return order < 0 || (order === 0 && !high.included && other.included);
}

/** Of two constants of one type. */
function compare(a: Constant, b: Constant): number {
  switch (a.type.kind) {
    case "char":
      return comparePadded(String(a.value), String(b.value));
    case "varchar":
      return compareText(String(a.value), String(b.value));
    case "real":
    case "double":
      return Number(a.value) - Number(b.value);
    default: {
      const [one, other] = [BigInt(String(a.value)), BigInt(String(b.value))];
      return one < other ? -1 : one > other ? 1 : 0;
    }
  }
}
