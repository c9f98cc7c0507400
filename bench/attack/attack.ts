/**
 * Attacks on a real server: statements that take much time or memory, and clients that hold connections. Each attack has a server of its
 * own. While it lasts, another client asks SELECT 1. An attack that has not ended after some seconds is canceled.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { request } from "undici";
import { type RunningServer, startServer } from "../../test/support/programs/server-process.ts";
import { quantile, say, table } from "../figures.ts";

const lastsMs = 10_000;
const answerMsMax = 30_000;
const idleSockets = 1200;
const descriptorsMax = 1024;
const slowReaders = 500;
const halfBodies = 50;
const bodyBytes = 64 * 1024 * 1024;

interface Attack {
  readonly name: string;
  readonly descriptorsMax?: number;
  /** Resolves with what became of it. */
  readonly run: (uri: string) => Promise<string>;
}

interface Document {
  readonly nextUri?: string;
  readonly error?: { readonly errorName: string };
}

async function ask(method: "GET" | "POST" | "DELETE", url: string, body?: string): Promise<Document> {
  const answer = await request(url, {
    method,
    headers: { "x-engine-user": "attack" },
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) {
    throw new Error(`status ${answer.statusCode}`);
  }
  return text === "" ? {} : (JSON.parse(text) as Document);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function statement(name: string, sql: string): Attack {
  return {
    name,
    run: async (uri) => {
      const until = performance.now() + lastsMs;
      let document = await ask("POST", `${uri}/v1/statement`, sql);
      while (document.nextUri !== undefined) {
        if (performance.now() > until) {
          return canceled(document.nextUri);
        }
        document = await ask("GET", document.nextUri);
      }
      return document.error?.errorName ?? "result";
    },
  };
}

async function canceled(nextUri: string): Promise<string> {
  const began = performance.now();
  await ask("DELETE", nextUri);
  const { origin } = new URL(nextUri);
  for (;;) {
    const answer = await request(`${origin}/v1/cluster`);
    const { runningQueries, runningDrivers } = (await answer.body.json()) as { runningQueries: number; runningDrivers: number };
    if (runningQueries + runningDrivers === 0) {
      return `canceled in ${(performance.now() - began).toFixed(0)} ms`;
    }
    await pause(5);
  }
}

async function socketsTo(uri: string, count: number, first: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(uri);
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    sockets.push(socket);
    await Promise.race([once(socket, "connect"), once(socket, "close"), pause(1000)]);
    socket.write(first);
  }
  return sockets;
}

function crowd(name: string, count: number, first: string, descriptors?: number): Attack {
  return {
    name,
    ...(descriptors === undefined ? {} : { descriptorsMax: descriptors }),
    run: async (uri) => {
      const sockets = await socketsTo(uri, count, first);
      await pause(lastsMs / 2);
      const open = sockets.filter((socket) => !socket.destroyed && socket.readyState === "open").length;
      for (const socket of sockets) {
        socket.destroy();
      }
      return `${open} of ${count} connections open`;
    },
  };
}

const rows = "SELECT * FROM tpch.sf1.lineitem";

function listOf(length: number, element: (index: number) => string, separator = ", "): string {
  return Array.from({ length }, (_, index) => element(index)).join(separator);
}

/** The last line of text is never sent. */
function post(sql: string, length: number): string {
  return `POST /v1/statement HTTP/1.1\r\nhost: 127.0.0.1\r\nx-engine-user: attack\r\ncontent-length: ${length}\r\n\r\n${sql}`;
}

const attacks: readonly Attack[] = [
  statement("LIKE with many _", "SELECT rpad('',300000,'a') LIKE '%'||rpad('',100000,'_')||'b'"),
  statement("flatten of transform", "SELECT cardinality(flatten(transform(sequence(1,10000), x -> sequence(1,10000))))"),
  statement(
    "array_join of repeat",
    "SELECT length(a||a) FROM (SELECT a||a a FROM (SELECT array_join(repeat(rpad('',900000,'x'),334),'') a))",
  ),
  statement("CROSS JOIN UNNEST", "SELECT count(*) FROM tpch.sf1.orders CROSS JOIN UNNEST(sequence(1,10000))"),
  statement("60,000 columns", `SELECT ${Array.from({ length: 60_000 }, () => "1").join(",")}`),
  statement(
    "nested reduce",
    "SELECT reduce(sequence(1,10000),0,(s,x)->s+reduce(sequence(1,10000),0,(t,y)->t+reduce(sequence(1,10000),0,(u,z)->u+1,u->u),t->t),s->s)",
  ),
  statement("regular expression", "SELECT regexp_like(rpad('',1000000,'a'),'(a|aa|aaa|aaaa){1,50}b')"),
  statement(
    "union of 15,000 buffers",
    "SELECT ST_Area(geometry_union_agg(ST_Buffer(ST_Point(n % 150, n / 150), 0.75))) FROM (SELECT orderkey % 15000 n FROM tpch.tiny.orders)",
  ),
  statement(
    "union of 10,000 squares",
    `SELECT ST_Area(geometry_union_agg(ST_GeometryFromText(format('POLYGON ((%1$d %2$d, %3$d %2$d, %3$d %4$d, %1$d %4$d, %1$d %2$d))',
      n % 100, n / 100, n % 100 + 1, n / 100 + 1)))) FROM UNNEST(sequence(0, 9999)) t (n)`,
  ),
  statement(
    "hull of 30,000 points",
    "SELECT ST_Area(ST_ConvexHull(ST_MultiPoint(array_agg(ST_Point(cos(k), sin(k)))))) FROM (SELECT orderkey k FROM tpch.sf1.orders LIMIT 30000)",
  ),
  statement(
    "2,000 aggregates",
    `SELECT ${Array.from({ length: 2_000 }, (_, index) => `sum(orderkey + ${index})`).join(",")} FROM tpch.sf1.orders`,
  ),
  statement(
    "a join condition of 5,000 ORs",
    `SELECT count(*) FROM tpch.tiny.orders a JOIN tpch.tiny.orders b ON a.custkey = b.custkey AND (${Array.from(
      { length: 5_000 },
      (_, index) => `a.orderkey + b.orderkey = -${index}`,
    ).join(" OR ")})`,
  ),
  statement(
    "a model of 5,000 rows",
    "SELECT classify(features(1e0, 2e0), learn_classifier(orderkey % 2, features(totalprice, custkey))) FROM (SELECT * FROM tpch.tiny.orders LIMIT 5000)",
  ),
  statement(
    "9,000 columns",
    `SELECT ${Array.from({ length: 9_000 }, (_, index) => `nationkey + ${index}`).join(",")} FROM tpch.tiny.nation`,
  ),
  statement("GROUP BY 9,000 expressions", `SELECT count(*) FROM tpch.tiny.nation GROUP BY ${listOf(9_000, (n) => `nationkey + ${n}`)}`),
  statement("VALUES of 10,000 rows", `SELECT count(*) FROM (VALUES ${listOf(10_000, (n) => `(${n}, 'a${n}', ${n}e0)`)}) t (a, b, c)`),
  statement("VALUES of 10,000 columns", `VALUES (${listOf(10_000, String)}), (${listOf(10_000, String)})`),
  statement("IN of 100,000 numbers", `SELECT count(*) FROM tpch.tiny.orders WHERE orderkey IN (${listOf(100_000, String)})`),
  statement("an array of 60,000", `SELECT cardinality(ARRAY[${listOf(60_000, String)}])`),
  statement(
    "5,000 UNION ALL",
    listOf(5_000, (n) => `SELECT nationkey + ${n} FROM tpch.tiny.nation`, " UNION ALL "),
  ),
  statement(
    "1,000 WITH queries",
    `WITH ${listOf(1_000, (n) => `t${n} AS (SELECT nationkey + ${n} k FROM tpch.tiny.nation)`)} SELECT count(*) FROM t0, t1, t2`,
  ),
  statement(
    "200 joins",
    `SELECT count(*) FROM tpch.tiny.nation n ${listOf(200, (n) => `JOIN tpch.tiny.nation n${n} ON n.nationkey = n${n}.nationkey`, " ")}`,
  ),
  statement("500 DISTINCT aggregates", `SELECT ${listOf(500, (n) => `count(DISTINCT nationkey + ${n})`)} FROM tpch.tiny.nation`),
  statement(
    "1,000 windows",
    `SELECT ${listOf(1_000, (n) => `sum(nationkey + ${n}) OVER (PARTITION BY regionkey ORDER BY nationkey + ${n})`)} FROM tpch.tiny.nation`,
  ),
  statement("450 nested calls", `SELECT ${"abs(".repeat(450)}nationkey${")".repeat(450)} FROM tpch.tiny.nation`),
  statement(
    "CASE of 22,000 branches",
    `SELECT CASE ${listOf(22_000, (n) => `WHEN nationkey = ${n} THEN ${n + 1}`, " ")} END FROM tpch.tiny.nation`,
  ),
  statement("an array of 50,000 sums", `SELECT cardinality(ARRAY[${listOf(50_000, (n) => `nationkey + ${n}`)}]) FROM tpch.tiny.nation`),
  statement("20,000 ORs", `SELECT count(*) FROM tpch.tiny.nation WHERE ${listOf(20_000, (n) => `nationkey + regionkey = ${n}`, " OR ")}`),
  statement("20,000 ANDs", `SELECT count(*) FROM tpch.tiny.nation WHERE ${listOf(20_000, (n) => `nationkey <> ${n + 100}`, " AND ")}`),
  statement(
    "COALESCE of 20,000",
    `SELECT coalesce(${listOf(20_000, (n) => `nullif(nationkey, nationkey + ${n} - ${n})`)}) FROM tpch.tiny.nation`,
  ),
  statement(
    "9,000 lambdas",
    `SELECT ${listOf(9_000, (n) => `cardinality(transform(ARRAY[nationkey], x -> x + ${n}))`)} FROM tpch.tiny.nation`,
  ),
  statement(
    "IN of 90,000 numbers of two types",
    `SELECT count(*) FROM tpch.tiny.orders WHERE orderkey IN (${listOf(90_000, (n) => (n % 2 === 0 ? `${n}` : `${n}.5`))})`,
  ),
  statement(
    "IN of 30,000 rows",
    `SELECT count(*) FROM tpch.tiny.nation WHERE (nationkey, regionkey) IN (${listOf(30_000, (n) => `(${n}, ${n})`)})`,
  ),
  statement("9,000 parameters", `EXECUTE IMMEDIATE 'SELECT ${listOf(9_000, () => "? + 1")}' USING ${listOf(9_000, String)}`),
  statement("50,000 WITH queries", `WITH ${listOf(50_000, (n) => `t${n} AS (SELECT 1)`)} SELECT 1`),
  statement(
    "60 WITH queries, each read twice",
    `WITH t0 AS (SELECT nationkey k FROM tpch.tiny.nation), ${listOf(60, (n) => `t${n + 1} AS (SELECT a.k FROM t${n} a JOIN t${n} b ON a.k = b.k)`)}
      SELECT count(*) FROM t60`,
  ),
  statement("1,000 scalar subqueries", `SELECT ${listOf(1_000, (n) => `(SELECT max(nationkey) + ${n} FROM tpch.tiny.nation)`)}`),
  statement(
    "300 correlated subqueries",
    `SELECT ${listOf(300, (n) => `(SELECT count(*) + ${n} FROM tpch.tiny.nation b WHERE b.regionkey = a.regionkey)`)} FROM tpch.tiny.nation a`,
  ),
  statement("all columns of 200 tables", `SELECT * FROM ${listOf(200, (n) => `tpch.tiny.lineitem l${n}`)} LIMIT 1`),
  statement(
    "400 tables in FROM",
    `SELECT count(*) FROM ${listOf(400, (n) => `tpch.tiny.nation n${n}`)} WHERE ${listOf(399, (n) => `n${n}.nationkey = n${n + 1}.nationkey`, " AND ")}`,
  ),
  statement("PIVOT of 3,000 values", `SELECT * FROM tpch.tiny.orders PIVOT (count(orderkey) FOR custkey IN (${listOf(3_000, String)}))`),
  statement(
    "ORDER BY of 2,000 of 2,000 columns",
    `SELECT ${listOf(2_000, (n) => `c${n}`)} FROM (SELECT ${listOf(2_000, (n) => `nationkey + ${n} AS c${n}`)} FROM tpch.tiny.nation)
      ORDER BY ${listOf(2_000, (n) => `c${n}`)}`,
  ),
  statement(
    "a NATURAL JOIN of 3,000 columns",
    `SELECT count(*) FROM (SELECT ${listOf(3_000, (n) => `nationkey + ${n} AS c${n}`)} FROM tpch.tiny.nation)
      NATURAL JOIN (SELECT ${listOf(3_000, (n) => `nationkey + ${n} AS c${n}`)} FROM tpch.tiny.nation)`,
  ),
  statement(
    "a join of 1,000 computed keys",
    `SELECT count(*) FROM tpch.tiny.nation a JOIN tpch.tiny.nation b
      ON ${listOf(1_000, (n) => `a.nationkey + ${n} = b.nationkey + ${n}`, " AND ")}`,
  ),
  statement(
    "a CUBE of 11",
    `SELECT count(*) FROM tpch.tiny.lineitem GROUP BY CUBE (orderkey, partkey, suppkey, linenumber, quantity,
    extendedprice, discount, tax, returnflag, linestatus, shipdate)`,
  ),
  statement("a type of 25,000 fields", `SELECT CAST(NULL AS row(${listOf(25_000, (n) => `f${n} array<array<int>>`)}))`),
  statement(
    "a row pattern of 2,000 variables",
    `SELECT * FROM tpch.tiny.nation MATCH_RECOGNIZE (ORDER BY nationkey MEASURES count(*) AS c PATTERN (${listOf(2_000, (n) => `A${n}?`, " ")})
      DEFINE ${listOf(2_000, (n) => `A${n} AS nationkey > ${n}`)})`,
  ),
  crowd(`${idleSockets} idle sockets, ${descriptorsMax} descriptors`, idleSockets, "", descriptorsMax),
  crowd(`${slowReaders} slow readers`, slowReaders, post(rows, rows.length)),
  crowd(`${halfBodies} half-sent bodies of 64 MB`, halfBodies, post("x".repeat(1024 * 1024), bodyBytes)),
];

interface Outcome {
  readonly outcome: string;
  readonly ms: number;
  readonly latencies: readonly number[];
  readonly failed: number;
  readonly isAlive: boolean;
}

async function strike(server: RunningServer, attack: Attack): Promise<Outcome> {
  const latencies: number[] = [];
  let failed = 0;
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const began = performance.now();
      try {
        let document = await ask("POST", `${server.uri}/v1/statement`, "SELECT 1");
        while (document.nextUri !== undefined) {
          document = await ask("GET", document.nextUri);
        }
        failed += document.error === undefined ? 0 : 1;
      } catch {
        failed++;
      }
      latencies.push(performance.now() - began);
      await pause(10);
    }
  })();
  const began = performance.now();
  const outcome = await attack.run(server.uri).catch((error: unknown) => `no answer: ${String(error)}`);
  const ms = performance.now() - began;
  isOver = true;
  await probing;
  return { outcome, ms, latencies, failed, isAlive: server.process.exitCode === null };
}

/** `names` restricts the attacks, by words of their names; all if empty. */
export async function measureAttacks(names: readonly string[]): Promise<void> {
  say(`attacks on a coordinator with two workers; SELECT 1 of another client meanwhile`);
  const header = ["attack", "outcome", "ms", "SELECT 1", "failed", "p50 ms", "p99 ms", "process"];
  const lines: string[][] = [];
  for (const attack of attacks.filter(({ name }) => names.length === 0 || names.some((word) => name.includes(word)))) {
    const limits = attack.descriptorsMax === undefined ? {} : { descriptorsMax: attack.descriptorsMax };
    const server = await startServer(["--workers", "2"], limits);
    await ask("POST", `${server.uri}/v1/statement`, "SELECT 1");
    const { outcome, ms, latencies, failed, isAlive } = await strike(server, attack);
    const line = [
      attack.name,
      outcome,
      ms.toFixed(0),
      String(latencies.length),
      String(failed),
      quantile(latencies, 0.5).toFixed(0),
      quantile(latencies, 0.99).toFixed(0),
      isAlive ? "lives" : "died",
    ];
    // Each as it is measured: all take minutes.
    say(table([header, line]));
    lines.push(line);
    server.kill("SIGKILL");
    await server.ended;
  }
  say(table([header, ...lines]));
}
