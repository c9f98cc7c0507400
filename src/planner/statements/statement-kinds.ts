/**
 * Classifies statements by their syntax alone.
 */
import type { Statement } from "../../sql/ast/ast.ts";

type Kind = Statement["kind"];

/** Statements that read or write rows of tables. */
const rowStatements = [
  "Analyze",
  "CreateTableAsSelect",
  "Delete",
  "Insert",
  "Merge",
  "Query",
  "RefreshMaterializedView",
  "Update",
] as const;

/** Statements whose result rows the planner computes. */
const shownStatements = [
  "DescribeInput",
  "DescribeOutput",
  "Explain",
  "ShowCatalogs",
  "ShowColumns",
  "ShowCreate",
  "ShowFunctions",
  "ShowGrants",
  "ShowRoleGrants",
  "ShowRoles",
  "ShowSchemas",
  "ShowSession",
  "ShowStats",
  "ShowTables",
] as const;

const planned: ReadonlySet<Kind> = new Set<Kind>([...rowStatements, ...shownStatements, "TableExecute"]);
const shown: ReadonlySet<Kind> = new Set<Kind>(shownStatements);

/** All other statements are definitions or session changes. EXPLAIN prints them as text, without access to the catalogs. */
export function hasPlan({ kind }: Statement): boolean {
  return planned.has(kind);
}

export function showsRows({ kind }: Statement): boolean {
  return shown.has(kind);
}
