/**
 * Users and roles as statements name them.
 */
import type { Principal as PrincipalNode } from "../../sql/ast/access-statements.ts";
import { lowerName, type Identifier } from "../../sql/ast/ast.ts";
import type { AccessControl } from "../../security/access-control.ts";
import type { CatalogRights } from "../../security/sql-standard/catalog-rights.ts";
import type { CatalogSecurity, Principal } from "../../security/sql-standard/catalog-security.ts";
import { type Placed, semanticError } from "../analyzer/errors.ts";
import type { PlanSession } from "../context.ts";

interface Asking {
  readonly access?: AccessControl | undefined;
  readonly session: PlanSession;
}

/** Without a catalog, a role belongs to the system catalog, as in Trino. */
export const systemCatalog = "system";

/** The catalog of a statement about roles: the one that it names, else that of the session if it has roles. */
export function roleCatalogOf(named: Identifier | undefined, { access, session }: Asking): string {
  if (named !== undefined) {
    return lowerName(named);
  }
  const { catalog } = session;
  return catalog !== undefined && ownRights(catalog, { access, session }) !== undefined ? catalog : systemCatalog;
}

/** A name without a word before it is a user's. Roles are in lower case. */
export function principalOf({ name, type }: PrincipalNode): Principal {
  return type === "ROLE" ? { type, name: lowerName(name) } : { type: "USER", name: name.value };
}

export function principalText(node: PrincipalNode): string {
  const { name, type } = principalOf(node);
  return `${type} ${name}`;
}

/** Throws ROLE_NOT_FOUND. */
export function requireRole(role: string, security: CatalogSecurity | undefined, at: Placed): void {
  if (security?.roles().includes(role) !== true) {
    throw semanticError("ROLE_NOT_FOUND", at, `Role '${role}' does not exist`);
  }
}

/** Users need not be known. Throws ROLE_NOT_FOUND. */
export function requirePrincipal({ name, type }: Principal, security: CatalogSecurity | undefined, at: Placed): void {
  if (type === "ROLE") {
    requireRole(name, security, at);
  }
}

/** Rights of the session's user in a catalog that keeps its own. */
export function ownRights(catalog: string, { access, session }: Asking): CatalogRights | undefined {
  return access?.rightsIn?.(catalog, session.user);
}
