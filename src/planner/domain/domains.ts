/**
 * Translates conditions on single columns into domains (Trino's DomainTranslator). Conditions on several columns, or with operands that are
 * not constants, are ignored: a domain holds every value for which the condition is true, and may hold others.
 */
import { domainValueOf } from "../../types/domain/texts.ts";
import { Domain } from "../../types/domain/domain.ts";
import {
  equalTo,
  greaterThan,
  greaterThanOrEqual,
  lessThan,
  lessThanOrEqual,
  type DomainValue,
  type Range,
} from "../../types/domain/range.ts";
import { TupleDomain } from "../../types/domain/tuple-domain.ts";
import type { Type } from "../../types/type.ts";
import type { Constant, RowExpression, Variable } from "../plan/typed-expression.ts";
import { conjunctsOf, disjunctsOf } from "../plan/expression-tree.ts";

export interface VariableDomain {
  readonly variable: Variable;
  readonly domain: Domain;
}

export type ComparisonOperator = "$eq" | "$ne" | "$lt" | "$le" | "$gt" | "$ge";

/** `variable operator value` */
export interface Comparison {
  readonly variable: Variable;
  readonly operator: ComparisonOperator;
  readonly value: Constant;
}

const flipped: Readonly<Record<ComparisonOperator, ComparisonOperator>> = Object.freeze({
  $eq: "$eq",
  $ne: "$ne",
  $lt: "$gt",
  $le: "$ge",
  $gt: "$lt",
  $ge: "$le",
});

function isComparisonOperator(name: string): name is ComparisonOperator {
  return Object.hasOwn(flipped, name);
}

/** Matches a comparison of a variable with a constant, in either order. */
export function comparisonOf(condition: RowExpression): Comparison | undefined {
  if (condition.kind !== "call" || !isComparisonOperator(condition.name)) {
    return undefined;
  }
  const [first, second] = condition.args;
  if (first?.kind === "variable" && second?.kind === "constant") {
    return { variable: first, operator: condition.name, value: second };
  }
  return first?.kind === "constant" && second?.kind === "variable"
    ? { variable: second, operator: flipped[condition.name], value: first }
    : undefined;
}

/** Returns the values for which a comparison with `value` is true. */
export function comparisonRanges(operator: ComparisonOperator, value: DomainValue): readonly Range[] {
  switch (operator) {
    case "$eq":
      return [equalTo(value)];
    case "$ne":
      return [lessThan(value), greaterThan(value)];
    case "$lt":
      return [lessThan(value)];
    case "$le":
      return [lessThanOrEqual(value)];
    case "$gt":
      return [greaterThan(value)];
    case "$ge":
      return [greaterThanOrEqual(value)];
  }
}

/** Domains by variable name, in the order in which the conditions mention the variables. */
export function domainsOf(predicate: RowExpression): TupleDomain {
  return TupleDomain.of(
    conjunctsOf(predicate)
      .flatMap((conjunct) => domainOf(conjunct) ?? [])
      .map(({ variable, domain }) => [variable.name, domain] as const),
  );
}

function domainOf(condition: RowExpression): VariableDomain | undefined {
  if (condition.kind === "special") {
    switch (condition.form) {
      case "OR":
        return combinedDomain(disjunctsOf(condition), (a, b) => a.union(b));
      case "AND":
        return combinedDomain(conjunctsOf(condition), (a, b) => a.intersect(b));
      case "IS_NULL":
      case "IN":
        return domainOfColumn(condition.form, condition.args);
      default:
        return undefined;
    }
  }
  if (condition.kind === "call" && condition.name === "$not") {
    const [negated] = condition.args;
    const isNull = negated === undefined ? undefined : domainOf(negated);
    return isNull?.domain.isOnlyNull === true ? { ...isNull, domain: Domain.notNull(isNull.domain.type) } : undefined;
  }
  const comparison = comparisonOf(condition);
  if (comparison === undefined || !isValueOf(comparison.value, comparison.variable.type)) {
    return undefined;
  }
  const { variable, operator, value } = comparison;
  return { variable, domain: Domain.ofRanges(variable.type, ...comparisonRanges(operator, constantValue(value))) };
}

function domainOfColumn(form: "IS_NULL" | "IN", [first, ...items]: readonly RowExpression[]): VariableDomain | undefined {
  if (first?.kind !== "variable" || !ordered.has(first.type.kind)) {
    return undefined;
  }
  if (form === "IS_NULL") {
    return { variable: first, domain: Domain.onlyNull(first.type) };
  }
  const constants = items.filter((item) => isValueOf(item, first.type));
  return constants.length === items.length ? { variable: first, domain: Domain.of(first.type, constants.map(constantValue)) } : undefined;
}

/** Combines the domains of several conditions if all of them concern the same column. */
function combinedDomain(conditions: readonly RowExpression[], combine: (a: Domain, b: Domain) => Domain): VariableDomain | undefined {
  const [first, ...others] = conditions.map(domainOf);
  return others.reduce(
    (one, other) =>
      one === undefined || other?.variable.name !== one.variable.name ? undefined : { ...one, domain: combine(one.domain, other.domain) },
    first,
  );
}

const ordered: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>([
  ...(["tinyint", "smallint", "integer", "bigint", "decimal", "real", "double", "date", "timestamp"] as const),
  ...(["varchar", "char"] as const),
]);

function isValueOf(expression: RowExpression, { kind }: Type): expression is Constant {
  if (expression.kind !== "constant" || expression.value === null || expression.type.kind !== kind || !ordered.has(kind)) {
    return false;
  }
  return (kind !== "real" && kind !== "double") || Number.isFinite(Number(expression.value));
}

/** Value of a constant that is not NULL. */
export function constantValue({ type, value }: Constant): DomainValue {
  return typeof value === "boolean" ? value : domainValueOf(type, String(value));
}
