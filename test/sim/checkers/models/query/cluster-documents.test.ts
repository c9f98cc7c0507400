/** Planted violations of the model of what gateways ask: a fabricated coordinator, which answers one address wrongly at a time. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { clusterDocuments } from "../../../../../sim/checkers/models/query/cluster-documents.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

type Document = Readonly<Record<string, unknown>>;

const times = {
  createTime: "2026-01-01T00:00:01.000Z",
  userMemoryReservation: "2.00kB",
  totalMemoryReservation: "2.00kB",
  totalCpuTime: "3.00s",
  fullyBlocked: true,
};
const numbers = { runningDrivers: 2, queuedDrivers: 1, rawInputPositions: 7, rawInputDataSize: "70B", peakMemoryReservation: "4.00kB" };
const row: Document = {
  queryId: "q1",
  state: "RUNNING",
  query: "SELECT 1",
  session: { user: "ada" },
  resourceGroupId: ["global"],
  scheduled: true,
  queryStats: { ...times, ...numbers },
};
const totals: Document = {
  runningDrivers: 2,
  queuedDrivers: 1,
  reservedMemory: 2048,
  totalInputRows: 7,
  totalInputBytes: 70,
  totalCpuTimeSecs: 3,
  blockedQueries: 1,
  activeCoordinators: 1,
  queuedQueries: 0,
  adjustedQueueSize: 0,
  processedRows: 9,
  processedBytes: 90,
  memoryCapacity: 1500,
  activeWorkers: 1,
};
const trimmed: Document = {
  queryId: "q1",
  state: "RUNNING",
  sessionUser: "ada",
  resourceGroupId: ["global"],
  scheduled: true,
  queryTextPreview: "SELECT 1",
  ...times,
  runningDrivers: 2,
  queuedDrivers: 1,
  rawInputDataSize: "70B",
  peakTotalMemoryReservation: "4.00kB",
  peakUserMemoryReservation: "4.00kB",
  userMemoryReservation: "2.00kB",
};
const group: Document = {
  id: ["global"],
  schedulingPolicy: "FAIR",
  schedulingWeight: 1,
  softConcurrencyLimit: 4,
  hardConcurrencyLimit: 4,
  maxQueuedQueries: 9,
  numEligibleSubGroups: 0,
  subGroups: [],
  memoryUsage: "2.00kB",
  cpuUsage: "3.00s",
  runningQueries: [{ queryId: "q1", state: "RUNNING", user: "ada", query: "SELECT 1", createTime: times.createTime }],
};
const worker = { nodeId: "w1", state: "ACTIVE", properties: { coordinator: "false", memory: "500" } };
const right: Readonly<Record<string, unknown>> = {
  "/v1/query": [row],
  "/v1/cluster": totals,
  "/ui/api/stats": totals,
  "/ui/api/query": [trimmed],
  "/v1/resourceGroupState": [group],
  "/v1/service/orrery": { services: [{ nodeId: "c", state: "ACTIVE", properties: { coordinator: "true" } }, worker] },
};

async function said(wrong: Readonly<Record<string, unknown>>, { runsAgain = false, then = {} as Document } = {}): Promise<string> {
  const bodies = { ...right, ...wrong };
  let lists = 0;
  const node = {
    accounts: () => ({ sizeBytes: 1000 }),
    handle: ({ url }: { readonly url: string }) =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: encodeUtf8(JSON.stringify(url === "/v1/query" && lists++ > 0 ? (then[url] ?? bodies[url]) : bodies[url])),
      }),
  };
  const run = new FabricatedRun(
    clusterDocuments,
    { properties: { "query.max-concurrent-queries": "4", "query.max-queued-queries": "9" } },
    { node: (() => node) as unknown as Judged["node"] },
  );
  if (runsAgain) {
    run.note(5, "c", "log-info", 'query-attempt-given-up {"queryId":"q1","attempt":0}');
  }
  run.look(10);
  await new Promise((resolve) => setImmediate(resolve));
  expect(run.held > 5).toBe(Object.keys(then).length === 0);
  return run.said.join();
}

const both = (change: Document): Document => ({ "/v1/cluster": { ...totals, ...change }, "/ui/api/stats": { ...totals, ...change } });
const inGroup = (change: Document): Document => ({ "/v1/resourceGroupState": [{ ...group, ...change }] });

describe("the model of what gateways ask", () => {
  it("allows documents that agree", async () => {
    expect(await said({})).toBe("");
  });

  it("says nothing while a query goes on between two answers", async () => {
    expect(await said(both({ reservedMemory: 4096 }), { then: { "/v1/query": [{ ...row, state: "FINISHING" }] } })).toBe("");
  });

  it("counts the CPU time of a query's former attempts for its group only", async () => {
    expect(await said(inGroup({ cpuUsage: "9.00s" }), { runsAgain: true })).toBe("");
    expect(await said(inGroup({ cpuUsage: "1.00s" }), { runsAgain: true })).toContain("and 1000000000 ns");
  });

  it.each<[string, Document, string]>([
    ["two different totals", { "/ui/api/stats": { ...totals, runningDrivers: 3 } }, "/ui/api/stats {"],
    ["drivers that no query has", both({ runningDrivers: 9 }), "runningDrivers of the cluster is 9"],
    ["memory that no query holds", both({ reservedMemory: 4096 }), "reservedMemory of the cluster"],
    ["CPU time that no query used", both({ totalCpuTimeSecs: 9 }), "have used"],
    ["a blocked query too many", both({ blockedQueries: 2 }), "1 are blocked"],
    ["another queue", both({ adjustedQueueSize: 5 }), "the cluster says"],
    ["more input than was processed", both({ processedRows: 6 }), "the cluster says"],
    ["the memory of a node that is not there", both({ memoryCapacity: 2000 }), "announced are 1500"],
    ["a query that Trino's list lacks", { "/ui/api/query": [] }, "/ui/api/query has ,"],
    ["another user", { "/ui/api/query": [{ ...trimmed, sessionUser: "bob" }] }, "has sessionUser bob"],
    ["another peak", { "/ui/api/query": [{ ...trimmed, peakTotalMemoryReservation: "1.00kB" }] }, "has peakTotalMemoryReservation"],
    ["another text", { "/ui/api/query": [{ ...trimmed, queryTextPreview: "SELECT" }] }, "has queryTextPreview"],
    ["a limit that is not configured", inGroup({ hardConcurrencyLimit: 5 }), "hardConcurrencyLimit 5, not 4"],
    ["another policy", inGroup({ schedulingPolicy: "WEIGHTED" }), "schedulingPolicy WEIGHTED"],
    ["a running query too few", inGroup({ runningQueries: [] }), "the list has 1 that run"],
    ["a running query of another user", inGroup({ runningQueries: [{ ...trimmed, user: "bob" }] }), "the list has 1 that run"],
    ["memory that the group does not use", inGroup({ memoryUsage: "9.00kB" }), "the resource group uses 9216"],
    ["CPU time that the group did not use", inGroup({ cpuUsage: "9.00s" }), "and 9000000000 ns"],
    ["a second group", { "/v1/resourceGroupState": [group, group] }, "there are 2 resource groups"],
  ])("speaks of %s", async (_, wrong, sentence) => {
    expect(await said(wrong)).toContain(sentence);
  });
});
