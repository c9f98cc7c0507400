/** Statements that rules send to another cluster: to an Orrery behind a server that fails, and to a server that answers as Trino. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, type QueryOptions, withCluster } from "../../src/testing/index.ts";
import { type JsonValue, parseJson, stringifyJson } from "../../src/protocol/json.ts";
import { type Gateway, gatewayTo } from "./gateway.ts";

interface Answer {
  readonly id: string;
  readonly nextUri?: string;
  readonly partialCancelUri?: string;
  readonly infoUri: string;
  readonly columns?: readonly { readonly name: string; readonly type: string; readonly typeSignature: unknown }[];
  readonly data?: unknown;
  readonly stats: { readonly state: string; readonly processedRows: number };
  readonly error?: Readonly<Record<string, unknown>>;
  readonly updateCount?: number;
}

interface Detail {
  readonly routedTo?: { readonly cluster: string; readonly queryId?: string; readonly infoUri?: string };
  readonly state: string;
  readonly errorCode?: unknown;
  readonly waitMessage?: string;
  readonly queryStats: { readonly rawInputPositions: number; readonly outputPositions: number };
}

interface Answered {
  readonly answer: Answer;
  readonly headers: { get(name: string): string | null };
}

async function ask(cluster: Cluster, uri: string, init: Parameters<Cluster["fetch"]>[1] = {}): Promise<Answered> {
  const { pathname, search } = new URL(uri, cluster.uri);
  const response = await cluster.fetch(`${pathname}${search}`, init);
  return { answer: parseJson(await response.text()) as unknown as Answer, headers: response.headers };
}

const submit = (cluster: Cluster, sql: string, headers: Record<string, string>): Promise<Answered> =>
  ask(cluster, "/v1/statement", { method: "POST", body: sql, headers });

async function chain(cluster: Cluster, sql: string, headers: Record<string, string>): Promise<readonly Answered[]> {
  const answers = [await submit(cluster, sql, headers)];
  for (let next = answers[0]?.answer.nextUri; next !== undefined; next = answers.at(-1)?.answer.nextUri) {
    answers.push(await ask(cluster, next, { headers }));
  }
  return answers;
}

/** All answers of a statement. */
const conversation = async (...statement: Parameters<typeof chain>): Promise<readonly Answer[]> =>
  (await chain(...statement)).map(({ answer }) => answer);

const detailOf = async (cluster: Cluster, id: string): Promise<Detail> => (await (await cluster.fetch(`/v1/query/${id}`)).json()) as Detail;

describe("query routing", () => {
  let far: Cluster;
  let near: Cluster;
  let gateway: Gateway;

  beforeAll(async () => {
    const memory = { "connector.name": "memory" };
    const tpch = { "connector.name": "tpch", "tpch.column-naming": "STANDARD" };
    far = await withCluster({ workers: 0, catalogs: { memory, tpch, lake: memory } });
    gateway = await gatewayTo(far.uri);
    near = await withCluster({
      workers: 0,
      http: false,
      catalogs: { memory, tpch },
      properties: { "retry-initial-delay": "1ms", "query.hash-partition-count": "1" },
      queryRouting: {
        clusters: [
          {
            name: "big",
            "connection-url": `jdbc:trino://127.0.0.1:${gateway.port}`,
            "connection-user": "gate",
            "max-error-duration": "0s",
          },
          { name: "old", "connection-url": `jdbc:presto://127.0.0.1:${gateway.port}`, "max-error-duration": "0s" },
          { name: "absent", "connection-url": "jdbc:trino://127.0.0.1:1", "max-error-duration": "0s" },
        ],
        rules: [
          { user: "local" },
          { user: "ann|bob", cluster: "big" },
          { source: "(?i)old-.*", clientTags: ["etl"], cluster: "old" },
          { user: "lost", cluster: "absent" },
          { catalog: "lake", cluster: "big" },
          { queryType: "SELECT", inputDataSize: { min: "100kB" }, cluster: "big" },
        ],
      },
    });
  });

  afterAll(async () => {
    await near?.close();
    await gateway?.close();
    await far?.close();
  });

  const detail = async (id: string): Promise<Detail> => detailOf(near, id);
  const run = (sql: string, options: QueryOptions = { user: "ann" }): ReturnType<Cluster["query"]> => near.query(sql, options);
  const failureOf = (sql: string, options: QueryOptions = { user: "ann" }): Promise<unknown> =>
    run(sql, options).then(
      () => "no error",
      ({ errorName, message }: { errorName: string; message: string }) => `${errorName}: ${message}`,
    );

  it("sends a statement as it is, with its user and session", async () => {
    gateway.seen.length = 0;
    gateway.statements.length = 0;
    const headers = {
      "x-trino-user": "ann",
      "x-trino-source": "a tool",
      "x-trino-catalog": "tpch",
      "x-trino-schema": "tiny",
      "x-trino-time-zone": "Asia/Tokyo",
      "x-trino-client-tags": "x,y",
      "x-trino-session": "query_max_run_time=5m",
      "x-trino-prepared-statement": `p=${encodeURIComponent("SELECT n_name, current_timezone() FROM nation WHERE n_nationkey = ?")}`,
      "x-trino-extra-credential": "token=abc",
      "x-trino-transaction-id": "NONE",
    };
    const answers = await conversation(near, "EXECUTE p USING 7", headers);
    expect(answers.flatMap(({ data = [] }) => data)).toEqual([["GERMANY", "Asia/Tokyo"]]);
    expect(
      answers.every(({ id, infoUri, nextUri = near.uri }) => infoUri === `${near.uri}/v1/query/${id}` && nextUri.startsWith(near.uri)),
    ).toBe(true);
    expect(gateway.statements).toEqual(["EXECUTE p USING 7"]);
    const { "x-trino-user": user, authorization, ...sent } = gateway.seen[0]?.headers ?? {};
    expect([user, Buffer.from(String(authorization).slice(6), "base64").toString()]).toEqual(["ann", "gate:"]);
    const { "x-trino-user": _user, ...rest } = headers;
    expect(sent).toMatchObject(rest);
    // Both clusters list it under the name of its user.
    const { routedTo, queryStats, state } = await detail(answers[0]?.id ?? "");
    expect({ state, cluster: routedTo?.cluster, ...queryStats }).toMatchObject({ state: "FINISHED", cluster: "big", outputPositions: 1 });
    expect(
      (await far.query(`SELECT user, source, query FROM system.runtime.queries WHERE query_id = '${routedTo?.queryId}'`)).rows,
    ).toEqual([["ann", "a tool", "EXECUTE p USING 7"]]);
    expect((await near.query(`SELECT user, source FROM system.runtime.queries WHERE query_id = '${answers[0]?.id}'`)).rows).toEqual([
      ["ann", "a tool"],
    ]);
  });

  it("passes rows on as they are, and columns in the client's own form", async () => {
    const sql = `SELECT 9223372036854775807 AS a, 1e0 AS b, -0e0 AS c, nan() AS d, DECIMAL '12345678901234567890.10' AS e, 'q"\\ü😀' AS f,
      MAP(ARRAY[1], ARRAY[ROW(X'00', true)]) AS g, INTERVAL '1' DAY AS h, TIMESTAMP '2024-06-01 10:00:00.123456 Europe/Berlin' AS i, DECIMAL '1.5' AS j`;
    for (const family of ["engine", "presto", "trino"]) {
      for (const capabilities of ["", "PARAMETRIC_DATETIME"]) {
        const ofUser = async (user: string): Promise<unknown> => {
          const headers = { [`x-${family}-user`]: user, [`x-${family}-client-capabilities`]: capabilities };
          const answers = await conversation(near, sql, headers);
          return [answers.findLast(({ columns }) => columns !== undefined)?.columns, answers.flatMap(({ data = [] }) => data)];
        };
        expect(await ofUser("ann"), `${family} ${capabilities}`).toEqual(await ofUser("local"));
      }
    }
    const all = "SELECT * FROM tpch.tiny.customer";
    const rows = (user: string): Promise<unknown> => run(`${all} ORDER BY c_custkey`, { user }).then((result) => result.rows);
    expect(await rows("ann")).toEqual(await rows("local"));
    const spooled = { "x-trino-user": "ann", "x-trino-query-data-encoding": "json" };
    const segments = (await conversation(near, all, spooled)).flatMap(({ data }) => (data === undefined ? [] : [data]));
    expect(segments.length).toBeGreaterThan(0);
    expect(segments.every((one) => !Array.isArray(one))).toBe(true);
  });

  it("chooses by source and tags, catalog, and estimated bytes", async () => {
    const clusterOf = async (sql: string, options: QueryOptions): Promise<string | undefined> =>
      (await detail((await run(sql, options)).queryId)).routedTo?.cluster;
    const etl = { user: "eve", source: "OLD-tool", clientTags: ["x", "etl"] };
    expect(await clusterOf("SELECT 1", etl)).toBe("old");
    expect(await clusterOf("SELECT 1", { ...etl, clientTags: ["x"] })).toBeUndefined();
    // The catalog is not known here.
    await far.query("CREATE TABLE lake.default.t AS SELECT 1 AS x");
    expect(await clusterOf("WITH t AS (SELECT x FROM lake.default.t) SELECT * FROM t", { user: "eve" })).toBe("big");
    expect(await clusterOf("SELECT * FROM t", { user: "eve", catalog: "lake", schema: "default" })).toBe("big");
    expect((await run("INSERT INTO lake.default.t VALUES 2, 3", { user: "eve" })).updateCount).toBe(2);
    expect(await clusterOf("DESCRIBE lake.default.t", { user: "eve" })).toBe("big");
    expect(await failureOf("SELECT * FROM lake.default.t, tpch.tiny.nation", { user: "eve" })).toContain("CATALOG_NOT_FOUND");
    expect(await clusterOf("SELECT count(*) FROM tpch.tiny.nation", { user: "eve" })).toBeUndefined();
    expect(await clusterOf("SELECT max(o_comment) FROM tpch.tiny.orders", { user: "eve" })).toBe("big");
    expect(await clusterOf("SELECT max(o_comment) FROM tpch.tiny.orders", { user: "local" })).toBeUndefined();
  });

  it("keeps statements that change the session or belong to a transaction", async () => {
    gateway.statements.length = 0;
    const headers = { "x-trino-user": "ann", "x-trino-transaction-id": "NONE" };
    await conversation(near, "SET SESSION query_max_run_time = '1m'", headers);
    await conversation(near, "PREPARE p FROM SELECT 1", headers);
    const begun = (await chain(near, "START TRANSACTION READ ONLY", headers)).at(-1)?.headers.get("x-trino-started-transaction-id");
    const inside = await conversation(near, "SELECT count(*) FROM tpch.tiny.nation", { ...headers, "x-trino-transaction-id": begun ?? "" });
    expect(inside.flatMap(({ data = [] }) => data)).toEqual([[25]]);
    expect(gateway.statements).toEqual([]);
    // USE names a catalog and a schema that only the cluster may have.
    const used = (await chain(near, "USE lake.default", headers)).at(-1)?.headers;
    expect([used?.get("x-trino-set-catalog"), used?.get("x-trino-set-schema")]).toEqual(["lake", "default"]);
    expect(gateway.statements).toEqual(["USE lake.default"]);
  });

  it("reports the cluster's errors, with their places", async () => {
    const sql = "SELECT a,\n b FROM (VALUES 1) AS t (a)";
    const [ofCluster, own] = await Promise.all(["ann", "local"].map((user) => conversation(near, sql, { "x-trino-user": user })));
    expect(ofCluster?.at(-1)?.error).toEqual(own?.at(-1)?.error);
    expect(ofCluster?.at(-1)?.error).toMatchObject({ errorName: "COLUMN_NOT_FOUND", errorLocation: { lineNumber: 2, columnNumber: 2 } });
    expect(await failureOf("SELECT 1 / (n_nationkey - 24) FROM tpch.tiny.nation")).toBe("DIVISION_BY_ZERO: Division by zero");
    // A syntax error needs no cluster.
    gateway.statements.length = 0;
    expect(await failureOf("SELEC 1")).toContain("SYNTAX_ERROR");
    expect(gateway.statements).toEqual([]);
  });

  it("reads no further ahead than a response", async () => {
    gateway.seen.length = 0;
    const headers = { "x-trino-user": "ann" };
    let last = (await submit(near, "SELECT * FROM tpch.tiny.lineitem", headers)).answer;
    const polls = (): number => gateway.seen.filter(({ method }) => method === "GET").length;
    while (last.data === undefined) {
      last = (await ask(near, `${last.nextUri}&targetResultSize=1kB`, { headers })).answer;
    }
    // It is full when the query says that it waits for its client.
    await expect.poll(async () => (await detail(last.id)).waitMessage, { interval: 5 }).toContain("Waiting for the client");
    const ahead = polls();
    expect(
      await (await near.fetch(new URL(last.nextUri ?? "").pathname + new URL(last.nextUri ?? "").search, { method: "DELETE" })).text(),
    ).toBe("");
    expect(polls()).toBe(ahead);
    expect(ahead).toBeLessThan(8);
  });

  it("divides rows by the size that the client wants", async () => {
    for (const family of ["engine", "trino"]) {
      const headers = { [`x-${family}-user`]: "ann" };
      const sql = "SELECT o_orderkey, o_comment FROM tpch.tiny.orders WHERE o_orderkey <= 4000 ORDER BY o_orderkey";
      let { answer } = await submit(near, sql, headers);
      const sizes: number[] = [];
      const rows: unknown[] = [];
      while (answer.nextUri !== undefined) {
        ({ answer } = await ask(near, `${answer.nextUri}&targetResultSize=2kB`, { headers }));
        const data = (answer.data ?? []) as readonly unknown[];
        rows.push(...data);
        sizes.push(...(data.length > 0 ? [stringifyJson(data as JsonValue).length] : []));
      }
      expect(rows).toEqual((await run(sql, { user: "local" })).rows.map(([key, comment]) => [Number(key), comment]));
      // At least so many bytes, and less than a row more.
      expect(Math.max(...sizes)).toBeLessThan(2_200);
      expect(sizes.slice(0, -1).filter((size) => size < 2_000).length).toBeLessThan(2);
    }
  });

  it("ends the query of the cluster when its own ends", async () => {
    const running = async (): Promise<unknown> =>
      (await far.query("SELECT count(*) FROM system.runtime.queries WHERE state NOT IN ('FINISHED', 'FAILED') AND user = 'bob'")).rows;
    const slow = "SELECT count(*) FROM tpch.sf1.lineitem a, tpch.sf1.lineitem b WHERE a.l_comment < b.l_comment";
    const { answer } = await submit(near, slow, { "x-trino-user": "bob" });
    await expect.poll(running, { interval: 5 }).toEqual([[1n]]);
    expect((await near.fetch(`/v1/query/${answer.id}`, { method: "DELETE" })).status).toBe(204);
    await expect.poll(running, { interval: 5 }).toEqual([[0n]]);
    expect(await detail(answer.id)).toMatchObject({ state: "FAILED", errorCode: { name: "USER_CANCELED" } });
  });

  it("survives lost answers, and runs a query again that is lost before its first row", async () => {
    const suppliers = "SELECT * FROM tpch.tiny.supplier ORDER BY s_suppkey";
    const { rows } = await run(suppliers, { user: "local" });
    gateway.fault = (method, number) =>
      method !== "DELETE" && number % 3 === 0 ? "503" : method === "GET" && number % 3 === 1 ? "reset" : undefined;
    expect((await run(suppliers)).rows).toEqual(rows);
    const lost = (): ((method: string) => "404" | undefined) => {
      let polls = 0;
      return (method) => (method === "GET" && polls++ === 0 ? "404" : undefined);
    };
    gateway.fault = lost();
    gateway.statements.length = 0;
    expect(await failureOf("SELECT 1", { user: "ann", session: { retry_policy: "NONE" } })).toBe(
      "REMOTE_HOST_GONE: Cluster 'big' does not know the query any more",
    );
    gateway.fault = lost();
    expect((await run("SELECT 1", { user: "ann", session: { retry_policy: "QUERY" } })).rows).toEqual([[1]]);
    expect(gateway.statements).toHaveLength(3);
    // What a statement has changed before it was lost is not known.
    gateway.fault = lost();
    const write = "CREATE TABLE lake.default.once AS SELECT 1 AS x";
    expect(await failureOf(write, { user: "ann", session: { retry_policy: "QUERY" } })).toBe(
      "REMOTE_HOST_GONE: Cluster 'big' does not know the query any more. What the statement has done there is not known",
    );
    gateway.fault = () => undefined;
    expect(gateway.statements).toHaveLength(4);
    expect(await failureOf("SELECT 1", { user: "lost" })).toMatch(/^REMOTE_HOST_GONE: Cluster 'absent' cannot be reached\. /);
  });
});

const statistics = { queued: false, scheduled: true, nodes: 2, totalSplits: 9, queuedSplits: 0, runningSplits: 1, completedSplits: 8 };
const counters = {
  cpuTimeMillis: 5,
  wallTimeMillis: 6,
  queuedTimeMillis: 1,
  elapsedTimeMillis: 20,
  processedRows: 70,
  processedBytes: 700,
};
const stage = { ...statistics, ...counters, stageId: "0", done: false, coordinatorOnly: false, failedTasks: 0 };

/**
 * A conversation as Trino's server has it: the submission is only registered, addresses move from `queued` to `executing` and have another
 * slug for each token, states and errors are those of its own versions, and failures come with stacks.
 */
function answersOfTrino(base: string): Readonly<Record<string, object>> {
  const id = "20240601_100000_00007_abcde";
  const common = { id, infoUri: `${base}/ui/query.html?${id}`, warnings: [] };
  const stats = (state: string): object => ({
    ...statistics,
    ...counters,
    state,
    progressPercentage: 88.8,
    physicalInputBytes: 900,
    peakMemoryBytes: 4096,
    spilledBytes: 0,
    planningTimeMillis: 3,
    rootStage: { ...stage, state: "FLUSHING", subStages: [{ ...stage, stageId: "1", state: "PENDING", subStages: [] }] },
  });
  const columns = [
    { name: "id", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } },
    { name: "sketch", type: "HyperLogLog", typeSignature: { rawType: "HyperLogLog", arguments: [] } },
  ];
  const queued = (token: number): string => `/v1/statement/queued/${id}/y${token}q/${token}`;
  const executing = (token: number): string => `/v1/statement/executing/${id}/y${token}e/${token}`;
  const partialCancelUri = `${base}/v1/statement/executing/partialCancel/${id}/1/y0e/0`;
  const data = [
    [9007199254740993n, "AgQAgA=="],
    [2n, null],
  ];
  const error = {
    message: "Error opening Hive split",
    errorCode: 16777232,
    errorName: "HIVE_CANNOT_OPEN_SPLIT",
    errorType: "EXTERNAL",
    failureInfo: {
      type: "io.trino.spi.TrinoException",
      message: "Error opening Hive split",
      suppressed: [],
      stack: ["io.trino.Reader.read(Reader.java:7)"],
    },
  };
  return {
    "POST /v1/statement": {
      ...common,
      nextUri: base + queued(1),
      stats: { ...stats("QUEUED"), queued: true, scheduled: false, rootStage: undefined },
    },
    [`GET ${queued(1)}`]: { ...common, nextUri: base + queued(2), stats: stats("DISPATCHING") },
    [`GET ${queued(2)}`]: { ...common, nextUri: base + executing(0), stats: stats("PLANNING") },
    [`GET ${executing(0)}`]: { ...common, partialCancelUri, nextUri: base + executing(1), columns, data, stats: stats("RUNNING") },
    [`GET ${executing(1)}`]: { ...common, columns, stats: stats("FAILED"), error },
  };
}

describe("query routing to a Trino", () => {
  it("follows its conversation", async () => {
    const asked: string[] = [];
    let fail: () => void = () => undefined;
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const server: Server = createServer((incoming, outgoing) => {
      incoming.resume();
      incoming.on("end", () => {
        const key = `${incoming.method} ${incoming.url}`;
        const { port } = server.address() as AddressInfo;
        const answer = answersOfTrino(`http://127.0.0.1:${port}`)[key];
        const send = (): void => {
          outgoing.writeHead(incoming.method === "DELETE" ? 204 : answer === undefined ? 404 : 200, { "content-type": "application/json" });
          outgoing.end(answer === undefined ? "" : stringifyJson(answer as JsonValue));
        };
        if (asked.push(key) === 5) {
          void failed.then(send);
        } else {
          send();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const near = await withCluster({
      workers: 0,
      http: false,
      catalogs: {},
      queryRouting: {
        clusters: [{ name: "trino", "connection-url": `jdbc:trino://127.0.0.1:${port}` }],
        rules: [{ user: "ann", cluster: "trino" }],
      },
    });
    try {
      const headers = { "x-trino-user": "ann" };
      let { answer } = await submit(near, "SELECT id, sketch FROM hive.web.visits", headers);
      while (answer.data === undefined) {
        answer = (await ask(near, answer.nextUri ?? "", { headers })).answer;
      }
      const { id } = answer;
      expect(answer).toMatchObject({
        partialCancelUri: `${near.uri}/v1/stage/${id}.1`,
        infoUri: `${near.uri}/v1/query/${id}`,
        columns: [
          { name: "id", type: "bigint" },
          { name: "sketch", type: "HyperLogLog" },
        ],
        stats: { state: "RUNNING", processedRows: 70 },
      });
      expect(stringifyJson(answer.data as JsonValue)).toBe('[[9007199254740993,"AgQAgA=="],[2,null]]');
      fail();
      const text = await (
        await near.fetch(new URL(answer.nextUri ?? "").pathname + new URL(answer.nextUri ?? "").search, { headers })
      ).text();
      expect(text).toContain(`"errorName":"HIVE_CANNOT_OPEN_SPLIT","errorType":"EXTERNAL"`);
      expect(JSON.parse(text)).toMatchObject({
        stats: { state: "FAILED" },
        error: { errorCode: 16777232, message: "Error opening Hive split" },
      });
      expect(text).not.toContain("Reader.java");
      expect(await detailOf(near, id)).toMatchObject({
        routedTo: {
          cluster: "trino",
          queryId: "20240601_100000_00007_abcde",
          infoUri: `http://127.0.0.1:${port}/ui/query.html?20240601_100000_00007_abcde`,
        },
        errorCode: { name: "HIVE_CANNOT_OPEN_SPLIT" },
        queryStats: { rawInputPositions: 70, outputPositions: 2 },
      });
      expect(asked).toHaveLength(5);
    } finally {
      await near.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
