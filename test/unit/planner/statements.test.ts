/**
 * Statements other than queries: their columns, rows and effects.
 */
import { describe, expect, test } from "vitest";
import type { FragmentedPlan } from "../../../src/planner/fragmenter/fragment.ts";
import { runDataDefinition } from "../../../src/planner/statements/definition/data-definition.ts";
import { withWriteHandle } from "../../../src/planner/statements/write/write.ts";
import { displayType } from "../../../src/types/type.ts";
import { contextFor, explain, plan, planQueryText } from "./tpch-catalog.ts";

async function columns(sql: string): Promise<readonly string[]> {
  return (await planQueryText(sql)).columns.map((column) => `${column.name}: ${displayType(column.type)}`);
}

async function rows(sql: string): Promise<readonly (readonly unknown[])[]> {
  const { plan: fragments } = await planQueryText(sql);
  expect(fragments.fragments).toHaveLength(1);
  const root = fragments.fragments[0]?.root;
  const values = root?.kind === "Output" ? root.source : undefined;
  return values?.kind === "Values" ? values.rows.map((row) => row.map((cell) => (cell.kind === "constant" ? cell.value : cell))) : [];
}

function partitionings(plan: FragmentedPlan): readonly string[] {
  return plan.fragments.map((fragment) => `${fragment.partitioning} -> ${fragment.outputPartitioning.kind}`);
}

describe("result columns", () => {
  test("names keep the alias's spelling; computed columns are numbered by position", async () => {
    expect(await columns('SELECT n_nationkey AS Key, N_NAME, 1 + 1, n."n_name" FROM nation n')).toEqual([
      "Key: bigint",
      "N_NAME: varchar(25)",
      "_col2: integer",
      "n_name: varchar(25)",
    ]);
  });

  test("a star leaves hidden columns out, which can be named all the same", async () => {
    expect(await columns("SELECT * FROM region")).toEqual(["r_regionkey: bigint", "r_name: varchar(25)", "r_comment: varchar(152)"]);
    expect(await columns('SELECT "$row" FROM region')).toEqual(["$row: bigint"]);
  });

  test("literals have Presto's types", async () => {
    expect(
      await columns("SELECT 1, 2147483648, 1.10, .5, 1e0, 'héé', X'00', NULL, DECIMAL '00123.40', TIMESTAMP '2020-01-01 00:00:00.12'"),
    ).toEqual([
      "_col0: integer",
      "_col1: bigint",
      "_col2: decimal(3,2)",
      "_col3: decimal(1,1)",
      "_col4: double",
      "_col5: varchar(3)",
      "_col6: varbinary",
      "_col7: unknown",
      "_col8: decimal(7,2)",
      "_col9: timestamp(2)",
    ]);
  });

  test("conditional forms take the common type", async () => {
    expect(
      await columns("SELECT IF(true, 1, 2.5), COALESCE(NULL, 1, BIGINT '2'), NULLIF(1, 2), CASE WHEN true THEN 'a' ELSE 'bcd' END"),
    ).toEqual(["_col0: decimal(11,1)", "_col1: bigint", "_col2: integer", "_col3: varchar(3)"]);
  });

  test("NATURAL joins on the columns that both sides name", async () => {
    expect(await columns("SELECT * FROM (VALUES (1, 2)) a (x, k) NATURAL JOIN (VALUES (2, 3)) b (k, y)")).toEqual([
      "k: integer",
      "x: integer",
      "y: integer",
    ]);
  });

  test("USING gives the column once, first", async () => {
    expect(await columns("SELECT * FROM (VALUES (1, 2)) a (x, k) JOIN (VALUES (2, 3)) b (k, y) USING (k)")).toEqual([
      "k: integer",
      "x: integer",
      "y: integer",
    ]);
  });
});

describe("SHOW and friends", () => {
  test("each has its column", async () => {
    expect(await rows("SHOW CATALOGS")).toEqual([["memory"], ["tpch"]]);
    expect(await columns("SHOW CATALOGS")).toEqual(["Catalog: varchar(6)"]);
    expect(await rows("SHOW SCHEMAS FROM memory LIKE 'd%'")).toEqual([["default"]]);
    expect(await rows("SHOW TABLES LIKE 'part%'")).toEqual([["part"], ["partsupp"]]);
    expect(await rows("SHOW TABLES LIKE 'part$%' ESCAPE '$'")).toEqual([]);
    expect(await rows("DESCRIBE region")).toEqual([
      ["r_regionkey", "bigint", "", ""],
      ["r_name", "varchar(25)", "", ""],
      ["r_comment", "varchar(152)", "", ""],
    ]);
    expect(await columns("SHOW FUNCTIONS")).toContain("Deterministic: boolean");
    expect((await rows("SHOW SESSION")).map((row) => row[0])).toContain("join_distribution_type");
  });

  test("session properties are checked for their type", async () => {
    expect((await rows("SHOW SESSION LIKE 'query%'")).map((row) => row.slice(0, 4))).toEqual([
      ["query_max_cpu_time", "1000000000.00d", "1000000000.00d", "varchar"],
      ["query_max_execution_time", "100.00d", "100.00d", "varchar"],
      ["query_max_memory", "20GB", "20GB", "varchar"],
      ["query_max_run_time", "100.00d", "100.00d", "varchar"],
      ["query_max_scan_physical_bytes", "", "", "varchar"],
      ["query_max_stage_count", "100", "100", "integer"],
      ["query_max_total_memory", "40GB", "40GB", "varchar"],
      ["query_priority", "1", "1", "integer"],
    ]);
    await expect(plan("SET SESSION query_max_run_time = 'soon'")).rejects.toMatchObject({
      errorName: "INVALID_SESSION_PROPERTY",
      message: "line 1:1: query_max_run_time is invalid: duration is not a valid data duration string: soon",
    });
    await expect(plan("SET SESSION hash_partition_count = 0")).rejects.toMatchObject({ errorName: "INVALID_SESSION_PROPERTY" });
  });

  test("EXPLAIN validates, shows logical and distributed plans", async () => {
    expect(await rows("EXPLAIN (TYPE VALIDATE) SELECT 1")).toEqual([[true]]);
    expect(await explain("SELECT count(*) FROM nation", "(TYPE LOGICAL)")).toContain("- Aggregate => [count:bigint]");
    expect(await explain("SELECT count(*) FROM nation")).toContain("Fragment 1 [SOURCE]");
  });
});

describe("where fragments run", () => {
  test("a query without tables is one fragment on the coordinator", async () => {
    expect(partitionings((await planQueryText("SELECT 1")).plan)).toEqual(["COORDINATOR -> SINGLE"]);
    expect(partitionings((await planQueryText("SELECT a, count(*) FROM (VALUES 1, 2) t (a) GROUP BY a ORDER BY 1")).plan)).toHaveLength(1);
  });

  test("system tables are read on the coordinator", async () => {
    expect(partitionings((await planQueryText("SELECT * FROM memory.runtime.nodes")).plan)).toEqual(["COORDINATOR -> SINGLE"]);
  });

  test("a join of a system table and a large one sends the former", async () => {
    const { plan: fragments } = await planQueryText("SELECT count(*) FROM lineitem, memory.runtime.nodes WHERE l_comment = node_id");
    expect(partitionings(fragments)).toEqual(expect.arrayContaining(["COORDINATOR -> HASH"]));
    const { plan: product } = await planQueryText("SELECT count(*) FROM lineitem, memory.runtime.nodes WHERE l_comment < node_id");
    expect(partitionings(product)).toEqual(expect.arrayContaining(["COORDINATOR -> BROADCAST"]));
  });

  test("a union of tables is spread over one stage", async () => {
    const sql = "SELECT k, count(*) FROM (SELECT n_nationkey k FROM nation UNION ALL SELECT r_regionkey FROM region) GROUP BY k";
    expect(partitionings((await planQueryText(sql)).plan)).toEqual([
      "COORDINATOR -> SINGLE",
      "HASH -> SINGLE",
      "SOURCE -> HASH",
      "SOURCE -> HASH",
    ]);
  });

  test("the session decides how joins are distributed", async () => {
    const sql = "SELECT count(*) FROM nation JOIN region ON n_regionkey = r_regionkey";
    const text = (type: string) => explain(sql, "", { properties: { join_distribution_type: type } });
    expect(await text("PARTITIONED")).toContain("Distribution: PARTITIONED");
    expect(await text("AUTOMATIC")).toContain("Distribution: REPLICATED");
  });
});

describe("what would not fit", () => {
  test("a plan that doubles with each WITH query is refused", async () => {
    const doubled = Array.from({ length: 24 }, (_, i) => `, a${i + 1} AS (SELECT p.x FROM a${i} p, a${i} q)`).join("");
    await expect(plan(`WITH a0 AS (SELECT 1 x)${doubled} SELECT * FROM a24`)).rejects.toThrow("Plan has more than 100000 nodes");
  });

  test("so is one of too many stages", async () => {
    const branches = Array.from({ length: 101 }, () => "SELECT l_orderkey FROM lineitem").join(" UNION ALL ");
    await expect(plan(branches)).rejects.toThrow("Number of stages in the query (102) exceeds the allowed maximum (100)");
  });
});

describe("writes and definitions", () => {
  test("CREATE TABLE keeps a comment where the connector can", async () => {
    await expect(plan("CREATE TABLE memory.default.x (a bigint) COMMENT 'c'")).rejects.toMatchObject({
      errorName: "NOT_SUPPORTED",
      message: "line 1:1: This connector does not support creating tables with table comment",
    });
  });

  test("CREATE TABLE AS writes where the rows are and finishes on the coordinator", async () => {
    const planned = await planQueryText("CREATE TABLE memory.default.x AS SELECT n_name, count(*) AS c FROM nation GROUP BY n_name");
    expect(planned.updateType).toBe("CREATE TABLE");
    expect(planned.write?.target.columns.map((column) => column.name)).toEqual(["n_name", "c"]);
    expect(partitionings(planned.plan)).toEqual(["COORDINATOR -> SINGLE", "HASH -> SINGLE", "SOURCE -> HASH"]);
    const text = JSON.stringify(withWriteHandle(planned.plan, { created: true }));
    expect(text.match(/"handle":\{"created":true\}/g)).toHaveLength(2);
  });

  test("INSERT casts to the table's types and fills columns left out with NULL", async () => {
    const planned = await planQueryText("INSERT INTO memory.default.t (b) VALUES 'x'");
    expect(planned.updateType).toBe("INSERT");
    expect(partitionings(planned.plan)).toEqual(["COORDINATOR -> SINGLE", "SINGLE -> SINGLE"]);
    const writer = planned.plan.fragments[1]?.root;
    expect(writer?.kind === "TableWriter" && writer.inputs.map((input) => displayType(input.type))).toEqual(["bigint", "varchar(5)"]);
  });

  test("IF EXISTS and IF NOT EXISTS find nothing to do", async () => {
    expect(await plan("DROP TABLE IF EXISTS memory.default.x")).toMatchObject({ definition: { action: "NONE" } });
    expect(await plan("CREATE TABLE IF NOT EXISTS memory.default.t (a bigint)")).toMatchObject({ definition: { action: "NONE" } });
    expect(await plan("CREATE SCHEMA memory.s")).toMatchObject({
      updateType: "CREATE SCHEMA",
      definition: { action: "CREATE_SCHEMA", schema: "s" },
    });
  });

  test("a definition runs", async () => {
    const planned = await plan("CREATE TABLE memory.default.x (a bigint, b varchar(5))");
    expect(planned).toMatchObject({ definition: { action: "CREATE_TABLE", columns: [{ name: "a" }, { name: "b" }] } });
    if (planned.kind === "dataDefinition") {
      await runDataDefinition(planned.definition, {
        ...contextFor(),
        catalogStore: undefined,
        statement: { queryId: "q", updateType: planned.updateType },
        query: { id: "q", onEnd: () => undefined },
      });
    }
  });
});

describe("the session", () => {
  test("USE, SET SESSION, RESET SESSION", async () => {
    expect(await plan("USE memory.DEFAULT")).toMatchObject({ change: { action: "USE", catalog: "memory", schema: "default" } });
    expect(await plan("SET SESSION join_distribution_type = 'broadcast'")).toMatchObject({ change: { value: "BROADCAST" } });
    expect(await plan("RESET SESSION join_distribution_type")).toMatchObject({ updateType: "RESET SESSION" });
  });

  test("prepared statements travel as text and take parameters", async () => {
    expect(await plan("PREPARE p FROM SELECT ? + 1")).toMatchObject({
      change: { action: "PREPARE", name: "p", sql: expect.stringContaining("?") },
    });
    const session = { preparedStatements: { p: "SELECT n_name FROM nation WHERE n_nationkey = ? LIMIT ?" } };
    expect((await planQueryText("EXECUTE p USING 3, 2", session)).columns).toHaveLength(1);
    expect((await planQueryText("EXECUTE IMMEDIATE 'SELECT ? + 1' USING 3")).columns).toHaveLength(1);
    await expect(plan("EXECUTE p USING 3", session)).rejects.toThrow("Incorrect number of parameters: expected 2 but found 1");
  });
});
