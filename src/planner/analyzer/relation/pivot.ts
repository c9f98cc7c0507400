/**
 * PIVOT as the query that it abbreviates: a column for each aggregation and value, whose aggregates have a FILTER by the value. Names of
 * columns, errors and the optional GROUP BY are Trino's.
 */
import { isAggregate } from "../../../functions/registry/registry.ts";
import type {
  Expression,
  FunctionCall,
  GroupBy,
  GroupingElement,
  Identifier,
  Pivot,
  PivotValue,
  Query,
  SelectItem,
} from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { requireScalar } from "../aggregation/calls-inside.ts";
import { isCollection } from "../aggregation/collections.ts";
import { notSupported, semanticError } from "../errors.ts";

export function pivotQuery(pivot: Pivot): Query {
  const { aggregations, columns, groupBy, location, relation, values } = pivot;
  for (const { alias, location: at } of aggregations) {
    if (aggregations.length > 1 && alias === undefined) {
      throw semanticError("MISSING_COLUMN_ALIASES", { location: at }, "PIVOT with multiple aggregations requires an alias for each");
    }
  }
  const items: SelectItem[] = groupingExpressions(groupBy).map((expression) => ({ kind: "SingleColumn", expression, location }));
  const names = new Set<string>();
  for (const value of values) {
    const condition = conditionOf(columns, value);
    for (const { alias, expression } of aggregations) {
      const name = [value.alias?.value ?? value.expressions.map(printExpression).join("_"), alias?.value].filter(isText).join("_");
      if (names.has(name.toLowerCase())) {
        throw semanticError("DUPLICATE_COLUMN_NAME", value, `PIVOT produces duplicate output column name '${name}'`);
      }
      names.add(name.toLowerCase());
      const column: Identifier = { kind: "Identifier", value: name, delimited: true, location: value.location };
      items.push({ kind: "SingleColumn", expression: filtered(expression, condition), alias: column, location });
    }
  }
  const grouping: GroupBy = groupBy ?? { kind: "GroupBy", distinct: false, elements: [{ ...everything, location }], location };
  return {
    kind: "Query",
    body: {
      kind: "QuerySpecification",
      select: { kind: "Select", distinct: false, items, location },
      from: relation,
      groupBy: grouping,
      windows: [],
      location,
    },
    orderBy: [],
    location,
  };
}

const everything = Object.freeze({ kind: "SimpleGroupBy" as const, expressions: Object.freeze([]) });

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function conditionOf(columns: readonly Expression[], value: PivotValue): Expression {
  const { expressions, location } = value;
  if (expressions.length !== columns.length) {
    const message = `Number of pivot values (${expressions.length}) does not match the number of pivot columns (${columns.length})`;
    throw semanticError("INVALID_ARGUMENTS", value, message);
  }
  const terms = columns.map((left, index): Expression => {
    const right = expressions[index] as Expression;
    requireScalar(right, "PIVOT IN clause");
    return { kind: "Comparison", operator: "=", left, right, location };
  });
  return terms.length === 1 ? (terms[0] as Expression) : { kind: "Logical", operator: "AND", terms, location };
}

/** In the order of the clause, each once. */
function groupingExpressions(groupBy: GroupBy | undefined): readonly Expression[] {
  const all = (groupBy?.elements ?? []).flatMap(expressionsOf);
  const texts = all.map(printExpression);
  return all.filter((_, index) => texts.indexOf(texts[index] as string) === index);
}

function expressionsOf(element: GroupingElement): readonly Expression[] {
  switch (element.kind) {
    case "AutoGroupBy":
      throw notSupported(element, "GROUP BY AUTO requires a SELECT list");
    case "GroupingSets":
      return element.sets.flat();
    case "SimpleGroupBy":
    case "Rollup":
    case "Cube":
      return element.expressions;
  }
}

/** The expression with the condition in the FILTER of each aggregate. Subqueries have aggregates of their own. */
function filtered<T>(node: T, condition: Expression): T {
  if (Array.isArray(node)) {
    return node.map((one: unknown) => filtered(one, condition)) as T;
  }
  if (typeof node !== "object" || node === null) {
    return node;
  }
  const { kind } = node as { readonly kind?: string };
  if (kind === "Query") {
    return node;
  }
  if (kind === "FunctionCall" && isPlainAggregate(node as unknown as FunctionCall)) {
    const call = node as unknown as FunctionCall;
    const { filter, location } = call;
    const both: Expression = filter === undefined ? condition : { kind: "Logical", operator: "AND", terms: [condition, filter], location };
    return { ...call, filter: both } as T;
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, filtered(value, condition)])) as T;
}

function isPlainAggregate({ name, window }: FunctionCall): boolean {
  const text = name.parts.map(({ value }) => value.toLowerCase()).join(".");
  return window === undefined && (isAggregate(text) || isCollection(text));
}
