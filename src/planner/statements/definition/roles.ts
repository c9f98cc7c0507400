/**
 * Role and privilege statements: CREATE, DROP and SET ROLE, GRANT, DENY, REVOKE, owners, session users and the SHOW statements for them.
 * Orrery has no roles, and every user may do everything.
 */
import {
  type CreateRole,
  type DropRole,
  type Grant,
  type GrantRoles,
  lowerName,
  type Identifier,
  type ResetSessionAuthorization,
  type SetAuthorization,
  type SetRole,
  type SetSessionAuthorization,
  type ShowGrants,
  type ShowRoleGrants,
  type ShowRoles,
} from "../../../sql/ast/ast.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { semanticError } from "../../analyzer/errors.ts";
import { missingCatalog, qualifySchema, qualifyTable, requireConnector, viewNotFound } from "../../analyzer/metadata.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedQuery, PlannedSessionChange } from "../../planned.ts";
import { requireSchemaOf, unsupported } from "./data-definition.ts";
import { materializedViewNotFound } from "./materialized-views.ts";
import { planRows, varcharColumn } from "../values.ts";

/** Without a catalog, a role belongs to the system catalog, as in Trino. */
const systemCatalog = "system";

function roleCatalogOf(statement: ShowRoles | ShowRoleGrants | SetRole, context: PlanContext): string {
  const catalog = statement.catalog === undefined ? systemCatalog : lowerName(statement.catalog);
  if (catalog !== systemCatalog) {
    requireConnector(context, catalog, statement);
  }
  return catalog;
}

function catalogOf(statement: { readonly catalog?: Identifier } & Parameters<typeof missingCatalog>[0], context: PlanContext): string {
  const catalog = statement.catalog === undefined ? context.session.catalog : lowerName(statement.catalog);
  if (catalog === undefined) {
    throw missingCatalog(statement);
  }
  requireConnector(context, catalog, statement);
  return catalog;
}

export function planShowRoles(statement: ShowRoles | ShowRoleGrants, context: PlanContext): PlannedQuery {
  roleCatalogOf(statement, context);
  return planRows([varcharColumn(statement.kind === "ShowRoleGrants" ? "Role Grants" : "Role")], []);
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
    if (context.session.catalog === undefined) {
      throw missingCatalog(statement);
    }
  } else {
    (await startAnalysis(statement, context)).tables.resolveRelation(statement.table, statement);
  }
  return planRows(grantColumns.map(varcharColumn), []);
}

export function planSetRole(statement: SetRole, context: PlanContext): PlannedSessionChange {
  const catalog = roleCatalogOf(statement, context);
  const { role } = statement;
  if (typeof role !== "string") {
    throw semanticError("ROLE_NOT_FOUND", statement, `Role '${lowerName(role)}' does not exist`);
  }
  return { kind: "session", updateType: "SET ROLE", change: { action: "SET_ROLE", catalog, role } };
}

/** Every user may impersonate any other. The client keeps the authorization user and sends it with its next statements. */
export function planSessionAuthorization(
  statement: SetSessionAuthorization | ResetSessionAuthorization,
  { session }: PlanContext,
): PlannedSessionChange {
  const isSet = statement.kind === "SetSessionAuthorization";
  const updateType = isSet ? "SET SESSION AUTHORIZATION" : "RESET SESSION AUTHORIZATION";
  if (session.clientAuthorizationSupport !== true) {
    throw new QueryError("NOT_SUPPORTED", `${updateType} not supported by client`);
  }
  if (session.transactionId !== undefined) {
    throw new QueryError("GENERIC_USER_ERROR", `Can't ${isSet ? "set" : "reset"} authorization user in the middle of a transaction`);
  }
  if (!isSet) {
    return { kind: "session", updateType, change: { action: "RESET_AUTHORIZATION" } };
  }
  const user = typeof statement.user === "string" ? statement.user : statement.user.value;
  if (user.trim() === "") {
    throw semanticError("INVALID_ARGUMENTS", statement, "Authorization user must not be empty");
  }
  return { kind: "session", updateType, change: { action: "SET_AUTHORIZATION", user } };
}

/** The object of a GRANT must exist, as in Trino, although the statement is not supported. */
export async function planGrant(statement: Grant, context: PlanContext): Promise<never> {
  const unknown = statement.privileges?.find((privilege) => typeof privilege !== "string");
  if (unknown !== undefined) {
    throw semanticError("INVALID_PRIVILEGE", statement, `Unknown privilege: '${unknown.value}'`);
  }
  const what = { GRANT: "grants", DENY: "denies", REVOKE: "revokes" }[statement.action];
  if (statement.object === "TABLE") {
    (await startAnalysis(statement, context)).tables.resolveRelation(statement.name, statement);
    throw unsupported(statement, `${what} on tables`);
  }
  const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
  await requireSchemaOf(catalog, requireConnector(context, catalog, statement).metadata, schema, statement);
  throw unsupported(statement, `${what} on schemas`);
}

export async function planSetAuthorization(statement: SetAuthorization, context: PlanContext): Promise<never> {
  const { name, object } = statement;
  if (object === "SCHEMA") {
    const { catalog, schema } = qualifySchema(name, statement, context.session);
    await requireSchemaOf(catalog, requireConnector(context, catalog, statement).metadata, schema, statement);
  } else if (object === "MATERIALIZED VIEW") {
    throw materializedViewNotFound(name, statement, context);
  } else {
    const { tables } = await startAnalysis(statement, context);
    if (object === "TABLE") {
      tables.resolve(name, statement);
    } else if (tables.findView(name, statement) === undefined) {
      throw viewNotFound(statement, qualifyTable(name, context.session));
    }
  }
  throw unsupported(statement, `setting an owner on a ${object.toLowerCase()}`);
}

export function planGrantRoles(statement: GrantRoles | CreateRole | DropRole, context: PlanContext): never {
  catalogOf(statement, context);
  throw unsupported(statement, "roles");
}
