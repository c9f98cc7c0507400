/** The connectors of MySQL and MariaDB against a real server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mysqlConnectorFactory } from "../../src/connectors/mysql/mysql.ts";
import { checkConnector } from "../../src/testing/connector/index.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { isInTurn } from "../support/programs/rotation.ts";
import { findMariadb, type MariadbServer, startMariadb } from "../support/programs/mariadb.ts";
import { findPostgresql, isPostgresqlRequired, startPostgresql } from "../support/programs/postgresql.ts";
import { written } from "../support/programs/sqlite.ts";
import { checkColumnAttributes } from "./column-attributes.ts";
import { checkChanges, checkComputed, checkRaces, checkRefusals } from "./row-changes.ts";
import { checkStagedChanges } from "./staged-changes.ts";
import { randomColumnsOfMysql, randomConditions, randomJoins, randomStatements, randomValuesOfMysql } from "./random-rows.ts";

const tpchTables = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];
const tpchFolder = join(import.meta.dirname, "../oracle/tpch");

describe.runIf(findMariadb() || isPostgresqlRequired())("a catalog of MySQL", () => {
  let server: MariadbServer;
  let cluster: Cluster;

  beforeAll(async () => {
    server = await startMariadb();
    const catalog = { "connector.name": "mysql", "connection-url": `jdbc:mysql://127.0.0.1:${server.port}`, "connection-user": "root" };
    cluster = await withCluster({
      workers: 1,
      http: false,
      properties: { "catalog.management": "dynamic" },
      catalogs: {
        my: catalog,
        small: { ...catalog, "mysql.split-size": "16kB" },
        texts: { ...catalog, "unsupported-type-handling": "CONVERT_TO_VARCHAR" },
        guest: {
          "connector.name": "mariadb",
          "connection-url": `jdbc:mariadb://127.0.0.1:${server.port}?sslMode=disable`,
          "connection-user": "guest",
          "connection-password": "sesame",
        },
        wrong: { ...catalog, "connection-user": "guest", "connection-password": "not sesame" },
        absent: { ...catalog, "connection-url": "jdbc:mysql://127.0.0.1:1" },
        memory: { "connector.name": "memory" },
        tpch: { "connector.name": "tpch", "tpch.double-type-mapping": "decimal", "tpch.column-naming": "STANDARD" },
      },
    });
    server.run("CREATE DATABASE s; CREATE USER guest IDENTIFIED BY 'sesame'; GRANT ALL ON kit.* TO guest");
  });

  it("keeps the rules of the connector kit", async () => {
    server.run(`CREATE DATABASE kit; USE kit; CREATE TABLE odd_name (name varchar(9), id int PRIMARY KEY, price decimal(9,2), day date);
      INSERT INTO odd_name VALUES ('a_b', 1, 1.25, '2024-01-02'), ('A%b ', 2, -3, NULL), (NULL, 3, NULL, '1000-01-01'), ('ä', 4, 1.25, '2024-01-02')`);
    const url = `jdbc:mysql://127.0.0.1:${server.port}`;
    const { broken, held } = await checkConnector(mysqlConnectorFactory, {
      properties: { "connection-url": url, "connection-user": "guest", "connection-password": "sesame" },
      tables: ["kit.odd_name"],
      writesTo: "kit",
    });
    expect(broken).toEqual([]);
    expect(held).toContain("a write that is cancelled leaves nothing");
    server.run("DROP DATABASE kit");
  });

  afterAll(async () => {
    await cluster?.close();
    await server?.close();
  });

  const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await cluster.query(sql)).rows;
  const failureOf = (sql: string): Promise<string> =>
    cluster.query(sql).then(
      () => "no error",
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
    );
  const running = (): string =>
    server
      .run("SELECT count(*) FROM information_schema.processlist WHERE user = 'root' AND command = 'Query' AND id <> connection_id()")
      .trim();

  it("lists schemas, tables and columns, with comments", async () => {
    server.run(`USE s; CREATE TABLE shown (a int COMMENT 'of a column', b varchar(5)) COMMENT = 'of a table'; CREATE VIEW seen AS SELECT a FROM shown;
      CREATE TABLE Mixed (c int); INSERT INTO shown VALUES (0, 'x'); GRANT SELECT ON s.shown TO guest`);
    expect(await rowsOf("SHOW SCHEMAS FROM my")).toEqual([["information_schema"], ["s"]]);
    expect(await rowsOf("SHOW TABLES FROM my.s")).toEqual([["seen"], ["shown"]]);
    expect(await rowsOf("DESCRIBE my.s.shown")).toEqual([
      ["a", "integer", "", "of a column"],
      ["b", "varchar(5)", "", ""],
    ]);
    expect(await rowsOf("SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'my' AND table_name = 'shown'")).toEqual([
      ["of a table"],
    ]);
    expect(await failureOf("SELECT * FROM my.s.mixed")).toBe("TABLE_NOT_FOUND: line 1:15: Table 'my.s.mixed' does not exist");
    expect(await rowsOf("SELECT a, b FROM guest.s.shown")).toEqual([[0, "x"]]);
  });

  it("maps types as Trino does", async () => {
    server.run(`USE s; SET time_zone = '+02:00';
      CREATE TABLE types (c_bit bit(1), c_bool boolean, c_tiny tinyint unsigned, c_small smallint, c_usmall smallint unsigned,
        c_medium mediumint, c_int int, c_uint int unsigned, c_big bigint, c_ubig bigint unsigned, c_real float, c_double double,
        c_num decimal(10,2), c_long decimal(38,5), c_char char(5), c_varchar varchar(7), c_text text, c_long_text longtext,
        c_latin varchar(5) CHARACTER SET latin1, c_enum enum('a', 'bcd'), c_binary binary(3), c_blob blob, c_date date,
        c_time time(3), c_dt datetime, c_dt6 datetime(6), c_ts timestamp(3) NULL, c_year year, c_huge decimal(40,1));
      INSERT INTO types VALUES (1, true, 255, -32768, 65535, -8388608, 2147483647, 4294967295, -9223372036854775808, 18446744073709551615,
        1.1, 0.1, -12345678.90, 123456789012345678901234567890123.45678, 'ab', 'čšž', 'a''"\\\\\\n😀', 'long ', 'ä', 'bcd', 'ab', x'00ff10',
        '2024-02-29', '23:59:59.123', '1999-12-31 23:59:59', '1000-01-01 00:00:00.123456', '2024-06-01 12:00:00.5', 2024, 1);
      INSERT INTO types (c_bit) VALUES (NULL)`);
    const { columns, rows } = await cluster.query("SELECT * FROM my.s.types");
    expect(columns.map(({ name, type }) => `${name} ${type}`).join("; ")).toBe(
      "c_bit boolean; c_bool tinyint; c_tiny smallint; c_small smallint; c_usmall integer; c_medium integer; c_int integer; c_uint bigint; c_big bigint; c_ubig decimal(20, 0); c_real real; " +
        "c_double double; c_num decimal(10, 2); c_long decimal(38, 5); c_char char(5); c_varchar varchar(7); c_text varchar(65535); c_long_text varchar; c_latin varchar(5); c_enum char(3); " +
        "c_binary varbinary; c_blob varbinary; c_date date; c_time time(3); c_dt timestamp(0); c_dt6 timestamp(6); c_ts timestamp(3) with time zone",
    );
    const numbers = [
      true,
      1,
      255,
      -32768,
      65535,
      -8388608,
      2147483647,
      4294967295n,
      -9223372036854775808n,
      "18446744073709551615",
      1.1,
      0.1,
    ];
    const decimals = ["-12345678.90", "123456789012345678901234567890123.45678"];
    const texts = ["ab   ", "čšž", "a'\"\\\n😀", "long ", "ä", "bcd", new Uint8Array([97, 98, 0]), new Uint8Array([0, 255, 16])];
    const times = ["2024-02-29", "23:59:59.123", "1999-12-31 23:59:59", "1000-01-01 00:00:00.123456", "2024-06-01 10:00:00.500 UTC"];
    expect(rows).toEqual([[...numbers, ...decimals, ...texts, ...times], columns.map(() => null)]);
    expect(await rowsOf("SELECT c_year, c_huge FROM texts.s.types WHERE c_bit")).toEqual([["2024", "1.0"]]);
    server.run("USE s; SET sql_mode = ''; CREATE TABLE odd (d date, t time); INSERT INTO odd VALUES ('0000-00-00', '-10:00:00')");
    expect(await failureOf("SELECT d FROM my.s.odd")).toBe("JDBC_ERROR: Value '0000-00-00' of column 'd' is out of range of type date");
    expect(await failureOf("SELECT t FROM my.s.odd")).toBe("JDBC_ERROR: Value '-10:00:00' of column 't' is out of range of type time(0)");
  });

  it("returns errors of the server in its words, and no passwords", async () => {
    const failures = await Promise.all(
      ["SELECT * FROM wrong.s.shown", "SELECT * FROM absent.s.shown", "CREATE TABLE guest.s.new AS SELECT 1 AS x"].map(failureOf),
    );
    expect(failures[0]).toMatch(/^JDBC_ERROR: Access denied for user 'guest'/);
    expect(failures[1]).toMatch(/^JDBC_ERROR: The connection attempt to 127.0.0.1:1 failed: .*ECONNREFUSED/);
    expect(failures[2]).toMatch(/^JDBC_ERROR: CREATE command denied to user 'guest'/);
    expect(failures.join()).not.toContain("sesame");
  });

  it("runs statements in the server's own SQL, one at a time and without changes", async () => {
    const query = (sql: string): string => `SELECT * FROM TABLE(my.system.query(query => '${sql.replaceAll("'", "''")}'))`;
    expect(await rowsOf(`${query(`SELECT a AS n, concat("x", a) AS t, x'41' AS bin, 1.50 AS d FROM s.shown -- all`)} WHERE n < 1`)).toEqual(
      [[0, "x0", new Uint8Array([65]), "1.50"]],
    );
    expect(await failureOf(query("SELECT 1) q; DROP TABLE s.shown; SELECT (1"))).toContain("You have an error in your SQL syntax");
    expect(await failureOf(query("DELETE FROM s.shown"))).toContain("You have an error in your SQL syntax");
    server.run(
      "CREATE FUNCTION s.change_it() RETURNS int BEGIN DELETE FROM s.shown; RETURN 1; END".replace(/^/, "DELIMITER //\n").concat("//"),
    );
    expect(await failureOf(query("SELECT s.change_it() AS c"))).toContain("READ ONLY transaction");
    expect(await rowsOf("SELECT count(*) FROM my.s.shown")).toEqual([[1n]]);
  });

  it("returns all rows once, however the table is divided", async () => {
    server.run(
      `USE s; CREATE TABLE many (id bigint PRIMARY KEY, k int, t varchar(60)); INSERT INTO many SELECT CAST(seq AS SIGNED) * 3 - 4000, seq % 10, repeat('x', seq % 50) FROM seq_1_to_3000; ANALYZE TABLE many`,
    );
    server.run("SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = ON");
    for (const catalog of ["small", "my"]) {
      expect(await rowsOf(`SELECT count(*), count(DISTINCT id), sum(id), sum(length(t)) FROM ${catalog}.s.many`)).toEqual([
        [3000n, 3000n, 1504500n, 73500n],
      ]);
      const ids = (await rowsOf(`SELECT id FROM ${catalog}.s.many`)).map(([id]) => id as bigint);
      expect(ids.every((id, index) => index === 0 || catalog === "small" || id > (ids[index - 1] as bigint))).toBe(true);
    }
    expect(await rowsOf("SELECT id, k FROM small.s.many WHERE id = 2")).toEqual([[2n, 4]]);
    // Only the catalog with small splits reads ranges.
    const ranges = server.run(
      "SET GLOBAL general_log = OFF; SELECT count(DISTINCT argument) FROM mysql.general_log WHERE argument LIKE '%`id` >= %'",
    );
    expect(Number(ranges)).toBeGreaterThan(2);
  });

  it("gives conditions and operations to the server only where they give the same rows", async () => {
    server.run(
      `USE s; CREATE TABLE texts (${randomColumnsOfMysql}); INSERT INTO texts VALUES ${randomValuesOfMysql(150, 7)}; ANALYZE TABLE texts`,
    );
    const without = { optimizer_rules: "-push_into_connectors" };
    const sorted = (rows: readonly unknown[]): readonly string[] =>
      rows.map((row) => JSON.stringify(row, (_key, value: unknown) => String(value))).sort();
    const conditions = randomConditions(15, 11);
    // A condition of an aggregate is not one of the scan.
    const ids = (filter = ""): string => `array_sort(array_agg(id)${filter})`;
    const unpushed = await rowsOf(`SELECT ${conditions.map((filter) => ids(` FILTER (WHERE ${filter})`)).join(", ")} FROM my.s.texts`);
    for (const [index, filter] of conditions.entries()) {
      expect(await rowsOf(`SELECT ${ids()} FROM my.s.texts WHERE ${filter}`), filter).toEqual([[unpushed[0]?.[index]]]);
    }
    for (const sql of [...randomStatements("my.s.texts", 16, 3), ...randomJoins("my.s.texts", 8, 5)]) {
      const [pushed, plain] = [await cluster.query(sql), await cluster.query(sql, { session: without })];
      const isOrdered = sql.includes("ORDER BY");
      expect(isOrdered ? pushed.rows : sorted(pushed.rows), sql).toEqual(isOrdered ? plain.rows : sorted(plain.rows));
    }
  });

  it("lets the server delete and update the rows that the engine would", async () => {
    server.run("USE s; CREATE TABLE changed LIKE texts; ALTER TABLE changed DROP PRIMARY KEY");
    const reset = (): void => void server.run("USE s; TRUNCATE changed; INSERT INTO changed SELECT * FROM texts WHERE id < 60");
    expect(await checkChanges({ cluster, table: "my.s.changed", reset }, 8, 5)).toBeGreaterThan(3);
    reset();
    await checkRefusals(cluster, "my.s.changed");
    await checkComputed(cluster, "my.s");
    // Rows count also if they have the value already.
    expect((await cluster.query("UPDATE my.s.changed SET id = 1 WHERE id = 1")).updateCount).toBe(1);
    expect((await cluster.query("DELETE FROM my.s.changed")).updateCount).toBe(60);
  });

  it("changes rows one by one where no statement of the server would do", async () => {
    await checkStagedChanges({ cluster, table: "my.s.merged", twin: "memory.default.merged" }, () =>
      server.run("ALTER TABLE s.merged ADD PRIMARY KEY (id)"),
    );
    // A key whose values are the same to the server, but not to the engine.
    server.run(
      "USE s; CREATE TABLE loose (k varchar(9) COLLATE utf8mb4_general_ci PRIMARY KEY, c char(4), n int); INSERT INTO loose VALUES ('a', 'x', 1), ('B ', 'y', 2)",
    );
    expect((await cluster.query("UPDATE my.s.loose SET n = n / 2 + length(k) WHERE upper(k) <> k OR c = 'y'")).updateCount).toBe(2);
    expect((await cluster.query("SELECT k, n FROM my.s.loose ORDER BY n")).rows).toEqual([
      ["a", 1],
      ["B ", 3],
    ]);
    expect((await cluster.query("SHOW TABLES FROM my.s LIKE 'orrery%'")).rows).toEqual([]);
  });

  it("ends a DELETE of a cancelled query, which then has changed nothing", async () => {
    server.run("USE s; CREATE TABLE slow (id int) ENGINE = InnoDB; INSERT INTO slow VALUES (1)");
    server.run("USE s; CREATE TRIGGER nap BEFORE DELETE ON slow FOR EACH ROW SET @nap = SLEEP(600)");
    const sleeping = (): string =>
      server.run("SELECT count(*) FROM information_schema.processlist WHERE command = 'Query' AND state = 'User sleep'").trim();
    const stop = new AbortController();
    const deleting = cluster.query("DELETE FROM my.s.slow", { signal: stop.signal });
    deleting.catch(() => undefined);
    await expect.poll(sleeping).toBe("1");
    stop.abort(new Error("enough"));
    await expect(deleting).rejects.toThrow("enough");
    await expect.poll(sleeping).toBe("0");
    expect(await rowsOf("SELECT id FROM my.s.slow")).toEqual([[1]]);
  });

  it("shows the statements of the server in EXPLAIN", async () => {
    const sourceOf = async (sql: string): Promise<string | undefined> =>
      /source = (.*)/.exec((await rowsOf(`EXPLAIN ${sql}`))[0]?.[0] as string)?.[1];
    expect(await sourceOf("SELECT v FROM my.s.texts WHERE v = 'it''s \\' AND id IN (1, 2) AND d > DATE '2024-01-05'")).toBe(
      "SELECT `id`, `v`, `d` FROM `s`.`texts` WHERE `v` = 'it''s \\\\' AND `id` IN (1, 2) AND `d` > DATE '2024-01-05'",
    );
    expect(await sourceOf("UPDATE my.s.texts SET id = 2 WHERE id = 1")).toBe("UPDATE `s`.`texts` SET `id` = 2 WHERE (`id` = 1)");
    expect(await sourceOf("SELECT v FROM my.s.texts WHERE v < 'x' OR id = 1")).toBe(
      "SELECT `id`, `v` FROM `s`.`texts` WHERE ((CAST(CONVERT(`v` USING utf8mb4) AS BINARY) < 'x') OR (`id` = 1))",
    );
    expect(await sourceOf("SELECT z, max(d), sum(n), count(*) FROM my.s.texts GROUP BY z")).toBe(
      "SELECT `z`, `_agg_0`, `_agg_1`, `_agg_2` FROM (SELECT `z`, max(`d`) AS `_agg_0`, sum(`n`) AS `_agg_1`, count(*) AS `_agg_2` FROM `s`.`texts` GROUP BY `z` ORDER BY `z`) AS `q`",
    );
    expect(await sourceOf("SELECT id FROM my.s.texts ORDER BY d DESC LIMIT 3")).toBe(
      "SELECT `id`, `d` FROM (SELECT `id`, `d` FROM `s`.`texts` ORDER BY `d` IS NULL ASC, `d` DESC, `id` LIMIT 3) AS `q`",
    );
    // In a collation without case, groups would be too large.
    expect(await sourceOf("SELECT DISTINCT v FROM my.s.texts")).toBe("SELECT `v` FROM `s`.`texts`");
  });

  it("writes what it can read, whole or not at all", async () => {
    const values = `VALUES
      (true, TINYINT '-1', SMALLINT '2', 3, BIGINT '-9223372036854775808', REAL '1.1', DOUBLE '-0.1', DECIMAL '-12.30', CAST('it''s \\ "x" 😀 ' AS varchar(30)), CAST('ab' AS varchar(5)),
        CAST('c' AS char(3)), X'00ff', DATE '1000-03-15', TIME '23:59:59.123456', TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '2024-06-01 10:00:00.5 UTC'),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`;
    const names = "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p";
    await cluster.query(`CREATE TABLE my.s.written COMMENT 'it''s' AS SELECT * FROM (${values}) AS t (${names})`);
    const written = await cluster.query("SELECT * FROM my.s.written");
    expect(written.columns.map(({ type }) => type).join("; ")).toBe(
      "tinyint; tinyint; smallint; integer; bigint; real; double; decimal(4, 2); varchar(30); varchar(5); char(3); varbinary; date; time(6); timestamp(6); timestamp(1) with time zone",
    );
    const given = await rowsOf(`SELECT CAST(a AS tinyint), b, c, d, e, f, g, h, i, j, k, l, m, n, o, p FROM (${values}) AS t (${names})`);
    expect(written.rows).toEqual(given);
    expect((await cluster.query("INSERT INTO my.s.written (d, i) SELECT n_nationkey, n_name FROM tpch.tiny.nation")).updateCount).toBe(25);
    expect(await rowsOf("SELECT count(*), sum(d), max(i) FROM my.s.written")).toEqual([[27n, 303n, 'it\'s \\ "x" 😀 ']]);
    server.run("USE s; CREATE TABLE strict (v int CHECK (v < 59000), w varchar(9) NOT NULL DEFAULT 'none')");
    expect(await failureOf("INSERT INTO my.s.strict (v, w) SELECT CAST(o_orderkey AS integer), 'x' FROM tpch.tiny.orders")).toContain(
      "CONSTRAINT `strict.v` failed",
    );
    expect(await failureOf("CREATE TABLE my.s.failed AS SELECT 1 / (n_nationkey - 20) AS x FROM tpch.tiny.nation")).toContain(
      "DIVISION_BY_ZERO",
    );
    expect(await failureOf("CREATE TABLE my.s.failed AS SELECT nan() AS x")).toBe(
      "JDBC_ERROR: A value of type double is out of the range of MySQL",
    );
    expect(await failureOf("CREATE TABLE my.s.failed AS SELECT ARRAY[1] AS x")).toBe(
      "NOT_SUPPORTED: Unsupported column type: array(integer)",
    );
    expect(await failureOf("CREATE TABLE my.s.strict AS SELECT 1 AS x")).toContain("TABLE_ALREADY_EXISTS");
    expect(await rowsOf("SELECT count(*) FROM my.s.strict")).toEqual([[0n]]);
    await cluster.query("INSERT INTO my.s.strict (v) VALUES 1");
    expect(await rowsOf("SELECT * FROM my.s.strict")).toEqual([[1, "none"]]);
    await expect
      .poll(() =>
        server.run("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'orrery_tmp%' OR table_name = 'failed'").trim(),
      )
      .toBe("0");
  });

  it("changes tables", async () => {
    await cluster.query("CREATE SCHEMA my.changed");
    await cluster.query("CREATE TABLE my.changed.t (a integer COMMENT 'first', b varchar(3)) COMMENT 'of t'");
    await cluster.query("INSERT INTO my.changed.t VALUES (1, 'x')");
    await cluster.query("ALTER TABLE my.changed.t ADD COLUMN c decimal(5,1) COMMENT 'third'");
    await cluster.query("ALTER TABLE my.changed.t RENAME COLUMN b TO bb");
    await cluster.query("ALTER TABLE my.changed.t RENAME TO my.changed.u");
    expect(await rowsOf("DESCRIBE my.changed.u")).toEqual([
      ["a", "integer", "", "first"],
      ["bb", "varchar(3)", "", ""],
      ["c", "decimal(5,1)", "", "third"],
    ]);
    await cluster.query("ALTER TABLE my.changed.u DROP COLUMN a");
    expect(await rowsOf("SELECT * FROM my.changed.u")).toEqual([["x", null]]);
    await cluster.query("TRUNCATE TABLE my.changed.u");
    expect(await failureOf("DROP SCHEMA my.changed")).toContain("SCHEMA_NOT_EMPTY");
    expect(await failureOf("DROP SCHEMA my.changed CASCADE")).toContain("does not support dropping schemas with CASCADE option");
    await cluster.query("DROP TABLE my.changed.u");
    await checkRaces(cluster, "my.changed");
    await cluster.query("DROP SCHEMA my.changed");
  });

  it("runs any statement by a procedure", async () => {
    await cluster.query("CALL my.system.execute(query => 'CREATE TABLE s.executed (a int)')");
    await cluster.query("CALL my.system.execute('INSERT INTO s.executed VALUES (1), (2)')");
    expect(await rowsOf("SELECT a FROM my.s.executed ORDER BY a")).toEqual([[1], [2]]);
    expect(await failureOf("CALL my.system.execute('DROP TABLE s.executed; DROP TABLE s.written')")).toContain("JDBC_ERROR: ");
    expect(await rowsOf("SHOW TABLES FROM my.s LIKE 'executed'")).toEqual([["executed"]]);
  });

  it("leaves NOT NULL and DEFAULT to the server", async () => {
    await checkColumnAttributes({ cluster, schema: "my.s", changesNullability: false });
    server.run(
      "USE s; CREATE TABLE numbered (k int AUTO_INCREMENT PRIMARY KEY, n datetime NOT NULL DEFAULT current_timestamp(), t varchar(9) DEFAULT 'x''\\\\')",
    );
    expect(
      await rowsOf("SELECT column_name, is_nullable, column_default FROM my.information_schema.columns WHERE table_name = 'numbered'"),
    ).toEqual([
      ["k", "NO", null],
      ["n", "NO", null],
      ["t", "YES", String.raw`'x''\'`],
    ]);
    await cluster.query("CREATE TABLE my.s.moments (a timestamp(3) NOT NULL, b timestamp(3))");
    expect((await rowsOf("DESCRIBE my.s.moments")).map(([name, , extra]) => [name, extra])).toEqual([
      ["a", "not null"],
      ["b", ""],
    ]);
  });

  it("ends the statements of queries that end early", async () => {
    expect(await rowsOf("SELECT k FROM small.s.many LIMIT 1")).toHaveLength(1);
    await expect.poll(running).toBe("0");
    const stop = new AbortController();
    const sleeping = cluster.query("SELECT * FROM TABLE(my.system.query(query => 'SELECT sleep(600) AS s FROM s.many'))", {
      signal: stop.signal,
    });
    sleeping.catch(() => undefined);
    await expect.poll(running).toBe("1");
    stop.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect.poll(running).toBe("0");
    // A connection that the server ends.
    const lost = failureOf("SELECT * FROM TABLE(my.system.query(query => 'SELECT sleep(601) AS s FROM s.many'))");
    await expect.poll(running).toBe("1");
    const id = server.run("SELECT id FROM information_schema.processlist WHERE info LIKE '%sleep(601)%' AND id <> connection_id()");
    server.run(`KILL CONNECTION ${id}`);
    expect(await lost).toMatch(/^JDBC_ERROR: /);
    expect(await rowsOf("SELECT count(*) FROM my.s.many")).toEqual([[3000n]]);
  });

  it("answers TPC-H as the tpch connector does", async () => {
    const schema = "sf0.001";
    await cluster.query("CREATE SCHEMA my.small");
    await Promise.all(
      tpchTables.map((table) => cluster.query(`CREATE TABLE my.small.${table} AS SELECT * FROM tpch."${schema}".${table}`)),
    );
    server.run(`USE small; ANALYZE TABLE ${tpchTables.join(", ")}`);
    // Half of the queries in turn; all with ORRERY_TEST_ALL=1.
    const files = readdirSync(tpchFolder).filter((name) => /^q\d\d\.sql$/.test(name));
    for (const file of files.filter((_, index) => isInTurn(index))) {
      const sql = readFileSync(join(tpchFolder, file), "utf8").replace(/;\s*$/, "");
      const answer = async (catalog: string, of: string): Promise<unknown> => (await cluster.query(sql, { catalog, schema: of })).rows;
      expect(await answer("my", "small"), file).toEqual(await answer("tpch", schema));
    }
  });

  it.runIf(findPostgresql() !== undefined || isPostgresqlRequired())(
    "joins a table with a folder of Parquet files, PostgreSQL, SQLite and another cluster",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "orrery-together-"));
      const tpch = { "connector.name": "tpch", "tpch.double-type-mapping": "decimal", "tpch.column-naming": "STANDARD" };
      const [postgresql, far] = await Promise.all([startPostgresql(), withCluster({ workers: 0, catalogs: { tpch } })]);
      try {
        const address = new URL(far.uri);
        const create = (name: string, connector: string, properties: Readonly<Record<string, string>>): Promise<unknown> =>
          cluster.query(
            `CREATE CATALOG ${name} USING ${connector} WITH (${Object.entries(properties)
              .map(([key, value]) => `"${key}" = '${value}'`)
              .join(", ")})`,
          );
        await create("folder", "files", { "files.directory": folder, "files.writes-enabled": "true" });
        await create("pg", "postgresql", { "connection-url": `${postgresql.url}?sslmode=disable`, "connection-user": "tester" });
        await create("far", "trino", { "connection-url": `jdbc:trino://${address.host}/tpch` });
        const database = join(folder, "regions.db");
        writeFileSync(
          database,
          written((lite) => {
            lite.exec("CREATE TABLE region (r_regionkey bigint, r_name varchar)");
            for (const [at, name] of ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"].entries()) {
              lite.run("INSERT INTO region VALUES (?, ?)", [at, name]);
            }
          }),
        );
        await create("lite", "sqlite", { "sqlite.file": database });
        const schema = '"sf0.001"';
        await cluster.query(`CREATE TABLE folder.default.lineitem AS SELECT * FROM tpch.${schema}.lineitem`);
        await cluster.query(`CREATE TABLE pg.public.orders AS SELECT * FROM tpch.${schema}.orders`);
        const joined = ([lineitem, orders, customer, nation, region]: readonly string[]): string => `
        SELECT r_name, n_name, c_mktsegment, count(*), sum(l_extendedprice * (1 - l_discount)), max(o_comment)
        FROM ${lineitem}.lineitem JOIN ${orders}.orders ON l_orderkey = o_orderkey JOIN ${customer}.customer ON o_custkey = c_custkey
          JOIN ${nation}.nation ON c_nationkey = n_nationkey JOIN ${region}.region ON n_regionkey = r_regionkey
        WHERE l_shipdate >= DATE '1994-01-01' AND o_orderpriority <> '1-URGENT' AND n_name < 'J'
        GROUP BY r_name, n_name, c_mktsegment ORDER BY 1, 2, 3`;
        const local = `tpch.${schema}`;
        const expected = await rowsOf(joined(Array.from({ length: 5 }, () => local)));
        expect(expected.length).toBeGreaterThan(10);
        expect(await rowsOf(joined(["folder.default", "pg.public", "my.small", `far.${schema}`, "lite.main"]))).toEqual(expected);
      } finally {
        await Promise.all([postgresql.close(), far.close()]);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
