/**
 * SHOW and DESCRIBE, with Presto's columns and order.
 */
import type { ColumnMetadata, TableMetadata } from "../../../connectors/spi.ts";
import { listFunctions } from "../../../functions/registry/registry.ts";
import { QueryError } from "../../../protocol/errors.ts";
import {
  lowerName,
  type ShowCatalogs,
  type ShowColumns,
  type ShowCreate,
  type ShowFunctions,
  type ShowPattern,
} from "../../../sql/ast/ast.ts";
import type { ShowSchemas, ShowTables } from "../../../sql/ast/ast.ts";
import { printPlainName } from "../../../sql/printer/names.ts";
import { sqlTypeText, varcharType } from "../../../types/type.ts";
import { everythingVisible, type Visibility, visibilityFor } from "../../../security/visibility.ts";
import { codePoints } from "../../../types/utf8.ts";
import { notSupported } from "../../analyzer/errors.ts";
import { missingCatalog, qualifySchema, qualifyTable, requireConnector, viewNotFound } from "../../analyzer/metadata.ts";
import { describedRelation } from "../../access/described.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery } from "../../planned.ts";
import { requireSchema, requireSchemaOf } from "../definition/data-definition.ts";
import { materializedViewNotFound } from "../definition/materialized-views.ts";
import { listedFunctions, planShowCreateFunction } from "../definition/routines.ts";
import { booleanColumn, likeMatcher, planRows, varcharColumn } from "../values.ts";

function visibilityOf({ access, session }: PlanContext): Visibility {
  return access === undefined ? everythingVisible : visibilityFor(access, session.user);
}

function matching(names: readonly string[], pattern: ShowPattern | undefined): readonly string[] {
  return names.filter(patternMatcher(pattern));
}

export function patternMatcher(pattern: ShowPattern | undefined): (text: string) => boolean {
  if (pattern === undefined) {
    return () => true;
  }
  if (pattern.escape !== undefined && codePoints(pattern.escape).length !== 1) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", "Escape string must be a single character");
  }
  return likeMatcher(pattern.like, pattern.escape);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function planShowCatalogs(statement: ShowCatalogs, context: PlanContext): PlannedQuery {
  const visibility = visibilityOf(context);
  const names = matching(context.catalogs.names(), statement.pattern)
    .filter((name) => visibility.catalog(name))
    .toSorted(compareText);
  const length = Math.max(1, ...context.catalogs.names().map((name) => name.length));
  return planRows(
    [{ name: "Catalog", type: varcharType(length) }],
    names.map((name) => [name]),
  );
}

export async function planShowSchemas(statement: ShowSchemas, context: PlanContext): Promise<PlannedQuery> {
  const catalog = statement.catalog === undefined ? context.session.catalog : lowerName(statement.catalog);
  if (catalog === undefined) {
    throw missingCatalog(statement);
  }
  const schemas = await requireConnector(context, catalog, statement).metadata.listSchemas();
  const visibility = visibilityOf(context);
  const visible = schemas.filter((schema) => visibility.schema({ catalog, schema }));
  const names = matching(visible, statement.pattern).toSorted(compareText);
  return planRows(
    [varcharColumn("Schema")],
    names.map((name) => [name]),
  );
}

export async function planShowTables(statement: ShowTables, context: PlanContext): Promise<PlannedQuery> {
  const { catalog, schema } = qualifySchema(statement.schema, statement, context.session);
  const { metadata } = requireConnector(context, catalog, statement);
  await requireSchema(metadata, schema, statement);
  const visibility = visibilityOf(context);
  const visible = (await metadata.listTables(schema)).filter((table) => visibility.table({ catalog, schema, table }));
  const names = matching(visible, statement.pattern).toSorted(compareText);
  return planRows(
    [varcharColumn("Table")],
    names.map((name) => [name]),
  );
}

export async function planShowColumns(statement: ShowColumns, context: PlanContext): Promise<PlannedQuery> {
  const { tables } = await startAnalysis(statement, context);
  const relation = tables.resolveRelation(statement.table, statement);
  const matches = patternMatcher(statement.pattern);
  const columns: readonly ColumnMetadata[] = "view" in relation ? relation.view.columns : relation.metadata.columns;
  const visibility = visibilityOf(context);
  const table = qualifyTable(statement.table, context.session, statement);
  const isDescribed = describedRelation(table, context) !== undefined;
  const rows = columns
    .filter(({ hidden, name }) => hidden !== true && matches(name) && (isDescribed || visibility.column(table, name)))
    .map((column) => [column.name, context.typeText(column.type), column.nullable === false ? "not null" : "", column.comment ?? ""]);
  return planRows(["Column", "Type", "Extra", "Comment"].map(varcharColumn), rows);
}

export async function planShowFunctions(statement: ShowFunctions, context: PlanContext): Promise<PlannedQuery> {
  const matches = patternMatcher(statement.pattern);
  const written = await listedFunctions(statement, context);
  const rows = [...(statement.schema === undefined ? listFunctions() : []), ...written]
    .filter((listing) => matches(listing.name))
    .toSorted(
      (a, b) =>
        compareText(a.name.toLowerCase(), b.name.toLowerCase()) ||
        compareText(a.returnType, b.returnType) ||
        compareText(a.argumentTypes, b.argumentTypes) ||
        compareText(a.kind, b.kind),
    )
    .map((listing) => [listing.name, listing.returnType, listing.argumentTypes, listing.kind, listing.deterministic, listing.description]);
  const columns = [
    ...["Function", "Return Type", "Argument Types", "Function Type"].map(varcharColumn),
    booleanColumn("Deterministic"),
    varcharColumn("Description"),
  ];
  return planRows(columns, rows);
}

export async function planShowCreate(statement: ShowCreate, context: PlanContext): Promise<PlannedQuery> {
  switch (statement.object) {
    case "TABLE":
      return planShowCreateTable(statement, context);
    case "VIEW":
      return planShowCreateView(statement, context);
    case "FUNCTION":
      return planShowCreateFunction(statement, context);
    case "SCHEMA":
      return planShowCreateSchema(statement, context);
    case "MATERIALIZED VIEW":
      return planShowCreateMaterializedView(statement, context);
  }
}

async function planShowCreateMaterializedView(statement: ShowCreate, context: PlanContext): Promise<never> {
  const { tables } = await startAnalysis(statement, context);
  const { catalog, schema, table } = qualifyTable(statement.name, context.session, statement);
  const isView = tables.findView(statement.name) !== undefined;
  if (isView || tables.find(statement.name) !== undefined) {
    throw notSupported(statement, `Relation '${catalog}.${schema}.${table}' is a ${isView ? "view" : "table"}, not a materialized view`);
  }
  throw materializedViewNotFound(statement.name, statement, context);
}

async function planShowCreateTable(statement: ShowCreate, context: PlanContext): Promise<PlannedQuery> {
  const { tables } = await startAnalysis(statement, context);
  const { catalog, schema, table } = qualifyTable(statement.name, context.session, statement);
  if (tables.findView(statement.name) !== undefined) {
    throw notSupported(statement, `Relation '${catalog}.${schema}.${table}' is a view, not a table`);
  }
  const { metadata } = tables.resolve(statement.name, statement);
  const columns = metadata.columns
    .filter((column) => column.hidden !== true)
    .map(
      (column) =>
        `   ${printPlainName(column.name)} ${sqlTypeText(column.type)}${constraints(column)}${commentClause(column.comment)}${columnProperties(column)}`,
    );
  const comment = metadata.comment === undefined ? "" : `\nCOMMENT ${quoteText(metadata.comment)}`;
  const text = `CREATE TABLE ${[catalog, schema, table].map(printPlainName).join(".")} (\n${columns.join(",\n")}\n)${comment}${propertiesClause(metadata.properties)}`;
  return planRows([varcharColumn("Create Table")], [[text]]);
}

function propertyTexts(properties: TableMetadata["properties"] = {}): readonly string[] {
  return Object.entries(properties).map(([name, value]) => {
    const text =
      typeof value === "number" ? String(value) : typeof value === "string" ? quoteText(value) : `ARRAY[${value.map(quoteText).join(",")}]`;
    return `${name} = ${text}`;
  });
}

function columnProperties({ properties }: ColumnMetadata): string {
  const texts = propertyTexts(properties);
  return texts.length === 0 ? "" : ` WITH (${texts.join(", ")})`;
}

function propertiesClause(properties: TableMetadata["properties"]): string {
  const texts = propertyTexts(properties).map((text) => `   ${text}`);
  return texts.length === 0 ? "" : `\nWITH (\n${texts.join(",\n")}\n)`;
}

async function planShowCreateView(statement: ShowCreate, context: PlanContext): Promise<PlannedQuery> {
  const { tables } = await startAnalysis(statement, context);
  const { catalog, schema, table } = qualifyTable(statement.name, context.session, statement);
  const view = tables.findView(statement.name);
  if (view === undefined && tables.find(statement.name) === undefined) {
    throw viewNotFound(statement, { catalog, schema, table });
  }
  if (view === undefined) {
    throw notSupported(statement, `Relation '${catalog}.${schema}.${table}' is a table, not a view`);
  }
  const { comment, security, sql } = view.view;
  const name = [catalog, schema, table].map(printPlainName).join(".");
  return planRows([varcharColumn("Create View")], [[`CREATE VIEW ${name}${commentClause(comment)} SECURITY ${security} AS\n${sql}`]]);
}

async function planShowCreateSchema(statement: ShowCreate, context: PlanContext): Promise<PlannedQuery> {
  const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
  const { metadata } = requireConnector(context, catalog, statement);
  await requireSchemaOf(catalog, metadata, schema, statement);
  return planRows([varcharColumn("Create Schema")], [[`CREATE SCHEMA ${printPlainName(catalog)}.${printPlainName(schema)}`]]);
}

function constraints({ defaultValue, nullable }: ColumnMetadata): string {
  return `${defaultValue === undefined ? "" : ` DEFAULT ${defaultValue.sql}`}${nullable === false ? " NOT NULL" : ""}`;
}

function commentClause(comment: string | undefined): string {
  return comment === undefined ? "" : ` COMMENT ${quoteText(comment)}`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
