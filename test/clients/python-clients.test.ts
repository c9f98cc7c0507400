/**
 * The bytes that Python's trino and presto-python-client send, and what they read from the answers.
 */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { readSpooled, type SpooledData } from "../support/spooled-reader.ts";
import { rawExchange } from "../support/raw-server.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster();
});

afterAll(() => cluster.stop());

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly document: Record<string, unknown>;
}

async function send(method: string, target: string, headers: readonly string[], body?: string): Promise<Answer> {
  const bytes = body === undefined ? "" : Buffer.from(body).toString("latin1");
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(cluster.uri).host}`,
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${bytes.length}`]),
    "Connection: close",
  ];
  const whole = await rawExchange(cluster.uri, `${lines.join("\r\n")}\r\n\r\n${bytes}`);
  const end = whole.indexOf("\r\n\r\n");
  const [statusLine = "", ...headerLines] = whole.slice(0, end).split("\r\n");
  const got = new Map(
    headerLines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const sent = Buffer.from(whole.slice(end + 4), "latin1");
  const text = (got.get("content-encoding") === "gzip" ? gunzipSync(sent) : sent).toString("utf8");
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: got,
    text,
    document: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

function pathOf(uri: unknown): string {
  return String(uri).replace(/^http:\/\/[^/]+/, "");
}

/** Every document as both clients read it: members are absent, never null. */
async function follow(headers: readonly string[], sql: string, contentType?: string): Promise<Answer[]> {
  const answers = [await send("POST", "/v1/statement", contentType === undefined ? headers : [...headers, contentType], sql)];
  for (;;) {
    const { document, status, headers: got } = answers.at(-1) as Answer;
    expect(status).toBe(200);
    expect(got.get("content-type")).toBe("application/json");
    expect(Object.values(document)).not.toContain(null);
    expect(document).toMatchObject({ id: expect.any(String), infoUri: expect.any(String), stats: { state: expect.any(String) } });
    if (document["nextUri"] === undefined) {
      return answers;
    }
    answers.push(await send("GET", pathOf(document["nextUri"]), headers));
  }
}

/** Rows of an answer, or of the segments that the newer client requests. */
async function rowsOf(answers: readonly Answer[]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const { document } of answers) {
    const data = (document["data"] ?? []) as unknown[] | SpooledData;
    rows.push(...(Array.isArray(data) ? data : await readSpooled(data, (uri) => cluster.request("GET", uri), rows.length)));
  }
  return rows;
}

const common = ["Accept-Encoding: gzip, deflate", "Accept: */*"];
const trino = [
  "User-Agent: trino-python-client/0.339.0",
  ...common,
  "X-Trino-Catalog: tpch",
  "X-Trino-Schema: tiny",
  "X-Trino-Source: trino-python-client",
  "X-Trino-User: bob",
  "X-Trino-Timezone: Europe/Paris",
  "X-Trino-Time-Zone: Europe/Paris",
  "X-Trino-Client-Capabilities: NUMBER,PARAMETRIC_DATETIME,SESSION_AUTHORIZATION",
  "X-Trino-Session: ",
  "X-Trino-Transaction-Id: NONE",
  "X-Trino-Query-Data-Encoding: json+zstd,json+lz4,json",
];
const presto = [
  "User-Agent: presto-python-client/0.8.4",
  ...common,
  "X-Presto-Catalog: tpch",
  "X-Presto-Schema: tiny",
  "X-Presto-Source: presto-python-client",
  "X-Presto-User: bob",
  "X-Presto-Session: ",
  "X-Presto-Transaction-Id: NONE",
];
const plain = "Content-Type: text/plain; charset=utf-8";

describe.each([
  ["trino", trino, plain, "x-trino"],
  ["presto-python-client", presto, undefined, "x-presto"],
] as const)("Python's %s", (_name, headers, contentType, family) => {
  it("reads columns with their signatures from a GET, and classic rows", async () => {
    const answers = await follow(
      headers,
      "SELECT nationkey, name, CAST(1 AS decimal(10,2)), CAST(name AS varchar) FROM nation",
      contentType,
    );
    expect((await rowsOf(answers)).length).toBe(25);
    // The older client ignores the columns of the answer to POST.
    const columns = answers.slice(1).find(({ document }) => document["columns"] !== undefined)?.document["columns"] as {
      readonly typeSignature: {
        readonly rawType: string;
        readonly arguments: readonly { readonly kind: string; readonly value: unknown }[];
      };
    }[];
    expect(columns.map(({ typeSignature }) => [typeSignature.rawType, typeSignature.arguments.map(({ value }) => value)])).toEqual([
      ["bigint", []],
      ["varchar", [25]],
      ["decimal", [10, 2]],
      ["varchar", [2147483647]],
    ]);
    expect(
      answers.every(
        ({ document }) => document["data"] === undefined || ((document["data"] as SpooledData).segments ?? document["data"]).length > 0,
      ),
    ).toBe(true);
    for (const { document } of answers) {
      const { state } = document["stats"] as { readonly state: string };
      expect(["QUEUED", "PLANNING", "STARTING"].includes(state) && document["data"] !== undefined).toBe(false);
    }
  });

  it("reads errors by type, name and code", async () => {
    const answers = await follow(headers, "SELECT * FROM nosuch", contentType);
    const error = answers.at(-1)?.document["error"];
    expect(error).toMatchObject({
      errorType: "USER_ERROR",
      errorName: "TABLE_NOT_FOUND",
      errorCode: expect.any(Number),
      message: "line 1:15: Table 'tpch.tiny.nosuch' does not exist",
      errorLocation: { lineNumber: 1, columnNumber: 15 },
      failureInfo: { type: expect.any(String) },
    });
    expect(Object.values(error as object)).not.toContain(null);
  });

  it("prepares, executes and deallocates", async () => {
    const sql = "SELECT name, 'a, b=c é' FROM nation WHERE nationkey = ?";
    const prepared = await follow(headers, `PREPARE st_0123456789abcdef FROM ${sql}`, contentType);
    const added = prepared.map((answer) => answer.headers.get(`${family}-added-prepare`)).find((value) => value !== undefined);
    expect(added).toMatch(/^st_0123456789abcdef=[^, ]+$/);
    // Sent back unchanged.
    const prefix = family === "x-trino" ? "X-Trino" : "X-Presto";
    const execute = await follow(
      [...headers, `${prefix}-Prepared-Statement: ${added}`],
      "EXECUTE st_0123456789abcdef USING 7",
      contentType,
    );
    expect(await rowsOf(execute)).toEqual([["GERMANY", "a, b=c é"]]);
    const gone = await follow(
      [...headers, `${prefix}-Prepared-Statement: ${added}`],
      "DEALLOCATE PREPARE st_0123456789abcdef",
      contentType,
    );
    expect(gone.some((answer) => answer.headers.get(`${family}-deallocated-prepare`) === "st_0123456789abcdef")).toBe(true);
  });

  it("sets session properties, quoted the way it unquotes them, and sends them back", async () => {
    const answers = await follow(headers, "SET SESSION join_distribution_type = 'BROADCAST'", contentType);
    expect(answers.some((answer) => answer.headers.get(`${family}-set-session`) === "join_distribution_type=BROADCAST")).toBe(true);
    const back = headers.map((line) => (/-Session: /.test(line) ? `${line}join_distribution_type=BROADCAST` : line));
    const shown = await follow(back, "SHOW SESSION", contentType);
    expect((await rowsOf(shown)).find((row) => (row as unknown[])[0] === "join_distribution_type")).toMatchObject({ 1: "BROADCAST" });
  });

  it("cancels the next address with 204, again and again", async () => {
    const { document } = await send(
      "POST",
      "/v1/statement",
      contentType === undefined ? headers : [...headers, contentType],
      "SELECT count(*) FROM tpch.sf1000.lineitem a JOIN tpch.sf1000.lineitem b ON a.orderkey = b.partkey",
    );
    const target = pathOf(document["nextUri"]);
    for (let index = 0; index < 2; index++) {
      const canceled = await send("DELETE", target, headers);
      expect([canceled.status, canceled.text]).toEqual([204, ""]);
    }
    expect((await send("DELETE", `/v1/query/${String(document["id"])}`, headers)).status).toBe(204);
    const after = await send("GET", target, headers);
    expect(after.status === 200 ? after.document["error"] : after.status).toMatchObject({ errorName: "USER_CANCELED" });
  });

  it("asks HEAD of an address, which may be refused but not break", async () => {
    const { document } = await send("POST", "/v1/statement", contentType === undefined ? headers : [...headers, contentType], "SELECT 1");
    const { status, text } = await send("HEAD", pathOf(document["nextUri"]), headers);
    expect([200, 404, 405]).toContain(status);
    expect(text).toBe("");
  });

  it("is told in plain text what is wrong with a request", async () => {
    const empty = await send("POST", "/v1/statement", headers, " ");
    expect([empty.status, empty.headers.get("content-type")]).toEqual([400, "text/plain"]);
    expect(empty.text).toContain("SQL statement is empty");
    const unknown = await send("GET", "/v1/statement/20200101_000000_00000_aaaaa/1?slug=x", headers);
    expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "text/plain"]);
  });
});
