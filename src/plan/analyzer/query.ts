/** Queries: WITH, the body, ORDER BY, OFFSET and LIMIT. Called for statements, for subqueries and for every mention of a WITH query. */
import type { FetchFirst, Limit, LongLiteral, Parameter, Query, QueryBody, SortItem, With } from "../../sql/ast.ts";
import { lowerName } from "../../sql/ast.ts";
import { unreachable } from "../../protocol/errors.ts";
import type { RowExpression } from "../expression.ts";
import type { Assignment, Ordering, PlanNode } from "../node.ts";
import type { PlanIds } from "../ids.ts";
import { extendProject, outputNames } from "../tree.ts";
import type { Analysis, Environment, NamedQuery, QueryContext } from "./analysis.ts";
import { requireSortable } from "./comparable.ts";
import { semanticError, type Placed } from "./errors.ts";
import { analyzeExpression } from "./expressions.ts";
import { planValues } from "./queries/values.ts";
import { planRecursive, recursionOf } from "./recursion.ts";
import { planTableName, renameFields } from "./relations.ts";
import type { Field, RelationPlan, Scope } from "./scope.ts";
import { planSetOperation } from "./set-operations.ts";
import { planSpecification } from "./specification.ts";

export function planQuery(query: Query, analysis: Analysis, queries: QueryContext): RelationPlan {
  const inside = query.with === undefined ? queries : withQueries(query.with, queries);
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
    if (declared.has(name)) throw semanticError("DUPLICATE_NAMED_QUERY", item, `WITH query name '${name}' specified more than once`);
    declared.add(name);
    const recursion = clause.recursive ? recursionOf(item) : undefined;
    named.set(name, {
      query: item.query,
      ...(recursion && { recursion: { ...recursion, name } }),
      surroundings: { named: new Map(named), ...(queries.outer && { outer: queries.outer }) },
      ...(item.columnNames && { columnNames: item.columnNames.map((column) => column.value) }),
    });
  }
  return { ...queries, named };
}

export function planNamedQuery(named: NamedQuery, analysis: Analysis, at: Placed): RelationPlan {
  if (named.relation !== undefined) return named.relation();
  if (named.recursion !== undefined) return planRecursive(named.recursion, named, named.recursion.name, analysis, at);
  const plan = planQuery(named.query, analysis, named.surroundings);
  if (named.columnNames === undefined) return plan;
  const names = named.columnNames.map((value) => ({ value }));
  return { node: plan.node, fields: renameFields(plan.fields, names, "WITH query", at) };
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
  if (orderBy.length === 0) return plan;
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
  if (expression.kind !== "LongLiteral") return undefined;
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
    if (key.kind === "constant") return;
    const known = key.kind === "variable" && made.has(key.name);
    const variable = known ? key : analysis.ids.variable("sort", key.type);
    if (!known) added.push({ output: variable, expression: key });
    if (seen.has(variable.name)) return;
    seen.add(variable.name);
    orderBy.push({ variable, descending: item.ordering === "DESC", nullsFirst: item.nulls === "FIRST" });
  });
  const extended = extendProject(analysis.ids, source, added);
  return orderBy.length === 0 ? extended : { kind: "Sort", id: analysis.ids.node(), source: extended, orderBy };
}

function limitRows(source: PlanNode, query: Query, analysis: Analysis): PlanNode {
  const { ids } = analysis;
  if (query.limit?.kind === "FetchFirst" && query.limit.withTies) return limitWithTies(source, query, query.limit, analysis);
  let node = source;
  if (query.offset !== undefined) {
    const count = rowCount(query.offset, "OFFSET");
    if (count > 0) node = { kind: "Offset", id: ids.node(), source: node, count };
  }
  const count = query.limit === undefined ? undefined : limitCount(query.limit);
  return count === undefined ? node : { kind: "Limit", id: ids.node(), source: node, count, partial: false };
}

/** The first rows before and behind the offset with all that tie with the last of them, less those before the offset. */
function limitWithTies(source: PlanNode, query: Query, limit: FetchFirst, { ids }: Analysis): PlanNode {
  if (query.orderBy.length === 0) throw semanticError("MISSING_ORDER_BY", limit, "FETCH FIRST WITH TIES clause requires ORDER BY");
  const offset = query.offset === undefined ? 0 : rowCount(query.offset, "OFFSET");
  const count = Math.min(offset + (limitCount(limit) ?? 1), Number.MAX_SAFE_INTEGER);
  const node = sortedWithTies(source, count, ids);
  return offset === 0 ? node : { kind: "Offset", id: ids.node(), source: node, count: offset };
}

/** The sort lies below the projection of the SELECT; an order by constants alone sorts nothing, and all rows tie. */
function sortedWithTies(node: PlanNode, count: number, ids: PlanIds): PlanNode {
  if (node.kind === "Project") return { ...node, source: sortedWithTies(node.source, count, ids) };
  if (node.kind !== "Sort") return node;
  return { kind: "TopN", id: ids.node(), source: node.source, count, orderBy: node.orderBy, step: "SINGLE", withTies: true };
}

function limitCount(limit: Limit | FetchFirst): number | undefined {
  if (limit.kind === "FetchFirst") {
    const count = limit.count === undefined ? 1 : rowCount(limit.count, "FETCH FIRST");
    if (count < 1) throw semanticError("INVALID_LIMIT_CLAUSE", limit, `FETCH FIRST row count must be positive (actual value: ${count})`);
    return count;
  }
  return limit.count === undefined ? undefined : rowCount(limit.count, "LIMIT");
}

function rowCount(literal: LongLiteral | Parameter, clause: string): number {
  if (literal.kind === "Parameter") {
    throw semanticError("INVALID_PARAMETER_USAGE", literal, "Query takes no parameters");
  }
  const count = Number(literal.value);
  if (!Number.isFinite(count) || BigInt(literal.value) > 9223372036854775807n) {
    throw semanticError("INVALID_LIMIT_CLAUSE", literal, `Invalid ${clause} row count: ${literal.value}`);
  }
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
