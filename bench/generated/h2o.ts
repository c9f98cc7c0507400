/**
 * The questions of the H2O database benchmark (db-benchmark): ten of grouping over one table, five of joining it with tables of a
 * millionth, a thousandth and all of its rows. A question is put inside of an aggregation, so that its rows are made but not sent. The
 * median of the sixth is left out: SQL here has no exact one.
 */
import type { ComparedQuery } from "../comparison.ts";
import { drawn, type Generated } from "./tables.ts";

/** Distinct values of a key with few of them. */
const keys = 100;

export function h2oGroups(rows: number): Generated {
  const many = Math.ceil(rows / keys);
  const columns = [
    `'id' || lpad(CAST(1 + ${drawn(keys, 1)} AS VARCHAR), 3, '0') AS id1`,
    `'id' || lpad(CAST(1 + ${drawn(keys, 2)} AS VARCHAR), 3, '0') AS id2`,
    `'id' || lpad(CAST(1 + ${drawn(many, 3)} AS VARCHAR), 10, '0') AS id3`,
    `CAST(1 + ${drawn(keys, 4)} AS INTEGER) AS id4`,
    `CAST(1 + ${drawn(keys, 5)} AS INTEGER) AS id5`,
    `CAST(1 + ${drawn(many, 6)} AS INTEGER) AS id6`,
    `CAST(1 + ${drawn(5, 7)} AS INTEGER) AS v1`,
    `CAST(1 + ${drawn(15, 8)} AS INTEGER) AS v2`,
    `${drawn(100_000_000, 9)} / 1000000.0 AS v3`,
  ];
  return {
    title: "H2O group-by",
    tables: [{ name: "x", rows: `SELECT ${columns.join(", ")} FROM range(${rows}) AS t(i)` }],
    queries: [
      question("g01", "SELECT id1, sum(v1) AS a FROM x GROUP BY id1"),
      question("g02", "SELECT id1, id2, sum(v1) AS a FROM x GROUP BY id1, id2"),
      question("g03", "SELECT id3, sum(v1) AS a, avg(v3) AS b FROM x GROUP BY id3", "a", "b"),
      question("g04", "SELECT id4, avg(v1) AS a, avg(v2) AS b, avg(v3) AS c FROM x GROUP BY id4", "a", "b", "c"),
      question("g05", "SELECT id6, sum(v1) AS a, sum(v2) AS b, sum(v3) AS c FROM x GROUP BY id6", "a", "b", "c"),
      question("g06", "SELECT id4, id5, stddev(v3) AS a FROM x GROUP BY id4, id5"),
      question("g07", "SELECT id3, max(v1) - min(v2) AS a FROM x GROUP BY id3"),
      question(
        "g08",
        "SELECT v3 AS a FROM (SELECT v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS n FROM x WHERE v3 IS NOT NULL) AS r WHERE n <= 2",
      ),
      question("g09", "SELECT id2, id4, power(corr(v1, v2), 2) AS a FROM x GROUP BY id2, id4"),
      question(
        "g10",
        "SELECT id1, id2, id3, id4, id5, id6, sum(v3) AS a, count(*) AS b FROM x GROUP BY id1, id2, id3, id4, id5, id6",
        "a",
        "b",
      ),
    ],
  };
}

export function h2oJoins(rows: number): Generated {
  const sizes = [Math.max(10, rows / 1e6), Math.max(100, rows / 1e3), rows].map(Math.ceil) as [number, number, number];
  const [few, some, all] = sizes;
  /** One row for each key; one key in ten has no match. */
  const side = (count: number, level: number): string => {
    const columns = [
      `CAST(1 + i + CASE WHEN i % 10 = 0 THEN ${count} ELSE 0 END AS INTEGER) AS id${level}`,
      `'id' || CAST(1 + i + CASE WHEN i % 10 = 0 THEN ${count} ELSE 0 END AS VARCHAR) AS id${level + 3}`,
      `${drawn(100_000_000, level)} / 1000000.0 AS v2`,
    ];
    return `SELECT ${columns.join(", ")} FROM range(${count}) AS t(i)`;
  };
  const x = sizes.flatMap((count, index) => [
    `CAST(1 + ${drawn(count, index)} AS INTEGER) AS id${index + 1}`,
    `'id' || CAST(1 + ${drawn(count, index)} AS VARCHAR) AS id${index + 4}`,
  ]);
  return {
    title: "H2O join",
    tables: [
      { name: "x", rows: `SELECT ${x.join(", ")}, ${drawn(100_000_000, 9)} / 1000000.0 AS v1 FROM range(${rows}) AS t(i)` },
      { name: "small", rows: side(few, 1) },
      { name: "medium", rows: side(some, 2) },
      { name: "big", rows: side(all, 3) },
    ],
    queries: [
      question("j01", "SELECT v1 AS a, v2 AS b FROM x JOIN small ON x.id1 = small.id1", "a", "b"),
      question("j02", "SELECT v1 AS a, v2 AS b FROM x JOIN medium ON x.id2 = medium.id2", "a", "b"),
      question("j03", "SELECT v1 AS a, v2 AS b FROM x LEFT JOIN medium ON x.id2 = medium.id2", "a", "b"),
      question("j04", "SELECT v1 AS a, v2 AS b FROM x JOIN medium ON x.id5 = medium.id5", "a", "b"),
      question("j05", "SELECT v1 AS a, v2 AS b FROM x JOIN big ON x.id3 = big.id3", "a", "b"),
    ],
  };
}

function question(name: string, sql: string, ...figures: readonly string[]): ComparedQuery {
  const sums = (figures.length === 0 ? ["a"] : figures).map((figure) => `sum(${figure})`);
  return { name, sql: `SELECT count(*), ${sums.join(", ")} FROM (${sql}) AS q`, comparesRows: true };
}
