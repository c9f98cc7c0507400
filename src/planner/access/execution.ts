/**
 * The right to call functions of catalogs: those written in SQL, and table functions.
 */
import type { QualifiedRoutine } from "../../security/access-control.ts";
import { accessDenied } from "../../security/privileges.ts";
import type { PlanContext } from "../context.ts";
import { isPassedOn, readerOf } from "./reader.ts";

/** Throws PERMISSION_DENIED. */
export function requireExecution(routine: QualifiedRoutine, { access, session }: PlanContext): void {
  if (access === undefined) {
    return;
  }
  const reader = readerOf(session);
  const needed = isPassedOn(session) ? "GRANT_EXECUTE" : "EXECUTE";
  const holds = access.canAccessCatalog(reader, routine.catalog, "read") && access.routinePrivileges(reader, routine).has(needed);
  if (!holds) {
    throw accessDenied(`Cannot execute function ${routine.catalog}.${routine.schema}.${routine.name}`);
  }
}
