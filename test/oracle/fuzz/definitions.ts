/**
 * DDL on a table that is changed: a copy of another table, and later changes of its columns.
 */
import { join, type Kind, type Text, text, type, typeText } from "./dialects.ts";
import type { Random } from "./random.ts";
import type { Column, Table } from "./tables.ts";

export const changedTable = "d0";

export interface Creation {
  readonly changes: readonly Text[];
  readonly columns: readonly Column[];
}

/** A copy of the source, in one or two statements; sometimes repeated with IF NOT EXISTS, which has no effect. */
export function drawCreation(random: Random, { name, columns }: Table): Creation {
  const all = columns.map((column) => column.name).join(", ");
  const again = random.chance(10) ? [text`CREATE TABLE IF NOT EXISTS ${changedTable} AS SELECT 1 AS other`] : [];
  switch (random.chance(60) ? 0 : 1 + random.below(4)) {
    case 1: {
      const empty = { engine: `(SELECT * FROM ${name}) WITH NO DATA`, duckdb: `SELECT * FROM ${name} WITH NO DATA` };
      return {
        changes: [text`CREATE TABLE ${changedTable} AS ${empty}`, ...again, text`INSERT INTO ${changedTable} SELECT * FROM ${name}`],
        columns,
      };
    }
    case 2: {
      const renamed = columns.map((column, index) => ({ ...column, name: `r${index}` }));
      const given = renamed.map((column) => column.name).join(", ");
      const sql = {
        engine: `CREATE TABLE ${changedTable} (${given}) COMMENT 'a copy' AS SELECT ${all} FROM ${name}`,
        duckdb: `CREATE TABLE ${changedTable} AS SELECT ${columns.map((column, index) => `${column.name} AS r${index}`).join(", ")} FROM ${name}`,
      };
      return { changes: [sql, ...again], columns: renamed };
    }
    case 3: {
      const definitions = join(
        columns.map((column) => {
          const value = defaults[column.type.kind];
          const given = value !== undefined && random.chance(30) ? ` DEFAULT ${value}` : "";
          return text`${column.name} ${typeText(column.type)}${given}`;
        }),
        ", ",
      );
      const comment = { engine: random.pick(["", " COMMENT 'a copy'"]), duckdb: "" };
      const create = random.pick(["CREATE TABLE", "CREATE TABLE IF NOT EXISTS", "CREATE OR REPLACE TABLE"]);
      return {
        changes: [
          text`${create} ${changedTable} (${definitions})${comment}`,
          ...again,
          text`INSERT INTO ${changedTable} (${all}) SELECT ${all} FROM ${name}`,
        ],
        columns,
      };
    }
    case 4: {
      const other = text`CREATE TABLE ${changedTable} AS SELECT 1 AS other`;
      return { changes: [other, text`CREATE OR REPLACE TABLE ${changedTable} AS SELECT * FROM ${name}`], columns };
    }
    default:
      return { changes: [text`CREATE TABLE ${changedTable} AS SELECT * FROM ${name}`, ...again], columns };
  }
}

/** A literal for a column's default. */
const defaults: Readonly<Partial<Record<Kind, string>>> = {
  varchar: "'ab'",
  date: "DATE '2000-02-29'",
  boolean: "true",
  integer: "7",
  bigint: "7",
};

/** Changes the list of columns, and deletes all rows or none. */
export function drawAlteration(
  random: Random,
  columns: readonly Column[],
  fresh: string,
): { readonly change: Text; readonly columns: readonly Column[] } | undefined {
  const altered = text`ALTER TABLE ${{ engine: random.pick(["", "IF EXISTS "]), duckdb: "" }}${changedTable}`;
  const place = random.below(columns.length);
  const column = columns[place] as Column;
  const value = defaults[column.type.kind];
  const maybe = { engine: random.pick(["", "IF EXISTS "]), duckdb: "" };
  switch (random.below(5)) {
    case 4:
      return value !== undefined && random.chance(60)
        ? { change: text`${altered} ALTER COLUMN ${column.name} SET DEFAULT ${value}`, columns }
        : { change: text`${altered} ALTER COLUMN ${column.name} DROP DEFAULT`, columns };
    case 0: {
      const added: Column = { name: fresh, type: type(random.pick(["bigint", "varchar", "date"] as const)), bound: 100 };
      const absent = { engine: random.pick(["", "IF NOT EXISTS "]), duckdb: "" };
      return { change: text`${altered} ADD COLUMN ${absent}${fresh} ${typeText(added.type)}`, columns: [...columns, added] };
    }
    case 1:
      return columns.length < 2
        ? undefined
        : { change: text`${altered} DROP COLUMN ${maybe}${column.name}`, columns: columns.filter((other) => other !== column) };
    case 2:
      return {
        change: text`${altered} RENAME COLUMN ${maybe}${column.name} TO ${fresh}`,
        columns: columns.map((other) => (other === column ? { ...other, name: fresh } : other)),
      };
    default:
      return { change: text`TRUNCATE TABLE ${changedTable}`, columns };
  }
}
