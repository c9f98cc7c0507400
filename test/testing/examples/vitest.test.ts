/** `orrery/testing` in vitest: a cluster for each test. */
import { expect, test } from "vitest";
import { QueryFailedError, withCluster } from "orrery/testing";

test("sums by status", async () => {
  await using cluster = await withCluster();
  await cluster.load("memory.default.orders", [
    { id: 1n, status: "open", price: 10.5 },
    { id: 2n, status: "open", price: 4.5 },
    { id: 3n, status: "shipped", price: 7 },
  ]);
  const { objects } = await cluster.query("SELECT status, sum(price) AS total FROM memory.default.orders GROUP BY status ORDER BY 1");
  expect(objects).toEqual([
    { status: "open", total: 15 },
    { status: "shipped", total: 7 },
  ]);
});

test("a query whose worker dies runs again on the other one", async () => {
  await using cluster = await withCluster({ workers: 2 });
  const running = cluster.query("SELECT count(*) FROM tpch.sf1.lineitem");
  await cluster.working("worker-1");
  await cluster.kill("worker-1");
  expect((await running).rows).toEqual([[6_001_215n]]);
});

test("without retries it fails, and the next one runs", async () => {
  await using cluster = await withCluster({ workers: 2, properties: { "retry-policy": "NONE" } });
  const running = cluster.query("SELECT sum(quantity) FROM tpch.sf1.lineitem");
  const failure = expect(running).rejects.toThrow(QueryFailedError);
  await cluster.working("worker-1");
  await cluster.kill("worker-1");
  await failure;
  await cluster.untilActive(1);
  expect((await cluster.query("SELECT count(*) FROM tpch.tiny.nation")).rows).toEqual([[25n]]);
});

test("a client survives an overloaded coordinator", async () => {
  await using cluster = await withCluster({ chaos: { fate: "status", status: 503, from: "client", path: "/v1/statement", times: 3 } });
  const response = await fetch(`${cluster.uri}/v1/statement`, { method: "POST", body: "SELECT 1", headers: { "x-trino-user": "me" } });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
});
