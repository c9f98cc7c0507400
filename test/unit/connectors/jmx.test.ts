/** The connector `jmx`: beans of all nodes as tables, as Trino's documentation shows them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../../src/testing/index.ts";

describe("a catalog of beans", () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await withCluster({
      workers: 2,
      http: false,
      properties: { "catalog.management": "dynamic" },
      catalogs: {
        jmx: {
          "connector.name": "jmx",
          "jmx.dump-tables": "java.lang:type=Runtime,trino.memory:name=general\\,type=memorypool",
          "jmx.dump-period": "1ms",
          "jmx.max-entries": "3",
        },
        tpch: { "connector.name": "tpch" },
      },
    });
  });

  afterAll(async () => {
    await cluster?.close();
  });

  const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await cluster.query(sql)).rows;
  const failureOf = (sql: string): Promise<string> =>
    cluster.query(sql).then(
      () => "no error",
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
    );

  it("lists beans as tables", async () => {
    expect(await rowsOf("SHOW SCHEMAS FROM jmx")).toEqual([["current"], ["history"], ["information_schema"]]);
    expect((await rowsOf("SHOW TABLES FROM jmx.current")).flat()).toEqual([
      "java.lang:type=runtime",
      "orrery.page:name=framepool",
      "trino.execution.executor:name=taskexecutor",
      "trino.execution:name=clustersizemonitor",
      "trino.execution:name=querymanager",
      "trino.execution:name=sqltaskmanager",
      "trino.memory:name=general,type=memorypool",
    ]);
    expect((await rowsOf("SHOW TABLES FROM jmx.history")).flat()).toEqual([
      "java.lang:type=runtime",
      "trino.memory:name=general,type=memorypool",
    ]);
    expect(await rowsOf('DESCRIBE jmx.history."java.lang:type=runtime"')).toEqual(
      [
        ["timestamp", "timestamp(3) with time zone"],
        ["node", "varchar"],
        ["object_name", "varchar"],
        ["name", "varchar"],
        ["starttime", "bigint"],
        ["uptime", "bigint"],
        ["vmname", "varchar"],
        ["vmversion", "varchar"],
      ].map((row) => [...row, "", ""]),
    );
    expect(await failureOf('SELECT * FROM jmx.current."java.lang:type=nothing"')).toContain("TABLE_NOT_FOUND");
    expect(await failureOf('SELECT * FROM jmx.history."trino.execution:name=querymanager"')).toContain("TABLE_NOT_FOUND");
  });

  it("has a row for each node, and beans of the coordinator on it alone", async () => {
    const nodes = await rowsOf("SELECT node_id FROM system.runtime.nodes ORDER BY 1");
    expect(await rowsOf('SELECT node FROM jmx.current."java.lang:type=runtime" WHERE uptime >= 0 ORDER BY 1')).toEqual(nodes);
    await rowsOf("SELECT count(*) FROM tpch.tiny.nation WHERE regionkey = 1");
    const manager = await rowsOf(
      'SELECT node, runningqueries, queuedqueries, "failedqueries.totalcount" > 0, "consumedinputrows.totalcount" >= 25 FROM jmx.current."trino.execution:name=querymanager"',
    );
    const [coordinator] = await rowsOf("SELECT node_id FROM system.runtime.nodes WHERE coordinator");
    expect(manager).toEqual([[coordinator?.[0], 1n, 0n, true, true]]);
    expect(
      await rowsOf(
        'SELECT count(*) FROM jmx.current."trino.memory:name=general,type=memorypool" WHERE maxbytes = freebytes + reservedbytes',
      ),
    ).toEqual([[BigInt(nodes.length)]]);
    expect(await rowsOf('SELECT sum("inputpositions.totalcount") >= 25 FROM jmx.current."trino.execution:name=sqltaskmanager"')).toEqual([
      [true],
    ]);
  });

  it("takes a name with * for all beans that match", async () => {
    expect(await rowsOf('SELECT DISTINCT object_name FROM jmx.current."trino.execution*" ORDER BY 1')).toEqual(
      [
        "trino.execution.executor:name=taskexecutor",
        "trino.execution:name=clustersizemonitor",
        "trino.execution:name=querymanager",
        "trino.execution:name=sqltaskmanager",
      ].map((name) => [name]),
    );
    expect(await rowsOf('SELECT count(runningqueries), count(totalsplits) > 1 FROM jmx.current."*:name=*"')).toEqual([[1n, true]]);
    expect(await failureOf('SELECT * FROM jmx.current."*runtime*runtime"')).toContain("TABLE_NOT_FOUND");
  });

  it("keeps the newest samples of chosen beans", async () => {
    const samples = 'FROM jmx.history."java.lang:type=runtime"';
    for (let kept: unknown = 0n; kept !== 3n; ) {
      [[kept]] = (await rowsOf(`SELECT min(n) FROM (SELECT count(*) n ${samples} GROUP BY node)`)) as [[unknown]];
    }
    expect(
      await rowsOf(
        `SELECT count(*), count(DISTINCT node), bool_and(earlier IS NULL OR earlier <= timestamp) FROM (SELECT *, lag(timestamp) OVER (PARTITION BY node ORDER BY uptime) earlier ${samples})`,
      ),
    ).toEqual([[9n, 3n, true]]);
  });

  it("refuses properties that it cannot keep", async () => {
    for (const [property, value] of [
      ["jmx.dump-tables", "no.such:bean"],
      ["jmx.dump-period", "0s"],
      ["jmx.max-entries", "0"],
      ["jmx.max-entries", "many"],
    ]) {
      const failure = await failureOf(`CREATE CATALOG bad USING jmx WITH ("jmx.dump-tables" = 'java.lang:*', "${property}" = '${value}')`);
      expect(failure).toContain(
        property === "jmx.dump-tables" ? "DUPLICATE_PROPERTY" : `Invalid value '${value}' for property '${property}'`,
      );
    }
    expect(await failureOf(`CREATE CATALOG bad USING jmx WITH ("jmx.dump-tables" = 'no.such:bean')`)).toContain(
      "Invalid value 'no.such:bean' for property 'jmx.dump-tables'",
    );
  });
});
