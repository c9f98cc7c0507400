/**
 * Plans DELETE and UPDATE. Every row of the table is read, marked and rewritten; the connector replaces all rows at once when the statement
 * commits. A connector that does not rewrite its tables changes the rows by a statement of its source, or one by one.
 */
import type { Delete, Expression, Update } from "../../../sql/ast/ast.ts";
import { lowerName } from "../../../sql/ast/ast.ts";
import { BOOLEAN, displayType, INTEGER } from "../../../types/type.ts";
import type { Analysis, Environment, PendingSubquery } from "../../analyzer/analysis.ts";
import { notSupported, semanticError } from "../../analyzer/errors.ts";
import { requireScalar } from "../../analyzer/aggregation/calls-inside.ts";
import { analyzeExpression, analyzePredicate } from "../../analyzer/expression/analyze-expression.ts";
import { isStorable, storedValue } from "./stored-values.ts";
import { requireConnector, type ResolvedTable } from "../../analyzer/metadata.ts";
import { planTableName } from "../../analyzer/relation/relations.ts";
import type { Field } from "../../analyzer/scope/scope.ts";
import type { ColumnMetadata, ConnectorMetadata } from "../../../connectors/spi.ts";
import type { PlanContext } from "../../context.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { constant, FALSE, special, TRUE } from "../../plan/expression-tree.ts";
import type { Assignment, PlanNode, WriteTarget } from "../../plan/node.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition, PlannedQuery } from "../../planned.ts";
import { extendProject, filterNode, projectNode } from "../../plan/plan-tree.ts";
import { unsupported } from "../definition/data-definition.ts";
import { planChangeAtSource } from "./change-at-source.ts";
import { planStagedChanges } from "./staged-changes.ts";
import { planWrite } from "./write.ts";

interface Rewrite {
  readonly analysis: Analysis;
  readonly table: ResolvedTable;
  readonly columns: readonly ColumnMetadata[];
  readonly fields: readonly Field[];
  /** The rows of the table; with the `changed` marker if the table is rewritten. */
  readonly node: PlanNode;
  readonly changed: Variable;
  readonly predicate: RowExpression;
  /** Whether the condition has subqueries. */
  readonly hasSubqueries: boolean;
  /** The connector changes rows itself. */
  readonly atSource: ConnectorMetadata | undefined;
}

export async function planDelete(statement: Delete, context: PlanContext): Promise<PlannedQuery | PlannedDataDefinition> {
  const rewrite = await startRewrite(statement, context, "Deleting from views is not supported", "deletes");
  if (rewrite.atSource !== undefined) {
    return planAtSource(statement, rewrite, { values: new Map(), subqueries: [] });
  }
  requireReads(rewrite, rewrite.node, []);
  return finishRewrite(rewrite, rewrite.node, "DELETE", (_column, value) => value);
}

export async function planUpdate(statement: Update, context: PlanContext): Promise<PlannedQuery | PlannedDataDefinition> {
  const rewrite = await startRewrite(statement, context, "Updating through views is not supported", "updates");
  const { changed, columns } = rewrite;
  const set = new Map<string, Expression>();
  for (const { column, value } of statement.assignments) {
    const name = lowerName(column);
    if (!columns.some((one) => one.name === name)) {
      throw semanticError("COLUMN_NOT_FOUND", column, `The UPDATE SET target column ${name} doesn't exist`);
    }
    if (set.has(name)) {
      throw semanticError("DUPLICATE_COLUMN_NAME", column, `The UPDATE SET target column ${name} is specified more than once`);
    }
    set.set(name, value);
  }
  const subqueries: PendingSubquery[] = [];
  const env = environment(rewrite.analysis, rewrite.fields, "UPDATE SET expression", subqueries);
  const values = new Map([...set].map(([name, syntax]) => [name, analyzeExpression(syntax, env)] as const));
  requireTypes(statement, columns, values);
  if (rewrite.atSource !== undefined) {
    const stored = columns.flatMap(({ name, type }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, storedValue(value, type, statement)] as const];
    });
    return planAtSource(statement, rewrite, { values: new Map(stored), subqueries });
  }
  const node = applySubqueries(rewrite.node, subqueries);
  requireReads(rewrite, node, [...values.values()]);
  return finishRewrite(rewrite, node, "UPDATE", (column, old) => {
    const value = values.get(column.name);
    return value === undefined ? old : special("IF", column.type, [changed, storedValue(value, column.type, statement), old]);
  });
}

function requireTypes(statement: Update, columns: readonly ColumnMetadata[], values: ReadonlyMap<string, RowExpression>): void {
  const pairs = [...values].map(([name, value]) => ({ type: columns.find((column) => column.name === name)?.type ?? value.type, value }));
  if (pairs.every(({ type, value }) => isStorable(value.type, type))) {
    return;
  }
  const [table, expressions] = [
    pairs.map(({ type }) => displayType(type)).join(", "),
    pairs.map(({ value }) => displayType(value.type)).join(", "),
  ];
  throw semanticError(
    "TYPE_MISMATCH",
    statement,
    `UPDATE table column types don't match SET expressions: Table: [${table}], Expressions: [${expressions}]`,
  );
}

function environment(analysis: Analysis, fields: readonly Field[], clause: string, subqueries: PendingSubquery[]): Environment {
  return { analysis, scope: { fields, queryBoundary: true }, queries: { named: new Map() }, clause, subqueries };
}

export function applySubqueries(node: PlanNode, subqueries: readonly PendingSubquery[]): PlanNode {
  return subqueries.reduce((current, subquery) => subquery.apply(current, (expression) => expression), node);
}

async function startRewrite(statement: Delete | Update, context: PlanContext, ofViews: string, what: string): Promise<Rewrite> {
  const analysis = await startAnalysis(statement, context);
  if (analysis.tables.findView(statement.table, statement) !== undefined) {
    throw notSupported(statement, ofViews);
  }
  const table = analysis.tables.resolve(statement.table, statement);
  const { metadata } = requireConnector(context, table.catalog, statement);
  const changesRows = metadata.planChange !== undefined || metadata.beginChanges !== undefined;
  const atSource = metadata.beginRewrite === undefined && changesRows ? metadata : undefined;
  if (metadata.beginRewrite === undefined && atSource === undefined) {
    throw unsupported(statement, what);
  }
  const { node, fields } = planTableName(statement.table, analysis, { named: new Map() });
  analysis.reads?.addTarget(node);
  const subqueries: PendingSubquery[] = [];
  if (statement.where !== undefined) {
    requireScalar(statement.where, "WHERE clause");
  }
  const env = environment(analysis, fields, "WHERE clause", subqueries);
  const predicate = statement.where === undefined ? TRUE : analyzePredicate(statement.where, env);
  const changed = analysis.ids.variable("changed", BOOLEAN);
  const mark = special("COALESCE", BOOLEAN, [predicate, FALSE]);
  const columns = table.metadata.columns.filter((column) => column.hidden !== true);
  const rows = applySubqueries(node, subqueries);
  return {
    analysis,
    table,
    columns,
    fields: fields.filter((field) => !field.hidden),
    node: atSource === undefined ? extendProject(analysis.ids, rows, [{ output: changed, expression: mark }]) : rows,
    changed,
    predicate,
    hasSubqueries: subqueries.length > 0,
    atSource,
  };
}

/** By one statement of the source if that is exact, else row by row. */
async function planAtSource(
  statement: Delete | Update,
  rewrite: Rewrite,
  { subqueries, values }: { readonly values: ReadonlyMap<string, RowExpression>; readonly subqueries: readonly PendingSubquery[] },
): Promise<PlannedQuery | PlannedDataDefinition> {
  const { analysis, atSource, columns, fields, hasSubqueries, predicate, table } = rewrite;
  const isPlain = !hasSubqueries && subqueries.length === 0;
  const direct = isPlain && atSource ? await planChangeAtSource(statement, { ...rewrite, values }, atSource) : undefined;
  if (direct !== undefined) {
    return direct;
  }
  const changedBy = atSource?.changedBy?.(table.metadata);
  if (changedBy === undefined) {
    throw unsupported(statement, "modifying table rows");
  }
  const { ids } = analysis;
  const node = applySubqueries(filterNode(ids, rewrite.node, [predicate]), subqueries);
  const used = [...values.values()].map((expression): Assignment => ({ output: ids.variable("value", expression.type), expression }));
  analysis.reads?.checked(projectNode(ids, node, used), ids);
  const kind = statement.kind === "Delete" ? "DELETE" : "UPDATE";
  const staged = {
    kind,
    table,
    changedBy,
    changes: [{ kind, columns: columns.flatMap(({ name }) => (values.has(name) ? [name] : [])) }],
    node,
    change: constant(INTEGER, 0),
    old: (name: string) => (fields[columns.findIndex((column) => column.name === name)] as Field).expression,
    value: ({ name }: ColumnMetadata) => values.get(name) as RowExpression,
  } as const;
  return planStagedChanges(staged, analysis);
}

/** Only what the condition and the new values use is read by the user; the other columns are written as they are. */
function requireReads({ analysis, changed }: Rewrite, node: PlanNode, values: readonly RowExpression[]): void {
  const { ids, reads } = analysis;
  const used = values.map((expression): Assignment => ({ output: ids.variable("value", expression.type), expression }));
  reads?.checked(projectNode(ids, node, [{ output: ids.variable("changed", BOOLEAN), expression: changed }, ...used]), ids);
}

function finishRewrite(
  rewrite: Rewrite,
  node: PlanNode,
  kind: "DELETE" | "UPDATE",
  valueOf: (column: ColumnMetadata, old: RowExpression) => RowExpression,
): Promise<PlannedQuery> {
  const { analysis, changed, columns, fields, table } = rewrite;
  const assignments = columns.map((column, index): Assignment => {
    const value = valueOf(column, (fields[index] as Field).expression);
    return { output: analysis.ids.variable(column.name, column.type), expression: value };
  });
  const mark: Assignment = { output: analysis.ids.variable("changed", BOOLEAN), expression: changed };
  const source = projectNode(analysis.ids, node, [...assignments, mark]);
  const target: WriteTarget = { catalog: table.catalog, name: table.metadata.name, kind, columns, handle: null };
  return planWrite(source, { target, table: table.metadata }, kind, analysis);
}
