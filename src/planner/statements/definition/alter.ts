/**
 * Plans ALTER TABLE, ALTER SCHEMA, TRUNCATE TABLE and ANALYZE. The checks run here; the connector makes the change.
 */
import type { ColumnMetadata, ConnectorMetadata, TableMetadata } from "../../../connectors/spi.ts";
import { hasSchema } from "../../../connectors/shared/walk.ts";
import type { AddColumn, Analyze, DropColumn, Identifier, QualifiedName, RenameColumn, TruncateTable } from "../../../sql/ast/ast.ts";
import {
  lowerName,
  type RenameSchema,
  type RenameTable,
  type SetColumnDefault,
  type SetColumnNullable,
  type SetColumnType,
  type SetTableProperties,
  type TableExecute,
} from "../../../sql/ast/ast.ts";
import { notSupported, semanticError, type Placed } from "../../analyzer/errors.ts";
import { qualifySchema, qualifyTable, requireConnector, viewIsNoTable } from "../../analyzer/metadata.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition, PlannedQuery } from "../../planned.ts";
import { columnDefault, columnType, keeps, newColumn, requireKept } from "./columns.ts";
import { change, nothing, refuseProperties, requireSchema, requireSchemaOf, unsupported } from "./data-definition.ts";
import { alterMaterializedViewFailure } from "./materialized-views.ts";
import { planRows } from "../values.ts";
import { BIGINT } from "../../../types/type.ts";

export interface Altered {
  readonly catalog: string;
  readonly table: TableMetadata;
  readonly metadata: ConnectorMetadata;
  /** Visible columns only. */
  readonly columns: readonly ColumnMetadata[];
}

/**
 * Resolves the table of an ALTER TABLE. Returns undefined for a missing table with IF EXISTS. If the name is a view, `meant` names the
 * statement for views in the error message.
 */
export async function altered(
  {
    name,
    ifExists = false,
    meant,
  }: { readonly name: QualifiedName; readonly ifExists?: boolean; readonly meant?: (name: string) => string },
  statement: Placed,
  context: PlanContext,
): Promise<Altered | undefined> {
  const { tables } = await startAnalysis(statement, context);
  if (ifExists && tables.find(name, statement) === undefined) {
    return undefined;
  }
  const view = tables.findView(name, statement);
  if (view !== undefined) {
    throw viewIsNoTable("TABLE_NOT_FOUND", statement, view, meant);
  }
  const { catalog, metadata: table } = tables.resolve(name, statement);
  const columns = table.columns.filter((column) => column.hidden !== true);
  return { catalog, table, metadata: requireConnector(context, catalog, statement).metadata, columns };
}

export function find(columns: readonly ColumnMetadata[], name: Identifier): ColumnMetadata | undefined {
  return columns.find((column) => column.name === lowerName(name));
}

function columnNotFound(at: Placed, column: Identifier): Error {
  return semanticError("COLUMN_NOT_FOUND", at, `Column '${lowerName(column)}' does not exist`);
}

function requireNewColumn(columns: readonly ColumnMetadata[], name: Identifier, at: Placed): void {
  if (find(columns, name) !== undefined) {
    throw semanticError("COLUMN_ALREADY_EXISTS", at, `Column '${lowerName(name)}' already exists`);
  }
}

export async function planRenameTable(statement: RenameTable, context: PlanContext): Promise<PlannedDataDefinition> {
  const meant = (name: string) => `ALTER VIEW ${name} RENAME ...`;
  const found = await altered({ name: statement.name, ifExists: statement.ifExists, meant }, statement, context);
  if (found === undefined) {
    return nothing("RENAME TABLE");
  }
  const { catalog, metadata, table } = found;
  const target = qualifyTable(statement.target, { ...context.session, catalog, schema: table.name.schema });
  if (target.catalog !== catalog) {
    if (context.catalogs.connector(target.catalog) === undefined) {
      throw semanticError("CATALOG_NOT_FOUND", statement, `Target catalog '${target.catalog}' does not exist`);
    }
    throw notSupported(statement, "Table rename across catalogs is not supported");
  }
  const { renameTable } = metadata;
  if (renameTable === undefined) {
    throw unsupported(statement, "renaming tables");
  }
  await requireSchema(metadata, target.schema, statement);
  const name = { schema: target.schema, table: target.table };
  if ((await metadata.getTable(name)) !== undefined || (await metadata.getView?.(name)) !== undefined) {
    throw semanticError("TABLE_ALREADY_EXISTS", statement, `Target table '${catalog}.${name.schema}.${name.table}' already exists`);
  }
  return change("RENAME TABLE", catalog, async (metadata) => metadata.renameTable?.(table, name));
}

export async function planAddColumn(statement: AddColumn, context: PlanContext): Promise<PlannedDataDefinition> {
  const found = await altered({ name: statement.table, ifExists: statement.tableExists }, statement, context);
  if (found === undefined) {
    return nothing("ADD COLUMN");
  }
  const { catalog, columns, metadata, table } = found;
  const { column } = statement;
  if (statement.columnNotExists && find(columns, column.name) !== undefined) {
    return nothing("ADD COLUMN");
  }
  const added = newColumn(column, await startAnalysis(statement, context));
  requireNewColumn(columns, column.name, statement);
  const { addColumn } = metadata;
  if (addColumn === undefined) {
    throw unsupported(statement, "adding columns");
  }
  if (!column.nullable && !keeps(metadata, "NOT_NULL_COLUMN_CONSTRAINT")) {
    throw notSupported(column, `Catalog '${catalog}' does not support NOT NULL for column '${lowerName(column.name)}'`);
  }
  requireKept(added, lowerName(column.name), column, { catalog, metadata });
  refuseProperties("column", column.properties, catalog);
  return change("ADD COLUMN", catalog, async (metadata) => metadata.addColumn?.(table, added));
}

export async function planDropColumn(statement: DropColumn, context: PlanContext): Promise<PlannedDataDefinition> {
  const found = await altered({ name: statement.table, ifExists: statement.tableExists }, statement, context);
  if (found === undefined) {
    return nothing("DROP COLUMN");
  }
  const { catalog, columns, metadata, table } = found;
  const column = find(columns, statement.column);
  if (column === undefined) {
    if (statement.columnExists) {
      return nothing("DROP COLUMN");
    }
    throw columnNotFound(statement, statement.column);
  }
  if (columns.length <= 1) {
    throw notSupported(statement, "Cannot drop the only column in a table");
  }
  const { dropColumn } = metadata;
  if (dropColumn === undefined) {
    throw unsupported(statement, "dropping columns");
  }
  return change("DROP COLUMN", catalog, async (metadata) => metadata.dropColumn?.(table, column.name));
}

export async function planRenameColumn(statement: RenameColumn, context: PlanContext): Promise<PlannedDataDefinition> {
  const found = await altered({ name: statement.table, ifExists: statement.tableExists }, statement, context);
  if (found === undefined) {
    return nothing("RENAME COLUMN");
  }
  const { catalog, columns, metadata, table } = found;
  const column = find(columns, statement.column);
  if (column === undefined) {
    if (statement.columnExists) {
      return nothing("RENAME COLUMN");
    }
    throw columnNotFound(statement, statement.column);
  }
  requireNewColumn(columns, statement.target, statement);
  const { renameColumn } = metadata;
  if (renameColumn === undefined) {
    throw unsupported(statement, "renaming columns");
  }
  return change("RENAME COLUMN", catalog, async (metadata) => metadata.renameColumn?.(table, column.name, lowerName(statement.target)));
}

export async function planSetColumnType(statement: SetColumnType, context: PlanContext): Promise<PlannedDataDefinition> {
  const found = await altered({ name: statement.table, ifExists: statement.tableExists }, statement, context);
  if (found === undefined) {
    return nothing("SET COLUMN TYPE");
  }
  if (find(found.columns, statement.column) === undefined) {
    throw columnNotFound(statement, statement.column);
  }
  columnType(statement.type, statement.type, statement.column);
  throw unsupported(statement, "setting column types");
}

export async function planSetColumnNullable(statement: SetColumnNullable, context: PlanContext): Promise<PlannedDataDefinition> {
  const { nullable } = statement;
  const updateType = nullable ? "DROP NOT NULL" : "SET NOT NULL";
  const found = await altered({ name: statement.table, ifExists: statement.tableExists }, statement, context);
  if (found === undefined) {
    return nothing(updateType);
  }
  const column = find(found.columns, statement.column);
  if (column === undefined) {
    throw columnNotFound(statement, statement.column);
  }
  if (nullable && column.nullable !== false) {
    throw notSupported(statement, "Column is already nullable");
  }
  const { setColumnNullable } = found.metadata;
  if (setColumnNullable === undefined) {
    throw unsupported(statement, nullable ? "dropping a not null constraint" : "setting a not null constraint");
  }
  return change(updateType, found.catalog, async (metadata) => metadata.setColumnNullable?.(found.table, column.name, nullable));
}

export async function planSetColumnDefault(statement: SetColumnDefault, context: PlanContext): Promise<PlannedDataDefinition> {
  const { value } = statement;
  const updateType = value === undefined ? "DROP DEFAULT" : "SET DEFAULT";
  const found = await altered({ name: statement.table, ifExists: statement.tableExists }, statement, context);
  if (found === undefined) {
    return nothing(updateType);
  }
  const column = find(found.columns, statement.column);
  if (column === undefined) {
    throw columnNotFound(statement, statement.column);
  }
  const { setColumnDefault } = found.metadata;
  if (setColumnDefault === undefined) {
    throw unsupported(statement, value === undefined ? "dropping default value" : "setting default value");
  }
  const defaultValue = value === undefined ? undefined : columnDefault(value, column, await startAnalysis(statement, context));
  return change(updateType, found.catalog, async (metadata) => metadata.setColumnDefault?.(found.table, column.name, defaultValue));
}

export async function planSetTableProperties(statement: SetTableProperties, context: PlanContext): Promise<never> {
  if (statement.object === "MATERIALIZED VIEW") {
    throw await alterMaterializedViewFailure(statement.table, statement, context);
  }
  const found = await altered({ name: statement.table }, statement, context);
  const [property] = statement.properties;
  if (found === undefined || property === undefined) {
    throw unsupported(statement, "setting table properties");
  }
  const message = `Catalog '${found.catalog}' does not support table property '${property.name.value}'`;
  throw semanticError("INVALID_TABLE_PROPERTY", property, message);
}

export async function planTableExecute(statement: TableExecute, context: PlanContext): Promise<never> {
  await altered({ name: statement.table }, statement, context);
  throw semanticError("PROCEDURE_NOT_FOUND", statement, `Table procedure not registered: ${statement.procedure.value}`);
}

export async function planRenameSchema(statement: RenameSchema, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
  const { metadata } = requireConnector(context, catalog, statement);
  await requireSchemaOf(catalog, metadata, schema, statement);
  const target = lowerName(statement.target);
  if (await hasSchema(metadata, target)) {
    throw semanticError("SCHEMA_ALREADY_EXISTS", statement, `Target schema '${catalog}.${target}' already exists`);
  }
  const { renameSchema } = metadata;
  if (renameSchema === undefined) {
    throw unsupported(statement, "renaming schemas");
  }
  return change("RENAME SCHEMA", catalog, async (metadata) => metadata.renameSchema?.(schema, target));
}

/** Plans ANALYZE for connectors that support it. The result row is the number of rows that the statistics cover. */
export async function planAnalyze(statement: Analyze, context: PlanContext): Promise<PlannedQuery> {
  const { tables } = await startAnalysis(statement, context);
  if (tables.findView(statement.table, statement) !== undefined) {
    throw notSupported(statement, "Analyzing views is not supported");
  }
  const { catalog, metadata: table } = tables.resolve(statement.table, statement);
  const { metadata } = requireConnector(context, catalog, statement);
  if (metadata.analyzeTable === undefined) {
    throw unsupported(statement, "analyze");
  }
  const [property] = statement.properties;
  if (property !== undefined) {
    const found = `Catalog '${catalog}' does not support analyze property '${property.name.value}'`;
    throw semanticError("INVALID_ANALYZE_PROPERTY", property, found);
  }
  const rows = await metadata.analyzeTable(table);
  return { ...planRows([{ name: "rows", type: BIGINT }], [[String(rows)]]), updateType: "ANALYZE" };
}

export async function planTruncate(statement: TruncateTable, context: PlanContext): Promise<PlannedDataDefinition> {
  const { tables } = await startAnalysis(statement, context);
  if (tables.findView(statement.name, statement) !== undefined) {
    throw notSupported(statement, "Cannot truncate a view");
  }
  const { catalog, metadata: table } = tables.resolve(statement.name, statement);
  if (requireConnector(context, catalog, statement).metadata.truncateTable === undefined) {
    throw unsupported(statement, "truncating tables");
  }
  return change("TRUNCATE TABLE", catalog, async (metadata, query) => metadata.truncateTable?.(table, query));
}
