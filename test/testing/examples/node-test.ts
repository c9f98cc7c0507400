/** `orrery/testing` in node:test: a cluster for a test, closed by a function. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withCluster } from "orrery/testing";

test("rows are exact", async () => {
  await withCluster({ workers: 2, http: false }, async (cluster) => {
    const { rows } = await cluster.query("SELECT max(orderkey), sum(totalprice) > 0 FROM tpch.tiny.orders");
    assert.deepEqual(rows, [[60_000n, true]]);
  });
});

test("a node that is cut off is used again after the cut", async () => {
  await withCluster({ workers: 2, properties: { "failure-detector.heartbeat-timeout": "200ms" } }, async (cluster) => {
    const cut = cluster.partition("worker-2");
    await cluster.untilActive(1);
    cut.heal();
    await cluster.untilActive(2);
  });
});
