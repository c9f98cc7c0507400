/**
 * Privileges and owners: GRANT, DENY, REVOKE, SHOW GRANTS and ALTER ... SET AUTHORIZATION. Only catalogs that keep rights themselves take
 * them.
 */
import type { Grant, SetAuthorization, ShowGrants } from "../../../sql/ast/ast.ts";
import {
  type GrantedPrivilege,
  grantedPrivileges,
  isSamePrincipal,
  type Principal,
  type TableGrant,
} from "../../../security/sql-standard/catalog-security.ts";
import { tablePrivilegeRows } from "../../../security/sql-standard/shown-grants.ts";
import { ownRights, principalOf, requirePrincipal } from "../../access/principals.ts";
import { semanticError } from "../../analyzer/errors.ts";
import { missingCatalog, qualifySchema, qualifyTable, requireConnector, viewNotFound } from "../../analyzer/metadata.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition, PlannedQuery } from "../../planned.ts";
import { planRows, varcharColumn } from "../values.ts";
import { changeSecurity, requireSchemaOf, unsupported } from "./data-definition.ts";
import { granted, revoked } from "./grant-lists.ts";
import { materializedViewNotFound } from "./materialized-views.ts";

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
  const columns = grantColumns.map(varcharColumn);
  const named = statement.table === undefined ? undefined : qualifyTable(statement.table, context.session, statement);
  const catalog = named?.catalog ?? context.session.catalog;
  if (catalog === undefined) {
    throw missingCatalog(statement);
  }
  if (statement.table !== undefined) {
    (await startAnalysis(statement, context)).tables.resolveRelation(statement.table, statement);
  }
  const rights = ownRights(catalog, context);
  if (rights === undefined) {
    return planRows(columns, []);
  }
  const { metadata } = requireConnector(context, catalog, statement);
  const rows: (readonly (string | null)[])[] = [];
  for (const schema of named === undefined ? await metadata.listSchemas() : [named.schema]) {
    for (const table of named === undefined ? await metadata.listTables(schema) : [named.table]) {
      rows.push(...tablePrivilegeRows(rights, catalog, { schema, table }).map((row) => Object.values(row)));
    }
  }
  return planRows(columns, rows);
}

/** The object of a GRANT must exist, as in Trino, even if the statement is not supported. */
export async function planGrant(statement: Grant, context: PlanContext): Promise<PlannedDataDefinition> {
  const unknown = statement.privileges?.find((privilege) => typeof privilege !== "string");
  if (unknown !== undefined) {
    throw semanticError("INVALID_PRIVILEGE", statement, `Unknown privilege: '${unknown.value}'`);
  }
  const what = { GRANT: "grants", DENY: "denies", REVOKE: "revokes" }[statement.action];
  if (statement.object === "SCHEMA") {
    const { catalog, schema } = qualifySchema(statement.name, statement, context.session);
    await requireSchemaOf(catalog, requireConnector(context, catalog, statement).metadata, schema, statement);
    throw unsupported(statement, `${what} on schemas`);
  }
  (await startAnalysis(statement, context)).tables.resolveRelation(statement.name, statement);
  const { catalog, schema, table } = qualifyTable(statement.name, context.session, statement);
  const security = ownRights(catalog, context)?.security;
  if (security === undefined || statement.action === "DENY") {
    throw unsupported(statement, `${what} on tables`);
  }
  const privileges = privilegesOf(statement);
  const grantee = principalOf(statement.principal);
  requirePrincipal(grantee, security, statement);
  const grantor: Principal = { type: "USER", name: context.session.user };
  const { action, grantOption } = statement;
  const named = privileges.map((privilege): TableGrant => ({ grantor, grantee, privilege, isGrantable: grantOption }));
  return changeSecurity(action, catalog, (target) =>
    target.changeTableGrants({ schema, table }, (grants) =>
      action === "GRANT" ? granted(grants, named, isSameGrant) : revoked(grants, named, { isSame: isSameGrant, onlyOption: grantOption }),
    ),
  );
}

/** All if none is named. Throws NOT_SUPPORTED. */
function privilegesOf(statement: Grant): readonly GrantedPrivilege[] {
  const { privileges } = statement;
  const other = privileges?.find((privilege) => !grantedPrivileges.some((one) => one === privilege));
  if (other !== undefined) {
    throw unsupported(statement, `privilege ${typeof other === "string" ? other : other.value} on tables`);
  }
  return grantedPrivileges.filter((privilege) => privileges === undefined || privileges.includes(privilege));
}

function isSameGrant(one: TableGrant, other: TableGrant): boolean {
  return one.privilege === other.privilege && isSamePrincipal(one.grantee, other.grantee);
}

export async function planSetAuthorization(statement: SetAuthorization, context: PlanContext): Promise<PlannedDataDefinition> {
  const { name, object } = statement;
  const owner = principalOf(statement.principal);
  if (object === "SCHEMA") {
    const { catalog, schema } = qualifySchema(name, statement, context.session);
    await requireSchemaOf(catalog, requireConnector(context, catalog, statement).metadata, schema, statement);
    requireOwnable(catalog, owner, statement, context);
    return changeSecurity("SET SCHEMA AUTHORIZATION", catalog, (target) => target.setSchemaOwner(schema, owner));
  }
  if (object === "MATERIALIZED VIEW") {
    throw materializedViewNotFound(name, statement, context);
  }
  const { tables } = await startAnalysis(statement, context);
  if (object === "TABLE") {
    tables.resolve(name, statement);
  } else if (tables.findView(name, statement) === undefined) {
    throw viewNotFound(statement, qualifyTable(name, context.session));
  }
  const { catalog, schema, table } = qualifyTable(name, context.session, statement);
  requireOwnable(catalog, owner, statement, context);
  return changeSecurity(`SET ${object} AUTHORIZATION`, catalog, (target) => target.setOwner({ schema, table }, owner));
}

/** Throws NOT_SUPPORTED and ROLE_NOT_FOUND. */
function requireOwnable(catalog: string, owner: Principal, statement: SetAuthorization, context: PlanContext): void {
  const security = ownRights(catalog, context)?.security;
  const what = statement.object.toLowerCase();
  if (security === undefined) {
    throw unsupported(statement, `setting an owner on a ${what}`);
  }
  if (statement.object === "VIEW" && owner.type === "ROLE") {
    throw unsupported(statement, "a role as the owner of a view");
  }
  requirePrincipal(owner, security, statement);
}
