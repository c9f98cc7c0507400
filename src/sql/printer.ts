/**
 * Syntax tree -> SQL text, in Presto's formatting. Called for messages that quote an expression, for prepared statements and for SHOW CREATE.
 * What it prints parses to the same tree, locations aside.
 */
import type { Expression, Identifier } from "./expressions.ts";
import {
  printExpression as printExpressionNode,
  printIdentifier,
  printList,
  printName,
  printString,
  printType,
} from "./printer-expressions.ts";
import { printColumns, printQuery } from "./printer-queries.ts";
import type {
  ColumnDefinition,
  CreateTable,
  CreateTableAsSelect,
  CreateView,
  Explain,
  LikeClause,
  Principal,
  Property,
  ShowPattern,
  StartTransaction,
  Statement,
} from "./statements.ts";

export function printExpression(node: Expression): string {
  return printExpressionNode(node);
}

type Printers = { readonly [K in Statement["kind"]]: (node: Extract<Statement, { readonly kind: K }>) => string };

const printers: Printers = {
  Query: printQuery,
  Explain: printExplain,
  ShowCatalogs: (node) => `SHOW CATALOGS${printPattern(node.pattern)}`,
  ShowSchemas: (node) =>
    `SHOW SCHEMAS${node.catalog === undefined ? "" : ` FROM ${printIdentifier(node.catalog)}`}${printPattern(node.pattern)}`,
  ShowTables: (node) => `SHOW TABLES${node.schema === undefined ? "" : ` FROM ${printName(node.schema)}`}${printPattern(node.pattern)}`,
  ShowColumns: (node) => `SHOW COLUMNS FROM ${printName(node.table)}${printPattern(node.pattern)}`,
  ShowFunctions: (node) => `SHOW FUNCTIONS${printPattern(node.pattern)}`,
  ShowSession: (node) => `SHOW SESSION${printPattern(node.pattern)}`,
  ShowCreate: (node) => `SHOW CREATE ${node.object} ${printName(node.name)}`,
  ShowStats: (node) =>
    `SHOW STATS FOR ${node.query === undefined ? (node.table === undefined ? "" : printName(node.table)) : `(${printQuery(node.query)})`}`,
  ShowRoles: (node) => `SHOW ${node.current ? "CURRENT " : ""}ROLES${printCatalog(node.catalog)}`,
  ShowRoleGrants: (node) => `SHOW ROLE GRANTS${printCatalog(node.catalog)}`,
  ShowGrants: (node) => `SHOW GRANTS${node.table === undefined ? "" : ` ON TABLE ${printName(node.table)}`}`,
  DescribeInput: (node) => `DESCRIBE INPUT ${printIdentifier(node.name)}`,
  DescribeOutput: (node) => `DESCRIBE OUTPUT ${printIdentifier(node.name)}`,
  Use: (node) => `USE ${node.catalog === undefined ? "" : `${printIdentifier(node.catalog)}.`}${printIdentifier(node.schema)}`,
  SetSession: (node) => `SET SESSION ${printName(node.name)} = ${printExpression(node.value)}`,
  ResetSession: (node) => `RESET SESSION ${printName(node.name)}`,
  SetRole: (node) => `SET ROLE ${typeof node.role === "string" ? node.role : printIdentifier(node.role)}${printCatalog(node.catalog)}`,
  CreateTable: printCreateTable,
  CreateTableAsSelect: printCreateTableAsSelect,
  Insert: (node) => `INSERT INTO ${printName(node.table)}${printColumns(node.columns)}\n${printQuery(node.query)}`,
  Delete: (node) => `DELETE FROM ${printName(node.table)}${printWhere(node.where)}`,
  Update: (node) => {
    const assignments = node.assignments.map(({ column, value }) => `${printIdentifier(column)} = ${printExpression(value)}`);
    return `UPDATE ${printName(node.table)} SET ${assignments.join(", ")}${printWhere(node.where)}`;
  },
  DropTable: (node) => `DROP TABLE ${ifExists(node.ifExists)}${printName(node.name)}`,
  CreateSchema: (node) => `CREATE SCHEMA ${ifNotExists(node.ifNotExists)}${printName(node.name)}${printProperties(node.properties)}`,
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
  Comment: (node) =>
    `COMMENT ON ${node.object} ${printName(node.name)} IS ${node.comment === undefined ? "NULL" : printString(node.comment)}`,
  TruncateTable: (node) => `TRUNCATE TABLE ${printName(node.name)}`,
  SetTimeZone: (node) => `SET TIME ZONE ${node.zone === undefined ? "LOCAL" : printExpression(node.zone)}`,
  Grant: (node) => {
    const granted = node.privileges?.join(", ") ?? "ALL PRIVILEGES";
    const [option, word] = node.action === "GRANT" ? ["", "TO"] : [node.grantOption ? "GRANT OPTION FOR " : "", "FROM"];
    const withOption = node.action === "GRANT" && node.grantOption ? " WITH GRANT OPTION" : "";
    return `${node.action} ${option}${granted} ON ${node.object} ${printName(node.name)} ${word} ${printPrincipal(node.principal)}${withOption}`;
  },
  GrantRoles: (node) => {
    const [option, word] = node.action === "GRANT" ? ["", "TO"] : [node.adminOption ? "ADMIN OPTION FOR " : "", "FROM"];
    const withOption = node.action === "GRANT" && node.adminOption ? " WITH ADMIN OPTION" : "";
    const roles = node.roles.map(printIdentifier).join(", ");
    return `${node.action} ${option}${roles} ${word} ${node.principals.map(printPrincipal).join(", ")}${withOption}`;
  },
  Analyze: (node) => `ANALYZE ${printName(node.table)}${printProperties(node.properties)}`,
  Prepare: (node) => `PREPARE ${printIdentifier(node.name)} FROM\n${printStatement(node.statement)}`,
  Execute: (node) => `EXECUTE ${printIdentifier(node.name)}${printUsing(node.parameters)}`,
  ExecuteImmediate: (node) => `EXECUTE IMMEDIATE ${printString(node.sql)}${printUsing(node.parameters)}`,
  Deallocate: (node) => `DEALLOCATE PREPARE ${printIdentifier(node.name)}`,
  StartTransaction: printStartTransaction,
  Commit: () => "COMMIT",
  Rollback: () => "ROLLBACK",
  Call: (node) => {
    const args = node.arguments.map(
      ({ name, value }) => (name === undefined ? "" : `${printIdentifier(name)} => `) + printExpression(value),
    );
    return `CALL ${printName(node.name)}(${args.join(", ")})`;
  },
};

function printPrincipal({ type, name }: Principal): string {
  return `${type === undefined ? "" : `${type} `}${printIdentifier(name)}`;
}

export function printStatement(node: Statement): string {
  // The table has exactly the printer of this kind; the compiler cannot follow that.
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

function printCatalog(catalog: Identifier | undefined): string {
  return catalog === undefined ? "" : ` IN ${printIdentifier(catalog)}`;
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
  const notNull = node.nullable ? "" : " NOT NULL";
  return `${printIdentifier(node.name)} ${printType(node.type)}${notNull}${printComment(node.comment)}${printProperties(node.properties)}`;
}

function printCreateTable(node: CreateTable): string {
  const elements = node.elements.map((element) => `   ${printTableElement(element)}`).join(",\n");
  const tail = `${printComment(node.comment)}${printProperties(node.properties)}`;
  return `CREATE TABLE ${ifNotExists(node.ifNotExists)}${printName(node.name)} (\n${elements}\n)${tail}`;
}

function printCreateTableAsSelect(node: CreateTableAsSelect): string {
  const head = `CREATE TABLE ${ifNotExists(node.ifNotExists)}${printName(node.name)}${printColumns(node.columnNames)}`;
  const tail = `${printComment(node.comment)}${printProperties(node.properties)}`;
  return `${head}${tail} AS\n${printQuery(node.query)}${node.withData ? "" : "\nWITH NO DATA"}`;
}

function printCreateView(node: CreateView): string {
  const head = `CREATE ${node.replace ? "OR REPLACE " : ""}VIEW ${printName(node.name)}${printColumns(node.columnNames)}`;
  const security = node.security === undefined ? "" : ` SECURITY ${node.security}`;
  return `${head}${printComment(node.comment)}${security} AS\n${printQuery(node.query)}`;
}
