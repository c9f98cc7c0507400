/** Queries: WITH, the body, ORDER BY, OFFSET and LIMIT. Called for statements, for subqueries and for every mention of a WITH query. */
import type { Identifier, QualifiedName, Query, QueryBody, SortItem, With } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { unreachable } from "../../../protocol/errors.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Assignment, Ordering, PlanNode } from "../../plan/node.ts";
import { extendProject, outputNames } from "../../plan/plan-tree.ts";
import type { Analysis, Environment, NamedQuery, QueryContext } from "../analysis.ts";
import { requireSortable } from "../expression/comparable.ts";
import { semanticError, type Placed } from "../errors.ts";
import { analyzeExpression } from "../expression/expression-analyzer.ts";
import { planValues } from "./values.ts";
import { planRecursive, recursionOf } from "./recursion.ts";
import { limitRows } from "./row-limits.ts";
import { planTableName } from "../relation/relations.ts";
import { withFunctions } from "../routine/call.ts";
import type { Field, RelationPlan, Scope } from "../scope/scope.ts";
import { planSetOperation } from "./set-operations.ts";
import { planSpecification } from "./specification.ts";

export function planQuery(query: Query, given: Analysis, queries: QueryContext): RelationPlan {
  const analysis = query.functions === undefined ? given : withFunctions(query.functions, given);
  const inside = query.with === undefined ? queries : withQueries(query.with, queries);
  if (query.with !== undefined) {
    checkUnused(query.with, query, inside, analysis);
  }
  const { body } = query;
  const ordered =
    body.kind === "QuerySpecification"
      ? planSpecification(body, query.orderBy, analysis, inside)
      : orderBody(planBody(body, analysis, inside), query, analysis, inside);
  return { node: limitRows(ordered.node, query, analysis), fields: ordered.fields };
}

function withQueries(clause: With, queries: QueryContext): QueryContext {
  const named = new Map(queries.named);
  const declared = new Set<string>();
  for (const item of clause.queries) {
    const name = lowerName(item.name);
    if (declared.has(name)) {
      throw semanticError("DUPLICATE_NAMED_QUERY", item, `WITH query name '${name}' specified more than once`);
    }
    declared.add(name);
    const recursion = clause.recursive ? recursionOf(item) : undefined;
    named.set(name, {
      query: item.query,
      ...(recursion && { recursion: { ...recursion, name } }),
      surroundings: { named: new Map(named), ...(queries.outer && { outer: queries.outer }) },
      ...(item.columnNames && { columnNames: item.columnNames }),
    });
  }
  return { ...queries, named };
}

/** A query of WITH that nothing names is planned as well, for its mistakes. A name somewhere may mean another query or a table: it is planned where it is met. */
function checkUnused(clause: With, query: Query, { named }: QueryContext, analysis: Analysis): void {
  if (analysis.checkedWith.has(clause)) {
    return;
  }
  analysis.checkedWith.add(clause);
  const mentioned = new Set<string>();
  visitSyntax(query, (node) => {
    if (node["kind"] !== "Table" && node["kind"] !== "TableQuery") {
      return;
    }
    const { parts } = node["name"] as QualifiedName;
    if (parts.length === 1 && parts[0] !== undefined) {
      mentioned.add(lowerName(parts[0]));
    }
  });
  for (const item of clause.queries) {
    const own = named.get(lowerName(item.name));
    if (own !== undefined && !mentioned.has(lowerName(item.name))) {
      planNamedQuery(own, analysis, item);
    }
  }
}

export function planNamedQuery(named: NamedQuery, analysis: Analysis, at: Placed): RelationPlan {
  if (named.relation !== undefined) {
    return named.relation();
  }
  if (named.recursion !== undefined) {
    return planRecursive(named.recursion, named, named.recursion.name, analysis, at);
  }
  const plan = planQuery(named.query, analysis, named.surroundings);
  if (named.columnNames === undefined) {
    return plan;
  }
  const visible = plan.fields.filter((field) => !field.hidden);
  requireAliases(named.columnNames, visible.length, at);
  return { node: plan.node, fields: visible.map((field, index) => ({ ...field, name: named.columnNames?.[index]?.value ?? "" })) };
}

/** A name for each column of what is named anew, and each name once. */
export function requireAliases(aliases: readonly Identifier[], columnCount: number, at: Placed): void {
  if (aliases.length !== columnCount) {
    const counts = `Column alias list has ${aliases.length} entries but relation has ${columnCount} columns`;
    throw semanticError("MISMATCHED_COLUMN_ALIASES", aliases[0] ?? at, counts);
  }
  const names = new Set<string>();
  for (const alias of aliases) {
    const name = lowerName(alias);
    if (names.has(name)) {
      throw semanticError("DUPLICATE_COLUMN_NAME", alias, `Column name '${alias.value}' specified more than once`);
    }
    names.add(name);
  }
}

export function planBody(body: QueryBody, analysis: Analysis, queries: QueryContext): RelationPlan {
  switch (body.kind) {
    case "QuerySpecification":
      return planSpecification(body, [], analysis, queries);
    case "SetOperation":
      return planSetOperation(body, analysis, queries);
    case "Values":
      return planValues(body, analysis, queries);
    case "TableQuery":
      return planTableName(body.name, analysis, queries);
    case "TableSubquery":
      return planQuery(body.query, analysis, queries);
    default:
      return unreachable(body);
  }
}

/** ORDER BY over anything but a SELECT: its columns, by name or position. */
function orderBody(plan: RelationPlan, query: Query, analysis: Analysis, queries: QueryContext): RelationPlan {
  const { orderBy } = query;
  if (orderBy.length === 0) {
    return plan;
  }
  const scope: Scope = { fields: plan.fields, queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
  const env: Environment = { analysis, scope, queries, clause: "ORDER BY clause" };
  const visible = plan.fields.filter((field) => !field.hidden);
  const keys = orderBy.map((item) => {
    const position = ordinal(item.key, visible.length, "ORDER BY");
    return position === undefined ? analyzeExpression(item.key, env) : (visible[position] as Field).expression;
  });
  requireSortable(orderBy, keys, query);
  return { node: sortNode(plan.node, orderBy, keys, analysis), fields: plan.fields };
}

/** The index an integer literal means; undefined for other expressions. */
export function ordinal(expression: SortItem["key"], count: number, clause: string): number | undefined {
  if (expression.kind !== "LongLiteral") {
    return undefined;
  }
  const position = Number(expression.value);
  if (position < 1 || position > count) {
    throw semanticError("INVALID_COLUMN_REFERENCE", expression, `${clause} position ${position} is not in select list`);
  }
  return position - 1;
}

export function sortNode(source: PlanNode, items: readonly SortItem[], keys: readonly RowExpression[], analysis: Analysis): PlanNode {
  const added: Assignment[] = [];
  const orderBy: Ordering[] = [];
  const seen = new Set<string>();
  const made = outputNames(source);
  keys.forEach((key, index) => {
    const item = items[index] as SortItem;
    if (key.kind === "constant") {
      return;
    }
    const known = key.kind === "variable" && made.has(key.name);
    const variable = known ? key : analysis.ids.variable("sort", key.type);
    if (!known) {
      added.push({ output: variable, expression: key });
    }
    if (seen.has(variable.name)) {
      return;
    }
    seen.add(variable.name);
    orderBy.push({ variable, descending: item.ordering === "DESC", nullsFirst: item.nulls === "FIRST" });
  });
  const extended = extendProject(analysis.ids, source, added);
  return orderBy.length === 0 ? extended : { kind: "Sort", id: analysis.ids.node(), source: extended, orderBy };
}
