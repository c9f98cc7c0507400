/** Privileges on tables, and the error for who lacks one. */
import { QueryError } from "../protocol/errors.ts";

export type TablePrivilege = "SELECT" | "INSERT" | "DELETE" | "UPDATE" | "OWNERSHIP" | "GRANT_SELECT";

export const noPrivileges: ReadonlySet<never> = new Set();

export const allTablePrivileges: ReadonlySet<TablePrivilege> = new Set<TablePrivilege>([
  "SELECT",
  "INSERT",
  "DELETE",
  "UPDATE",
  "OWNERSHIP",
  "GRANT_SELECT",
]);

/** `text` in Trino's words, without the beginning. */
export function accessDenied(text: string): QueryError {
  return new QueryError("PERMISSION_DENIED", `Access Denied: ${text}`);
}
