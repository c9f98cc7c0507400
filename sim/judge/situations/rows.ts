/** Rows: every one, once, in order, however they are cut into answers. */
import { counted, rowsOf, type Situation } from "../situation.ts";

/** Answers hold a few rows each. */
const fewRows = { "statement-answers-few-rows": 1000, "page-cut-early": 1000 } as const;

export const shortAnswers = fewRows;

/** Keys of `tpch.tiny.orders`: 8 of each 32 are used. */
export const orderKeys: readonly bigint[] = Array.from({ length: 15_000 }, (_, index) =>
  BigInt((((index + 1) >> 3) << 5) | ((index + 1) & 7)),
);

export const rowSituations: readonly Situation[] = [
  {
    name: "one-row",
    story: "A statement with one row.",
    group: "rows",
    must: true,
    sql: "SELECT 1",
    expect: rowsOf(1n),
  },
  {
    name: "no-rows",
    story: "A statement without rows: success, and no row.",
    group: "rows",
    must: true,
    sql: "SELECT nationkey FROM tpch.tiny.nation WHERE nationkey < 0",
    expect: { kind: "rows", rows: [] },
  },
  {
    name: "many-rows",
    story: "15,000 rows in several answers.",
    group: "rows",
    must: true,
    sql: "SELECT orderkey FROM tpch.tiny.orders ORDER BY orderkey",
    expect: { kind: "rows", rows: orderKeys.map((key) => [key]) },
  },
  {
    name: "few-rows-an-answer",
    story: "1,500 rows, a few an answer, each with the next address.",
    group: "rows",
    must: true,
    sql: "SELECT custkey FROM tpch.tiny.customer",
    anyOrder: true,
    points: fewRows,
    expect: rowsOf(...counted(1500)),
  },
  {
    name: "many-columns",
    story: "A row of 300 columns.",
    group: "rows",
    must: true,
    sql: `SELECT ${counted(300)
      .map((one) => `${one} AS c${one}`)
      .join(", ")}`,
    expect: { kind: "rows", rows: [counted(300)] },
  },
  {
    name: "large-answers",
    story: "Answers of a megabyte: 40 texts of 100,000 characters.",
    group: "rows",
    must: true,
    sql: "SELECT x, rpad('', 100000, chr(CAST(64 + x % 26 AS bigint))) FROM UNNEST(sequence(1, 40)) t(x) ORDER BY x",
    expect: { kind: "rows", rows: counted(40).map((x) => [x, String.fromCharCode(64 + (Number(x) % 26)).repeat(100_000)]) },
  },
  {
    name: "create-table",
    story: "A statement that writes and has no rows of its own succeeds.",
    group: "rows",
    must: true,
    sql: "SELECT count(*) FROM memory.default.copied",
    setup: ["CREATE TABLE memory.default.copied AS SELECT * FROM tpch.tiny.nation"],
    expect: rowsOf(25n),
  },
  {
    name: "insert-once",
    story: "An INSERT is executed once.",
    group: "rows",
    must: true,
    sql: "SELECT x FROM memory.default.written ORDER BY x",
    setup: ["CREATE TABLE memory.default.written (x bigint)", "INSERT INTO memory.default.written VALUES 1, 2, 3"],
    expect: rowsOf(1n, 2n, 3n),
  },
  {
    name: "one-name-twice",
    story: "Two columns of one name: both values arrive.",
    group: "rows",
    must: false,
    sql: "SELECT 1 AS a, 2 AS a",
    expect: { kind: "rows", rows: [[1n, 2n]] },
  },
];
