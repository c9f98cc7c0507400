/**
 * The whole engine in one process: SQL from the statement resource through planner, stages, exchanges and operators and back.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tpchConnectorFactory } from "../../../src/connectors/tpch/tpch.ts";
import { queryTransitions, stageTransitions } from "../../../src/coordinator/query/states.ts";
import { createSqlPlanner } from "../../../src/coordinator/query/sql-planner.ts";
import { findDocument } from "../../../src/protocol/documents/documents.ts";
import { partialResultWarning } from "../../../src/protocol/documents/warnings.ts";
import { parseJson } from "../../../src/protocol/json.ts";
import { DirectCluster } from "./direct-cluster.ts";
import { recordingConnectorFactory, WriteRecord } from "./recording-connector.ts";

let cluster: DirectCluster;
const writes = new WriteRecord();
const tiny = { "x-engine-catalog": "tpch", "x-engine-schema": "tiny" };

beforeAll(async () => {
  cluster = await DirectCluster.start({
    workerCount: 2,
    catalogs: [
      { name: "tpch", properties: { "connector.name": "tpch" } },
      { name: "log", properties: { "connector.name": "recording" } },
    ],
    factories: [tpchConnectorFactory, recordingConnectorFactory(writes)],
    planner: createSqlPlanner,
  });
});

afterAll(async () => {
  await cluster?.close();
});

const rows = (sql: string) => cluster.rows(sql, tiny);

describe("queries", () => {
  test.each<[string, unknown[][]]>([
    ["SELECT 1", [[1]]],
    ["SELECT 1 + 2 * 3, 'a' || 'b', true AND NULL", [[7, "ab", null]]],
    [
      "VALUES (1, 'x'), (2, NULL)",
      [
        [1, "x"],
        [2, null],
      ],
    ],
    ["SELECT count(*) FROM nation", [[25]]],
    [
      "SELECT nationkey, name FROM nation WHERE nationkey < 3 ORDER BY nationkey",
      [
        [0, "ALGERIA"],
        [1, "ARGENTINA"],
        [2, "BRAZIL"],
      ],
    ],
    ["SELECT regionkey, count(*) FROM nation GROUP BY regionkey ORDER BY regionkey", [0, 1, 2, 3, 4].map((key) => [key, 5])],
    [
      "SELECT r.name, count(*) c FROM nation n JOIN region r ON n.regionkey = r.regionkey GROUP BY r.name ORDER BY 1 LIMIT 2",
      [
        ["AFRICA", 5],
        ["AMERICA", 5],
      ],
    ],
    ["SELECT name FROM nation ORDER BY name DESC LIMIT 2", [["VIETNAM"], ["UNITED STATES"]]],
    ["SELECT count(*), count(DISTINCT custkey) FROM orders", [[15000, 1000]]],
    ["SELECT max(orderdate), min(orderdate) FROM orders", [["1998-08-02", "1992-01-01"]]],
    ["SELECT sum(quantity) FROM lineitem", [[1536127]]],
    ["SELECT count(*) FROM nation UNION ALL SELECT count(*) FROM region", [[25], [5]]],
    ["SELECT name FROM region WHERE regionkey IN (SELECT regionkey FROM nation WHERE name = 'FRANCE')", [["EUROPE"]]],
    ["SELECT 1 WHERE false", []],
  ])("%s", async (sql, expected) => {
    expect(await rows(sql)).toEqual(expected);
  });

  test("a limit ends the stages below early", async () => {
    const outcome = await cluster.run("SELECT orderkey FROM lineitem LIMIT 7", tiny);
    expect(outcome.error).toBeUndefined();
    expect(outcome.rows.length).toBe(7);
  });

  test("many rows come in several responses, each once", async () => {
    const outcome = await cluster.run("SELECT orderkey, linenumber, shipdate, commitdate, receiptdate FROM lineitem", tiny);
    expect(outcome.rows.length).toBe(60175);
    expect(new Set(outcome.rows.map((row) => JSON.stringify(row.slice(0, 2)))).size).toBe(60175);
    expect(outcome.documents.length).toBeGreaterThan(2);
    expect(outcome.documents.at(-1)).toMatchObject({ stats: { state: "FINISHED", processedRows: 60175, progressPercentage: 100 } });
  });

  test("the same statement gives the same rows in the same order", async () => {
    const sql = "SELECT suppkey, count(*), sum(extendedprice) FROM lineitem GROUP BY suppkey";
    expect(await rows(sql)).toEqual(await rows(sql));
  });
});

describe("errors", () => {
  test.each([
    ["SELECT x", "COLUMN_NOT_FOUND", "line 1:8: Column 'x' cannot be resolved"],
    ["SELECT * FROM nowhere", "TABLE_NOT_FOUND", "line 1:15: Table 'tpch.tiny.nowhere' does not exist"],
    ["SELECT 1 / 0", "DIVISION_BY_ZERO", "Division by zero"],
    ["SELECT sum(1 / (nationkey - 3)) FROM nation", "DIVISION_BY_ZERO", "Division by zero"],
    ["SELEC 1", "SYNTAX_ERROR", undefined],
  ])("%s", async (sql, errorName, message) => {
    const outcome = await cluster.run(sql, tiny);
    expect(outcome.state).toBe("FAILED");
    expect(outcome.error?.errorName).toBe(errorName);
    if (message !== undefined) {
      expect(outcome.error?.message).toBe(message);
    }
  });
});

describe("statements that write or change", () => {
  test("a table from its creation to its end: begun once, finished with what every task wrote, counted", async () => {
    const created = await cluster.run("CREATE TABLE log.default.t AS SELECT orderkey, shipmode FROM lineitem", tiny);
    expect(created.error).toBeUndefined();
    expect(created.documents.at(-1)).toMatchObject({ updateType: "CREATE TABLE", updateCount: 60175, data: [[60175]] });
    expect(created.documents[0]).toMatchObject({ updateType: "CREATE TABLE", columns: [{ name: "rows", type: "bigint" }] });
    expect(writes.fragments.reduce<number>((sum, fragment) => sum + (fragment as { rows: number }).rows, 0)).toBe(60175);
    const inserted = await cluster.run("INSERT INTO log.default.t VALUES (100, 'NOWHERE')");
    expect(inserted.error).toBeUndefined();
    expect(inserted.documents.at(-1)).toMatchObject({ updateType: "INSERT", updateCount: 1 });
    const dropped = await cluster.run("DROP TABLE log.default.t");
    expect(dropped.documents.at(-1)).toMatchObject({ updateType: "DROP TABLE", data: [[true]] });
    expect(writes.events).toEqual(["begin create t", "finish create t", "begin insert t", "finish insert", "drop t"]);
  });

  test("a write that fails is taken back", async () => {
    writes.events.length = 0;
    const outcome = await cluster.run("CREATE TABLE log.default.bad AS SELECT 1 / (orderkey - 7) x FROM orders", tiny);
    expect(outcome.error?.errorName).toBe("DIVISION_BY_ZERO");
    expect(writes.events).toEqual(["begin create bad", "abort bad"]);
    expect((await cluster.run("DROP TABLE log.default.bad")).error?.errorName).toBe("TABLE_NOT_FOUND");
  });

  test("USE, SET SESSION and PREPARE answer with headers", async () => {
    const used = await cluster.run("USE tpch.sf1");
    expect([used.headers["x-engine-set-catalog"], used.headers["x-engine-set-schema"]]).toEqual(["tpch", "sf1"]);
    const set = await cluster.run("SET SESSION join_distribution_type = 'BROADCAST'");
    expect(set.headers["x-engine-set-session"]).toEqual(["join_distribution_type=BROADCAST"]);
    const prepared = await cluster.run("PREPARE p FROM SELECT ? + 1");
    expect(prepared.headers["x-engine-added-prepare"]).toBeDefined();
    expect(await cluster.rows("EXECUTE p USING 41", { "x-engine-prepared-statement": "p=SELECT%20%3F%20%2B%201" })).toEqual([[42]]);
  });
});

describe("what a cluster tells of itself", () => {
  test("SHOW, DESCRIBE, EXPLAIN", async () => {
    expect((await rows("SHOW CATALOGS")).flat()).toContain("tpch");
    expect((await rows("SHOW TABLES")).flat()).toEqual([
      "customer",
      "lineitem",
      "nation",
      "orders",
      "part",
      "partsupp",
      "region",
      "supplier",
    ]);
    expect((await rows("DESCRIBE nation"))[0]).toEqual(["nationkey", "bigint", "", ""]);
    expect((await rows("EXPLAIN SELECT count(*) FROM nation"))[0]?.[0]).toContain("Fragment");
  });

  test("system tables", async () => {
    expect(await rows("SELECT node_id, coordinator, state FROM system.runtime.nodes ORDER BY node_id")).toEqual([
      ["coordinator", true, "active"],
      ["worker-0", false, "active"],
      ["worker-1", false, "active"],
    ]);
    expect(await rows("SELECT state FROM system.runtime.queries WHERE query LIKE '%runtime.queries%'")).toContainEqual(["RUNNING"]);
  });

  test("query documents are as their schemas say, with the tasks of every stage", async () => {
    await rows("SELECT regionkey, count(*) FROM nation GROUP BY regionkey");
    const list = await cluster.ask("GET", `${cluster.coordinator.selfUri}/v1/query`);
    findDocument("GET", "/v1/query", "response")?.schema.parse(parseJson(list.text));
    const last = (JSON.parse(list.text) as { queryId: string }[]).at(-1)?.queryId;
    const detail = await cluster.ask("GET", `${cluster.coordinator.selfUri}/v1/query/${last}`);
    findDocument("GET", "/v1/query/x", "response")?.schema.parse(parseJson(detail.text));
    expect(JSON.parse(detail.text)).toMatchObject({
      state: "FINISHED",
      outputStage: { tasks: [{ state: "FINISHED" }], subStages: [{ state: "FINISHED" }] },
    });
  });
});

describe("queries that do not reach their end", () => {
  const long = "SELECT orderkey, extendedprice FROM tpch.sf10.lineitem ORDER BY extendedprice";
  const submit = async (on: DirectCluster, sql: string) =>
    JSON.parse((await on.ask("POST", `${on.coordinator.selfUri}/v1/statement`, sql, { "x-engine-user": "test" })).text) as {
      nextUri: string;
      partialCancelUri: string;
    };

  test("a cancelled query is gone from every node", async () => {
    const first = await submit(cluster, long);
    expect((await cluster.ask("DELETE", first.nextUri)).status).toBe(204);
    expect((await cluster.follow(first.nextUri)).error?.errorName).toBe("USER_CANCELED");
  });

  test("ending the leaves by partialCancelUri gives what was read so far", async () => {
    const first = await submit(cluster, long);
    expect((await cluster.ask("DELETE", first.partialCancelUri)).status).toBe(204);
    const outcome = await cluster.follow(first.nextUri);
    expect(outcome.state).toBe("FINISHED");
    expect(outcome.rows.length).toBeLessThan(60_000_000);
    const stage = first.partialCancelUri.split("/").at(-1) ?? "";
    expect(outcome.documents.at(-1)?.["warnings"]).toEqual([
      partialResultWarning(`Stage ${stage} was canceled: rows may be missing from the result`),
    ]);
  });

  test("a worker that goes away is replaced by the other one: the client has the same rows", async () => {
    const small = await DirectCluster.start({
      workerCount: 2,
      catalogs: [{ name: "tpch", properties: { "connector.name": "tpch" } }],
      factories: [tpchConnectorFactory],
      planner: createSqlPlanner,
      properties: { "failure-detector.heartbeat-interval": "50ms" },
    });
    const sql = "SELECT orderkey, linenumber, comment FROM tpch.tiny.lineitem";
    const expected = await small.rows(sql);
    const first = await submit(small, sql);
    await small.nodes[2]?.close();
    const outcome = await small.follow(first.nextUri);
    expect(outcome.error).toBeUndefined();
    expect(outcome.rows).toEqual(expected);
    await small.close();
  });

  test("a worker that goes away ends its queries with a declared error, and the next query runs without it", async () => {
    const small = await DirectCluster.start({
      workerCount: 2,
      catalogs: [{ name: "tpch", properties: { "connector.name": "tpch" } }],
      factories: [tpchConnectorFactory],
      planner: createSqlPlanner,
      properties: { "failure-detector.heartbeat-interval": "50ms", "retry-policy": "NONE" },
    });
    const first = await submit(small, long);
    await small.nodes[2]?.close();
    const outcome = await small.follow(first.nextUri);
    expect(["REMOTE_HOST_GONE", "REMOTE_TASK_ERROR", "PAGE_TRANSPORT_ERROR", "TOO_MANY_REQUESTS_FAILED"]).toContain(
      outcome.error?.errorName,
    );
    await small.untilWorkers(1);
    expect(await small.rows("SELECT count(*) FROM tpch.tiny.nation")).toEqual([[25]]);
    await small.close();
  });
});

describe("afterwards", () => {
  test("nothing is left on any node, and every change of state was in its table", async () => {
    await cluster.quiet();
    for (const node of cluster.nodes) {
      const { queries, tasks, liveTasks, bufferedPages, reservedBytes } = node.leftovers();
      expect({ node: node.nodeId, queries, tasks, liveTasks, bufferedPages, reservedBytes }).toEqual({
        node: node.nodeId,
        queries: 0,
        tasks: 0,
        liveTasks: 0,
        bufferedPages: 0,
        reservedBytes: 0,
      });
    }
    const tables: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
      query: queryTransitions,
      stage: stageTransitions,
    };
    for (const line of cluster.transitions) {
      const [kind, , from, to] = line.split(" ") as [string, string, string, string];
      expect(tables[kind]?.[from]).toContain(to);
    }
    expect(cluster.warnings).toEqual([]);
  });
});

describe("the memory of a query on its coordinator", () => {
  test("is one, whether the coordinator plans, runs tasks or keeps rows", async () => {
    const world = await DirectCluster.start({
      workerCount: 0,
      catalogs: [],
      factories: [],
      planner: createSqlPlanner,
      properties: { "query.max-memory-per-node": "1MB" },
    });
    try {
      // The planner computes the constant, which takes more than the query may have.
      const failed = await world.run("SET SESSION query_max_run_time = substr(rpad('1d', 2000000, ' '), 1, 2)");
      expect(failed.error?.message).toContain("Query exceeded per-node user memory limit of 1MB [constants]");
      // The optimizer leaves a constant that it cannot compute to the task.
      const folded = await world.run("SELECT length(rpad('x', 2000000, 'y'))");
      expect(folded.error?.errorName).toBe("EXCEEDED_LOCAL_MEMORY_LIMIT");
      expect(folded.error?.message).toMatch(/^Query exceeded per-node user memory limit of 1MB \[operator /);
      expect((await world.run("SELECT length(rpad('x', 20000, 'y'))")).rows).toEqual([[20_000]]);
      expect(world.coordinator.leftovers()).toMatchObject({ queryMemories: 0, reservedBytes: 0 });
    } finally {
      await world.close();
    }
  });
});
