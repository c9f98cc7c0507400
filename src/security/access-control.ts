/**
 * Rights of users: the questions that a node asks before it lets a statement read, change or show something. An implementation answers at
 * once, from rules that it has in memory.
 */
import type { CatalogRights } from "./sql-standard/catalog-rights.ts";
import type { Principal } from "./sql-standard/catalog-security.ts";
import type { TablePrivilege } from "./privileges.ts";

export interface QualifiedSchema {
  readonly catalog: string;
  readonly schema: string;
}

export interface QualifiedRelation extends QualifiedSchema {
  readonly table: string;
}

/** The name of a schema or of a relation, as messages have it. */
export function qualifiedText({ catalog, schema, ...rest }: QualifiedSchema | QualifiedRelation): string {
  return [catalog, schema, ...("table" in rest ? [rest.table] : [])].join(".");
}

export interface QualifiedRoutine extends QualifiedSchema {
  readonly name: string;
}

export type RoutinePrivilege = "EXECUTE" | "GRANT_EXECUTE" | "OWNERSHIP";

/** `read` is implied by `write`, and both by `own`, which creates and drops the catalog. */
export type CatalogAccess = "read" | "write" | "own";

/** An SQL expression over the columns of a table. */
export interface SecuredExpression {
  readonly sql: string;
  /** Whose rights count for tables in subqueries; those of the reader if absent. */
  readonly user?: string;
}

/** What a user may do with a table or a view, as far as the catalog allows it. */
export interface TableRights {
  readonly privileges: ReadonlySet<TablePrivilege>;
  /** Columns that the user may not read. */
  readonly hiddenColumns: ReadonlySet<string>;
  /** Rows for which it is not true do not exist for the user. */
  readonly filter?: SecuredExpression;
  /** By column: what the user sees in its place. */
  readonly masks: ReadonlyMap<string, SecuredExpression>;
}

export interface AccessControl {
  /** Another number after each change of the rules. */
  readonly version: number;
  /** False if all users may read and change all data. */
  readonly restrictsData: boolean;
  /** Whether who has proved to be the principal may send requests as the user. Undefined: who is taken at its word. */
  canSetUser(principal: string | undefined, user: string): boolean;
  canImpersonate(user: string, other: string): boolean;
  canExecuteQuery(user: string): boolean;
  canViewQueryOf(user: string, owner: string): boolean;
  canKillQueryOf(user: string, owner: string): boolean;
  canReadSystemInformation(user: string): boolean;
  canWriteSystemInformation(user: string): boolean;
  canSetSystemSessionProperty(user: string, property: string): boolean;
  canSetCatalogSessionProperty(user: string, catalog: string, property: string): boolean;
  canAccessCatalog(user: string, catalog: string, access: CatalogAccess): boolean;
  /** Whether the user has a right on the catalog, or could have one on something in it. */
  canSeeCatalog(user: string, catalog: string): boolean;
  canSeeSchema(user: string, schema: QualifiedSchema): boolean;
  isSchemaOwner(user: string, schema: QualifiedSchema): boolean;
  /** Whether the user may make the principal the owner of what the user owns. */
  canSetOwner(user: string, owner: Principal): boolean;
  tableRights(user: string, table: QualifiedRelation): TableRights;
  routinePrivileges(user: string, routine: QualifiedRoutine): ReadonlySet<RoutinePrivilege>;
  procedurePrivileges(user: string, procedure: QualifiedRoutine): ReadonlySet<RoutinePrivilege>;
  /** Of a catalog that keeps rights itself, besides the rules; tableRights and isSchemaOwner know them already. */
  rightsIn?(catalog: string, user: string): CatalogRights | undefined;
}

export const allRoutinePrivileges: ReadonlySet<RoutinePrivilege> = new Set<RoutinePrivilege>(["EXECUTE", "GRANT_EXECUTE", "OWNERSHIP"]);

/** A privilege that changes data needs a catalog that may be changed. */
export function hasTablePrivilege(access: AccessControl, user: string, table: QualifiedRelation, privilege: TablePrivilege): boolean {
  const needed = privilege === "SELECT" || privilege === "GRANT_SELECT" ? "read" : "write";
  return access.canAccessCatalog(user, table.catalog, needed) && access.tableRights(user, table).privileges.has(privilege);
}

/** Whether the user may read the columns; none of them: whether it may count the rows. */
export function canSelect(access: AccessControl, user: string, table: QualifiedRelation, columns: Iterable<string>): boolean {
  const { hiddenColumns, privileges } = access.tableRights(user, table);
  return (
    access.canAccessCatalog(user, table.catalog, "read") &&
    (privileges.has("SELECT") || privileges.has("GRANT_SELECT")) &&
    [...columns].every((column) => !hiddenColumns.has(column))
  );
}
