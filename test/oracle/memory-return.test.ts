/**
 * Memory of finished queries returns to the system: measured by the allocator, on a cluster of real networks and clocks.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";

const megabyte = 1024 * 1024;

describe("memory of a query of a quarter of a gigabyte", () => {
  let cluster: LoopbackCluster;
  let engine: Asker;
  beforeAll(async () => {
    cluster = await startLoopbackCluster({
      properties: { "node.memory-return-delay": "200ms", "node.memory": "1GB", "query.max-memory-per-node": "900MB" },
    });
    engine = new Asker(cluster, { "x-engine-user": "ann", "x-engine-catalog": "memory", "x-engine-schema": "default" });
  });
  afterAll(() => cluster.stop());

  const residentBytes = (): number => Math.max(...cluster.nodes.map((node) => node.memoryUse.residentBytes));

  it("is given back when the node has been idle, and tables in memory stay as they were", async () => {
    await engine.rows("CREATE TABLE kept AS SELECT orderkey, custkey, comment FROM tpch.tiny.orders");
    const ask = "SELECT count(*), sum(orderkey), to_hex(md5(to_utf8(array_join(array_agg(comment ORDER BY orderkey), ',')))) FROM kept";
    const before = await engine.rows(ask);
    const large =
      "SELECT sum(cardinality(a)) FROM (SELECT array_agg(rpad(comment, 4000, 'x')) a FROM tpch.tiny.lineitem GROUP BY linenumber) t";
    for (let round = 0; round < 2; round++) {
      const responses = await engine.chain(large);
      expect(responses.flatMap(({ data }) => data ?? [])).toEqual([[60_175]]);
      // Not the resident bytes: on a busy machine the delay may have passed before they are read.
      const { stats } = responses.at(-1) as unknown as { readonly stats: { readonly peakMemoryBytes: number } };
      expect(stats.peakMemoryBytes).toBeGreaterThan(128 * megabyte);
      // Bounded by the test's own timeout.
      while (residentBytes() > 64 * megabyte) {
        await cluster.wait(20);
      }
      // Kernels compiled earlier run on the new memory.
      expect(await engine.rows(ask)).toEqual(before);
    }
  });
});
