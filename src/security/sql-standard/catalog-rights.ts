/**
 * What a user may do in a catalog that keeps its rights itself, as Trino's SQL standard authorization has it: owners may do everything with
 * what is theirs, others what was granted to them or to a role that they have enabled, and the role `admin` everything. It must be enabled
 * by SET ROLE; `public` is enabled for everybody.
 */
import {
  adminRole,
  type CatalogSecurity,
  type GrantedPrivilege,
  type NameInCatalog,
  type Principal,
  publicRole,
  type RoleGrant,
} from "./catalog-security.ts";
import { accessDenied, allTablePrivileges, noPrivileges, type TablePrivilege } from "../privileges.ts";

/** In it everybody may create tables, views and functions. */
const commonSchema = "default";

/** The role that a session has set for a catalog: `ALL`, `NONE` or `ROLE{name}`; all if absent. */
export type SetRoleText = string | undefined;

export class CatalogRights {
  readonly security: CatalogSecurity;
  readonly #user: string;
  readonly #set: SetRoleText;
  #enabled: ReadonlySet<string> | undefined;

  constructor(security: CatalogSecurity, user: string, set: SetRoleText) {
    this.security = security;
    this.#user = user;
    this.#set = set;
  }

  /** Throws PERMISSION_DENIED if the session has set a role that its user does not have. */
  requireSetRole(): void {
    const role = roleIn(this.#set);
    if (role !== undefined && !this.mayEnable(role)) {
      throw accessDenied(`Cannot set role ${role}`);
    }
  }

  mayEnable(role: string): boolean {
    return role === publicRole || this.applicableRoles().some((grant) => grant.role === role);
  }

  /** Grants to the user, to the user's roles, to their roles and so on. */
  applicableRoles(): readonly RoleGrant[] {
    return reachedGrants({ type: "USER", name: this.#user }, this.security.roleGrants());
  }

  enabledRoles(): ReadonlySet<string> {
    this.#enabled ??= this.#enabledRoles();
    return this.#enabled;
  }

  get isAdmin(): boolean {
    return this.enabledRoles().has(adminRole);
  }

  isSchemaOwner(schema: string): boolean {
    return this.isAdmin || this.#is(this.security.schemaOwner(schema));
  }

  mayCreateIn(schema: string): boolean {
    return schema === commonSchema || this.isSchemaOwner(schema);
  }

  isOwner(name: NameInCatalog): boolean {
    const owner = this.security.owner(name);
    return this.isAdmin || this.#is(owner);
  }

  /** On a table or view; on a name that is free, those of who owns the schema. */
  privileges(name: NameInCatalog): ReadonlySet<TablePrivilege> {
    if (this.isOwner(name) || (this.security.owner(name) === undefined && this.isSchemaOwner(name.schema))) {
      return allTablePrivileges;
    }
    const grants = this.security.tableGrants(name).filter(({ grantee }) => this.#is(grantee));
    return grants.length === 0
      ? noPrivileges
      : new Set(grants.flatMap(({ isGrantable, privilege }) => [privilege, ...(isGrantable && privilege === "SELECT" ? grantSelect : [])]));
  }

  mayGrant(name: NameInCatalog, privilege: GrantedPrivilege): boolean {
    const isGrantable = (): boolean =>
      this.security.tableGrants(name).some((grant) => grant.privilege === privilege && grant.isGrantable && this.#is(grant.grantee));
    return this.privileges(name).has("OWNERSHIP") || isGrantable();
  }

  mayGrantRoles(roles: readonly string[]): boolean {
    const grantable = new Set(this.applicableRoles().flatMap(({ isGrantable, role }) => (isGrantable ? [role] : [])));
    return this.isAdmin || roles.every((role) => grantable.has(role));
  }

  /** Whether the user sees a grant to somebody. */
  concerns(grantee: Principal): boolean {
    return this.#is(grantee);
  }

  #is(principal: Principal | undefined): boolean {
    if (principal === undefined) {
      return false;
    }
    return principal.type === "USER" ? principal.name === this.#user : this.enabledRoles().has(principal.name);
  }

  #enabledRoles(): ReadonlySet<string> {
    if (this.#set === "NONE") {
      return new Set([publicRole]);
    }
    const role = roleIn(this.#set);
    const principal: Principal = role === undefined ? { type: "USER", name: this.#user } : { type: "ROLE", name: role };
    const reached = reachedGrants(principal, this.security.roleGrants()).map((grant) => grant.role);
    return new Set([publicRole, ...(role === undefined ? [] : [role]), ...reached.filter((one) => one !== adminRole)]);
  }
}

const grantSelect: readonly TablePrivilege[] = ["GRANT_SELECT"];

function roleIn(set: SetRoleText): string | undefined {
  return /^ROLE\{(.+)\}$/s.exec(set ?? "")?.[1];
}

/** Grants to the principal, to its roles, to their roles and so on. */
export function reachedGrants(principal: Principal, grants: readonly RoleGrant[]): readonly RoleGrant[] {
  const found: RoleGrant[] = [];
  const seen = new Set<string>();
  const waiting: Principal[] = [principal];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, type } = next;
    const own = grants.filter(({ grantee }) => grantee.type === type && grantee.name === name);
    found.push(...own);
    for (const { role } of own) {
      if (!seen.has(role)) {
        seen.add(role);
        waiting.push({ type: "ROLE", name: role });
      }
    }
  }
  return found;
}
