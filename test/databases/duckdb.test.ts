/** The connector of DuckDB, with files that the library itself has written. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { isInTurn } from "../support/programs/rotation.ts";
import { randomColumns, randomConditions, randomJoins, randomStatements, randomValues } from "./random-rows.ts";

const tpchTables = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];
const tpchFolder = join(import.meta.dirname, "../oracle/tpch");
const statements = `
  CREATE TABLE shown (a INTEGER, b VARCHAR); INSERT INTO shown VALUES (1, 'x'), (2, NULL);
  COMMENT ON TABLE shown IS 'of a table'; COMMENT ON COLUMN shown.a IS 'of a column';
  CREATE VIEW seen AS SELECT a, b FROM shown; CREATE SCHEMA other; CREATE TABLE other.Mixed (C INTEGER);
  CREATE TABLE types (c_bool BOOLEAN, c_tiny TINYINT, c_small SMALLINT, c_int INTEGER, c_big BIGINT, c_utiny UTINYINT, c_usmall USMALLINT,
    c_uint UINTEGER, c_ubig UBIGINT, c_huge HUGEINT, c_real FLOAT, c_double DOUBLE, c_num DECIMAL(10,2), c_long DECIMAL(38,5),
    c_text VARCHAR,
    c_enum ENUM('b', 'a'), c_blob BLOB, c_date DATE, c_time TIME, c_ts TIMESTAMP, c_s TIMESTAMP_S, c_ms TIMESTAMP_MS, c_ns TIMESTAMP_NS,
    c_tz TIMESTAMPTZ, c_uuid UUID, c_json JSON, c_list INTEGER[], c_interval INTERVAL,
    c_union UNION(n INTEGER, s VARCHAR));
  INSERT INTO types VALUES (true, -128, -32768, -2147483648, -9223372036854775808, 255, 65535, 4294967295, 18446744073709551615,
    -99999999999999999999999999999999999999::HUGEINT, 1.1, 0.1, -12345678.90, 123456789012345678901234567890123.45678, 'a''"čšž😀', 'a',
    '\\x00\\xFF\\x10'::BLOB, '2024-02-29', '23:59:59.123456', '1000-01-01 00:00:00.123456', '1999-12-31 23:59:59', '2024-01-31 12:00:00.5',
    '2024-01-31 12:00:00.123456789', '2024-06-01 12:00:00.5+02', '12151fd2-7586-11e9-8f9e-2a86e4085a59', '{"b": 1, "a": [1, 2]}', [1], INTERVAL 1 DAY, 3);
  INSERT INTO types (c_double) VALUES ('nan'), ('inf'), ('-inf'); UPDATE types SET c_real = c_double WHERE c_bool IS NULL;
  CREATE TABLE nocase (s VARCHAR COLLATE NOCASE); INSERT INTO nocase VALUES ('a'), ('A'), ('b');
  CREATE TABLE early (d DATE, t TIMESTAMP); INSERT INTO early VALUES ('0044-03-15 (BC)', '294247-01-10 04:00:54.775806');
  CREATE TABLE many AS SELECT i AS id, i % 7 AS k, 'n' || i AS name, (i / 8)::DECIMAL(18,3) AS price FROM range(5000) t(i);
  DELETE FROM many WHERE id % 10 = 3;
  CREATE TABLE deep (id INTEGER, l INTEGER[], ll DOUBLE[][], fixed INTEGER[3], s STRUCT(a BIGINT, "B c" VARCHAR[]),
    m MAP(VARCHAR, DECIMAL(10,2)), sm STRUCT(k DATE, v MAP(INTEGER, BLOB))[], e ENUM('a''b', 'c)')[], j JSON[], tz TIMESTAMPTZ[], u UNION(n INTEGER)[]);
  INSERT INTO deep (id, l, ll, fixed, s, m, sm, e, j, tz) VALUES (1, [1, NULL, 3], [[1.5::DOUBLE, 'nan'::DOUBLE, '-inf'::DOUBLE], [], NULL], [7, 8, NULL], {'a': 9007199254740993, 'B c': ['x"', NULL]},
    MAP {'k"': 1.25::DECIMAL(10,2), 'n': NULL}, [{'k': '2024-02-29', 'v': MAP {1: '\\x00\\xFF'::BLOB}}, NULL, {'k': NULL, 'v': NULL}], ['a''b', 'c)'], ['{"b": 1, "a": 2}', 'null', NULL],
    ['2024-06-01 12:00:00.5+02']), (2, [], [], NULL, {'a': NULL, 'B c': NULL}, MAP {}, [], [], [], []), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  INSERT INTO deep (id, l, m, s) SELECT i, [x FOR x IN range(i % 9) IF x <> i % 4], MAP([i::VARCHAR, 'k' || i], [i / 4, NULL]), {'a': i, 'B c': ['t' || i]} FROM range(4, 3000) t(i);
  CREATE TABLE texts (${randomColumns}); INSERT INTO texts VALUES ${randomValues(150, 7)};
`;

/** Maps and bytes as arrays; numbers that JSON does not write as texts. */
function shown(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Map) {
    return [...value];
  }
  return typeof value === "bigint" || (typeof value === "number" && !Number.isInteger(value)) ? String(value) : value;
}

describe("a catalog of DuckDB", () => {
  let folder: string;
  let file: string;
  let instance: DuckDBInstance;
  let duckdb: DuckDBConnection;
  let cluster: Cluster;

  const writing = async (path: string, work: (connection: DuckDBConnection) => Promise<void>): Promise<void> => {
    const writer = await DuckDBInstance.create(path);
    const connection = await writer.connect();
    await work(connection);
    connection.closeSync();
    writer.closeSync();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "orrery-duckdb-"));
    file = join(folder, "shop.duckdb");
    await writing(file, async (connection) => {
      await connection.run("SET TimeZone = 'UTC'");
      await connection.run(statements);
    });
    instance = await DuckDBInstance.create(":memory:");
    duckdb = await instance.connect();
    const catalog = { "connector.name": "duckdb", "duckdb.file": file };
    cluster = await withCluster({
      workers: 1,
      http: false,
      properties: { "catalog.management": "dynamic" },
      catalogs: {
        duck: catalog,
        small: { ...catalog, "duckdb.split-rows": "700", "duckdb.threads": "1" },
        texts: { ...catalog, "unsupported-type-handling": "CONVERT_TO_VARCHAR" },
        narrow: { ...catalog, "connection-pool.max-size": "1", "duckdb.threads": "1" },
        absent: { ...catalog, "duckdb.file": join(folder, "absent.duckdb") },
        tpch: { "connector.name": "tpch", "tpch.double-type-mapping": "decimal", "tpch.column-naming": "STANDARD" },
      },
    });
  });

  afterAll(async () => {
    await cluster?.close();
    duckdb?.closeSync();
    instance?.closeSync();
    rmSync(folder, { recursive: true });
  });

  const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await cluster.query(sql)).rows;
  const failureOf = (sql: string): Promise<string> =>
    cluster.query(sql).then(
      () => "no error",
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
    );
  const planOf = async (sql: string): Promise<string> => (await rowsOf(`EXPLAIN ${sql}`)).join("\n");

  it("lists schemas, tables and columns, with comments", async () => {
    expect(await rowsOf("SHOW SCHEMAS FROM duck")).toEqual([["information_schema"], ["main"], ["other"]]);
    expect(await rowsOf("SHOW TABLES FROM duck.main")).toEqual([
      ["deep"],
      ["early"],
      ["many"],
      ["nocase"],
      ["seen"],
      ["shown"],
      ["texts"],
      ["types"],
    ]);
    expect(await rowsOf("DESCRIBE duck.main.shown")).toEqual([
      ["a", "integer", "", "of a column"],
      ["b", "varchar", "", ""],
    ]);
    expect(await rowsOf("SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'duck' AND table_name = 'shown'")).toEqual(
      [["of a table"]],
    );
    expect(await rowsOf("SELECT * FROM duck.main.seen")).toEqual([
      [1, "x"],
      [2, null],
    ]);
    expect(await rowsOf("SELECT count(c) FROM duck.other.mixed")).toEqual([[0n]]);
    expect(await failureOf("SELECT * FROM duck.main.nothing")).toBe("TABLE_NOT_FOUND: line 1:15: Table 'duck.main.nothing' does not exist");
  });

  it("maps types, and reads every value of them", async () => {
    expect((await rowsOf("SELECT column_name, data_type FROM duck.information_schema.columns WHERE table_name = 'types'")).join("\n")).toBe(
      `c_bool,boolean c_tiny,tinyint c_small,smallint c_int,integer c_big,bigint c_utiny,smallint c_usmall,integer c_uint,bigint
       c_ubig,decimal(20,0) c_huge,decimal(38,0) c_real,real c_double,double c_num,decimal(10,2) c_long,decimal(38,5)
       c_text,varchar c_enum,varchar
       c_blob,varbinary c_date,date c_time,time(6) c_ts,timestamp(6) c_s,timestamp(0) c_ms,timestamp(3) c_ns,timestamp(9)
       c_tz,timestamp(6)|with|time|zone c_uuid,uuid c_json,json c_list,array(integer)`
        .split(/\s+/)
        .map((one) => one.replaceAll("|", " "))
        .join("\n"),
    );
    const [row, ...others] = await rowsOf("SELECT * FROM duck.main.types");
    expect(row?.map((value) => (value instanceof Uint8Array ? [...value] : typeof value === "bigint" ? String(value) : value))).toEqual([
      true,
      -128,
      -32_768,
      -2_147_483_648,
      "-9223372036854775808",
      255,
      65_535,
      "4294967295",
      "18446744073709551615",
      "-99999999999999999999999999999999999999",
      expect.closeTo(1.1, 6),
      0.1,
      "-12345678.90",
      "123456789012345678901234567890123.45678",
      "a'\"čšž😀",
      "a",
      [0, 255, 16],
      "2024-02-29",
      "23:59:59.123456",
      "1000-01-01 00:00:00.123456",
      "1999-12-31 23:59:59",
      "2024-01-31 12:00:00.500",
      "2024-01-31 12:00:00.123456789",
      "2024-06-01 10:00:00.500000 UTC",
      "12151fd2-7586-11e9-8f9e-2a86e4085a59",
      '{"a":[1,2],"b":1}',
      [1],
    ]);
    expect(others.map((one) => [one[10], one[11]])).toEqual([NaN, Infinity, -Infinity].map((value) => [value, value]));
    expect(await rowsOf("SELECT c_union, c_interval FROM texts.main.types LIMIT 1")).toEqual([["3", "1 day"]]);
    expect(await failureOf("SELECT d FROM duck.main.early")).toBe(
      "JDBC_ERROR: Value '0044-03-15 (BC)' of column 'd' is out of range of type date",
    );
  });

  it("reads nested types", async () => {
    expect((await rowsOf("DESCRIBE duck.main.deep")).map(([name, type]) => `${String(name)} ${String(type)}`)).toEqual([
      "id integer",
      "l array(integer)",
      "ll array(array(double))",
      "fixed array(integer)",
      's row(a bigint, "B c" array(varchar))',
      "m map(varchar, decimal(10,2))",
      "sm array(row(k date, v map(integer, varbinary)))",
      "e array(varchar)",
      "j array(json)",
      "tz array(timestamp(6) with time zone)",
    ]);
    const columns = "l, ll, fixed, s, m, sm, e, j, tz";
    const rows = await rowsOf(`SELECT ${columns} FROM duck.main.deep WHERE id < 4 ORDER BY id`);
    expect(JSON.parse(JSON.stringify(rows, (_key, value: unknown) => shown(value)))).toEqual([
      [
        [1, null, 3],
        [["1.5", "NaN", "-Infinity"], [], null],
        [7, 8, null],
        ["9007199254740993", ['x"', null]],
        [
          ['k"', "1.25"],
          ["n", null],
        ],
        [["2024-02-29", [[1, [0, 255]]]], null, [null, null]],
        ["a'b", "c)"],
        ['{"a":2,"b":1}', "null", null],
        ["2024-06-01 10:00:00.500000 UTC"],
      ],
      [[], [], null, [null, null], [], [], [], [], []],
      Array.from({ length: 9 }, () => null),
    ]);
    for (const [ours, theirs] of [
      [
        "SELECT sum(x), count(*) FROM duck.main.deep CROSS JOIN UNNEST(l) AS u (x)",
        "SELECT sum(x), count(*) FROM (SELECT unnest(l) AS x FROM deep)",
      ],
      [
        "SELECT sum(v), count(*), max(k) FROM duck.main.deep CROSS JOIN UNNEST(m) AS u (k, v)",
        "SELECT sum(e.value), count(*), max(e.key) FROM (SELECT unnest(map_entries(m)) AS e FROM deep)",
      ],
      [
        'SELECT count(*), sum(s.a), max(s."B c"[1]) FROM duck.main.deep WHERE s.a > 100',
        `SELECT count(*), sum(s.a), max(s."B c"[1]) FROM deep WHERE s.a > 100`,
      ],
      ["SELECT count(*), min(id) FROM duck.main.deep WHERE l = ARRAY[0, 2, 3]", "SELECT count(*), min(id) FROM deep WHERE l = [0, 2, 3]"],
    ] as const) {
      expect(
        (await rowsOf(ours)).map((row) => row.map(String)),
        ours,
      ).toEqual((await readDuckDb(theirs)).map((row) => row.map(String)));
    }
  });

  it("divides tables by places of rows", async () => {
    const ids = (await rowsOf("SELECT id FROM small.main.many")).map(([id]) => Number(id));
    expect(ids).not.toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 5000 }, (_, id) => id).filter((id) => id % 10 !== 3));
    const sql = "SELECT count(*), sum(id), sum(price), min(name), max(name) FROM small.main.many WHERE id > 100 AND k <> 2";
    expect((await rowsOf(sql)).map((row) => row.map(String))).toEqual(
      (await readDuckDb(sql.replace("small.main.many", "many"))).map((row) => row.map(String)),
    );
  });

  const readDuckDb = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    await duckdb.run(`ATTACH IF NOT EXISTS '${file}' AS shop (READ_ONLY); USE shop`);
    return (await duckdb.runAndReadAll(sql)).getRowsJson();
  };

  it("lets DuckDB compute what is certain", async () => {
    for (const [sql, remote, expected] of [
      ["SELECT k, count(*), sum(id) FROM duck.main.many WHERE name < 'n2' GROUP BY k ORDER BY k", `GROUP BY "k"`, undefined],
      ["SELECT name FROM duck.main.many WHERE price BETWEEN 1.5 AND 1.7 ORDER BY name DESC LIMIT 3", `ORDER BY`, [["n12"]]],
      ["SELECT count(*) FROM duck.main.nocase WHERE s = 'a'", "nocase", [[1n]]],
      [
        "SELECT s, count(*) FROM duck.main.nocase GROUP BY s ORDER BY s",
        "nocase",
        [
          ["A", 1n],
          ["a", 1n],
          ["b", 1n],
        ],
      ],
      ["SELECT count(*) FROM duck.main.types WHERE c_ubig > 5 AND c_huge < 0 AND c_ts < TIMESTAMP '2000-01-01 00:00:00'", "c_ubig", [[1n]]],
      ["SELECT count(*) FROM duck.main.types WHERE c_double > 5", "types", [[1n]]],
      ["SELECT count(*) FROM duck.main.many a JOIN duck.main.many b ON a.id = b.id AND b.k = 1", "JOIN", undefined],
    ] as const) {
      expect(await planOf(sql), sql).toContain(remote);
      const right = expected ?? (await readDuckDb(sql.replaceAll("duck.main.", "")));
      expect(
        (await rowsOf(sql)).map((row) => row.map(String)),
        sql,
      ).toEqual(right.map((row) => row.map(String)));
    }
  });

  it("gives conditions and operations to DuckDB only where they give the same rows", async () => {
    const without = { optimizer_rules: "-push_into_connectors" };
    const sorted = (rows: readonly unknown[]): readonly string[] =>
      rows.map((row) => JSON.stringify(row, (_key, value: unknown) => String(value))).sort();
    const conditions = randomConditions(10, 11);
    const ids = (filter = ""): string => `array_sort(array_agg(id)${filter})`;
    const unpushed = await rowsOf(`SELECT ${conditions.map((one) => ids(` FILTER (WHERE ${one})`)).join(", ")} FROM duck.main.texts`);
    for (const [index, filter] of conditions.entries()) {
      expect(await rowsOf(`SELECT ${ids()} FROM duck.main.texts WHERE ${filter}`), filter).toEqual([[unpushed[0]?.[index]]]);
    }
    for (const sql of [...randomStatements("duck.main.texts", 10, 3), ...randomJoins("duck.main.texts", 4, 5)]) {
      const [pushed, plain] = [await cluster.query(sql), await cluster.query(sql, { session: without })];
      const isOrdered = sql.includes("ORDER BY");
      expect(isOrdered ? pushed.rows : sorted(pushed.rows), sql).toEqual(isOrdered ? plain.rows : sorted(plain.rows));
    }
  });

  it("ends statements of cancelled queries", async () => {
    const endless = "SELECT sum(a.range * b.range) AS endless FROM range(10000000) a, range(10000000) b";
    const stop = new AbortController();
    const running = cluster.query(`SELECT * FROM TABLE(narrow.system.query(query => '${endless}'))`, { signal: stop.signal });
    running.catch(() => undefined);
    const states = "SELECT state FROM system.runtime.queries WHERE query LIKE '%endless%' AND query NOT LIKE '%runtime%'";
    while ((await rowsOf(states))[0]?.[0] !== "RUNNING") {
      await new Promise((resolve) => setImmediate(resolve));
    }
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    // There is one connection.
    expect(await rowsOf("SELECT count(*) FROM narrow.main.shown")).toEqual([[2n]]);
  });

  it("reads nothing but the file, and changes nothing", async () => {
    const query = (sql: string): string => `SELECT * FROM TABLE(duck.system.query(query => '${sql.replaceAll("'", "''")}'))`;
    expect(await rowsOf(query("SELECT a + 1 AS n, b FROM shown WHERE b IS NOT NULL"))).toEqual([[2, "x"]]);
    expect(await failureOf(query("SELECT * FROM read_text('/etc/passwd')"))).toContain("file system operations are disabled");
    expect(await failureOf(query("DELETE FROM shown"))).toContain("JDBC_ERROR: Parser Error");
    expect(await failureOf(query("SELECT 1) AS q; SET threads = 9; SELECT (1"))).toMatch(/^JDBC_ERROR: /);
    expect(await failureOf("CREATE TABLE duck.main.new (a integer)")).toMatch(/^NOT_SUPPORTED: /);
    expect(await failureOf("INSERT INTO duck.main.shown VALUES (3, 'y')")).toMatch(/^NOT_SUPPORTED: /);
    const failure = await failureOf("SELECT * FROM absent.main.t");
    expect(failure).toContain("JDBC_ERROR: ");
    expect(failure).toContain("absent.duckdb");
    expect(failure).not.toContain(folder);
  });

  it("lets others write once no query reads", async () => {
    const path = join(folder, "later.duckdb");
    await writing(path, async (connection) => {
      await connection.run("CREATE TABLE t AS SELECT 1 AS x");
    });
    const create = `CREATE CATALOG later USING duckdb WITH ("duckdb.file" = '${path}')`;
    await rowsOf(create);
    expect(await rowsOf("SELECT x FROM later.main.t")).toEqual([[1]]);
    await rowsOf("DROP CATALOG later");
    await writing(path, async (connection) => {
      await connection.run("INSERT INTO t VALUES (2)");
    });
    await rowsOf(create);
    expect(await rowsOf("SELECT x FROM later.main.t")).toEqual([[1], [2]]);
    await rowsOf("DROP CATALOG later");
  });

  it("answers TPC-H as the connector of tpch does", async () => {
    const schema = "sf0.001";
    await writing(join(folder, "tpch.duckdb"), async (connection) => {
      for (const table of tpchTables) {
        const { columns, rows } = await cluster.query(`SELECT * FROM tpch."${schema}".${table}`);
        await connection.run(`CREATE TABLE ${table} (${columns.map(({ name, type }) => `${name} ${type}`).join(", ")})`);
        const literal = (value: unknown): string => (value === null ? "NULL" : `'${`${value as string}`.replaceAll("'", "''")}'`);
        for (let at = 0; at < rows.length; at += 5000) {
          const values = rows.slice(at, at + 5000).map((row) => `(${row.map(literal).join(",")})`);
          await connection.run(`INSERT INTO ${table} VALUES ${values.join(",")}`);
        }
      }
    });
    await rowsOf(`CREATE CATALOG h USING duckdb WITH ("duckdb.file" = '${join(folder, "tpch.duckdb")}')`);
    // Half of the queries in turn; all with ORRERY_TEST_ALL=1.
    const files = readdirSync(tpchFolder).filter((name) => /^q\d\d\.sql$/.test(name));
    for (const name of files.filter((_, index) => isInTurn(index))) {
      const sql = readFileSync(join(tpchFolder, name), "utf8").replace(/;\s*$/, "");
      const answer = async (catalog: string, of: string): Promise<unknown> => (await cluster.query(sql, { catalog, schema: of })).rows;
      expect(await answer("h", "main"), name).toEqual(await answer("tpch", schema));
    }
  });
});
