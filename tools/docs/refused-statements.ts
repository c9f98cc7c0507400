/** Entries of the statements that no connector carries out, and of those that remove what the page made. */
import type { StatementEntries, StatementKind } from "./statement-entry.ts";

export const access = {
  CreateRole: {
    title: "CREATE ROLE",
    syntax: "CREATE ROLE name [WITH ADMIN principal] [IN catalog]",
    description: "Makes a role.",
    examples: ["CREATE ROLE readers"],
    fails: "NOT_SUPPORTED",
  },
  DropRole: {
    title: "DROP ROLE",
    syntax: "DROP ROLE [IF EXISTS] name [IN catalog]",
    description: "Removes a role.",
    examples: ["DROP ROLE readers"],
    fails: "NOT_SUPPORTED",
  },
  Grant: {
    title: "GRANT, DENY and REVOKE of privileges",
    syntax:
      "GRANT privilege, ... | ALL PRIVILEGES ON [TABLE | SCHEMA] name TO principal [WITH GRANT OPTION]\nDENY privilege, ... ON [TABLE | SCHEMA] name TO principal\nREVOKE [GRANT OPTION FOR] privilege, ... ON [TABLE | SCHEMA] name FROM principal",
    description: "Changes privileges on a table or schema.",
    examples: ["GRANT SELECT ON orders TO alice"],
    fails: "NOT_SUPPORTED",
  },
  GrantRoles: {
    title: "GRANT and REVOKE of roles",
    syntax:
      "GRANT role, ... TO principal, ... [WITH ADMIN OPTION] [GRANTED BY principal] [IN catalog]\nREVOKE [ADMIN OPTION FOR] role, ... FROM principal, ... [GRANTED BY principal] [IN catalog]",
    description: "Gives and takes roles.",
    examples: ["GRANT readers TO alice"],
    fails: "NOT_SUPPORTED",
  },
  SetRole: {
    title: "SET ROLE",
    syntax: "SET ROLE ALL | NONE | role [IN catalog]",
    description: "Chooses the role of the session.",
    examples: ["SET ROLE NONE"],
  },
} satisfies Partial<StatementEntries<StatementKind>>;

export const materializedViews = {
  CreateMaterializedView: {
    title: "CREATE MATERIALIZED VIEW",
    syntax:
      "CREATE [OR REPLACE] MATERIALIZED VIEW [IF NOT EXISTS] name\n  [GRACE PERIOD interval] [WHEN STALE INLINE | FAIL] [COMMENT text] [WITH (property = value, ...)] AS query",
    description: "Names a query whose rows are kept.",
    examples: ["CREATE MATERIALIZED VIEW totals AS SELECT sum(amount) AS total FROM orders"],
    fails: "NOT_SUPPORTED",
  },
  RefreshMaterializedView: {
    title: "REFRESH MATERIALIZED VIEW",
    syntax: "REFRESH MATERIALIZED VIEW name",
    description: "Computes the rows of a materialized view again.",
    examples: ["REFRESH MATERIALIZED VIEW totals"],
    fails: "TABLE_NOT_FOUND",
  },
  RenameMaterializedView: {
    title: "ALTER MATERIALIZED VIEW",
    syntax: "ALTER MATERIALIZED VIEW [IF EXISTS] name RENAME TO name",
    description: "Renames a materialized view.",
    examples: ["ALTER MATERIALIZED VIEW totals RENAME TO sums"],
    fails: "TABLE_NOT_FOUND",
  },
  DropMaterializedView: {
    title: "DROP MATERIALIZED VIEW",
    syntax: "DROP MATERIALIZED VIEW [IF EXISTS] name",
    description: "Removes a materialized view.",
    examples: ["DROP MATERIALIZED VIEW totals"],
    fails: "TABLE_NOT_FOUND",
  },
} satisfies Partial<StatementEntries<StatementKind>>;

export const removals = {
  DropView: { title: "DROP VIEW", syntax: "DROP VIEW [IF EXISTS] name", description: "Removes a view.", examples: ["DROP VIEW in_europe"] },
  DropTable: {
    title: "DROP TABLE",
    syntax: "DROP TABLE [IF EXISTS] table",
    description: "Removes a table and its rows.",
    examples: ["DROP TABLE nations"],
  },
  DropSchema: {
    title: "DROP SCHEMA",
    syntax: "DROP SCHEMA [IF EXISTS] name [CASCADE | RESTRICT]",
    description:
      "Removes a schema. One that is not empty is removed with `CASCADE` only, with all its tables, views and functions; catalogs of `memory`, `postgresql`, `duckdb` and of other clusters can do that.",
    examples: ["DROP SCHEMA memory.store"],
  },
} satisfies Partial<StatementEntries<StatementKind>>;
