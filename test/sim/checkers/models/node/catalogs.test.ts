/** Planted violations of the model of catalogs. */
import { describe, expect, it } from "vitest";
import { catalogs } from "../../../../../sim/checkers/models/node/catalogs.ts";
import { FabricatedRun } from "../fabricated.ts";

const fixed = ["memory", "system", "tpch"].map((name) => ({ catalogName: name, connectorName: name, management: "STATIC" }));
const lake = { catalogName: "lake", connectorName: "files", management: "DYNAMIC" };

function announce(run: FabricatedRun, ms: number, versions: string, names = "memory,system,tpch"): FabricatedRun {
  const properties = { connectorIds: names, ...(versions === "" ? {} : { catalogVersions: versions }) };
  const sent = JSON.stringify({ services: [{ properties }] });
  return run.answer(ms, "/v1/announcement/w1", { from: "w1", method: "PUT", sent });
}

/** The cluster has a catalog that was created at run time. */
function created(run = new FabricatedRun(catalogs)): FabricatedRun {
  run.answer(10, "/v1/catalog", { body: fixed });
  run.answer(100, "/v1/statement", { method: "POST", sent: "CREATE CATALOG lake USING files", body: { id: "q1" } });
  return run.transition(150, "query", "q1", "RUNNING -> FINISHED");
}

function assign(run: FabricatedRun, ms: number, { version = "v1", connector = "files", announced = "" } = {}): FabricatedRun {
  run.note(ms, "w1", "serve", "m7 c>w1 catalog-assignment PUT /v1/catalog/lake");
  announce(run, ms + 1, announced === "" ? `lake=${version}` : announced, "lake,memory,system,tpch");
  const sent = JSON.stringify({ version, connectorName: connector, properties: {} });
  return run.answer(ms + 2, "/v1/catalog/lake", { from: "c", to: "w1", method: "PUT", status: 204, sent });
}

describe("the model of catalogs", () => {
  it("allows what is created, assigned, announced and dropped", () => {
    const run = assign(created(), 200);
    run.answer(210, "/v1/catalog", { body: [lake, ...fixed] }).answer(220, "/v1/catalog", { to: "w1", body: [lake, ...fixed] });
    run.answer(300, "/v1/statement", { method: "POST", sent: "drop catalog if exists lake", body: { id: "q2" } });
    run.note(310, "w1", "serve", "m8 c>w1 catalog-assignment DELETE /v1/catalog/lake");
    announce(run, 311, "").answer(312, "/v1/catalog/lake", { from: "c", to: "w1", method: "DELETE", status: 204 });
    run.transition(320, "query", "q2", "RUNNING -> FINISHED");
    run.answer(330, "/v1/catalog", { body: fixed }).answer(340, "/v1/catalog", { to: "w1", body: fixed });
    expect(run.said).toEqual([]);
    expect(run.held).toBeGreaterThan(20);
  });

  it.each([
    ["names out of their order", [...fixed, lake], "not in their order"],
    ["a catalog that is missing", fixed, "lists lake of undefined"],
    ["a dynamic catalog that is said to be static", [{ ...lake, management: "STATIC" }, ...fixed], "lists lake of undefined"],
    ["another connector", [{ ...lake, connectorName: "tpch" }, ...fixed], "lists lake of tpch"],
    ["a catalog of the configuration that is missing", [lake, ...fixed.slice(1)], "of the configuration"],
    ["a catalog without connector", [lake, { ...fixed[0], connectorName: "" }, ...fixed.slice(1)], "lists"],
  ])("speaks of %s", (_, body, sentence) => {
    expect(created().answer(200, "/v1/catalog", { body }).said.join()).toContain(sentence);
    expect(assign(created(), 200).answer(300, "/v1/catalog", { to: "w1", body }).said.join()).toContain(sentence);
  });

  it("speaks of an assignment that is not what was created, or not announced", () => {
    expect(assign(created(), 200, { connector: "tpch" }).said.join()).toContain("lake of tpch; created was files");
    expect(assign(assign(created(), 200), 300, { version: "v2" }).said.join()).toContain("version v2, others have v1");
    expect(assign(created(), 200, { announced: "lake=v0" }).said.join()).toContain("announced v0");
    const run = created().note(200, "w1", "serve", "m8 c>w1 catalog-assignment DELETE /v1/catalog/lake");
    run.answer(201, "/v1/catalog/lake", { from: "c", to: "w1", method: "DELETE", status: 204 });
    expect(run.said.join()).toContain("a catalog of the cluster");
  });

  it("speaks of a worker that announces other catalogs than it has", () => {
    expect(announce(created(), 200, "", "memory,tpch").said.join()).toContain("announces the catalogs memory,tpch");
    expect(announce(created(), 200, "lake=v1").said.join()).toContain("a version of lake, and not the catalog");
  });

  it("speaks of a worker that is not told", () => {
    const active = [{ nodeId: "w1" }];
    const node = {
      cluster: { activeWorkers: () => active },
      handle: () => Promise.resolve({ status: 503, headers: {}, body: new Uint8Array(0) }),
    };
    const told = (lastMs: number): FabricatedRun => {
      const run = announce(created(new FabricatedRun(catalogs, {}, { node: (() => node) as never })), 200, "");
      for (const ms of [300, 10_000, lastMs]) {
        for (let look = 0; look < 6; look++) {
          run.look(ms);
        }
      }
      return run;
    };
    expect(told(20_000).said).toEqual([]);
    expect(told(40_000).said.join()).toContain("the cluster has lake");
  });
});
