/**
 * Rights of authenticated users without rules: everybody may read and change all data, nobody may be another user, and a query belongs to
 * its user.
 */
import { type AccessControl, allRoutinePrivileges, type TableRights } from "./access-control.ts";
import { allTablePrivileges } from "./privileges.ts";

const allRights: TableRights = Object.freeze({ privileges: allTablePrivileges, hiddenColumns: new Set<string>(), masks: new Map() });

export const defaultAccessControl: AccessControl = Object.freeze({
  version: 0,
  restrictsData: false,
  canSetUser: () => true,
  canImpersonate: () => false,
  canExecuteQuery: () => true,
  canViewQueryOf: (user: string, owner: string) => user === owner,
  canKillQueryOf: (user: string, owner: string) => user === owner,
  canReadSystemInformation: () => true,
  canWriteSystemInformation: () => false,
  canSetSystemSessionProperty: () => true,
  canSetCatalogSessionProperty: () => true,
  canAccessCatalog: () => true,
  canSeeCatalog: () => true,
  canSeeSchema: () => true,
  isSchemaOwner: () => true,
  canSetOwner: () => true,
  tableRights: () => allRights,
  routinePrivileges: () => allRoutinePrivileges,
  procedurePrivileges: () => allRoutinePrivileges,
});
