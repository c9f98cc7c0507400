/**
 * Parquet files whose row groups are skipped because of the build side's keys: what is read of them, and that DuckDB returns the same rows.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";

const rowCount = 30_720;
const groupRows = 6_144;
const folder = mkdtempSync(join(tmpdir(), "dynamic-filters-"));

let cluster: LoopbackCluster;
let engine: Asker;
let duckdb: Oracle;

beforeAll(async () => {
  duckdb = await openDuckDb({ threads: 1 });
  await duckdb.run(
    `CREATE TABLE t AS SELECT i AS k, DATE '2020-01-01' + (i // 100)::INTEGER AS day, (i / 100)::DECIMAL(9, 2) AS price,
      'word ' || (i // ${groupRows}) || '-' || (i % 10) AS word, 'some text ' || i AS text FROM range(${rowCount}) r(i)`,
  );
  await duckdb.run(`COPY t TO '${join(folder, "t.parquet")}' (FORMAT PARQUET, ROW_GROUP_SIZE ${groupRows})`);
  cluster = await startLoopbackCluster({
    catalogs: [{ name: "files", properties: { "connector.name": "files", "files.directory": folder } }],
  });
  engine = new Asker(cluster, { "x-engine-user": "oracle", "x-engine-catalog": "files", "x-engine-schema": "default" });
}, 300_000);

afterAll(async () => {
  await cluster.stop();
  duckdb.close();
  rmSync(folder, { recursive: true });
});

/** Rows that the scan of `t` read, from EXPLAIN ANALYZE. */
async function rowsRead(sql: string, asker = engine): Promise<number> {
  const [[plan] = []] = await asker.rows(`EXPLAIN ANALYZE ${sql}`);
  const after = (plan as string).slice((plan as string).indexOf("files:default.t"));
  const match = /Input: (\d+) rows?/.exec(after);
  expect(match, plan as string).not.toBeNull();
  return Number(match?.[1]);
}

it.each([
  ["k", "(BIGINT '7'), (BIGINT '6000'), (NULL)", 1],
  ["k", "(BIGINT '7'), (BIGINT '30000')", 2],
  ["k", "(BIGINT '-1'), (BIGINT '90000')", 0],
  ["k", "(BIGINT '90000'), (BIGINT '90001')", 0],
  ["day", "(DATE '2020-01-02'), (DATE '2020-01-03')", 1],
  ["price", "(DECIMAL '0000070.07'), (DECIMAL '0000130.25')", 2],
  ["word", "('word 3-7'), ('word 3-1'), ('nothing')", 1],
  ["word", "('nothing'), (NULL)", 0],
])("of the keys %s = %s %i of 5 row groups are read", async (column, values, groups) => {
  const sql = `SELECT count(*), min(t.k), max(t.text) FROM t JOIN (VALUES ${values}) v (x) ON t.${column} = v.x`;
  const [row] = await engine.rows(sql);
  const [expected] = await duckdb.rows(sql.replace(/(BIGINT|DECIMAL) '([^']*)'/g, "$2"));
  expect(row?.map(String)).toEqual(expected?.map(String));
  expect(await rowsRead(sql)).toBe(groups * groupRows);
  const plain = engine.with({ "x-engine-session": "enable_dynamic_filtering=false" });
  expect(await plain.rows(sql)).toEqual([row]);
  expect(await rowsRead(sql, plain)).toBe(rowCount);
});
