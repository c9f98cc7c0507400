import { frameRowCount } from "../../../sim/checkers/protocol/frames.ts";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import type { Headers, HttpMethod, HttpResponse } from "../../../src/ports/network.ts";
import { noPoints } from "../../../src/ports/points.ts";
import { encodePage, splitFrames } from "../../../src/page/serde.ts";
import { findDocument } from "../../../src/protocol/documents/documents.ts";
import { bareRequest, createRouter, jsonRequest, responseText, type Router } from "../../../src/protocol/http/http.ts";
import type { PipelineDocument, TaskDocument } from "../../../src/protocol/documents/task.ts";
import { distribution } from "../../../src/worker/distribution.ts";
import { QueryMemories } from "../../../src/worker/query-memories.ts";
import { TaskRegistry } from "../../../src/worker/task-registry.ts";
import { taskRoutes } from "../../../src/worker/task-resource.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";
import { contextOf, Hosts, portsOf } from "./fakes.ts";
import { FakeExecution } from "./fake-execution.ts";
import { partialResultWarning } from "../../../src/protocol/documents/warnings.ts";

const taskId = "20140115_170528_00004_dk5x2.1.0";
const minute = 60_000;

const fragment = {
  id: 1,
  root: { kind: "values" },
  partitioning: "SINGLE",
  scanIds: [],
  outputTypes: [{ kind: "bigint" }],
  outputPartitioning: { kind: "SINGLE" },
};

function update(
  options: { readonly withFragment?: boolean; readonly sequenceIds?: readonly number[]; readonly noMoreSplits?: boolean } = {},
) {
  const split = { kind: "remote", location: "http://w:1/v1/task/q.2.0/results/0", fragmentId: 2 };
  const splits = (options.sequenceIds ?? []).map((sequenceId) => ({ sequenceId, split }));
  return {
    session: { user: "ada", timeZone: "UTC", startMillis: 1_400_000_000_000, properties: {} },
    ...(options.withFragment === false ? {} : { fragment }),
    sources: splits.length === 0 ? [] : [{ planNodeId: "8", splits, noMoreSplits: options.noMoreSplits ?? false }],
    outputIds: { kind: "PARTITIONED", bufferCount: 1 },
  };
}

let clock: ManualClock;
let created: FakeExecution[];
let registry: TaskRegistry;
let queryMemory: MemoryContext;
let memories: QueryMemories;
let emptied: number;
let router: Router;

beforeEach(() => {
  clock = new ManualClock();
  created = [];
  queryMemory = createNodeMemory({ sizeBytes: 1024 * 1024 }).root.child("queries");
  memories = new QueryMemories({ ports: { clock, points: noPoints }, parent: queryMemory, bytesMax: 1000, onEmpty: () => emptied++ });
  emptied = 0;
  registry = new TaskRegistry({
    ports: portsOf(clock, new Hosts(clock).network("http://worker:1")),
    config: { clientTimeoutMs: 2 * minute, infoAgeMaxMs: 15 * minute, tasksMax: 4 },
    memories,
    createTask: (options) => {
      const execution = new FakeExecution(options);
      created.push(execution);
      return execution;
    },
  });
  const selfUri = (): string => "http://worker:1";
  const options = { clock, points: noPoints, nodeId: "worker-1", incarnation: "second", selfUri, registry, responseBytesMax: 1000 };
  router = createRouter(taskRoutes(options), {
    onUnexpected: (error) => {
      throw error;
    },
  });
});

async function ask(method: HttpMethod, url: string, headers: Headers = {}): Promise<HttpResponse> {
  return checked(method, url, await router.handle(bareRequest(method, url, headers), contextOf("http://worker:1")));
}

async function post(id: string, body: unknown, headers: Headers = {}): Promise<HttpResponse> {
  const url = `/v1/task/${id}`;
  const request = jsonRequest("POST", url, body);
  return checked(
    "POST",
    url,
    await router.handle({ ...request, headers: { ...request.headers, ...headers } }, contextOf("http://worker:1")),
  );
}

/** Checks every JSON response with status 200 against its schema. */
function checked(method: HttpMethod, url: string, response: HttpResponse): HttpResponse {
  if (response.status === 200 && response.headers["content-type"] === "application/json") {
    findDocument(method, url, "response")?.schema.parse(JSON.parse(responseText(response)));
  }
  return response;
}

function json(response: HttpResponse): unknown {
  expect(response.status).toBe(200);
  return JSON.parse(responseText(response));
}

/** The members that a full document shares with a status, and the rest of it. */
function document(response: HttpResponse | undefined): TaskDocument {
  return json(response as HttpResponse) as TaskDocument;
}

describe("the task resource", () => {
  it("distinguishes tasks of two incarnations of a coordinator with the same client-chosen query id", async () => {
    const asked = async (incarnation: string, sequenceId = 0): Promise<number> =>
      (await post(taskId, update({ sequenceIds: [sequenceId] }), incarnation === "" ? {} : { "x-engine-coordinator-life": incarnation }))
        .status;
    expect(await asked("first")).toBe(200);
    expect(await asked("first", 1)).toBe(200);
    expect(await asked("second")).toBe(410);
    // A coordinator whose build does not send its incarnation.
    expect(await asked("")).toBe(200);
    expect(registry.taskCount).toBe(1);
  });

  it("answers an update with the status of the task if its sender asks for no more", async () => {
    const asked = { ...jsonRequest("POST", `/v1/task/${taskId}`, update()), headers: { "x-engine-task-answer": "status" } };
    const answered = json(await router.handle(asked, contextOf("http://worker:1")));
    expect(answered).toEqual(json(await ask("GET", `/v1/task/${taskId}/status`)));
    expect(document(await post(taskId, update()))).toMatchObject({ taskStatus: answered, stats: {}, outputBuffers: {} });
  });

  it("creates no task that is meant for another incarnation of its node", async () => {
    expect((await post(taskId, update(), { "x-engine-node-life": "first" })).status).toBe(412);
    expect(registry.taskCount).toBe(0);
    // A coordinator whose build sends no node incarnation, and one that does not know it yet.
    expect((await post("20140115_170528_00004_dk5x2.1.1", update(), { "x-engine-node-life": "" })).status).toBe(200);
    expect((await post("20140115_170528_00004_dk5x2.1.2", update())).status).toBe(200);
    expect((await post(taskId, update(), { "x-engine-node-life": "second" })).status).toBe(200);
    // An existing task also refuses splits for another incarnation.
    expect((await post(taskId, update({ sequenceIds: [0] }), { "x-engine-node-life": "first" })).status).toBe(412);
    expect(registry.taskCount).toBe(3);
  });

  it("says that it is leaving when it takes no more tasks, and that a node that is only full is not", async () => {
    for (const number of [0, 1, 2, 3]) {
      expect((await post(`20140115_170528_00004_dk5x2.1.${number}`, update())).status).toBe(200);
    }
    const full = await post("20140115_170528_00004_dk5x2.1.4", update());
    expect([full.status, full.headers["x-engine-node-state"]]).toEqual([503, undefined]);
    registry.refuseNew();
    const leaving = await post("20140115_170528_00004_dk5x2.1.4", update());
    expect([leaving.status, leaving.headers["x-engine-node-state"]]).toEqual([503, "SHUTTING_DOWN"]);
  });

  it("creates a task and shows it as the interface has it", async () => {
    const made = document(await post(taskId, update({ sequenceIds: [0, 1], noMoreSplits: true })));
    expect(made).toMatchObject({
      taskId,
      state: "RUNNING",
      self: `http://worker:1/v1/task/${taskId}`,
      lastHeartbeat: "2014-05-13T16:53:20.000Z",
      outputBuffers: { state: "NO_MORE_BUFFERS", masterSequenceId: 0, pagesAdded: 3 },
      noMoreSplits: ["8"],
      stats: { elapsedTime: "5.00ms", memoryReservation: "174.76kB", totalBlockedTime: "1.32m", rawInputDataSize: "174.76kB" },
      failures: [],
      outputs: {},
    });
    const pipeline = made.stats.pipelines[0] as PipelineDocument;
    expect(pipeline.queuedTime).toMatchObject({ count: 3, total: 6, p50: 2, p99: 3, min: 1, max: 3 });
    expect(pipeline.elapsedTime).toMatchObject({ count: 0, max: 0 });
    expect(pipeline.operatorSummaries.map((operator) => operator.operatorType)).toEqual(["ExchangeOperator", "TaskOutputOperator"]);
    expect(pipeline.operatorSummaries[0]?.info?.pageBufferClientStatuses[0]).toMatchObject({
      state: "running",
      lastUpdate: "2014-05-13T16:53:20.002Z",
    });
    expect(document(await ask("GET", `/v1/task/${taskId}`)).taskId).toBe(taskId);
    expect(json(await ask("GET", "/v1/task"))).toHaveLength(1);
  });

  it("takes a repeated request as one: the task is made once", async () => {
    await post(taskId, update({ sequenceIds: [0] }));
    await post(taskId, update({ sequenceIds: [0] }));
    await post(taskId, update({ withFragment: false, sequenceIds: [1], noMoreSplits: true }));
    expect(created).toHaveLength(1);
    // The execution decides which splits are new.
    expect(created[0]?.splits.map(([, sequenceId]) => sequenceId)).toEqual([0, 0, 1]);
    expect(created[0]?.noMoreSplits).toEqual(["8"]);
  });

  it("checks at the door", async () => {
    expect((await post("nonsense", update())).status).toBe(400);
    expect((await post(taskId, { ...update(), outputIds: { kind: "PARTITIONED", bufferCount: 0 } })).status).toBe(400);
    expect((await post(taskId, update({ withFragment: false }))).status).toBe(404);
    expect(
      (await router.handle({ ...bareRequest("POST", `/v1/task/${taskId}`), body: Uint8Array.from([0x7b]) }, contextOf(""))).status,
    ).toBe(400);
    expect(created).toHaveLength(0);
    expect(memories.count).toBe(0);
  });

  it("answers 404 for tasks that were never created, and does not create them", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/status"],
      ["DELETE", ""],
      ["GET", "/results/0/0"],
      ["GET", "/results/0/0/acknowledge"],
      ["DELETE", "/results/0"],
    ] as const) {
      expect((await ask(method, `/v1/task/${taskId}${path}`)).status, path).toBe(404);
    }
    expect(json(await ask("GET", "/v1/task"))).toEqual([]);
  });

  it("deletes with the final document; afterwards the task is gone and late requests do not bring it back", async () => {
    await post(taskId, update());
    expect(document(await ask("DELETE", `/v1/task/${taskId}?abort=false`)).state).toBe("CANCELED");
    expect((await ask("GET", `/v1/task/${taskId}`)).status).toBe(404);
    expect(json(await ask("GET", "/v1/task"))).toEqual([]);
    expect((await post(taskId, update())).status).toBe(410);
    expect(registry.liveCount).toBe(0);
    expect(clock.labels).toEqual([]);
  });

  it("lets a deletion win over the creation that it overtook", async () => {
    expect((await ask("DELETE", `/v1/task/${taskId}`)).status).toBe(404);
    expect((await post(taskId, update())).status).toBe(410);
    expect(created).toHaveLength(0);
  });

  it("aborts unless told to cancel, and keeps the state of a task that had ended", async () => {
    await post(taskId, update());
    expect(document(await ask("DELETE", `/v1/task/${taskId}`)).state).toBe("ABORTED");
    const other = taskId.replace(".0", ".1");
    await post(other, update());
    created[1]?.to("FINISHED");
    expect(document(await ask("DELETE", `/v1/task/${other}`)).state).toBe("FINISHED");
  });

  it("gives pages with the four headers, and 204 when there are none", async () => {
    await post(taskId, update());
    const execution = created[0] as FakeExecution;
    const frames = [1, 2].map((rows) => encodePage(queryMemory.linear, { positionCount: rows, selection: 0, columns: [] }));
    execution.nextResult = { token: 4, nextToken: 6, complete: false, frames };
    const pages = await ask("GET", `/v1/task/${taskId}/results/0/4`, { "x-engine-max-size": "16MB", "x-engine-max-wait": "1s" });
    expect(pages.status).toBe(200);
    expect(pages.headers).toMatchObject({
      "content-type": "application/x-engine-pages",
      "x-engine-task-instance-id": registry.find(taskId)?.instanceId,
      "x-engine-page-sequence-id": "4",
      "x-engine-page-end-sequence-id": "6",
      "x-engine-buffer-complete": "false",
    });
    expect(splitFrames(pages.body).map(frameRowCount)).toEqual([1, 2]);
    // The answer has a copy.
    expect(() => frames[0]?.bytes).toThrow("read after it was freed");
    expect(execution.reads).toEqual([{ bufferId: 0, token: 4, bytesMax: 16 * 1024 * 1024, waitMs: 1000 }]);
    execution.nextResult = { token: 6, nextToken: 6, complete: true, frames: [] };
    const end = await ask("GET", `/v1/task/${taskId}/results/0/6`);
    expect([end.status, end.headers["x-engine-buffer-complete"], end.body.length]).toEqual([204, "true", 0]);
    expect((await ask("GET", `/v1/task/${taskId}/results/0/6/acknowledge`)).status).toBe(204);
    expect((await ask("DELETE", `/v1/task/${taskId}/results/0`)).status).toBe(204);
    expect(execution.calls).toEqual(["acknowledge 0 6", "destroy 0"]);
    expect((await ask("GET", `/v1/task/${taskId}/results/0/-1`)).status).toBe(400);
    expect((await ask("GET", `/v1/task/${taskId}/results/0/0`, { "x-engine-max-size": "lots" })).status).toBe(400);
  });
});

describe("long polls", () => {
  const headers = { "x-engine-current-version": "1", "x-engine-max-wait": "1s" };

  it("answer at the next change", async () => {
    await post(taskId, update());
    let answer: HttpResponse | undefined;
    void ask("GET", `/v1/task/${taskId}/status`, headers).then((response) => (answer = response));
    await settle();
    expect(answer).toBeUndefined();
    created[0]?.changed();
    await settle();
    expect(document(answer)).toMatchObject({ version: 2, state: "RUNNING" });
    expect(clock.labels).toEqual(["task-housekeeping"]);
    expect(created[0]?.watchers).toBe(1);
  });

  it("answer when their time is over, and at once when the caller is behind or the task has ended", async () => {
    await post(taskId, update());
    let answer: HttpResponse | undefined;
    void ask("GET", `/v1/task/${taskId}`, headers).then((response) => (answer = response));
    await clock.advance(999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    expect(document(answer).version).toBe(1);
    expect(document(await ask("GET", `/v1/task/${taskId}/status`, { ...headers, "x-engine-current-version": "0" })).version).toBe(1);
    created[0]?.to("FINISHED");
    expect(document(await ask("GET", `/v1/task/${taskId}/status`, { ...headers, "x-engine-current-version": "99" })).state).toBe(
      "FINISHED",
    );
  });

  it("wait for another state when asked by state", async () => {
    await post(taskId, update());
    let answer: HttpResponse | undefined;
    const byState = { "x-engine-current-state": "RUNNING", "x-engine-max-wait": "1s" };
    void ask("GET", `/v1/task/${taskId}`, byState).then((response) => (answer = response));
    created[0]?.changed();
    await settle();
    expect(answer).toBeUndefined();
    created[0]?.to("FLUSHING");
    await settle();
    expect(document(answer).state).toBe("FLUSHING");
  });

  it("answer with the end when the task is deleted meanwhile", async () => {
    await post(taskId, update());
    let answer: HttpResponse | undefined;
    void ask("GET", `/v1/task/${taskId}/status`, headers).then((response) => (answer = response));
    await settle();
    await ask("DELETE", `/v1/task/${taskId}`);
    await settle();
    expect(document(answer).state).toBe("ABORTED");
  });
});

describe("the registry", () => {
  it("abandons a task without requests for its status; reading its pages does not count", async () => {
    await post(taskId, update());
    for (let turn = 0; turn < 3; turn++) {
      await clock.advance(30_000);
      await ask("GET", `/v1/task/${taskId}/status`);
    }
    for (let turn = 0; turn < 4; turn++) {
      await ask("GET", `/v1/task/${taskId}/results/0/0`);
      await clock.advance(30_000);
    }
    expect(created[0]?.state).toBe("FAILED");
    expect(created[0]?.failures[0]).toEqual({
      errorName: "ABANDONED_TASK",
      message: `Task ${taskId} has not been accessed since 2014-05-13T16:54:50.000Z`,
    });
  });

  it("evicts an ended task that was not deleted, and then holds no timer", async () => {
    await post(taskId, update());
    created[0]?.to("FINISHED");
    await clock.advance(14 * minute);
    expect(registry.taskCount).toBe(1);
    await clock.advance(2 * minute);
    expect([registry.taskCount, clock.labels.length]).toEqual([0, 0]);
    expect((await post(taskId, update())).status).toBe(410);
  });

  it("gives the tasks of a query one memory and takes it back with the last of them", async () => {
    const sibling = taskId.replace(".1.0", ".2.0");
    await post(taskId, update());
    await post(sibling, update());
    expect([memories.count, queryMemory.reservedBytes]).toEqual([1, 200]);
    created[0]?.to("FAILED");
    expect([memories.count, queryMemory.reservedBytes]).toEqual([1, 100]);
    await ask("DELETE", `/v1/task/${sibling}`);
    expect([memories.count, queryMemory.reservedBytes]).toEqual([0, 0]);
    // A stage that is scheduled later creates it again.
    await post(taskId.replace(".1.0", ".3.0"), update());
    expect([memories.count, queryMemory.reservedBytes]).toEqual([1, 100]);
    expect(emptied).toBe(1);
  });

  it("charges what the coordinator keeps of a query to the same memory, and its limit to both", async () => {
    const queryId = taskId.split(".", 1)[0] as string;
    const results = memories.enter(queryId).child("result rows");
    results.reserve(850);
    await post(taskId, update());
    expect(memories.uses()).toEqual([{ queryId, reservedBytes: 950, holders: 2 }]);
    expect(() => results.reserve(100)).toThrow("memory limit of query exceeded: 1000B");
    created[0]?.to("FAILED");
    expect(memories.uses()).toEqual([{ queryId, reservedBytes: 850, holders: 1 }]);
    memories.leave(queryId);
    expect([memories.count, queryMemory.reservedBytes, emptied]).toEqual([0, 0, 1]);
  });

  it("has a bound, and takes nothing new while it shuts down", async () => {
    for (let task = 0; task < 4; task++) {
      expect((await post(`q.1.${task}`, update())).status).toBe(200);
    }
    const refused = await post("q.1.4", update());
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    let idle = false;
    registry.whenIdle("live", () => (idle = true));
    registry.refuseNew();
    await ask("DELETE", "/v1/task/q.1.0");
    expect((await post("q.1.9", update())).status).toBe(503);
    registry.failAll("SERVER_SHUTTING_DOWN", "Server is shutting down");
    expect(idle).toBe(true);
    registry.close();
    expect([registry.taskCount, memories.count, clock.labels.length]).toEqual([0, 0, 0]);
  });
});

describe("distributions", () => {
  it("have quantiles that are samples in order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), (samples) => {
        const { p01, p05, p10, p25, p50, p75, p90, p95, p99, min, max, count, total } = distribution(samples);
        const quantiles = [min, p01, p05, p10, p25, p50, p75, p90, p95, p99, max];
        expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b));
        expect(quantiles.every((quantile) => samples.includes(quantile))).toBe(true);
        expect([count, total]).toEqual([samples.length, samples.reduce((sum, sample) => sum + sample, 0)]);
        expect(samples.filter((sample) => sample <= p50).length * 2).toBeGreaterThanOrEqual(samples.length);
      }),
    );
  });
});

describe("dynamic filters of tasks", () => {
  const keys = { kind: "INTEGERS", low: "-3", high: "9", values: ["-3", "9"] };

  it("come with an update, which creates no task and may come again, and are in no document of a task that tells none", async () => {
    const filters = { ...update({ withFragment: false }), dynamicFilterDomains: { df_1: keys } };
    expect((await post(taskId, filters)).status).toBe(404);
    expect(responseText(await post(taskId, update()))).not.toContain("dynamicFilter");
    expect((await post(taskId, filters)).status).toBe(200);
    expect((await post(taskId, filters)).status).toBe(200);
    expect(created).toHaveLength(1);
    expect(created[0]?.givenFilters).toEqual([{ df_1: keys }, { df_1: keys }]);
  });

  it("are rejected if invalid", async () => {
    await post(taskId, update());
    for (const domain of [{ kind: "INTEGERS", low: "1e3", high: "9" }, { kind: "SOME" }, { kind: "TEXTS", values: [1] }, null]) {
      const body = { ...update({ withFragment: false }), dynamicFilterDomains: { df_1: domain } };
      expect((await router.handle(jsonRequest("POST", `/v1/task/${taskId}`, body as never), contextOf(""))).status).toBe(400);
    }
    expect(created[0]?.givenFilters).toEqual([]);
  });

  it("reported by a task are in its status, and wake long polls", async () => {
    await post(taskId, update());
    const [execution] = created as [FakeExecution];
    execution.dynamicFilters = {};
    const waiting = ask("GET", `/v1/task/${taskId}/status`, { "x-engine-current-version": "1", "x-engine-max-wait": "1s" });
    await settle();
    execution.dynamicFilters = { df_1: { kind: "NONE" } };
    execution.changed();
    expect(JSON.parse(responseText(await waiting))).toMatchObject({ dynamicFilters: { df_1: { kind: "NONE" } } });
  });
});

it("a task's warnings are in its status and in its document", async () => {
  await post(taskId, update());
  const [execution] = created as [FakeExecution];
  const document = async (path: string): Promise<unknown> => JSON.parse(responseText(await ask("GET", path))) as unknown;
  expect(await document(`/v1/task/${taskId}/status`)).not.toHaveProperty("warnings");
  execution.warnings = [partialResultWarning("half")];
  const warnings = [{ warningCode: { code: 6, name: "PARTIAL_RESULT_WARNING" }, message: "half" }];
  expect(await document(`/v1/task/${taskId}/status`)).toMatchObject({ warnings });
  expect(await document(`/v1/task/${taskId}`)).toMatchObject({ taskStatus: { warnings } });
});

describe("a task that is promised to a reader", () => {
  const promised = { "x-engine-task-promised": "true", "x-engine-max-wait": "1s" };
  const results = `/v1/task/${taskId}/results/0/0`;

  it("is waited for, and read as soon as it is there", async () => {
    const reading = [ask("GET", results, promised), ask("DELETE", `/v1/task/${taskId}/results/0`, promised)];
    await settle();
    expect(created).toEqual([]);
    await post(taskId, update());
    const [read, closed] = await Promise.all(reading);
    expect([read?.status, read?.headers["x-engine-task-instance-id"], closed?.status]).toEqual([
      204,
      registry.find(taskId)?.instanceId,
      204,
    ]);
  });

  it("is 503 after the wait, so that the reader asks again, and 404 once it is deleted", async () => {
    const early = ask("GET", results, promised);
    await settle();
    await clock.advance(1000);
    expect((await early).status).toBe(503);
    const late = ask("GET", results, promised);
    await settle();
    expect((await ask("DELETE", `/v1/task/${taskId}`)).status).toBe(404);
    expect((await late).status).toBe(404);
    expect((await ask("GET", results, promised)).status).toBe(404);
  });

  it("is 404 at once without the promise: nobody is going to create it", async () => {
    expect((await ask("GET", results)).status).toBe(404);
  });

  it("is not waited for on a node that takes no more tasks", async () => {
    const waiting = ask("GET", results, promised);
    await settle();
    registry.refuseNew();
    expect((await waiting).status).toBe(503);
    expect((await ask("GET", results, promised)).status).toBe(503);
  });
});
