/**
 * Relations other than subqueries: a table, two tables with a shared column, VALUES.
 */
import { join, type SqlType, type Text, text, type, typeText } from "./dialects.ts";
import type { Expression } from "./expressions/generated-expression.ts";
import { Expressions } from "./expressions/expression-generator.ts";
import { tableText } from "./grammar/rare.ts";
import { tableOfArray } from "./expressions/json-forms.ts";
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
  const [large] = tables.slice(3);
  const table = large !== undefined && random.chance(10) ? large : random.pick(tables.slice(0, 3));
  const columns = table.columns.map((column) => ({ ...column, exact: column.name === "d" }));
  return relationOf(tableText(random, table.name, alias), alias, {
    columns,
    rows: table.name === "t3" ? Math.max(300, table.rows.length) : 45,
  });
}

/** JOIN USING and NATURAL JOIN, which merge the shared column. */
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

function isMap({ type: { kind } }: Expression): boolean {
  return kind === "map" || kind === "gaps";
}

/** Values of the left side as rows of a JSON_TABLE. */
function drawJsonTable(random: Random, left: Relation, alias: string): Relation | undefined {
  const source = new Expressions(random, { columns: left.columns });
  const elements = Array.from({ length: 1 + random.below(3) }, () => source.of("bigint", 1));
  if (elements.every(({ variable }) => !variable)) {
    return undefined;
  }
  const { text: sql, isOuter } = tableOfArray(random, elements, alias);
  const columns: readonly Column[] = [
    { name: "n", type: type("bigint"), bound: 4, exact: true },
    { name: "e0", type: type("bigint"), bound: Math.max(...elements.map(({ bound }) => bound)), exact: true },
  ];
  const made = relationOf(text``, alias, { columns, rows: left.rows * 3 });
  return {
    text: text`${left.text} ${isOuter ? "LEFT JOIN" : "CROSS JOIN"} ${sql}`,
    columns: [...left.columns, ...made.columns],
    rows: left.rows * 3,
  };
}

/** UNNEST of an array or map of the left side, WITH ORDINALITY. */
export function drawUnnested(random: Random, left: Relation, alias: string): Relation | undefined {
  if (random.chance(25)) {
    return drawJsonTable(random, left, alias);
  }
  if (random.chance(12)) {
    return drawKeptEntries(random, left, alias);
  }
  const lists = left.columns.filter(({ type: { kind } }) => ["bigints", "texts", "map", "holes", "lists", "gaps"].includes(kind));
  const source = new Expressions(random, { columns: left.columns });
  const list =
    lists.length > 0 && random.chance(70) ? random.pick(lists) : source.of(random.pick(["bigints", "texts", "holes", "lists"] as const), 1);
  if (!list.variable) {
    return undefined;
  }
  const second = random.chance(30) && !isMap(list) ? source.of(random.pick(["bigints", "texts"] as const), 1) : undefined;
  const element = ({ type: { kind }, bound }: Expression, name: string): Column => {
    if (kind === "lists") {
      return { name, type: type("holes"), bound, exact: true };
    }
    return kind === "texts" ? { name, type: type("varchar"), bound: 0, exact: true } : { name, type: type("bigint"), bound, exact: true };
  };
  const columns: Column[] = isMap(list)
    ? [
        { name: "e0", type: type("varchar"), bound: 0, exact: true },
        { name: "e1", type: type("bigint"), bound: list.bound, exact: true },
      ]
    : [element(list, "e0"), ...(second === undefined ? [] : [element(second, "e1")])];
  const lengths = [list, ...(second === undefined ? [] : [second])].map(({ text: { duckdb }, type: { kind } }) =>
    kind === "map" || kind === "gaps" ? `coalesce(CAST(cardinality(${duckdb}) AS bigint), 0)` : `coalesce(len(${duckdb}), 0)`,
  );
  const items = isMap(list)
    ? `unnest(map_keys(${list.text.duckdb})) AS e0, unnest(map_values(${list.text.duckdb})) AS e1`
    : [list, ...(second === undefined ? [] : [second])].map((one, index) => `unnest(${one.text.duckdb}) AS e${index}`).join(", ");
  const ordinality = random.chance(50);
  if (ordinality) {
    columns.push({ name: "n", type: type("bigint"), bound: 1000, exact: true });
  }
  const numbers = `unnest(generate_series(1, greatest(${lengths.join(", ")}))) AS n`;
  const names = columns.map(({ name }) => name).join(", ");
  const outer = random.chance(35);
  const given = [list, ...(second === undefined ? [] : [second])].map((one) => one.text.engine).join(", ");
  const engine = `UNNEST(${given})${ordinality ? " WITH ORDINALITY" : ""} AS ${alias} (${names})${outer ? " ON TRUE" : ""}`;
  const duckdb = `LATERAL (SELECT ${items}${ordinality ? `, ${numbers}` : ""}) AS ${alias} (${names})${outer ? " ON TRUE" : ""}`;
  const joined = outer ? "LEFT JOIN" : "CROSS JOIN";
  const made = relationOf(text``, alias, { columns, rows: left.rows * 3 });
  return {
    text: text`${left.text} ${joined} ${{ engine, duckdb }}`,
    columns: [...left.columns, ...made.columns],
    rows: left.rows * 3,
  };
}

/** RIGHT and FULL JOIN with UNNEST of an array that does not reference the left side. */
function drawKeptEntries(random: Random, left: Relation, alias: string): Relation {
  const entries = Array.from({ length: random.below(4) }, () => (random.chance(20) ? text`NULL` : literalOf(random, "bigint", 30)));
  const list = join(entries, ", ");
  const bigint = typeText(type("bigint"));
  const rows = {
    engine: `UNNEST(CAST(ARRAY[${list.engine}] AS ARRAY(${bigint.engine}))) AS ${alias} (e0)`,
    duckdb: `(SELECT unnest(CAST([${list.duckdb}] AS ${bigint.duckdb}[]))) AS ${alias} (e0)`,
  };
  const columns: readonly Column[] = [{ name: "e0", type: type("bigint"), bound: 30, exact: true }];
  const made = relationOf(text``, alias, { columns, rows: 4 });
  const joined = text`${left.text} ${random.pick(["RIGHT", "FULL"])} JOIN ${rows} ON TRUE`;
  return { text: joined, columns: [...left.columns, ...made.columns], rows: left.rows * 4 };
}

/** TABLE(sequence(...)), or a table without some of its columns. */
export function drawTableFunction(random: Random, tables: readonly Table[], alias: string): Relation {
  if (random.chance(50)) {
    const [start, count] = [random.below(41) - 20, 1 + random.below(20)];
    const step = random.pick([1, 1, 2, 3, -1, -4]);
    const stop = start + step * (count - 1);
    const end = stop + (count === 1 ? 0 : random.below(Math.abs(step)) * Math.sign(step));
    const call = random.pick([`${start}, ${end}, ${step}`, `step => ${step}, start => ${start}, stop => ${end}`]);
    const sql = {
      engine: `TABLE(sequence(${call})) AS ${alias} (n)`,
      duckdb: `(SELECT range FROM range(${start}, ${stop + Math.sign(step)}, ${step})) AS ${alias} (n)`,
    };
    return relationOf(sql, alias, { columns: [{ name: "n", type: type("bigint"), bound: 100, exact: true }], rows: count });
  }
  const table = random.pick(tables.slice(0, 3));
  const kept = table.columns.filter(() => random.chance(60));
  if (kept.length === 0 || kept.length === table.columns.length) {
    return drawTable(random, tables, alias);
  }
  const excluded = table.columns.filter((column) => !kept.includes(column)).map(({ name }) => name);
  const sql = {
    engine: `TABLE(exclude_columns(TABLE(${table.name}), DESCRIPTOR(${excluded.join(", ")}))) AS ${alias}`,
    duckdb: `(SELECT ${kept.map(({ name }) => name).join(", ")} FROM ${table.name}) AS ${alias}`,
  };
  const columns = kept.map((column) => ({ ...column, exact: column.name === "d" }));
  return relationOf(sql, alias, { columns, rows: 45 });
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
