/** The engine in a program: clusters without sockets, nodes with them, and what the program hands in. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type Cluster, type ClusterOptions, createClient, createCluster, createNode, type Parameter } from "../../../src/embedded/index.ts";
import { allAtOnce, BIGINT, type ConnectorFactory, RowPageSource } from "../../../src/embedded/connector.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.close();
  }
});

async function start(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await createCluster({ properties: { "node.memory": "256MB" }, ...options });
  open.push(cluster);
  return cluster;
}

const count = "SELECT count(*) FROM tpch.tiny.orders o JOIN tpch.tiny.customer c USING (custkey)";

describe("a cluster in the process", () => {
  it.each([0, 1, 3])("with %i workers answers at once, and its workers share the work", async (workers) => {
    const cluster = await start({ workers });
    expect(await cluster.query(count).rows()).toEqual([[15000n]]);
    const nodes = await cluster.query("SELECT node_id FROM system.runtime.nodes WHERE NOT coordinator ORDER BY 1").rows();
    expect(nodes).toEqual(Array.from({ length: workers }, (_, index) => [`worker-${index + 1}`]));
    expect(cluster.nodes).toHaveLength(workers + 1);
  });

  it("listens with http: clients of other processes see the same tables", async () => {
    const cluster = await start({ workers: 2, http: { port: 0 } });
    const outside = createClient({ server: cluster.uri, family: "trino", spooled: true });
    expect(await outside.query(count).rows()).toEqual([[15000n]]);
    await outside.query("CREATE TABLE memory.default.t AS SELECT 1 AS x").rows();
    expect(await cluster.query("SELECT x FROM memory.default.t").rows()).toEqual([[1]]);
    const response = await fetch(`${cluster.uri}/v1/info`);
    expect(await response.json()).toMatchObject({ starting: false });
  });

  it("keeps clusters apart", async () => {
    const [a, b] = await Promise.all([start({ workers: 1 }), start({ workers: 1 })]);
    await a.query("CREATE TABLE memory.default.t AS SELECT 1 AS x").rows();
    await expect(b.query("SELECT * FROM memory.default.t").rows()).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
  });

  it("has a session for each client", async () => {
    const cluster = await start();
    const client = cluster.client({ user: "ada", catalog: "tpch" });
    await client.query("USE tpch.tiny").rows();
    expect(await client.query("SELECT current_user, count(*) FROM nation").rows()).toEqual([["ada", 25n]]);
    await expect(cluster.query("SELECT count(*) FROM nation").rows()).rejects.toMatchObject({ errorType: "USER_ERROR" });
  });

  it("ends its queries when it is closed, and removes its temporary folders", async () => {
    const spillFolder = mkdtempSync(join(tmpdir(), "orrery-embedded-"));
    try {
      const cluster = await start({ workers: 1, spillFolder });
      expect(readdirSync(spillFolder)).toHaveLength(2);
      const rows = cluster.query("SELECT count(*) FROM tpch.sf100.lineitem").rows();
      const ended = expect(rows).rejects.toThrow();
      await cluster.close();
      await ended;
      expect(readdirSync(spillFolder)).toEqual([]);
      expect(existsSync(spillFolder)).toBe(true);
    } finally {
      rmSync(spillFolder, { recursive: true, force: true });
    }
  });

  it.each([
    [{ properties: { "query.max-lenght": "1" } }, "property 'query.max-lenght' is not known; did you mean 'query.max-length'?"],
    [{ properties: { "query.max-length": "x" } }, "Invalid value 'x' for property 'query.max-length'"],
    [{ catalogs: { a: { "connector.name": "file" } } }, "catalog 'a': connector 'file' is not known; did you mean 'files'?"],
    [{ catalogs: { a: {} } }, "catalog 'a': property 'connector.name' is missing"],
    [{ catalogs: { "A b": { "connector.name": "tpch" } } }, "'A b' is no name of a catalog"],
    [{ workers: -1 }, "workers is -1"],
  ] as const)("says what is wrong with %j", async (options, message) => {
    await expect(createCluster(options)).rejects.toThrow(message);
  });
});

describe("a connector of the program", () => {
  const numbers: ConnectorFactory = {
    name: "numbers",
    properties: ["numbers.last"],
    create(properties) {
      const columns = [{ name: "n", type: BIGINT }];
      const table = { name: { schema: "default", table: "all" }, columns, handle: null };
      const last = Number(properties["numbers.last"] ?? "9");
      return {
        metadata: {
          listSchemas: () => Promise.resolve(["default"]),
          listTables: () => Promise.resolve(["all"]),
          getTable: (name) => Promise.resolve(name.schema === "default" && name.table === "all" ? table : undefined),
        },
        getSplits: () => Promise.resolve([{ payload: null }]),
        createPageSource: ({ columns: read, memory }) =>
          new RowPageSource({
            columns: read,
            memory,
            rows: () => allAtOnce(() => Array.from({ length: last + 1 }, (_, index) => ({ n: BigInt(index) }))),
          }),
      };
    },
  };

  it("is read on every worker", async () => {
    const cluster = await start({
      workers: 2,
      connectors: [numbers],
      catalogs: { few: { "connector.name": "numbers" }, many: { "connector.name": "numbers", "numbers.last": "20000" } },
    });
    const sql = "SELECT count(*), sum(m.n) FROM few.default.all f JOIN many.default.all m ON m.n % 10 = f.n";
    expect(await cluster.query(sql).rows()).toEqual([[20001n, 200010000n]]);
  });
});

describe("a node in the process", () => {
  it("joins nodes of other processes by its address", async () => {
    const coordinator = await createNode({ nodeId: "c", role: "coordinator", properties: { "node.memory": "256MB" } });
    open.push(coordinator);
    expect(coordinator.isReady).toBe(false);
    const worker = await createNode({
      nodeId: "w",
      role: "worker",
      coordinatorUri: coordinator.uri,
      properties: { "node.memory": "256MB" },
    });
    open.unshift(worker);
    await coordinator.ready();
    expect(await createClient({ server: coordinator.uri }).query(count).rows()).toEqual([[15000n]]);
  });
});

describe("a parameter", () => {
  const scalar = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }).map((value): [Parameter, unknown] => [value, value]),
    fc.maxSafeInteger().map((value): [Parameter, unknown] => [value, Math.abs(value) < 2 ** 31 ? value : BigInt(value)]),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): [Parameter, unknown] => [value, value]),
    fc.double({ noInteger: true }).map((value): [Parameter, unknown] => [value, value]),
    fc.boolean().map((value): [Parameter, unknown] => [value, value]),
    fc.uint8Array({ maxLength: 20 }).map((value): [Parameter, unknown] => [value, value]),
    fc
      .date({ min: new Date("1800-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
      .map((value): [Parameter, unknown] => [value, `${value.toISOString().replace("T", " ").replace("Z", "")} UTC`]),
    fc.constant<[Parameter, unknown]>([null, null]),
  );

  it("comes back as it went", async () => {
    const cluster = await start();
    await fc.assert(
      fc.asyncProperty(fc.array(scalar, { minLength: 1, maxLength: 6 }), async (values) => {
        const sql = `SELECT ${values.map(() => "?").join(", ")}`;
        const [row] = await cluster.query(sql, { parameters: values.map(([parameter]) => parameter) }).rows();
        expect(row).toEqual(values.map(([, value]) => value));
      }),
      { numRuns: 60 },
    );
    expect(await cluster.query("SELECT ?, ?", { parameters: [[1, 2], -0] }).rows()).toEqual([[[1, 2], -0]]);
  });
});
