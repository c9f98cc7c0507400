/** Catalogs of another cluster: an Orrery in the same process, behind a server that can be made to fail. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { type Fault, type Gateway, gatewayTo } from "./gateway.ts";
import { isInTurn } from "../support/programs/rotation.ts";
import { randomColumnsOfEngine, randomConditions, randomJoins, randomStatements, randomValuesOfEngine } from "./random-rows.ts";
import { checkRaces } from "./row-changes.ts";

const tpchFolder = join(import.meta.dirname, "../oracle/tpch");

describe("a catalog of another cluster", () => {
  let far: Cluster;
  let near: Cluster;
  let gateway: Gateway;

  beforeAll(async () => {
    const tpch = { "connector.name": "tpch", "tpch.double-type-mapping": "decimal", "tpch.column-naming": "STANDARD" };
    far = await withCluster({ workers: 1, catalogs: { memory: { "connector.name": "memory" }, tpch } });
    gateway = await gatewayTo(far.uri);
    const at = (family: string, catalog: string): string => `jdbc:${family}://127.0.0.1:${gateway.port}/${catalog}`;
    near = await withCluster({
      workers: 1,
      http: false,
      properties: { "catalog.management": "dynamic" },
      catalogs: {
        far: { "connector.name": "trino", "connection-url": at("trino", "memory"), "connection-user": "ann" },
        old: { "connector.name": "presto", "connection-url": at("presto", "memory"), "unsupported-type-handling": "CONVERT_TO_VARCHAR" },
        fartpch: { "connector.name": "trino", "connection-url": at("trino", "tpch") },
        segments: { "connector.name": "trino", "connection-url": `${at("trino", "tpch")}?encoding=json%2Blz4` },
        absent: { "connector.name": "trino", "connection-url": "jdbc:trino://127.0.0.1:1/memory?user=ann" },
        tpch,
      },
    });
    await near.query("CREATE SCHEMA far.s");
  });

  afterAll(async () => {
    await near?.close();
    await gateway?.close();
    await far?.close();
  });

  const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await near.query(sql)).rows;
  const failureOf = (sql: string): Promise<string> =>
    near.query(sql).then(
      () => "no error",
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message.replace(/#\w+/, "#id")}`,
    );

  it("lists schemas, tables and columns, with comments", async () => {
    await far.query("CREATE TABLE memory.s.shown (a integer COMMENT 'of a column', b varchar(5), c array(double))");
    expect(await rowsOf("SHOW SCHEMAS FROM far")).toEqual([["default"], ["information_schema"], ["s"]]);
    expect(await rowsOf("SHOW TABLES FROM far.s")).toEqual([["shown"]]);
    expect(await rowsOf("SHOW TABLES FROM fartpch.sf1 LIKE '%tion'")).toEqual([["nation"]]);
    for (const catalog of ["far", "old"]) {
      expect(await rowsOf(`DESCRIBE ${catalog}.s.shown`)).toEqual([
        ["a", "integer", "", "of a column"],
        ["b", "varchar(5)", "", ""],
        ["c", "array(double)", "", ""],
      ]);
    }
    expect(await failureOf("SELECT * FROM far.s.other")).toBe("TABLE_NOT_FOUND: line 1:15: Table 'far.s.other' does not exist");
    expect(await failureOf("SELECT * FROM old.nothing.other")).toMatch(/^SCHEMA_NOT_FOUND|TABLE_NOT_FOUND/);
    expect((await rowsOf("SHOW STATS FOR fartpch.tiny.nation")).at(-1)?.[4]).toBe(25);
  });

  it("reads and writes values of all types", async () => {
    const values = `VALUES
      (true, TINYINT '-1', SMALLINT '2', 3, BIGINT '-9223372036854775808', REAL '1.5', DOUBLE '-0.1', DECIMAL '-12.30', DECIMAL '12345678901234567890123456789012345.678',
        'it''s \\ "x" 😀', CAST('ab' AS varchar(5)), CAST('c' AS char(3)), X'00ff', DATE '-0043-03-15', TIME '23:59:59.123456789', TIME '01:02:03+05:30',
        TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '2024-06-01 10:00:00.123456789012', TIMESTAMP '2024-06-01 10:00:00.5 Europe/Berlin',
        UUID '12345678-1234-5678-1234-567812345678', JSON '{"b":[1,"x"]}', IPADDRESS '10.0.0.1', INTERVAL '-3.004' SECOND, INTERVAL '15' MONTH,
        ARRAY[BIGINT '1', NULL, 9007199254740993], MAP(ARRAY['b', 'a'], ARRAY[X'01', NULL]), MAP(ARRAY[2, 1], ARRAY[DATE '2024-02-29', NULL]),
        CAST(ROW(1, ARRAY[ROW('x', DECIMAL '1.10')]) AS row(a integer, "B c" array(row(x varchar, y decimal(3, 2))))), ARRAY[ARRAY[DOUBLE 'NaN', -0e0]])`;
    const nulls = `, (${Array.from({ length: 29 }, () => "NULL").join(", ")})`;
    const names = Array.from({ length: 29 }, (_, index) => `c${index}`).join(", ");
    const given = await near.query(`SELECT * FROM (${values}${nulls}) AS t (${names})`);
    await near.query(`CREATE TABLE far.s.written AS SELECT * FROM (${values}${nulls}) AS t (${names})`);
    for (const cluster of [near, far]) {
      const read = await cluster.query(`SELECT * FROM ${cluster === near ? "far" : "memory"}.s.written`);
      expect(read.columns.map(({ type }) => type)).toEqual(given.columns.map(({ type }) => type));
      expect(read.rows).toEqual(given.rows);
    }
    expect(
      (await near.query("INSERT INTO far.s.shown (c, a) SELECT ARRAY[n_regionkey], CAST(n_nationkey AS integer) FROM tpch.tiny.nation"))
        .updateCount,
    ).toBe(25);
    expect(await rowsOf("SELECT count(*), sum(a), sum(c[1]), count(b) FROM far.s.shown")).toEqual([[25n, 300n, 50, 0n]]);
    // Nothing of a failed write stays.
    expect(await failureOf("CREATE TABLE far.s.failed AS SELECT 1 / (n_nationkey - 20) AS x FROM tpch.tiny.nation")).toContain(
      "DIVISION_BY_ZERO",
    );
    expect(await failureOf("CREATE TABLE far.s.written AS SELECT 1 AS x")).toContain("TABLE_ALREADY_EXISTS");
    expect(await failureOf("INSERT INTO fartpch.tiny.region SELECT * FROM tpch.tiny.region")).toContain("NOT_SUPPORTED");
    await expect.poll(() => rowsOf("SHOW TABLES FROM far.s")).toEqual([["shown"], ["written"]]);
  });

  it("changes tables", async () => {
    await near.query("CREATE TABLE far.s.changed (a integer COMMENT 'first', b varchar(3))");
    await near.query("ALTER TABLE far.s.changed ADD COLUMN c decimal(5,1)");
    await near.query("ALTER TABLE far.s.changed RENAME COLUMN b TO bb");
    await near.query("ALTER TABLE far.s.changed RENAME TO far.s.again");
    await near.query("INSERT INTO far.s.again VALUES (1, 'x', DECIMAL '1.5')");
    await near.query("ALTER TABLE far.s.again DROP COLUMN a");
    expect(await rowsOf("SELECT * FROM far.s.again")).toEqual([["x", "1.5"]]);
    await near.query("TRUNCATE TABLE far.s.again");
    expect(await rowsOf("SELECT count(*) FROM far.s.again")).toEqual([[0n]]);
    await near.query("DROP TABLE far.s.again");
    expect(await failureOf("DROP SCHEMA far.s")).toContain("SCHEMA_NOT_EMPTY");
    await checkRaces(near, "far.s");
    await near.query("CREATE SCHEMA far.begun");
    await near.query("ALTER SCHEMA far.begun RENAME TO ended");
    await near.query("CREATE TABLE far.ended.t AS SELECT 1 a");
    await near.query("DROP SCHEMA far.ended CASCADE");
    expect(await rowsOf("SHOW SCHEMAS FROM far LIKE 'ended'")).toEqual([]);
  });

  it("leaves operations to the cluster that give the same rows there", async () => {
    await far.query(`CREATE TABLE memory.s.texts (${randomColumnsOfEngine})`);
    await far.query(`INSERT INTO memory.s.texts VALUES ${randomValuesOfEngine(150, 7)}`);
    await far.query("ANALYZE memory.s.texts");
    const sorted = (rows: readonly unknown[]): readonly string[] =>
      rows
        .map((row) =>
          JSON.stringify(row, (_key, value: unknown) => (typeof value === "bigint" || typeof value === "number" ? String(value) : value)),
        )
        .sort();
    const filters = randomConditions(10, 11).map((filter) => `SELECT id, f FROM far.s.texts WHERE ${filter}`);
    for (const sql of [...filters, ...randomStatements("far.s.texts", 18, 3), ...randomJoins("far.s.texts", 8, 5)]) {
      const pushed = await near.query(sql);
      const plain = await far.query(sql.replaceAll("far.s", "memory.s"));
      const isOrdered = sql.includes("ORDER BY");
      expect(isOrdered ? pushed.rows : sorted(pushed.rows), sql).toEqual(isOrdered ? plain.rows : sorted(plain.rows));
    }
    const joined = await rowsOf(`SELECT count(*) FROM far.s.texts a JOIN far.s.texts b ON a.f = b.f AND a.id = b.id`);
    expect(joined).toEqual(
      (await far.query("SELECT count(*) FROM memory.s.texts a JOIN memory.s.texts b ON a.f = b.f AND a.id = b.id")).rows,
    );
  });

  it("shows the statements of the cluster in EXPLAIN", async () => {
    const sourceOf = async (sql: string): Promise<string | undefined> =>
      /source = (.*)/.exec((await rowsOf(`EXPLAIN ${sql}`))[0]?.[0] as string)?.[1];
    expect(
      await sourceOf(
        "SELECT t FROM far.s.texts WHERE t < 'x''y' AND id IN (1, -2) AND ts > TIMESTAMP '2024-01-05 01:02:03' AND t LIKE 'a\\%'",
      ),
    ).toBe(
      `SELECT "id", "t", "ts" FROM "s"."texts" WHERE ("t" < 'x''y') AND ("ts" > TIMESTAMP '2024-01-05 01:02:03.000000') AND ("t" LIKE 'a\\%') AND "id" IN (1, (-2)) AND "t" IS NOT NULL`,
    );
    expect(await sourceOf("SELECT b, max(t), avg(n), bool_or(b) FROM far.s.texts GROUP BY b")).toBe(
      `SELECT "b", "_agg_0", "_agg_1", "_agg_2" FROM (SELECT "b", max("t") AS "_agg_0", avg("n") AS "_agg_1", bool_or("b") AS "_agg_2" FROM "s"."texts" GROUP BY "b" ORDER BY "b") AS "q"`,
    );
    expect(await sourceOf("SELECT id, t FROM far.s.texts ORDER BY t DESC LIMIT 3")).toBe(
      `SELECT "id", "t" FROM (SELECT "id", "t" FROM "s"."texts" ORDER BY "t" DESC NULLS LAST, "id", "t" LIMIT 3) AS "q"`,
    );
    expect(await sourceOf("SELECT sum(f) FROM far.s.texts")).toBe(`SELECT "f" FROM "s"."texts"`);
    // Presto's versions differ about NaN.
    expect(await sourceOf("SELECT id FROM old.s.texts WHERE f > 1e0 AND id > 1")).toBe(
      `SELECT "id", "f" FROM "s"."texts" WHERE "f" IS NOT NULL AND "id" > 1`,
    );
    gateway.statements.length = 0;
    expect(await rowsOf("SELECT sum(n_nationkey) FROM fartpch.tiny.nation")).toEqual([[300n]]);
    expect(gateway.statements.filter((sql) => sql.startsWith("SELECT"))).toEqual([
      `SELECT "_agg_0" FROM (SELECT sum("n_nationkey") AS "_agg_0" FROM "tiny"."nation") AS "q"`,
    ]);
  });

  it("runs statements as they are", async () => {
    const query = (sql: string): string => `SELECT * FROM TABLE(far.system.query(query => '${sql.replaceAll("'", "''")}'))`;
    expect(await rowsOf(query("SELECT 1, 'x' AS \"A b\" -- all"))).toEqual([[1, "x"]]);
    expect(await failureOf(query("SELECT 1) q, (SELECT 2"))).toContain("MISMATCHED_COLUMN_ALIASES");
    expect(await failureOf(query("DROP TABLE s.shown"))).toContain("SYNTAX_ERROR");
    expect(await failureOf(query("SELECT 1 AS a, 2 AS A"))).toContain("Columns of the same name");
    expect(await failureOf(query("SELECT approx_set(1) AS s"))).toBe(
      "NOT_SUPPORTED: Unsupported type HyperLogLog of column 's' of the query",
    );
    expect(await failureOf(query("SELECT 1 / (a - 3) AS x FROM s.shown"))).toBe(
      "JDBC_ERROR: Query failed (#id): DIVISION_BY_ZERO: Division by zero",
    );
  });

  it("survives answers that are lost", async () => {
    const refused = failureOf("SELECT * FROM absent.s.t");
    const kinds: readonly Fault[] = ["503", undefined, "reset", undefined, undefined];
    gateway.fault = (method, number) => (method === "GET" ? kinds[number % 5] : method === "POST" && number % 4 === 0 ? "503" : undefined);
    expect(await rowsOf("SELECT count(*), sum(o_totalprice), max(o_clerk) FROM fartpch.tiny.orders WHERE o_orderkey % 3 > 0")).toEqual(
      await rowsOf("SELECT count(*), sum(o_totalprice), max(o_clerk) FROM tpch.tiny.orders WHERE o_orderkey % 3 > 0"),
    );
    // A cluster that has restarted does not know the query any more.
    gateway.fault = (method) => (method === "GET" ? "404" : undefined);
    expect(await failureOf("SELECT n_name FROM fartpch.tiny.nation WHERE length(n_name) > 2")).toMatch(/^JDBC_ERROR: Query \w+ is gone/);
    gateway.fault = () => undefined;
    expect(await refused).toMatch(/^JDBC_ERROR: .*ECONNREFUSED/);
    expect(await rowsOf("SELECT count(*) FROM far.s.shown")).toEqual([[25n]]);
  });

  it("reads rows in segments if it is to", async () => {
    const sums = (catalog: string): string => `SELECT count(*), sum(length(c_comment)), checksum(c_name) FROM ${catalog}.tiny.customer`;
    const before = gateway.seen.length;
    expect(await rowsOf(sums("segments"))).toEqual(await rowsOf(sums("tpch")));
    expect(gateway.seen.slice(before).some(({ url }) => url.includes("/spooled/"))).toBe(true);
  });

  it("sends a password by TLS only, and shows it nowhere", async () => {
    const create = (url: string, password: string): string =>
      `CREATE CATALOG secret USING trino WITH ("connection-url" = '${url}', "connection-user" = 'ann', "connection-password" = '${password}')`;
    expect(await failureOf(create(`jdbc:trino://127.0.0.1:${gateway.port}/memory`, "sesame"))).toMatch(/TLS\/SSL is required/);
    expect(await failureOf(create(`jdbc:presto://127.0.0.1:${gateway.port}/memory?password=sesame`, "sesame"))).not.toContain("sesame");
    expect(await failureOf(create("jdbc:trino://127.0.0.1:1/memory?SSL=maybe", "sesame"))).toContain(
      "parameter 'SSL' must be true or false",
    );
    expect(gateway.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it("ends the statements of queries that end early", async () => {
    const running = async (): Promise<unknown> =>
      (await far.query("SELECT count(*) FROM system.runtime.queries WHERE state NOT IN ('FINISHED', 'FAILED') AND source = 'orrery'")).rows;
    expect(await rowsOf("SELECT l_comment || 'x' FROM fartpch.sf1.lineitem LIMIT 1")).toHaveLength(1);
    await expect.poll(running, { interval: 10 }).toEqual([[0n]]);
    const stop = new AbortController();
    const slow = near.query("SELECT max(l_comment || 'x') FROM fartpch.sf1.lineitem", { signal: stop.signal });
    slow.catch(() => undefined);
    await expect.poll(running, { interval: 10 }).toEqual([[1n]]);
    stop.abort(new Error("enough"));
    await expect(slow).rejects.toThrow("enough");
    await expect.poll(running, { interval: 10 }).toEqual([[0n]]);
  });

  it("answers TPC-H as the tpch connector does", async () => {
    // Of a fifth of tiny's rows.
    const schema = "sf0.002";
    // Half of the queries in turn, the other half than with PostgreSQL; all with ORRERY_TEST_ALL=1.
    const files = readdirSync(tpchFolder).filter((name) => /^q\d\d\.sql$/.test(name));
    for (const file of files.filter((_, index) => isInTurn(index + 1))) {
      const sql = readFileSync(join(tpchFolder, file), "utf8").replace(/;\s*$/, "");
      const answer = async (catalog: string): Promise<unknown> => (await near.query(sql, { catalog, schema })).rows;
      expect(await answer("fartpch"), file).toEqual(await answer("tpch"));
    }
  });
});
