/**
 * npm's trino-client in typical use.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BasicAuth, type ConnectionOptions, type QueryError, type QueryResult, Trino } from "trino-client";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster();
});

afterAll(() => cluster.stop());

function connect(options: Partial<ConnectionOptions> = {}): Trino {
  return Trino.create({ server: cluster.uri, catalog: "tpch", schema: "tiny", auth: new BasicAuth("bob"), ...options });
}

interface Collected {
  readonly rows: unknown[][];
  readonly columns: QueryResult["columns"];
  readonly id: string;
  readonly last: QueryResult;
  readonly error: QueryError | undefined;
}

async function run(trino: Trino, query: Parameters<Trino["query"]>[0]): Promise<Collected> {
  const iterator = await trino.query(query);
  const rows: unknown[][] = [];
  let columns: QueryResult["columns"];
  for (;;) {
    const { value, done } = await iterator.next();
    const result = value as QueryResult;
    columns = result.columns ?? columns;
    if (done !== true) {
      rows.push(...((result.data ?? []) as unknown[][]));
    }
    if (done === true || result.nextUri === undefined) {
      return { rows, columns, id: result.id, last: result, error: result.error };
    }
  }
}

describe("trino-client", () => {
  it("queries, with for await and with fold", async () => {
    const trino = connect();
    const names: unknown[] = [];
    for await (const result of await trino.query("SELECT name FROM nation ORDER BY name LIMIT 3")) {
      names.push(...((result.data ?? []) as unknown[][]).flat());
    }
    expect(names).toEqual(["ALGERIA", "ARGENTINA", "BRAZIL"]);
    const total = await (await trino.query("SELECT custkey FROM customer")).fold<number>(
      0,
      (result, sum) => sum + ((result.data as unknown[] | undefined)?.length ?? 0),
    );
    expect(total).toBe(1500);
  });

  it("reads columns, types and values", async () => {
    const { rows, columns } = await run(
      connect(),
      "SELECT true, 1, 9007199254740993, 1.5E0, 1.50, 'é', DATE '2020-02-29', TIMESTAMP '2020-02-29 12:34:56.789', NULL, CAST('ab' AS char(3))",
    );
    expect(rows).toEqual([[true, 1, Number("9007199254740993"), 1.5, "1.50", "é", "2020-02-29", "2020-02-29 12:34:56.789", null, "ab "]]);
    expect(columns?.map((column) => column.type.replace(/\(.*/, ""))).toEqual([
      "boolean",
      "integer",
      "bigint",
      "double",
      "decimal",
      "varchar",
      "date",
      "timestamp",
      "unknown",
      "char",
    ]);
  });

  it("gets errors of analysis and of execution", async () => {
    const missing = await run(connect(), "SELECT * FROM tpch.sf1.foobar");
    expect(missing.error?.message).toBe("line 1:15: Table 'tpch.sf1.foobar' does not exist");
    expect(missing.error?.errorName).toBe("TABLE_NOT_FOUND");
    expect(missing.error?.failureInfo.message).toBe(missing.error?.message);
    const divided = await run(connect(), "SELECT 1 / (nationkey - nationkey) FROM nation");
    expect(divided.error).toMatchObject({ message: "Division by zero", errorName: "DIVISION_BY_ZERO", errorType: "USER_ERROR" });
    expect(divided.last.stats?.state).toBe("FAILED");
  });

  it("cancels a query, looks at it, and cancels it again", async () => {
    const trino = connect({ source: "a test" });
    const sql = "SELECT count(*) FROM tpch.sf1000.lineitem a JOIN tpch.sf1000.lineitem b ON a.orderkey = b.partkey";
    const iterator = await trino.query(sql);
    // The iterator skips answers without rows, so the query's id comes from another source.
    const ended = iterator.next();
    const { body } = await cluster.request("GET", `${cluster.uri}/v1/query`);
    const queries = JSON.parse(decodeUtf8(body)) as { readonly queryId: string; readonly query: string }[];
    const id = queries.find((query) => query.query === sql)?.queryId ?? "";
    await trino.cancel(id);
    expect(((await ended).value as QueryResult).error?.message).toBe("Query was canceled");
    const info = (await trino.queryInfo(id)) as unknown as {
      readonly state: string;
      readonly query: string;
      readonly session: { readonly source: string; readonly user: string };
      readonly failureInfo: { readonly message: string };
    };
    expect(info.state).toBe("FAILED");
    expect(info.query).toBe(sql);
    expect(info.session).toMatchObject({ source: "a test", user: "bob" });
    expect(info.failureInfo.message).toBe("Query was canceled");
    await trino.cancel(id);
  });

  it("keeps catalog and schema after USE", async () => {
    const trino = connect({ catalog: "memory", schema: "default" });
    expect((await run(trino, "USE tpch.tiny")).error).toBeUndefined();
    expect((await run(trino, "SELECT count(*) FROM region")).rows).toEqual([[5]]);
    expect((await run(trino, { query: "SHOW SCHEMAS FROM tpch LIKE 'tiny'", schema: "sf1" })).rows).toEqual([["tiny"]]);
  });

  it("keeps session properties until they are reset", async () => {
    const trino = connect();
    const value = async (): Promise<unknown> =>
      (await run(trino, "SHOW SESSION")).rows.find(([name]) => name === "join_distribution_type")?.[1];
    expect(await value()).toBe("AUTOMATIC");
    expect((await run(trino, "SET SESSION join_distribution_type = 'BROADCAST'")).last.error).toBeUndefined();
    expect(await value()).toBe("BROADCAST");
    await run(trino, "RESET SESSION join_distribution_type");
    expect(await value()).toBe("AUTOMATIC");
    const given = connect({ session: { join_distribution_type: "PARTITIONED" } });
    expect((await run(given, "SHOW SESSION")).rows.find(([name]) => name === "join_distribution_type")?.[1]).toBe("PARTITIONED");
    expect((await run(trino, "SET SESSION nosuch = 1")).error?.errorName).toBe("INVALID_SESSION_PROPERTY");
  });

  it("prepares statements and executes them with values", async () => {
    const trino = connect();
    expect((await run(trino, "PREPARE one FROM SELECT name FROM nation WHERE nationkey = ? AND name <> 'a, b'")).error).toBeUndefined();
    expect((await run(trino, "PREPARE two FROM SELECT ? + 1")).error).toBeUndefined();
    expect((await run(trino, "EXECUTE one USING 7")).rows).toEqual([["GERMANY"]]);
    expect((await run(trino, "EXECUTE two USING 41")).rows).toEqual([[42]]);
  });

  it("writes", async () => {
    const trino = connect({ catalog: "memory", schema: "default" });
    const created = await run(trino, "CREATE TABLE written AS SELECT nationkey, name FROM tpch.tiny.nation");
    expect(created.rows).toEqual([[25]]);
    expect((await run(trino, "INSERT INTO written VALUES (100, 'NOWHERE')")).rows).toEqual([[1]]);
    expect((await run(trino, "SELECT count(*) FROM written")).rows).toEqual([[26]]);
    expect((await run(trino, "DROP TABLE written")).error).toBeUndefined();
  });
});
