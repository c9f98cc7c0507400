/**
 * Statements of a tape whose rows the simulator can compare with those of another run. Rows of system tables name nodes, queries and
 * times, so they legitimately differ, as do statements that read a clock or draw random numbers.
 */
import { parseStatement } from "../../src/sql/parser/parser.ts";
import { visitSyntax } from "../../src/sql/ast/walk.ts";

/** Catalogs whose tables are the same in every cluster. */
const repeatableCatalogs: ReadonlySet<string> = new Set(["tpch", "memory"]);
/** Functions whose result depends on the run. */
const runFunctions: ReadonlySet<string> = new Set(["random", "rand", "uuid", "now", "shuffle"]);

interface SessionNames {
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
}

/** Says what of a statement differs between two runs; undefined if its rows can be compared. `catalog` and `schema` are the session's. */
export function whatDiffers(sql: string, { catalog = "tpch", schema = "" }: SessionNames): string | undefined {
  let statement: unknown;
  try {
    statement = parseStatement(sql);
  } catch {
    // The same error in every run.
    return undefined;
  }
  let reason: string | undefined;
  visitSyntax(statement, (node) => {
    reason ??= reasonOf(node, { catalog, schema });
    return reason === undefined;
  });
  return reason;
}

function reasonOf(
  node: Readonly<Record<string, unknown>>,
  session: { readonly catalog: string; readonly schema: string },
): string | undefined {
  const { kind, name } = node;
  if (kind === "CurrentTime") {
    return "it reads the clock";
  }
  const parts = partsOf(name);
  if (kind === "FunctionCall" && runFunctions.has(parts.at(-1) ?? "")) {
    return `it calls ${parts.at(-1) ?? ""}`;
  }
  if (kind !== "Table" || parts.length === 0) {
    return undefined;
  }
  const [table = "", schema = session.schema.toLowerCase(), catalog = session.catalog.toLowerCase()] = parts.toReversed();
  if (schema === "information_schema" || !repeatableCatalogs.has(catalog)) {
    return `rows of ${catalog}.${schema}.${table} differ between clusters`;
  }
  return undefined;
}

function partsOf(name: unknown): readonly string[] {
  const parts = (name as { readonly parts?: readonly { readonly value?: string }[] } | undefined)?.parts;
  return Array.isArray(parts) ? parts.map(({ value = "" }: { readonly value?: string }) => value.toLowerCase()) : [];
}
