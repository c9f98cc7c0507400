/**
 * Plans CREATE TABLE, DROP TABLE, CREATE SCHEMA and DROP SCHEMA. `runDataDefinition` makes the change.
 */
import {
  type ColumnMetadata,
  type CatalogSecurity,
  type ConnectorMetadata,
  type ConnectorQuery,
  type CreateOptions,
  type Principal,
  type PropertyValue,
  type RecordedStatement,
  type TableMetadata,
  metadataFor,
} from "../../../connectors/spi.ts";
import { hasSchema } from "../../../connectors/shared/walk.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import {
  type CreateSchema,
  type CreateTable,
  type CreateTableAsSelect,
  type DropSchema,
  type DropTable,
  type LikeClause,
  type Property,
} from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { notSupported, semanticError, type Placed } from "../../analyzer/errors.ts";
import { qualifySchema, qualifyTable, requireConnector, viewIsNoTable } from "../../analyzer/metadata.ts";
import type { QualifiedTable, ResolvedTable, Tables } from "../../analyzer/metadata.ts";
import { principalOf, requirePrincipal } from "../../access/principals.ts";
import type { PlanContext, PlanSession } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { DataDefinition, PlannedDataDefinition } from "../../planned.ts";
import { type CatalogStore, createCatalog, dropCatalog } from "./catalogs.ts";
import { newColumn, requireKept } from "./columns.ts";
import { castTextWith, columnPropertyValues, type PropertyValues, tablePropertyValues } from "./table-properties.ts";

function define(updateType: string, definition: DataDefinition): PlannedDataDefinition {
  return { kind: "dataDefinition", updateType, definition };
}

/** A change that the connector makes when the coordinator runs the statement. */
export function change(
  updateType: string,
  catalog: string,
  run: (metadata: ConnectorMetadata, query: ConnectorQuery) => Promise<void>,
): PlannedDataDefinition {
  return define(updateType, { action: "CHANGE", catalog, run });
}

/** A change of the rights that a catalog keeps. */
export function changeSecurity(
  updateType: string,
  catalog: string,
  run: (security: CatalogSecurity) => Promise<void>,
): PlannedDataDefinition {
  return change(updateType, catalog, ({ security }) => {
    assert(security !== undefined, "checked in planning");
    return run(security);
  });
}

export function nothing(updateType: string): PlannedDataDefinition {
  return define(updateType, { action: "NONE" });
}

export async function requireSchema(metadata: ConnectorMetadata, schema: string, at: Placed): Promise<void> {
  if (!(await hasSchema(metadata, schema))) {
    throw semanticError("SCHEMA_NOT_FOUND", at, `Schema '${schema}' does not exist`);
  }
}

/** For statements on schemas, error messages include the catalog. */
export async function requireSchemaOf(catalog: string, metadata: ConnectorMetadata, schema: string, at: Placed): Promise<void> {
  if (await hasSchema(metadata, schema)) {
    return;
  }
  throw semanticError("SCHEMA_NOT_FOUND", at, `Schema '${catalog}.${schema}' does not exist`);
}

/** Resolves the name of a new table. Its catalog and schema must exist. */
export async function newTable(statement: CreateTable | CreateTableAsSelect, context: PlanContext): Promise<QualifiedTable> {
  const qualified = qualifyTable(statement.name, context.session, statement);
  const { metadata } = requireConnector(context, qualified.catalog, statement);
  await requireSchema(metadata, qualified.schema, statement);
  if (metadata.beginCreate === undefined) {
    throw unsupported(statement, "creating tables");
  }
  if (statement.replace && metadata.replacesTables !== true) {
    throw unsupported(statement, "replacing tables");
  }
  return qualified;
}

export function unsupported(at: Placed, what: string): Error {
  return notSupported(at, `This connector does not support ${what}`);
}

/** No connector supports properties of schemas and columns, so every property is rejected. */
export function refuseProperties(of: "schema" | "column", properties: readonly Property[], catalog: string): void {
  const [property] = properties;
  if (property === undefined) {
    return;
  }
  const names = { schema: "INVALID_SCHEMA_PROPERTY", column: "INVALID_COLUMN_PROPERTY" } as const;
  throw semanticError(names[of], property, `Catalog '${catalog}' does not support ${of} property '${property.name.value}'`);
}

/**
 * Returns true if IF NOT EXISTS makes the statement a no-op, because a table or view with that name exists. OR REPLACE replaces a table,
 * but not a view. Throws TABLE_ALREADY_EXISTS otherwise.
 */
export function isThere(
  statement: CreateTable | CreateTableAsSelect,
  tables: Tables,
  name: string,
  tableExists: (name: string) => string,
): boolean {
  const table = tables.find(statement.name);
  const view = tables.findView(statement.name);
  if ((table === undefined && view === undefined) || (table !== undefined && statement.replace)) {
    return false;
  }
  if (statement.ifNotExists) {
    return true;
  }
  throw semanticError("TABLE_ALREADY_EXISTS", statement, statement.replace ? `View already exists: '${name}'` : tableExists(name));
}

export async function planCreateTable(statement: CreateTable, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, schema, table } = await newTable(statement, context);
  const analysis = await startAnalysis(statement, context);
  if (isThere(statement, analysis.tables, `${catalog}.${schema}.${table}`, (name) => `Table '${name}' already exists`)) {
    return nothing("CREATE TABLE");
  }
  const { metadata } = requireConnector(context, catalog, statement);
  const properties = await tablePropertyValues(statement, { catalog, metadata }, context);
  const copied = new Map<string, PropertyValue>();
  const columns: ColumnMetadata[] = [];
  for (const element of statement.elements) {
    const like = element.kind === "LikeClause" ? likeTable(element, analysis.tables, statement, context).metadata : undefined;
    const added = element.kind === "LikeClause" ? visibleColumns(like) : [newColumn(element, analysis)];
    if (element.kind === "LikeClause" && element.properties === "INCLUDING") {
      Object.entries(like?.properties ?? {}).forEach(([name, value]) => copied.set(name, value));
    }
    for (const column of added) {
      const written = element.kind === "LikeClause" ? column.name : printExpression(element.name);
      if (columns.some(({ name }) => name === column.name)) {
        throw semanticError("DUPLICATE_COLUMN_NAME", element, `Column name '${written}' specified more than once`);
      }
      requireKept(column, written, element, { catalog, metadata });
    }
    const set = element.kind === "LikeClause" ? {} : await columnPropertyValues(element, { catalog, metadata }, { statement, context });
    columns.push(...(Object.keys(set).length === 0 ? added : added.map((column) => ({ ...column, properties: set }))));
  }
  requireComments(statement, catalog, context);
  const options = createOptions(statement, { ...Object.fromEntries(copied), ...properties }, context.session);
  const stored = metadata.planCreate?.(columns, { ...options, castText: castTextWith(analysis) }).columns ?? columns;
  return define("CREATE TABLE", { action: "CREATE_TABLE", catalog, name: { schema, table }, columns: stored, options });
}

function visibleColumns(table: TableMetadata | undefined): readonly ColumnMetadata[] {
  // Properties of columns belong to the connector of the table.
  return (table?.columns ?? []).filter(({ hidden }) => hidden !== true).map(({ properties: _properties, ...column }) => column);
}

export function createOptions(
  { comment, replace }: CreateTable | CreateTableAsSelect,
  properties: PropertyValues,
  { user }: PlanSession,
): CreateOptions {
  return {
    createdBy: user,
    ...(comment !== undefined && { comment }),
    ...(replace && { replace }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

/** Resolves the table of a LIKE clause. */
function likeTable({ table: name, properties }: LikeClause, tables: Tables, statement: CreateTable, context: PlanContext): ResolvedTable {
  const { catalog, schema, table } = qualifyTable(name, context.session, statement);
  if (context.catalogs.connector(catalog) === undefined) {
    throw semanticError("CATALOG_NOT_FOUND", statement, `LIKE table catalog '${catalog}' does not exist`);
  }
  const found = tables.find(name, statement);
  if (found === undefined) {
    throw semanticError("TABLE_NOT_FOUND", statement, `LIKE table '${catalog}.${schema}.${table}' does not exist`);
  }
  if (properties === "INCLUDING" && catalog !== qualifyTable(statement.name, context.session, statement).catalog) {
    throw notSupported(statement, "CREATE TABLE LIKE table INCLUDING PROPERTIES across catalogs is not supported");
  }
  return found;
}

/** Rejects table comments that the connector cannot store, so that they are not lost silently. */
export function requireComments(statement: CreateTable | CreateTableAsSelect, catalog: string, context: PlanContext): void {
  if (statement.comment !== undefined && requireConnector(context, catalog, statement).metadata.setTableComment === undefined) {
    throw unsupported(statement, "creating tables with table comment");
  }
}

export function requireDistinctNames(columns: readonly { readonly name: string }[], at: Placed): void {
  const names = new Set<string>();
  for (const { name } of columns) {
    if (names.has(name.toLowerCase())) {
      throw semanticError("DUPLICATE_COLUMN_NAME", at, `Column name '${name}' specified more than once`);
    }
    names.add(name.toLowerCase());
  }
}

export async function planDropTable(statement: DropTable, context: PlanContext): Promise<PlannedDataDefinition> {
  const { tables } = await startAnalysis(statement, context);
  const view = tables.findView(statement.name, statement);
  if (view !== undefined) {
    throw viewIsNoTable("GENERIC_USER_ERROR", statement, view, (name) => `DROP VIEW ${name}`);
  }
  if (statement.ifExists && tables.find(statement.name) === undefined) {
    return define("DROP TABLE", { action: "NONE" });
  }
  const { catalog, metadata } = tables.resolve(statement.name, statement);
  if (requireConnector(context, catalog, statement).metadata.dropTable === undefined) {
    throw unsupported(statement, "dropping tables");
  }
  return define("DROP TABLE", { action: "DROP_TABLE", catalog, table: metadata });
}

export async function planCreateSchema(statement: CreateSchema, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
  const { metadata } = requireConnector(context, catalog, statement);
  const exists = await hasSchema(metadata, schema);
  if (exists && statement.ifNotExists) {
    return define("CREATE SCHEMA", { action: "NONE" });
  }
  if (exists) {
    throw semanticError("SCHEMA_ALREADY_EXISTS", statement, `Schema '${catalog}.${schema}' already exists`);
  }
  if (metadata.createSchema === undefined) {
    throw unsupported(statement, "creating schemas");
  }
  const owner: Principal = statement.owner === undefined ? { type: "USER", name: context.session.user } : principalOf(statement.owner);
  requirePrincipal(owner, metadata.security, statement);
  refuseProperties("schema", statement.properties, catalog);
  return define("CREATE SCHEMA", { action: "CREATE_SCHEMA", catalog, schema, owner });
}

export async function planDropSchema(statement: DropSchema, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
  const { metadata } = requireConnector(context, catalog, statement);
  const exists = await hasSchema(metadata, schema);
  if (!exists && statement.ifExists) {
    return define("DROP SCHEMA", { action: "NONE" });
  }
  if (!exists) {
    throw semanticError("SCHEMA_NOT_FOUND", statement, `Schema '${catalog}.${schema}' does not exist`);
  }
  if (metadata.dropSchema === undefined) {
    throw unsupported(statement, "dropping schemas");
  }
  if (statement.cascade && metadata.dropSchemaWithContents === undefined) {
    throw unsupported(statement, "dropping schemas with CASCADE option");
  }
  return define("DROP SCHEMA", { action: "DROP_SCHEMA", catalog, schema, cascade: statement.cascade });
}

export interface DefinitionContext extends Pick<PlanContext, "catalogs"> {
  readonly catalogStore: CatalogStore | undefined;
  /** Recorded with the change, if the catalog records statements. */
  readonly statement: RecordedStatement;
  readonly query: ConnectorQuery;
}

/** Executes a planned data definition. Returns the number of changed rows, of a definition that changes rows. */
export async function runDataDefinition(definition: DataDefinition, context: DefinitionContext): Promise<number | undefined> {
  switch (definition.action) {
    case "NONE":
      break;
    case "CALL":
      await definition.run(context.query);
      break;
    case "CREATE_CATALOG":
      await createCatalog(definition, context.catalogStore);
      break;
    case "DROP_CATALOG":
      await dropCatalog(definition, context.catalogStore);
      break;
    case "CHANGE_ROWS":
      return definition.run(metadataOf(definition.catalog, context), context.query);
    default:
      await changeCatalog(definition, metadataOf(definition.catalog, context), context.query);
  }
  return undefined;
}

function metadataOf(catalog: string, { catalogs, query, statement }: DefinitionContext): ConnectorMetadata {
  const connector = catalogs.connector(catalog);
  if (connector === undefined) {
    throw new QueryError("CATALOG_NOT_FOUND", `Catalog '${catalog}' does not exist`);
  }
  const metadata = metadataFor(connector, query);
  return metadata.recordedStatements?.of(statement) ?? metadata;
}

async function changeCatalog(
  definition: Exclude<DataDefinition, { readonly action: "NONE" | "CALL" | "CREATE_CATALOG" | "DROP_CATALOG" | "CHANGE_ROWS" }>,
  metadata: ConnectorMetadata,
  query: ConnectorQuery,
): Promise<void> {
  switch (definition.action) {
    case "CREATE_TABLE": {
      assert(metadata.beginCreate !== undefined && metadata.finishCreate !== undefined, "checked in planning");
      const handle = await metadata.beginCreate(definition.name, definition.columns, definition.options);
      // The first error is the one to report.
      const abort = async (): Promise<void> => metadata.abortWrite?.(handle).catch(() => undefined);
      const state = { isFinishing: false, isOver: false };
      query.onEnd(() => {
        state.isOver = true;
        if (state.isFinishing) {
          void abort();
        }
      });
      if (state.isOver) {
        await abort();
        throw new QueryError("USER_CANCELED", "Query was canceled");
      }
      state.isFinishing = true;
      try {
        await metadata.finishCreate(handle, []);
      } catch (error) {
        await abort();
        throw error;
      } finally {
        state.isFinishing = false;
      }
      return;
    }
    case "CHANGE":
      await definition.run(metadata, query);
      return;
    case "DROP_TABLE":
      assert(metadata.dropTable !== undefined, "checked in planning");
      await metadata.dropTable(definition.table, query);
      return;
    case "CREATE_SCHEMA":
      assert(metadata.createSchema !== undefined, "checked in planning");
      await metadata.createSchema(definition.schema, definition.owner);
      return;
    case "DROP_SCHEMA":
      if (definition.cascade) {
        assert(metadata.dropSchemaWithContents !== undefined, "checked in planning");
        await metadata.dropSchemaWithContents(definition.schema);
      } else {
        assert(metadata.dropSchema !== undefined, "checked in planning");
        await metadata.dropSchema(definition.schema);
      }
      return;
  }
}
