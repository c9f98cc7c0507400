/** Types of statements, as the selectors of resource groups and the rules of query routing name them. */
import type { QueryType } from "../../protocol/documents/resource-groups.ts";
import type { Statement } from "../../sql/ast/ast.ts";

const queryTypes: Readonly<Partial<Record<Statement["kind"], QueryType>>> = {
  Query: "SELECT",
  Explain: "EXPLAIN",
  Insert: "INSERT",
  CreateTableAsSelect: "INSERT",
  RefreshMaterializedView: "INSERT",
  Delete: "DELETE",
  Update: "UPDATE",
  Merge: "MERGE",
  Analyze: "ANALYZE",
  TableExecute: "ALTER_TABLE_EXECUTE",
};
/** What they run is known when they are planned. */
const untyped: ReadonlySet<Statement["kind"]> = new Set(["Execute", "ExecuteImmediate"]);

/** Trino's types of statements: whatever is neither data nor a description is DATA_DEFINITION. */
export function queryTypeOf(kind: Statement["kind"]): QueryType | undefined {
  const known = queryTypes[kind];
  if (known !== undefined || untyped.has(kind)) {
    return known;
  }
  return kind.startsWith("Show") || kind.startsWith("Describe") ? "DESCRIBE" : "DATA_DEFINITION";
}
