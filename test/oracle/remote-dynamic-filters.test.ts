/**
 * Joins with both sides partitioned by hash: the build keys of their tasks reach the scans of other tasks, which skip rows without a match.
 * DuckDB returns the same rows.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";
import { copyTpchTables } from "../support/oracle/tpch-tables.ts";

let cluster: LoopbackCluster;
let engine: Asker;
let plain: Asker;
let duckdb: Oracle;

beforeAll(async () => {
  [cluster, duckdb] = await Promise.all([startLoopbackCluster({ workers: 3 }), openDuckDb({ threads: 1 })]);
  const session = (filtering: boolean): string =>
    `join_distribution_type=PARTITIONED,join_reordering_strategy=NONE,enable_dynamic_filtering=${filtering}`;
  const asker = new Asker(cluster, { "x-engine-user": "oracle", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" });
  engine = asker.with({ "x-engine-session": session(true) });
  plain = asker.with({ "x-engine-session": session(false) });
  await copyTpchTables(asker, duckdb);
}, 300_000);

afterAll(async () => {
  await cluster.stop();
  duckdb.close();
});

async function planOf(sql: string, asker = engine): Promise<string> {
  const [[plan] = []] = await asker.rows(sql);
  return plan as string;
}

/** Fragments of a plan, by number. */
function fragments(plan: string): readonly string[] {
  return plan.split(/^Fragment /m).slice(1);
}

it.each([
  ["keys told one by one", "lineitem l JOIN (SELECT * FROM orders WHERE orderkey BETWEEN 4000 AND 5000) o ON l.orderkey = o.orderkey", 1],
  ["no key at all", "lineitem l JOIN (SELECT * FROM orders WHERE totalprice < 0) o ON l.orderkey = o.orderkey", 1],
  ["a date", "lineitem l JOIN (SELECT DISTINCT orderdate FROM orders WHERE orderkey < 200) o ON l.shipdate = o.orderdate", 1],
  ["a text", "orders o JOIN (SELECT DISTINCT clerk FROM orders WHERE orderkey < 50) l ON l.clerk = o.clerk", 1],
  ["two keys", "lineitem l JOIN (SELECT * FROM partsupp WHERE partkey < 5) o ON l.partkey = o.partkey AND l.suppkey = o.suppkey", 2],
  ["IN", "lineitem l WHERE partkey IN (SELECT partkey FROM partsupp WHERE suppkey < 3)", 1],
  [
    "groups by the key",
    "(SELECT partkey, count(*) AS n FROM lineitem GROUP BY partkey) l JOIN (SELECT * FROM part WHERE size = 7) o ON l.partkey = o.partkey",
    1,
  ],
])("%s: %s", async (_, from, filters) => {
  const sql = `SELECT count(*), count(DISTINCT l.${from.includes("l.clerk") ? "clerk" : from.includes("shipdate") ? "shipdate" : "partkey"}) FROM ${from}`;
  const text = await planOf(`EXPLAIN ${sql}`);
  const uses = [...text.matchAll(/TableScan\[[^\n]*dynamicFilters = \{([^}]*)\}/g)];
  expect(
    uses.map((match) => (match[1] as string).split(",").length),
    text,
  ).toEqual([filters]);
  const [, id] = /#(df_\w+)\}?, ?|#(df_\w+)/.exec(uses[0]?.[1] as string) ?? [];
  // Produced in one fragment and awaited in another.
  expect(fragments(text).filter((fragment) => fragment.includes(`#${id ?? ""}`)).length).toBeGreaterThan(1);
  const rows = await engine.rows(sql);
  const [expected] = await duckdb.rows(sql);
  expect(rows[0]?.map(String)).toEqual(expected?.map(String));
  expect(await plain.rows(sql)).toEqual(rows);
  expect(await planOf(`EXPLAIN ANALYZE ${sql}`)).toMatch(/Dynamic filters: \d+ rows? filtered/);
});
