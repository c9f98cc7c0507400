import { beforeEach, describe, expect, it, vi } from "vitest";
import { nodeConfig, type NodeConfig } from "../../../src/config.ts";
import type { ConnectorContext, ConnectorFactory, Json } from "../../../src/connectors/spi.ts";
import { createNode, type NodeOptions, type OrreryNode } from "../../../src/node.ts";
import type { HttpMethod, HttpResponse } from "../../../src/ports/network.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { findDocument } from "../../../src/protocol/documents/documents.ts";
import { bareRequest, jsonRequest, responseText } from "../../../src/protocol/http/http.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";
import { contextOf, countingRandom, Hosts, portsOf } from "./fakes.ts";
import { FakeExecution } from "./fake-execution.ts";

const execution = vi.hoisted(() => ({ tasks: [] as unknown[] }));
// Building a node does not require the SQL planner.
vi.mock("../../../src/coordinator/query/sql-planner.ts", () => ({ createSqlPlanner: undefined }));
vi.mock("../../../src/execution/task/task.ts", () => ({
  createTask: (_services: unknown, _executor: unknown, options: ConstructorParameters<typeof FakeExecution>[0]) => {
    const task = new FakeExecution(options);
    execution.tasks.push(task);
    return task;
  },
}));

const coordinatorUri = "http://coordinator:1";
let clock: ManualClock;
let hosts: Hosts;
let lives: number;
let contexts: Map<string, ConnectorContext>;

beforeEach(() => {
  clock = new ManualClock();
  hosts = new Hosts(clock);
  lives = 0;
  contexts = new Map();
  execution.tasks.length = 0;
});

const echo: ConnectorFactory = {
  name: "echo",
  properties: ["echo.word"],
  create: (properties, context) => {
    contexts.set(context.nodeId, context);
    return {
      metadata: { listSchemas: async () => [], listTables: async () => [], getTable: async () => undefined },
      getSplits: async () => [],
      createPageSource: () => {
        throw new Error("it has no tables");
      },
      handleCall: async (request) => {
        if (request === "fail") {
          throw new QueryError("TABLE_NOT_FOUND", "Table 'echo.a.b' does not exist");
        }
        return { node: context.nodeId, word: properties["echo.word"] ?? "", request } as Json;
      },
    };
  },
};

const options: NodeOptions = {
  factories: [echo],
  planner: () => ({
    prepare: () => {
      throw new QueryError("NOT_SUPPORTED", "no statements here");
    },
  }),
};

async function start(nodeId: string, role: NodeConfig["role"], properties: Record<string, string> = {}): Promise<OrreryNode> {
  lives += 1;
  const identity = {
    nodeId,
    role,
    catalogs: [{ name: "echo", properties: { "connector.name": "echo", "echo.word": nodeId } }],
    ...(role === "worker" ? { discoveryUri: coordinatorUri } : {}),
  };
  const config = nodeConfig(identity, { "node.memory": "1MB", ...properties });
  const node = await createNode(config, portsOf(clock, hosts.network(`http://${nodeId}:1`), countingRandom(lives)), options);
  await settle();
  return node;
}

async function ask(node: OrreryNode, method: HttpMethod, url: string, body?: unknown): Promise<HttpResponse> {
  const request = body === undefined ? bareRequest(method, url) : jsonRequest(method, url, body);
  const response = await node.handle(request, contextOf(node.selfUri));
  if (response.status === 200 && response.headers["content-type"] === "application/json" && response.body.length > 0) {
    findDocument(method, url, "response")?.schema.parse(JSON.parse(responseText(response)));
  }
  return response;
}

async function json(node: OrreryNode, url: string): Promise<unknown> {
  return JSON.parse(responseText(await ask(node, "GET", url)));
}

const taskUpdate = {
  session: { user: "ada", timeZone: "UTC", startMillis: 0, properties: {} },
  fragment: {
    id: 1,
    root: { kind: "Values", id: "0", rows: [], outputs: [] },
    partitioning: "SINGLE",
    scanIds: [],
    outputTypes: [],
    outputPartitioning: { kind: "SINGLE" },
  },
  sources: [],
  outputIds: { kind: "PARTITIONED", bufferCount: 1 },
};

describe("a cluster", () => {
  it("is ready when its worker is", async () => {
    const coordinator = await start("coordinator", "coordinator");
    expect(await json(coordinator, "/v1/info")).toMatchObject({ coordinator: true, starting: true });
    expect((await ask(coordinator, "GET", "/readyz")).status).toBe(503);
    const worker = await start("worker-1", "worker");
    await Promise.all([coordinator.ready(), worker.ready()]);
    expect(await json(coordinator, "/v1/info")).toMatchObject({ starting: false, uptime: "0.00ns" });
    expect(await json(worker, "/v1/info")).toMatchObject({ coordinator: false, starting: false });
    expect((await ask(coordinator, "GET", "/readyz")).status).toBe(200);
    expect((await ask(coordinator, "GET", "/v1/info/coordinator")).status).toBe(200);
    expect((await ask(worker, "GET", "/v1/info/coordinator")).status).toBe(404);
    expect(coordinator.cluster?.activeWorkers()).toMatchObject([
      { nodeId: "worker-1", uri: "http://worker-1:1", incarnation: worker.incarnation },
    ]);
    expect(await json(worker, "/v1/node")).toEqual([]);
    expect(await json(worker, "/v1/task")).toEqual([]);
    expect((await ask(worker, "POST", "/v1/statement", "SELECT 1")).status).toBe(404);
    expect((await ask(worker, "HEAD", "/v1/status")).headers).toMatchObject({
      "x-engine-node-state": "ACTIVE",
      "x-engine-node-life": worker.incarnation,
    });
    await json(coordinator, "/v1/status");
    for (const node of [coordinator, worker]) {
      expect(Object.values(node.leftovers()).every((left) => left === 0)).toBe(true);
    }
  });

  it("can be one node", async () => {
    const node = await start("coordinator", "both");
    expect(node.isReady).toBe(true);
    expect(node.cluster?.activeWorkers()).toMatchObject([{ nodeId: "coordinator", uri: coordinatorUri, incarnation: node.incarnation }]);
  });

  it("forms whoever starts first, and again after the coordinator was lost", async () => {
    const worker = await start("worker-1", "worker");
    expect(worker.isReady).toBe(false);
    const first = await start("coordinator", "coordinator");
    await clock.advance(1000);
    expect([worker.isReady, first.isReady]).toEqual([true, true]);
    await first.close();
    await clock.advance(20_000);
    const second = await start("coordinator", "coordinator");
    await clock.advance(1000);
    expect(second.isReady).toBe(true);
  });

  it("lets the instances of a catalog call each other", async () => {
    const coordinator = await start("coordinator", "coordinator");
    await start("worker-1", "worker");
    await start("worker-2", "worker");
    const call = (from: string, to: string, request: Json): Promise<Json> => (contexts.get(from) as ConnectorContext).callNode(to, request);
    expect(await call("coordinator", "worker-1", { a: [1] })).toEqual({ node: "worker-1", word: "worker-1", request: { a: [1] } });
    expect(await call("worker-2", "worker-2", null)).toMatchObject({ node: "worker-2" });
    // Worker 2 joined after the last announcement of worker 1.
    expect(await call("worker-1", "worker-2", 7)).toMatchObject({ node: "worker-2", request: 7 });
    await expect(call("worker-1", "coordinator", "fail")).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
    await expect(call("coordinator", "worker-9", 1)).rejects.toMatchObject({ errorName: "REMOTE_HOST_GONE" });
    expect((await ask(coordinator, "POST", "/v1/catalog/nothing/call", {})).status).toBe(404);
    expect(contexts.get("coordinator")?.workerNodes()).toEqual(["worker-1", "worker-2"]);
    await clock.advance(5000);
    expect(contexts.get("worker-1")?.workerNodes()).toEqual(["worker-1", "worker-2"]);
  });
});

describe("a worker that is told to shut down", () => {
  it("is no longer used at once, finishes its tasks, leaves and closes", async () => {
    const coordinator = await start("coordinator", "coordinator");
    const worker = await start("worker-1", "worker");
    await ask(worker, "POST", "/v1/task/q.1.0", taskUpdate);
    let closed = false;
    void worker.closed.then(() => (closed = true));
    expect((await ask(worker, "PUT", "/v1/info/state", "SHUTTING_DOWN")).status).toBe(200);
    expect((await ask(worker, "PUT", "/v1/info/state", "SHUTTING_DOWN")).status).toBe(200);
    await settle();
    expect(await json(worker, "/v1/info/state")).toBe("SHUTTING_DOWN");
    expect(coordinator.cluster?.activeWorkers()).toEqual([]);
    // Tasks of a query that was being scheduled still arrive.
    expect((await ask(worker, "POST", "/v1/task/q.2.0", taskUpdate)).status).toBe(200);
    await clock.advance(1000);
    expect((await ask(worker, "POST", "/v1/task/q.3.0", taskUpdate)).status).toBe(503);
    await clock.advance(20_000);
    expect(closed).toBe(false);
    (execution.tasks as FakeExecution[]).forEach((task) => task.to("FINISHED"));
    await settle();
    expect((await ask(worker, "DELETE", "/v1/task/q.1.0")).status).toBe(200);
    expect((await ask(worker, "DELETE", "/v1/task/q.2.0")).status).toBe(200);
    await settle();
    expect(closed).toBe(true);
    expect(coordinator.cluster?.isGone("http://worker-1:1")).toBe(true);
    expect(hosts.handlers.has("http://worker-1:1")).toBe(false);
  });

  it("fails what does not end within the grace", async () => {
    await start("coordinator", "coordinator");
    const worker = await start("worker-1", "worker");
    await ask(worker, "POST", "/v1/task/q.1.0", taskUpdate);
    const done = worker.shutdown({ graceMs: 10_000 });
    await clock.advance(12_000);
    await done;
    const [task] = execution.tasks as FakeExecution[];
    expect(task?.failures).toEqual([{ errorName: "SERVER_SHUTTING_DOWN", message: "Server is shutting down" }]);
    expect(clock.labels.filter((label) => label !== "heartbeat" && label !== "announcement-expiry")).toEqual(["node-expiry"]);
  });

  it("goes on with a coordinator that is not there", async () => {
    const worker = await start("worker-1", "worker");
    const done = worker.shutdown({ graceMs: 1000 });
    await clock.advance(3000);
    await done;
    expect(clock.labels).toEqual([]);
  });

  it("refuses other states, and a coordinator refuses to leave", async () => {
    const coordinator = await start("coordinator", "coordinator");
    const worker = await start("worker-1", "worker");
    const refused = await ask(worker, "PUT", "/v1/info/state", "ACTIVE");
    expect([refused.status, responseText(refused)]).toEqual([400, "Invalid state transition to ACTIVE"]);
    expect((await ask(coordinator, "PUT", "/v1/info/state", "SHUTTING_DOWN")).status).toBe(400);
    expect((await ask(worker, "PUT", "/v1/info/state", "BORED")).status).toBe(400);
  });
});

describe("a node that ends", () => {
  it("leaves nothing: no timer, no task, no memory", async () => {
    const coordinator = await start("coordinator", "coordinator");
    const worker = await start("worker-1", "worker");
    await ask(worker, "POST", "/v1/task/q.1.0", taskUpdate);
    await worker.close();
    await worker.close();
    await coordinator.shutdown({ graceMs: 1000 });
    await settle();
    expect(clock.labels).toEqual([]);
    expect(worker.leftovers()).toEqual({
      partsToCopy: 0,
      queries: 0,
      tasks: 0,
      liveTasks: 0,
      bufferedPages: 0,
      spooledBytes: 0,
      queryMemories: 0,
      reservedBytes: 0,
      timers: 0,
      frameBytes: 0,
    });
  });

  it("takes no statement while it shuts down", async () => {
    const coordinator = await start("coordinator", "both");
    void coordinator.shutdown({ graceMs: 1000 });
    const refused = await ask(coordinator, "POST", "/v1/statement", "SELECT 1");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  });
});

describe("configuration", () => {
  it("is Presto's defaults and what is given", () => {
    const config = nodeConfig(
      { nodeId: "n", catalogs: [] },
      { "query.client.timeout": "30s", coordinator: "false", "discovery.uri": "http://c:1/" },
    );
    expect(config).toMatchObject({ role: "worker", discoveryUri: "http://c:1", memoryBytes: 2 * 1024 ** 3, environment: "production" });
    expect(config.queryMemoryPerNodeBytesMax).toBe(1024 ** 3);
    expect(config.coordinator.clientTimeoutMs).toBe(30_000);
    expect(config.execution).toMatchObject({ sliceNanosMax: 20e6, outputBufferBytesMax: 32 * 1024 ** 2 });
    expect(config.failureDetector.threshold).toBe(0.1);
    expect(nodeConfig({ nodeId: "n", catalogs: [] }, { "node-scheduler.include-coordinator": "true" }).role).toBe("both");
  });

  it("names the property that is wrong", () => {
    const message = (given: Record<string, string>): string => {
      try {
        nodeConfig({ nodeId: "n", catalogs: [] }, given);
      } catch (error) {
        return (error as Error).message;
      }
      return "";
    };
    expect(message({ "node.memory": "lots" })).toBe(
      "Invalid value 'lots' for property 'node.memory': expected a data size such as 512MB or 2GB",
    );
    expect(message({ "query.max-run-time": "5" })).toContain("expected a duration");
    expect(message({ coordinator: "yes" })).toContain("expected true or false");
    expect(message({ "node.kernel-backend": "magic" })).toContain("expected wasm or interpreter");
    expect(message({ "failure-detector.threshold": "2" })).toContain("a number from 0 to 1");
    expect(() => nodeConfig({ nodeId: "a b", catalogs: [] })).toThrow("node.id");
  });

  it("names the catalog that is wrong", async () => {
    const refusal = async (name: string, properties: Record<string, string>): Promise<string> => {
      const config = nodeConfig({ nodeId: "n", role: "both", catalogs: [{ name, properties }] }, { "node.memory": "1MB" });
      return createNode(config, portsOf(clock, hosts.network("http://n:1")), options).then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
    };
    expect(await refusal("a", {})).toBe("Catalog 'a': property 'connector.name' is missing; connectors are echo, jmx, system");
    expect(await refusal("a", { "connector.name": "ecko" })).toContain("there is no connector 'ecko'");
    expect(await refusal("a", { "connector.name": "echo", "echo.wrod": "x" })).toBe(
      "Catalog 'a': unknown property 'echo.wrod'; connector 'echo' knows echo.word",
    );
    expect(await refusal("A", { "connector.name": "echo" })).toContain("Invalid catalog name");
  });
});
