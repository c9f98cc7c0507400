/**
 * Prints syntax trees as SQL text in Presto's format, for messages that quote an expression, prepared statements and SHOW CREATE. The
 * printed text parses to the same tree, except for locations.
 */
import type { Expression } from "../ast/expression-nodes.ts";
import { printIdentifier, printName, printString, printType } from "./names.ts";
import { accessPrinters, printPrincipal } from "./access.ts";
import { functionLines, printCreateFunction, printDropFunction } from "./routines.ts";
import { nodePrinter, printColumns, printExpression, printList, printQuery, printRelation } from "./queries.ts";
import type {
  ColumnDefinition,
  CreateTable,
  CreateTableAsSelect,
  CreateView,
  LikeClause,
  Property,
  SetColumnDefault,
  SetColumnNullable,
  SetColumnType,
} from "../ast/definition-statements.ts";
import type { CallArgument, Explain, MergeCase, ShowPattern, StartTransaction, Statement, UpdateAssignment } from "../ast/statements.ts";
import type { FunctionSpecification } from "../ast/routines.ts";

export { printExpression } from "./queries.ts";

type Printers = { readonly [K in Statement["kind"]]: (node: Extract<Statement, { readonly kind: K }>) => string };

const printers: Printers = {
  ...accessPrinters,
  CreateFunction: (node) => printCreateFunction(node, nodePrinter),
  DropFunction: printDropFunction,
  Query: printQuery,
  Explain: printExplain,
  ShowCatalogs: (node) => `SHOW CATALOGS${printPattern(node.pattern)}`,
  ShowSchemas: (node) =>
    `SHOW SCHEMAS${node.catalog === undefined ? "" : ` FROM ${printIdentifier(node.catalog)}`}${printPattern(node.pattern)}`,
  ShowTables: (node) => `SHOW TABLES${node.schema === undefined ? "" : ` FROM ${printName(node.schema)}`}${printPattern(node.pattern)}`,
  ShowColumns: (node) => `SHOW COLUMNS FROM ${printName(node.table)}${printPattern(node.pattern)}`,
  ShowFunctions: (node) =>
    `SHOW FUNCTIONS${node.schema === undefined ? "" : ` FROM ${printName(node.schema)}`}${printPattern(node.pattern)}`,
  ShowSession: (node) => `SHOW SESSION${printPattern(node.pattern)}`,
  ShowCreate: (node) => `SHOW CREATE ${node.object} ${printName(node.name)}`,
  ShowStats: (node) =>
    `SHOW STATS FOR ${node.query === undefined ? (node.table === undefined ? "" : printName(node.table)) : `(${printQuery(node.query)})`}`,
  DescribeInput: (node) => `DESCRIBE INPUT ${printIdentifier(node.name)}`,
  DescribeOutput: (node) => `DESCRIBE OUTPUT ${printIdentifier(node.name)}`,
  Use: (node) => `USE ${node.catalog === undefined ? "" : `${printIdentifier(node.catalog)}.`}${printIdentifier(node.schema)}`,
  SetSession: (node) => `SET SESSION ${printName(node.name)} = ${printExpression(node.value)}`,
  ResetSession: (node) => `RESET SESSION ${printName(node.name)}`,
  CreateTable: printCreateTable,
  CreateTableAsSelect: printCreateTableAsSelect,
  Insert: (node) => `INSERT INTO ${printName(node.table)}${printColumns(node.columns)}\n${printQuery(node.query)}`,
  Delete: (node) => `DELETE FROM ${printName(node.table)}${printWhere(node.where)}`,
  Update: (node) => {
    return `UPDATE ${printName(node.table)} SET ${printAssignments(node.assignments)}${printWhere(node.where)}`;
  },
  DropTable: (node) => `DROP TABLE ${ifExists(node.ifExists)}${printName(node.name)}`,
  CreateCatalog: (node) => {
    const owner = node.owner === undefined ? "" : ` AUTHORIZATION ${printPrincipal(node.owner)}`;
    const clauses = `${printComment(node.comment)}${owner}${printProperties(node.properties)}`;
    return `CREATE CATALOG ${ifNotExists(node.ifNotExists)}${printIdentifier(node.name)} USING ${printIdentifier(node.connector)}${clauses}`;
  },
  DropCatalog: (node) => `DROP CATALOG ${ifExists(node.ifExists)}${printIdentifier(node.name)}${node.cascade ? " CASCADE" : ""}`,
  CreateSchema: (node) => {
    const owner = node.owner === undefined ? "" : ` AUTHORIZATION ${printPrincipal(node.owner)}`;
    return `CREATE SCHEMA ${ifNotExists(node.ifNotExists)}${printName(node.name)}${owner}${printProperties(node.properties)}`;
  },
  DropSchema: (node) => `DROP SCHEMA ${ifExists(node.ifExists)}${printName(node.name)}${node.cascade ? " CASCADE" : ""}`,
  RenameSchema: (node) => `ALTER SCHEMA ${printName(node.name)} RENAME TO ${printIdentifier(node.target)}`,
  CreateView: printCreateView,
  DropView: (node) => `DROP VIEW ${ifExists(node.ifExists)}${printName(node.name)}`,
  RenameView: (node) => `ALTER VIEW ${printName(node.name)} RENAME TO ${printName(node.target)}`,
  RenameTable: (node) => `ALTER TABLE ${ifExists(node.ifExists)}${printName(node.name)} RENAME TO ${printName(node.target)}`,
  RenameColumn: (node) => {
    const column = `${ifExists(node.columnExists)}${printIdentifier(node.column)}`;
    return `ALTER TABLE ${ifExists(node.tableExists)}${printName(node.table)} RENAME COLUMN ${column} TO ${printIdentifier(node.target)}`;
  },
  AddColumn: (node) => {
    const column = `${ifNotExists(node.columnNotExists)}${printColumnDefinition(node.column)}`;
    return `ALTER TABLE ${ifExists(node.tableExists)}${printName(node.table)} ADD COLUMN ${column}`;
  },
  DropColumn: (node) => {
    const column = `${ifExists(node.columnExists)}${printIdentifier(node.column)}`;
    return `ALTER TABLE ${ifExists(node.tableExists)}${printName(node.table)} DROP COLUMN ${column}`;
  },
  SetColumnType: (node) => `${printAlterColumn(node)} SET DATA TYPE ${printType(node.type)}`,
  SetColumnDefault: (node) =>
    `${printAlterColumn(node)} ${node.value === undefined ? "DROP DEFAULT" : `SET DEFAULT ${printExpression(node.value)}`}`,
  SetColumnNullable: (node) => `${printAlterColumn(node)} ${node.nullable ? "DROP" : "SET"} NOT NULL`,
  SetTableProperties: (node) => {
    const properties = node.properties.map(
      ({ name, value }) => `${printIdentifier(name)} = ${value === undefined ? "DEFAULT" : printExpression(value)}`,
    );
    return `ALTER ${node.object} ${printName(node.table)} SET PROPERTIES ${properties.join(", ")}`;
  },
  TableExecute: (node) =>
    `ALTER TABLE ${printName(node.table)} EXECUTE ${printIdentifier(node.procedure)}(${printArguments(node.arguments)})${printWhere(node.where)}`,
  CreateMaterializedView: (node) => {
    const head = `CREATE ${node.replace ? "OR REPLACE " : ""}MATERIALIZED VIEW ${ifNotExists(node.ifNotExists)}${printName(node.name)}`;
    const grace = node.gracePeriod === undefined ? "" : ` GRACE PERIOD ${printExpression(node.gracePeriod)}`;
    const stale = node.whenStale === undefined ? "" : ` WHEN STALE ${node.whenStale}`;
    return `${head}${grace}${stale}${printComment(node.comment)}${printProperties(node.properties)} AS\n${printQuery(node.query)}`;
  },
  RefreshMaterializedView: (node) => `REFRESH MATERIALIZED VIEW ${printName(node.name)}`,
  DropMaterializedView: (node) => `DROP MATERIALIZED VIEW ${ifExists(node.ifExists)}${printName(node.name)}`,
  RenameMaterializedView: (node) =>
    `ALTER MATERIALIZED VIEW ${ifExists(node.ifExists)}${printName(node.name)} RENAME TO ${printName(node.target)}`,
  Merge: (node) => {
    const alias = node.alias === undefined ? "" : ` AS ${printIdentifier(node.alias)}`;
    const head = `MERGE INTO ${printName(node.table)}${alias}\nUSING ${printRelation(node.source)}\nON ${printExpression(node.condition)}`;
    return [head, ...node.cases.map(printMergeCase)].join("\n");
  },
  SetPath: (node) => `SET PATH ${node.elements.map(printName).join(", ")}`,
  Comment: (node) =>
    `COMMENT ON ${node.object} ${printName(node.name)} IS ${node.comment === undefined ? "NULL" : printString(node.comment)}`,
  TruncateTable: (node) => `TRUNCATE TABLE ${printName(node.name)}`,
  SetTimeZone: (node) => `SET TIME ZONE ${node.zone === undefined ? "LOCAL" : printExpression(node.zone)}`,
  Analyze: (node) => `ANALYZE ${printName(node.table)}${printProperties(node.properties)}`,
  Prepare: (node) => `PREPARE ${printIdentifier(node.name)} FROM\n${printStatement(node.statement)}`,
  Execute: (node) => `EXECUTE ${printIdentifier(node.name)}${printUsing(node.parameters)}`,
  ExecuteImmediate: (node) => `EXECUTE IMMEDIATE ${printString(node.sql)}${printUsing(node.parameters)}`,
  Deallocate: (node) => `DEALLOCATE PREPARE ${printIdentifier(node.name)}`,
  StartTransaction: printStartTransaction,
  Commit: () => "COMMIT",
  Rollback: () => "ROLLBACK",
  Call: (node) => `CALL ${printName(node.name)}(${printArguments(node.arguments)})`,
};

function printArguments(args: readonly CallArgument[]): string {
  return args.map(({ name, value }) => (name === undefined ? "" : `${printIdentifier(name)} => `) + printExpression(value)).join(", ");
}

function printAssignments(assignments: readonly UpdateAssignment[]): string {
  return assignments.map(({ column, value }) => `${printIdentifier(column)} = ${printExpression(value)}`).join(", ");
}

function printMergeCase(node: MergeCase): string {
  const condition = node.condition === undefined ? "" : ` AND ${printExpression(node.condition)}`;
  switch (node.kind) {
    case "MergeDelete":
      return `WHEN MATCHED${condition} THEN DELETE`;
    case "MergeUpdate":
      return `WHEN MATCHED${condition} THEN UPDATE SET ${printAssignments(node.assignments)}`;
    case "MergeInsert":
      return `WHEN NOT MATCHED${condition} THEN INSERT${printColumns(node.columns)} VALUES (${printList(node.values)})`;
  }
}

/** Prints a function as catalogs store it. */
export function printFunction(node: FunctionSpecification): string {
  return functionLines(node, nodePrinter).join("\n");
}

export function printStatement(node: Statement): string {
  // The table has the printer for exactly this kind; the compiler cannot infer that.
  const print = printers[node.kind] as (node: Statement) => string;
  return print(node);
}

function ifExists(present: boolean): string {
  return present ? "IF EXISTS " : "";
}

function ifNotExists(present: boolean): string {
  return present ? "IF NOT EXISTS " : "";
}

function printWhere(where: Expression | undefined): string {
  return where === undefined ? "" : `\nWHERE ${printExpression(where)}`;
}

function printUsing(parameters: readonly Expression[]): string {
  return parameters.length === 0 ? "" : ` USING ${printList(parameters)}`;
}

function printPattern(pattern: ShowPattern | undefined): string {
  if (pattern === undefined) {
    return "";
  }
  return ` LIKE ${printString(pattern.like)}${pattern.escape === undefined ? "" : ` ESCAPE ${printString(pattern.escape)}`}`;
}

function printExplain(node: Explain): string {
  const options = [
    ...(node.type === undefined ? [] : [`TYPE ${node.type}`]),
    ...(node.format === undefined ? [] : [`FORMAT ${node.format}`]),
  ];
  const mode = `${node.analyze ? " ANALYZE" : ""}${node.verbose ? " VERBOSE" : ""}`;
  return `EXPLAIN${mode}${options.length === 0 ? "" : ` (${options.join(", ")})`}\n${printStatement(node.statement)}`;
}

function printStartTransaction(node: StartTransaction): string {
  const modes = [
    ...(node.isolation === undefined ? [] : [`ISOLATION LEVEL ${node.isolation}`]),
    ...(node.accessMode === undefined ? [] : [node.accessMode]),
  ];
  return `START TRANSACTION${modes.length === 0 ? "" : ` ${modes.join(", ")}`}`;
}

function printComment(comment: string | undefined): string {
  return comment === undefined ? "" : ` COMMENT ${printString(comment)}`;
}

function printProperties(properties: readonly Property[]): string {
  if (properties.length === 0) {
    return "";
  }
  return ` WITH (${properties.map(({ name, value }) => `${printIdentifier(name)} = ${printExpression(value)}`).join(", ")})`;
}

function printTableElement(node: ColumnDefinition | LikeClause): string {
  if (node.kind === "LikeClause") {
    return `LIKE ${printName(node.table)}${node.properties === undefined ? "" : ` ${node.properties} PROPERTIES`}`;
  }
  return printColumnDefinition(node);
}

function printColumnDefinition(node: ColumnDefinition): string {
  const defaultValue = node.defaultValue === undefined ? "" : ` DEFAULT ${printExpression(node.defaultValue)}`;
  const constraints = `${defaultValue}${node.nullable ? "" : " NOT NULL"}`;
  return `${printIdentifier(node.name)} ${printType(node.type)}${constraints}${printComment(node.comment)}${printProperties(node.properties)}`;
}

function printAlterColumn({ column, table, tableExists }: SetColumnType | SetColumnDefault | SetColumnNullable): string {
  return `ALTER TABLE ${ifExists(tableExists)}${printName(table)} ALTER COLUMN ${printIdentifier(column)}`;
}

function createTable(node: CreateTable | CreateTableAsSelect): string {
  return `CREATE ${node.replace ? "OR REPLACE " : ""}TABLE ${ifNotExists(node.ifNotExists)}`;
}

function printCreateTable(node: CreateTable): string {
  const elements = node.elements.map((element) => `   ${printTableElement(element)}`).join(",\n");
  const tail = `${printComment(node.comment)}${printProperties(node.properties)}`;
  return `${createTable(node)}${printName(node.name)} (\n${elements}\n)${tail}`;
}

function printCreateTableAsSelect(node: CreateTableAsSelect): string {
  const head = `${createTable(node)}${printName(node.name)}${printColumns(node.columnNames)}`;
  const tail = `${printComment(node.comment)}${printProperties(node.properties)}`;
  return `${head}${tail} AS\n${printQuery(node.query)}${node.withData ? "" : "\nWITH NO DATA"}`;
}

function printCreateView(node: CreateView): string {
  const head = `CREATE ${node.replace ? "OR REPLACE " : ""}VIEW ${printName(node.name)}${printColumns(node.columnNames)}`;
  const security = node.security === undefined ? "" : ` SECURITY ${node.security}`;
  return `${head}${printComment(node.comment)}${security} AS\n${printQuery(node.query)}`;
}
