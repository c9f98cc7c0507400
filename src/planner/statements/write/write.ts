/**
 * Plans CREATE TABLE AS and INSERT: the query, a writer in its last distributed stage, and the finish in the root stage.
 */
import type { ColumnMetadata } from "../../../connectors/spi.ts";
import type { CreateTableAsSelect, Insert } from "../../../sql/ast/ast.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { BIGINT, displayType, type Type, VARBINARY } from "../../../types/type.ts";
import type { Analysis } from "../../analyzer/analysis.ts";
import { notSupported, semanticError } from "../../analyzer/errors.ts";
import { coerce } from "../../analyzer/expression/functions.ts";
import { requireConnector } from "../../analyzer/metadata.ts";
import { requireAliases } from "../../analyzer/query/named-queries.ts";
import type { PlanContext } from "../../context.ts";
import type { Json } from "../../../connectors/spi.ts";
import type { FragmentedPlan } from "../../fragmenter/fragment.ts";
import type { Assignment, OutputNode, PlanNode, WriteTarget } from "../../plan/node.ts";
import { analyzeInTurns, finishInTurns, optimizeInTurns, startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery, PlannedWrite } from "../../planned.ts";
import { cast } from "../../plan/expression-tree.ts";
import { projectNode, rewritePlan } from "../../plan/plan-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { absentValue } from "../definition/columns.ts";
import { createOptions, isThere, newTable, requireComments, requireDistinctNames, unsupported } from "../definition/data-definition.ts";
import { tablePropertyValues } from "../definition/table-properties.ts";
import { isStorable, storedValue } from "./stored-values.ts";
import { planRows } from "../values.ts";

export async function planCreateTableAs(statement: CreateTableAsSelect, context: PlanContext): Promise<PlannedQuery> {
  const { catalog, schema, table } = await newTable(statement, context);
  const analysis = await startAnalysis(statement, context);
  if (isThere(statement, analysis.tables, `${catalog}.${schema}.${table}`, (name) => `Destination table '${name}' already exists`)) {
    return { ...planRows([{ name: "rows", type: BIGINT }], [["0"]]), updateType: "CREATE TABLE" };
  }
  const { metadata } = requireConnector(context, catalog, statement);
  const options = createOptions(statement, await tablePropertyValues(statement, { catalog, metadata }, context), context.session);
  requireComments(statement, catalog, context);
  const root = await analyzeInTurns(statement.query, analysis);
  const given = createdColumns(statement, root);
  requireDistinctNames(given, statement);
  const { columns, coordinatorOnly, sortedBy } = metadata.planCreate?.(given, options) ?? { columns: given, sortedBy: [] };
  const source: PlanNode = statement.withData
    ? root.source
    : { kind: "Limit", id: analysis.ids.node(), source: root.source, count: 0, partial: false };
  const assignments = root.outputs.map((output, index): Assignment => {
    const column = columns[index] as ColumnMetadata;
    return { output: analysis.ids.variable(column.name, column.type), expression: storedAs(output, column.type) };
  });
  const target: WriteTarget = {
    catalog,
    name: { schema, table },
    kind: "CREATE",
    columns,
    handle: null,
    ...(statement.ifNotExists && { ifNotExists: true }),
    ...(coordinatorOnly === true && { coordinatorOnly }),
    ...(sortedBy.length > 0 && { sortedBy }),
  };
  return planWrite(projectNode(analysis.ids, source, assignments), { target, options }, "CREATE TABLE", analysis);
}

/** The connector may store a wider type, or varchar for char. */
function storedAs(value: RowExpression, type: Type): RowExpression {
  return canCoerce(value.type, type) ? coerce(value, type) : cast(value, type);
}

function createdColumns(statement: CreateTableAsSelect, root: OutputNode): readonly ColumnMetadata[] {
  const aliases = statement.columnNames;
  if (aliases !== undefined) {
    requireAliases(aliases, root.outputs.length, statement);
  }
  return root.outputs.map((output, index) => {
    const name = (aliases?.[index]?.value ?? root.columnNames[index] ?? "").toLowerCase();
    if (aliases === undefined && /^_col\d+$/.test(name)) {
      throw semanticError("MISSING_COLUMN_NAME", statement, `Column name not specified at position ${index + 1}`);
    }
    if (output.type.kind === "unknown") {
      const which = aliases === undefined ? `: ${name}` : ` at position ${index + 1}`;
      throw semanticError("COLUMN_TYPE_UNKNOWN", statement, `Column type is unknown${which}`);
    }
    return { name, type: output.type };
  });
}

export async function planInsert(statement: Insert, context: PlanContext): Promise<PlannedQuery> {
  const analysis = await startAnalysis(statement, context);
  if (analysis.tables.findView(statement.table, statement) !== undefined) {
    throw notSupported(statement, "Inserting into views is not supported");
  }
  const { catalog, metadata } = analysis.tables.resolve(statement.table, statement);
  const { metadata: connector } = requireConnector(context, catalog, statement);
  if (connector.beginInsert === undefined) {
    throw unsupported(statement, "inserts");
  }
  const visible = metadata.columns.filter((column) => column.hidden !== true);
  const wanted = insertedColumns(statement, visible);
  const columns = connector.insertsNamedColumns === true ? visible.filter((column) => wanted.includes(column)) : visible;
  const root = await analyzeInTurns(statement.query, analysis);
  const matches =
    wanted.length === root.outputs.length &&
    wanted.every((column, i) => isStorable((root.outputs[i] as (typeof root.outputs)[number]).type, column.type));
  if (!matches) {
    const types = (list: readonly { type: ColumnMetadata["type"] }[]) => list.map((item) => displayType(item.type)).join(", ");
    throw semanticError(
      "TYPE_MISMATCH",
      statement,
      `Insert query has mismatched column types: Table: [${types(wanted)}], Query: [${types(root.outputs)}]`,
    );
  }
  const assignments = columns.map((column): Assignment => {
    const value = root.outputs[wanted.indexOf(column)];
    const output = analysis.ids.variable(column.name, column.type);
    return { output, expression: value === undefined ? absentValue(column) : storedValue(value, column.type, statement) };
  });
  const { coordinatorOnly, name, sortedBy = [] } = metadata;
  const target: WriteTarget = {
    catalog,
    name,
    kind: "INSERT",
    columns,
    handle: null,
    ...(coordinatorOnly === true && { coordinatorOnly }),
    ...(sortedBy.length > 0 && { sortedBy }),
  };
  return planWrite(projectNode(analysis.ids, root.source, assignments), { target, table: metadata }, "INSERT", analysis);
}

function insertedColumns(statement: Insert, columns: readonly ColumnMetadata[]): readonly ColumnMetadata[] {
  if (statement.columns === undefined) {
    return columns;
  }
  const found = statement.columns.map((name) => {
    const column = columns.find((candidate) => candidate.name === name.value.toLowerCase());
    if (column === undefined) {
      throw semanticError("COLUMN_NOT_FOUND", statement, `Insert column name does not exist in target table: ${name.value.toLowerCase()}`);
    }
    return column;
  });
  const repeated = found.find((column, index) => found.indexOf(column) !== index);
  if (repeated !== undefined) {
    throw semanticError("DUPLICATE_COLUMN_NAME", statement, `Insert column name is specified more than once: ${repeated.name}`);
  }
  return found;
}

export async function planWrite(
  source: PlanNode & { kind: "Project" },
  write: PlannedWrite,
  updateType: string,
  analysis: Analysis,
): Promise<PlannedQuery> {
  const { ids } = analysis;
  const { target } = write;
  const writer: PlanNode = {
    kind: "TableWriter",
    id: ids.node(),
    source,
    target,
    inputs: source.assignments.map((assignment) => assignment.output),
    outputs: [ids.variable("rows", BIGINT), ids.variable("fragment", VARBINARY)],
  };
  const rows = ids.variable("rows", BIGINT);
  const finish: PlanNode = { kind: "TableFinish", id: ids.node(), source: writer, target, outputs: [rows] };
  const root: OutputNode = { kind: "Output", id: ids.node(), source: finish, columnNames: ["rows"], outputs: [rows] };
  const planned = await finishInTurns(await optimizeInTurns(root, analysis), analysis);
  return { ...planned, updateType, write };
}

/** Adds the handle from the connector's begin method to the plan, before scheduling. */
export function withWriteHandle(plan: FragmentedPlan, handle: Json): FragmentedPlan {
  const fill = (node: PlanNode): PlanNode =>
    node.kind === "TableWriter" || node.kind === "TableFinish" ? { ...node, target: { ...node.target, handle } } : node;
  return { fragments: plan.fragments.map((fragment) => ({ ...fragment, root: rewritePlan(fragment.root, fill) })) };
}
