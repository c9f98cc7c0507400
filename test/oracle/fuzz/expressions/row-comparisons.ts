/**
 * Rows compared with the rows of a subquery: IN, ANY and ALL, and subqueries of two columns. DuckDB treats any NULL as the end of a
 * comparison. It therefore gets Presto's definition: whether a row exists with all fields equal, and whether one exists for which that is
 * unknown.
 */
import { isComparable, isOrderable, type Text, text, type } from "../dialects.ts";
import { BOOLEAN, type Expression } from "./generated-expression.ts";
import type { Expressions } from "./expression-generator.ts";
import type { Random } from "../random.ts";
import type { Relation } from "../relations.ts";
import { literalOf } from "../tables.ts";

function condition(sql: Text): Expression {
  return { text: sql, type: BOOLEAN, bound: 0, exact: false, variable: true };
}

function row(parts: readonly Expression[]): Text {
  const list = (dialect: keyof Text): string => `(${parts.map((part) => part.text[dialect]).join(", ")})`;
  return { engine: list("engine"), duckdb: list("duckdb") };
}

function columns(parts: readonly Expression[]): string {
  return parts.map((part) => part.text.engine).join(", ");
}

/** `where` is a condition on the rows of `inner`; it may reference the enclosing query. */
export function drawRowComparison(random: Random, outer: Expressions, inner: Relation, where: Text): Expression | undefined {
  const comparable = inner.columns.filter(({ type: { kind } }) => isComparable(kind));
  if (comparable.length === 0) {
    return undefined;
  }
  const items = Array.from({ length: 2 + random.below(2) }, () => random.pick(comparable));
  const values = items.map((item) => outer.leaf(item.type.kind));
  switch (random.below(5)) {
    case 0:
      return ordered(random, outer, inner, where);
    case 1:
      return withOneRow(random, values, items, inner, where);
    case 2:
      return withAll(random, values, items, inner, where);
    default:
      return among(random, values, items, inner, where);
  }
}

/** Equality of all fields: true, false or NULL. */
function equality(values: readonly Expression[], items: readonly Expression[]): string {
  return `(${values.map((value, index) => `${value.text.duckdb} = ${items[index]?.text.duckdb ?? ""}`).join(" AND ")})`;
}

type Comparison = (random: Random, values: readonly Expression[], items: readonly Expression[], inner: Relation, where: Text) => Expression;

const among: Comparison = (random, values, items, inner, where) => {
  const equal = equality(values, items);
  const rows = `SELECT 1 FROM ${inner.text.duckdb} WHERE ${where.duckdb}`;
  const isIn = `CASE WHEN EXISTS (${rows} AND ${equal}) THEN true WHEN EXISTS (${rows} AND ${equal} IS NULL) THEN NULL ELSE false END`;
  const [operator, isNot] = random.pick([
    ["IN", false],
    ["NOT IN", true],
    ["= ANY", false],
    ["= SOME", false],
    ["<> ALL", true],
  ] as const);
  const given = random.chance(30) && !operator.includes("A") && !operator.includes("S") ? `(${columns(items)})` : columns(items);
  const engine = `(${row(values).engine} ${operator} (SELECT ${given} FROM ${inner.text.engine} WHERE ${where.engine}))`;
  return condition({ engine, duckdb: `(${isNot ? "NOT " : ""}${isIn})` });
};

const withAll: Comparison = (random, values, items, inner, where) => {
  const equal = equality(values, items);
  const rows = `SELECT 1 FROM ${inner.text.duckdb} WHERE ${where.duckdb}`;
  const isAll = `CASE WHEN EXISTS (${rows} AND NOT ${equal}) THEN false WHEN EXISTS (${rows} AND ${equal} IS NULL) THEN NULL ELSE true END`;
  if (!items.every(({ type: { kind } }) => isOrderable(kind))) {
    return among(random, values, items, inner, where);
  }
  const isNot = random.chance(40);
  const engine = `(${row(values).engine} ${isNot ? "<> ANY" : "= ALL"} (SELECT ${columns(items)} FROM ${inner.text.engine} WHERE ${where.engine}))`;
  return condition({ engine, duckdb: `(${isNot ? "NOT " : ""}${isAll})` });
};

/** Without NULLs, because ordering rows raises an error if a NULL would decide. */
function ordered(random: Random, outer: Expressions, inner: Relation, where: Text): Expression | undefined {
  const orderable = inner.columns.filter(({ type: { kind } }) => ["integer", "bigint", "varchar", "date", "smallint"].includes(kind));
  if (orderable.length === 0) {
    return undefined;
  }
  const [a, b] = [random.pick(orderable), random.pick(orderable)];
  const instead = [a, b].map((one) => literalOf(random, one.type.kind, 10));
  const known = (one: Expression, index: number): Expression => ({ ...one, text: text`coalesce(${one.text}, ${instead[index] as Text})` });
  const [x, y] = [outer.leaf(a.type.kind), outer.leaf(b.type.kind)].map(known) as [Expression, Expression];
  const [p, q] = [a, b].map(known) as [Expression, Expression];
  const sign = random.pick(["<", "<=", ">", ">="]);
  const strict = sign.slice(0, 1);
  const holds = `(${x.text.duckdb} ${strict} ${p.text.duckdb} OR (${x.text.duckdb} = ${p.text.duckdb} AND ${y.text.duckdb} ${sign} ${q.text.duckdb}))`;
  const rows = `SELECT 1 FROM ${inner.text.duckdb} WHERE ${where.duckdb}`;
  const all = random.chance(50);
  const engine = `(${row([x, y]).engine} ${sign} ${all ? "ALL" : "ANY"} (SELECT ${columns([p, q])} FROM ${inner.text.engine} WHERE ${where.engine}))`;
  return condition({ engine, duckdb: all ? `(NOT EXISTS (${rows} AND NOT ${holds}))` : `(EXISTS (${rows} AND ${holds}))` });
}

/** A subquery of several columns that returns at most one row. */
const withOneRow: Comparison = (random, values, items, inner, where) => {
  const chosen = items.filter(({ type: { kind } }) => isOrderable(kind));
  const compared = values.filter(({ type: { kind } }) => isOrderable(kind));
  if (chosen.length < 2) {
    return among(random, values, items, inner, where);
  }
  const calls = chosen.map((item) => ({ ...item, text: text`${random.pick(["min", "max"])}(${item.text})` }));
  const first = random.chance(40);
  const order = (dialect: keyof Text): string => ` ORDER BY ${chosen.map((item) => `${item.text[dialect]} NULLS LAST`).join(", ")} LIMIT 1`;
  const given = first ? chosen : calls;
  const rest = (dialect: keyof Text): string => `FROM ${inner.text[dialect]} WHERE ${where[dialect]}${first ? order(dialect) : ""}`;
  const operator = random.pick(["=", "<>"]);
  const equal = equality(
    compared,
    given.map((item) => ({ ...item, text: { ...item.text, duckdb: `(SELECT ${item.text.duckdb} ${rest("duckdb")})` } })),
  );
  const engine = `(${row(compared).engine} ${operator} (SELECT ${columns(given)} ${rest("engine")}))`;
  return condition({ engine, duckdb: operator === "=" ? equal : `(NOT ${equal})` });
};

/** A number from a subquery of two columns. */
export function drawFieldOfRow(random: Random, inner: Relation, where: Text): Expression {
  const orderable = inner.columns.filter(({ type: { kind } }) => isOrderable(kind));
  const other = random.pick(orderable);
  const count = text`count(${random.pick(inner.columns).text})`;
  const from = text`FROM ${inner.text}${where}`;
  const sql = random.chance(50)
    ? text`SELECT ${count} AS f, max(${other.text}) AS g ${from}`
    : text`SELECT min(${other.text}) AS g, ${count} AS f ${from}`;
  return {
    text: { engine: `((${sql.engine}).f)`, duckdb: `(SELECT ${count.duckdb} ${from.duckdb})` },
    type: type("bigint"),
    bound: 1e6,
    exact: true,
    variable: true,
  };
}
