/**
 * CREATE VIEW, DROP VIEW and ALTER VIEW ... RENAME. Connectors store views as text.
 */
import type { ViewDefinition } from "../../../connectors/spi.ts";
import { assert } from "../../../protocol/errors.ts";
import type { CreateView, DropView, Query, RenameView } from "../../../sql/ast/ast.ts";
import { printStatement } from "../../../sql/printer/printer.ts";
import { semanticError } from "../../analyzer/errors.ts";
import { qualifyTable, requireConnector, tableIsNoView, viewNotFound } from "../../analyzer/metadata.ts";
import { planQuery } from "../../analyzer/query/query.ts";
import { requireReads } from "../../access/relation-reads.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition } from "../../planned.ts";
import { change, nothing, requireDistinctNames, requireSchema, unsupported } from "./data-definition.ts";

export async function planCreateView(statement: CreateView, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, schema, table } = qualifyTable(statement.name, context.session, statement);
  const { metadata } = requireConnector(context, catalog, statement);
  await requireSchema(metadata, schema, statement);
  if (metadata.createView === undefined) {
    throw unsupported(statement, "creating views");
  }
  const analysis = await startAnalysis(statement, context);
  const name = `${catalog}.${schema}.${table}`;
  if (analysis.tables.find(statement.name) !== undefined) {
    throw semanticError("TABLE_ALREADY_EXISTS", statement, `Table already exists: '${name}'`);
  }
  const exists = analysis.tables.findView(statement.name) !== undefined;
  if (exists && !statement.replace) {
    throw semanticError("TABLE_ALREADY_EXISTS", statement, `View already exists: '${name}'`);
  }
  const query = withColumnNames(statement);
  const relation = planQuery(query, { ...analysis, views: [name], createdView: name }, { named: new Map() });
  requireReads(relation, analysis);
  const { fields } = relation;
  const columns = fields
    .filter((field) => !field.hidden)
    .map((field, index) => {
      const { name: columnName, expression } = field;
      if (columnName === undefined) {
        throw semanticError("MISSING_COLUMN_NAME", statement, `Column name not specified at position ${index + 1}`);
      }
      if (expression.type.kind === "unknown") {
        throw semanticError("COLUMN_TYPE_UNKNOWN", statement, `Column type is unknown: ${columnName.toLowerCase()}`);
      }
      return { name: columnName.toLowerCase(), type: expression.type };
    });
  requireDistinctNames(columns, statement);
  const { session } = context;
  const view: ViewDefinition = {
    sql: printStatement(query),
    ...(session.catalog !== undefined && { catalog: session.catalog }),
    ...(session.schema !== undefined && { schema: session.schema }),
    columns,
    ...(statement.comment !== undefined && { comment: statement.comment }),
    owner: session.user,
    security: statement.security ?? "DEFINER",
  };
  return change("CREATE VIEW", catalog, (target, query) => {
    assert(target.createView !== undefined, "checked in planning");
    return target.createView({ schema, table }, view, statement.replace, query);
  });
}

/** Adds the column names of `CREATE VIEW v (a, b)` to the view's text. */
function withColumnNames({ columnNames, location, name, query }: CreateView): Query {
  const alias = name.parts.at(-1);
  if (columnNames === undefined || alias === undefined) {
    return query;
  }
  return {
    kind: "Query",
    body: {
      kind: "QuerySpecification",
      select: { kind: "Select", distinct: false, items: [{ kind: "AllColumns", aliases: [], location }], location },
      from: { kind: "AliasedRelation", relation: { kind: "TableSubquery", query, location }, alias, columnNames, location },
      windows: [],
      location,
    },
    orderBy: [],
    location,
  };
}

export async function planDropView(statement: DropView, context: PlanContext): Promise<PlannedDataDefinition> {
  const { tables } = await startAnalysis(statement, context);
  const view = tables.findView(statement.name, statement);
  const { catalog, schema, table } = qualifyTable(statement.name, context.session);
  if (view === undefined) {
    if (tables.find(statement.name) !== undefined) {
      throw tableIsNoView("GENERIC_USER_ERROR", statement, { catalog, schema, table }, (name) => `DROP TABLE ${name}`);
    }
    if (statement.ifExists) {
      return nothing("DROP VIEW");
    }
    requireConnector(context, catalog, statement);
    throw viewNotFound(statement, { catalog, schema, table });
  }
  return change("DROP VIEW", catalog, (target, query) => {
    assert(target.dropView !== undefined, "who has views drops them");
    return target.dropView(view.name, query);
  });
}

export async function planRenameView(statement: RenameView, context: PlanContext): Promise<PlannedDataDefinition> {
  const { tables } = await startAnalysis(statement, context);
  const view = tables.findView(statement.name, statement);
  const source = qualifyTable(statement.name, context.session);
  const target = qualifyTable(statement.target, { ...context.session, catalog: source.catalog, schema: source.schema });
  const { metadata } = requireConnector(context, source.catalog, statement);
  if (view === undefined && tables.find(statement.name) !== undefined) {
    throw tableIsNoView("TABLE_NOT_FOUND", statement, source, (name) => `ALTER TABLE ${name} RENAME TO ...`);
  }
  if (view === undefined) {
    throw viewNotFound(statement, source);
  }
  if (target.catalog !== source.catalog) {
    throw semanticError("NOT_SUPPORTED", statement, "View rename across catalogs is not supported");
  }
  await requireSchema(metadata, target.schema, statement);
  const to = { schema: target.schema, table: target.table };
  const text = `${target.catalog}.${to.schema}.${to.table}`;
  if ((await metadata.getView?.(to)) !== undefined) {
    throw semanticError("GENERIC_USER_ERROR", statement, `Target view '${text}' already exists`);
  }
  if ((await metadata.getTable(to)) !== undefined) {
    throw semanticError("TABLE_ALREADY_EXISTS", statement, `Target view '${text}' does not exist, but a table with that name exists.`);
  }
  return change("RENAME VIEW", source.catalog, (connector, query) => {
    assert(connector.renameView !== undefined, "who has views renames them");
    return connector.renameView(view.name, to, query);
  });
}
