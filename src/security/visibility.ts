/**
 * What a user sees in lists of catalogs, schemas, tables, columns, functions and queries.
 */
import type { AccessControl, QualifiedRelation, QualifiedRoutine, QualifiedSchema } from "./access-control.ts";

export interface Visibility {
  catalog(name: string): boolean;
  schema(schema: QualifiedSchema): boolean;
  table(table: QualifiedRelation): boolean;
  column(table: QualifiedRelation, column: string): boolean;
  routine(routine: QualifiedRoutine): boolean;
  queryOf(owner: string): boolean;
  /** Things of the user alone. */
  ownedBy(owner: string): boolean;
}

export const everythingVisible: Visibility = Object.freeze({
  catalog: () => true,
  schema: () => true,
  table: () => true,
  column: () => true,
  routine: () => true,
  queryOf: () => true,
  ownedBy: () => true,
});

export const nothingVisible: Visibility = Object.freeze({
  catalog: () => false,
  schema: () => false,
  table: () => false,
  column: () => false,
  routine: () => false,
  queryOf: () => false,
  ownedBy: () => false,
});

export function visibilityFor(access: AccessControl, user: string): Visibility {
  const ofQueries = {
    queryOf: (owner: string) => owner === user || access.canViewQueryOf(user, owner),
    ownedBy: (owner: string) => owner === user,
  };
  if (!access.restrictsData) {
    return { ...everythingVisible, ...ofQueries };
  }
  const isOpen = ({ catalog, schema }: QualifiedSchema): boolean =>
    schema === "information_schema" && access.canAccessCatalog(user, catalog, "read");
  return {
    catalog: (name) => access.canSeeCatalog(user, name),
    schema: (schema) => isOpen(schema) || access.canSeeSchema(user, schema),
    table: (table) =>
      isOpen(table) ||
      access.isSchemaOwner(user, table) ||
      (access.canAccessCatalog(user, table.catalog, "read") && access.tableRights(user, table).privileges.size > 0),
    column: (table, column) => {
      const { hiddenColumns, privileges } = access.tableRights(user, table);
      const changes = [...privileges].some((privilege) => privilege !== "SELECT" && privilege !== "GRANT_SELECT");
      return isOpen(table) || (privileges.size > 0 && (changes || !hiddenColumns.has(column)));
    },
    routine: (routine) =>
      access.isSchemaOwner(user, routine) ||
      (access.canAccessCatalog(user, routine.catalog, "read") && access.routinePrivileges(user, routine).size > 0),
    ...ofQueries,
  };
}
