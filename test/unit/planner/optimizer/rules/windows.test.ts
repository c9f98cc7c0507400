import { expect, test } from "vitest";
import { addExchanges } from "../../../../../src/planner/fragmenter/exchanges.ts";
import { mergeWindows } from "../../../../../src/planner/optimizer/rules/merge-windows.ts";
import { pruneColumns } from "../../../../../src/planner/optimizer/rules/prune-columns.ts";
import { pushPredicates } from "../../../../../src/planner/optimizer/rules/push-predicates.ts";
import { removeEmpty } from "../../../../../src/planner/optimizer/rules/remove-empty.ts";
import { useWindows } from "../../../../../src/planner/optimizer/rules/join/use-windows.ts";
import type { PlanNode } from "../../../../../src/planner/plan/node.ts";
import { validatePlan } from "../../../../../src/planner/plan/validate.ts";
import { TestPlanner, tpchConnector } from "../../../../support/planning.ts";
import { add, after, column, compare, filter, group, ids, join, number, output, project, scan, text, window } from "./plans.ts";

const lines = (...all: readonly string[]): string => all.join("\n");

test("unused functions are removed, and a window without functions; keys and arguments are kept", () => {
  const plan = window(scan("t", "p", "o", "x", "y", "z"), { by: ["p"], order: ["o"] }, { f: "x", g: "y" });
  expect(after(pruneColumns, output(plan, "f"))).toBe(lines("Output", "  window by p order o: f", "    scan t: p o x"));
  expect(after(pruneColumns, output(plan, "z"))).toBe(lines("Output", "  scan t: z"));
});

test("offsets, keys and limits of frames are read too", () => {
  const base = window(scan("t", "p", "o", "x", "off", "limit", "unread"), { by: ["p"], order: ["o"] }, { f: "x" });
  const [call] = base.functions;
  if (call === undefined) {
    throw new Error("one function");
  }
  const start = { type: "PRECEDING", offset: column("off"), range: { key: column("o"), limit: column("limit") } } as const;
  const plan = { ...base, functions: [{ ...call, frame: { type: "RANGE", start, end: { type: "CURRENT_ROW" } } as const }] };
  expect(after(pruneColumns, output(plan, "f"))).toContain("scan t: p o x off limit");
});

test("a condition on partition keys goes below: it takes whole partitions; others stay", () => {
  const plan = filter(
    window(scan("t", "p", "o", "x"), { by: ["p"], order: ["o"] }, { f: "x" }),
    compare("$eq", column("p"), number(1)),
    compare("$lt", column("o"), number(2)),
    compare("$lt", column("f"), number(3)),
  );
  expect(after(pushPredicates, plan)).toBe(
    lines('filter (("o" < 2) AND ("f" < 3))', "  window by p order o: f", '    filter ("p" = 1)', "      scan t: p o x"),
  );
});

test("without partition keys every row counts for every other: nothing goes below", () => {
  const plan = filter(window(scan("t", "o", "x"), { order: ["o"] }, { f: "x" }), compare("$eq", column("o"), number(1)));
  expect(after(pushPredicates, plan)).toBe(lines('filter ("o" = 1)', "  window by  order o: f", "    scan t: o x"));
});

test("a window over nothing is nothing", () => {
  const empty = filter(scan("t", "x"), { kind: "constant", type: { kind: "boolean" }, value: false });
  expect(after(removeEmpty, window(empty, {}, { f: "x" }))).toBe("values x f: 0");
});

test("windows with one specification become one, whatever lies between them", () => {
  const lower = window(scan("t", "p", "q", "o", "x"), { by: ["p", "q"], order: ["o"] }, { f: "x" });
  const middle = window(lower, { by: ["p"] }, { g: "x" });
  const upper = window(middle, { by: ["q", "p"], order: ["o"] }, { h: "x" });
  expect(after(mergeWindows, output(upper, "f", "g", "h"))).toBe(
    lines(
      "Output",
      '  project p="p" q="q" o="o" x="x" f="f" g="g" h="h"',
      "    window by p q order o: f h",
      "      window by p order : g",
      "        scan t: p q o x",
    ),
  );
});

test("windows without partition keys come last", () => {
  const plan = window(window(scan("t", "p", "x"), { order: ["x"] }, { f: "x" }), { by: ["p"] }, { g: "x" });
  expect(after(mergeWindows, output(plan, "f", "g"))).toContain(
    lines("    window by  order x: f", "      window by p order : g", "        scan t: p x"),
  );
});

test("a window stays above the one whose result it reads", () => {
  const plan = window(window(scan("t", "p", "x"), { order: ["x"] }, { f: "x" }), { by: ["p"] }, { g: "f" });
  const before = text(output(plan, "g"));
  expect(after(mergeWindows, output(plan, "g"))).toBe(before);
});

test("windows on both sides of a computation keep apart", () => {
  const lower = window(scan("t", "p", "x"), { by: ["p"] }, { f: "x" });
  const plan = window(project(lower, { p: column("p"), y: add(column("f"), number(1)) }), { by: ["p"] }, { g: "y" });
  expect(after(mergeWindows, output(plan, "g"))).toBe(text(output(plan, "g")));
});

test("rows are spread by the partition keys once for all windows that have them, and gathered for a window without", () => {
  const spread = window(window(scan("t", "p", "q", "x"), { by: ["p"] }, { f: "x" }), { by: ["q", "p"] }, { g: "x" });
  const placed = addExchanges(output(window(spread, {}, { h: "x" }), "h"), ids);
  validatePlan(placed, "exchanges");
  expect(text(placed)).toBe(
    lines(
      "Output",
      "  window by  order : h",
      "    exchange SINGLE",
      "      window by q p order : g",
      "        window by p order : f",
      "          exchange HASH p",
      "            scan t: p q x",
    ),
  );
});

const connector = tpchConnector();

async function planned(sql: string, properties: Readonly<Record<string, string>> = {}): Promise<string> {
  return new TestPlanner({ tpch: connector }, { catalog: "tpch", schema: "sf1", properties }).explain(sql);
}

const scansOf = (plan: string, table: string): number => plan.split(`TableScan[tpch:sf1.${table}`).length - 1;
const windowOf = (plan: string): string | undefined => /- Window\[(.*)\] =>/.exec(plan)?.[1];

/** Line items of some parts, with an aggregate of all line items of the part. */
function ofPart({
  call = "max(l_tax)",
  inner = "",
  outer = "",
  part = "SELECT p_partkey AS k, p_size AS size FROM part WHERE p_size = 15",
} = {}): string {
  return `SELECT l_orderkey FROM lineitem x JOIN (${part}) p ON l_partkey = k ${outer}
    WHERE l_linenumber < (SELECT ${call} FROM lineitem WHERE l_partkey = k ${inner})`;
}

test("an aggregate of the rows of an outer query is computed over them, and they are read once", async () => {
  const plan = await planned(ofPart());
  expect(scansOf(plan, "lineitem")).toBe(1);
  expect(windowOf(plan)).toBe("partitionBy = [l_partkey]");
  expect(scansOf(await planned(ofPart(), { optimizer_rules: "-use_windows" }), "lineitem")).toBe(2);
});

test("rows that other tables repeat are told apart, unless their keys are the groups or the function counts a value once", async () => {
  const part = "SELECT ps_partkey AS k, ps_availqty AS size FROM partsupp WHERE ps_suppkey = 7";
  expect(windowOf(await planned(ofPart({ call: "sum(l_tax)" })))).toBe("partitionBy = [l_partkey]");
  expect(windowOf(await planned(ofPart({ call: "min(l_linenumber)", part })))).toBe("partitionBy = [l_partkey]");
  expect(windowOf(await planned(ofPart({ call: "sum(l_tax)", part })))).toMatch(/^partitionBy = \[l_partkey, unique\w*\]$/);
});

test("a relation of few rows has a window of its own", () => {
  const rows = (key: string, one: string, other: string) => {
    const table = { ...scan("big_l", "a", "b", "c"), outputs: [key, one, other].map(column) } as PlanNode;
    return filter(table, compare("$eq", column(one), number(1)), compare("$eq", column(other), number(2)));
  };
  const counted = group(rows("a_2", "b_2", "c_2"), ["a_2"], "n");
  const plan = join("INNER", join("INNER", rows("a", "b", "c"), scan("big_r", "d"), { c: "d" }), counted, { a: "a_2" });
  expect(after(useWindows, plan)).toMatchInlineSnapshot(`
    "project a="a" b="b" c="c" d="d" a_2="a" n="n"
      INNER join c=d PARTITIONED
        filter (NOT ("a" IS NULL))
          window by a order : n
            filter (("b" = 1) AND ("c" = 2))
              scan big_l: a b c
        scan big_r: d"
  `);
});

test("several tables may have the rows of the aggregation, in any order", async () => {
  const plan = await planned(`SELECT s_name FROM part, nation, partsupp, supplier
    WHERE p_size = 15 AND p_partkey = ps_partkey AND n_nationkey = s_nationkey AND n_name = 'PERU' AND s_suppkey = ps_suppkey
      AND ps_availqty = (SELECT max(ps_availqty) FROM supplier, partsupp, nation
        WHERE s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_name = 'PERU' AND ps_partkey = p_partkey)`);
  expect(scansOf(plan, "partsupp")).toBe(1);
  expect(windowOf(plan)).toBe("partitionBy = [ps_partkey]");
});

test("the total of groups is computed of the groups", async () => {
  const groups = "SELECT s_nationkey, count(*), sum(s_acctbal) AS s FROM supplier WHERE s_suppkey < 9000 GROUP BY s_nationkey";
  const having = await planned(`${groups} HAVING sum(s_acctbal) > (SELECT sum(s_acctbal) / 20 FROM supplier WHERE s_suppkey < 9000)`);
  expect(scansOf(having, "supplier")).toBe(1);
  const largest = await planned(`WITH g AS (${groups}) SELECT n_name FROM nation JOIN g ON n_nationkey = s_nationkey
    WHERE s = (SELECT max(s) FROM g)`);
  expect(scansOf(largest, "supplier")).toBe(1);
  expect(windowOf(largest)).toBe("");
});

test("an aggregation stays if its rows are others, or the window would have many", async () => {
  const stays = async (sql: string, properties?: Readonly<Record<string, string>>) => {
    expect(windowOf(await planned(sql, properties)), sql).toBeUndefined();
  };
  // Conditions of one side alone, or on columns that are no keys, change the rows of the groups.
  await stays(ofPart({ inner: "AND l_tax > 0" }));
  await stays(ofPart({ outer: "AND l_tax > 0" }));
  await stays(ofPart({ outer: "AND l_suppkey < size" }));
  await stays(ofPart({ outer: "AND random() < 0.5" }));
  // The sum of doubles depends on the order of the rows.
  await stays(ofPart({ call: "sum(CAST(l_tax AS double))" }));
  await stays(ofPart({ call: "max_by(l_tax, l_suppkey)" }));
  await stays(ofPart({ call: "count(DISTINCT l_tax)" }));
  await stays(ofPart({ part: "SELECT p_partkey AS k, p_size AS size FROM part" }));
  await stays(ofPart(), { join_reordering_strategy: "NONE" });
});
