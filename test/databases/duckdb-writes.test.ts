/** Changes of a file of DuckDB. What the file then has, the library itself says once the cluster has closed it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { startServer } from "../support/programs/server-process.ts";
import { randomColumnsOfEngine, randomValuesOfEngine } from "./random-rows.ts";
import { checkStagedChanges } from "./staged-changes.ts";
import { checkColumnAttributes } from "./column-attributes.ts";
import { checkChanges, checkComputed, checkRaces, checkRefusals } from "./row-changes.ts";

const everything = `true AS c_bool, TINYINT '-128' AS c_tiny, SMALLINT '2' AS c_small, 3 AS c_int, BIGINT '-9223372036854775808' AS c_big,
  REAL '1.1' AS c_real, 0.1e0 AS c_double, DECIMAL '-12.30' AS c_num, DECIMAL '12345678901234567890123456789012345.678' AS c_long,
  'it''s \\ "x" 😀' AS c_text, CAST('c' AS char(3)) AS c_char, X'00ff10' AS c_blob, DATE '0044-03-15' AS c_date,
  TIME '23:59:59.123456' AS c_time, TIMESTAMP '1000-01-01 00:00:00' AS c_s, TIMESTAMP '1999-12-31 23:59:59.123' AS c_ms,
  TIMESTAMP '0002-02-03 04:05:06.123456' AS c_ts, TIMESTAMP '2024-01-31 12:00:00.123456789' AS c_ns,
  TIMESTAMP '2024-06-01 10:00:00.5 +02:00' AS c_tz,
  UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS c_uuid, 
  JSON '{"b":[1,"x"]}' AS c_json,
  ARRAY[1, NULL] AS c_list, ARRAY[ARRAY[DOUBLE 'NaN', -0e0], NULL] AS c_lists,
  MAP(ARRAY['k"', 'n'], ARRAY[DECIMAL '1.25', NULL]) AS c_map,
  CAST(ROW(9007199254740993, ARRAY['x"', NULL]) AS row(a bigint, "B c" array(varchar))) AS c_row, CAST(MAP() AS map(integer, varchar)) AS c_none`;
const plain = `c_bool, c_tiny, c_small, c_int, c_big, c_real, c_double, c_num, c_long, c_text, c_char, c_blob, c_date, c_time,
  c_s, c_ms, c_ts, c_ns, epoch_us(c_tz), c_uuid, c_json`;
const byDuckdb =
  `true,-128,2,3,-9223372036854775808,1.1,0.1,-12.30,12345678901234567890123456789012345.678,it's \\ "x" 😀,c  ,` +
  `\\x00\\xFF\\x10,0044-03-15,23:59:59.123456,1000-01-01 00:00:00,1999-12-31 23:59:59.123,0002-02-03 04:05:06.123456,2024-01-31 12:00:00.123456789,` +
  `1717228800500000,12151fd2-7586-11e9-8f9e-2a86e4085a59,{"b":[1,"x"]}`;

/** Rows that are staged or stored. */
const staged = "SELECT * FROM TABLE(duck.system.query(query => 'SELECT sum(estimated_size)::BIGINT FROM duckdb_tables()'))";

let folder: string;
let events: string[];
let file: string;
let cluster: Cluster | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-duckdb-writes-"));
  file = join(folder, "shop.duckdb");
  events = [];
  cluster = await withCluster({
    workers: 2,
    http: false,
    onLog: ({ event }) => events.push(event),
    properties: { "retry-policy": "QUERY", "retry-initial-delay": "1ms", "exchange.max-response-size": "64kB" },
    catalogs: {
      duck: { "connector.name": "duckdb", "duckdb.file": file, "duckdb.access-mode": "read_write", "write.batch-size": "500" },
      memory: { "connector.name": "memory" },
      tpch: { "connector.name": "tpch", "tpch.column-naming": "STANDARD" },
    },
  });
});

afterEach(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await cluster?.query(sql))?.rows ?? [];
const failureOf = (sql: string): Promise<string> =>
  rowsOf(sql).then(
    () => "no error",
    (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
  );

/** Rows of the library itself; the cluster ends before. */
async function libraryRows(...statements: readonly string[]): Promise<readonly unknown[]> {
  await cluster?.close();
  cluster = undefined;
  const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const results = [];
  for (const sql of statements) {
    results.push((await connection.runAndReadAll(sql)).getRowsJson());
  }
  connection.closeSync();
  instance.closeSync();
  return results;
}

it("has tables with values of all types, of which the library and the connector read the same", async () => {
  // Connections that are opened at the same time find one database for staged rows.
  await Promise.all(Array.from({ length: 6 }, () => rowsOf(staged)));
  expect((await cluster?.query(`CREATE TABLE duck.main.written COMMENT 'all' AS SELECT ${everything}`))?.updateCount).toBe(1);
  await rowsOf("INSERT INTO duck.main.written (c_int) VALUES 7");
  // Rows without nested columns are written in another form.
  await rowsOf(`CREATE TABLE duck.main.plain AS SELECT ${plain.replace("epoch_us(c_tz)", "c_tz")} FROM (SELECT ${everything})`);
  await rowsOf("INSERT INTO duck.main.plain (c_text) VALUES ''");
  const given = await rowsOf(`SELECT * FROM (SELECT ${everything})`);
  const [found = []] = await rowsOf("SELECT * FROM duck.main.written WHERE c_int = 3");
  // Instants are kept without their zones, and texts without a length.
  expect(found.filter((_, index) => index !== 18)).toEqual(given[0]?.filter((_, index) => index !== 18));
  expect(await rowsOf("SELECT count(*) FROM duck.main.written WHERE c_tz = TIMESTAMP '2024-06-01 08:00:00.5 UTC'")).toEqual([[1n]]);
  expect(await failureOf("CREATE TABLE duck.main.ip AS SELECT IPADDRESS '10.0.0.1' AS a")).toContain("Unsupported column type: ipaddress");
  expect(await failureOf("INSERT INTO duck.main.written (c_date) VALUES DATE '-0043-03-15'")).toContain("out of the range");
  await rowsOf("CREATE TABLE duck.main.orders AS SELECT * FROM tpch.tiny.orders");
  await rowsOf("CREATE TABLE IF NOT EXISTS duck.main.orders AS SELECT 1 AS x");
  expect((await cluster?.query("INSERT INTO duck.main.orders SELECT * FROM duck.main.orders WHERE o_orderkey < 100"))?.updateCount).toBe(
    27,
  );
  const plan = (await rowsOf("EXPLAIN INSERT INTO duck.main.orders SELECT * FROM tpch.tiny.orders")).join("\n");
  expect(plan).toMatch(/Fragment 0 [^]*TableWriter[^]*RemoteSource\[1\][^]*Fragment 1 /);
  const sums = "SELECT count(*), sum(o_orderkey), sum(o_totalprice), count(DISTINCT o_comment) FROM duck.main.orders";
  const [[count, keys] = []] = await rowsOf(sums);
  const [
    [text] = [],
    [plainText] = [],
    [empty] = [],
    [numbers] = [],
    [[lists = []] = []] = [],
    [[comment = ""] = []] = [],
    totals,
    tables,
  ] = (await libraryRows(
    `SELECT concat_ws(',', ${plain}) FROM written WHERE c_int = 3`,
    `SELECT concat_ws(',', ${plain}) FROM plain WHERE c_int = 3`,
    "SELECT c_text, c_int FROM plain WHERE c_int IS NULL",
    "SELECT count(*), count(c_text) FROM written",
    "SELECT [c_list::VARCHAR, c_lists::VARCHAR, c_map::VARCHAR, c_row::VARCHAR, c_none::VARCHAR] FROM written WHERE c_int = 3",
    "SELECT comment FROM duckdb_tables() WHERE table_name = 'written'",
    "SELECT count(*), sum(o_orderkey) FROM orders",
    "SELECT database_name, table_name FROM duckdb_tables() ORDER BY 2",
  )) as unknown[][][];
  expect(text).toEqual([byDuckdb]);
  expect([plainText, empty]).toEqual([[byDuckdb], ["", null]]);
  expect(numbers).toEqual(["2", "1"]);
  expect(lists).toEqual(["[1, NULL]", "[[nan, -0.0], NULL]", `{'k"'=1.25, n=NULL}`, "{'a': 9007199254740993, 'B c': ['x\"', NULL]}", "{}"]);
  expect(comment).toBe("all");
  expect(totals).toEqual([[String(count), String(keys)]]);
  expect(tables).toEqual([
    ["shop", "orders"],
    ["shop", "plain"],
    ["shop", "written"],
  ]);
});

it("changes rows one by one where no statement of DuckDB would do", async () => {
  await rowsOf("CREATE SCHEMA duck.s");
  await checkStagedChanges({ cluster: cluster as Cluster, table: "duck.s.merged", twin: "memory.default.merged" }, () =>
    rowsOf("CALL duck.system.execute('ALTER TABLE s.merged ADD PRIMARY KEY (id)')"),
  );
  expect(await rowsOf("EXPLAIN DELETE FROM duck.s.merged WHERE id % 2 = 0").catch((error: Error) => error.message)).toContain(
    "does not exist",
  );
  expect(await rowsOf(staged)).toEqual([[null]]);
});

it("changes rows, columns, tables and schemas", async () => {
  await rowsOf("CREATE SCHEMA duck.s");
  expect(await failureOf("CREATE SCHEMA duck.s")).toContain("SCHEMA_ALREADY_EXISTS");
  await rowsOf(`CREATE TABLE duck.s.texts (${randomColumnsOfEngine})`);
  await rowsOf(`INSERT INTO duck.s.texts VALUES ${randomValuesOfEngine(60, 5)}`);
  await rowsOf(`CREATE TABLE duck.s.changed (${randomColumnsOfEngine})`);
  const reset = async (): Promise<void> => {
    await rowsOf("TRUNCATE TABLE duck.s.changed");
    await rowsOf("INSERT INTO duck.s.changed SELECT * FROM duck.s.texts");
  };
  expect(await checkChanges({ cluster: cluster as Cluster, table: "duck.s.changed", reset }, 8, 5)).toBeGreaterThan(3);
  await reset();
  await checkRefusals(cluster as Cluster, "duck.s.changed");
  await checkComputed(cluster as Cluster, "duck.s");
  expect((await rowsOf("EXPLAIN DELETE FROM duck.s.changed WHERE id = 3")).join()).toContain('DELETE FROM "s"."changed" WHERE');
  expect((await cluster?.query("DELETE FROM duck.s.changed"))?.updateCount).toBe(60);
  for (const statement of [
    "ALTER TABLE duck.s.changed ADD COLUMN extra array(bigint) COMMENT 'new'",
    "ALTER TABLE duck.s.changed RENAME COLUMN extra TO more",
    "ALTER TABLE duck.s.changed DROP COLUMN v",
    "ALTER TABLE duck.s.changed RENAME TO duck.s.renamed",
    "COMMENT ON TABLE duck.s.renamed IS 'it''s'",
    "COMMENT ON COLUMN duck.s.renamed.id IS 'key'",
    "DROP TABLE duck.s.texts",
  ]) {
    expect(await failureOf(statement), statement).toBe("no error");
  }
  await rowsOf("CALL duck.system.execute(query => 'CREATE SEQUENCE s.numbers START 7')");
  await rowsOf("CALL duck.system.execute('CREATE TABLE s.numbered AS SELECT nextval(''s.numbers'') AS n')");
  expect(await rowsOf("SELECT n FROM duck.s.numbered")).toEqual([[7n]]);
  expect(await failureOf("CALL duck.system.execute('ATTACH ''elsewhere.duckdb''')")).toContain("JDBC_ERROR: ");
  await rowsOf("DROP TABLE duck.s.numbered");
  await rowsOf("CALL duck.system.execute('DROP SEQUENCE s.numbers')");
  await checkColumnAttributes({ cluster: cluster as Cluster, schema: "duck.s", changesNullability: true });
  expect((await rowsOf("DESCRIBE duck.s.renamed")).filter(([name]) => name === "id" || name === "more" || name === "v")).toEqual([
    ["id", "integer", "", "key"],
    ["more", "array(bigint)", "", "new"],
  ]);
  expect(await failureOf("DROP SCHEMA duck.s")).toContain("SCHEMA_NOT_EMPTY");
  await checkRaces(cluster as Cluster, "duck.s");
  // A table that comes while another statement fills one of the same name.
  expect(await failureOf("CREATE TABLE duck.s.renamed AS SELECT 1 AS x")).toContain("TABLE_ALREADY_EXISTS");
  await rowsOf("DROP TABLE duck.s.renamed");
  await rowsOf("CREATE TABLE duck.s.last AS SELECT 1 a");
  await rowsOf("DROP SCHEMA duck.s CASCADE");
  expect(await libraryRows("SELECT table_name FROM duckdb_tables()")).toEqual([[]]);
});

it("writes each row once when a worker dies, and nothing when the statement fails", async () => {
  await rowsOf("CREATE TABLE duck.main.t (c_custkey bigint, c_nationkey bigint)");
  await rowsOf("CALL duck.system.execute('ALTER TABLE t ADD PRIMARY KEY (c_custkey)')");
  await rowsOf("INSERT INTO duck.main.t VALUES (7, 100), (-7, 100)");
  // The last of its rows are still there when it dies.
  cluster?.slow("worker-1", { delayMs: 200 });
  const writing = cluster?.query(`MERGE INTO duck.main.t AS t USING tpch.sf1.customer AS s ON t.c_custkey = s.c_custkey
    WHEN MATCHED THEN UPDATE SET c_nationkey = t.c_nationkey + 1 WHEN NOT MATCHED THEN INSERT VALUES (s.c_custkey, s.c_nationkey)`);
  await expect.poll(async () => Number((await rowsOf(staged))[0]?.[0]), { interval: 5 }).toBeGreaterThan(1_000);
  await cluster?.kill("worker-1");
  const { updateCount } = (await writing) ?? {};
  expect(updateCount).toBe(150_000);
  expect(events).toContain("query-attempt-lost");
  expect(await failureOf("INSERT INTO duck.main.t SELECT o_orderkey, o_orderkey / (o_orderkey - 7) FROM tpch.tiny.orders")).toContain(
    "DIVISION_BY_ZERO",
  );
  const [[counts] = [], tables] = (await libraryRows(
    "SELECT count(*) - 1, count(DISTINCT c_custkey) - 1, max(c_nationkey) FROM t",
    "SELECT table_name FROM duckdb_tables()",
  )) as unknown[][][];
  expect(counts).toEqual([String(updateCount), String(updateCount), "101"]);
  expect(tables).toEqual([["t"]]);
});

it("is of one process, whose death leaves nothing half", async () => {
  await rowsOf("CREATE TABLE duck.main.kept AS SELECT 1 AS x");
  await cluster?.close();
  cluster = undefined;
  const etc = join(folder, "etc");
  mkdirSync(join(etc, "catalog"), { recursive: true });
  writeFileSync(
    join(etc, "catalog", "duck.properties"),
    `connector.name=duckdb\nduckdb.file=${file}\nduckdb.access-mode=READ_WRITE\nwrite.batch-size=10000\n`,
  );
  writeFileSync(join(etc, "catalog", "tpch.properties"), "connector.name=tpch\n");
  const server = await startServer(["--etc", etc, "--workers", "1", "--port", "0"]);
  const headers = { "x-trino-user": "ann" };
  const post = async (sql: string): Promise<{ nextUri?: string; data?: unknown[] }> =>
    (await (await fetch(`${server.uri}/v1/statement`, { method: "POST", body: sql, headers })).json()) as { nextUri?: string };
  const read = async (sql: string): Promise<unknown[]> => {
    let answer = await post(sql);
    const rows = [];
    while (answer.nextUri !== undefined) {
      answer = (await (await fetch(answer.nextUri, { headers })).json()) as typeof answer;
      rows.push(...(answer.data ?? []));
    }
    return rows;
  };
  await post("CREATE TABLE duck.main.half AS SELECT orderkey FROM tpch.sf1.lineitem");
  await expect.poll(async () => Number(((await read(staged))[0] as unknown[])[0]), { interval: 5 }).toBeGreaterThan(10_000);
  expect(await read("SELECT * FROM duck.main.kept")).toEqual([[1]]);
  await expect(DuckDBInstance.create(file, { access_mode: "READ_ONLY" })).rejects.toThrow(/lock/i);
  server.kill("SIGKILL");
  await server.ended;
  expect(await libraryRows("SELECT table_name FROM duckdb_tables()", "SELECT x FROM kept")).toEqual([[["kept"]], [[1]]]);
});
