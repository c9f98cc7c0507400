/**
 * WITH RECURSIVE that terminates: a counter that grows to a bound below the session's depth.
 */
import { isNumber, join, type Text, text, type } from "./dialects.ts";
import { Expressions } from "./expressions/expression-generator.ts";
import type { Random } from "./random.ts";
import { type Body, type Column, drawTable } from "./relations.ts";
import type { Table } from "./tables.ts";

export function drawRecursion(random: Random, tables: readonly Table[], name: string): Body {
  const base = drawTable(random, tables.slice(0, 3), "r0");
  const source = new Expressions(random, { columns: base.columns });
  const carried = source.leaf(random.pick(["varchar", "date", "bigint", "integer"] as const));
  const levels = 1 + random.below(6);
  const columns: readonly Column[] = [
    { name: "c0", type: type("bigint"), bound: 10, exact: true },
    { name: "c1", type: carried.type, bound: Number.POSITIVE_INFINITY, exact: false },
  ];
  // The step must have exactly the base's types; varchar lengths would grow.
  const first = carried.type.kind === "varchar" ? text`CAST(${carried.text} AS varchar)` : carried.text;
  const start = text`SELECT CAST(${random.below(3)} AS bigint) AS c0, ${first} AS c1 FROM ${base.text} WHERE ${source.condition(1).text}`;
  const self = columns.map((column) => ({ ...column, text: text`r1.${column.name}`, variable: true }));
  const inner = new Expressions(random, { columns: self });
  const next = carried.type.kind === "varchar" ? text`substr(r1.c1 || 'a', 1, 4)` : inner.leaf(carried.type.kind).text;
  const more = random.chance(40) ? text` AND ${inner.condition(1).text}` : text``;
  const joined = random.chance(25) && isNumber(carried.type.kind);
  const from: Text = joined ? text`${name} r1 JOIN ${(tables[0] as Table).name} r2 ON r2.k = r1.c1` : text`${name} r1`;
  const step = text`SELECT r1.c0 + 1, ${next} FROM ${from} WHERE r1.c0 < ${levels}${more}`;
  const names = join(
    columns.map((column) => column.name),
    ", ",
  );
  return { text: text`${name} (${names}) AS (${start} UNION ALL ${step})`, columns, rows: base.rows * 8 };
}
