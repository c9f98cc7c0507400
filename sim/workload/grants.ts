/**
 * Statements of users in a catalog that keeps rights itself: they create and drop tables and roles, grant and revoke, and use the tables.
 */
/** The catalog, and the user who has its role `admin` by the configuration. */
export const vaultAdmin = "root";
export const vault: { readonly name: string; readonly properties: Readonly<Record<string, string>> } = Object.freeze({
  name: "vault",
  properties: { "connector.name": "memory", "memory.security": "sql-standard", "memory.admin-users": vaultAdmin },
});

export const grantedPrivileges = ["SELECT", "DELETE", "INSERT", "UPDATE"] as const;
export type GrantedPrivilege = (typeof grantedPrivileges)[number];

export const grantActions = [
  "create",
  "drop",
  "use",
  "grant",
  "revoke",
  "give",
  "create-role",
  "drop-role",
  "grant-role",
  "revoke-role",
] as const;

/** One statement. Members that its action does not need have any value. */
export interface GrantStep {
  readonly action: (typeof grantActions)[number];
  /** Schema and table. */
  readonly table: string;
  readonly privilege: GrantedPrivilege;
  /** A user or a role: `u:ann`, `r:clerk`. */
  readonly party: string;
  readonly role: string;
  /** WITH GRANT OPTION, WITH ADMIN OPTION, or the same before FOR. */
  readonly option: boolean;
  /** The role that the session has set: empty for all, NONE, or a name. */
  readonly set: string;
}

export function grantStatement({ action, option, party, privilege, role, table: name }: GrantStep, catalog: string): string {
  const table = `${catalog}."${name.replace(".", '".')}`;
  const who = `${party.startsWith("u:") ? "USER" : "ROLE"} ${party.slice(2)}`;
  switch (action) {
    case "create":
      return `CREATE TABLE ${table} (id bigint)`;
    case "drop":
      return `DROP TABLE ${table}`;
    case "use":
      return {
        SELECT: `SELECT id FROM ${table}`,
        DELETE: `DELETE FROM ${table}`,
        INSERT: `INSERT INTO ${table} VALUES 1`,
        UPDATE: `UPDATE ${table} SET id = 2`,
      }[privilege];
    case "grant":
      return `GRANT ${privilege} ON ${table} TO ${who}${option ? " WITH GRANT OPTION" : ""}`;
    case "revoke":
      return `REVOKE ${option ? "GRANT OPTION FOR " : ""}${privilege} ON ${table} FROM ${who}`;
    case "give":
      return `ALTER TABLE ${table} SET AUTHORIZATION ${who}`;
    case "create-role":
      return `CREATE ROLE ${role} IN ${catalog}`;
    case "drop-role":
      return `DROP ROLE ${role} IN ${catalog}`;
    case "grant-role":
      return `GRANT ${role} TO ${who}${option ? " WITH ADMIN OPTION" : ""} IN ${catalog}`;
    case "revoke-role":
      return `REVOKE ${option ? "ADMIN OPTION FOR " : ""}${role} FROM ${who} IN ${catalog}`;
  }
}

/** As clients send it for the catalog; undefined if the session has set none. */
export function setRoleText({ set }: Pick<GrantStep, "set">): string | undefined {
  return set === "" ? undefined : set === "NONE" ? set : `ROLE{${set}}`;
}
