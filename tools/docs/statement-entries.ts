/**
 * Syntax, description and examples of the statements, by kind, in the order of the page. A kind of statement that is missing here does not
 * compile.
 */
import { access, materializedViews, removals } from "./refused-statements.ts";
import type { StatementEntries, StatementEntry, StatementKind } from "./statement-entry.ts";

const queries = {
  Query: {
    title: "SELECT",
    syntax:
      "[WITH SESSION property = value, ...] [WITH FUNCTION ...]\n[WITH [RECURSIVE] name [(column, ...)] AS (query), ...]\nSELECT [ALL | DISTINCT] expression [[AS] alias], ...\n[FROM relation, ...] [WHERE condition]\n[GROUP BY [ALL | DISTINCT] element, ...] [HAVING condition] [QUALIFY condition] [WINDOW name AS (...), ...]\n[UNION | INTERSECT | EXCEPT [ALL | DISTINCT] [CORRESPONDING] query]\n[ORDER BY expression [ASC | DESC] [NULLS FIRST | LAST], ...]\n[OFFSET n [ROWS]] [LIMIT n | ALL | FETCH FIRST [n [PERCENT]] ROWS ONLY | WITH TIES]",
    description: "Reads rows. [SELECT](select.md) describes the clauses.",
    examples: ["SELECT regionkey, count(*) AS nations FROM tpch.tiny.nation GROUP BY regionkey ORDER BY regionkey"],
  },
} satisfies Partial<StatementEntries<StatementKind>>;

const session = {
  Use: {
    title: "USE",
    syntax: "USE [catalog.]schema",
    description: "Sets the catalog and schema of names that have none.",
    examples: ["USE tpcds.tiny", "USE memory.default"],
  },
  SetSession: {
    title: "SET SESSION",
    syntax: "SET SESSION property = constant",
    description: "Sets a [session property](../configuration.md#session) for the following statements.",
    examples: ["SET SESSION join_distribution_type = 'PARTITIONED'"],
  },
  ResetSession: {
    title: "RESET SESSION",
    syntax: "RESET SESSION property",
    description: "Gives a session property its default again.",
    examples: ["RESET SESSION join_distribution_type"],
  },
  ShowSession: {
    title: "SHOW SESSION",
    syntax: "SHOW SESSION [LIKE pattern [ESCAPE character]]",
    description: "Lists the session properties with value, default, type and description.",
    examples: ["SHOW SESSION LIKE 'join%'"],
  },
  SetTimeZone: {
    title: "SET TIME ZONE",
    syntax: "SET TIME ZONE LOCAL | text | interval",
    description: "Sets the time zone of the session. LOCAL is the zone of the client.",
    examples: ["SET TIME ZONE 'Europe/Paris'", "SET TIME ZONE LOCAL"],
  },
  SetPath: {
    title: "SET PATH",
    syntax: "SET PATH [catalog.]schema, ...",
    description:
      "Sets the schemas in which functions written in SQL are found by their name alone. Needs a client with the capability PATH, such as Trino's.",
    examples: ["SET PATH memory.default"],
    fails: "NOT_SUPPORTED",
  },
  SetSessionAuthorization: {
    title: "SET SESSION AUTHORIZATION",
    syntax: "SET SESSION AUTHORIZATION user",
    description:
      "Makes the client run the following statements as another user. Needs a client with the capability SESSION_AUTHORIZATION, such as Trino's.",
    examples: ["SET SESSION AUTHORIZATION alice"],
    fails: "NOT_SUPPORTED",
  },
  ResetSessionAuthorization: {
    title: "RESET SESSION AUTHORIZATION",
    syntax: "RESET SESSION AUTHORIZATION",
    description: "Makes the client its own user again.",
    examples: ["RESET SESSION AUTHORIZATION"],
    fails: "NOT_SUPPORTED",
  },
  Prepare: {
    title: "PREPARE",
    syntax: "PREPARE name FROM statement",
    description: "Names a statement. A `?` stands for a parameter.",
    examples: ["PREPARE nations_of FROM SELECT name FROM tpch.tiny.nation WHERE regionkey = ?"],
  },
  Execute: {
    title: "EXECUTE",
    syntax: "EXECUTE name [USING constant, ...]",
    description: "Runs a prepared statement with values for its parameters.",
    examples: ["EXECUTE nations_of USING 3"],
  },
  ExecuteImmediate: {
    title: "EXECUTE IMMEDIATE",
    syntax: "EXECUTE IMMEDIATE 'statement' [USING constant, ...]",
    description: "Runs the statement that a text holds.",
    examples: ["EXECUTE IMMEDIATE 'SELECT name FROM tpch.tiny.region WHERE regionkey = ?' USING 1"],
  },
  DescribeInput: {
    title: "DESCRIBE INPUT",
    syntax: "DESCRIBE INPUT name",
    description: "Lists the parameters of a prepared statement with their types.",
    examples: ["DESCRIBE INPUT nations_of"],
  },
  DescribeOutput: {
    title: "DESCRIBE OUTPUT",
    syntax: "DESCRIBE OUTPUT name",
    description: "Lists the columns of a prepared statement with their types.",
    examples: ["DESCRIBE OUTPUT nations_of"],
  },
  Deallocate: {
    title: "DEALLOCATE PREPARE",
    syntax: "DEALLOCATE PREPARE name",
    description: "Forgets a prepared statement.",
    examples: ["DEALLOCATE PREPARE nations_of"],
  },
} satisfies Partial<StatementEntries<StatementKind>>;

const definitions = {
  CreateSchema: {
    title: "CREATE SCHEMA",
    syntax: "CREATE SCHEMA [IF NOT EXISTS] name [AUTHORIZATION principal] [WITH (property = value, ...)]",
    description: "Makes an empty schema.",
    examples: ["CREATE SCHEMA IF NOT EXISTS memory.shop"],
  },
  RenameSchema: {
    title: "ALTER SCHEMA",
    syntax: "ALTER SCHEMA name RENAME TO new_name",
    description: "Renames a schema.",
    examples: ["ALTER SCHEMA memory.shop RENAME TO store"],
  },
  CreateTable: {
    title: "CREATE TABLE",
    syntax:
      "CREATE [OR REPLACE] TABLE [IF NOT EXISTS] table\n  (column type [NOT NULL] [DEFAULT literal] [COMMENT text] | LIKE table [INCLUDING | EXCLUDING PROPERTIES], ...)\n  [COMMENT text] [WITH (property = value, ...)]",
    description: "Makes an empty table. Tables of [files](../connectors.md#writing) have properties.",
    examples: ["CREATE TABLE orders (id bigint NOT NULL, note varchar DEFAULT 'none')", "CREATE TABLE orders_to_come (LIKE orders)"],
  },
  CreateTableAsSelect: {
    title: "CREATE TABLE AS",
    syntax:
      "CREATE [OR REPLACE] TABLE [IF NOT EXISTS] table [(column, ...)] [COMMENT text] [WITH (property = value, ...)]\n  AS query [WITH [NO] DATA]",
    description: "Makes a table of the rows of a query.",
    examples: ["CREATE TABLE nations AS SELECT nationkey, name, regionkey FROM tpch.tiny.nation"],
  },
  RenameTable: {
    title: "ALTER TABLE RENAME TO",
    syntax: "ALTER TABLE [IF EXISTS] table RENAME TO table",
    description: "Renames a table.",
    examples: ["ALTER TABLE orders_to_come RENAME TO orders_planned"],
  },
  AddColumn: {
    title: "ALTER TABLE ADD COLUMN",
    syntax: "ALTER TABLE [IF EXISTS] table ADD COLUMN [IF NOT EXISTS] column type [NOT NULL] [DEFAULT literal] [COMMENT text]",
    description: "Adds a column. Rows that are there have its default, else NULL.",
    examples: ["ALTER TABLE orders ADD COLUMN amount integer DEFAULT 1"],
  },
  RenameColumn: {
    title: "ALTER TABLE RENAME COLUMN",
    syntax: "ALTER TABLE [IF EXISTS] table RENAME COLUMN [IF EXISTS] column TO column",
    description: "Renames a column.",
    examples: ["ALTER TABLE orders RENAME COLUMN note TO remark"],
  },
  SetColumnType: {
    title: "ALTER TABLE SET DATA TYPE",
    syntax: "ALTER TABLE [IF EXISTS] table ALTER COLUMN column SET DATA TYPE type",
    description: "Changes the type of a column. No connector does.",
    examples: ["ALTER TABLE orders ALTER COLUMN amount SET DATA TYPE bigint"],
    fails: "NOT_SUPPORTED",
  },
  SetColumnDefault: {
    title: "ALTER TABLE SET DEFAULT",
    syntax: "ALTER TABLE [IF EXISTS] table ALTER COLUMN column SET DEFAULT literal | DROP DEFAULT",
    description: "Changes what a column has where an INSERT leaves it out.",
    examples: ["ALTER TABLE orders ALTER COLUMN remark SET DEFAULT 'new'"],
  },
  SetColumnNullable: {
    title: "ALTER TABLE DROP NOT NULL",
    syntax: "ALTER TABLE [IF EXISTS] table ALTER COLUMN column DROP NOT NULL",
    description: "Lets a column hold NULL.",
    examples: ["ALTER TABLE orders ALTER COLUMN id DROP NOT NULL"],
  },
  DropColumn: {
    title: "ALTER TABLE DROP COLUMN",
    syntax: "ALTER TABLE [IF EXISTS] table DROP COLUMN [IF EXISTS] column",
    description: "Removes a column.",
    examples: ["ALTER TABLE orders_planned DROP COLUMN note"],
  },
  CreateCatalog: {
    title: "CREATE CATALOG",
    syntax: "CREATE CATALOG [IF NOT EXISTS] name USING connector [WITH (property = value, ...)]",
    description:
      "Creates a catalog at run time, on all nodes. It needs catalog.management=dynamic, and lasts until DROP CATALOG or the coordinator's end.",
    examples: ["CREATE CATALOG scratch USING memory"],
    fails: "NOT_SUPPORTED",
  },
  DropCatalog: {
    title: "DROP CATALOG",
    syntax: "DROP CATALOG [IF EXISTS] name",
    description: "Removes a catalog that was created at run time.",
    examples: ["DROP CATALOG scratch"],
    fails: "NOT_SUPPORTED",
  },
  SetTableProperties: {
    title: "ALTER TABLE SET PROPERTIES",
    syntax: "ALTER TABLE | MATERIALIZED VIEW name SET PROPERTIES property = value | DEFAULT, ...",
    description: "Changes properties of a table. No connector can change them after CREATE TABLE.",
    examples: ["ALTER TABLE orders SET PROPERTIES layout = 'rows'"],
    fails: "INVALID_TABLE_PROPERTY",
  },
  SetAuthorization: {
    title: "ALTER ... SET AUTHORIZATION",
    syntax: "ALTER SCHEMA | TABLE | VIEW name SET AUTHORIZATION principal",
    description: "Changes the owner. No connector keeps owners.",
    examples: ["ALTER TABLE orders SET AUTHORIZATION alice"],
    fails: "NOT_SUPPORTED",
  },
  TableExecute: {
    title: "ALTER TABLE EXECUTE",
    syntax: "ALTER TABLE table EXECUTE procedure [(argument => value, ...)] [WHERE condition]",
    description: "Runs a procedure of the table's connector. No connector has one.",
    examples: ["ALTER TABLE orders EXECUTE optimize"],
    fails: "PROCEDURE_NOT_FOUND",
  },
  Comment: {
    title: "COMMENT ON",
    syntax: "COMMENT ON TABLE | VIEW | COLUMN name IS text | NULL",
    description: "Sets or removes a comment.",
    examples: ["COMMENT ON COLUMN orders.id IS 'Number of the order'"],
  },
  CreateView: {
    title: "CREATE VIEW",
    syntax: "CREATE [OR REPLACE] VIEW name [(column, ...)] [COMMENT text] [SECURITY DEFINER | INVOKER] AS query",
    description: "Names a query. It runs each time the view is read.",
    examples: ["CREATE VIEW european AS SELECT name FROM nations WHERE regionkey = 3"],
  },
  RenameView: {
    title: "ALTER VIEW",
    syntax: "ALTER VIEW name RENAME TO name",
    description: "Renames a view.",
    examples: ["ALTER VIEW european RENAME TO in_europe"],
  },
  CreateFunction: {
    title: "CREATE FUNCTION",
    syntax:
      "CREATE [OR REPLACE] FUNCTION name ([parameter] type, ...) RETURNS type\n  [LANGUAGE SQL] [[NOT] DETERMINISTIC] [RETURNS NULL | CALLED ON NULL INPUT] [SECURITY DEFINER | INVOKER] [COMMENT text]\n  RETURN expression | BEGIN ... END",
    description:
      "Stores a function written in SQL. Its body may have DECLARE, SET, IF, CASE, LOOP, WHILE, REPEAT, FOR, ITERATE, LEAVE and RETURN.",
    examples: ["CREATE FUNCTION memory.default.twice(x bigint) RETURNS bigint RETURN x * 2"],
  },
  DropFunction: {
    title: "DROP FUNCTION",
    syntax: "DROP FUNCTION [IF EXISTS] name (type, ...)",
    description: "Removes a function written in SQL.",
    examples: ["DROP FUNCTION memory.default.twice(bigint)"],
  },
} satisfies Partial<StatementEntries<StatementKind>>;

const data = {
  Insert: {
    title: "INSERT",
    syntax: "INSERT INTO table [(column, ...)] query",
    description: "Adds the rows of a query. VALUES is a query.",
    examples: ["INSERT INTO orders (id, amount) VALUES (1, 10), (2, 20), (3, 30)"],
  },
  Update: {
    title: "UPDATE",
    syntax: "UPDATE table SET column = expression, ... [WHERE condition]",
    description: "Changes rows.",
    examples: ["UPDATE orders SET amount = amount + 1 WHERE id < 3"],
  },
  Delete: {
    title: "DELETE",
    syntax: "DELETE FROM table [WHERE condition]",
    description: "Removes rows.",
    examples: ["DELETE FROM orders WHERE id = 3"],
  },
  Merge: {
    title: "MERGE",
    syntax:
      "MERGE INTO table [alias] USING relation ON condition\n  WHEN MATCHED [AND condition] THEN UPDATE SET column = expression, ... | DELETE\n  WHEN NOT MATCHED [AND condition] THEN INSERT [(column, ...)] VALUES (expression, ...)",
    description:
      "Changes, removes and adds rows by a join with another relation. For each row the first WHEN counts whose condition holds.",
    examples: [
      "MERGE INTO orders o USING (VALUES (1, 5), (4, 40)) AS s (id, amount) ON o.id = s.id WHEN MATCHED THEN UPDATE SET amount = o.amount + s.amount WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (s.id, s.amount)",
    ],
  },
  TruncateTable: {
    title: "TRUNCATE TABLE",
    syntax: "TRUNCATE TABLE table",
    description: "Removes all rows.",
    examples: ["TRUNCATE TABLE orders_planned"],
  },
  Analyze: {
    title: "ANALYZE",
    syntax: "ANALYZE table [WITH (property = value, ...)]",
    description: "Computes statistics for the optimizer.",
    examples: ["ANALYZE orders"],
  },
  Call: {
    title: "CALL",
    syntax: "CALL procedure ([name =>] constant, ...)",
    description:
      "Runs a procedure. `system.runtime.kill_query(query_id, message)` ends a query. `system.execute(query)` of a catalog of a [database](../connectors.md#statements-of-the-database) runs a statement there.",
    examples: ["CALL system.runtime.kill_query('20260101_000000_00000_abcde', 'too slow')"],
    fails: "NOT_FOUND",
  },
} satisfies Partial<StatementEntries<StatementKind>>;

const shows = {
  ShowCatalogs: {
    title: "SHOW CATALOGS",
    syntax: "SHOW CATALOGS [LIKE pattern]",
    description: "Lists the catalogs.",
    examples: ["SHOW CATALOGS"],
  },
  ShowSchemas: {
    title: "SHOW SCHEMAS",
    syntax: "SHOW SCHEMAS [FROM catalog] [LIKE pattern]",
    description: "Lists the schemas of a catalog.",
    examples: ["SHOW SCHEMAS FROM tpch LIKE 'sf_'"],
  },
  ShowTables: {
    title: "SHOW TABLES",
    syntax: "SHOW TABLES [FROM schema] [LIKE pattern]",
    description: "Lists tables and views of a schema.",
    examples: ["SHOW TABLES FROM memory.default"],
  },
  ShowColumns: {
    title: "SHOW COLUMNS",
    syntax: "SHOW COLUMNS FROM table [LIKE pattern]\nDESCRIBE table",
    description: "Lists the columns of a table with their types.",
    examples: ["DESCRIBE orders"],
  },
  ShowCreate: {
    title: "SHOW CREATE",
    syntax: "SHOW CREATE TABLE | VIEW | SCHEMA | FUNCTION name",
    description: "Shows the statement that makes an object again.",
    examples: ["SHOW CREATE TABLE orders"],
  },
  ShowFunctions: {
    title: "SHOW FUNCTIONS",
    syntax: "SHOW FUNCTIONS [FROM schema] [LIKE pattern]",
    description: "Lists functions: those of the engine, or those of a schema.",
    examples: ["SHOW FUNCTIONS LIKE 'array_%'"],
  },
  ShowStats: {
    title: "SHOW STATS",
    syntax: "SHOW STATS FOR table | (query)",
    description: "Shows what the optimizer knows of a table, or of the filtered rows of one.",
    examples: ["SHOW STATS FOR tpch.tiny.nation"],
  },
  ShowRoles: {
    title: "SHOW ROLES",
    syntax: "SHOW [CURRENT] ROLES [FROM catalog]",
    description: "Lists roles. There are none.",
    examples: ["SHOW ROLES FROM system"],
  },
  ShowRoleGrants: {
    title: "SHOW ROLE GRANTS",
    syntax: "SHOW ROLE GRANTS [FROM catalog]",
    description: "Lists the roles of the user. There are none.",
    examples: ["SHOW ROLE GRANTS FROM system"],
  },
  ShowGrants: {
    title: "SHOW GRANTS",
    syntax: "SHOW GRANTS [ON [TABLE] table]",
    description: "Lists privileges. There are none.",
    examples: ["SHOW GRANTS ON TABLE orders"],
  },
  Explain: {
    title: "EXPLAIN",
    syntax:
      "EXPLAIN [(TYPE LOGICAL | DISTRIBUTED | VALIDATE | IO, FORMAT TEXT | JSON | GRAPHVIZ)] statement\nEXPLAIN ANALYZE [VERBOSE] statement",
    description: "Shows the plan with estimates. ANALYZE runs the statement and shows what its operators did.",
    examples: ["EXPLAIN SELECT count(*) FROM orders", "EXPLAIN ANALYZE SELECT count(*) FROM orders"],
  },
} satisfies Partial<StatementEntries<StatementKind>>;

const transactions = {
  StartTransaction: {
    title: "START TRANSACTION",
    syntax: "START TRANSACTION [ISOLATION LEVEL level] [READ ONLY | READ WRITE]",
    description: "Begins a transaction. Statements in it read what is committed when they begin. They cannot write.",
    examples: ["START TRANSACTION READ ONLY"],
  },
  Commit: {
    title: "COMMIT",
    syntax: "COMMIT [WORK]",
    description: "Ends the transaction.",
    examples: ["COMMIT"],
  },
  Rollback: {
    title: "ROLLBACK",
    syntax: "ROLLBACK [WORK]",
    description: "Ends the transaction, also after a failure. Without a transaction it is an error.",
    examples: ["ROLLBACK"],
    fails: "NOT_IN_TRANSACTION",
  },
} satisfies Partial<StatementEntries<StatementKind>>;

/** All entries. The type holds that every kind has one. */
export const statementEntries: StatementEntries<StatementKind> = {
  ...queries,
  ...session,
  ...definitions,
  ...data,
  ...shows,
  ...transactions,
  ...access,
  ...materializedViews,
  ...removals,
};

export const statementGroups: readonly {
  readonly title: string;
  readonly note?: string;
  readonly entries: Readonly<Partial<Record<StatementKind, StatementEntry>>>;
}[] = [
  { title: "Queries", entries: queries },
  { title: "Session", entries: session },
  {
    title: "Schemas, tables, views and functions",
    note: "Connectors differ in what they can do: [Connectors](../connectors.md). Views and functions are kept by the memory connector.",
    entries: definitions,
  },
  {
    title: "Rows",
    note: "UPDATE, DELETE and MERGE are for tables of the memory connector and tables in files; databases run some UPDATE and DELETE themselves.",
    entries: data,
  },
  { title: "Information", entries: shows },
  { title: "Transactions", entries: transactions },
  {
    title: "Roles and privileges",
    note: "There is no access control. Statements that change roles or privileges are refused.",
    entries: access,
  },
  {
    title: "Materialized views",
    note: "No connector has materialized views. The statements are parsed and refused.",
    entries: materializedViews,
  },
  { title: "Removals", entries: removals },
];
