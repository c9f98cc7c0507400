/**
 * The cases for every client: a few statements and their expected results.
 */
import { expect } from "vitest";
import type { LoopbackCluster } from "../support/loopback-cluster.ts";
import type { Answer, CaseName, ClientAdapter, ClientSession, SessionOptions } from "./adapters/adapter.ts";
import { StatementFailure } from "./adapters/adapter.ts";

/** A client of a cluster, with table names that no other client uses. */
export class Bench {
  readonly cluster: LoopbackCluster;
  readonly #client: ClientAdapter;
  readonly #number: number;

  constructor(cluster: LoopbackCluster, client: ClientAdapter, number: number) {
    this.cluster = cluster;
    this.#client = client;
    this.#number = number;
  }

  open(options: Omit<SessionOptions, "uri"> = {}): ClientSession {
    return this.#client.open({ uri: this.cluster.uri, catalog: "tpch", schema: "tiny", ...options });
  }

  get family(): "presto" | "trino" {
    return this.#client.family;
  }

  table(name: string): string {
    return `${name}_${this.#number}`;
  }

  async document(id: string): Promise<unknown> {
    const { body } = await this.cluster.request("GET", `${this.cluster.uri}/v1/query/${id}`, { headers: { "x-engine-user": "bob" } });
    return JSON.parse(new TextDecoder().decode(body));
  }

  /** The error of a statement; fails the test if it succeeds. */
  async failure(statement: Promise<Answer>): Promise<StatementFailure> {
    const outcome = await statement.then(
      () => new Error("the statement did not fail"),
      (error: unknown) => error,
    );
    expect(outcome).toBeInstanceOf(StatementFailure);
    return outcome as StatementFailure;
  }
}

/** An optional method that the adapter must have, because it does not list the case as unsupported. */
function has<T>(means: T | undefined): T {
  if (means === undefined) {
    throw new Error("the adapter has no such means and does not say so");
  }
  return means;
}

const long = "SELECT count(*) AS n FROM tpch.sf1000.lineitem a JOIN tpch.sf1000.lineitem b ON a.orderkey = b.partkey";

async function scalars(bench: Bench): Promise<void> {
  const { rows } = await bench.open().run(
    `SELECT true AS a, 42 AS b, BIGINT '-9007199254740991' AS c, 1.25E0 AS d, DECIMAL '12345678901234567890.50' AS e, U&'h\\00e9 \\+01F600' AS f,
            DATE '2020-02-29' AS g, TIME '12:34:56.789' AS h, TIMESTAMP '2020-02-29 12:34:56.789' AS i, NULL AS j,
            CAST('ab' AS char(3)) AS k, '' AS l`,
  );
  const decimal = "12345678901234567890.50";
  const day = ["2020-02-29", "12:34:56.789", "2020-02-29 12:34:56.789"];
  expect(rows).toEqual([[true, 42, -9007199254740991, 1.25, decimal, "hé 😀", ...day, null, "ab ", ""]]);
}

async function bigints(bench: Bench): Promise<void> {
  const { rows } = await bench.open().run("SELECT BIGINT '9007199254740993' AS a, BIGINT '-9223372036854775808' AS b");
  expect(rows[0]?.map(String)).toEqual(["9007199254740993", "-9223372036854775808"]);
}

async function nested(bench: Bench): Promise<void> {
  const { rows } = await bench.open().run(
    `SELECT ARRAY[1, NULL, 3] AS a, MAP(ARRAY['x', 'é'], ARRAY[1.5, NULL]) AS b, CAST(ROW(1, 'one') AS row(n integer, s varchar)) AS c,
            ARRAY[MAP(ARRAY[1], ARRAY[ROW('deep')])] AS d, CAST(ARRAY[] AS array(bigint)) AS e`,
  );
  expect(rows).toEqual([[[1, null, 3], { x: "1.5", é: null }, [1, "one"], [{ 1: ["deep"] }], []]]);
}

async function columnsOf(bench: Bench): Promise<void> {
  const { columns, rows } = await bench
    .open()
    .run("SELECT nationkey, name, 1.50 AS price, ARRAY[1] AS list FROM nation ORDER BY nationkey");
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ["nationkey", "bigint"],
    ["name", "varchar(25)"],
    ["price", bench.family === "trino" ? "decimal(3, 2)" : "decimal(3,2)"],
    ["list", "array(integer)"],
  ]);
  expect(rows.length).toBe(25);
  expect(rows[24]).toEqual([24, "UNITED STATES", "1.50", [1]]);
}

async function errorAtOnce(bench: Bench): Promise<void> {
  const { message } = await bench.failure(bench.open().run("SELECT nosuch FROM nation"));
  expect(message).toBe("line 1:8: Column 'nosuch' cannot be resolved");
  const table = await bench.failure(bench.open().run("SELECT * FROM nosuch"));
  expect(table.message).toBe("line 1:15: Table 'tpch.tiny.nosuch' does not exist");
}

async function errorWhileRunning(bench: Bench): Promise<void> {
  // The error occurs in the last of many rows, after pages were sent.
  const { message } = await bench.failure(bench.open().run("SELECT orderkey, 1 / (60000 - orderkey) AS q FROM lineitem"));
  expect(message).toBe("Division by zero");
}

async function errorName(bench: Bench): Promise<void> {
  const session = bench.open();
  expect((await bench.failure(session.run("SELECT nosuch FROM nation"))).errorName).toBe("COLUMN_NOT_FOUND");
  expect((await bench.failure(session.run("SELECT 1 / (nationkey - 7) AS q FROM nation"))).errorName).toBe("DIVISION_BY_ZERO");
}

async function syntaxError(bench: Bench): Promise<void> {
  const { message } = await bench.failure(bench.open().run("SELECT 1 +"));
  expect(message).toMatch(/^line 1:11: mismatched input '<EOF>'/);
}

async function emptyResult(bench: Bench): Promise<void> {
  const session = bench.open();
  expect((await session.run("SELECT name FROM nation WHERE nationkey < 0")).rows).toEqual([]);
  expect((await session.run("SELECT orderkey FROM lineitem LIMIT 0")).rows).toEqual([]);
}

async function manyRows(bench: Bench): Promise<void> {
  const { rows } = await bench.open().run("SELECT orderkey, linenumber, comment FROM lineitem");
  expect(rows.length).toBe(60_175);
  expect(new Set(rows.map(([order, line]) => `${String(order)}.${String(line)}`)).size).toBe(60_175);
}

async function statementsAtOnce(bench: Bench): Promise<void> {
  const session = bench.open();
  const keys = [0, 1, 2, 3, 4, 5, 6, 7];
  const answers = await Promise.all(keys.map((key) => session.run(`SELECT count(*) AS n FROM nation WHERE nationkey < ${key}`)));
  expect(answers.map(({ rows }) => rows)).toEqual(keys.map((key) => [[key]]));
}

async function cancel(bench: Bench): Promise<void> {
  const session = bench.open();
  const id = await has(session.cancel?.bind(session))(long);
  expect(await bench.document(id)).toMatchObject({ state: "FAILED", errorCode: { name: "USER_CANCELED" }, query: long });
}

async function prepared(bench: Bench): Promise<void> {
  const session = bench.open();
  const runWith = has(session.runWith?.bind(session));
  const sql = "SELECT name FROM nation WHERE nationkey IN (?) AND name <> ?";
  expect((await runWith(sql, [7, "it's, a = b"])).rows).toEqual([["GERMANY"]]);
  expect((await runWith(sql, [7, "GERMANY"])).rows).toEqual([]);
}

async function preparedText(bench: Bench): Promise<void> {
  const session = bench.open();
  const runWith = has(session.runWith?.bind(session));
  const sql = "SELECT name, 'a, b=c é%' AS text FROM nation WHERE nationkey = ? AND name <> ?";
  expect((await runWith(sql, [7, "it's, a = b"])).rows).toEqual([["GERMANY", "a, b=c é%"]]);
  expect((await runWith(sql, [7, "GERMANY"])).rows).toEqual([]);
}

const joinTypeOf = async (session: ClientSession): Promise<unknown> =>
  (await session.run("SHOW SESSION")).rows.find(([name]) => name === "join_distribution_type")?.[1];

async function sessionProperties(bench: Bench): Promise<void> {
  expect(await joinTypeOf(bench.open())).toBe("AUTOMATIC");
  expect(await joinTypeOf(bench.open({ properties: { join_distribution_type: "BROADCAST" } }))).toBe("BROADCAST");
}

async function unknownProperty(bench: Bench): Promise<void> {
  const { message } = await bench.failure(bench.open({ properties: { nosuch_property: "1" } }).run("SELECT 1 AS one"));
  expect(message).toMatch(/(^|: )Session property 'nosuch_property' does not exist$/);
}

async function catalogAndSchema(bench: Bench): Promise<void> {
  expect((await bench.open().run("SELECT count(*) AS n FROM supplier")).rows).toEqual([[100]]);
  expect((await bench.open({ schema: "sf1" }).run("SELECT count(*) AS n FROM supplier")).rows).toEqual([[10_000]]);
  const missing = await bench.failure(bench.open({ catalog: "memory", schema: "default" }).run("SELECT count(*) AS n FROM supplier"));
  expect(missing.message).toBe("line 1:27: Table 'memory.default.supplier' does not exist");
}

async function timeZone(bench: Bench): Promise<void> {
  const sql = "SELECT current_timezone() AS zone, CAST(from_unixtime(0) AS varchar) AS text";
  const { rows } = await bench.open({ timeZone: "Asia/Kathmandu" }).run(sql);
  expect(rows[0]?.[0]).toBe("Asia/Kathmandu");
  expect(String(rows[0]?.[1])).toMatch(/^1970-01-01 05:30:00\.000/);
}

async function namesBeyondAscii(bench: Bench): Promise<void> {
  await bench.open().run('CREATE SCHEMA IF NOT EXISTS memory."é"');
  const { rows } = await bench.open({ catalog: "memory", schema: "é" }).run('SELECT current_schema AS "имя", \'名\' AS "名"');
  expect(rows).toEqual([["é", "名"]]);
}

async function use(bench: Bench): Promise<void> {
  const session = bench.open({ catalog: "memory", schema: "default" });
  await session.run("USE tpch.tiny");
  expect((await session.run("SELECT count(*) AS n FROM region")).rows).toEqual([[5]]);
}

async function setSession(bench: Bench): Promise<void> {
  const session = bench.open();
  await session.run("SET SESSION join_distribution_type = 'PARTITIONED'");
  expect(await joinTypeOf(session)).toBe("PARTITIONED");
  await session.run("RESET SESSION join_distribution_type");
  expect(await joinTypeOf(session)).toBe("AUTOMATIC");
  const { message } = await bench.failure(session.run("SET SESSION nosuch_property = 1"));
  expect(message).toMatch(/Session property 'nosuch_property' does not exist$/);
}

async function writes(bench: Bench): Promise<void> {
  const session = bench.open({ catalog: "memory", schema: "default" });
  const table = bench.table("written");
  const counted = async (sql: string): Promise<unknown> => (await session.run(sql)).rows;
  expect(await counted(`CREATE TABLE ${table} AS SELECT nationkey, name FROM tpch.tiny.nation`)).toEqual([[25]]);
  expect(await counted(`INSERT INTO ${table} VALUES (100, 'NOWHERE'), (101, NULL)`)).toEqual([[2]]);
  expect(await counted(`SELECT count(*) AS n, count(name) AS m FROM ${table}`)).toEqual([[27, 26]]);
  expect(await counted(`DELETE FROM ${table} WHERE nationkey >= 100`)).toEqual([[2]]);
  await session.run(`DROP TABLE ${table}`);
  expect((await bench.failure(session.run(`SELECT * FROM ${table}`))).message).toContain("does not exist");
}

async function metadata(bench: Bench): Promise<void> {
  const session = bench.open();
  const tables = (await session.run("SHOW TABLES LIKE 'n%'")).rows;
  expect(tables).toEqual([["nation"]]);
  const described = (
    await session.run(
      "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'tiny' AND table_name = 'region' ORDER BY 1",
    )
  ).rows;
  expect(described).toEqual([
    ["comment", "varchar(152)"],
    ["name", "varchar(25)"],
    ["regionkey", "bigint"],
  ]);
}

async function queryDocument(bench: Bench): Promise<void> {
  const session = bench.open();
  await session.run(`SELECT count(*) AS ${bench.table("told")} FROM nation`);
  const queries = await session.run(
    `SELECT query_id AS id FROM system.runtime.queries WHERE query LIKE 'SELECT count(*) AS ${bench.table("told")} FROM%'`,
  );
  const id = String(queries.rows[0]?.[0]);
  const info = await has(session.queryInfo?.bind(session))(id);
  expect(info).toMatchObject({ queryId: id, state: "FINISHED" });
}

async function nodes(bench: Bench): Promise<void> {
  const session = bench.open();
  const listed = await has(session.nodes?.bind(session))();
  expect(bench.cluster.workerUris.filter((uri) => !listed.includes(uri))).toEqual([]);
}

export const cases: Readonly<Record<CaseName, (bench: Bench) => Promise<void>>> = {
  scalars,
  "bigint beyond 2^53": bigints,
  "arrays, maps and rows": nested,
  columns: columnsOf,
  "error at once": errorAtOnce,
  "error while running": errorWhileRunning,
  "error's name": errorName,
  "syntax error": syntaxError,
  "empty result": emptyResult,
  "60,000 rows": manyRows,
  "statements at once": statementsAtOnce,
  cancel,
  prepared,
  "prepared, any text": preparedText,
  "session properties": sessionProperties,
  "unknown session property": unknownProperty,
  "catalog and schema": catalogAndSchema,
  "time zone": timeZone,
  "names beyond ASCII": namesBeyondAscii,
  USE: use,
  "SET SESSION": setSession,
  writes,
  metadata,
  "query's document": queryDocument,
  nodes,
};
