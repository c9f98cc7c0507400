/** The 22 queries of TPC-H on clusters of two and five workers against DuckDB over the same tables, with money as decimals: exact to the last digit, and the same
 * rows in the same order when asked again. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { type Oracle, openDuckDb } from "../support/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";
import { copyTpchTables } from "../support/tpch-tables.ts";
import { difference } from "./compare.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "tpch");
const queries = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const catalogs = [
  {
    name: "tpch",
    properties: { "connector.name": "tpch", "tpch.column-naming": "STANDARD", "tpch.double-type-mapping": "DECIMAL" },
  },
];

let duckdb: Oracle;
const clusters: LoopbackCluster[] = [];

function engineOf(cluster: LoopbackCluster): Asker {
  return new Asker(cluster, { "x-engine-user": "tpch", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" });
}

async function ask(engine: Asker, sql: string): Promise<{ readonly types: readonly string[]; readonly rows: JsonValue[][] }> {
  const responses = await engine.chain(sql);
  const error = responses.at(-1)?.["error"] as { message: string } | undefined;
  expect(error?.message).toBeUndefined();
  const columns = responses.at(-1)?.["columns"] as { name: string; type: string }[];
  return {
    types: columns.map((column) => column.type.replace(/,(?=\d)/, ", ")),
    rows: responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]),
  };
}

beforeAll(async () => {
  duckdb = await openDuckDb({ threads: 1 });
  clusters.push(await startLoopbackCluster({ workers: 2, catalogs }), await startLoopbackCluster({ workers: 5, catalogs }));
  await copyTpchTables(engineOf(clusters[0] as LoopbackCluster), duckdb);
}, 300_000);

afterAll(async () => {
  for (const cluster of clusters) {
    await cluster.stop();
  }
  duckdb.close();
});

describe("TPC-H", () => {
  for (const query of queries) {
    it(query, async () => {
      const sql = readFileSync(join(folder, query), "utf8");
      const expected = await duckdb.rows(sql);
      for (const cluster of clusters) {
        const { types, rows } = await ask(engineOf(cluster), sql);
        expect(difference(rows, expected, { types, ordered: true }), `${cluster.workerUris.length} workers`).toBeUndefined();
        expect((await ask(engineOf(cluster), sql)).rows).toEqual(rows);
      }
    });
  }
});
