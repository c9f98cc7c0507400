/**
 * CREATE, REFRESH, ALTER and DROP MATERIALIZED VIEW. No connector supports materialized views. Errors in the statement itself are reported
 * first, then the missing support.
 */
import type { QueryError } from "../../../protocol/errors.ts";
import type {
  CreateMaterializedView,
  DropMaterializedView,
  QualifiedName,
  RefreshMaterializedView,
  RenameMaterializedView,
} from "../../../sql/ast/ast.ts";
import { semanticError, type Placed } from "../../analyzer/errors.ts";
import { qualifyTable, requireConnector } from "../../analyzer/metadata.ts";
import { planQuery } from "../../analyzer/query/query.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition } from "../../planned.ts";
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

export async function planDropMaterializedView(statement: DropMaterializedView, context: PlanContext): Promise<PlannedDataDefinition> {
  const other = await otherRelation(statement.name, statement, context);
  if (other !== undefined) {
    const hint = `Did you mean DROP ${other.kind.toUpperCase()} ${other.name}?`;
    throw semanticError("GENERIC_USER_ERROR", statement, `Materialized view '${other.name}' ${insteadOf(other)} ${hint}`);
  }
  if (!statement.ifExists) {
    throw materializedViewNotFound(statement.name, statement, context);
  }
  qualifyTable(statement.name, context.session, statement);
  return nothing("DROP MATERIALIZED VIEW");
}

export async function planRenameMaterializedView(statement: RenameMaterializedView, context: PlanContext): Promise<PlannedDataDefinition> {
  const other = await otherRelation(statement.name, statement, context);
  if (other !== undefined) {
    const hint = other.kind === "view" ? `ALTER VIEW ${other.name} RENAME ...` : `ALTER TABLE ${other.name} RENAME TO ...`;
    throw semanticError("TABLE_NOT_FOUND", statement, `Materialized View '${other.name}' ${insteadOf(other)} Did you mean ${hint}?`);
  }
  if (!statement.ifExists) {
    throw materializedViewNotFound(statement.name, statement, context, "View");
  }
  qualifyTable(statement.name, context.session, statement);
  return nothing("RENAME MATERIALIZED VIEW");
}

export async function alterMaterializedViewFailure(name: QualifiedName, at: Placed, context: PlanContext): Promise<QueryError> {
  const other = await otherRelation(name, at, context);
  if (other === undefined) {
    return materializedViewNotFound(name, at, context, "View");
  }
  const hint = other.kind === "view" ? "" : ` Did you mean ALTER TABLE ${other.name} SET PROPERTIES ...?`;
  return semanticError("TABLE_NOT_FOUND", at, `Materialized View '${other.name}' ${insteadOf(other)}${hint}`);
}

interface OtherRelation {
  readonly kind: "table" | "view";
  readonly name: string;
}

/** Finds a table or view with the name of the materialized view. */
async function otherRelation(name: QualifiedName, at: Placed, context: PlanContext): Promise<OtherRelation | undefined> {
  const { tables } = await startAnalysis(at, context);
  const { catalog, schema, table } = qualifyTable(name, context.session, at);
  const text = `${catalog}.${schema}.${table}`;
  if (tables.findView(name) !== undefined) {
    return { kind: "view", name: text };
  }
  return tables.find(name) === undefined ? undefined : { kind: "table", name: text };
}

function insteadOf({ kind }: OtherRelation): string {
  return `does not exist, but a ${kind} with that name exists.`;
}

/** Trino's messages differ between statements in the case of "view". */
export function materializedViewNotFound(
  name: QualifiedName,
  at: Placed,
  context: PlanContext,
  view: "view" | "View" = "view",
): QueryError {
  const { catalog, schema, table } = qualifyTable(name, context.session, at);
  if (context.catalogs.connector(catalog) === undefined) {
    return semanticError("CATALOG_NOT_FOUND", at, `Catalog '${catalog}' does not exist`);
  }
  return semanticError("TABLE_NOT_FOUND", at, `Materialized ${view} '${catalog}.${schema}.${table}' does not exist`);
}
