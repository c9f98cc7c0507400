/** `orrery/testing` in jest: one cluster for a file. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Cluster, withCluster } from "orrery/testing";

describe("the report", () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await withCluster({ workers: 1, catalogs: { memory: { "connector.name": "memory" } } });
    await cluster.load("memory.default.visits", [
      { page: "/", ms: 12 },
      { page: "/", ms: 20 },
      { page: "/help", ms: 4 },
    ]);
  });

  afterAll(() => cluster.close());

  test("counts visits", async () => {
    const { objects } = await cluster.query("SELECT page, count(*) AS n FROM visits GROUP BY page ORDER BY n DESC", {
      catalog: "memory",
      schema: "default",
    });
    expect(objects).toEqual([
      { page: "/", n: 2n },
      { page: "/help", n: 1n },
    ]);
  });

  test("names the column that is missing", async () => {
    await expect(cluster.query("SELECT pages FROM memory.default.visits")).rejects.toMatchObject({
      errorName: "COLUMN_NOT_FOUND",
      line: 1,
      column: 8,
    });
  });
});
