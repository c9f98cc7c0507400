/**
 * Plans SELECT ... FROM ... WHERE ... GROUP BY ... HAVING ... QUALIFY together with the ORDER BY of its query.
 */
import type { AllColumns, Expression, Identifier, QuerySpecification, SelectItem, SortItem } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { collectVariables, conjunctsOf, expressionKey } from "../../plan/expression-tree.ts";
import type { Assignment, PlanNode } from "../../plan/node.ts";
import { extendProject, filterNode, identity, namesOf, outputNames, projectNode } from "../../plan/plan-tree.ts";
import { AggregateCollector, makeGrouping, type Grouping } from "../aggregation/aggregates.ts";
import type { Analysis, Environment, OuterColumn, PendingGrouping, PendingSubquery, QueryContext } from "../analysis.ts";
import { requireScalar } from "../aggregation/calls-inside.ts";
import { requireDistinguishable, requireGroupable, requireSortable } from "../expression/comparable.ts";
import { notSupported, type Placed, semanticError } from "../errors.ts";
import { elementsIn, type InPieces, mapInPieces } from "../../pieces.ts";
import { analyzeExpression, analyzePredicate } from "../expression/analyze-expression.ts";
import { analyzeGroupBy, groupSource, requireGroupBy, type Selected } from "../aggregation/grouping.ts";
import { ordinal, sortNode } from "./order-by.ts";
import { relationInPieces } from "../relation/relations.ts";
import { fieldsOfRelation, hasColumn, nameParts, resolveName, type Field, type RelationPlan, type Scope } from "../scope/scope.ts";
import { distinctRows } from "./set-operations.ts";
import { fieldAt } from "../expression/structures.ts";
import { subqueriesInPieces, subqueriesOver } from "../subquery/subqueries.ts";
import { WindowCollector } from "../window/collector.ts";
import { planWindows } from "../window/plan.ts";
import { defineWindows, withoutWindows } from "../window/windows.ts";

interface OutputColumn {
  readonly name?: string;
  readonly expression: RowExpression;
  readonly syntax: Expression | AllColumns;
  /** For a column of a star, in messages: `'t.x'`, or its number if it has no name. */
  readonly label?: string;
  /** Subqueries in the column's expression. */
  readonly subqueries: readonly PendingSubquery[];
}

/**
 * With several grouping sets, one of two equal columns may be NULL where the other is not. Columns of a relation that share a variable
 * (`SELECT x AS a, x AS b`) therefore get separate variables.
 */
function withOwnColumns(specification: QuerySpecification, from: RelationPlan, { ids }: Analysis): RelationPlan {
  if (specification.groupBy?.elements.every(({ kind }) => kind === "SimpleGroupBy" || kind === "AutoGroupBy") ?? true) {
    return from;
  }
  const seen = new Set<string>();
  const added: Assignment[] = [];
  const fields = from.fields.map((field): Field => {
    if (field.expression.kind !== "variable" || field.hidden) {
      return field;
    }
    const key = [field.expression.name, ...(field.qualifier ?? [])].join("\u0000");
    if (!seen.has(key)) {
      seen.add(key);
      return field;
    }
    const output = ids.variable(field.expression.name, field.expression.type);
    added.push({ output, expression: field.expression });
    return { ...field, expression: output };
  });
  return { node: extendProject(ids, from.node, added), fields };
}

export function* planSpecification(
  specification: QuerySpecification,
  orderBy: readonly SortItem[],
  analysis: Analysis,
  queries: QueryContext,
): InPieces<RelationPlan> {
  const from = withOwnColumns(specification, yield* planFrom(specification, analysis, queries), analysis);
  const scope: Scope = { fields: from.fields, queryBoundary: true, ...(queries.outer && { parent: queries.outer }) };
  const filtered = yield* planWhere(specification, from.node, { analysis, scope, queries });
  const outerColumnsBefore = analysis.outerColumns.length;
  const aggregates = new AggregateCollector(analysis.ids);
  const windows = new WindowCollector(analysis.ids);
  const subqueries: PendingSubquery[] = [];
  const havingSubqueries: PendingSubquery[] = [];
  const aggregateSubqueries: PendingSubquery[] = [];
  const groupings: PendingGrouping[] = [];
  const base: Environment = {
    analysis,
    scope,
    queries,
    clause: "SELECT clause",
    aggregates,
    windows,
    groupings,
    subqueries,
    aggregateSubqueries,
  };
  defineWindows(specification.windows, windows, base);
  const isInTurns = analysis.context.turn !== undefined;
  const columns = (yield* mapInPieces(
    specification.select.items,
    (item) => selectColumns(item, specification, base),
    isInTurns ? (item) => elementsIn(item) : undefined,
  )).flat();
  if (specification.select.distinct) {
    checkDistinct(columns, specification);
  }
  const keys =
    specification.groupBy === undefined ? undefined : yield* analyzeGroupBy(specification.groupBy, columns.map(selectedColumn), base);
  if (keys !== undefined) {
    requireGroupable(
      keys.keys.map(({ output }) => output.type),
      specification,
    );
  }
  const having =
    specification.having === undefined
      ? undefined
      : analyzePredicate(specification.having, { ...withoutWindows(base), clause: "HAVING clause", subqueries: havingSubqueries });
  const qualifySubqueries: PendingSubquery[] = [];
  const qualify =
    specification.qualify === undefined
      ? undefined
      : analyzePredicate(specification.qualify, qualifyEnvironment(columns, { ...base, subqueries: qualifySubqueries }));
  let sorting: Environment | undefined;
  const sortKeys = yield* mapInPieces(orderBy, ({ key }) => {
    const position = ordinal(key, columns.length, "ORDER BY");
    if (position !== undefined) {
      return (columns[position] as OutputColumn).expression;
    }
    sorting ??= sortEnvironment(columns, base);
    return analyzeExpression(key, { ...sorting, item: key });
  });
  requireSortable(orderBy, sortKeys, specification);
  // Subqueries of grouping keys are planned below the aggregation.
  const below = new Set([...(keys?.columns ?? [])].flatMap((position) => (columns[position] as OutputColumn).subqueries));
  const above = subqueries.filter((subquery) => !below.has(subquery));

  /** Columns and keys, which each of the following parts looks at. */
  const elements =
    (isInTurns ? columns.reduce((sum, { syntax }) => sum + elementsIn(syntax), 0) : columns.length) +
    sortKeys.length +
    (keys?.keys.length ?? 0);
  yield elements;
  const isAggregated = specification.groupBy !== undefined || aggregates.size > 0 || having !== undefined;
  const input = yield* subqueriesInPieces(filtered, [...below, ...aggregateSubqueries]);
  const sourceNames = outputNames(filtered);
  if (keys === undefined) {
    requireGroupBy(groupings, specification);
  }
  const grouped = keys === undefined ? undefined : groupSource(input, sourceNames, keys, groupings, analysis.ids);
  const grouping = isAggregated ? (grouped?.grouping ?? makeGrouping([], sourceNames)) : undefined;
  const rewrite = (expression: RowExpression) =>
    rewriteGrouped(grouping, expression, analysis.outerColumns.slice(outerColumnsBefore), specification);
  let node = grouping === undefined ? filtered : aggregates.plan(grouped?.source ?? input, grouped?.keys ?? [], grouped?.globalSets);
  if (having !== undefined && specification.having !== undefined) {
    checkGrouped(grouping, having, specification.having);
    node = yield* subqueriesInPieces(node, havingSubqueries, rewrite);
    node = filterNode(analysis.ids, node, conjunctsOf(rewrite(having)));
  }
  yield elements;
  yield* mapInPieces(columns, (column) => checkGrouped(grouping, column.expression, column.syntax, column.label));
  sortKeys.forEach((key, index) => checkGrouped(grouping, key, (orderBy[index] as SortItem).key));
  const overWindows = subqueriesOver(above, namesOf(windows.outputs()));
  node = yield* subqueriesInPieces(
    node,
    above.filter((subquery) => !overWindows.includes(subquery)),
    rewrite,
  );
  yield elements;
  node = planWindows(windows, analysis.ids, node, ({ expression, syntax, ungrouped }) => {
    if (ungrouped === undefined) {
      checkGrouped(grouping, expression, syntax);
    } else {
      requireGrouped(grouping, expression, ungrouped);
    }
    return rewrite(expression);
  });
  node = yield* subqueriesInPieces(node, overWindows, rewrite);
  if (qualify !== undefined && specification.qualify !== undefined) {
    checkGrouped(grouping, qualify, specification.qualify);
    node = yield* subqueriesInPieces(node, qualifySubqueries, rewrite);
    node = filterNode(analysis.ids, node, conjunctsOf(rewrite(qualify)));
  }
  yield elements;
  return yield* selectAndOrder(specification, node, columns, orderBy, sortKeys, rewrite, analysis);
}

function checkDistinct(columns: readonly OutputColumn[], at: QuerySpecification): void {
  for (const { expression, syntax } of columns) {
    requireDistinguishable(expression.type, at, syntax.kind === "AllColumns" ? "" : `: ${printExpression(syntax)}`);
  }
}

/** Rewrites an expression for the place above the aggregation, where only grouping keys and aggregates exist. */
function rewriteGrouped(
  grouping: Grouping | undefined,
  expression: RowExpression,
  mentions: readonly OuterColumn[],
  at: QuerySpecification,
): RowExpression {
  if (grouping === undefined) {
    return expression;
  }
  const rewritten = grouping.rewrite(expression);
  if (grouping.isGrouped(rewritten)) {
    return rewritten;
  }
  const loose = [...collectVariables(rewritten).values()].filter((variable) => !grouping.isGrouped(variable));
  const mention = mentions.find(({ name }) => loose.some((variable) => variable.name === name))?.syntax;
  const column = mention === undefined ? (loose[0]?.name ?? "") : printExpression(mention);
  throw semanticError("EXPRESSION_NOT_AGGREGATE", mention ?? at, `Subquery uses '${column}' which must appear in GROUP BY clause`);
}

function* planFrom(specification: QuerySpecification, analysis: Analysis, queries: QueryContext): InPieces<RelationPlan> {
  if (specification.from !== undefined) {
    return yield* relationInPieces(specification.from, analysis, queries);
  }
  return { node: { kind: "Values", id: analysis.ids.node(), outputs: [], rows: [[]] }, fields: [] };
}

function* planWhere(
  specification: QuerySpecification,
  source: PlanNode,
  place: Pick<Environment, "analysis" | "scope" | "queries">,
): InPieces<PlanNode> {
  if (specification.where === undefined) {
    return source;
  }
  const nodes = requireScalar(specification.where, "WHERE clause");
  yield nodes;
  const subqueries: PendingSubquery[] = [];
  const predicate = analyzePredicate(specification.where, { ...place, clause: "WHERE clause", subqueries });
  yield nodes;
  const node = yield* subqueriesInPieces(source, subqueries);
  return filterNode(place.analysis.ids, node, conjunctsOf(predicate));
}

function selectColumns(item: SelectItem, specification: QuerySpecification, env: Environment): readonly OutputColumn[] {
  if (item.kind === "AllColumns") {
    return starColumns(item, specification, env);
  }
  const { expression, alias } = item;
  const name =
    alias?.value ??
    (expression.kind === "Identifier" ? expression.value : expression.kind === "Dereference" ? expression.field.value : undefined);
  const before = env.subqueries?.length ?? 0;
  const value = analyzeExpression(expression, { ...env, item: expression });
  return [{ ...(name !== undefined && { name }), expression: value, syntax: expression, subqueries: env.subqueries?.slice(before) ?? [] }];
}

function starColumns(item: AllColumns, specification: QuerySpecification, env: Environment): readonly OutputColumn[] {
  const before = env.subqueries?.length ?? 0;
  const columns = item.target === undefined ? allFields(item, specification, env) : fieldsOf(item.target, item, specification, env);
  if (item.aliases.length > 0 && item.aliases.length !== columns.length) {
    const counts = `Column alias list has ${item.aliases.length} entries but relation has ${columns.length} columns`;
    throw semanticError("MISMATCHED_COLUMN_ALIASES", item.aliases[0] ?? item, counts);
  }
  const subqueries = env.subqueries?.slice(before) ?? [];
  return columns.map(({ name: own, expression, label }, index) => {
    const name = item.aliases[index]?.value ?? own;
    return { ...(name !== undefined && { name }), expression, syntax: item, ...(label !== undefined && { label }), subqueries };
  });
}

type StarColumn = Pick<OutputColumn, "name" | "expression" | "label">;

function printStar({ target }: AllColumns): string {
  return target === undefined ? "*" : printExpression(target);
}

function allFields(item: AllColumns, { from }: QuerySpecification, { scope }: Environment): readonly StarColumn[] {
  if (from === undefined) {
    throw semanticError("COLUMN_NOT_FOUND", item, "SELECT * not allowed in queries without FROM clause");
  }
  return starFields(scope.fields, item, scope.fields);
}

function requireFields(fields: readonly Field[], item: AllColumns): readonly Field[] {
  const visible = fields.filter((field) => !field.hidden);
  if (visible.length === 0) {
    throw semanticError("COLUMN_NOT_FOUND", item, "SELECT * not allowed from relation that has no columns");
  }
  return visible;
}

/** `all` are the fields of FROM; a column without a name is identified by its position among them. */
function starFields(fields: readonly Field[], item: AllColumns, all: readonly Field[]): readonly StarColumn[] {
  return requireFields(fields, item).map((field) => {
    const path = [...(field.qualifier?.slice(-1) ?? []), field.name];
    const label = field.name === undefined ? String(all.indexOf(field) + 1) : `'${path.join(".")}'`;
    return { ...(field.name !== undefined && { name: field.name }), expression: field.expression, label };
  });
}

/** Columns of a relation of an outer query, by name. */
function outerFields(
  target: Expression,
  parts: readonly Identifier[],
  item: AllColumns,
  select: Placed,
  env: Environment,
): readonly StarColumn[] {
  const lower = parts.map(lowerName);
  for (let scope = env.scope.parent; scope !== undefined; scope = scope.parent) {
    const fields = fieldsOfRelation(scope.fields, lower);
    if (fields.length === 0) {
      continue;
    }
    return requireFields(fields, item).map(({ name }) => {
      if (name === undefined) {
        throw notSupported(select, "SELECT * from outer scope table not supported with anonymous columns");
      }
      const field: Identifier = { kind: "Identifier", value: name, delimited: true, location: item.location };
      return { name, expression: analyzeExpression({ kind: "Dereference", base: target, field, location: item.location }, env) };
    });
  }
  throw unresolved(parts, item);
}

function unresolved(parts: readonly Identifier[], item: AllColumns): Error {
  return semanticError("TABLE_NOT_FOUND", item, `Unable to resolve reference ${parts.map(lowerName).join(".")}`);
}

/** Resolves `target.*` as a relation, otherwise as a row. */
function fieldsOf(target: Expression, item: AllColumns, select: Placed, env: Environment): readonly StarColumn[] {
  const parts = nameParts(target);
  if (parts !== undefined) {
    const fields = fieldsOfRelation(env.scope.fields, parts.map(lowerName));
    if (fields.length > 0) {
      return starFields(fields, item, env.scope.fields);
    }
    const column = parts.findIndex((_, index) => hasColumn(env.scope, parts.slice(0, index + 1)));
    if (column < 0) {
      return outerFields(target, parts, item, select, env);
    }
    const name = parts.slice(0, column + 1);
    if (resolveName(env.scope, name, target).field.expression.type.kind !== "row") {
      throw unresolved(parts, item);
    }
  }
  const row = analyzeExpression(target, env);
  if (row.type.kind !== "row") {
    throw parts === undefined ? semanticError("TYPE_MISMATCH", item, "expected expression of type Row") : unresolved(parts, item);
  }
  return row.type.fields.map(({ name }, index) => ({ ...(name !== undefined && { name }), expression: fieldAt(row, index) }));
}

function selectedColumn({ name, expression, syntax, subqueries }: OutputColumn): Selected {
  const text = syntax.kind === "AllColumns" ? (name ?? "*") : printExpression(syntax);
  return { expression, text, place: syntax, hasSubqueries: subqueries.length > 0 };
}

const outputInAggregate = "Invalid reference to output projection attribute from ORDER BY aggregation";

/** QUALIFY resolves names first as columns of FROM, then as SELECT columns: `QUALIFY n = 1` for `row_number() OVER (...) AS n`. */
function qualifyEnvironment(columns: readonly OutputColumn[], env: Environment): Environment {
  const { fields, parent } = env.scope;
  const outputs = columns.flatMap(({ expression, name }): readonly Field[] =>
    name === undefined ? [] : [{ expression, hidden: false, name }],
  );
  const scope: Scope = { fields, parent: { fields: outputs, queryBoundary: true, ...(parent && { parent }) }, queryBoundary: false };
  return { ...env, clause: "QUALIFY clause", scope, aggregateScope: env.scope };
}

/** ORDER BY resolves names first as SELECT columns, then as columns of FROM. */
function sortEnvironment(columns: readonly OutputColumn[], env: Environment): Environment {
  const distinct = distinctOutputs(columns);
  const scope: Scope = { fields: distinct, parent: env.scope, queryBoundary: false };
  const aggregateScope: Scope = { ...env.scope, refused: { fields: distinct, message: outputInAggregate } };
  return { ...env, clause: "ORDER BY clause", scope, aggregateScope };
}

/** Columns of one name and one expression once. */
function distinctOutputs(columns: readonly OutputColumn[]): readonly Field[] {
  const outputs = columns.map(({ expression, name }): Field => ({ expression, hidden: false, ...(name !== undefined && { name }) }));
  const counts = new Map<string | undefined, number>();
  for (const { name } of outputs) {
    const lower = name?.toLowerCase();
    counts.set(lower, (counts.get(lower) ?? 0) + 1);
  }
  const seen = new Map<string | undefined, Set<string>>();
  return outputs.filter(({ expression, name }) => {
    const lower = name?.toLowerCase();
    if (counts.get(lower) === 1) {
      return true;
    }
    const keys = seen.get(lower) ?? new Set();
    seen.set(lower, keys);
    const key = expressionKey(expression);
    const isFirst = !keys.has(key);
    keys.add(key);
    return isFirst;
  });
}

function checkGrouped(grouping: Grouping | undefined, expression: RowExpression, syntax: Expression | AllColumns, label?: string): void {
  if (label !== undefined && grouping?.isGrouped(grouping.rewrite(expression)) === false) {
    throw new QueryError("EXPRESSION_NOT_AGGREGATE", `Column ${label} not in GROUP BY clause`);
  }
  const text = syntax.kind === "AllColumns" ? printStar(syntax) : printExpression(syntax);
  requireGrouped(grouping, expression, { at: syntax, subject: `'${text}'` });
}

function requireGrouped(
  grouping: Grouping | undefined,
  expression: RowExpression,
  part: { readonly at: Placed; readonly subject: string },
): void {
  if (grouping === undefined || grouping.isGrouped(grouping.rewrite(expression))) {
    return;
  }
  throw semanticError("EXPRESSION_NOT_AGGREGATE", part.at, `${part.subject} must be an aggregate expression or appear in GROUP BY clause`);
}

function* selectAndOrder(
  specification: QuerySpecification,
  source: PlanNode,
  columns: readonly OutputColumn[],
  orderBy: readonly SortItem[],
  sortKeys: readonly RowExpression[],
  rewrite: (e: RowExpression) => RowExpression,
  analysis: Analysis,
): InPieces<RelationPlan> {
  const { ids } = analysis;
  const available = outputNames(source);
  const byExpression = new Map<string, Assignment>();
  const assign = (expression: RowExpression, hint: string): Variable => {
    const key = expressionKey(expression);
    const known = byExpression.get(key);
    if (known !== undefined) {
      return known.output;
    }
    const output = expression.kind === "variable" && available.has(expression.name) ? expression : ids.variable(hint, expression.type);
    byExpression.set(key, { output, expression });
    return output;
  };
  const fields = yield* mapInPieces(
    columns,
    (column): Field => ({
      expression: assign(rewrite(column.expression), column.name ?? "expr"),
      hidden: false,
      ...(column.name !== undefined && { name: column.name }),
    }),
  );
  const selected = byExpression.size;
  const keys = yield* mapInPieces(sortKeys, (key) => (key.kind === "constant" ? key : assign(rewrite(key), "sort")));
  yield byExpression.size;
  const outputs = [...byExpression.values()].map((assignment) => assignment.output);
  if (specification.select.distinct && byExpression.size > selected) {
    throw semanticError(
      "EXPRESSION_NOT_IN_DISTINCT",
      orderBy[0] ?? specification,
      "For SELECT DISTINCT, ORDER BY expressions must appear in select list",
    );
  }
  let node: PlanNode = projectNode(ids, source, [...byExpression.values()]);
  if (specification.select.distinct) {
    node = distinctRows(node, outputs, analysis);
  }
  if (orderBy.length > 0) {
    node = sortNode(node, orderBy, keys, analysis);
  }
  if (byExpression.size > selected) {
    node = projectNode(ids, node, outputs.slice(0, selected).map(identity));
  }
  return { node, fields };
}
