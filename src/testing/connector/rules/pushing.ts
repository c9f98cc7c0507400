/**
 * What a connector takes over from the engine: each statement gives the same rows over the table and over a copy of it in the catalog
 * `memory`, which computes nothing itself. Names in listings are matched as LIKE matches them.
 */
import type { ColumnMetadata, TableMetadata } from "../../../connectors/spi.ts";
import type { TypeKind } from "../../../types/type.ts";
import { sqlTypeText } from "../../../types/type.ts";
import { mustHold } from "../options.ts";
import { cellText } from "../pages.ts";
import { catalogName, quoted, sqlName, type Subject, tableText } from "../subject.ts";
import { type Rule, shown } from "./rule.ts";

/** Types that are compared, copied as they are, and equal only if their texts are. */
const comparedKinds: ReadonlySet<TypeKind> = new Set<TypeKind>([
  "boolean",
  "tinyint",
  "smallint",
  "integer",
  "bigint",
  "decimal",
  "date",
  "time",
  "timestamp",
  "varchar",
]);
const summedKinds: ReadonlySet<TypeKind> = new Set<TypeKind>(["tinyint", "smallint", "integer", "bigint", "decimal"]);
/** Columns of a table on which operations are tried. */
const columnsMax = 3;
const copy = "memory.default.orrery_kit_copy";

/** Statements with the table as `$table`. Those with an order are compared in it. */
function statementsOn(columns: readonly ColumnMetadata[], values: ReadonlyMap<string, string>): readonly string[] {
  const all = columns.map(({ name }) => quoted(name));
  const list = all.join(", ");
  const statements: string[] = [];
  for (const { name, type } of columns) {
    const own = quoted(name);
    const rest = all.filter((one) => one !== own);
    const order = (direction: string): string => [`${own} ${direction}`, ...rest].join(", ");
    statements.push(
      `SELECT ${list} FROM $table ORDER BY ${order("NULLS FIRST")} LIMIT 3`,
      `SELECT ${list} FROM $table ORDER BY ${order("DESC")} LIMIT 3`,
      `SELECT ${own}, count(*), count(${all[0]}) FROM $table GROUP BY ${own}`,
      `SELECT count(*), count(${own}), count(DISTINCT ${own})${type.kind === "boolean" ? "" : `, min(${own}), max(${own})`} FROM $table`,
      `SELECT a.${own} FROM $table a JOIN $table b ON a.${own} = b.${own}`,
    );
    if (summedKinds.has(type.kind)) {
      statements.push(`SELECT ${rest[0] ?? "1"}, sum(${own}) FROM $table GROUP BY ${rest[0] ?? "1"}`);
    }
    const value = values.get(name);
    if (value !== undefined) {
      const literal = `CAST('${value.replaceAll("'", "''")}' AS ${sqlTypeText(type)})`;
      const conditions = [
        `${own} <> ${literal}`,
        `${own} <= ${literal}`,
        `${own} IS DISTINCT FROM ${literal}`,
        `NOT (${own} IN (${literal}))`,
      ];
      statements.push(
        ...conditions.map((condition) => `SELECT ${list} FROM $table WHERE ${condition}`),
        `SELECT ${list} FROM $table WHERE ${own} = ${literal} OR ${all[0]} IS NULL`,
        `SELECT ${own} FROM $table WHERE ${own} >= ${literal} ORDER BY ${own} LIMIT 2`,
      );
      if (type.kind === "varchar") {
        statements.push(...patternsOf(value).map((pattern) => `SELECT ${list} FROM $table WHERE ${own} LIKE ${pattern}`));
      }
    }
  }
  return statements;
}

/** Patterns around a value, with characters of patterns that are escaped, in other cases, and with a space at the end. */
function patternsOf(value: string): readonly string[] {
  const text = value.replaceAll("'", "''");
  const escaped = text.replaceAll(/[!%_]/g, "!$&");
  return [`'${escaped}' ESCAPE '!'`, `'_${escaped.slice(1)}' ESCAPE '!'`, `'%${text.slice(1)}'`, `'${text} '`, `'${text.toUpperCase()}%'`];
}

/** Rows as texts, sorted unless the statement has an order. */
async function answerTo(subject: Subject, statement: string, table: string): Promise<readonly string[]> {
  const { rows } = await subject.query(statement.replaceAll("$table", table));
  const texts = rows.map((row) => row.map(cellText).join(", "));
  return statement.includes("ORDER BY") ? texts : texts.toSorted();
}

function comparedColumns({ columns }: TableMetadata): readonly ColumnMetadata[] {
  return columns.filter(({ hidden, type }) => hidden !== true && comparedKinds.has(type.kind)).slice(0, columnsMax);
}

async function checkTable(subject: Subject, table: TableMetadata): Promise<void> {
  const columns = comparedColumns(table);
  if (columns.length === 0) {
    return;
  }
  const rows = await subject.rowsOf(table);
  const middle = rows[Math.floor(rows.length / 2)];
  const values = new Map(
    columns.flatMap((column) => {
      const value: unknown = JSON.parse(middle?.texts[table.columns.indexOf(column)] ?? "null");
      return value === null ? [] : [[column.name, typeof value === "string" ? value : JSON.stringify(value)] as const];
    }),
  );
  const list = columns.map(({ name }) => quoted(name)).join(", ");
  await subject.query(`DROP TABLE IF EXISTS ${copy}`);
  await subject.query(`CREATE TABLE ${copy} AS SELECT ${list} FROM ${sqlName(table)}`);
  for (const statement of statementsOn(columns, values)) {
    // A sum may have no value of its type.
    const expected = await answerTo(subject, statement, copy).catch(() => undefined);
    if (expected === undefined) {
      continue;
    }
    const found = await answerTo(subject, statement, sqlName(table));
    const at = Array.from({ length: Math.max(found.length, expected.length) }, (_, row) => row).find((row) => found[row] !== expected[row]);
    mustHold(
      at === undefined,
      () =>
        `${tableText(table)}: ${statement.replaceAll("$table", tableText(table))} gives ${found.length} rows, and over a copy of the table ` +
        `${expected.length}; row ${at} is (${shown(found[at ?? 0] ?? "none")}) and (${shown(expected[at ?? 0] ?? "none")})`,
    );
  }
  await subject.query(`DROP TABLE ${copy}`);
}

const takenOver: Rule = {
  name: "conditions, orders, aggregations and joins give the rows that they give over a copy of the table",
  async check(subject) {
    const { narrow, pushDown, pushJoin } = await subject.metadata();
    if (narrow === undefined && pushDown === undefined && pushJoin === undefined) {
      return "the connector takes no operation over";
    }
    for (const table of await subject.tables()) {
      await checkTable(subject, table);
    }
    return undefined;
  },
};

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Patterns, with what they match. */
function namePatterns(name: string): readonly (readonly [pattern: string, matches: (other: string) => boolean])[] {
  const escaped = name.replaceAll(/[\\%_]/g, "\\$&");
  return [
    [escaped, (other) => other === name],
    [`${name.slice(0, 1).replaceAll(/[\\%_]/g, "\\$&")}%`, (other) => other.startsWith(name.slice(0, 1))],
    [`_${escaped.slice(escaped.startsWith("\\") ? 2 : 1)}`, (other) => other.length === name.length && other.slice(1) === name.slice(1)],
    [`${escaped}x`, (other) => other === `${name}x`],
    [escaped.toUpperCase(), (other) => other === name.toUpperCase()],
    ["%", () => true],
  ];
}

const listings: Rule = {
  name: "listings of tables and columns match their patterns",
  async check(subject) {
    const metadata = await subject.metadata();
    const names = new Set((await subject.tables()).map(({ name }) => name.schema));
    for (const schema of names) {
      const all = await metadata.listTables(schema);
      const [name = ""] = (await subject.tables()).filter((table) => table.name.schema === schema).map((table) => table.name.table);
      for (const [pattern, matches] of namePatterns(name)) {
        const like = `${text(pattern)} ESCAPE '\\'`;
        const expected = all.filter(matches).toSorted();
        const asked: readonly string[] = [
          `SHOW TABLES FROM ${quoted(schema)} LIKE ${like}`,
          `SELECT table_name FROM ${catalogName}.information_schema.tables WHERE table_schema = ${text(schema)} AND table_name LIKE ${like}`,
          `SELECT table_name FROM system.jdbc.tables WHERE table_cat = '${catalogName}' AND table_schem = ${text(schema)} AND table_name LIKE ${like}`,
        ];
        for (const sql of asked) {
          const found = (await subject.query(sql)).rows.map(([one]) => one as string).toSorted();
          mustHold(found.join("\n") === expected.join("\n"), () => `${sql} lists ${shown(found)}, not ${shown(expected)}`);
        }
      }
      for (const exact of new Set([name, name.toUpperCase()])) {
        const place = `table_schema = ${text(schema)} AND table_name = ${text(exact)}`;
        for (const from of ["tables", "columns"]) {
          const sql = `SELECT DISTINCT table_name FROM ${catalogName}.information_schema.${from} WHERE ${place}`;
          const found = (await subject.query(sql)).rows.map(([one]) => one as string);
          const expected = all.includes(exact) ? [exact] : [];
          mustHold(found.join("\n") === expected.join("\n"), () => `${sql} lists ${shown(found)}, not ${shown(expected)}`);
        }
      }
    }
    return undefined;
  },
};

export const pushingRules: readonly Rule[] = [takenOver, listings];
