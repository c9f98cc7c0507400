/**
 * Roles: CREATE, DROP, SET and SHOW ROLE, and to whom they are granted. Only catalogs that keep rights themselves have roles. Statements on
 * session users are here as well.
 */
import {
  type CreateRole,
  type DropRole,
  type GrantRoles,
  lowerName,
  type ResetSessionAuthorization,
  type SetRole,
  type SetSessionAuthorization,
  type ShowRoleGrants,
  type ShowRoles,
} from "../../../sql/ast/ast.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { accessDenied } from "../../../security/privileges.ts";
import { type CatalogRights, reachedGrants } from "../../../security/sql-standard/catalog-rights.ts";
import {
  builtinRoles,
  type CatalogSecurity,
  isSamePrincipal,
  type Principal,
  publicRole,
  type RoleGrant,
} from "../../../security/sql-standard/catalog-security.ts";
import { ownRights, principalOf, requirePrincipal, requireRole, roleCatalogOf, systemCatalog } from "../../access/principals.ts";
import { semanticError } from "../../analyzer/errors.ts";
import { missingCatalog, requireConnector } from "../../analyzer/metadata.ts";
import type { PlanContext } from "../../context.ts";
import type { PlannedDataDefinition, PlannedQuery, PlannedSessionChange } from "../../planned.ts";
import { planRows, varcharColumn } from "../values.ts";
import { changeSecurity, nothing, unsupported } from "./data-definition.ts";
import { granted, revoked } from "./grant-lists.ts";

type RoleStatement = GrantRoles | CreateRole | DropRole;

/** Undefined if the catalog has no roles. */
function rightsOf(statement: ShowRoles | ShowRoleGrants | SetRole, context: PlanContext): CatalogRights | undefined {
  const catalog = roleCatalogOf(statement.catalog, context);
  if (catalog !== systemCatalog) {
    requireConnector(context, catalog, statement);
  }
  return ownRights(catalog, context);
}

/** Throws NOT_SUPPORTED if the catalog has no roles. */
function changedRoles(statement: RoleStatement, context: PlanContext): { readonly catalog: string; readonly security: CatalogSecurity } {
  const catalog = roleCatalogOf(statement.catalog, context);
  const rights = ownRights(catalog, context);
  if (rights === undefined) {
    requireCatalog(statement, context);
    throw unsupported(statement, "roles");
  }
  return { catalog, security: rights.security };
}

function requireCatalog(statement: RoleStatement, context: PlanContext): void {
  const catalog = statement.catalog === undefined ? context.session.catalog : lowerName(statement.catalog);
  if (catalog === undefined) {
    throw missingCatalog(statement);
  }
  requireConnector(context, catalog, statement);
}

export function planShowRoles(statement: ShowRoles | ShowRoleGrants, context: PlanContext): PlannedQuery {
  const rights = rightsOf(statement, context);
  const isGrants = statement.kind === "ShowRoleGrants";
  const roles = rights === undefined ? [] : isGrants ? grantedTo(rights, context.session.user) : listed(statement, rights);
  return planRows(
    [varcharColumn(isGrants ? "Role Grants" : "Role")],
    [...new Set(roles)].toSorted().map((role) => [role]),
  );
}

function listed(statement: ShowRoles, rights: CatalogRights): readonly string[] {
  return statement.current ? [...rights.enabledRoles()] : rights.security.roles();
}

/** Roles that the user itself has, and `public`. */
function grantedTo({ security }: CatalogRights, user: string): readonly string[] {
  const own = security.roleGrants().filter(({ grantee }) => isSamePrincipal(grantee, { type: "USER", name: user }));
  return [publicRole, ...own.map(({ role }) => role)];
}

export function planSetRole(statement: SetRole, context: PlanContext): PlannedSessionChange {
  const catalog = roleCatalogOf(statement.catalog, context);
  const rights = rightsOf(statement, context);
  const { role } = statement;
  if (typeof role === "string") {
    return { kind: "session", updateType: "SET ROLE", change: { action: "SET_ROLE", catalog, role } };
  }
  const name = lowerName(role);
  requireRole(name, rights?.security, statement);
  if (rights?.mayEnable(name) !== true) {
    throw accessDenied(`Cannot set role ${name}`);
  }
  return { kind: "session", updateType: "SET ROLE", change: { action: "SET_ROLE", catalog, role: `ROLE{${name}}` } };
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

/** Words of SET ROLE. */
const reservedNames: readonly string[] = ["all", "default", "none", "null", "current_role"];

export function planCreateRole(statement: CreateRole, context: PlanContext): PlannedDataDefinition {
  const { catalog, security } = changedRoles(statement, context);
  const role = lowerName(statement.name);
  if (statement.grantor !== undefined) {
    throw unsupported(statement, "WITH ADMIN of CREATE ROLE");
  }
  if (security.roles().includes(role)) {
    throw semanticError("ROLE_ALREADY_EXISTS", statement, `Role '${role}' already exists`);
  }
  if (reservedNames.includes(role) || /[{}]/.test(role)) {
    throw semanticError("INVALID_ARGUMENTS", statement, `Role name cannot be one of the reserved roles: [${reservedNames.join(", ")}]`);
  }
  return changeSecurity("CREATE ROLE", catalog, (target) => target.createRole(role));
}

export function planDropRole(statement: DropRole, context: PlanContext): PlannedDataDefinition {
  const { catalog, security } = changedRoles(statement, context);
  const role = lowerName(statement.name);
  if (statement.ifExists && !security.roles().includes(role)) {
    return nothing("DROP ROLE");
  }
  requireRole(role, security, statement);
  if (builtinRoles.includes(role)) {
    throw accessDenied(`Cannot drop role ${role}`);
  }
  return changeSecurity("DROP ROLE", catalog, (target) => target.dropRole(role));
}

/** REVOKE reports the update type of GRANT, as Presto does. */
export function planGrantRoles(statement: GrantRoles, context: PlanContext): PlannedDataDefinition {
  const { catalog, security } = changedRoles(statement, context);
  const roles = statement.roles.map(lowerName);
  const grantees = statement.principals.map(principalOf);
  if (statement.grantor !== undefined) {
    throw unsupported(statement, "GRANTED BY");
  }
  roles.forEach((role) => requireRole(role, security, statement));
  grantees.forEach((grantee) => requirePrincipal(grantee, security, statement));
  if (roles.includes(publicRole)) {
    throw accessDenied(`Cannot ${statement.action === "GRANT" ? "grant" : "revoke"} role ${publicRole}, which everybody has`);
  }
  const { adminOption } = statement;
  const grantor: Principal = { type: "USER", name: context.session.user };
  const named = grantees.flatMap((grantee) => roles.map((role): RoleGrant => ({ role, grantor, grantee, isGrantable: adminOption })));
  return changeSecurity("GRANT ROLE", catalog, (target) =>
    target.changeRoleGrants((grants) => {
      const changed =
        statement.action === "GRANT"
          ? granted(grants, named, isSameGrant)
          : revoked(grants, named, { isSame: isSameGrant, onlyOption: adminOption });
      requireNoCircle(changed, statement);
      return changed;
    }),
  );
}

function isSameGrant(one: RoleGrant, other: RoleGrant): boolean {
  return one.role === other.role && isSamePrincipal(one.grantee, other.grantee);
}

function requireNoCircle(grants: readonly RoleGrant[], statement: GrantRoles): void {
  const isBelowItself = (name: string): boolean => reachedGrants({ type: "ROLE", name }, grants).some(({ role }) => role === name);
  const circle = statement.roles.map(lowerName).find(isBelowItself);
  if (circle !== undefined) {
    throw semanticError("INVALID_ARGUMENTS", statement, `Role '${circle}' would be granted to itself`);
  }
}
