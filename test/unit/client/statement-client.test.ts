import { describe, expect, it } from "vitest";
import { ClientError } from "../../../src/client/requester.ts";
import { clientSession } from "../../../src/client/session.ts";
import { StatementClient, type StatementClientOptions } from "../../../src/client/statement-client.ts";
import { type HttpResponse, NetworkError } from "../../../src/ports/network.ts";
import { type Answer, columnN, failure, HastyClock, json, nextUri, results, ScriptedNetwork, text } from "./scripted.ts";

function setUp(answers: ConstructorParameters<typeof ScriptedNetwork>[0], others: Partial<StatementClientOptions> = {}) {
  const network = new ScriptedNetwork(answers);
  const clock = new HastyClock();
  const client = new StatementClient({
    network,
    clock,
    server: "http://server/",
    session: clientSession("alice", { source: "test" }),
    ...others,
  });
  return { network, clock, client };
}

const submitted = json(results({ nextUri: nextUri(1), columns: [columnN] }));
const finished = json(results({ columns: [columnN], data: [[3]] }));
const empty: HttpResponse = { status: 204, headers: {}, body: new Uint8Array(0) };

describe("a statement", () => {
  it("is submitted, followed to its end, and gives its rows document by document", async () => {
    const { network, client } = setUp([
      submitted,
      json(results({ nextUri: nextUri(2), columns: [columnN] })),
      json(results({ nextUri: nextUri(3), columns: [columnN], data: [[1], [9223372036854775807n]] })),
      finished,
    ]);
    const run = client.submit("SELECT n FROM t");
    expect(network.requests).toHaveLength(0);
    const seen: (readonly (readonly unknown[])[])[] = [];
    while (await run.advance()) {
      seen.push(run.rows);
    }
    expect(seen).toEqual([[], [], [[1], [9223372036854775807n]], [[3]]]);
    expect(run.state).toBe("FINISHED");
    expect(run.columns).toEqual([columnN]);
    expect(run.queryId).toBe("q1");
    expect(network.lines).toEqual([
      "POST /v1/statement",
      "GET /v1/statement/q1/1?slug=s",
      "GET /v1/statement/q1/2?slug=s",
      "GET /v1/statement/q1/3?slug=s",
    ]);
    expect(network.requests[0]?.headers).toMatchObject({
      "x-engine-user": "alice",
      "x-engine-source": "test",
      "x-engine-transaction-id": "NONE",
    });
    // Once over, a run stays over and sends no more requests.
    expect(await run.advance()).toBe(false);
    expect(run.rows).toEqual([]);
    expect(network.requests).toHaveLength(4);
  });

  it("that fails says why; the failure is a document, not an exception", async () => {
    const { client } = setUp([json(results({ error: failure, stats: { ...results().stats, state: "FAILED" } }))]);
    const run = client.submit("SELECT x");
    expect(await run.advance()).toBe(true);
    expect(run.state).toBe("FAILED");
    expect(run.error?.message).toBe("line 1:8: Column 'x' cannot be resolved");
    expect(await run.advance()).toBe(false);
  });

  it("names users and schemas of any script in every request", async () => {
    const answers = [submitted, json(results(), { "x-engine-set-schema": "\u00d0\u0096" }), submitted];
    const { network, client } = setUp(answers, { session: clientSession("\u0416") });
    const run = client.submit("USE x");
    while (await run.advance()) {
      // Run to the end.
    }
    expect(client.session).toMatchObject({ user: "\u0416", schema: "\u0416" });
    await client.submit("q").advance();
    expect(network.requests.map(({ headers }) => headers["x-engine-user"])).toEqual(Array<string>(3).fill("\u00d0\u0096"));
    expect(network.requests[2]?.headers).toMatchObject({ "x-engine-schema": "\u00d0\u0096" });
  });

  it("changes the session that the next one carries", async () => {
    const effects = {
      "x-engine-set-catalog": "tpch",
      "x-engine-set-schema": "tiny",
      "x-engine-set-session": ["join_distribution_type=BROADCAST%2C+really", "memory.x=1"],
      "x-engine-added-prepare": "my+q=SELECT%20%3F%2C%20%3F",
      "x-engine-started-transaction-id": "11111111-1111-1111-1111-111111111111",
    };
    const undo = { "x-engine-clear-session": "memory.x", "x-engine-deallocated-prepare": "my+q", "x-engine-clear-transaction-id": "true" };
    const { network, client } = setUp([json(results(), effects), json(results(), undo), json(results())]);
    await client.submit("one").collect();
    await client.submit("two").collect();
    await client.submit("three").collect();
    expect(network.requests[1]?.headers).toMatchObject({
      "x-engine-catalog": "tpch",
      "x-engine-schema": "tiny",
      "x-engine-session": "join_distribution_type=BROADCAST%2C%20really,memory.x=1",
      "x-engine-prepared-statement": "my%20q=SELECT%20%3F%2C%20%3F",
      "x-engine-transaction-id": "11111111-1111-1111-1111-111111111111",
    });
    expect(network.requests[2]?.headers).toMatchObject({
      "x-engine-session": "join_distribution_type=BROADCAST%2C%20really",
      "x-engine-transaction-id": "NONE",
    });
    expect(network.requests[2]?.headers).not.toHaveProperty("x-engine-prepared-statement");
  });
});

describe("trouble on the way", () => {
  const down = new NetworkError("CONNECTION_REFUSED", "http://server: connection refused");
  const reset = new NetworkError("CONNECTION_RESET", "http://server: reset");
  const busy = text(503, "busy", { "retry-after": "3" });

  it("a poll is asked again, token unchanged, after Presto's pauses or those the server names", async () => {
    const troubles: Answer[] = [reset, text(502, ""), text(504, ""), busy, new NetworkError("TIMEOUT", "slow"), text(429, "")];
    const { network, clock, client } = setUp([submitted, ...troubles, finished]);
    expect(await client.submit("q").collect()).toEqual([[3]]);
    expect(new Set(network.lines.slice(1))).toEqual(new Set(["GET /v1/statement/q1/1?slug=s"]));
    expect(clock.pausesMs).toEqual([0, 50, 100, 3000, 500, 500]);
  });

  it("a POST is asked again only when it certainly was not carried out", async () => {
    const calm = setUp([down, busy, submitted, finished]);
    expect(await calm.client.submit("q").collect()).toEqual([[3]]);
    expect(calm.network.lines.slice(0, 3)).toEqual(["POST /v1/statement", "POST /v1/statement", "POST /v1/statement"]);
    const lost = setUp([reset]);
    await expect(lost.client.submit("INSERT").advance()).rejects.toMatchObject({ kind: "UNREACHABLE" });
    expect(lost.network.requests).toHaveLength(1);
    const gateway = setUp([text(502, "bad gateway")]);
    await expect(gateway.client.submit("INSERT").advance()).rejects.toMatchObject({ kind: "REFUSED", status: 502 });
  });

  it("a PUT with an id and slug of one's own is asked again whatever became of it", async () => {
    const { network, client } = setUp([reset, text(502, ""), submitted, finished]);
    expect(await client.submit("INSERT", { queryId: "q1", slug: "a b" }).collect()).toEqual([[3]]);
    expect(network.lines.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => "PUT /v1/statement/q1?slug=a%20b"));
  });

  it("patience ends: after the time given, and not before the third attempt", async () => {
    const submit = setUp(() => down, { submitRetryMsMax: 0 });
    await expect(submit.client.submit("q").advance()).rejects.toThrow("http://server: connection refused");
    expect(submit.network.requests).toHaveLength(3);
    const poll = setUp((_request, index) => (index === 0 ? submitted : reset), { pollRetryMsMax: 2000 });
    await expect(poll.client.submit("q").collect()).rejects.toMatchObject({ kind: "UNREACHABLE" });
    expect(poll.clock.pausesMs.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThanOrEqual(2000);
    expect(poll.network.requests.length).toBeLessThan(12);
  });

  it("what the server refuses is said in its own words, and not repeated", async () => {
    const bad = setUp([text(400, "SQL statement is empty")]);
    const run = bad.client.submit("");
    await expect(run.advance()).rejects.toThrow("Server answered with status 400: SQL statement is empty");
    expect(run.state).toBe("FAILED");
    const gone = setUp([submitted, text(404, "Query not found")]);
    await expect(gone.client.submit("q").collect()).rejects.toThrow("Query q1 is gone: the server does not know it any more");
  });

  it.each<[string, HttpResponse]>([
    ["text", text(200, "<html>")],
    ["another document", json({ id: 1 })],
    ["rows that are none", json({ ...results(), data: [1] })],
  ])("an answer that is %s is an error", async (_name, answer) => {
    const { client } = setUp([answer]);
    await expect(client.submit("q").advance()).rejects.toMatchObject({ kind: "BAD_ANSWER" });
  });

  it("a name that no header can carry is refused before anything is sent", async () => {
    const { network, client } = setUp([], { session: clientSession("a\nb") });
    await expect(client.submit("q").advance()).rejects.toBeInstanceOf(ClientError);
    expect(network.requests).toHaveLength(0);
  });
});

describe("cancel", () => {
  it("interrupts the poll, tells the server, and advance gives false", async () => {
    const { network, client } = setUp((request, index) =>
      index === 0 ? submitted : request.method === "DELETE" ? empty : new Promise(() => undefined),
    );
    const run = client.submit("q");
    await run.advance();
    const waiting = run.advance();
    await Promise.resolve();
    await run.cancel();
    expect(await waiting).toBe(false);
    expect(run.state).toBe("CANCELED");
    expect(network.lines).toEqual(["POST /v1/statement", "GET /v1/statement/q1/1?slug=s", "DELETE /v1/statement/q1/1?slug=s"]);
    expect(network.requests[2]?.headers).toMatchObject({ "x-engine-user": "alice" });
    expect(await run.advance()).toBe(false);
  });

  it("of a submission that is on its way waits for the address to cancel at", async () => {
    let answer: (response: HttpResponse) => void = () => undefined;
    const late = new Promise<HttpResponse>((resolve) => {
      answer = resolve;
    });
    const { network, client } = setUp((request) => (request.method === "POST" ? late : empty));
    const run = client.submit("q");
    const waiting = run.advance();
    const cancelled = run.cancel();
    expect(network.lines).toEqual(["POST /v1/statement"]);
    answer(submitted);
    await cancelled;
    expect(await waiting).toBe(false);
    expect(network.lines).toEqual(["POST /v1/statement", "DELETE /v1/statement/q1/1?slug=s"]);
  });

  it("of a PUT on its way needs no answer", async () => {
    const { network, client } = setUp((request) => (request.method === "PUT" ? new Promise(() => undefined) : empty));
    const run = client.submit("q", { queryId: "q9", slug: "s" });
    const waiting = run.advance();
    await run.cancel();
    expect(await waiting).toBe(false);
    expect(network.lines).toEqual(["PUT /v1/statement/q9?slug=s", "DELETE /v1/statement/q9/0?slug=s"]);
  });

  it("ends a pause between two attempts", async () => {
    const { clock, network, client } = setUp((request, index) =>
      index === 0 ? submitted : request.method === "DELETE" ? empty : text(503, "", { "retry-after": "30" }),
    );
    clock.timer = () => ({ cancel: () => undefined });
    const run = client.submit("q");
    await run.advance();
    const waiting = run.advance();
    await Promise.resolve();
    await Promise.resolve();
    await run.cancel();
    expect(await waiting).toBe(false);
    expect(network.lines.at(-1)).toBe("DELETE /v1/statement/q1/1?slug=s");
  });

  it("of a submission that finds no server ends the tries", async () => {
    const { clock, network, client } = setUp(() => new NetworkError("CONNECTION_REFUSED", "refused"));
    clock.timer = () => ({ cancel: () => undefined });
    const run = client.submit("q");
    const waiting = run.advance();
    for (let turn = 0; turn < 10; turn++) {
      await Promise.resolve();
    }
    await run.cancel();
    expect(await waiting).toBe(false);
    expect(network.requests).toHaveLength(1);
  });

  it("before the first request sends nothing; after the end does nothing", async () => {
    const early = setUp([]);
    const never = early.client.submit("q");
    await never.cancel();
    expect(await never.advance()).toBe(false);
    expect(early.network.requests).toHaveLength(0);
    const late = setUp([json(results())]);
    const over = late.client.submit("q");
    await over.advance();
    await over.cancel();
    expect(over.state).toBe("FINISHED");
    expect(late.network.requests).toHaveLength(1);
  });

  it("of the leaf stage leaves the query its rows", async () => {
    const partial = json(results({ nextUri: nextUri(1), partialCancelUri: "http://server/v1/stage/q1.1" }));
    const { network, client } = setUp([partial, empty, finished]);
    const run = client.submit("q");
    await run.advance();
    expect(await run.cancelLeafStage()).toBe(true);
    expect(await run.collect()).toEqual([[3]]);
    expect(network.lines[1]).toBe("DELETE /v1/stage/q1.1");
  });
});
