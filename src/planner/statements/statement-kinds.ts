/** What kind of statement it is, told from its text alone. Asked by EXPLAIN and DESCRIBE OUTPUT. */
import type { Statement } from "../../sql/ast/ast.ts";

type Kind = Statement["kind"];

/** Rows of tables are read or written. */
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

/** Answered with rows of their own. */
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

/** All others define or change something: EXPLAIN repeats them as they are written, whatever the catalogs hold. */
export function hasPlan({ kind }: Statement): boolean {
  return planned.has(kind);
}

export function showsRows({ kind }: Statement): boolean {
  return shown.has(kind);
}
