/** Planted violations of the model of services: a fabricated coordinator, which answers one address wrongly at a time. */
import { describe, expect, it } from "vitest";
import type { Judged } from "../../../../../sim/checkers/models/model.ts";
import { services } from "../../../../../sim/checkers/models/node/services.ts";
import { encodeUtf8 } from "../../../../../src/types/utf8.ts";
import { FabricatedRun } from "../fabricated.ts";

interface Member {
  readonly [name: string]: unknown;
  readonly nodeId: string;
}

const properties = { http: "http://w1:8080", node_version: "1", coordinator: "false", life: "a", connectorIds: "memory,tpch" };
const own = { http: "http://c:8080", node_version: "1", coordinator: "true" };
const serviceOfWorker: Member = { nodeId: "w1", type: "orrery", pool: "general", location: "/w1", state: "ACTIVE", properties };
const ownService: Member = { nodeId: "c", type: "orrery", pool: "general", state: "ACTIVE", properties: own };
const document: Member = {
  nodeId: "w1",
  uri: "http://w1:8080",
  age: "4.00s",
  state: "ACTIVE",
  nodeVersion: "1",
  coordinator: false,
};

function announcement(more: Readonly<Record<string, string>> = {}): string {
  const service = { id: "1", type: "orrery", properties: { ...properties, ...more } };
  return JSON.stringify({ environment: "test", pool: "general", location: "/w1", services: [service] });
}

function listOf(...members: readonly Member[]): object {
  return { environment: "test", services: members };
}

interface Lists {
  readonly services?: readonly Member[];
  readonly nodes?: readonly Member[];
  readonly failed?: readonly Member[];
  readonly workers?: readonly string[];
}

/** A worker announces itself at 1 s, is perhaps withdrawn, and the lists of the coordinator are looked at at 5 s. */
async function said(
  { services: all = [ownService, serviceOfWorker], nodes = [document], failed = [], workers = ["w1"] }: Lists,
  { isWithdrawn = false, lookMs = 5_000, more = {} } = {},
): Promise<string> {
  const bodyOf = (url: string): unknown => {
    const [, , resource, type, pool] = url.split("/");
    if (resource !== "service") {
      return type === "failed" ? failed : nodes;
    }
    return listOf(...all.filter((one) => pool === undefined || one["pool"] === pool).map((one) => ({ ...one, type })));
  };
  const node = {
    cluster: { activeWorkers: () => workers.map((nodeId) => ({ nodeId })) },
    handle: ({ url }: { readonly url: string }) =>
      Promise.resolve({ status: 200, headers: {}, body: encodeUtf8(JSON.stringify(bodyOf(url))) }),
  };
  const run = new FabricatedRun(
    services,
    { properties: { "failure-detector.expiration-grace-interval": "30s" } },
    { node: (() => node) as unknown as Judged["node"] },
  );
  const url = "/v1/announcement/w1";
  run.note(1_000, "c", "serve", `m1 w1>c announcement PUT ${url}`);
  run.answer(1_000, url, { from: "w1", method: "PUT", status: 202, sent: announcement(more) });
  if (isWithdrawn) {
    run.note(2_000, "c", "serve", `m2 w1>c withdrawal DELETE ${url}`).answer(2_000, url, { from: "w1", method: "DELETE", status: 204 });
  }
  run.look(lookMs);
  await new Promise((resolve) => setImmediate(resolve));
  expect(run.held).toBeGreaterThan(2);
  return run.said.join();
}

const left: Member = { nodeId: "w1", uri: "http://w1:8080", age: "4.00s", state: "INACTIVE" };

describe("the model of services", () => {
  it("allows lists that agree with the announcements", async () => {
    expect(await said({})).toBe("");
    expect(await said({ services: [ownService], nodes: [left], failed: [left], workers: [] }, { isWithdrawn: true })).toBe("");
  });

  it.each([
    ["a node that is missing", { services: [ownService] }, "have w1 0 times"],
    ["a coordinator that is missing", { services: [serviceOfWorker] }, "do not have the coordinator"],
    ["a stranger", { services: [ownService, serviceOfWorker, { ...serviceOfWorker, nodeId: "w9" }] }, "have w9 of"],
    [
      "properties that were not announced",
      { services: [ownService, { ...serviceOfWorker, properties: { ...properties, connectorIds: "tpch" } }] },
      "w1 said",
    ],
    ["another location", { services: [ownService, { ...serviceOfWorker, location: "/w2" }] }, "w1 said"],
    ["a node of another pool", { services: [ownService, { ...serviceOfWorker, pool: "other" }] }, "w1 said"],
    ["a version that was not announced", { nodes: [{ ...document, nodeVersion: "2" }] }, "of version 2"],
    ["another address", { nodes: [{ ...document, uri: "http://w2:8080" }] }, "at http://w2:8080"],
    ["an age of another incarnation", { nodes: [{ ...document, age: "5.00s" }] }, "has the age 5.00s"],
    ["two states of one node", { nodes: [{ ...document, state: "INACTIVE" }] }, "is INACTIVE"],
    ["work for a node that is not ACTIVE", { services: [ownService, { ...serviceOfWorker, state: "INACTIVE" }] }, "w1 get tasks"],
    ["documents in another order", { nodes: [{ ...document, nodeId: "w9" }, document] }, "the node documents are w9,w1, not in the order"],
    ["failed nodes in another order", { failed: [{ ...left, nodeId: "w9" }, left] }, "the failed nodes are w9,w1, not in the order"],
    [
      "services in another order",
      { services: [ownService, { ...serviceOfWorker, nodeId: "w9" }, serviceOfWorker] },
      "the services of orrery are w9,w1, not in the order",
    ],
    ["a document that is missing", { nodes: [] }, "has 0 node documents"],
  ])("speaks of %s", async (_, lists, sentence) => {
    expect(await said(lists)).toContain(sentence);
  });

  it("speaks of a node that left and is not shown so, or is never forgotten", async () => {
    const isWithdrawn = true;
    expect(await said({ nodes: [left], failed: [left], workers: [] }, { isWithdrawn })).toContain("have w1 1 times");
    expect(await said({ services: [ownService], nodes: [left], workers: [] }, { isWithdrawn })).toContain("not among the failed nodes");
    const gone = { services: [ownService], nodes: [left], failed: [left], workers: [] };
    expect(await said(gone, { isWithdrawn, lookMs: 100_000 })).toContain("has 1 node documents");
    expect(await said({ services: [ownService], nodes: [], workers: [] }, { isWithdrawn })).toContain("has 0 node documents");
  });

  it("speaks of work for a node that announced its shutdown", async () => {
    expect(await said({}, { more: { state: "SHUTTING_DOWN" } })).toContain("SHUTTING_DOWN, and is ACTIVE");
  });
});
