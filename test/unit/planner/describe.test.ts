/**
 * DESCRIBE INPUT and OUTPUT (protocol.md 9.1), and the tables in EXPLAIN (TYPE IO).
 */
import { describe, expect, test } from "vitest";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { printStatement } from "../../../src/sql/printer/printer.ts";
import { explain, planQueryText } from "./tpch-catalog.ts";

async function described(what: "INPUT" | "OUTPUT", sql: string): Promise<readonly (readonly unknown[])[]> {
  const { plan } = await planQueryText(`DESCRIBE ${what} p`, { preparedStatements: { p: sql } });
  const root = plan.fragments[0]?.root;
  const values = root?.kind === "Output" ? root.source : undefined;
  return values?.kind === "Values" ? values.rows.map((row) => row.map((cell) => (cell.kind === "constant" ? cell.value : cell))) : [];
}

const definitions = [
  "DROP TABLE nosuch.a.b",
  "CREATE TABLE nosuch.a.b (x bigint)",
  "CREATE OR REPLACE VIEW nosuch.a.b AS SELECT * FROM nosuch.a.c",
  "ALTER TABLE nosuch.a.b ADD COLUMN c bigint",
  "ALTER TABLE nosuch.a.b ALTER COLUMN c SET DEFAULT 1",
  "TRUNCATE TABLE nosuch.a.b",
  "COMMENT ON TABLE nosuch.a.b IS 'x'",
  "CREATE SCHEMA nosuch.a",
  "DROP SCHEMA nosuch.a CASCADE",
  "USE nosuch.a",
  "SET SESSION nosuch = 1",
  "GRANT SELECT ON nosuch.a.b TO joe",
  "CALL nosuch.a.b()",
];

describe("DESCRIBE INPUT", () => {
  test("a parameter has the type that its place makes of it, or none", async () => {
    expect(await described("INPUT", "SELECT ?, n_name FROM nation WHERE n_nationkey = ? AND n_name < ? LIMIT ?")).toEqual([
      [0, "unknown"],
      [1, "bigint"],
      [2, "varchar(25)"],
      [3, "bigint"],
    ]);
  });

  test("in subqueries, and in statements that write, too", async () => {
    const nested = "DELETE FROM memory.default.t WHERE a IN (SELECT max(n_nationkey) FROM nation WHERE n_regionkey < ?) OR b = ?";
    expect(await described("INPUT", nested)).toEqual([
      [0, "bigint"],
      [1, "varchar(5)"],
    ]);
    expect(await described("INPUT", "UPDATE memory.default.t SET a = ?")).toEqual([[0, "bigint"]]);
    expect(await described("INPUT", "INSERT INTO memory.default.t SELECT n_nationkey + ?, 'x' FROM nation OFFSET ? ROWS")).toEqual([
      [0, "bigint"],
      [1, "bigint"],
    ]);
  });

  test("without parameters there is nothing to say", async () => {
    expect(await described("INPUT", "SHOW CATALOGS")).toEqual([]);
  });
});

describe("DESCRIBE OUTPUT", () => {
  test("columns of tables are distinguished from others, through joins and subqueries", async () => {
    const from = "FROM nation n JOIN (SELECT r_regionkey AS k, r_name FROM region) r ON n.n_regionkey = r.k";
    expect(await described("OUTPUT", `SELECT n.n_nationkey, k, r_name AS r_name, 1 + k, ?, count(*) OVER () AS c ${from}`)).toEqual([
      ["n_nationkey", "tpch", "sf1", "nation", "bigint", 8, false],
      ["k", "tpch", "sf1", "region", "bigint", 8, true],
      ["r_name", "tpch", "sf1", "region", "varchar(25)", 0, true],
      ["_col3", "", "", "", "bigint", 8, false],
      ["_col4", "", "", "", "unknown", 0, false],
      ["c", "", "", "", "bigint", 8, true],
    ]);
    expect(await described("OUTPUT", "SELECT n_name FROM nation UNION SELECT r_name FROM region")).toEqual([
      ["n_name", "", "", "", "varchar(25)", 0, true],
    ]);
  });

  test("statements that write give the count of their rows; what defines gives nothing", async () => {
    expect(await described("OUTPUT", "INSERT INTO memory.default.t SELECT ?, ?")).toEqual([["rows", "", "", "", "bigint", 8, false]]);
    expect(await described("OUTPUT", "DROP TABLE memory.default.t")).toEqual([]);
  });

  test("what defines answers from its text, whatever the catalogs hold", async () => {
    for (const sql of definitions) {
      expect(await described("OUTPUT", sql), sql).toEqual([]);
      expect(await described("INPUT", sql), sql).toEqual([]);
    }
    expect(await described("OUTPUT", "EXPLAIN DROP TABLE nosuch.a.b")).toEqual([["Query Plan", "", "", "", "varchar", 0, true]]);
  });

  test("a MERGE is described as other statements that write", async () => {
    const sql = "MERGE INTO memory.default.t USING nation n ON a = n_nationkey AND n_name < ? WHEN MATCHED AND ? THEN UPDATE SET b = ?";
    expect(await described("OUTPUT", sql)).toEqual([["rows", "", "", "", "bigint", 8, false]]);
    expect(await described("INPUT", `${sql} WHEN NOT MATCHED THEN INSERT (b) VALUES (?)`)).toEqual([
      [0, "varchar(25)"],
      [1, "boolean"],
      [2, "varchar(5)"],
      [3, "varchar(5)"],
    ]);
  });
});

test("an INSERT into a table that is not there has neither input nor output", async () => {
  const missing = { errorName: "TABLE_NOT_FOUND", message: "line 1:1: Table 'memory.default.nope' does not exist" };
  await expect(described("INPUT", "INSERT INTO memory.default.nope VALUES (?)")).rejects.toMatchObject(missing);
  await expect(described("OUTPUT", "INSERT INTO memory.default.nope VALUES (?)")).rejects.toMatchObject(missing);
});

test("EXPLAIN (TYPE IO) tells what the filter leaves of each column", async () => {
  const constraintsOf = async (where: string): Promise<unknown> => {
    const { inputTableColumnInfos } = JSON.parse(await explain(`SELECT * FROM orders WHERE ${where}`, "(TYPE IO)")) as {
      inputTableColumnInfos: { columnConstraints: { columnName: string; type: string; domain: object }[] }[];
    };
    return inputTableColumnInfos.flatMap(({ columnConstraints }) =>
      columnConstraints.map(({ columnName, type, domain }) => [columnName, type, domain]),
    );
  };
  const one = (value: string) => ({ low: { value, bound: "EXACTLY" }, high: { value, bound: "EXACTLY" } });
  const ranges = (...all: readonly object[]) => ({ nullsAllowed: false, ranges: all });
  expect(await constraintsOf("o_orderkey = 3")).toEqual([["o_orderkey", "bigint", ranges(one("3"))]]);
  expect(await constraintsOf("o_orderkey IN (7, 3, 3) AND o_orderstatus = 'F'")).toEqual([
    ["o_orderkey", "bigint", ranges(one("3"), one("7"))],
    ["o_orderstatus", "varchar(1)", ranges(one("F"))],
  ]);
  expect(await constraintsOf("o_orderdate >= DATE '1995-01-01' AND o_orderdate < DATE '1996-01-01'")).toEqual([
    ["o_orderdate", "date", ranges({ low: { value: "1995-01-01", bound: "EXACTLY" }, high: { value: "1996-01-01", bound: "BELOW" } })],
  ]);
  expect(await constraintsOf("o_custkey > 5 OR o_custkey IS NULL OR 2 > o_custkey")).toEqual([
    [
      "o_custkey",
      "bigint",
      {
        nullsAllowed: true,
        ranges: [
          { low: { bound: "ABOVE" }, high: { value: "2", bound: "BELOW" } },
          { low: { value: "5", bound: "ABOVE" }, high: { bound: "BELOW" } },
        ],
      },
    ],
  ]);
  expect(await constraintsOf("o_custkey BETWEEN 3 AND 8 OR o_custkey = 8 OR o_custkey > 9")).toEqual([
    [
      "o_custkey",
      "bigint",
      ranges(
        { low: { value: "3", bound: "EXACTLY" }, high: { value: "8", bound: "EXACTLY" } },
        { low: { value: "9", bound: "ABOVE" }, high: { bound: "BELOW" } },
      ),
    ],
  ]);
  expect(await constraintsOf("o_custkey <= 8 OR o_custkey = 8 OR o_custkey >= 8")).toEqual([
    ["o_custkey", "bigint", ranges({ low: { bound: "ABOVE" }, high: { bound: "BELOW" } })],
  ]);
  expect(await constraintsOf("o_custkey IS NOT NULL AND o_custkey > 3 AND o_custkey < 2")).toEqual([["o_custkey", "bigint", ranges()]]);
  expect(await constraintsOf("o_custkey = o_orderkey OR o_comment LIKE 'a%'")).toEqual([]);
});

test("EXPLAIN (TYPE IO) names each table once, and the one that is written", async () => {
  const read = JSON.parse(await explain("SELECT * FROM nation a, nation b, region", "(TYPE IO)")) as {
    inputTableColumnInfos: { table: unknown; estimate: { outputRowCount: number } }[];
  };
  expect(read.inputTableColumnInfos).toHaveLength(2);
  expect(read.inputTableColumnInfos).toContainEqual(
    expect.objectContaining({ table: { catalog: "tpch", schemaTable: { schema: "sf1", table: "nation" } } }),
  );
  const { estimate } = JSON.parse(await explain("SELECT n_name FROM nation", "(TYPE IO)")) as { estimate: Record<string, unknown> };
  // Rows are read, sent to the coordinator and received there.
  const { cpuCost, networkCost } = estimate;
  expect(estimate).toMatchObject({ outputRowCount: 25, outputSizeInBytes: networkCost, maxMemory: 0 });
  expect(cpuCost).toBe(2 * Number(networkCost));
  const written = JSON.parse(await explain("INSERT INTO memory.default.t SELECT n_nationkey, 'x' FROM nation", "(TYPE IO)")) as unknown;
  expect(written).toMatchObject({ outputTable: { catalog: "memory", schemaTable: { schema: "default", table: "t" } } });
});

test("EXPLAIN of what defines repeats it, whatever the catalogs hold", async () => {
  for (const sql of definitions) {
    const text = printStatement(parseStatement(sql));
    for (const options of ["", "(TYPE LOGICAL)", "(TYPE IO)", "(FORMAT JSON)"]) {
      expect(await explain(sql, options), sql).toBe(text);
    }
    expect((await planQueryText(`EXPLAIN (TYPE VALIDATE) ${sql}`)).plan.fragments[0]?.root, sql).toBeDefined();
    await expect(planQueryText(`EXPLAIN ANALYZE ${sql}`)).rejects.toMatchObject({
      errorName: "NOT_SUPPORTED",
      message: `EXPLAIN ANALYZE doesn't support statement type: ${parseStatement(sql).kind}`,
    });
  }
});
