/** CREATE, DROP and SET ROLE, GRANT, DENY, REVOKE, owners and what is shown of them: there are none, and everybody may do everything. */
import {
  type CreateRole,
  type DropRole,
  type Grant,
  type GrantRoles,
  lowerName,
  type Identifier,
  type SetAuthorization,
  type SetRole,
  type ShowGrants,
  type ShowRoleGrants,
  type ShowRoles,
} from "../../sql/ast.ts";
import { notSupported, semanticError } from "../analyzer/errors.ts";
import { missingCatalog, qualifySchema, qualifyTable, requireConnector, viewNotFound } from "../analyzer/metadata.ts";
import type { PlanContext } from "../context.ts";
import { startAnalysis } from "../plan-query.ts";
import type { PlannedQuery, PlannedSessionChange } from "../planned.ts";
import { requireSchema, unsupported } from "./data-definition.ts";
import { planRows, varcharColumn } from "./values.ts";

function catalogOf(statement: { readonly catalog?: Identifier } & Parameters<typeof missingCatalog>[0], context: PlanContext): string {
  const catalog = statement.catalog === undefined ? context.session.catalog : lowerName(statement.catalog);
  if (catalog === undefined) throw missingCatalog(statement);
  requireConnector(context, catalog, statement);
  return catalog;
}

export function planShowRoles(statement: ShowRoles | ShowRoleGrants, context: PlanContext): PlannedQuery {
  catalogOf(statement, context);
  if (statement.kind === "ShowRoleGrants") return planRows([varcharColumn("Role Grants")], []);
  if (!statement.current) throw notSupported(statement, "This connector does not support roles");
  return planRows([varcharColumn("Role")], []);
}

const grantColumns: readonly string[] = [
  "Grantor",
  "Grantor Type",
  "Grantee",
  "Grantee Type",
  "Catalog",
  "Schema",
  "Table",
  "Privilege",
  "Grantable",
  "With Hierarchy",
];

export async function planShowGrants(statement: ShowGrants, context: PlanContext): Promise<PlannedQuery> {
  if (statement.table === undefined) {
    if (context.session.catalog === undefined) throw missingCatalog(statement);
  } else {
    (await startAnalysis(statement, context)).tables.resolveRelation(statement.table, statement);
  }
  return planRows(grantColumns.map(varcharColumn), []);
}

export function planSetRole(statement: SetRole, context: PlanContext): PlannedSessionChange {
  const catalog = catalogOf(statement, context);
  const { role } = statement;
  if (typeof role !== "string") throw semanticError("ROLE_NOT_FOUND", statement, `Role '${lowerName(role)}' does not exist`);
  return { kind: "session", updateType: "SET ROLE", change: { action: "SET_ROLE", catalog, role } };
}

/** What is granted on must exist, as where it could be granted. */
export async function planGrant(statement: Grant, context: PlanContext): Promise<never> {
  const what = { GRANT: "grants", DENY: "denies", REVOKE: "revokes" }[statement.action];
  if (statement.object === "TABLE") {
    (await startAnalysis(statement, context)).tables.resolveRelation(statement.name, statement);
    throw unsupported(statement, `${what} on tables`);
  }
  const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
  await requireSchema(requireConnector(context, catalog, statement).metadata, schema, statement);
  throw unsupported(statement, `${what} on schemas`);
}

export async function planSetAuthorization(statement: SetAuthorization, context: PlanContext): Promise<never> {
  const { name, object } = statement;
  if (object === "SCHEMA") {
    const { catalog, schema } = qualifySchema(name, statement, context.session);
    await requireSchema(requireConnector(context, catalog, statement).metadata, schema, statement);
  } else {
    const { tables } = await startAnalysis(statement, context);
    if (object === "TABLE") tables.resolve(name, statement);
    else if (tables.findView(name, statement) === undefined) throw viewNotFound(statement, qualifyTable(name, context.session));
  }
  throw unsupported(statement, `setting an owner on a ${object.toLowerCase()}`);
}

export function planGrantRoles(statement: GrantRoles | CreateRole | DropRole, context: PlanContext): never {
  catalogOf(statement, context);
  throw unsupported(statement, "roles");
}
