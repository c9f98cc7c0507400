/** `withCluster`: readiness, isolation, rows, errors, faults on nodes, and a process that ends by itself. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { PageBuilder } from "../../src/page/builder.ts";
import type { ConnectorFactory } from "../../src/connectors/spi.ts";
import { BIGINT } from "../../src/types/type.ts";
import { type Cluster, type ClusterOptions, QueryFailedError, withCluster } from "../../src/testing/index.ts";

const clusters: Cluster[] = [];

async function started(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await withCluster(options);
  clusters.push(cluster);
  return cluster;
}

afterEach(async () => {
  for (const cluster of clusters.splice(0)) {
    await cluster.close();
  }
});

const counting = "SELECT count(*) AS n FROM tpch.tiny.lineitem";

describe.each([true, false])("a cluster, with HTTP: %s", (http) => {
  it("is ready: all workers are active, and a query runs at once", async () => {
    const cluster = await started({ http, workers: 3 });
    expect(cluster.activeWorkers).toEqual(["worker-1", "worker-2", "worker-3"]);
    const { rows, columns } = await cluster.query("SELECT node_id, coordinator FROM system.runtime.nodes ORDER BY 1");
    expect(columns).toEqual([
      { name: "node_id", type: "varchar" },
      { name: "coordinator", type: "boolean" },
    ]);
    expect(rows.map(([name]) => name)).toEqual(["coordinator", "worker-1", "worker-2", "worker-3"]);
    for (const [path, status] of [
      ["/readyz", 200],
      ["/v1/info", 200],
      ["/v1/nowhere", 404],
    ] as const) {
      expect((await cluster.fetch(path)).status).toBe(status);
    }
  });

  it("runs without workers", async () => {
    const cluster = await started({ http, workers: 0 });
    expect((await cluster.query(counting)).objects).toEqual([{ n: 60_175n }]);
  });

  it("gives rows as JavaScript values", async () => {
    const cluster = await started({ http, workers: 1 });
    const sql = `SELECT BIGINT '9223372036854775807', 7, 1.5e0, nan(), DECIMAL '1.10', true, 'ä', X'00FF', DATE '2020-02-29',
      ARRAY[1, NULL], MAP(ARRAY[BIGINT '1'], ARRAY['x']), CAST(ROW(BIGINT '2', 'y') AS ROW(a BIGINT, b VARCHAR)), NULL`;
    expect((await cluster.query(sql)).rows).toEqual([
      [
        9_223_372_036_854_775_807n,
        7,
        1.5,
        Number.NaN,
        "1.10",
        true,
        "ä",
        new Uint8Array([0, 255]),
        "2020-02-29",
        [1, null],
        new Map([[1n, "x"]]),
        [2n, "y"],
        null,
      ],
    ]);
  });

  it("throws the query's error with its name and place", async () => {
    const cluster = await started({ http, workers: 1 });
    const error = await cluster.query("SELECT nothing FROM tpch.tiny.nation").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({
      message: "line 1:8: Column 'nothing' cannot be resolved",
      errorName: "COLUMN_NOT_FOUND",
      errorType: "USER_ERROR",
      line: 1,
      column: 8,
      sql: "SELECT nothing FROM tpch.tiny.nation",
    });
  });

  it("cancels a query", async () => {
    const cluster = await started({ http, workers: 1 });
    const controller = new AbortController();
    const sql = "SELECT count(*) FROM tpch.sf1.lineitem a JOIN tpch.sf1.lineitem b ON a.comment < b.comment";
    const running = cluster.query(sql, { signal: controller.signal });
    await cluster.working("worker-1");
    controller.abort(new Error("the test has seen enough"));
    await expect(running).rejects.toThrow("the test has seen enough");
    const listed = await cluster.query(
      "SELECT error_code FROM system.runtime.queries WHERE query LIKE '%comment < b%' AND query NOT LIKE '%runtime%'",
    );
    expect(listed.rows).toEqual([["USER_CANCELED"]]);
  });

  it("crashes a worker: the query fails unless it may run again, later ones do without it, and a restart brings it back", async () => {
    const cluster = await started({ http, workers: 2, properties: { "retry-policy": "NONE" } });
    const slowed = cluster.slow("worker-2", { factor: 50 });
    const running = cluster.query("SELECT sum(quantity * 2) FROM tpch.sf1.lineitem").catch((error: unknown) => error);
    await cluster.working("worker-2");
    await cluster.kill("worker-2");
    expect(await running).toMatchObject({
      errorName: "REMOTE_HOST_GONE",
      message: expect.stringContaining(cluster.uriOf("worker-2")) as string,
    });
    slowed.heal();
    await cluster.untilActive(1);
    expect((await cluster.query(counting)).objects).toEqual([{ n: 60_175n }]);
    await cluster.restart("worker-2");
    expect(cluster.activeWorkers).toEqual(["worker-1", "worker-2"]);
  });

  it("crashes a worker: the query runs again on the other one", async () => {
    const cluster = await started({ http, workers: 2 });
    const slowed = cluster.slow("worker-2", { factor: 50 });
    const running = cluster.query("SELECT count(*) AS n, sum(quantity * 2) AS q FROM tpch.sf1.lineitem");
    await cluster.working("worker-2");
    await cluster.kill("worker-2");
    slowed.heal();
    expect((await running).objects).toMatchObject([{ n: 6_001_215n }]);
  });

  it("restarts the coordinator at its address", async () => {
    const cluster = await started({ http, workers: 2 });
    const { uri } = cluster;
    await cluster.restart("coordinator");
    expect(cluster.uri).toBe(uri);
    expect((await cluster.query(counting)).objects).toEqual([{ n: 60_175n }]);
  });

  it("shuts a worker down in order: what runs there is finished", async () => {
    const cluster = await started({ http, workers: 2 });
    const slowed = cluster.slow("worker-1", { factor: 3 });
    const running = cluster.query("SELECT count(*) FROM tpch.tiny.lineitem a JOIN tpch.tiny.orders b ON a.orderkey = b.orderkey");
    await cluster.working("worker-1");
    await cluster.shutdown("worker-1");
    slowed.heal();
    expect((await running).rows).toEqual([[60_175n]]);
    expect(cluster.activeWorkers).toEqual(["worker-2"]);
  });

  it("notices a partition, and its end", async () => {
    const cluster = await started({ http, properties: { "failure-detector.heartbeat-timeout": "200ms" } });
    const cut = cluster.partition("worker-1");
    await cluster.untilActive(1);
    cut.heal();
    await cluster.untilActive(2);
    expect((await cluster.query(counting)).objects).toEqual([{ n: 60_175n }]);
  });
});

describe("clusters side by side", () => {
  it("share nothing: ten in one process, each with a table of its own", async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => started({ workers: 2 })));
    await Promise.all(all.map((cluster, index) => cluster.load("memory.default.t", [{ id: index }])));
    const seen = await Promise.all(all.map(async (cluster) => (await cluster.query("SELECT id FROM memory.default.t")).rows));
    expect(seen).toEqual(all.map((_, index) => [[BigInt(index)]]));
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(10);
    await all[0]?.kill("worker-1");
    await all[0]?.untilActive(1);
    expect(all.slice(1).every(({ activeWorkers }) => activeWorkers.length === 2)).toBe(true);
  });

  it("leaves nothing of one cluster to the next", async () => {
    for (let round = 0; round < 40; round++) {
      await withCluster({ http: false, workers: 1, catalogs: { memory: { "connector.name": "memory" } } }, async (cluster) => {
        await cluster.load("memory.default.t", [{ round }]);
      });
    }
    const cluster = await started();
    await expect(cluster.query("SELECT * FROM memory.default.t")).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
  });
});

const ones: ConnectorFactory = {
  name: "ones",
  properties: ["ones.count"],
  create(properties) {
    const columns = [{ name: "one", type: BIGINT }];
    const table = { name: { schema: "default", table: "ones" }, columns, handle: null };
    return {
      metadata: {
        listSchemas: () => Promise.resolve(["default"]),
        listTables: () => Promise.resolve(["ones"]),
        getTable: (name) => Promise.resolve(name.table === "ones" ? table : undefined),
      },
      getSplits: () => Promise.resolve([{ payload: null }]),
      createPageSource({ columns: asked, memory }) {
        const builder = new PageBuilder(
          asked.map((column) => column.type),
          memory,
        );
        let isDone = false;
        return {
          nextPage() {
            if (isDone) {
              return undefined;
            }
            isDone = true;
            for (let row = 0; row < Number(properties["ones.count"] ?? "2"); row++) {
              asked.forEach((_, index) => builder.appendBigint(index, 1n));
            }
            return builder.build();
          },
          get finished() {
            return isDone;
          },
          blocked: () => undefined,
          completedBytes: 0,
          close: () => builder.close(),
        };
      },
    };
  },
};

describe("catalogs", () => {
  it("take connectors of the test's own", async () => {
    const cluster = await started({ catalogs: { two: ones, five: { connector: ones, properties: { "ones.count": "5" } } } });
    const { objects } = await cluster.query(
      "SELECT (SELECT sum(one) FROM two.default.ones) AS a, (SELECT sum(one) FROM five.default.ones) AS b",
    );
    expect(objects).toEqual([{ a: 2n, b: 5n }]);
    expect((await cluster.query("SHOW CATALOGS")).rows).toEqual([["five"], ["system"], ["two"]]);
  });

  it.each<[ClusterOptions, string]>([
    [{ workers: -1 }, "'workers: -1' is not a whole number from 0 to 64"],
    [{ properties: { "query.max-lenght": "1" } }, "property 'query.max-lenght' is not known; did you mean 'query.max-length'?"],
    [{ catalogs: { x: { "connector.name": "oracle" } } }, "there is no connector 'oracle'"],
    [{ catalogs: { x: { ...ones, name: "tpch" } } }, "catalog 'x': there is another connector of the name 'tpch'"],
    [{ chaos: { fate: "delayed", delayMs: 1, to: "worker-9" } }, "'to: worker-9' matches no place of this cluster"],
  ])("refuses %j", async (options, message) => {
    await expect(withCluster(options)).rejects.toThrow(message);
  });

  it("says what a cluster is not", async () => {
    const cluster = await started({ workers: 1 });
    expect(() => cluster.uriOf("worker-2")).toThrow("there is no node 'worker-2'; the cluster has coordinator, worker-1");
    expect(() => cluster.tape()).toThrow("make it with 'record: true'");
    expect(() => cluster.slow("worker-1", {})).toThrow("expected a 'factor' above 1 or a positive 'delayMs'");
    await cluster.close();
    await cluster.close();
    expect(() => cluster.query("SELECT 1")).toThrow("the cluster is closed");
  });
});

describe("load", () => {
  it("brings back what it was given", async () => {
    const cluster = await started({ http: false, workers: 1 });
    const cell = {
      i: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      d: fc.option(fc.double()),
      s: fc.option(fc.string({ unit: "binary" }).filter((text) => !/\p{Surrogate}/u.test(text))),
      b: fc.option(fc.boolean()),
      x: fc.option(fc.uint8Array()),
      a: fc.option(fc.array(fc.option(fc.integer()))),
    };
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record(cell), { maxLength: 20 }), async (rows) => {
        const table = `memory.default.t${number++}`;
        const types = { i: "bigint", d: "double", s: "varchar", b: "boolean", x: "varbinary", a: "array(integer)" };
        await cluster.load(table, rows, { types });
        const { objects } = await cluster.query(`SELECT * FROM ${table}`);
        expect(objects).toEqual(rows);
      }),
      { numRuns: 30 },
    );
  });

  it("says the types itself, and splits many rows over statements", async () => {
    const cluster = await started({ workers: 1 });
    const rows = Array.from({ length: 1200 }, (_, id) => ({ id, half: id / 2, at: new Date(Date.UTC(2020, 0, 1, 0, 0, id)) }));
    await cluster.load("memory.default.t", rows);
    const { columns, objects } = await cluster.query("SELECT * FROM memory.default.t ORDER BY id");
    expect(columns.map(({ type }) => type)).toEqual(["bigint", "double", "timestamp(3)"]);
    expect(objects.length).toBe(1200);
    expect(objects[1199]).toEqual({ id: 1199n, half: 599.5, at: "2020-01-01 00:19:59.000" });
    await cluster.load(
      "memory.default.p",
      [
        ["a", "1.50"],
        ["b", null],
      ],
      { columns: ["k", "price"], types: { price: "decimal(10,2)" } },
    );
    expect((await cluster.query("SELECT * FROM memory.default.p ORDER BY 1")).rows).toEqual([
      ["a", "1.50"],
      ["b", null],
    ]);
    await expect(cluster.load("memory.default.u", [{ a: null }])).rejects.toThrow("column 'a' has no value that says its type");
  });
});
