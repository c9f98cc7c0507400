/** Planted violations of the model of what a node tells of itself: a fabricated node, which answers one address wrongly at a time. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { nodeInfo } from "../../../../../sim/checkers/models/node/node-info.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const work = {
  runningTasks: 3,
  memoryReservation: "3.50kB",
  queries: [
    { queryId: "q", runningTasks: 2, memoryReservation: "2.50kB" },
    { queryId: "r", runningTasks: 1, memoryReservation: "1.00kB" },
  ],
};

function stageOf(stageId: string, partitioning: string, totalMemoryReservation: string): object {
  return { stageId, plan: { partitioning: { connectorHandle: { partitioning } } }, stageStats: { totalMemoryReservation } };
}

const general = { maxBytes: 1000, reservedBytes: 300, freeBytes: 700 };

function answerOf(place: string, url: string): Answer {
  const told = { coordinator: place === "c", environment: "test", uptime: "100.00ms" };
  const group = { state: "CAN_RUN", hardConcurrencyLimit: 4, maxQueuedQueries: 9, numQueuedQueries: 1, numRunningQueries: 2 };
  const totals = { runningQueries: 2, queuedQueries: 1, blockedQueries: 1, activeWorkers: 2, totalAvailableProcessors: 2 };
  const bodies: Readonly<Record<string, unknown>> = {
    "/v1/info": { ...told, starting: false },
    "/v1/info/state": "ACTIVE",
    "/v1/info/coordinator": "",
    "/v1/status": {
      ...told,
      nodeId: place,
      externalAddress: place,
      internalAddress: place,
      heapUsed: 300,
      memoryInfo: { pools: { general } },
    },
    "/livez": "live",
    "/readyz": "ready",
    "/v1/resourceGroupState": [{ ...group, runningQueries: [{ queryId: "q", state: "RUNNING" }] }],
    "/v1/cluster": totals,
    "/v1/node": place === "c" ? [{ uri: "http://w1:8080", ...work }, { uri: "http://w2:8080" }] : [],
    "/v1/query/q": {
      outputStage: {
        ...stageOf("q.0", "COORDINATOR", "7.00kB"),
        subStages: [stageOf("q.1", "SOURCE", "1.50kB"), stageOf("q.2", "HASH", "1.00kB")],
      },
    },
    "/v1/node/failed": place === "c" ? [{ uri: "http://w2:8080" }] : [],
  };
  const status = url === "/v1/info/coordinator" && place !== "c" ? 404 : 200;
  return { status, body: bodies[url], headers: { "x-engine-node-state": "ACTIVE", "x-engine-node-life": "1" } };
}

async function said(address: string, change: (answer: Answer) => Partial<Answer>, shutsDown = false): Promise<string> {
  const node = (place: string): unknown => ({
    incarnation: "1",
    accounts: () => ({ sizeBytes: 1000, reservedBytes: 300 }),
    handle: ({ url }: { readonly url: string }) => {
      const right = answerOf(place, url);
      const { status, body, headers } = url === address ? { ...right, ...change(right) } : right;
      return Promise.resolve({ status, headers, body: encodeUtf8(JSON.stringify(body)) });
    },
  });
  const run = new FabricatedRun(nodeInfo, {}, { node: node as unknown as Judged["node"] });
  if (shutsDown) {
    run.note(1, "w1", "log-info", "shutdown-started {}");
  }
  for (let look = 0; look < 40; look++) {
    run.look(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(run.held + run.said.length).toBeGreaterThan(10);
  return run.said.join("\n");
}

/** The same document with other members. */
function having(members: object): (answer: Answer) => Partial<Answer> {
  return ({ body }) => ({ body: Array.isArray(body) ? [{ ...(body[0] as object), ...members }] : { ...(body as object), ...members } });
}

describe("the model of what a node tells of itself", () => {
  it("says nothing about nodes that tell the truth", async () => {
    expect(await said("", () => ({}))).toBe("");
  });

  it.each<[string, string, (answer: Answer) => Partial<Answer>, string]>([
    ["a node that is not live", "/livez", () => ({ status: 500 }), "500"],
    [
      "a node that is not ready, and could run a query",
      "/readyz",
      () => ({ status: 503, headers: { "retry-after": "1" } }),
      "can run a query",
    ],
    ["a node that is ready, and starts", "/v1/info", having({ starting: true }), "cannot run a query"],
    [
      "another state in its status",
      "/v1/status",
      () => ({ headers: { "x-engine-node-state": "INACTIVE", "x-engine-node-life": "1" } }),
      "in its status INACTIVE",
    ],
    ["another life", "/v1/status", () => ({ headers: { "x-engine-node-state": "ACTIVE", "x-engine-node-life": "2" } }), "life 2"],
    ["a node that leaves, and was not told to", "/v1/info/state", () => ({ body: "SHUTTING_DOWN" }), "was not told to leave"],
    ["a worker that is the coordinator", "/v1/info", having({ coordinator: true }), "whether it is the coordinator"],
    ["a coordinator that is none", "/v1/info/coordinator", () => ({ status: 404 }), "whether it is the coordinator"],
    ["a longer life", "/v1/info", having({ uptime: "1.00h" }), "is up for 1.00h"],
    ["another address", "/v1/status", having({ externalAddress: "elsewhere" }), "calls itself elsewhere"],
    ["another environment", "/v1/status", having({ environment: "production" }), "of production"],
    [
      "memory that is free twice",
      "/v1/status",
      having({ memoryInfo: { pools: { general: { ...general, freeBytes: 1000 } } } }),
      "of its memory",
    ],
    ["a query more in the resource group", "/v1/resourceGroupState", having({ numRunningQueries: 3 }), "with 3 running"],
    ["a resource group that is full and is not", "/v1/resourceGroupState", having({ state: "FULL" }), "the resource group is FULL"],
    [
      "a running query that has ended",
      "/v1/resourceGroupState",
      having({ runningQueries: [{ queryId: "q", state: "FINISHED" }] }),
      "among the running",
    ],
    ["a node whose list of nodes fails", "/v1/node", () => ({ status: 500 }), "500"],
    [
      "a worker that lists nodes",
      "/v1/node",
      ({ body }) => ({ body: [...(body as []), { uri: "http://w3:8080" }] }),
      "is a worker and lists 1",
    ],
    ["a failed node that is no node", "/v1/node", () => ({ body: [] }), "lists http://w2:8080 among the failed nodes"],
    ["a node with tasks of no query", "/v1/node", having({ ...work, runningTasks: 4 }), "has 4 tasks"],
    ["a node with memory of no query", "/v1/node", having({ ...work, memoryReservation: "4.50kB" }), "3 tasks and 4.50kB"],
    [
      "a query that is twice on a node",
      "/v1/node",
      having({ ...work, runningTasks: 4, memoryReservation: "5.00kB", queries: [work.queries[0], work.queries[0]] }),
      "has 4 tasks",
    ],
    [
      "memory of a query that no node has",
      "/v1/query/q",
      () => ({ body: { outputStage: { ...stageOf("q.0", "COORDINATOR", "0B"), subStages: [stageOf("q.1", "SOURCE", "9.00kB")] } } }),
      "nodes hold 2.50kB for q; its stages on workers hold 9.00kB",
    ],
    ["more blocked queries than there are", "/v1/cluster", having({ blockedQueries: 5 }), "5 blocked of 2"],
  ])("speaks of %s", async (_, address, change, sentence) => {
    expect(await said(address, change)).toContain(sentence);
  });

  it("speaks of a node that stays active although it was told to leave", async () => {
    expect(await said("", () => ({}), true)).toContain("was told to leave");
  });
});
