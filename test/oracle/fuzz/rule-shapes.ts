/**
 * Statements in the shapes that rare optimizer rules look for. The columns k and s are in every table. With random(), the rows do not
 * depend on the numbers: one draw that is read twice is equal to itself, and conditions hold for every number.
 */
import { text, type Text } from "./dialects.ts";
import type { Query } from "./queries.ts";
import type { Random } from "./random.ts";
import { words } from "./expressions/literals.ts";

type Shape = (random: Random, table: () => string) => Text;

const number = (random: Random): number => random.below(5);
const word = (random: Random): string => `'${random.pick(words)}'`;
const aggregate = (random: Random): string => random.pick(["count(y.s)", "sum(y.k)", "min(y.k)", "max(y.s)", "count(y.k)"]);
const windowed = (random: Random): string =>
  random.pick(["count(y.s)", "sum(y.k)", "min(y.k)", "count(y.k)", "max(y.k * 2)", "sum(y.k + 1)"]);
const joinType = (random: Random): string => random.pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);

interface RowsIn {
  readonly isNot: boolean;
  readonly value: number;
  readonly outer: string;
  readonly inner: string;
}

/** A NULL in a field of a row makes DuckDB's IN unknown, even if another field differs; there the comparison is spelled out. */
function rowsIn({ isNot, value, outer, inner }: RowsIn): Text {
  const among = (state: string): string => `EXISTS (SELECT 1 FROM ${inner} y WHERE (x.k = y.k AND ${value} = y.k) IS ${state})`;
  const spelled = isNot ? `NOT ${among("TRUE")} AND NOT ${among("NULL")}` : among("TRUE");
  return {
    engine: `SELECT x.s FROM ${outer} x WHERE (x.k, ${value}) ${isNot ? "NOT IN" : "IN"} (SELECT y.k, y.k FROM ${inner} y)`,
    duckdb: `SELECT x.s FROM ${outer} x WHERE ${spelled}`,
  };
}

const shapes: readonly Shape[] = [
  // split_disjunctions
  (random, table) =>
    text`SELECT x.k, y.s FROM ${table()} x ${joinType(random)} ${table()} y ON x.k = y.k AND ((x.k = ${number(random)} AND y.s = ${word(random)}) OR (x.k = ${number(random)} AND y.s <> ${word(random)}))`,
  (random, table) =>
    text`SELECT x.s, y.k FROM ${table()} x JOIN ${table()} y ON x.k = y.k WHERE (x.s = ${word(random)} AND y.k > ${number(random)}) OR (x.s > ${word(random)} AND y.k = ${number(random)})`,
  // join_row_keys
  (random, table) =>
    text`SELECT x.k, x.s FROM ${table()} x WHERE (x.k, x.s) IN (SELECT y.k, y.s FROM ${table()} y WHERE y.k > ${number(random)}) AND x.k < ${5 + number(random)}`,
  (random, table) => rowsIn({ isNot: random.chance(50), value: number(random), outer: table(), inner: table() }),
  // aggregate_before_join
  (random, table) =>
    text`SELECT x.k, ${aggregate(random)} FROM (SELECT DISTINCT k FROM ${table()}) x LEFT JOIN ${table()} y ON x.k = y.k GROUP BY x.k`,
  (random, table) =>
    text`SELECT x.k, x.c, ${aggregate(random)}, count(y.k) FROM (SELECT k, count(*) AS c FROM ${table()} GROUP BY k) x LEFT JOIN (SELECT k, s FROM ${table()} WHERE k <> ${number(random)}) y ON x.k = y.k GROUP BY x.k, x.c`,
  // join_before_aggregation
  (random, table) =>
    text`SELECT x.k, x.a, y.s FROM (SELECT k, sum(k) AS a FROM ${table()} GROUP BY k) x JOIN (SELECT k, min(s) AS s FROM ${table()} WHERE k < ${1 + number(random)} GROUP BY k) y ON x.k = y.k`,
  // merge_windows
  (random, table) =>
    text`SELECT k, count(*) OVER (), count(s) OVER (PARTITION BY k), max(s) OVER (PARTITION BY k, s), min(k) OVER () FROM ${table()} WHERE k <> ${number(random)}`,
  (random, table) =>
    text`SELECT k, max(s) OVER (PARTITION BY k), sum(k) OVER (ORDER BY k RANGE BETWEEN UNBOUNDED PRECEDING AND ${random.pick(["CURRENT ROW", "UNBOUNDED FOLLOWING"])}), count(*) OVER (PARTITION BY k ORDER BY s) FROM ${table()}`,
  // remote and local dynamic filters, below every kind of node
  (random, table) => text`SELECT x.s, y.s FROM ${table()} x JOIN (SELECT k, s FROM ${table()} WHERE k = ${number(random)}) y ON x.k = y.k`,
  (random, table) =>
    text`SELECT x.k, x.c, y.s FROM (SELECT k, count(*) AS c FROM ${table()} GROUP BY k) x ${random.pick(["JOIN", "RIGHT JOIN"])} (SELECT k, s FROM ${table()} WHERE k BETWEEN ${number(random)} AND ${number(random)}) y ON x.k = y.k`,
  (random, table) =>
    text`SELECT x.k FROM (SELECT k, s FROM ${table()} UNION ALL SELECT k, s FROM ${table()}) x WHERE x.k IN (SELECT k FROM ${table()} WHERE s = ${word(random)})`,
  (random, table) =>
    text`SELECT z.k, z.n FROM (SELECT k, row_number() OVER (PARTITION BY k ORDER BY s) AS n FROM ${table()}) z JOIN (SELECT DISTINCT k FROM ${table()} WHERE k < ${number(random)}) y ON z.k = y.k`,
  // combine_aggregations
  (random, table) => {
    const inner = table();
    const compare = random.pick(["<>", "<", ">="]);
    return text`SELECT x.k, x.s FROM ${table()} x WHERE EXISTS (SELECT 1 FROM ${inner} y WHERE y.k = x.k AND y.s ${compare} x.s) AND NOT EXISTS (SELECT 1 FROM ${inner} z WHERE z.k = x.k AND z.s ${compare} x.s AND z.s > ${word(random)})`;
  },
  (random, table) => {
    const inner = table();
    return text`SELECT x.s, y.c, z.c, z.d FROM ${table()} x JOIN (SELECT k, count(s) AS c FROM ${inner} GROUP BY k) y ON x.k = y.k LEFT JOIN (SELECT k, ${aggregate(random).replaceAll("y.", "")} AS c, max(CAST(${number(random)} AS double) / k) AS d FROM ${inner} WHERE k <> 0 AND s <> ${word(random)} GROUP BY k) z ON x.k = z.k`;
  },
  // use_windows: over all relations, over one of them, over groups
  (random, table) => {
    const inner = table();
    const rows = `k <> ${number(random)}`;
    const call = windowed(random);
    return text`SELECT x.k, x.s, z.s FROM ${inner} x JOIN ${random.pick([table(), "(SELECT DISTINCT k, s FROM t1)"])} z ON x.k = z.k ${random.pick(["", `AND z.s <> ${word(random)}`, `AND x.s <> ${word(random)}`, "AND x.s < z.s"])} WHERE x.${rows} AND ${number(random)} ${random.pick(["<", "<>", ">="])} (SELECT ${call} FROM ${inner} y WHERE y.${rows} AND y.k = ${random.pick(["x.k", "z.k"])})`;
  },
  (random, table) => {
    const [inner, other] = [table(), table()];
    const least = word(random);
    return text`SELECT x.k, w.s FROM ${inner} x, ${other} w, ${table()} z WHERE x.k = w.k AND w.s > ${least} AND z.k = ${random.pick(["x.k", "w.k", "x.k + 0"])} AND x.s = (SELECT ${random.pick(["min", "max"])}(y.s) FROM ${inner} y, ${other} v WHERE y.k = v.k AND v.s > ${random.pick([least, word(random)])} AND y.k = z.k)`;
  },
  (random, table) => {
    const inner = table();
    return text`SELECT x.k, x.s, a.c, a.d FROM ${inner} x JOIN (SELECT ${random.pick(["k", "k + 0 AS k"])}, ${windowed(random)} + 1 AS c, count(*) AS d FROM ${inner} y GROUP BY 1) a ON x.k = a.k ${random.pick(["", "JOIN t2 z ON z.k = a.k", "JOIN t2 z ON z.k = a.d"])}`;
  },
  (random, table) => {
    const inner = table();
    const call = windowed(random);
    return text`SELECT k, ${call}, count(*) FROM ${inner} y WHERE k <> ${number(random)} GROUP BY k HAVING ${call} ${random.pick(["<", ">="])} (SELECT ${random.pick([call, "count(*)", windowed(random)])} FROM ${inner} y WHERE k <> ${number(random)})`;
  },
  (random, table) => {
    const inner = table();
    return text`WITH g AS (SELECT k, ${windowed(random)} AS c FROM ${inner} y GROUP BY k) SELECT x.s, g.k, g.c FROM ${table()} x JOIN g ON x.k = g.${random.pick(["k", "c"])} WHERE g.c ${random.pick(["=", ">="])} (SELECT ${random.pick(["max(c)", "min(c)", "count(*)"])} FROM g)`;
  },
  // turn_semi_joins, choose_semi_join_side
  (random, table) =>
    text`SELECT x.k, x.s FROM ${table()} x WHERE ${random.pick(["", "NOT "])}EXISTS (SELECT 1 FROM t3 y WHERE y.k = x.k AND y.s ${random.pick(["<>", "="])} ${word(random)}) AND x.k < ${1 + number(random)}`,
  (random, table) =>
    text`SELECT x.k, x.s FROM ${table()} x WHERE ${random.pick(["", "NOT "])}EXISTS (SELECT 1 FROM ${table()} y WHERE y.k = x.k)`,
  (random, table) => text`SELECT x.s FROM ${table()} x WHERE x.k IN (SELECT DISTINCT k FROM ${table()} WHERE k > ${number(random)})`,
  // group_distinct
  (random, table) =>
    text`SELECT k, count(DISTINCT s), ${random.pick(["min", "max"])}(DISTINCT s) FROM ${table()} GROUP BY k HAVING count(DISTINCT s) >= ${random.below(3)}`,
  // eliminate_cross_joins, if the session asks for it
  (random, table) =>
    text`SELECT x.k, y.s, z.s FROM ${table()} x, (SELECT k AS j, s FROM t1 WHERE k = ${number(random)}) y, t2 z WHERE z.k = x.k AND y.j = z.k`,
  // random(): inlined, pushed or repeated draws would change the rows.
  (random, table) =>
    text`SELECT k, r = q, r = p FROM (SELECT k, r, r AS q, p FROM (SELECT k, random() AS r, 2 + random() AS p FROM ${table()}) a) b WHERE r < ${1 + number(random)}`,
  (random, table) =>
    text`SELECT x.k, y.k FROM ${table()} x JOIN (SELECT k, random() AS r FROM ${table()}) y ON x.k = y.k AND y.r < 2 WHERE (y.r < 2 AND x.k = ${number(random)}) OR (y.r < 3 AND y.k > x.k - 1)`,
  (_random, table) => text`SELECT count(r) - count(DISTINCT r), count(*) FROM (SELECT random() AS r FROM ${table()}) a`,
  (random, table) =>
    text`SELECT k, count_if(r = q) FROM (SELECT k, random() AS r, random() AS q FROM ${table()}) a WHERE random() >= 0 GROUP BY k HAVING random() < 2 AND k <> ${number(random)}`,
  (_random, table) =>
    text`SELECT a.k, a.r = b.r FROM (SELECT k, random() AS r FROM ${table()}) a JOIN (SELECT 5 + random() AS r) b ON a.r < b.r`,
];

export function drawRuleShape(random: Random): Query {
  const table = (): string => random.pick(["t1", "t2", "t1", "t0", "t3"]);
  return { text: random.pick(shapes)(random, table), ordered: false };
}
