import { knobs } from "../../../src/ports/knobs.ts";
import { describe, expect, test } from "vitest";
import type { WorkerNode } from "../../../src/coordinator/context.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { queryResultsSchema } from "../../../src/protocol/documents/statement.ts";
import { settle } from "../../support/manual-clock.ts";
import { FakeCoordinator, nextUri, type Reply, stateOf } from "./fakes.ts";
import { resourceGroupSchema } from "../../../src/protocol/documents/cluster.ts";
import type { ResourceGroupsDocument } from "../../../src/protocol/documents/resource-groups.ts";

describe("a statement, from the first answer to the last", () => {
  test("the first answer shows a running query with all counters 0, the last one carries the rows and no nextUri", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    expect(first.status).toBe(200);
    expect(first.headers["content-type"]).toBe("application/json");
    queryResultsSchema.parse(first.json);
    expect(stateOf(first)).toBe("RUNNING");
    expect(first.json).toMatchObject({
      columns: [{ name: "c", type: "varchar" }],
      stats: { nodes: 0, totalSplits: 0, processedRows: 0, rootStage: { stageId: "0", state: "SCHEDULED", done: false, subStages: [] } },
    });
    expect(first.json["data"]).toBeUndefined();
    expect(first.json["partialCancelUri"]).toContain("/v1/stage/");

    const second = world.ask("GET", nextUri(first));
    await settle();
    world.root.push(world.frame(["a", "b"]));
    world.root.finishOutput();
    const last = await second;
    queryResultsSchema.parse(last.json);
    expect(stateOf(last)).toBe("FINISHED");
    expect(last.json["data"]).toEqual([["a"], ["b"]]);
    expect(last.json["nextUri"]).toBeUndefined();
    expect(world.clock.labels).toEqual([]);
    expect(world.queryMemory.reservedBytes).toBe(0);
  });

  test("the happy path waits for no timer", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    world.root.push(world.frame(["x"]));
    world.root.finishOutput();
    await settle();
    expect(stateOf(await world.ask("GET", nextUri(first)))).toBe("FINISHED");
    expect(world.transitions.filter((line) => line.startsWith("query")).map((line) => line.split(": ")[1])).toEqual([
      "QUEUED -> PLANNING",
      "PLANNING -> STARTING",
      "STARTING -> RUNNING",
      "RUNNING -> FINISHING",
      "FINISHING -> FINISHED",
    ]);
  });

  test("the last page is held back until the end is known, so a status update comes first", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    world.root.push(world.frame(["a"]));
    const update = world.ask("GET", nextUri(first));
    await world.clock.advance(1000);
    const second = await update;
    expect(stateOf(second)).toBe("RUNNING");
    expect(second.json["data"]).toBeUndefined();
    const third = world.ask("GET", nextUri(second));
    world.root.push(world.frame(["b"]));
    await world.clock.advance(1000);
    expect((await third).json["data"]).toEqual([["a"]]);
    world.root.finishOutput();
    const last = await world.ask("GET", nextUri(await third));
    expect(last.json["data"]).toEqual([["b"]]);
    expect(stateOf(last)).toBe("FINISHED");
  });

  test("the current token answers with the same bytes, older ones 410, later ones 404, a wrong slug 404", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    const update = world.ask("GET", nextUri(first));
    await world.clock.advance(1000);
    const again = await world.ask("GET", nextUri(first));
    expect(again.body).toEqual((await update).body);
    expect((await world.ask("GET", nextUri(first).replace("/1?", "/0?"))).status).toBe(410);
    expect((await world.ask("GET", nextUri(first).replace("/1?", "/3?"))).status).toBe(404);
    expect((await world.ask("GET", `${nextUri(await update)}x`)).status).toBe(404);
    expect((await world.ask("GET", nextUri(await update).split("?")[0] as string)).status).toBe(404);
    world.root.finishOutput();
    const last = await world.ask("GET", nextUri(await update));
    expect(stateOf(last)).toBe("FINISHED");
    expect(last.json["data"]).toBeUndefined();
    expect((await world.ask("GET", nextUri(await update))).body).toEqual(last.body);
    expect((await world.ask("GET", nextUri(await update).replace("/2?", "/3?"))).status).toBe(404);
  });

  test("what tasks had to leave out is told with every answer, once", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    const half = { warningCode: { code: 6, name: "PARTIAL_RESULT_WARNING" }, message: "half" };
    world.root.warnings = [half, half];
    world.root.push(world.frame(["a"]));
    world.root.finishOutput();
    const last = await world.ask("GET", nextUri(first));
    expect(first.json["warnings"]).toEqual([]);
    expect(last.json["warnings"]).toEqual([half]);
    const info = await world.ask("GET", `/v1/query/${first.json["id"] as string}`);
    expect(info.json["warnings"]).toEqual([half]);
  });

  test("two requests for the next token that meet get the same answer", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    const one = world.ask("GET", nextUri(first));
    const two = world.ask("GET", nextUri(first));
    world.root.push(world.frame(["a"]));
    world.root.finishOutput();
    expect((await one).body).toEqual((await two).body);
  });

  test("a large result goes out in several responses, every row once and in order", async () => {
    const world = new FakeCoordinator();
    let reply = await world.submit();
    const rows = Array.from({ length: 400 }, (_, index) => `${index}-${"x".repeat(5000)}`);
    for (let at = 0; at < rows.length; at += 20) {
      world.root.push(world.frame(rows.slice(at, at + 20)));
    }
    world.root.finishOutput();
    const seen: unknown[] = [];
    const sizes: number[] = [];
    while (reply.json["nextUri"] !== undefined) {
      const next = world.ask("GET", nextUri(reply));
      await world.clock.advance(0);
      reply = await next;
      seen.push(...((reply.json["data"] ?? []) as unknown[][]).map((row) => row[0]));
      sizes.push(reply.body.length);
      expect(stateOf(reply) === "FINISHED").toBe(reply.json["nextUri"] === undefined);
    }
    expect(seen).toEqual(rows);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(1.2 * 1024 * 1024);
    expect(world.queryMemory.reservedBytes).toBe(0);
  });
});

describe("statements that do not get far", () => {
  test("a failure in analysis is a 200 with state FAILED and the error", async () => {
    const world = new FakeCoordinator();
    world.plan = () =>
      Promise.reject(new QueryError("COLUMN_NOT_FOUND", "Column 'x' cannot be resolved", { lineNumber: 1, columnNumber: 8 }));
    const reply = await world.submit("SELECT x");
    expect(reply.status).toBe(200);
    queryResultsSchema.parse(reply.json);
    expect(stateOf(reply)).toBe("FAILED");
    expect(reply.json["nextUri"]).toBeUndefined();
    expect(reply.json["error"]).toMatchObject({
      message: "line 1:8: Column 'x' cannot be resolved",
      errorCode: 47,
      errorType: "USER_ERROR",
      errorLocation: { lineNumber: 1, columnNumber: 8 },
    });
  });

  test("empty text and a schema without catalog are refused with plain text", async () => {
    const world = new FakeCoordinator();
    const empty = await world.submit("  ");
    expect([empty.status, empty.headers["content-type"], empty.text]).toEqual([400, "text/plain", "SQL statement is empty"]);
    expect((await world.submit("SELECT 1", { "x-engine-schema": "s" })).status).toBe(400);
    expect((await world.ask("GET", "/v1/statement/unknown/1?slug=x")).status).toBe(404);
  });

  test("a task's failure ends the query with the task's own words", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    const next = world.ask("GET", nextUri(first));
    await settle();
    world.root.fail({ errorName: "DIVISION_BY_ZERO", message: "Division by zero" });
    const reply = await next;
    expect(stateOf(reply)).toBe("FAILED");
    expect(reply.json["error"]).toMatchObject({ errorName: "DIVISION_BY_ZERO", message: "Division by zero" });
    await settle();
    expect(world.queryMemory.reservedBytes).toBe(0);
  });

  test("a statement that is planned slowly answers after a second and goes on", async () => {
    const world = new FakeCoordinator();
    const plan = world.plan;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    world.plan = async (sql) => {
      await gate;
      return plan(sql);
    };
    const submitted = world.submit();
    await world.clock.advance(1000);
    const first = await submitted;
    expect(stateOf(first)).toBe("PLANNING");
    expect(first.json["columns"]).toBeUndefined();
    go();
    await settle();
    world.root.finishOutput();
    expect(stateOf(await world.ask("GET", nextUri(first)))).toBe("FINISHED");
  });
});

describe("ways to end a query", () => {
  test("DELETE is 204 in every state and cancels a query that lives", async () => {
    const world = new FakeCoordinator();
    const first = await world.submit();
    for (const _ of [1, 2]) {
      expect((await world.ask("DELETE", nextUri(first))).status).toBe(204);
    }
    const reply = await world.ask("GET", nextUri(first));
    expect(reply.json["error"]).toMatchObject({ errorName: "USER_CANCELED", message: "Query was canceled" });
    expect(world.root.state).toBe("ABORTED");
    expect(world.coordinator.activeQueryCount()).toBe(0);
    await settle();
    expect(world.queryMemory.reservedBytes).toBe(0);
    expect(world.clock.labels).toEqual([]);
  });

  test("a client that stays away loses its query, and nothing stays behind", async () => {
    const world = new FakeCoordinator({ clientTimeoutMs: 5000 });
    const first = await world.submit();
    await world.clock.advance(4000);
    const update = world.ask("GET", nextUri(first));
    await world.clock.advance(1000);
    await update;
    await world.clock.advance(4500);
    expect(world.coordinator.activeQueryCount()).toBe(1);
    await world.clock.advance(1000);
    expect(world.coordinator.activeQueryCount()).toBe(0);
    const id = first.json["id"] as string;
    expect((await world.ask("GET", `/v1/query/${id}`)).json).toMatchObject({ state: "FAILED", errorCode: { name: "ABANDONED_QUERY" } });
    expect(world.clock.labels).toEqual([]);
  });

  test("the run time limit", async () => {
    const world = new FakeCoordinator({ queryMaxRunTimeMs: 2000 });
    const first = await world.submit();
    const next = world.ask("GET", nextUri(first));
    await world.clock.advance(1000);
    const last = world.ask("GET", nextUri(await next));
    await world.clock.advance(1000);
    expect((await last).json["error"]).toMatchObject({ errorName: "EXCEEDED_TIME_LIMIT" });
  });

  test("the session's limit of run time, which the configuration's bounds", async () => {
    const world = new FakeCoordinator({ queryMaxRunTimeMs: 2000 });
    const session = (text: string) => ({ "x-presto-session": text });
    const narrow = await world.submit("SELECT 1", session("query_max_run_time=1s"));
    const wide = await world.submit("SELECT 1", session("query_max_run_time=1h"));
    const answers = [narrow, wide].map((first) => world.ask("GET", nextUri(first)));
    await world.clock.advance(1000);
    const [ended, running] = await Promise.all(answers);
    expect(ended?.json["error"]).toMatchObject({
      errorName: "EXCEEDED_TIME_LIMIT",
      message: "Query exceeded maximum time limit of 1.00s",
    });
    const last = world.ask("GET", nextUri(running as Reply));
    await world.clock.advance(1000);
    expect((await last).json["error"]).toMatchObject({ message: "Query exceeded maximum time limit of 2.00s" });
  });

  test("WITH SESSION narrows the limit of its own query", async () => {
    const world = new FakeCoordinator();
    const { plan } = world;
    world.plan = async (sql) => {
      const planned = await plan(sql);
      return planned.kind === "query" && sql.includes("query_max_run_time")
        ? { ...planned, sessionProperties: { query_max_run_time: "1s" } }
        : planned;
    };
    const narrow = await world.submit("WITH SESSION query_max_run_time = '1s' SELECT 1", {
      "x-presto-session": "query_max_run_time=1h,a=b",
    });
    const wide = await world.submit("SELECT 1", { "x-presto-session": "query_max_run_time=1h" });
    const info = (await world.ask("GET", `/v1/query/${narrow.json["id"] as string}`)).json as { session: { systemProperties: object } };
    expect(info.session.systemProperties).toEqual({ query_max_run_time: "1s", a: "b" });
    const answer = world.ask("GET", nextUri(narrow));
    await world.clock.advance(1000);
    expect((await answer).json["error"]).toMatchObject({ message: "Query exceeded maximum time limit of 1.00s" });
    expect((await world.ask("GET", `/v1/query/${wide.json["id"] as string}`)).json).toMatchObject({ state: "RUNNING" });
  });

  test("the limit of execution time does not count the time before it runs", async () => {
    const world = new FakeCoordinator();
    world.cluster.workers = [];
    const headers = { "x-presto-session": "query_max_execution_time=1500ms" };
    const submitted = world.submit("SELECT 1", headers);
    await world.clock.advance(10_000);
    const first = await submitted;
    const id = first.json["id"] as string;
    const info = async () => (await world.ask("GET", `/v1/query/${id}`)).json;
    await world.clock.advance(10_000);
    expect(await info()).toMatchObject({ state: "WAITING_FOR_RESOURCES" });
    world.cluster.workers = [{ nodeId: "worker-1", uri: "http://worker-1:1", incarnation: "life-1" }];
    world.cluster.changed();
    await world.clock.advance(1400);
    expect(await info()).toMatchObject({ state: "RUNNING" });
    await world.clock.advance(200);
    expect(await info()).toMatchObject({
      state: "FAILED",
      errorCode: { name: "EXCEEDED_TIME_LIMIT" },
      failureInfo: { message: "Query exceeded the maximum execution time limit of 1500.00ms" },
    });
  });

  test("killing by an administrator", async () => {
    const world = new FakeCoordinator();
    const id = (await world.submit()).json["id"] as string;
    expect((await world.ask("PUT", `/v1/query/${id}/killed`, "too big")).status).toBe(202);
    expect((await world.ask("PUT", `/v1/query/${id}/killed`, "too big")).status).toBe(409);
    expect((await world.ask("GET", `/v1/query/${id}`)).json).toMatchObject({
      failureInfo: { message: "Query killed. Message: too big" },
    });
  });
});

describe("PUT with an id of the caller's", () => {
  test("is idempotent until the first poll; another slug or text is a conflict", async () => {
    const world = new FakeCoordinator();
    const put = (slug: string, sql = "SELECT 1") => world.ask("PUT", `/v1/statement/my_query_1?slug=${slug}`, sql);
    const first = await put("abc");
    expect(first.json["id"]).toBe("my_query_1");
    expect(nextUri(first)).toContain("slug=abc");
    expect((await put("abc")).body).toEqual(first.body);
    expect((await put("other")).status).toBe(409);
    expect((await put("abc", "SELECT 2")).status).toBe(409);
    const poll = world.ask("GET", nextUri(first));
    await settle();
    expect((await put("abc")).status).toBe(409);
    world.root.finishOutput();
    expect(stateOf(await poll)).toBe("FINISHED");
    expect(world.tasks.length).toBe(1);
  });

  test("does not begin again a query whose rows were given up", async () => {
    const world = new FakeCoordinator({ clientTimeoutMs: 10_000 });
    const put = () => world.ask("PUT", "/v1/statement/left?slug=abc", "SELECT 1");
    const first = await put();
    world.root.push(world.frame(["a"]));
    world.root.finishOutput();
    await settle();
    expect((await put()).text).toBe(first.text);
    await world.clock.advance(20_000);
    expect((await world.ask("GET", nextUri(first))).status).toBe(410);
    expect((await put()).status).toBe(410);
  });

  test("does not run a statement again whose query was forgotten meanwhile", async () => {
    const world = new FakeCoordinator({ historyMax: 1, expireAgeMinMs: 0, clientTimeoutMs: 10_000 });
    const put = (id: string) => world.ask("PUT", `/v1/statement/${id}?slug=abc`, "SELECT 1");
    await put("lost");
    world.root.finishOutput();
    await settle();
    await world.clock.advance(10_000);
    await world.ask("DELETE", nextUri(await world.submit()));
    await world.ask("DELETE", nextUri(await world.submit()));
    const tasks = world.tasks.length;
    const again = await put("lost");
    expect([again.status, again.text]).toEqual([410, "Query has ended and was forgotten"]);
    expect(world.tasks.length).toBe(tasks);
    expect((await put("another")).status).toBe(200);
  });

  test("wants an id and a slug that are valid", async () => {
    const world = new FakeCoordinator();
    expect((await world.ask("PUT", "/v1/statement/Bad-Id?slug=a", "SELECT 1")).status).toBe(400);
    expect((await world.ask("PUT", "/v1/statement/good", "SELECT 1")).status).toBe(400);
    expect((await world.ask("PUT", "/v1/statement/good?slug=a", "")).status).toBe(400);
  });
});

describe("admission", () => {
  test("one at a time, then the queue, then no more; a slot comes back however a query ends", async () => {
    const world = new FakeCoordinator({ concurrentQueriesMax: 1, queuedQueriesMax: 1 });
    const first = await world.submit();
    const waiting = world.submit();
    await world.clock.advance(1000);
    const second = await waiting;
    expect(stateOf(second)).toBe("QUEUED");
    const third = await world.submit();
    expect(third.json["error"]).toMatchObject({ errorName: "QUERY_QUEUE_FULL", message: 'Too many queued queries for "global"' });
    await world.ask("DELETE", nextUri(first));
    const update = world.ask("GET", nextUri(second));
    await settle();
    expect(world.tasks.length).toBe(2);
    world.root.push(world.frame(["b"]));
    world.root.finishOutput();
    expect((await update).json["data"]).toEqual([["b"]]);
  });

  test("in groups: each user has slots, the documents have the groups, and a new configuration frees who waits", async () => {
    const groups = (hardConcurrencyLimit: number): ResourceGroupsDocument => ({
      rootGroups: [
        {
          name: "all",
          hardConcurrencyLimit: 10,
          maxQueued: 10,
          subGroups: [{ name: "of-${USER}", hardConcurrencyLimit, maxQueued: 1 }],
        },
      ],
      selectors: [{ user: "a.*", group: "all.of-${USER}" }],
    });
    const world = new FakeCoordinator({}, { resourceGroups: groups(1) });
    const ann = { "x-engine-user": "a n" };
    await world.submit("SELECT 1", ann);
    const waiting = world.submit("SELECT 2", ann);
    await world.clock.advance(1000);
    const id = (await waiting).json["id"] as string;
    const full = await world.submit("SELECT 3", ann);
    expect(full.json["error"]).toMatchObject({ errorName: "QUERY_QUEUE_FULL", message: 'Too many queued queries for "all.of-a n"' });
    const rejected = await world.submit("SELECT 4", { "x-engine-user": "bob" });
    expect(rejected.json["error"]).toMatchObject({ errorName: "QUERY_REJECTED", message: "Query did not match any selection rule" });
    expect((await world.submit("SELECT 5", { "x-engine-user": "al" })).json["error"]).toBeUndefined();
    const message = "Waiting for a slot: number 1 of 1 in the queue of all.of-a n; 1 of at most 1 queries of all.of-a n are running";
    expect((await world.ask("GET", `/v1/query/${id}`)).json).toMatchObject({ resourceGroupId: ["all", "of-a n"], waitMessage: message });
    for (const path of ["all/of-a%20n", "all%2Fof-a%20n"]) {
      const { json } = await world.ask("GET", `/v1/resourceGroupState/${path}`);
      expect(json).toMatchObject({ id: ["all", "of-a n"], state: "FULL", numRunningQueries: 1, numQueuedQueries: 1 });
    }
    const root = (await world.ask("GET", "/v1/resourceGroupState/all")).json;
    expect(resourceGroupSchema.parse(root)).toMatchObject({ numRunningQueries: 2, numQueuedQueries: 1, subGroups: [{}, {}] });
    expect((await world.ask("GET", "/v1/resourceGroupState/all/of-bob")).status).toBe(404);
    world.coordinator.replaceResourceGroups(groups(2));
    await settle();
    expect((await world.ask("GET", `/v1/query/${id}`)).json["state"]).not.toBe("QUEUED");
  });

  test("a query that comes before the workers waits for them", async () => {
    const world = new FakeCoordinator({ requiredWorkersMaxWaitMs: 3000 });
    const worker = world.cluster.workers;
    world.cluster.workers = [];
    const submitted = world.submit();
    await world.clock.advance(1000);
    const first = await submitted;
    expect(stateOf(first)).toBe("WAITING_FOR_RESOURCES");
    world.cluster.workers = worker;
    world.cluster.changed();
    await settle();
    world.root.finishOutput();
    expect(stateOf(await world.ask("GET", nextUri(first)))).toBe("FINISHED");
    expect(world.cluster.listenerCount).toBe(0);
  });

  test("one whose workers leave while it waits for its turn waits for them, and keeps nobody from a turn", async () => {
    const world = new FakeCoordinator({ requiredWorkersMaxWaitMs: 3000 });
    const { workers } = world.cluster;
    await Promise.all(Array.from({ length: knobs["starting-queries"].default }, () => world.submit()));
    const submitted = [world.submit(), world.submit()];
    await settle();
    world.cluster.workers = [];
    world.cluster.changed();
    await world.clock.advance(knobs["start-turn-ms"].default);
    await world.clock.advance(1000);
    const documents = await Promise.all(submitted);
    expect(documents.map(stateOf)).toEqual(["WAITING_FOR_RESOURCES", "WAITING_FOR_RESOURCES"]);
    expect((await world.ask("GET", "/v1/query?state=waiting_for_resources")).text).toContain("Waiting for workers: 0 of 1 are active");
    world.cluster.workers = workers;
    world.cluster.changed();
    await settle();
    const states = documents.map(({ json }) => world.transitions.filter((one) => one.startsWith(`query ${json["id"] as string}:`)).at(-1));
    expect(states.map((state) => state?.split(" -> ")[1])).toEqual(["RUNNING", "RUNNING"]);
    expect(world.cluster.listenerCount).toBe(0);
  });

  test("and gives up after its time", async () => {
    const world = new FakeCoordinator({ requiredWorkersMaxWaitMs: 3000 });
    world.cluster.workers = [];
    const submitted = world.submit();
    await world.clock.advance(1000);
    const first = await submitted;
    await world.clock.advance(2000);
    expect((await world.ask("GET", nextUri(first))).json["error"]).toMatchObject({
      errorName: "GENERIC_INSUFFICIENT_RESOURCES",
      message: "Insufficient active worker nodes. Waited 3.00s for at least 1 workers, but only 0 workers are active",
    });
  });

  test("and soon where the cluster has lost all its workers, but not while one of several is there", async () => {
    const world = new FakeCoordinator({ requiredWorkers: 2, requiredWorkersMaxWaitMs: 60_000, noWorkersMaxWaitMs: 2000 });
    const [worker] = world.cluster.workers;
    world.hasBeenReady = true;
    world.cluster.workers = [];
    const submitted = world.submit();
    await world.clock.advance(1000);
    const first = await submitted;
    expect(stateOf(first)).toBe("WAITING_FOR_RESOURCES");
    // A worker joins and leaves: from then on the shorter wait applies.
    world.cluster.workers = [worker as WorkerNode];
    world.cluster.changed();
    await world.clock.advance(5000);
    world.cluster.workers = [];
    world.cluster.changed();
    await settle();
    await world.clock.advance(1999);
    expect((await world.ask("GET", `/v1/query/${first.json["id"] as string}`)).json["state"]).toBe("WAITING_FOR_RESOURCES");
    await world.clock.advance(1);
    expect((await world.ask("GET", nextUri(first))).json["error"]).toMatchObject({
      errorName: "NO_NODES_AVAILABLE",
      errorType: "INTERNAL_ERROR",
      message: "No nodes available to run query",
    });
    expect(world.cluster.listenerCount).toBe(0);
    expect(world.clock.labels).not.toContain("required-workers");
  });

  test("a long text that is wrong, found while others have their turns", async () => {
    const world = new FakeCoordinator();
    world.parsing = Promise.reject(new QueryError("SYNTAX_ERROR", "mismatched input", { lineNumber: 1, columnNumber: 8 }));
    const first = await world.submit("x".repeat(70_000));
    expect(first.json["error"]).toMatchObject({ errorName: "SYNTAX_ERROR", message: "line 1:8: mismatched input" });
  });

  test("a statement that is canceled while it is parsed is not planned", async () => {
    const world = new FakeCoordinator();
    let endParsing = (): void => undefined;
    world.parsing = new Promise((resolve) => {
      endParsing = resolve;
    });
    let plans = 0;
    const { plan } = world;
    world.plan = (sql) => {
      plans++;
      return plan(sql);
    };
    const submitted = world.submit("x".repeat(70_000));
    await world.clock.advance(1000);
    const first = await submitted;
    expect(stateOf(first)).toBe("QUEUED");
    expect((await world.ask("DELETE", nextUri(first))).status).toBe(204);
    endParsing();
    await settle();
    expect(plans).toBe(0);
    expect((await world.ask("GET", `/v1/query/${first.json["id"] as string}`)).json["state"]).toBe("FAILED");
    await world.submit("x".repeat(70_000));
    expect(plans).toBe(1);
  });

  test("text that is too long", async () => {
    const world = new FakeCoordinator({ queryLengthMax: 5 });
    expect((await world.submit("SELECT 1")).json["error"]).toMatchObject({
      errorName: "QUERY_TEXT_TOO_LARGE",
      message: "Query text length (8) exceeds the maximum length (5)",
    });
  });
});

describe("statements that change the session", () => {
  test("end with one true row, the update type and the header in the same response, in the client's family", async () => {
    const world = new FakeCoordinator();
    world.plan = () =>
      Promise.resolve({
        kind: "session",
        updateType: "SET SESSION",
        change: { action: "SET_SESSION", name: "query_max_run_time", value: "1 h,x" },
      });
    const first = await world.submit("SET SESSION x = 1", { "x-presto-user": "ada" });
    expect(stateOf(first)).toBe("QUEUED");
    expect(Object.keys(first.headers).filter((name) => name.startsWith("x-presto-"))).toEqual([]);
    const last = await world.ask("GET", nextUri(first));
    expect(last.json).toMatchObject({ data: [[true]], columns: [{ name: "result", type: "boolean" }], updateType: "SET SESSION" });
    expect(last.headers["x-presto-set-session"]).toEqual(["query_max_run_time=1%20h%2Cx"]);
  });
});

describe("what is remembered", () => {
  test("old queries are forgotten beyond the history, the list can be filtered by state", async () => {
    const world = new FakeCoordinator({ historyMax: 2, expireAgeMinMs: 60_000 });
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const first = await world.submit();
      ids.push(first.json["id"] as string);
      world.root.finishOutput();
      await settle();
      await world.ask("GET", nextUri(first));
    }
    const list = async (filter: string) => JSON.parse((await world.ask("GET", `/v1/query${filter}`)).text) as { queryId: string }[];
    expect((await list("")).length).toBe(4);
    expect((await list("?state=running")).length).toBe(0);
    await world.clock.advance(60_000);
    expect((await list("?state=FINISHED")).map((query) => query.queryId)).toEqual(ids.slice(2));
    expect((await world.ask("GET", `/v1/query/${ids[0]}`)).status).toBe(410);
    expect(world.clock.labels).toEqual([]);
  });

  test("a query whose client is still to come for rows is kept, however many end after it", async () => {
    const world = new FakeCoordinator({ historyMax: 1, expireAgeMinMs: 0, clientTimeoutMs: 300_000 });
    const slow = await world.submit();
    world.root.finishOutput();
    await settle();
    const cancelled = await world.submit();
    await world.ask("DELETE", nextUri(cancelled));
    for (let count = 0; count < 5; count++) {
      const first = await world.submit();
      world.root.finishOutput();
      await settle();
      await world.ask("GET", nextUri(first));
    }
    const ids = async () => (JSON.parse((await world.ask("GET", "/v1/query")).text) as { queryId: string }[]).map(({ queryId }) => queryId);
    expect(await ids()).toHaveLength(2);
    expect(await ids()).toContain(slow.json["id"]);
    expect((await world.ask("GET", nextUri(slow))).status).toBe(200);
    expect(await ids()).not.toContain(slow.json["id"]);
    const left = await world.submit();
    world.root.finishOutput();
    await settle();
    await world.clock.advance(300_000);
    expect((await world.ask("GET", nextUri(left))).status).toBe(410);
    expect(world.clock.labels).toEqual([]);
  });
});
