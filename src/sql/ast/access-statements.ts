/**
 * Syntax nodes of statements on roles, privileges, owners and users.
 */
import type { Identifier, Location, QualifiedName } from "./expression-nodes.ts";

interface Located {
  readonly location: Location;
}

/** SHOW ROLES lists existing roles, SHOW CURRENT ROLES the enabled ones. */
export interface ShowRoles extends Located {
  readonly kind: "ShowRoles";
  readonly current: boolean;
  readonly catalog?: Identifier;
}

export interface ShowRoleGrants extends Located {
  readonly kind: "ShowRoleGrants";
  readonly catalog?: Identifier;
}

export interface ShowGrants extends Located {
  readonly kind: "ShowGrants";
  readonly table?: QualifiedName;
}

/** `SET SESSION AUTHORIZATION bob`, `SET SESSION AUTHORIZATION 'bob'`. */
export interface SetSessionAuthorization extends Located {
  readonly kind: "SetSessionAuthorization";
  readonly user: Identifier | string;
}

export interface ResetSessionAuthorization extends Located {
  readonly kind: "ResetSessionAuthorization";
}

/** `SET ROLE ALL`, `SET ROLE NONE`, `SET ROLE role`. */
export interface SetRole extends Located {
  readonly kind: "SetRole";
  readonly role: "ALL" | "NONE" | Identifier;
  readonly catalog?: Identifier;
}

export interface Principal extends Located {
  readonly kind: "Principal";
  readonly type?: "USER" | "ROLE";
  readonly name: Identifier;
}

/** GRANTED BY: a named principal, or the session's current user or role. */
export type Grantor = Principal | "CURRENT_USER" | "CURRENT_ROLE";

/** GRANT, DENY or REVOKE of privileges on a table or schema. */
export interface Grant extends Located {
  readonly kind: "Grant";
  readonly action: "GRANT" | "DENY" | "REVOKE";
  /** Absent for ALL PRIVILEGES. Known privileges are in upper case; unknown ones are identifiers. */
  readonly privileges?: readonly (string | Identifier)[];
  readonly object: "TABLE" | "SCHEMA";
  readonly name: QualifiedName;
  readonly principal: Principal;
  /** WITH GRANT OPTION or GRANT OPTION FOR. */
  readonly grantOption: boolean;
}

/** GRANT or REVOKE of roles. */
export interface GrantRoles extends Located {
  readonly kind: "GrantRoles";
  readonly action: "GRANT" | "REVOKE";
  readonly roles: readonly Identifier[];
  readonly principals: readonly Principal[];
  /** WITH ADMIN OPTION or ADMIN OPTION FOR. */
  readonly adminOption: boolean;
  /** GRANTED BY. */
  readonly grantor?: Grantor;
  readonly catalog?: Identifier;
}

export interface CreateRole extends Located {
  readonly kind: "CreateRole";
  readonly name: Identifier;
  /** WITH ADMIN. */
  readonly grantor?: Grantor;
  readonly catalog?: Identifier;
}

export interface DropRole extends Located {
  readonly kind: "DropRole";
  readonly name: Identifier;
  readonly ifExists: boolean;
  readonly catalog?: Identifier;
}

/** `ALTER TABLE t SET AUTHORIZATION bob` changes the owner. */
export interface SetAuthorization extends Located {
  readonly kind: "SetAuthorization";
  readonly object: "MATERIALIZED VIEW" | "SCHEMA" | "TABLE" | "VIEW";
  readonly name: QualifiedName;
  readonly principal: Principal;
}

export type AccessStatement =
  | ShowRoles
  | ShowRoleGrants
  | ShowGrants
  | SetRole
  | SetSessionAuthorization
  | ResetSessionAuthorization
  | Grant
  | GrantRoles
  | CreateRole
  | DropRole
  | SetAuthorization;
