/**
 * Which queries one task runs: those whose tables are known to have few rows.
 */
import { expect, test } from "vitest";
import { scansOf } from "../../../src/planner/fragmenter/fragment-walk.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const connector = tpchConnector();

/** The partitioning of each fragment with the number of its scans. */
async function fragments(sql: string, properties: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const planner = new TestPlanner(
    { tpch: connector },
    { catalog: "tpch", schema: "tiny", properties: { min_input_rows_per_task: "600000", ...properties } },
  );
  const { plan } = await planner.plan(sql);
  return plan.fragments.map((fragment) => `${fragment.partitioning} ${scansOf(fragment).length}`);
}

const joined = `SELECT n_name, count(*) FROM supplier JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
  WHERE r_name <> 'ASIA' GROUP BY n_name ORDER BY 2 DESC LIMIT 3`;

test("joins, groups and order of small tables are one fragment below the root", async () => {
  expect(await fragments(joined)).toEqual(["COORDINATOR 0", "SINGLE 3"]);
  expect(await fragments("SELECT * FROM nation WHERE n_nationkey = 7")).toEqual(["COORDINATOR 0", "SINGLE 1"]);
  expect(await fragments("SELECT n_name FROM nation UNION SELECT r_name FROM region")).toEqual(["COORDINATOR 0", "SINGLE 2"]);
});

test("the rows of all tables count, and those of every result", async () => {
  expect(await fragments("SELECT count(*) FROM lineitem")).toEqual(["COORDINATOR 0", "SINGLE 1"]);
  // 60,175 rows twice.
  expect((await fragments("SELECT (SELECT count(*) FROM lineitem), (SELECT max(l_tax) FROM lineitem)")).includes("SOURCE 1")).toBe(true);
  expect((await fragments("SELECT count(*) FROM orders a CROSS JOIN orders b")).includes("SOURCE 1")).toBe(true);
  expect((await fragments("SELECT count(*) FROM sf1.orders")).includes("SOURCE 1")).toBe(true);
});

test("a session has its own bound, and can switch it off", async () => {
  const spread = await fragments(joined, { optimizer_rules: "-use_one_task" });
  expect(spread.length).toBeGreaterThan(2);
  expect(await fragments(joined, { min_input_rows_per_task: "1" })).toEqual(spread);
  // 130 rows and a sixth of it.
  expect(await fragments(joined, { min_input_rows_per_task: "780" })).toEqual(["COORDINATOR 0", "SINGLE 3"]);
  expect(await fragments(joined, { min_input_rows_per_task: "770" })).toEqual(spread);
});
