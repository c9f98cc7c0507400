/**
 * Which scans wait for the keys of joins in other fragments, and that no cyclic wait exists.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { TableMetadata, TableStatistics } from "../../../src/connectors/table-metadata.ts";
import type { FragmentedPlan } from "../../../src/planner/fragmenter/fragment.ts";
import type { PlanNode } from "../../../src/planner/plan/node.ts";
import { sourcesOf, visitPlan } from "../../../src/planner/plan/plan-tree.ts";
import { atOnce } from "../../../src/planner/pieces.ts";
import { validateInPieces } from "../../../src/planner/plan/validate.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const connector = tpchConnector();
const partitioned = { join_distribution_type: "PARTITIONED", join_reordering_strategy: "NONE" };

function planner(properties: Readonly<Record<string, string>> = partitioned, schema = "sf1"): TestPlanner {
  return new TestPlanner({ tpch: connector }, { catalog: "tpch", schema, properties });
}

/** `fragment table.column <- fragment of the join` for each scan that waits. */
async function filters(sql: string, one = planner()): Promise<readonly string[]> {
  const { plan } = await one.plan(sql);
  atOnce(validateInPieces(plan));
  const tellers = new Map<string, number>();
  const found: string[] = [];
  for (const { id, root } of plan.fragments) {
    visitPlan(root, (node) => {
      if (node.kind === "Join" || node.kind === "SemiJoin") {
        for (const filter of Object.keys(node.remoteDynamicFilters ?? {})) {
          tellers.set(filter, id);
        }
      }
      if (node.kind !== "TableScan") {
        return;
      }
      for (const { id: filter, variable } of node.remoteDynamicFilters ?? []) {
        const column = node.columns[node.outputs.findIndex(({ name }) => name === variable.name)]?.name;
        found.push(`${id} ${node.table.name.table}.${column} <- ${tellers.get(filter)}`);
      }
    });
  }
  return found;
}

/** The same object with another member in place of its own. */
function withMember<T extends object, K extends keyof T>(object: T, name: K, member: T[K]): T {
  return new Proxy(object, {
    get(target, asked) {
      const own: unknown = asked === name ? member : Reflect.get(target, asked);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

const few = "(SELECT * FROM orders WHERE o_orderkey < 100)";

describe("a scan in another task", () => {
  test("waits for the keys of a join whose both sides are spread by hash", async () => {
    expect(await filters(`SELECT count(*) FROM lineitem JOIN ${few} o ON l_orderkey = o_orderkey`)).toEqual(["2 lineitem.l_orderkey <- 1"]);
    const both = "lineitem JOIN (SELECT * FROM partsupp WHERE ps_partkey < 3) p ON l_partkey = ps_partkey AND l_suppkey = ps_suppkey";
    expect(await filters(`SELECT count(*) FROM ${both}`)).toEqual(["2 lineitem.l_partkey <- 1", "2 lineitem.l_suppkey <- 1"]);
  });

  test("waits for them through groups, and through joins that keep what it is joined by", async () => {
    const grouped = "(SELECT l_partkey AS k, count(*) AS n FROM lineitem GROUP BY 1)";
    expect(
      await filters(`SELECT count(*), sum(n) FROM ${grouped} JOIN (SELECT * FROM part WHERE p_partkey < 50) p ON k = p_partkey`),
    ).toEqual(["2 lineitem.l_partkey <- 1"]);
    const below = "lineitem JOIN part ON l_partkey = p_partkey";
    expect(await filters(`SELECT count(*), min(p_size) FROM ${below} JOIN ${few} o ON l_orderkey = o_orderkey`)).toEqual([
      "4 lineitem.l_orderkey <- 1",
    ]);
  });

  test("waits for none where its rows are kept without a match, or for something else than their key", async () => {
    expect(await filters(`SELECT count(*) FROM lineitem LEFT JOIN ${few} o ON l_orderkey = o_orderkey`)).toEqual([]);
    expect(await filters(`SELECT count(*) FROM lineitem FULL JOIN ${few} o ON l_orderkey = o_orderkey`)).toEqual([]);
    expect(
      await filters("SELECT count(*) FROM lineitem WHERE l_orderkey NOT IN (SELECT o_orderkey FROM orders WHERE o_orderkey < 100)"),
    ).toEqual([]);
    expect(await filters(`SELECT count(*) FROM lineitem JOIN ${few} o ON l_orderkey + 1 = o_orderkey`)).toEqual([]);
    expect(await filters(`SELECT count(*) FROM (SELECT * FROM lineitem LIMIT 5000) JOIN ${few} o ON l_orderkey = o_orderkey`)).toEqual([]);
  });

  test("waits for many keys where they drop more rows than the build side has", async () => {
    const joined = "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey";
    const early = `${joined} WHERE o_orderdate < DATE '1993-01-01'`;
    expect(await filters(early)).toEqual(["2 lineitem.l_orderkey <- 1"]);
    expect(await filters(early, planner({ ...partitioned, optimizer_rules: "-large_remote_filters" }))).toEqual([]);
    // Half of the orders, and as many rows of lineitem as of orders.
    expect(await filters(`${joined} WHERE o_orderdate < DATE '1996-01-01'`)).toEqual([]);
    expect(await filters(`${early} AND l_shipdate < DATE '1992-02-01'`)).toEqual([]);
    // Texts have no bits.
    expect(
      await filters("SELECT count(*) FROM lineitem JOIN (SELECT * FROM orders WHERE o_orderkey < 60000) o ON l_comment = o_comment"),
    ).toEqual([]);
  });

  test("waits for many keys where only the bounds of its column are known, if it fills them", async () => {
    const { metadata } = connector;
    const getStatistics = async (table: TableMetadata): Promise<TableStatistics> => {
      const { columns, ...rest } = (await metadata.getStatistics?.(table)) ?? { columns: {} };
      const bounds = Object.entries(columns).map(([column, { low, high }]) => [
        column,
        { ...(low !== undefined && { low }), ...(high !== undefined && { high }) },
      ]);
      return { ...rest, columns: Object.fromEntries(bounds) };
    };
    const bounded = withMember(connector, "metadata", withMember(metadata, "getStatistics", getStatistics));
    const one = new TestPlanner({ tpch: bounded }, { catalog: "tpch", schema: "sf1", properties: partitioned });
    const joined = "SELECT count(*) FROM lineitem JOIN part ON l_partkey = p_partkey WHERE p_partkey < 20000";
    expect(await filters(joined, one)).toEqual(["2 lineitem.l_partkey <- 1"]);
    // All parts: nothing would be dropped.
    expect(await filters("SELECT count(*) FROM lineitem JOIN part ON l_partkey = p_partkey", one)).toEqual([]);
    // Keys of orders are a quarter of their range, and more than the rows of orders.
    const sparse = "SELECT count(*) FROM orders JOIN lineitem ON o_orderkey = l_orderkey WHERE l_orderkey < 600000";
    expect(await filters(sparse, one)).toEqual([]);
  });

  test("waits for a second filter of many keys only for the rows that the first one keeps", async () => {
    const sql = `SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey
      JOIN part ON l_partkey = p_partkey WHERE o_orderdate < DATE '1992-03-01' AND p_size < 20`;
    expect(await filters(sql)).toEqual(["4 lineitem.l_orderkey <- 2"]);
    expect(await filters(sql.replace("o_orderdate < DATE '1992-03-01' AND", ""))).toEqual(["4 lineitem.l_partkey <- 1"]);
  });

  test("waits only where that is worth a round trip: for few keys, over many rows", async () => {
    const joined = "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey";
    expect(await filters(joined)).toEqual([]);
    const some = `${joined} WHERE o_totalprice > 500000`;
    expect(await filters(some, planner({ ...partitioned, optimizer_rules: "-large_remote_filters" }))).toEqual([]);
    expect(
      await filters("SELECT count(*) FROM customer JOIN (SELECT * FROM nation WHERE n_regionkey = 1) n ON c_nationkey = n_nationkey"),
    ).toEqual(["2 customer.c_nationkey <- 1"]);
    const tiny = planner(partitioned, "sf0.001");
    const nations = "SELECT count(*) FROM customer JOIN (SELECT * FROM nation WHERE n_regionkey = 1) n ON c_nationkey = n_nationkey";
    expect(await filters(nations, tiny)).toEqual([]);
    const off = planner({ ...partitioned, enable_dynamic_filtering: "false" });
    expect(await filters(`SELECT count(*) FROM lineitem JOIN ${few} o ON l_orderkey = o_orderkey`, off)).toEqual([]);
  });

  test("waits for none when others read its fragment too", async () => {
    const sums = "WITH s (k, n) AS (SELECT l_orderkey, count(*) FROM lineitem GROUP BY 1)";
    const joined = `SELECT count(*) FROM s JOIN ${few} o ON k = o_orderkey`;
    expect(await filters(`${sums} ${joined}`)).toEqual(["2 lineitem.l_orderkey <- 1"]);
    const twice = `${sums} SELECT * FROM (${joined}) UNION ALL SELECT max(n) FROM s`;
    const shared = await filters(twice);
    const apart = await filters(twice, planner({ ...partitioned, share_common_subplans: "false" }));
    expect([shared.length, apart.length]).toEqual([0, 1]);
  });

  test("of a broadcast join waits where an exchange lies below the join", async () => {
    const grouped = "(SELECT l_partkey AS k, count(*) AS n FROM lineitem GROUP BY 1)";
    const sql = `SELECT count(*), sum(n) FROM ${grouped} JOIN (SELECT * FROM part WHERE p_partkey < 50) p ON k = p_partkey`;
    expect(await filters(sql, planner({ ...partitioned, join_distribution_type: "BROADCAST" }))).toEqual(["2 lineitem.l_partkey <- 1"]);
  });
});

/** Dependencies of each node: its sources, the fragments that a remote source reads, and the build sides that a scan waits for. */
function needs({ fragments }: FragmentedPlan): ReadonlyMap<PlanNode, readonly PlanNode[]> {
  const builds = new Map<string, PlanNode>();
  const edges = new Map<PlanNode, readonly PlanNode[]>();
  for (const { root } of fragments) {
    visitPlan(root, (node) => {
      if (node.kind !== "Join" && node.kind !== "SemiJoin") {
        return;
      }
      for (const id of Object.keys({ ...node.dynamicFilters, ...node.remoteDynamicFilters })) {
        builds.set(id, node.kind === "Join" ? node.right : node.build === "SOURCE" ? node.source : node.filtering);
      }
    });
  }
  for (const { root } of fragments) {
    visitPlan(root, (node) => {
      const read = node.kind === "RemoteSource" ? node.fragmentIds.flatMap((id) => fragments[id]?.root ?? []) : sourcesOf(node);
      const awaited = node.kind === "TableScan" ? [...(node.dynamicFilters ?? []), ...(node.remoteDynamicFilters ?? [])] : [];
      edges.set(node, [...read, ...awaited.map(({ id }) => builds.get(id) as PlanNode)]);
    });
  }
  return edges;
}

function hasCycle(edges: ReadonlyMap<PlanNode, readonly PlanNode[]>): boolean {
  const state = new Map<PlanNode, "open" | "done">();
  const visit = (node: PlanNode): boolean => {
    if (state.get(node) !== undefined) {
      return state.get(node) === "open";
    }
    state.set(node, "open");
    const found = (edges.get(node) ?? []).some(visit);
    state.set(node, "done");
    return found;
  };
  return [...edges.keys()].some(visit);
}

describe("over all of TPC-H", () => {
  const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "oracle", "tpch");
  const statements = readdirSync(folder).filter((file) => file.endsWith(".sql"));

  test.each(["PARTITIONED", "BROADCAST", "AUTOMATIC"])("no scan waits for what needs it, joins being %s", async (distribution) => {
    let waiting = 0;
    for (const reordering of ["AUTOMATIC", "NONE"]) {
      const one = planner({ join_distribution_type: distribution, join_reordering_strategy: reordering });
      for (const file of statements) {
        const { plan } = await one.plan(readFileSync(join(folder, file), "utf8"));
        expect(hasCycle(needs(plan)), file).toBe(false);
        waiting += (JSON.stringify(plan).match(/remoteDynamicFilters/g) ?? []).length;
      }
    }
    expect(waiting).toBeGreaterThan(0);
  });
});
