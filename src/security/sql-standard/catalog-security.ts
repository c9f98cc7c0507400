/**
 * Rights that a catalog keeps itself, as in SQL: owners, roles, and privileges that were granted. What they mean is in
 * catalog-rights.ts; the connector stores them.
 */

/** A user or a role of the catalog. Names of roles are in lower case. */
export interface Principal {
  readonly type: "USER" | "ROLE";
  readonly name: string;
}

export function isSamePrincipal(one: Principal, other: Principal): boolean {
  return one.type === other.type && one.name === other.name;
}

export type GrantedPrivilege = "SELECT" | "DELETE" | "INSERT" | "UPDATE";

/** In the order in which they are shown. */
export const grantedPrivileges: readonly GrantedPrivilege[] = Object.freeze(["SELECT", "DELETE", "INSERT", "UPDATE"]);

export const adminRole = "admin";
/** Everybody has it. */
export const publicRole = "public";
/** They are there in every catalog with roles. */
export const builtinRoles: readonly string[] = Object.freeze([adminRole, publicRole]);

/** The user of a session. */
export interface Reader {
  readonly user: string;
  /** By catalog, as the client has set them. */
  readonly roles: Readonly<Record<string, string>>;
}

/** Names of tables and views, in lower case. */
export interface NameInCatalog {
  readonly schema: string;
  readonly table: string;
}

/** At most one for a grantee and a privilege. */
export interface TableGrant {
  readonly grantor: Principal;
  readonly grantee: Principal;
  readonly privilege: GrantedPrivilege;
  /** WITH GRANT OPTION. */
  readonly isGrantable: boolean;
}

/** At most one for a grantee and a role. */
export interface RoleGrant {
  readonly role: string;
  readonly grantor: Principal;
  readonly grantee: Principal;
  /** WITH ADMIN OPTION. */
  readonly isGrantable: boolean;
}

/** Tables share their names with views. Questions are answered from memory, once `load` has resolved. */
export interface CatalogSecurity {
  /** Grows with each change of what is below. */
  readonly version: number;
  load(): Promise<void>;
  /** Sorted, with `admin` and `public`. */
  roles(): readonly string[];
  roleGrants(): readonly RoleGrant[];
  /** Undefined if there is no such schema, or if it belongs to nobody. */
  schemaOwner(schema: string): Principal | undefined;
  /** Undefined if there is no such table or view, or if it belongs to nobody. */
  owner(name: NameInCatalog): Principal | undefined;
  tableGrants(name: NameInCatalog): readonly TableGrant[];

  /** ROLE_ALREADY_EXISTS if there is one. */
  createRole(role: string): Promise<void>;
  /** What was granted to the role, and the role itself, are granted no more. */
  dropRole(role: string): Promise<void>;
  /** `change` is given the grants at the moment of the change. Throws ROLE_NOT_FOUND. */
  changeRoleGrants(change: (grants: readonly RoleGrant[]) => readonly RoleGrant[]): Promise<void>;
  /** Throws TABLE_NOT_FOUND. */
  changeTableGrants(name: NameInCatalog, change: (grants: readonly TableGrant[]) => readonly TableGrant[]): Promise<void>;
  /** Throws SCHEMA_NOT_FOUND. */
  setSchemaOwner(schema: string, owner: Principal): Promise<void>;
  /** Throws TABLE_NOT_FOUND. The owner of a view is a user. */
  setOwner(name: NameInCatalog, owner: Principal): Promise<void>;
}
