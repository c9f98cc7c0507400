/**
 * Join orders that depend on keys, ranges and equalities, with TPC-H's statistics.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ColumnStatistics, Connector } from "../../../../../src/connectors/spi.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });

/** Statistics of a column, without what the files of a format do not hold. */
type Kept = (statistics: ColumnStatistics) => ColumnStatistics;

/** TPC-H without keys and with part of the statistics of columns. */
function withStatistics(kept: Kept | undefined): Connector {
  const connector = tpchConnector();
  const { metadata } = connector;
  return {
    ...connector,
    metadata: {
      ...metadata,
      listSchemas: () => metadata.listSchemas(),
      listTables: (schema) => metadata.listTables(schema),
      getTable: async (name) => {
        const { uniqueKeys: _keys, ...table } = (await metadata.getTable(name)) ?? { name, columns: [], handle: null };
        return table;
      },
      getStatistics: async (table) => {
        const { rowCount = 0, columns = {} } = (await metadata.getStatistics?.(table)) ?? {};
        const some = kept === undefined ? [] : Object.entries(columns).map(([name, column]) => [name, kept(column)] as const);
        return { rowCount, columns: Object.fromEntries(some) };
      },
    },
  };
}

/** As of Parquet files: minimum and maximum of numbers and dates, no distinct counts. */
const uncounted = withStatistics(({ distinctValues: _values, averageBytes: _bytes, ...rest }) => rest);
const uncountedPlanner = new TestPlanner({ tpch: uncounted }, { catalog: "tpch", schema: "sf1" });
/** As of CSV and JSON lines: rows of tables, nothing of columns. */
const rowsPlanner = new TestPlanner({ tpch: withStatistics(undefined) }, { catalog: "tpch", schema: "sf1" });

/** `InnerJoin[...]` and scans in EXPLAIN's order, with estimated rows. */
async function outline(sql: string, by = planner): Promise<readonly string[]> {
  const text = await by.explain(sql);
  const found = [...text.matchAll(/- (\w*Join\[[^\n]*\]|TableScan\[[^\]]*\]) =>[^\n]*\n\s*Estimates: \{rows: (\d+)/g)];
  return found.map(([, node = "", rows]) => `${node.replace(/TableScan\[tpch:sf1\.(\w+)[^\]]*\]/, "$1")} ${rows}`);
}

test("a column that is equal to a third by way of a second is joined with it at once", async () => {
  const joins = await outline(
    "SELECT count(*) FROM nation, supplier, customer WHERE s_nationkey = n_nationkey AND s_nationkey = c_nationkey AND n_name = 'CHINA'",
  );
  expect(joins[0]).toMatch(/^InnerJoin\[\("c_nationkey" = "s_nationkey"\)\]/);
  expect(joins.some((join) => join.startsWith('InnerJoin[("s_nationkey" = "n_nationkey")]'))).toBe(true);
});

test("columns of one relation that are equal to the same column are compared before the join", async () => {
  const text = await planner.explain("SELECT count(*) FROM lineitem, orders WHERE l_orderkey = o_orderkey AND l_partkey = o_orderkey");
  expect(text).toMatch(/Filter\[filterPredicate = \("l_partkey" = "l_orderkey"\)\]/);
  expect(text.match(/InnerJoin\[[^\n]*\] =>/g)).toHaveLength(1);
  expect(text).not.toMatch(/InnerJoin\[[^\n]* AND [^\n]*\] =>/);
});

test("a join on the full key of a table has the rows of the other side, reduced by the table's filter", async () => {
  expect(await outline("SELECT count(*) FROM lineitem, partsupp WHERE ps_partkey = l_partkey AND ps_suppkey = l_suppkey")).toEqual([
    'InnerJoin[("l_partkey" = "ps_partkey") AND ("l_suppkey" = "ps_suppkey")] 6001215',
    "lineitem 6001215",
    "partsupp 800000",
  ]);
});

test("two bounds of a column are one range", async () => {
  const text = await planner.explain(
    "SELECT count(*) FROM orders WHERE o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01'",
  );
  expect(Number(/Filter[^\n]*\n\s*Estimates: \{rows: (\d+)/.exec(text)?.[1])).toBeCloseTo(227_651, -4);
});

test("the small tables are joined first and the large one probes once", async () => {
  const joins = await outline(
    "SELECT count(*) FROM lineitem, part, partsupp WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey AND p_partkey = l_partkey AND p_name LIKE '%green%'",
  );
  expect(joins.map((join) => join.replace(/ \d+$/, ""))).toEqual([
    'InnerJoin[("l_partkey" = "p_partkey") AND ("l_suppkey" = "ps_suppkey")]',
    "lineitem",
    'InnerJoin[("ps_partkey" = "p_partkey")]',
    "partsupp",
    "part",
  ]);
});

test("without counts of distinct values, customers and suppliers do not meet by nation before orders and lineitem do by their key", async () => {
  const joins = await outline(
    `SELECT count(*) FROM customer, orders, lineitem, supplier, nation, region
     WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey AND c_nationkey = s_nationkey
       AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = 'ASIA' AND o_orderdate < DATE '1993-01-01'`,
    uncountedPlanner,
  );
  expect(joins.map((join) => join.replace(/ \d+$/, ""))).toEqual([
    'InnerJoin[("l_suppkey" = "s_suppkey") AND ("c_nationkey" = "s_nationkey")]',
    'InnerJoin[("l_orderkey" = "o_orderkey")]',
    "lineitem",
    'InnerJoin[("o_custkey" = "c_custkey")]',
    "orders",
    "supplier",
    'InnerJoin[("c_nationkey" = "n_nationkey")]',
    "customer",
    'InnerJoin[("n_regionkey" = "r_regionkey")]',
    "nation",
    "region",
  ]);
});

test("a range of 25 numbers bounds a join of uncounted columns; a reference has the values of what it refers to", async () => {
  expect(await outline("SELECT count(*) FROM customer, supplier WHERE c_nationkey = s_nationkey", uncountedPlanner)).toEqual([
    'InnerJoin[("c_nationkey" = "s_nationkey")] 60000000',
    "customer 150000",
    "supplier 10000",
  ]);
  // Order keys are sparse: they use a quarter of their range.
  expect(await outline("SELECT count(*) FROM lineitem, orders WHERE l_orderkey = o_orderkey", uncountedPlanner)).toEqual([
    'InnerJoin[("l_orderkey" = "o_orderkey")] 6001215',
    "lineitem 6001215",
    "orders 1500000",
  ]);
});

test("without statistics of columns, the smaller table is taken for the one with the key: a join does not seem to lose the larger's rows", async () => {
  expect(await outline("SELECT count(*) FROM supplier, nation WHERE s_nationkey = n_nationkey", rowsPlanner)).toEqual([
    'InnerJoin[("s_nationkey" = "n_nationkey")] 10000',
    "supplier 10000",
    "nation 25",
  ]);
  const filtered = "SELECT count(*) FROM lineitem, part WHERE l_partkey = p_partkey AND p_name LIKE '%green%'";
  expect((await outline(filtered, rowsPlanner))[0]).toBe('InnerJoin[("l_partkey" = "p_partkey")] 600122');
});

test("without statistics of columns, a key of two columns has as many values as its table has rows", async () => {
  const sql = "SELECT count(*) FROM lineitem, partsupp WHERE ps_partkey = l_partkey AND ps_suppkey = l_suppkey";
  expect((await outline(sql, rowsPlanner))[0]).toMatch(/ 6001215$/);
});

test("query 9 over files of text joins the parts that it wants before line items meet orders", async () => {
  const joins = await outline(readFileSync(new URL("../../../../oracle/tpch/q09.sql", import.meta.url), "utf8"), rowsPlanner);
  expect(joins.indexOf("part 200000")).toBeGreaterThan(joins.indexOf("lineitem 6001215"));
  expect(joins.filter((join) => join.startsWith("InnerJoin")).at(-1)).toMatch(/^InnerJoin\[\("s_nationkey"/);
  expect(joins[0]).toMatch(/^InnerJoin\[\("o_orderkey" = "l_orderkey"\)\] 600122$/);
});
