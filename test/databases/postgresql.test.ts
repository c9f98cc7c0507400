/** The PostgreSQL connector against a real server. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresqlConnectorFactory } from "../../src/connectors/postgresql/postgresql.ts";
import { checkConnector } from "../../src/testing/connector/index.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { checkColumnAttributes } from "./column-attributes.ts";
import { checkChanges, checkComputed, checkRaces, checkRefusals } from "./row-changes.ts";
import { checkStagedChanges } from "./staged-changes.ts";
import { randomColumns, randomConditions, randomJoins, randomStatements, randomValues } from "./random-rows.ts";
import { isInTurn } from "../support/programs/rotation.ts";
import { findPostgresql, isPostgresqlRequired, type PostgresqlServer, startPostgresql } from "../support/programs/postgresql.ts";

const tpchTables = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];
const tpchFolder = join(import.meta.dirname, "../oracle/tpch");

describe.runIf(findPostgresql() !== undefined || isPostgresqlRequired())("a catalog of PostgreSQL", () => {
  let server: PostgresqlServer;
  let cluster: Cluster;

  beforeAll(async () => {
    server = await startPostgresql();
    const catalog = { "connector.name": "postgresql", "connection-url": `${server.url}?sslmode=disable`, "connection-user": "tester" };
    cluster = await withCluster({
      workers: 2,
      http: false,
      catalogs: {
        pg: { ...catalog, "postgresql.array-mapping": "AS_ARRAY" },
        plain: catalog,
        texts: {
          ...catalog,
          "unsupported-type-handling": "CONVERT_TO_VARCHAR",
          "decimal-mapping": "ALLOW_OVERFLOW",
          "decimal-default-scale": "3",
          "decimal-rounding-mode": "HALF_UP",
          "postgresql.array-mapping": "AS_JSON",
        },
        small: { ...catalog, "postgresql.split-size": "16kB", "postgresql.fetch-size": "7" },
        folded: { ...catalog, "case-insensitive-name-matching": "true", "postgresql.include-system-tables": "true" },
        guest: { ...catalog, "connection-user": "guest", "connection-password": "secret-of-guest" },
        absent: { ...catalog, "connection-url": "jdbc:postgresql://127.0.0.1:1/postgres" },
        names: { "connector.name": "tpch" },
        memory: { "connector.name": "memory" },
        tpch: { "connector.name": "tpch", "tpch.double-type-mapping": "decimal", "tpch.column-naming": "STANDARD" },
      },
    });
    server.psql("CREATE SCHEMA s; CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA s TO guest");
  });

  it("keeps the rules of the connector kit", async () => {
    server.psql(`CREATE SCHEMA kit; CREATE TABLE kit.odd_name (name varchar(9), id integer, price numeric(9,2),
        day date, u uuid, ok boolean);
      INSERT INTO kit.odd_name VALUES ('a_b', 1, 1.25, '2024-01-02', NULL, true), ('A%b ', 2, -3, NULL, NULL, false), (NULL, 3, NULL, '0044-03-15 BC', NULL, NULL),
        ('ä', 4, 1.25, '2024-01-02', '12345678-1234-5678-1234-567812345678', true); CREATE VIEW kit.shown AS SELECT id, name FROM kit.odd_name; ANALYZE kit.odd_name`);
    const properties = {
      "connection-url": `${server.url}?sslmode=disable`,
      "connection-user": "tester",
      "connection-password": "word of the kit",
    };
    const tables = ["kit.odd_name", "kit.shown"];
    const { broken, held } = await checkConnector(postgresqlConnectorFactory, { properties, tables, writesTo: "kit" });
    expect(broken).toEqual([]);
    expect(held).toContain("secrets of the properties are in no answer");
    expect(held).toContain("a write that is cancelled leaves nothing");
    server.psql("DROP SCHEMA kit CASCADE");
  });

  afterAll(async () => {
    await cluster?.close();
    await server?.close();
  });

  const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await cluster.query(sql)).rows;
  const failureOf = async (sql: string): Promise<string> =>
    cluster.query(sql).then(
      () => "no error",
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
    );

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) {
      await cluster.query("SELECT 1");
    }
  };

  it("lists schemas, tables and columns, with comments", async () => {
    server.psql(`
      CREATE TABLE s.shown (a int, b varchar(5)); CREATE VIEW s.seen AS SELECT a FROM s.shown; CREATE TABLE s."Mixed" ("Col" int);
      COMMENT ON TABLE s.shown IS 'of a table'; COMMENT ON COLUMN s.shown.b IS 'of a column'; INSERT INTO s."Mixed" VALUES (7)`);
    expect(await rowsOf("SHOW SCHEMAS FROM pg")).toEqual([["information_schema"], ["public"], ["s"]]);
    expect(await rowsOf("SHOW TABLES FROM pg.s LIKE 's%n'")).toEqual([["seen"], ["shown"]]);
    expect(await rowsOf("DESCRIBE pg.s.shown")).toEqual([
      ["a", "integer", "", ""],
      ["b", "varchar(5)", "", "of a column"],
    ]);
    expect(await rowsOf("SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'pg' AND table_name = 'shown'")).toEqual([
      ["of a table"],
    ]);
    // Names with capitals are found only without regard to case.
    expect(await failureOf("SELECT * FROM pg.s.mixed")).toBe("TABLE_NOT_FOUND: line 1:15: Table 'pg.s.mixed' does not exist");
    expect(await rowsOf("SELECT col FROM folded.s.mixed")).toEqual([[7]]);
    expect(await rowsOf("SHOW TABLES FROM folded.s LIKE 'mixed'")).toEqual([["mixed"]]);
    expect(await rowsOf("SELECT count(*) > 100 FROM folded.pg_catalog.pg_class")).toEqual([[true]]);
  });

  it("maps types as Trino does", async () => {
    server.psql(`
      CREATE TYPE s.mood AS ENUM ('sad', 'happy'); CREATE DOMAIN s.short AS varchar(3);
      CREATE TABLE s.types (c_bool boolean, c_small smallint, c_int integer, c_big bigint, c_real real, c_double double precision,
        c_num numeric(10,2), c_long numeric(38,5), c_neg numeric(3,-2), c_char char(5), c_varchar varchar(7), c_text text, c_bytea bytea,
        c_date date, c_time time(3), c_time6 time, c_ts timestamp(0), c_ts6 timestamp, c_tstz timestamptz(3), c_uuid uuid, c_json json,
        c_jsonb jsonb,
        c_mood s.mood, c_domain s.short, c_money money, c_ints int[], c_texts text[][], c_inet inet, c_num0 numeric);
      INSERT INTO s.types VALUES (true, -32768, 2147483647, -9223372036854775808, 1.5, 0.1, -12345678.90,
        123456789012345678901234567890123.45678,
        12300, 'ab', 'čšž', E'a\\'"\\\\\\n😀', '\\x00ff10', '2024-02-29', '23:59:59.123', '00:00:00.000001', '1999-12-31 23:59:59',
        '0001-01-01 00:00:00.123456', '2024-06-01 12:00:00.5+02', '12345678-1234-5678-1234-567812345678', '{"b": 1, "a": [1,2]}', '{"b": 1, "a": null}',
        'happy', 'xyz', 12.5, '{1,NULL,3}', '{{a,"b c"},{NULL,"NULL"}}', '10.0.0.1/8', 1234.5678);
      INSERT INTO s.types (c_bool) VALUES (NULL)`);
    const { columns, rows } = await cluster.query("SELECT * FROM pg.s.types");
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "c_bool boolean",
      "c_small smallint",
      "c_int integer",
      "c_big bigint",
      "c_real real",
      "c_double double",
      "c_num decimal(10, 2)",
      "c_long decimal(38, 5)",
      "c_neg decimal(5, 0)",
      "c_char char(5)",
      "c_varchar varchar(7)",
      "c_text varchar",
      "c_bytea varbinary",
      "c_date date",
      "c_time time(3)",
      "c_time6 time(6)",
      "c_ts timestamp(0)",
      "c_ts6 timestamp(6)",
      "c_tstz timestamp(3) with time zone",
      "c_uuid uuid",
      "c_json json",
      "c_jsonb json",
      "c_mood varchar",
      "c_domain varchar(3)",
      "c_money varchar",
      "c_ints array(integer)",
      "c_texts array(array(varchar))",
    ]);
    expect(rows).toEqual([
      [
        true,
        -32768,
        2147483647,
        -9223372036854775808n,
        1.5,
        0.1,
        "-12345678.90",
        "123456789012345678901234567890123.45678",
        "12300",
        "ab   ",
        "čšž",
        "a'\"\\\n😀",
        new Uint8Array([0, 255, 16]),
        "2024-02-29",
        "23:59:59.123",
        "00:00:00.000001",
        "1999-12-31 23:59:59",
        "0001-01-01 00:00:00.123456",
        "2024-06-01 10:00:00.500 UTC",
        "12345678-1234-5678-1234-567812345678",
        '{"a":[1,2],"b":1}',
        '{"a":null,"b":1}',
        "happy",
        "xyz",
        "$12.50",
        [1, null, 3],
        [
          ["a", "b c"],
          [null, "NULL"],
        ],
      ],
      columns.map(() => null),
    ]);
    // Arrays are not columns by default; other types can be read as text.
    expect((await cluster.query("SELECT * FROM plain.s.types")).columns.map(({ name }) => name)).not.toContain("c_ints");
    expect(await rowsOf("SELECT c_inet, c_num0, c_ints FROM texts.s.types WHERE c_bool")).toEqual([
      ["10.0.0.1/8", "1234.568", "[1,null,3]"],
    ]);
  });

  it("names values that the types do not have", async () => {
    server.psql(`
      CREATE TABLE s.odd (d date, n numeric(5,2), t time, ts timestamp, f double precision);
      INSERT INTO s.odd VALUES ('infinity', 'NaN', '24:00:00', '-infinity', 'NaN'), ('0044-03-15 BC', 1, '00:00', '0044-03-15 12:00:00 BC', '-Infinity')`);
    expect(await failureOf("SELECT d FROM pg.s.odd")).toBe("JDBC_ERROR: Value 'infinity' of column 'd' is out of range of type date");
    expect(await failureOf("SELECT n FROM pg.s.odd")).toBe("JDBC_ERROR: Value 'NaN' of column 'n' is out of range of type decimal(5,2)");
    expect(await failureOf("SELECT t FROM pg.s.odd")).toBe("JDBC_ERROR: Value '24:00:00' of column 't' is out of range of type time(6)");
    expect(await failureOf("SELECT ts FROM pg.s.odd")).toBe(
      "JDBC_ERROR: Value '-infinity' of column 'ts' is out of range of type timestamp(6)",
    );
    expect(await rowsOf("SELECT f FROM pg.s.odd")).toEqual([[Number.NaN], [Number.NEGATIVE_INFINITY]]);
    expect(await rowsOf("SELECT d, ts FROM pg.s.odd WHERE d < DATE '2000-01-01'")).toEqual([
      ["-0043-03-15", "-0043-03-15 12:00:00.000000"],
    ]);
  });

  it("returns errors of the database in its words", async () => {
    expect(await failureOf("SELECT a FROM guest.s.shown")).toBe("JDBC_ERROR: ERROR: permission denied for table shown");
    expect(await failureOf("SELECT 1 FROM absent.s.shown")).toBe(
      "JDBC_ERROR: Connection to 127.0.0.1:1 refused. Check that the hostname and port are correct and that the server accepts TCP/IP connections.",
    );
    server.psql("INSERT INTO s.shown VALUES (0, 'x')");
    expect(await failureOf("SELECT * FROM TABLE(pg.system.query(query => 'SELECT 1/a AS x FROM s.shown'))")).toBe(
      "JDBC_ERROR: ERROR: division by zero",
    );
    const secrets = [await rowsOf("SELECT * FROM system.metadata.catalogs"), await failureOf("SELECT * FROM guest.nothing.here")];
    expect(JSON.stringify(secrets)).not.toContain("secret-of-guest");
  });

  it("runs statements in the database's own SQL, one at a time and without changes", async () => {
    const query = (sql: string): string => `SELECT * FROM TABLE(pg.system.query(query => '${sql.replaceAll("'", "''")}'))`;
    expect(await rowsOf(`${query("SELECT g AS n, 'x' || g AS t, array[g] AS l FROM generate_series(1, 3) g -- all")} WHERE n > 1`)).toEqual(
      [
        [2, "x2", [2]],
        [3, "x3", [3]],
      ],
    );
    expect(await failureOf(query("SELECT 1) q; SELECT (1"))).toContain("cannot insert multiple commands into a prepared statement");
    expect(await failureOf(query("INSERT INTO s.shown VALUES (1) RETURNING a"))).toContain("syntax error");
    server.psql("CREATE FUNCTION s.change() RETURNS int LANGUAGE sql AS 'DELETE FROM s.shown RETURNING 1'");
    expect(await failureOf(query("SELECT s.change() AS c"))).toBe("JDBC_ERROR: ERROR: cannot execute DELETE in a read-only transaction");
    expect(await failureOf(query("SELECT 1 AS a, 2 AS A"))).toContain(
      "Columns of the same name without regard to case are not supported: 'a'",
    );
    expect(await rowsOf("SELECT count(*) FROM pg.s.shown")).toEqual([[1n]]);
  });

  it("returns the same rows in the same order, however the table is divided", async () => {
    server.psql(`
      CREATE TABLE s.many (id int PRIMARY KEY, k int, t text);
      INSERT INTO s.many SELECT g, g % 10, repeat('x', g % 50) FROM generate_series(1, 3000) g; UPDATE s.many SET k = k + 1 WHERE id % 7 = 0;
      CREATE TABLE s.parts (id int, k int) PARTITION BY RANGE (id); CREATE TABLE s.parts1 PARTITION OF s.parts FOR VALUES FROM (0) TO (100);
      CREATE TABLE s.parts2 PARTITION OF s.parts FOR VALUES FROM (100) TO (200);
      INSERT INTO s.parts SELECT 199 - g, g FROM generate_series(0, 199) g; ANALYZE;`);
    const inOrder = server.psql("SELECT id FROM s.many ORDER BY ctid").trim().split("\n").map(Number);
    const ids = async (sql: string): Promise<unknown> => (await rowsOf(sql)).map(([id]) => id);
    expect(await ids("SELECT id FROM pg.s.many")).toEqual(inOrder);
    expect(await rowsOf("SELECT count(*), count(DISTINCT id), sum(k) FROM small.s.many")).toEqual(
      await rowsOf("SELECT count(*), count(DISTINCT id), sum(k) FROM pg.s.many"),
    );
    const first = await ids("SELECT id FROM small.s.many");
    expect(await ids("SELECT id FROM small.s.many")).toEqual(first);
    expect(new Set(first as number[]).size).toBe(3000);
    expect(await rowsOf("SELECT id, t FROM small.s.many WHERE id = 2500")).toEqual([[2500, ""]]);
    expect(await rowsOf("SELECT count(*) FROM small.s.many WHERE k > 3 AND id BETWEEN 100 AND 2900")).toEqual(
      await rowsOf("SELECT count_if(k > 3 AND id BETWEEN 100 AND 2900) FROM pg.s.many"),
    );
    expect(await rowsOf("SELECT count(*), sum(id), min(k) FROM small.s.parts WHERE k < 150")).toEqual([[150n, 18675n, 0]]);
  });

  it("reads one snapshot in a query", async () => {
    server.psql("CREATE TABLE s.moved (side text, v int); INSERT INTO s.moved SELECT 'a', g FROM generate_series(1, 4000) g");
    // Rows move while the tables are read; each query sees all of them once.
    const moves = Array.from({ length: 5 }, (_, step) => `UPDATE s.moved SET side = 'b' WHERE v % 5 = ${step}`);
    let done = false;
    const reads = (async () => {
      const seen: unknown[] = [];
      while (!done || seen.length < 3) {
        seen.push(
          ...(await rowsOf(
            "SELECT (SELECT count(*) FROM small.s.moved WHERE side = 'a') + (SELECT count(*) FROM small.s.moved WHERE side = 'b'), (SELECT count(*) FROM small.s.moved)",
          )),
        );
      }
      return seen;
    })();
    for (const move of moves) {
      await cluster.query("SELECT 1");
      server.psql(move);
    }
    done = true;
    expect(new Set((await reads).map(String))).toEqual(new Set(["4000,4000"]));
  });

  it("leaves no transaction behind, and ends statements of cancelled queries", async () => {
    const running = (): string =>
      server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'orrery' AND state <> 'idle'").trim();
    // A reader that stops early, and one that never gets a row.
    expect(await rowsOf("SELECT id FROM small.s.many LIMIT 1")).toHaveLength(1);
    await until(() => running() === "0");
    const stop = new AbortController();
    const sleeping = cluster.query("SELECT * FROM TABLE(pg.system.query(query => 'SELECT pg_sleep(600)::text AS s'))", {
      signal: stop.signal,
    });
    sleeping.catch(() => undefined);
    await until(() => server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").trim() === "1");
    stop.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await until(() => running() === "0");
  });

  it("ends a DELETE of a cancelled query, which then has changed nothing", async () => {
    const sleeping = (): string => server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").trim();
    server.psql(`
      CREATE TABLE s.slow (id int); INSERT INTO s.slow VALUES (1);
      CREATE FUNCTION s.nap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN OLD; END $$;
      CREATE TRIGGER nap BEFORE DELETE ON s.slow FOR EACH ROW EXECUTE FUNCTION s.nap()`);
    const stop = new AbortController();
    const deleting = cluster.query("DELETE FROM pg.s.slow", { signal: stop.signal });
    deleting.catch(() => undefined);
    await until(() => sleeping() === "1");
    stop.abort(new Error("enough"));
    await expect(deleting).rejects.toThrow("enough");
    await until(() => sleeping() === "0");
    expect(await rowsOf("SELECT id FROM pg.s.slow")).toEqual([[1]]);
  });

  it.each([
    ["s.locked", "DROP TABLE pg.s.locked"],
    ["s.locked", "INSERT INTO pg.s.locked VALUES 1"],
    ["pg_description", "SHOW CREATE TABLE pg.s.locked"],
    ["pg_description", "SELECT count(*) FROM pg.information_schema.columns WHERE table_schema = 's' AND table_name = 'locked'"],
  ])("ends what waits for the lock of %s with its query: %s", async (locked, sql) => {
    const waiting = (): string => server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").trim();
    server.psql("CREATE TABLE IF NOT EXISTS s.locked (id int)");
    const [unlock, stop] = [new AbortController(), new AbortController()];
    const holder = cluster.query(`CALL plain.system.execute(query => 'LOCK TABLE ${locked}; SELECT pg_sleep(600)')`, {
      signal: unlock.signal,
    });
    holder.catch(() => undefined);
    await until(() => server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").trim() === "1");
    const asked = cluster.query(sql, { signal: stop.signal });
    asked.catch(() => undefined);
    await until(() => waiting() === "1");
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await until(() => waiting() === "0");
    unlock.abort(new Error("enough"));
    await expect(holder).rejects.toThrow("enough");
    await until(() => server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").trim() === "0");
    // What was staged for the write goes too.
    await until(() => server.psql("SELECT count(*) FROM pg_class WHERE relname LIKE 'orrery_tmp_%'").trim() === "0");
    expect(server.psql("SELECT count(*) FROM s.locked").trim()).toBe("0");
  });

  it("runs any statement by a procedure, of which nothing is left on its connection", async () => {
    await cluster.query("CALL pg.system.execute(query => 'CREATE TABLE s.executed (a int); INSERT INTO s.executed VALUES (1)')");
    await cluster.query("CALL pg.system.execute('SET search_path = nowhere')");
    await cluster.query("CALL pg.system.execute('BEGIN')");
    await cluster.query("CALL pg.system.execute('ALTER TABLE s.executed ADD CONSTRAINT few CHECK (a < 3)')");
    expect(await rowsOf("SELECT a FROM pg.s.executed")).toEqual([[1]]);
    expect(server.psql("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'").trim()).toBe("0");
    expect(await failureOf("CALL pg.system.execute('INSERT INTO s.executed VALUES (7)')")).toMatch(/^JDBC_ERROR: .*"few"/);
    expect(await failureOf("CALL pg.system.execute(NULL)")).toBe("INVALID_PROCEDURE_ARGUMENT: Procedure argument cannot be null: query");
    expect(await failureOf("CALL guest.system.execute('DROP TABLE s.executed')")).toContain("must be owner of table executed");
    const stop = new AbortController();
    const sleeping = cluster.query("CALL pg.system.execute('SELECT pg_sleep(600)')", { signal: stop.signal });
    sleeping.catch(() => undefined);
    const running = (): string => server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'").trim();
    await until(() => running() === "1");
    stop.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await until(() => running() === "0");
  });

  it("uses the database's statistics", async () => {
    const [, rows] = [await rowsOf("SHOW STATS FOR pg.s.many"), await rowsOf("SHOW STATS FOR pg.s.many")];
    expect(rows.find(([name]) => name === "id")).toEqual(["id", null, 3000, 0, null, "1", "3000"]);
    expect(rows.at(-1)?.[4]).toBe(3000);
  });

  it("gives conditions to the database only where they select the same rows", async () => {
    server.psql(`CREATE TABLE s.texts (${randomColumns}); INSERT INTO s.texts VALUES ${randomValues(150, 7)}`);
    const conditions = randomConditions(40, 11);
    const ids = (filter = ""): string => `array_sort(array_agg(id)${filter})`;
    // A condition of an aggregate is not one of the scan.
    const unpushed = await rowsOf(`SELECT ${conditions.map((filter) => ids(` FILTER (WHERE ${filter})`)).join(", ")} FROM pg.s.texts`);
    for (const [index, filter] of conditions.entries()) {
      expect(await rowsOf(`SELECT ${ids()} FROM pg.s.texts WHERE ${filter}`), filter).toEqual([[unpushed[0]?.[index]]]);
    }
  });

  it("leaves operations to the database that give the same rows there", async () => {
    const without = { optimizer_rules: "-push_into_connectors" };
    const sorted = (rows: readonly unknown[]): readonly string[] =>
      rows.map((row) => JSON.stringify(row, (_key, value: unknown) => String(value))).sort();
    server.psql("ANALYZE s.texts");
    const joins = randomJoins("pg.s.texts", 25, 5);
    const plans = await Promise.all(joins.map(async (sql) => JSON.stringify(await rowsOf(`EXPLAIN ${sql}`))));
    expect(plans.filter((plan) => plan.includes(" AS l JOIN ")).length).toBeGreaterThan(8);
    for (const sql of [...randomStatements("pg.s.texts", 35, 3), ...joins]) {
      const [pushed, plain] = [await cluster.query(sql), await cluster.query(sql, { session: without })];
      const isOrdered = sql.includes("ORDER BY");
      expect(isOrdered ? pushed.rows : sorted(pushed.rows), sql).toEqual(isOrdered ? plain.rows : sorted(plain.rows));
    }
  });

  it("lets the database delete and update the rows that the engine would", async () => {
    server.psql("CREATE TABLE s.changed (LIKE s.texts INCLUDING ALL)");
    const reset = (): void => void server.psql("TRUNCATE s.changed; INSERT INTO s.changed SELECT * FROM s.texts WHERE id < 60");
    expect(await checkChanges({ cluster, table: "pg.s.changed", reset }, 8, 5)).toBeGreaterThan(3);
    reset();
    await checkRefusals(cluster, "pg.s.changed");
    await checkComputed(cluster, "pg.s");
    expect((await cluster.query("UPDATE pg.s.changed SET id = 1, f = nan() WHERE id = 1")).updateCount).toBe(1);
    expect(await rowsOf("SELECT is_nan(f) FROM pg.s.changed WHERE id = 1")).toEqual([[true]]);
    expect((await cluster.query("DELETE FROM pg.s.changed")).updateCount).toBe(60);
  });

  it("changes rows one by one where no statement of the database would do", async () => {
    await checkStagedChanges({ cluster, table: "pg.s.merged", twin: "memory.default.merged" }, () =>
      server.psql("ALTER TABLE s.merged ADD PRIMARY KEY (id)"),
    );
    expect(server.psql("SELECT count(*) FROM pg_class WHERE relname LIKE 'orrery_tmp%'").trim()).toBe("0");
  });

  it("merges as the database does, into rows whose columns it fills itself", async () => {
    const table = `(id bigserial, code char(3) COLLATE "C", raw bytea, note text DEFAULT 'none', twice int GENERATED ALWAYS AS (amount * 2) STORED,
      amount int, PRIMARY KEY (code, raw))`;
    const source = "(SELECT * FROM (VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4)) AS v (code, amount)) AS s";
    const merge = (target: string, raw: string): string => `MERGE INTO ${target} AS t USING ${source} ON t.code = s.code
      WHEN MATCHED AND t.amount = 10 THEN DELETE WHEN MATCHED THEN UPDATE SET amount = t.amount * s.amount
      WHEN NOT MATCHED AND s.code = 'c' THEN INSERT (code, raw, note) VALUES (s.code, ${raw}, NULL)
      WHEN NOT MATCHED THEN INSERT (code, raw, amount) VALUES (s.code, ${raw}, s.amount)`;
    const rows = "INSERT INTO s.name (code, raw, amount) VALUES ('a', '\\x00', 10), ('b', '\\xff', 20), ('z', '\\x00', 30)";
    for (const name of ["here", "there"]) {
      server.psql(`CREATE TABLE s.${name} ${table}; ${rows.replace("name", name)}`);
    }
    expect((await cluster.query(merge("pg.s.here", "X'01'"))).updateCount).toBe(4);
    server.psql(merge("s.there", "'\\x01'"));
    const [here, there] = ["here", "there"].map((name) =>
      server.psql(`SELECT code, raw, note, twice, amount FROM s.${name} ORDER BY code`),
    );
    expect(here).toBe(there);
  });

  it("refuses to change rows that another client has changed meanwhile", async () => {
    server.psql("CREATE TABLE s.contested (id int PRIMARY KEY, n int); INSERT INTO s.contested VALUES (1, 1), (2, 2)");
    // Holds the lock of a row until somebody waits for it.
    const other = cluster.query(`CALL pg.system.execute('DO $$ BEGIN UPDATE s.contested SET n = 5 WHERE id = 1;
      WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = ''Lock'') LOOP PERFORM pg_stat_clear_snapshot(); END LOOP; END $$')`);
    await until(
      () => server.psql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%DO $$%' AND backend_xid IS NOT NULL").trim() === "1",
    );
    expect(await failureOf("UPDATE pg.s.contested SET n = n * 10 + id * 0")).toBe(
      'TRANSACTION_CONFLICT: Table "s"."contested" has changed since its rows were read',
    );
    await other;
    expect(await rowsOf("SELECT * FROM pg.s.contested ORDER BY 1")).toEqual([
      [1, 5],
      [2, 2],
    ]);
  });

  it("shows the statements of the database in EXPLAIN", async () => {
    const sourceOf = async (sql: string, session = {}): Promise<string | undefined> =>
      /source = (.*)/.exec((await cluster.query(`EXPLAIN ${sql}`, { session })).rows[0]?.[0] as string)?.[1];
    expect(await sourceOf("SELECT t FROM pg.s.texts WHERE t < 'x' AND id IN (1, 2) AND d > DATE '2024-01-05'")).toBe(
      `SELECT "id", "t", "d" FROM "s"."texts" WHERE ("t" COLLATE "C" < 'x') AND "id" IN (1, 2) AND "d" > DATE '2024-01-05'`,
    );
    expect(await sourceOf("SELECT b, max(t), sum(n), count(*) FROM pg.s.texts WHERE NOT (id = 1 OR t IS NULL) GROUP BY b")).toBe(
      `SELECT "b", "_agg_0", "_agg_1", "_agg_2" FROM (SELECT "b", max("t" COLLATE "C") AS "_agg_0", sum("n") AS "_agg_1", count(*) AS "_agg_2" FROM "s"."texts" WHERE (NOT (("id" = 1) OR ("t" IS NULL))) GROUP BY "b" ORDER BY "b") AS "q"`,
    );
    expect(await sourceOf("SELECT id FROM pg.s.texts WHERE f > 1e0 ORDER BY t DESC LIMIT 3")).toBe(
      `SELECT "id", "t", "f" FROM (SELECT "id", "t", "f" FROM "s"."texts" WHERE ("f" > '1'::float8 AND "f" <> 'NaN'::float8) ORDER BY "t" COLLATE "C" DESC NULLS LAST, tableoid, ctid LIMIT 3) AS "q"`,
    );
    expect(await rowsOf("EXPLAIN DELETE FROM pg.s.texts WHERE id = 1 + 1")).toEqual([
      [`TableDelete[table = pg:s.texts]\n    source = DELETE FROM "s"."texts" WHERE ("id" = 2)\n`],
    ]);
    expect(await rowsOf("EXPLAIN UPDATE pg.s.texts SET b = true WHERE 1 > 2")).toEqual([
      ["TableUpdate[table = pg:s.texts]\n    no row changes\n"],
    ]);
    expect(await sourceOf("SELECT id FROM pg.s.texts LIMIT 3")).toBe(`SELECT "id" FROM (SELECT "id" FROM "s"."texts" LIMIT 3) AS "q"`);
    expect(await sourceOf("SELECT id FROM pg.s.texts LIMIT 3", { optimizer_rules: "-push_into_connectors" })).toBeUndefined();
    const io = await rowsOf("EXPLAIN (TYPE IO) SELECT count(*) FROM pg.s.texts a JOIN pg.s.many b ON a.id = b.id AND b.id < 3");
    expect(JSON.stringify(io).match(/table\W+(texts|many)/g)).toHaveLength(2);
    // Sums of doubles depend on the order of the rows, and expressions are the engine's.
    expect(await sourceOf("SELECT sum(f) FROM pg.s.texts")).toBe(`SELECT "f" FROM "s"."texts"`);
    expect(await sourceOf("SELECT count(*) FROM pg.s.texts WHERE length(t) = 2")).toBe(`SELECT "t" FROM "s"."texts"`);
  });

  it("does not let the database compare values that the engine has changed", async () => {
    server.psql(
      "CREATE TABLE s.rounded (n numeric, m numeric(6,3)); INSERT INTO s.rounded VALUES (1.2345, 1.235), (1.235, 1.235), (1.2, 1.2)",
    );
    for (const filter of ["n = DECIMAL '1.235'", "n IN (DECIMAL '1.235', DECIMAL '7.000')", "n > DECIMAL '1.234'"]) {
      expect(await rowsOf(`SELECT count(*) FROM texts.s.rounded WHERE ${filter}`)).toEqual([[2n]]);
    }
    expect(await rowsOf("SELECT n, count(*) FROM texts.s.rounded GROUP BY n ORDER BY n")).toEqual([
      ["1.200", 1n],
      ["1.235", 2n],
    ]);
    server.psql(`CREATE COLLATION s.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE s.loose (t text COLLATE s.any_case); INSERT INTO s.loose VALUES ('a'), ('A'), ('b')`);
    expect(await rowsOf("SELECT count(*) FROM pg.s.loose WHERE t = 'a'")).toEqual([[1n]]);
    expect(await rowsOf("SELECT t, count(*) FROM pg.s.loose GROUP BY t ORDER BY t")).toEqual([
      ["A", 1n],
      ["a", 1n],
      ["b", 1n],
    ]);
    expect(await rowsOf("SELECT max(t) FROM pg.s.loose WHERE t <> 'b'")).toEqual([["a"]]);
  });

  it("writes what it can read, whole or not at all", async () => {
    const values = `VALUES
      (true, TINYINT '-1', SMALLINT '2', 3, BIGINT '-9223372036854775808', REAL '1.5', DOUBLE '-0.1', DECIMAL '-12.30', 'it''s \\ "x" 😀', CAST('ab' AS varchar(5)),
        CAST('c' AS char(3)), X'00ff', DATE '-0043-03-15', TIME '23:59:59.123456', TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '2024-06-01 10:00:00.5 +02:00',
        UUID '12345678-1234-5678-1234-567812345678', JSON '{"b":[1,"x"]}'),
      (NULL, NULL, NULL, NULL, NULL, CAST(nan() AS real), infinity(), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`;
    const names = "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r";
    await cluster.query(`CREATE TABLE pg.s.written AS SELECT * FROM (${values}) AS t (${names})`);
    const written = await cluster.query("SELECT * FROM pg.s.written");
    expect(written.columns.map(({ type }) => type).join("; ")).toBe(
      "boolean; smallint; smallint; integer; bigint; real; double; decimal(4, 2); varchar(12); varchar(5); char(3); varbinary; date; time(6); timestamp(6); timestamp(1) with time zone; uuid; json",
    );
    const given = await rowsOf(`SELECT * FROM (${values}) AS t (${names})`);
    // Instants are stored without their zone.
    expect(written.rows).toEqual(
      given.map((row, index) => row.map((value, column) => (index === 0 && column === 15 ? "2024-06-01 08:00:00.5 UTC" : value))),
    );
    expect(
      (await cluster.query("INSERT INTO pg.s.written (d, i) SELECT nationkey, 'n' || CAST(nationkey AS varchar) FROM names.tiny.nation"))
        .updateCount,
    ).toBe(25);
    expect(await rowsOf("SELECT count(*), sum(d), max(i) FROM pg.s.written")).toEqual([[27n, 303n, "n9"]]);
    // A value that the column does not take, after many that it takes: no row becomes visible, and no staging table stays.
    server.psql("CREATE TABLE s.strict (v int CHECK (v < 59000)); ALTER TABLE s.strict ADD COLUMN w text DEFAULT 'none'");
    expect(await failureOf("INSERT INTO pg.s.strict (v) SELECT CAST(orderkey AS integer) FROM names.tiny.orders")).toContain(
      'ERROR: new row for relation "strict" violates check constraint',
    );
    expect(
      await failureOf(
        "CREATE TABLE pg.s.failed AS SELECT 1 / (orderkey - 59000) AS x FROM names.tiny.orders WHERE orderkey < 60000 OR orderkey / 0 > 1",
      ),
    ).toContain("DIVISION_BY_ZERO");
    expect(await failureOf("CREATE TABLE pg.s.failed AS SELECT ARRAY[1] AS x")).toBe(
      "NOT_SUPPORTED: Unsupported column type: array(integer)",
    );
    expect(await failureOf("CREATE TABLE pg.s.strict AS SELECT 1 AS x")).toContain("TABLE_ALREADY_EXISTS");
    expect(await failureOf("CREATE TABLE guest.s.failed AS SELECT 1 AS x")).toBe("JDBC_ERROR: ERROR: permission denied for schema s");
    expect(await rowsOf("SELECT count(*) FROM pg.s.strict")).toEqual([[0n]]);
    // The database fills the columns that a statement does not name.
    server.psql(
      "CREATE TABLE s.filled (id int GENERATED ALWAYS AS IDENTITY, v text NOT NULL, w int DEFAULT 7, u uuid DEFAULT gen_random_uuid())",
    );
    await cluster.query("INSERT INTO pg.s.filled (u, v) SELECT UUID '12345678-1234-5678-1234-567812345678', 'a'");
    await cluster.query("INSERT INTO pg.s.filled (v) VALUES 'b'");
    const byKey = "SELECT id, v, w FROM pg.s.filled WHERE u = UUID '12345678-1234-5678-1234-567812345678'";
    expect(await rowsOf(byKey)).toEqual([[1, "a", 7]]);
    expect((await rowsOf(`EXPLAIN ${byKey}`)).join()).toContain(`WHERE ("u" = '12345678-1234-5678-1234-567812345678'::uuid)`);
    expect(await rowsOf("SELECT id, w FROM pg.s.filled WHERE u <> UUID '12345678-1234-5678-1234-567812345678'")).toEqual([[2, 7]]);
    expect(await failureOf("INSERT INTO pg.s.filled (w) VALUES 1")).toContain('null value in column "v"');
    await until(() => server.psql("SELECT count(*) FROM pg_class WHERE relname LIKE 'orrery_tmp%' OR relname = 'failed'").trim() === "0");
  });

  it("changes tables", async () => {
    await cluster.query("CREATE SCHEMA pg.changed");
    await cluster.query("CREATE TABLE pg.changed.t (a integer COMMENT 'first', b varchar(3)) COMMENT 'of t'");
    await cluster.query("INSERT INTO pg.changed.t VALUES (1, 'x')");
    await cluster.query("ALTER TABLE pg.changed.t ADD COLUMN c decimal(5,1) COMMENT 'third'");
    await cluster.query("ALTER TABLE pg.changed.t RENAME COLUMN b TO bb");
    await cluster.query("COMMENT ON COLUMN pg.changed.t.bb IS 'it''s'");
    await cluster.query("ALTER TABLE pg.changed.t RENAME TO pg.changed.u");
    expect(await rowsOf("DESCRIBE pg.changed.u")).toEqual([
      ["a", "integer", "", "first"],
      ["bb", "varchar(3)", "", "it's"],
      ["c", "decimal(5,1)", "", "third"],
    ]);
    await cluster.query("ALTER TABLE pg.changed.u DROP COLUMN a");
    expect(await rowsOf("SELECT * FROM pg.changed.u")).toEqual([["x", null]]);
    await cluster.query("TRUNCATE TABLE pg.changed.u");
    expect(await rowsOf("SELECT * FROM pg.changed.u")).toEqual([]);
    expect(await failureOf("DROP SCHEMA pg.changed")).toContain("SCHEMA_NOT_EMPTY");
    await cluster.query("DROP TABLE pg.changed.u");
    await checkRaces(cluster, "pg.changed");
    await cluster.query("CREATE TABLE pg.changed.t AS SELECT 1 a");
    await cluster.query("ALTER SCHEMA pg.changed RENAME TO renamed");
    expect(await rowsOf("SELECT a FROM pg.renamed.t")).toEqual([[1]]);
    await cluster.query("DROP SCHEMA pg.renamed CASCADE");
    expect(await rowsOf("SHOW SCHEMAS FROM pg LIKE 'renamed'")).toEqual([]);
    expect(await rowsOf("SHOW SCHEMAS FROM pg LIKE 'changed'")).toEqual([]);
  });

  it("leaves NOT NULL and DEFAULT to the database", async () => {
    await checkColumnAttributes({ cluster, schema: "pg.s", changesNullability: true });
    server.psql(`
      CREATE DOMAIN s.required AS int NOT NULL;
      CREATE TABLE s.keyed (k serial PRIMARY KEY, d s.required DEFAULT 3, n timestamp DEFAULT now(),
        t text DEFAULT 'a' || 'b', g int GENERATED ALWAYS AS (1) STORED);
      CREATE VIEW s.keys AS SELECT * FROM s.keyed`);
    expect(
      await rowsOf("SELECT column_name, is_nullable, column_default FROM pg.information_schema.columns WHERE table_name = 'keyed'"),
    ).toEqual([
      ["k", "NO", null],
      ["d", "NO", "3"],
      ["n", "YES", null],
      ["t", "YES", null],
      ["g", "YES", null],
    ]);
    await cluster.query("INSERT INTO pg.s.keyed (d) VALUES 4");
    expect(await rowsOf("SELECT k, d, t FROM pg.s.keyed WHERE n > TIMESTAMP '2000-01-01 00:00:00'")).toEqual([[1, 4, "ab"]]);
    expect(await rowsOf("SELECT is_nullable FROM pg.information_schema.columns WHERE table_name = 'keys' AND column_name = 'k'")).toEqual([
      ["YES"],
    ]);
  });

  it("answers TPC-H as the tpch connector does", async () => {
    await cluster.query("CREATE SCHEMA pg.tiny");
    for (const table of tpchTables) {
      await cluster.query(`CREATE TABLE pg.tiny.${table} AS SELECT * FROM tpch.tiny.${table}`);
    }
    server.psql("ANALYZE");
    // Half of the queries in turn; all with ORRERY_TEST_ALL=1.
    const files = readdirSync(tpchFolder).filter((name) => /^q\d\d\.sql$/.test(name));
    for (const file of files.filter((_, index) => isInTurn(index))) {
      const sql = readFileSync(join(tpchFolder, file), "utf8").replace(/;\s*$/, "");
      const answer = async (catalog: string): Promise<unknown> => (await cluster.query(sql, { catalog, schema: "tiny" })).rows;
      expect(await answer("pg"), file).toEqual(await answer("tpch"));
    }
  });
});
