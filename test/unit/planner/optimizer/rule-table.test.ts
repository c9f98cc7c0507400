/** The session property optimizer_rules, and what each switch changes. */
import { describe, expect, test } from "vitest";
import { normalRules, parseRules, ruleTable } from "../../../../src/planner/optimizer/rule-table.ts";
import { distributedRules, optimizerRules } from "../../../../src/planner/optimizer/optimizer.ts";
import { TestPlanner, tpchConnector } from "../../../support/planning.ts";
import { plan } from "../tpch-catalog.ts";

const switchable = ruleTable.filter(({ required }) => required === undefined).map(({ name }) => name);

describe("the list", () => {
  test("is read from left to right", () => {
    expect([...parseRules("")]).toEqual([]);
    expect([...parseRules(" -Push_Limits , -reorder_joins ")]).toEqual(["push_limits", "reorder_joins"]);
    expect([...parseRules("-push_limits,+push_limits")]).toEqual([]);
    expect([...parseRules("-push_limits,push_limits,-fold_constants")]).toEqual(["fold_constants"]);
    expect([...parseRules("-all")].toSorted()).toEqual(switchable.toSorted());
    expect([...parseRules("-all,+all")]).toEqual([]);
    expect(switchable.filter((name) => !parseRules("-all,+prune_columns").has(name))).toEqual(["prune_columns"]);
    expect(normalRules(" -Push_Limits , +reorder_joins ")).toBe("-push_limits,+reorder_joins");
    expect(normalRules("  ")).toBe("");
  });

  test("names rules that exist and that plans can do without", async () => {
    const known = `Known rules: [${switchable.join(", ")}]`;
    for (const [list, message] of [
      ["-nosuch", `Unknown optimizer rule: 'nosuch'. ${known}`],
      ["-push_limits,", `Unknown optimizer rule: ''. ${known}`],
      ["--push_limits", `Unknown optimizer rule: '-push_limits'. ${known}`],
      ["-__proto__", `Unknown optimizer rule: '__proto__'. ${known}`],
      ["-add_exchanges", "Optimizer rule 'add_exchanges' cannot be switched off: rows of different tasks meet in exchanges only"],
    ] as const) {
      await expect(plan(`SET SESSION optimizer_rules = '${list}'`)).rejects.toThrow(message);
    }
    const set = await plan("SET SESSION optimizer_rules = ' -All, +PUSH_limits'");
    expect(set).toMatchObject({ change: { action: "SET_SESSION", name: "optimizer_rules", value: "-all,+push_limits" } });
  });

  test("every rule of the optimizer is in the table", () => {
    const named = ruleTable.map(({ name }) => name);
    expect(new Set(named).size).toBe(named.length);
    expect([...optimizerRules, ...distributedRules].filter(({ name }) => !named.includes(name))).toEqual([]);
  });
});

/** A statement for each rule, with other session properties where the rule needs them. */
const statements: Readonly<Record<string, string | readonly [string, Readonly<Record<string, string>>]>> = {
  fold_constants: "SELECT n_name FROM nation WHERE n_nationkey > 1 + 2",
  push_predicates: "SELECT n_name FROM nation JOIN region ON n_regionkey = r_regionkey WHERE n_nationkey > 3",
  infer_predicates: "SELECT n_name FROM nation JOIN region ON n_regionkey = r_regionkey WHERE r_regionkey > 3",
  split_disjunctions: `SELECT n_name FROM nation JOIN region ON n_regionkey = r_regionkey
    WHERE (n_name = 'A' AND r_name = 'B') OR (n_name = 'C' AND r_name = 'D')`,
  simplify_conditions: "SELECT n_name FROM nation WHERE coalesce(n_nationkey > 3, false)",
  convert_outer_joins: "SELECT n_name FROM nation LEFT JOIN region ON n_regionkey = r_regionkey WHERE r_name > 'B'",
  remove_empty: "SELECT n_name FROM nation WHERE false",
  join_row_keys: "SELECT n_name FROM nation WHERE (n_nationkey, n_regionkey) IN (SELECT c_nationkey, c_custkey FROM customer)",
  prune_columns: "SELECT n_name FROM (SELECT *, n_nationkey + 1 FROM nation)",
  turn_semi_joins: "SELECT n_name FROM nation WHERE n_regionkey IN (SELECT r_regionkey FROM region)",
  merge_projections: "SELECT a + 1 FROM (SELECT n_nationkey + 1 AS a FROM nation)",
  eliminate_cross_joins: [
    "SELECT 1 FROM nation, orders, region, customer WHERE n_regionkey = r_regionkey AND c_nationkey = n_nationkey AND o_custkey = c_custkey",
    { join_reordering_strategy: "ELIMINATE_CROSS_JOINS" },
  ],
  reorder_joins: "SELECT 1 FROM lineitem JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey WHERE c_name = 'x'",
  join_before_aggregation: `SELECT a.q FROM (SELECT l_orderkey AS k, sum(l_quantity) AS q FROM lineitem GROUP BY l_orderkey) a
    JOIN orders ON a.k = o_orderkey WHERE o_clerk = 'x'`,
  group_distinct: "SELECT n_regionkey, count(DISTINCT n_name) FROM nation GROUP BY n_regionkey",
  aggregate_before_join: "SELECT c_custkey, count(o_orderkey) FROM customer LEFT JOIN orders ON c_custkey = o_custkey GROUP BY c_custkey",
  reduce_grouping_keys: "SELECT o_orderkey, o_clerk, count(*) FROM orders GROUP BY o_orderkey, o_clerk",
  push_limits: "SELECT n_nationkey FROM nation UNION ALL SELECT r_regionkey FROM region LIMIT 3",
  use_top_n: "SELECT n_name FROM nation ORDER BY n_name LIMIT 3",
  merge_windows: "SELECT sum(n_nationkey) OVER (), max(n_name) OVER (PARTITION BY n_regionkey), min(n_name) OVER () FROM nation",
  choose_build_side: "SELECT c_name, l_comment FROM customer LEFT JOIN lineitem ON c_custkey = l_orderkey",
  combine_aggregations: `SELECT x.k FROM (SELECT l_orderkey AS k, count(*) AS c FROM lineitem GROUP BY l_orderkey) x
    JOIN orders ON x.k = o_orderkey
    LEFT JOIN (SELECT l_orderkey AS k, sum(l_quantity) AS q FROM lineitem WHERE l_tax > 0 GROUP BY l_orderkey) y ON x.k = y.k
    WHERE x.c > 1 OR y.q > 1`,
  use_windows: `SELECT l_orderkey FROM lineitem x JOIN part ON l_partkey = p_partkey WHERE p_size = 15 AND p_brand = 'Brand#23'
    AND l_linenumber = (SELECT max(l_linenumber) FROM lineitem WHERE l_partkey = p_partkey)`,
  choose_semi_join_side: `SELECT o_orderkey FROM orders WHERE o_orderdate < DATE '1993-01-01'
    AND EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = o_orderkey)`,
  choose_distribution: "SELECT n_name FROM nation JOIN region ON n_regionkey = r_regionkey",
  use_one_task: ["SELECT n_name FROM nation JOIN region ON n_regionkey = r_regionkey", { min_input_rows_per_task: "600000" }],
  reuse_partitioning: "SELECT k, c, max(k) FROM (SELECT o_custkey AS k, count(*) AS c FROM orders GROUP BY o_custkey) GROUP BY k, c",
  partial_aggregation: "SELECT n_regionkey, count(*) FROM nation GROUP BY n_regionkey",
  partial_top_n: "SELECT n_name FROM nation ORDER BY n_name LIMIT 3",
  partial_limit: "SELECT n_name FROM nation LIMIT 3",
  distributed_sort: "SELECT n_name FROM nation ORDER BY n_name",
  dynamic_filters: "SELECT n_name FROM nation JOIN region ON n_regionkey = r_regionkey WHERE r_name = 'ASIA'",
  share_subplans: `WITH a AS (SELECT n_regionkey AS k, count(*) AS c FROM nation GROUP BY n_regionkey)
    SELECT x.k FROM a x JOIN a y ON x.c = y.c`,
  remote_dynamic_filters: [
    "SELECT s_name FROM supplier JOIN nation ON s_nationkey = n_nationkey WHERE n_name = 'PERU'",
    { join_distribution_type: "PARTITIONED", join_reordering_strategy: "NONE" },
  ],
  large_remote_filters: [
    "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE o_orderdate < DATE '1993-01-01'",
    { join_distribution_type: "PARTITIONED" },
  ],
};

/** One acts when splits are listed (see the fuzzer's rule-plans.ts), the other on connectors that compute (test/databases). */
const elsewhere: readonly string[] = ["prune_splits", "push_into_connectors"];

describe("a switch", () => {
  const connector = tpchConnector();

  test.each(switchable.filter((name) => !elsewhere.includes(name)))("%s changes a plan", async (name) => {
    const given = statements[name] ?? "";
    const [sql, properties] = typeof given === "string" ? [given, {}] : given;
    const planned = async (rules: string) => {
      const session = { catalog: "tpch", schema: "sf1", properties: { ...properties, optimizer_rules: rules } };
      return JSON.stringify((await new TestPlanner({ tpch: connector }, session).plan(sql)).plan);
    };
    const usual = await planned("");
    expect(await planned(`-${name}`)).not.toBe(usual);
    expect(await planned(`-all,+all`)).toBe(usual);
  });
});
