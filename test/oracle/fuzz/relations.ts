/** What a query of queries.ts reads where it reads no other query: a table, two tables with a shared column, VALUES. */
import { join, type SqlType, type Text, text, type, typeText } from "./dialects.ts";
import type { Expression } from "./expressions.ts";
import type { Random } from "./random.ts";
import { literalOf, type Table } from "./tables.ts";

export interface Column {
  readonly name: string;
  readonly type: SqlType;
  readonly bound: number;
  readonly exact: boolean;
}

export interface Body {
  readonly text: Text;
  readonly columns: readonly Column[];
  readonly rows: number;
}

export interface Relation {
  readonly text: Text;
  readonly columns: readonly Expression[];
  readonly rows: number;
}

export function relationOf(sql: Text, alias: string, { columns, rows }: Pick<Body, "columns" | "rows">): Relation {
  return {
    text: sql,
    rows,
    columns: columns.map((column) => ({
      text: text`${alias}.${column.name}`,
      type: column.type,
      bound: column.bound,
      exact: column.exact,
      variable: true,
    })),
  };
}

export function drawTable(random: Random, tables: readonly Table[], alias: string): Relation {
  const table = random.chance(20) ? (tables[3] as Table) : random.pick(tables.slice(0, 3));
  const columns = table.columns.map((column) => ({ ...column, exact: column.name === "d" }));
  return relationOf(text`${table.name} ${alias}`, alias, { columns, rows: table.name === "t3" ? Math.max(300, table.rows.length) : 45 });
}

/** JOIN USING and NATURAL JOIN, whose shared column is one. */
export function drawSharedColumns(random: Random, tables: readonly Table[], alias: string): Relation {
  const [a, b] = [random.pick(tables.slice(0, 3)), random.pick(tables.slice(0, 3))];
  const join2 = random.pick(["JOIN", "LEFT JOIN", "FULL JOIN", "RIGHT JOIN"]);
  const left = `(SELECT k, s AS c1 FROM ${a.name}) x`;
  const right = `(SELECT k, s AS c2 FROM ${b.name}) y`;
  const joined = random.chance(30) ? `${left} NATURAL ${join2} ${right}` : `${left} ${join2} ${right} USING (k)`;
  const columns: readonly Column[] = [
    { name: "k", type: type("integer"), bound: 20, exact: true },
    { name: "c1", type: type("varchar"), bound: 0, exact: true },
    { name: "c2", type: type("varchar"), bound: 0, exact: true },
  ];
  return relationOf(text`(SELECT k, c1, c2 FROM ${joined}) ${alias}`, alias, { columns, rows: 300 });
}

export function drawValues(random: Random, alias: string): Relation {
  const columns = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const kind = random.pick(["integer", "varchar", "date", "boolean", "double"] as const);
    return { name: `v${index}`, type: type(kind), bound: 30, exact: true };
  });
  const rows = Array.from({ length: 1 + random.below(5) }, (_, row) =>
    columns.map((column) => {
      const value = random.chance(20) ? text`NULL` : literalOf(random, column.type.kind, 30);
      return row === 0 ? text`CAST(${value} AS ${typeText(column.type)})` : value;
    }),
  );
  const list = join(
    rows.map((row) => text`(${join(row, ", ")})`),
    ", ",
  );
  return relationOf(text`(VALUES ${list}) AS ${alias} (${columns.map((column) => column.name).join(", ")})`, alias, {
    columns,
    rows: rows.length,
  });
}
