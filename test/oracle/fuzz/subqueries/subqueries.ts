/**
 * Subqueries in conditions, values and FROM: EXISTS, IN, quantified comparisons, rows, scalars and LATERAL, each built from cores.ts and
 * bodies.ts.
 */
import { isComparable, isOrderable, type Kind, type Text, text, type } from "../dialects.ts";
import type { Expression } from "../expressions/generated-expression.ts";
import { Expressions, type Scope } from "../expressions/expression-generator.ts";
import type { Random } from "../random.ts";
import { type Column, type Relation, relationOf } from "../relations.ts";
import { drawFieldOfRow, drawRowComparison } from "../expressions/row-comparisons.ts";
import { drawColumnBody, drawValueBody } from "./bodies.ts";
import { drawCore, type SubqueryHost } from "./cores.ts";
import { lateralOn } from "./laterals.ts";

function condition(sql: Text): Expression {
  return { text: sql, type: type("boolean"), bound: 0, exact: false, variable: true };
}

/** False at the maximum depth. */
function mayNest({ nesting = 0 }: Scope): boolean {
  return nesting > 0;
}

export function drawSubqueryCondition(random: Random, host: SubqueryHost, outer: Scope): Expression | undefined {
  if (!mayNest(outer)) {
    return undefined;
  }
  const own = new Expressions(random, outer);
  const not = random.pick(["", "NOT "]);
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return random.part(() => drawExists(random, host, outer));
    case 3:
    case 4: {
      const rows = random.part(() => drawColumnBody(random, host, outer));
      return rows && isComparable(rows.type.kind) ? condition(text`(${own.leaf(rows.type.kind).text} ${not}IN (${rows.text}))`) : undefined;
    }
    case 5:
    case 6: {
      const rows = random.part(() => drawColumnBody(random, host, outer));
      if (rows === undefined || !isComparable(rows.type.kind)) {
        return undefined;
      }
      // `= ALL` and `<> ANY` use the minimum and maximum. In DuckDB, a row does not equal all rows of a correlated subquery if one of them
      // is NULL.
      const quantified =
        isOrderable(rows.type.kind) && rows.type.kind !== "row"
          ? `${random.pick(["=", "<>", "<", ">=", "<=", ">"])} ${random.pick(["ALL", "ANY", "SOME"])}`
          : random.pick(["= ANY", "<> ALL", "= SOME"]);
      // DuckDB has no SOME.
      const operator = { engine: quantified, duckdb: quantified.replace("SOME", "ANY") };
      return condition(text`(${own.leaf(rows.type.kind).text} ${operator} (${rows.text}))`);
    }
    case 7: {
      const core = random.part(() => drawCore(random, host, outer));
      const where = core.where.engine === "" ? text`true` : cut(core.where, " WHERE ");
      return drawRowComparison(random, own, { text: core.from, columns: core.columns, rows: 0 }, text`(${where})`);
    }
    default: {
      const kind = outer.columns.length === 0 ? "bigint" : random.pick(outer.columns).type.kind;
      const value = isOrderable(kind) ? random.part(() => drawValueBody(random, host, outer, kind)) : undefined;
      const operator = random.pick(["=", "<", "<>", ">="]);
      return value && condition(text`(${own.leaf(kind).text} ${operator} (${value.text}))`);
    }
  }
}

function cut(sql: Text, prefix: string): Text {
  return { engine: sql.engine.slice(prefix.length), duckdb: sql.duckdb.slice(prefix.length) };
}

function drawExists(random: Random, host: SubqueryHost, outer: Scope): Expression | undefined {
  const not = random.pick(["", "NOT "]);
  if (random.chance(45)) {
    const rows = random.part(() => drawColumnBody(random, host, outer));
    return rows && condition(text`(${not}EXISTS (${rows.text}))`);
  }
  const core = random.part(() => drawCore(random, host, outer));
  const from = text`FROM ${core.from}${core.where}`;
  switch (random.below(5)) {
    case 0: {
      const offset = random.pick([0, 0, 1, 2]);
      const skipped = { engine: `OFFSET ${offset} LIMIT 1`, duckdb: `LIMIT 1 OFFSET ${offset}` };
      return condition(text`(${not}EXISTS (SELECT 1 ${from} ${skipped}))`);
    }
    case 1:
      return condition(text`(${not}EXISTS (SELECT count(*) ${from} HAVING count(*) ${random.pick(["= 0", "> 1", "> 0"])}))`);
    case 2:
      return condition(text`(${not}EXISTS (SELECT * ${from}))`);
    default:
      return condition(text`(${not}EXISTS (SELECT 1 ${from}))`);
  }
}

/** One value: an aggregate over rows that may reference the enclosing queries. */
export function drawSubqueryValue(random: Random, host: SubqueryHost, kind: Kind, outer: Scope): Expression | undefined {
  if (!mayNest(outer)) {
    return undefined;
  }
  if (kind === "bigint" && random.chance(12)) {
    const core = random.part(() => drawCore(random, host, outer));
    if (core.columns.some(({ type: own }) => isOrderable(own.kind))) {
      return drawFieldOfRow(random, { text: core.from, columns: core.columns, rows: 0 }, core.where);
    }
  }
  const value = random.part(() => drawValueBody(random, host, outer, kind));
  return value && { ...value, text: text`(${value.text})`, variable: true };
}

/** A relation that references the columns on its left; LEFT keeps their rows. For DuckDB the condition of such a join moves inside. */
export function drawLateral(random: Random, host: SubqueryHost, left: Relation, outer: Scope): Relation | undefined {
  const rows = random.part(() => drawColumnBody(random, host, outer));
  if (rows === undefined) {
    return undefined;
  }
  const alias = host.name("a");
  const columns: readonly Column[] = [{ name: "c0", type: rows.type, bound: rows.bound, exact: rows.exact }];
  const made = relationOf(text`LATERAL (${rows.text}) AS ${alias} (c0)`, alias, { columns, rows: left.rows * 10 });
  const result = { columns: [...left.columns, ...made.columns], rows: left.rows * 10 };
  if (random.chance(35)) {
    const condition = new Expressions(random, { ...outer, columns: result.columns }).condition(1).text;
    return {
      ...result,
      text: text`${left.text} ${lateralOn(random.pick(["", "INNER ", "LEFT "]), { alias, body: rows.text, condition })}`,
    };
  }
  const joined = random.chance(35) ? text`${left.text} LEFT JOIN ${made.text} ON TRUE` : text`${left.text} CROSS JOIN ${made.text}`;
  return { ...result, text: joined };
}

/** UNNEST of an array of scalar subqueries. */
export function drawUnnestedValues(random: Random, host: SubqueryHost, left: Relation, outer: Scope): Relation | undefined {
  const values = [0, 1].map(() => random.part(() => drawSubqueryValue(random, host, "bigint", outer)));
  const [a, b] = values;
  if (a === undefined || b === undefined) {
    return undefined;
  }
  const alias = host.name("a");
  const columns: readonly Column[] = [{ name: "c0", type: type("bigint"), bound: Math.max(a.bound, b.bound), exact: true }];
  const entries = {
    engine: `UNNEST(ARRAY[${a.text.engine}, ${b.text.engine}]) AS ${alias} (c0)`,
    duckdb: `LATERAL (VALUES (${a.text.duckdb}), (${b.text.duckdb})) AS ${alias} (c0)`,
  };
  const made = relationOf(entries, alias, { columns, rows: left.rows * 2 });
  return { text: text`${left.text} CROSS JOIN ${made.text}`, columns: [...left.columns, ...made.columns], rows: left.rows * 2 };
}
