/** CREATE, REFRESH, ALTER and DROP MATERIALIZED VIEW: no connector keeps any, so what is wrong with the statement itself is said, and then that. */
import type { QueryError } from "../../protocol/errors.ts";
import type {
  CreateMaterializedView,
  DropMaterializedView,
  QualifiedName,
  RefreshMaterializedView,
  RenameMaterializedView,
} from "../../sql/ast.ts";
import { semanticError, type Placed } from "../analyzer/errors.ts";
import { qualifyTable, requireConnector } from "../analyzer/metadata.ts";
import { planQuery } from "../analyzer/query.ts";
import type { PlanContext } from "../context.ts";
import { startAnalysis } from "../plan-query.ts";
import type { PlannedDataDefinition } from "../planned.ts";
import { nothing, requireSchema, unsupported } from "./data-definition.ts";

export async function planCreateMaterializedView(statement: CreateMaterializedView, context: PlanContext): Promise<never> {
  const { catalog, schema } = qualifyTable(statement.name, context.session, statement);
  await requireSchema(requireConnector(context, catalog, statement).metadata, schema, statement);
  planQuery(statement.query, await startAnalysis(statement, context), { named: new Map() });
  throw unsupported(statement, "creating materialized views");
}

export function planRefreshMaterializedView(statement: RefreshMaterializedView, context: PlanContext): never {
  throw materializedViewNotFound(statement.name, statement, context);
}

export function planDropMaterializedView(statement: DropMaterializedView, context: PlanContext): PlannedDataDefinition {
  if (!statement.ifExists) throw materializedViewNotFound(statement.name, statement, context);
  qualifyTable(statement.name, context.session, statement);
  return nothing("DROP MATERIALIZED VIEW");
}

export function planRenameMaterializedView(statement: RenameMaterializedView, context: PlanContext): PlannedDataDefinition {
  if (!statement.ifExists) throw materializedViewNotFound(statement.name, statement, context);
  qualifyTable(statement.name, context.session, statement);
  return nothing("RENAME MATERIALIZED VIEW");
}

export function materializedViewNotFound(name: QualifiedName, at: Placed, context: PlanContext): QueryError {
  const { catalog, schema, table } = qualifyTable(name, context.session, at);
  if (context.catalogs.connector(catalog) === undefined) {
    return semanticError("CATALOG_NOT_FOUND", at, `Catalog '${catalog}' does not exist`);
  }
  return semanticError("TABLE_NOT_FOUND", at, `Materialized view '${catalog}.${schema}.${table}' does not exist`);
}
