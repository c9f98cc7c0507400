/** What routing rules look at in a statement: the catalogs that it names, before anything is looked up in them. */
import type { Execute, ExecuteImmediate, QualifiedName, Statement } from "../../sql/ast/ast.ts";
import { lowerName } from "../../sql/ast/ast.ts";
import { visitSyntax } from "../../sql/ast/walk.ts";
import { parseStatement } from "../../sql/parser/parser.ts";
import { ownMember } from "../../types/own.ts";
import type { QueryType } from "../../protocol/documents/resource-groups.ts";
import { queryTypeOf } from "../query/statement-type.ts";
import type { QuerySession } from "../query/session.ts";

/**
 * Statements that are never sent to another cluster: what they change is kept by the client or by this coordinator, and its next statement
 * may run here.
 */
const kept: ReadonlySet<Statement["kind"]> = new Set<Statement["kind"]>([
  "Commit",
  "CreateCatalog",
  "Deallocate",
  "DropCatalog",
  "Prepare",
  "ResetSession",
  "ResetSessionAuthorization",
  "Rollback",
  "SetPath",
  "SetRole",
  "SetSession",
  "SetSessionAuthorization",
  "SetTimeZone",
  "StartTransaction",
]);

export interface StatementFacts {
  readonly staysHere: boolean;
  /** Undefined for a statement that has no type of Trino's. EXECUTE has that of what it executes. */
  readonly queryType: QueryType | undefined;
  readonly catalogs: () => ReadonlySet<string>;
}

/** Throws QueryError for a prepared statement that is not valid. */
export function statementFacts(statement: Statement, { catalog, preparedStatements, transactionId }: QuerySession): StatementFacts {
  const inner = executed(statement, preparedStatements);
  let catalogs: ReadonlySet<string> | undefined;
  return {
    staysHere: transactionId !== undefined || kept.has(inner.kind),
    queryType: queryTypeOf(inner.kind),
    catalogs: () => (catalogs ??= namedCatalogs(inner, catalog)),
  };
}

/** The statement that EXECUTE runs; other statements, and those of an unknown name, as they are. */
function executed(statement: Statement, prepared: Readonly<Record<string, string>>): Statement {
  if (!isExecute(statement)) {
    return statement;
  }
  const sql = statement.kind === "Execute" ? ownMember(prepared, statement.name.value) : undefined;
  return statement.kind === "ExecuteImmediate" ? statement.statement : sql === undefined ? statement : parseStatement(sql);
}

function isExecute(statement: Statement): statement is Execute | ExecuteImmediate {
  return statement.kind === "Execute" || statement.kind === "ExecuteImmediate";
}

/** By kind of node: the member with a name, and the number of parts that it has with a catalog. Members `table` always name a table. */
const named: Readonly<Record<string, readonly [member: string, parts: number]>> = {
  Call: ["name", 3],
  Comment: ["name", 3],
  CreateMaterializedView: ["name", 3],
  CreateSchema: ["name", 2],
  CreateTable: ["name", 3],
  CreateTableAsSelect: ["name", 3],
  CreateView: ["name", 3],
  DropMaterializedView: ["name", 3],
  DropSchema: ["name", 2],
  DropTable: ["name", 3],
  DropView: ["name", 3],
  Grant: ["name", 3],
  RefreshMaterializedView: ["name", 3],
  RenameMaterializedView: ["name", 3],
  RenameSchema: ["name", 2],
  RenameTable: ["name", 3],
  RenameView: ["name", 3],
  SetAuthorization: ["name", 3],
  ShowCreate: ["name", 3],
  ShowFunctions: ["schema", 2],
  ShowTables: ["schema", 2],
  TruncateTable: ["name", 3],
};
/** Without a name they are about the catalog of the session. */
const ofSession: ReadonlySet<unknown> = new Set(["ShowSchemas", "ShowTables", "Use"]);

type Node = Readonly<Record<string, unknown>>;

/** In lower case. Views are not opened. `current`: the catalog of the session. */
function namedCatalogs(statement: Statement, current: string | undefined): ReadonlySet<string> {
  const catalogs = new Set<string>();
  const tables: QualifiedName[] = [];
  const local = new Set<string>();
  const add = (name: QualifiedName, parts: number): void => {
    const [first] = name.parts;
    const catalog = name.parts.length >= parts && first !== undefined ? lowerName(first) : current?.toLowerCase();
    if (catalog !== undefined) {
      catalogs.add(catalog);
    }
  };
  visitSyntax(statement, (node) => {
    const { catalog, kind, name, table } = node;
    if (kind === "WithQuery" && isNode(name)) {
      local.add(String(name["value"]).toLowerCase());
    } else if (kind === "Table") {
      tables.push(name as QualifiedName);
    } else if (kind === "TableFunctionCall" && (name as QualifiedName).parts.length >= 3) {
      add(name as QualifiedName, 3);
    }
    const [member, parts] = named[String(kind)] ?? [];
    const own = member === undefined ? undefined : node[member];
    if (isName(own)) {
      add(own, isSchema(node) ? 2 : (parts ?? 3));
    } else if (isName(table)) {
      add(table, 3);
    } else if (isNode(catalog) && catalog["kind"] === "Identifier") {
      catalogs.add(String(catalog["value"]).toLowerCase());
    } else if (ofSession.has(kind) && current !== undefined) {
      catalogs.add(current.toLowerCase());
    }
  });
  for (const name of tables) {
    const [first] = name.parts;
    if (name.parts.length > 1 || first === undefined || !local.has(lowerName(first))) {
      add(name, 3);
    }
  }
  return catalogs;
}

/** GRANT, SHOW CREATE and the like on a schema. */
function isSchema({ object }: Node): boolean {
  return object === "SCHEMA";
}

function isName(value: unknown): value is QualifiedName {
  return isNode(value) && value["kind"] === "QualifiedName";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}
