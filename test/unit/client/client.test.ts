/** The public client over a scripted network: what it sends, what its user sees. */
import { describe, expect, it } from "vitest";
import { Client, type QueryOptions, type SessionOptions } from "../../../src/client/client.ts";
import { ClientError, QueryFailedError } from "../../../src/client/errors.ts";
import { type HttpResponse, NetworkError } from "../../../src/ports/network.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { columnN, failure, HastyClock, json, nextUri, results, ScriptedNetwork } from "./scripted.ts";

function setUp(answers: ConstructorParameters<typeof ScriptedNetwork>[0], options: SessionOptions = {}) {
  const network = new ScriptedNetwork(answers);
  return { network, client: new Client({ network, clock: new HastyClock(), server: "http://server" }, { user: "alice", ...options }) };
}

const submitted = json(results({ nextUri: nextUri(1) }));
const first = json(results({ nextUri: nextUri(2), columns: [columnN], data: [[1], [2]] }));
const last = json(results({ columns: [columnN], data: [[3]] }));
const gone: HttpResponse = { status: 204, headers: {}, body: new Uint8Array(0) };
const failed = json(results({ error: failure, stats: { ...results().stats, state: "FAILED" } }));

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("rows", () => {
  it("come one at a time, by the type of their column", async () => {
    const { client } = setUp([submitted, first, last]);
    const rows: unknown[] = [];
    for await (const row of client.query("q")) {
      rows.push(row);
    }
    expect(rows).toEqual([[1n], [2n], [3n]]);
  });

  it("come as objects, in batches, and all at once", async () => {
    const answers = [submitted, first, last];
    const { client } = setUp([...answers, ...answers, ...answers]);
    const objects: unknown[] = [];
    for await (const object of client.query("q").objects()) {
      objects.push(object);
    }
    expect(objects).toEqual([{ n: 1n }, { n: 2n }, { n: 3n }]);
    const batches: number[] = [];
    for await (const batch of client.query("q").batches()) {
      batches.push(batch.length);
    }
    expect(batches).toEqual([2, 1]);
    expect(await client.query("q").result()).toEqual({
      queryId: "q1",
      columns: [{ name: "n", type: "bigint" }],
      rows: [[1n], [2n], [3n]],
      warnings: [],
    });
  });

  it("are there after the columns were asked for", async () => {
    const { client, network } = setUp([submitted, first, last]);
    const query = client.query("q");
    expect(await query.columns()).toEqual([{ name: "n", type: "bigint" }]);
    expect(network.requests).toHaveLength(2);
    expect(await query.rows()).toEqual([[1n], [2n], [3n]]);
  });

  it("can be read once: the second reader would miss some", async () => {
    const { client } = setUp([submitted, first, last]);
    const query = client.query("q");
    await query.rows();
    expect(await thrownBy(query.rows())).toBeInstanceOf(TypeError);
  });

  it("tell the progress with every answer", async () => {
    const { client } = setUp([submitted, first, last]);
    const seen: string[] = [];
    await client.query("q", { onProgress: ({ queryId, state }) => seen.push(`${queryId} ${state}`) }).rows();
    expect(seen).toHaveLength(3);
    expect(seen[0]).toMatch(/^q1 [A-Z]+$/);
  });

  it("of a change are none; the result says what changed", async () => {
    const { client } = setUp([json(results({ updateType: "INSERT", updateCount: 3 }))]);
    expect(await client.query("q").result()).toMatchObject({ rows: [], columns: [], updateType: "INSERT", updateCount: 3 });
  });
});

describe("a query that does not come to its end", () => {
  it("is cancelled on the server when its reader leaves", async () => {
    const { client, network } = setUp([submitted, first, gone]);
    for await (const row of client.query("q")) {
      expect(row).toEqual([1n]);
      break;
    }
    expect(network.lines.at(-1)).toBe("DELETE /v1/statement/q1/2?slug=s");
  });

  it("throws the server's error with its place", async () => {
    const { client } = setUp([failed]);
    const error = await thrownBy(client.query("SELECT x").rows());
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({
      name: "QueryFailedError",
      message: failure.message,
      queryId: "q1",
      errorName: failure.errorName,
      errorCode: failure.errorCode,
      errorType: failure.errorType,
      location: failure.errorLocation,
    });
  });

  it("throws the signal's reason, before and during the run, and ends on the server", async () => {
    const abort = new AbortController();
    const { client, network } = setUp([submitted, first, gone]);
    const options: QueryOptions = { signal: abort.signal };
    const rows = client.query("q", options)[Symbol.asyncIterator]();
    expect(await rows.next()).toEqual({ done: false, value: [1n] });
    abort.abort(new Error("enough"));
    await rows.next();
    expect(await thrownBy(rows.next())).toMatchObject({ message: "enough" });
    expect(network.lines.at(-1)).toBe("DELETE /v1/statement/q1/2?slug=s");
    expect(await thrownBy(client.query("q", options).rows())).toMatchObject({ message: "enough" });
    expect(network.requests).toHaveLength(3);
  });

  it("tells its reader that it was cancelled: rows would be missing", async () => {
    const { client } = setUp([submitted, first, gone]);
    const query = client.query("q");
    const rows = query.batches();
    await rows.next();
    await query.cancel();
    const error = await thrownBy(rows.next());
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ kind: "INTERRUPTED" });
  });

  it("throws a ClientError if there is no server", async () => {
    const { client } = setUp(() => new NetworkError("HOST_UNREACHABLE", "no"));
    expect(await thrownBy(client.query("q").rows())).toMatchObject({ name: "ClientError", kind: "UNREACHABLE" });
  });
});

describe("a session", () => {
  it.each(["engine", "presto", "trino"] as const)("is sent in the headers of the family %s", async (family) => {
    const options = { family, catalog: "c", schema: "s", timeZone: "Europe/Berlin", properties: { a: "b" }, clientTags: ["x", "y"] };
    const { client, network } = setUp([json(results())], options);
    await client.query("q").rows();
    expect(network.requests[0]?.headers).toMatchObject({
      [`x-${family}-user`]: "alice",
      [`x-${family}-source`]: "orrery-client",
      [`x-${family}-catalog`]: "c",
      [`x-${family}-schema`]: "s",
      [`x-${family}-time-zone`]: "Europe/Berlin",
      [`x-${family}-session`]: "a=b",
      [`x-${family}-client-tags`]: "x,y",
    });
  });

  it("is what its statements have made it", async () => {
    const { client } = setUp([json(results(), { "x-engine-set-catalog": "tpch", "x-engine-set-schema": "tiny" })]);
    await client.query("USE tpch.tiny").rows();
    expect(client.session).toMatchObject({ user: "alice", catalog: "tpch", schema: "tiny" });
  });

  it("sends parameters as literals of one statement; Presto's servers get it prepared", async () => {
    const options = { parameters: ["it's", 1, 2n, null] };
    const engine = setUp([json(results())]);
    await engine.client.query("SELECT ?, ?, ?, ?", options).rows();
    expect(decodeUtf8(engine.network.requests[0]?.body ?? new Uint8Array(0))).toBe(
      "EXECUTE IMMEDIATE 'SELECT ?, ?, ?, ?' USING 'it''s', 1, BIGINT '2', NULL",
    );
    const presto = setUp([json(results()), json(results())], { family: "presto" });
    await presto.client.query("SELECT ?, ?, ?, ?", options).rows();
    expect(decodeUtf8(presto.network.requests[0]?.body ?? new Uint8Array(0))).toBe(
      "EXECUTE orrery_client_statement USING 'it''s', 1, BIGINT '2', NULL",
    );
    expect(presto.network.requests[0]?.headers["x-presto-prepared-statement"]).toContain("orrery_client_statement=SELECT");
    await presto.client.query("q").rows();
    expect(presto.network.requests[1]?.headers["x-presto-prepared-statement"]).toBeUndefined();
  });

  it("refuses a parameter that has no literal", () => {
    const { client } = setUp([]);
    expect(() => client.query("SELECT ?", { parameters: [{ a: 1 } as never] })).toThrow(TypeError);
    expect(() => client.query("SELECT ?", { parameters: [undefined as never] })).toThrow(TypeError);
    expect(() => client.query("SELECT ?", { parameters: [new Date(Number.NaN)] })).toThrow(RangeError);
  });
});
