/**
 * Derives constraints on single columns from the filter directly above a table scan: domains and patterns. Connectors use them to skip
 * whole splits when they list splits. Columns with a dynamic filter are marked, because more is known about them when the splits are read.
 */
import { knobOf, type Knobs } from "../../ports/knobs.ts";
import type { Constraint, LikePattern } from "../../connectors/spi.ts";
import { Domain } from "../../types/domain/domain.ts";
import { hasDoubleRange, hasExactNumbers } from "../../types/domain/double-range.ts";
import { between, type DomainValue, type Range } from "../../types/domain/range.ts";
import { TupleDomain } from "../../types/domain/tuple-domain.ts";
import { compareNested } from "../../types/nested/nested-order.ts";
import { sameType, type Type } from "../../types/type.ts";
import { comparisonOf, comparisonRanges, constantValue, type VariableDomain } from "./domains.ts";
import type { Constant, RowExpression } from "../plan/typed-expression.ts";
import { conjunctsOf } from "../plan/expression-tree.ts";
import type { PlanNode, TableScanNode } from "../plan/node.ts";
import { numericValue } from "../optimizer/stats/selectivity.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** Constraints by scan id. A scan without a filter has no entry. */
export function constraintsOf(root: PlanNode, bounds: { readonly knobs?: Knobs | undefined } = {}): ReadonlyMap<string, Constraint> {
  // A connector looks up each value, so longer lists do not pay.
  const valuesMax = knobOf(bounds, "constraint-values");
  const found = new Map<string, Constraint>();
  visitPlan(root, (node) => {
    if (node.kind === "Filter" && node.source.kind === "TableScan") {
      found.set(node.source.id, constraintOf(node.source, node.predicate, valuesMax));
    }
    if (node.kind === "TableScan" && (node.dynamicFilters ?? node.remoteDynamicFilters) !== undefined) {
      found.set(node.id, withDynamicFilters(found.get(node.id), node));
    }
  });
  return found;
}

/** A dynamic filter rejects NULL. */
function withDynamicFilters(known: Constraint | undefined, scan: TableScanNode): Constraint {
  const filtered = new Set([...(scan.dynamicFilters ?? []), ...(scan.remoteDynamicFilters ?? [])].map(({ variable }) => variable.name));
  const columns = scan.columns.filter((_, channel) => filtered.has(scan.outputs[channel]?.name ?? ""));
  const notNull = TupleDomain.of(columns.map(({ name, type }) => [name, Domain.notNull(type)]));
  return {
    ...known,
    summary: (known?.summary ?? TupleDomain.all).intersect(notNull),
    dynamicColumns: new Set(columns.map(({ name }) => name)),
  };
}

/** The constraint of a condition on the rows of the scan. */
export function constraintOf(scan: TableScanNode, predicate: RowExpression, valuesMax: number): Constraint {
  const domains: (readonly [string, Domain])[] = [];
  const patterns = new Map<string, LikePattern>();
  for (const conjunct of conjunctsOf(predicate)) {
    const like = likeOf(conjunct);
    const { variable, domain } = like ?? valuesOf(conjunct, valuesMax) ?? rangeOf(conjunct) ?? {};
    const column = scan.columns[scan.outputs.findIndex((output) => output.name === variable?.name)]?.name;
    if (domain === undefined || column === undefined) {
      continue;
    }
    domains.push([column, domain]);
    // Keeps the first of two patterns. The filter above the scan drops the additional rows.
    if (like !== undefined && !patterns.has(column)) {
      patterns.set(column, like.pattern);
    }
  }
  return { summary: TupleDomain.of(domains), ...(patterns.size > 0 && { patterns }) };
}

/**
 * Matches `column = constant` and `column IN (constants)`, for types whose values connectors look up. A double only gets its range, because
 * different texts may denote the same number.
 */
function valuesOf(condition: RowExpression, valuesMax: number): VariableDomain | undefined {
  const [variable, items] = equalityOf(condition) ?? [];
  if (variable?.kind !== "variable" || items === undefined || items.length > valuesMax) {
    return undefined;
  }
  const constants = items.filter((item): item is Constant => item.kind === "constant" && isSought(variable.type, item.type));
  if (constants.length < items.length) {
    return undefined;
  }
  // No value equals NULL.
  const values = constants.filter(({ value }) => value !== null).map(constantValue);
  return { variable, domain: Domain.of(variable.type, values) };
}

function equalityOf(condition: RowExpression): readonly [RowExpression | undefined, readonly RowExpression[]] | undefined {
  const comparison = comparisonOf(condition);
  if (comparison?.operator === "$eq") {
    return [comparison.variable, [comparison.value]];
  }
  return condition.kind === "special" && condition.form === "IN" ? [condition.args[0], condition.args.slice(1)] : undefined;
}

function isSought(column: Type, constant: Type): boolean {
  return column.kind === "varchar" ? constant.kind === "varchar" : hasExactNumbers(column) && sameType(column, constant);
}

/** Comparisons of columns whose statistics are numbers. A long list becomes the range of its values. */
function rangeOf(condition: RowExpression): VariableDomain | undefined {
  const comparison = comparisonOf(condition);
  const [variable, items] = comparison === undefined ? (equalityOf(condition) ?? []) : [comparison.variable, [comparison.value]];
  if (variable?.kind !== "variable" || items === undefined || !hasDoubleRange(variable.type) || comparison?.operator === "$ne") {
    return undefined;
  }
  const constants = items.filter((item): item is Constant => numericValue(item) !== undefined && hasUnitOf(variable.type, item.type));
  const values = constants.map(constantValue);
  const [first] = values;
  if (first === undefined || constants.length < items.length) {
    return undefined;
  }
  if (comparison !== undefined) {
    return { variable, domain: Domain.ofRanges(variable.type, ...comparisonRanges(comparison.operator, first)) };
  }
  return { variable, domain: Domain.ofRanges(variable.type, spanOfValues(variable.type, first, values)) };
}

/** From the least value to the greatest; of equal ones the first. */
function spanOfValues(type: Type, first: DomainValue, values: readonly DomainValue[]): Range {
  let [low, high] = [first, first];
  for (const value of values) {
    low = compareNested(type, value, low) < 0 ? value : low;
    high = compareNested(type, value, high) > 0 ? value : high;
  }
  return between(low, high);
}

/** Returns whether equal values of the two types are equal numbers in the statistics. */
function hasUnitOf(column: Type, constant: Type): boolean {
  return column.kind === "decimal" ? constant.kind === "decimal" && column.scale === constant.scale : column.kind === constant.kind;
}

/** Matches `column LIKE 'text'`, with or without ESCAPE. */
function likeOf(condition: RowExpression): (VariableDomain & { readonly pattern: LikePattern }) | undefined {
  if (condition.kind !== "call" || condition.name !== "like") {
    return undefined;
  }
  const [text, pattern, escape] = condition.args;
  if (text?.kind !== "variable" || text.type.kind !== "varchar" || !isText(pattern) || (escape !== undefined && !isText(escape))) {
    return undefined;
  }
  const like = { pattern: pattern.value, ...(escape !== undefined && { escape: escape.value }) };
  return { variable: text, domain: Domain.notNull(text.type), pattern: like };
}

function isText(expression: RowExpression | undefined): expression is Constant & { readonly value: string } {
  return expression?.kind === "constant" && expression.type.kind === "varchar" && typeof expression.value === "string";
}
