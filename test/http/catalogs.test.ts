/**
 * Catalogs at run time over real nodes: CREATE CATALOG and POST /v1/catalog reach all workers, late ones too; tasks go only where their
 * catalogs are, and the error names the workers that lack one.
 */
import { afterEach, describe, expect, it } from "vitest";
import { type JsonValue, parseJson } from "../../src/protocol/json.ts";
import { clientOf, type Fields, textOf } from "../support/service.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

const dynamic = { "catalog.management": "dynamic" };
const tpch = { name: "tpch", properties: { "connector.name": "tpch" } };
let cluster: LoopbackCluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

async function start(options: Parameters<typeof startLoopbackCluster>[0]): Promise<LoopbackCluster> {
  cluster = await startLoopbackCluster(options);
  return cluster;
}

/** Nodes that ran tasks of the statement's scans. */
async function nodesOf(service: LoopbackCluster, sql: string): Promise<readonly string[]> {
  const client = clientOf(service, "trino");
  const responses = await client.chain(sql);
  const info = (await client.object("GET", `/v1/query/${textOf(responses[0]?.["id"])}`)) as Fields;
  const nodes = new Set<string>();
  const visit = (stage: Fields): void => {
    const isScan = JSON.stringify(stage["plan"]).includes('"TableScan"');
    for (const task of isScan ? (stage["tasks"] as Fields[]) : []) {
      nodes.add(textOf(task["nodeId"]));
    }
    (stage["subStages"] as Fields[]).forEach(visit);
  };
  visit(info["outputStage"] as Fields);
  return [...nodes].toSorted();
}

describe("catalogs at run time", () => {
  it("are refused with static management, which is the default", async () => {
    const service = await start({ workers: 1 });
    const client = clientOf(service, "trino");
    expect((await client.answer("CREATE CATALOG scratch USING memory")).error).toMatchObject({
      errorName: "NOT_SUPPORTED",
      message: "CREATE CATALOG is not supported by the static catalog store; set catalog.management=dynamic",
    });
    expect((await client.answer("DROP CATALOG memory")).error?.errorName).toBe("NOT_SUPPORTED");
    const body = JSON.stringify({ catalogName: "scratch", connectorName: "memory" });
    expect((await client.ask("POST", "/v1/catalog", body)).status).toBe(400);
    const assigned = JSON.stringify({ version: "1", connectorName: "memory", properties: {} });
    expect((await client.ask("PUT", `${service.workerUris[0]}/v1/catalog/scratch`, assigned)).status).toBe(409);
  });

  it("are created and dropped by statements, on every node", async () => {
    const service = await start({ workers: 2, properties: dynamic });
    const client = clientOf(service, "trino");
    await client.rows("CREATE CATALOG scratch USING memory");
    await client.rows("CREATE TABLE scratch.default.t AS SELECT * FROM tpch.tiny.orders");
    expect(await client.rows("SELECT count(*) FROM scratch.default.t")).toEqual([[15_000]]);
    expect(await client.rows("SHOW CATALOGS")).toEqual([["memory"], ["scratch"], ["system"], ["tpch"]]);
    for (const uri of service.workerUris) {
      expect(await client.json("GET", `${uri}/v1/catalog`)).toContainEqual({
        catalogName: "scratch",
        connectorName: "memory",
        management: "DYNAMIC",
      });
    }
    expect((await client.answer("CREATE CATALOG scratch USING tpch")).error).toMatchObject({
      errorName: "ALREADY_EXISTS",
      message: "Catalog 'scratch' already exists",
    });
    await client.rows("CREATE CATALOG IF NOT EXISTS scratch USING memory");
    await client.rows("DROP CATALOG scratch");
    await client.rows("DROP CATALOG IF EXISTS scratch");
    expect((await client.answer("DROP CATALOG scratch")).error).toMatchObject({
      errorName: "CATALOG_NOT_FOUND",
      message: "Catalog 'scratch' not found",
    });
    expect((await client.answer("DROP CATALOG memory")).error?.errorName).toBe("NOT_SUPPORTED");
    expect((await client.answer("SELECT * FROM scratch.default.t")).error?.errorName).toBe("CATALOG_NOT_FOUND");
    // Another catalog of the same name begins empty, on the workers too.
    await client.rows("CREATE CATALOG scratch USING memory");
    expect(await client.rows("SHOW TABLES FROM scratch.default")).toEqual([]);
  });

  it("refuse what a catalog's file would refuse, and hide their properties", async () => {
    const service = await start({ workers: 1, properties: dynamic });
    const client = clientOf(service, "trino");
    const refusals = {
      "CREATE CATALOG x USING nosuch": "CONFIGURATION_INVALID",
      "CREATE CATALOG x USING memory WITH (nosuch = 'a')": "CONFIGURATION_INVALID",
      "CREATE CATALOG x USING memory WITH (a = 'a', a = 'b')": "DUPLICATE_PROPERTY",
      "CREATE CATALOG x USING memory WITH (a = NULL)": "INVALID_CATALOG_PROPERTY",
      "CREATE CATALOG x USING memory WITH (a = 1)": "INVALID_CATALOG_PROPERTY",
      "CREATE CATALOG x USING memory COMMENT 'c'": "NOT_SUPPORTED",
      "CREATE CATALOG x USING memory AUTHORIZATION ann": "NOT_SUPPORTED",
      'CREATE CATALOG "a b" USING memory': "CONFIGURATION_INVALID",
      "DROP CATALOG x CASCADE": "NOT_SUPPORTED",
    };
    for (const [sql, errorName] of Object.entries(refusals)) {
      expect((await client.answer(sql)).error?.errorName, sql).toBe(errorName);
    }
    await client.answer("CREATE CATALOG x USING files WITH (\"files.directory\" = '/nosuch', password = 'hunter2')");
    await client.answer("/* a */ create catalog x using files with (password = 'hunter2' syntax error");
    const shown = JSON.stringify(await client.json("GET", "/v1/query"));
    expect(shown).not.toContain("hunter2");
    expect(shown).toContain("***");
  });

  it("reach a worker that joins later", async () => {
    const service = await start({ workers: 1, properties: dynamic });
    const client = clientOf(service, "trino");
    const body = JSON.stringify({ catalogName: "more", connectorName: "tpch", properties: {} });
    expect((await client.ask("POST", "/v1/catalog", body)).status).toBe(204);
    expect((await client.ask("POST", "/v1/catalog", body)).status).toBe(409);
    await service.addWorker();
    let nodes: readonly string[] = [];
    for (let attempt = 0; attempt < 500 && nodes.length < 2; attempt++) {
      nodes = await nodesOf(service, "SELECT count(*) FROM more.tiny.lineitem");
      await service.wait(10);
    }
    expect(nodes).toEqual(["worker-1", "worker-2"]);
    expect((await client.ask("DELETE", "/v1/catalog/more")).status).toBe(204);
    expect((await client.ask("DELETE", "/v1/catalog/more")).status).toBe(404);
    expect(parseJson((await client.ask("GET", `${service.workerUris[0]}/v1/catalog`)).text) as JsonValue[]).toHaveLength(3);
  });
});

describe("workers with different catalogs", () => {
  const memory = { name: "memory", properties: { "connector.name": "memory" } };

  it("get tasks only for catalogs that they have", async () => {
    const service = await start({ workers: 2, catalogs: [tpch, memory], catalogsOf: { "worker-1": [memory] } });
    const client = clientOf(service, "trino");
    expect(await client.rows("SELECT count(*) FROM tpch.tiny.lineitem")).toEqual([[60_175]]);
    expect(await nodesOf(service, "SELECT count(*) FROM tpch.tiny.lineitem")).toEqual(["worker-2"]);
    await client.rows("CREATE TABLE memory.default.t AS SELECT * FROM tpch.tiny.customer");
    expect(await client.rows("SELECT count(*) FROM memory.default.t JOIN tpch.tiny.orders USING (custkey)")).toEqual([[15_000]]);
  });

  it("are named when none of them has a catalog", async () => {
    const service = await start({ workers: 2, catalogs: [tpch, memory], catalogsOf: { "worker-1": [memory], "worker-2": [memory] } });
    expect((await clientOf(service, "trino").answer("SELECT count(*) FROM tpch.tiny.orders")).error).toMatchObject({
      errorName: "NO_NODES_AVAILABLE",
      message: "No nodes available to run query: catalog 'tpch' is not on worker-1, 'tpch' is not on worker-2",
    });
  });
});
