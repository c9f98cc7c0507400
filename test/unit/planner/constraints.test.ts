import { expect, test } from "vitest";
import { withInformationSchema } from "../../../src/connectors/shared/information-schema.ts";
import type { Constraint } from "../../../src/connectors/spi.ts";
import type { FragmentedPlan } from "../../../src/planner/fragmenter/fragment.ts";
import { doubleRangeOf } from "../../../src/types/domain/double-range.ts";
import { domainValueText } from "../../../src/types/domain/texts.ts";
import { constraintsOf } from "../../../src/planner/domain/constraints.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });

/** By column: the range in the unit of statistics, the values one by one, the pattern, and whether more is known later. */
function shown({ summary, patterns, dynamicColumns }: Constraint): unknown {
  return Object.fromEntries(
    [...summary.domains].map(([column, { values }]) => {
      const texts = values.discreteValues?.map(domainValueText);
      const like = patterns?.get(column);
      const dynamic = dynamicColumns?.has(column) === true;
      return [column, { ...doubleRangeOf(values), ...(texts && { values: texts }), ...(like && { like }), ...(dynamic && { dynamic }) }];
    }),
  );
}

function constraintsIn({ fragments }: FragmentedPlan): readonly unknown[] {
  return fragments.flatMap(({ root }) => [...constraintsOf(root).values()]).map(shown);
}

async function constraint(where: string): Promise<unknown> {
  return constraintsIn((await planner.plan(`SELECT count(*) FROM orders WHERE ${where}`)).plan)[0];
}

test("comparisons with constants are ranges of columns, by the names of the table", async () => {
  expect(await constraint("o_orderkey = 5")).toEqual({ o_orderkey: { low: 5, high: 5, values: ["5"] } });
  expect(await constraint("o_orderkey > 5 AND 9 >= o_orderkey")).toEqual({ o_orderkey: { low: 5, high: 9 } });
  expect(await constraint("o_totalprice BETWEEN 1.5 AND 2")).toEqual({ o_totalprice: { low: 1.5, high: 2 } });
  expect(await constraint("o_orderdate >= DATE '1970-01-02'")).toEqual({ o_orderdate: { low: 1 } });
  expect(await constraint("o_custkey IN (7, 3, 5)")).toEqual({ o_custkey: { low: 3, high: 7, values: ["7", "3", "5"] } });
});

test("equality and IN name the values themselves", async () => {
  expect(await constraint("o_clerk = 'x'")).toEqual({ o_clerk: { values: ["x"] } });
  expect(await constraint("o_clerk IN ('x', NULL, 'y') AND o_clerk IN ('y', 'z')")).toEqual({ o_clerk: { values: ["y"] } });
  expect(await constraint("o_totalprice = 1.50")).toEqual({ o_totalprice: { low: 1.5, high: 1.5, values: ["150"] } });
  expect(await constraint("DATE '1970-01-02' = o_orderdate")).toEqual({ o_orderdate: { low: 1, high: 1, values: ["1"] } });
});

test("a column that several conditions are about has the values that all of them allow", async () => {
  expect(await constraint("o_custkey IN (7, 3, 5) AND o_custkey > 3")).toEqual({ o_custkey: { low: 5, high: 7, values: ["7", "5"] } });
  expect(await constraint("o_custkey = 7 AND o_custkey = 8")).toEqual({ o_custkey: { values: [] } });
  const [found] = (await planner.plan("SELECT count(*) FROM orders WHERE o_custkey > 7")).plan.fragments.flatMap(({ root }) => [
    ...constraintsOf(root).values(),
  ]);
  const domain = found?.summary.domainOf("o_custkey");
  expect([null, 7n, 8n].map((value) => domain?.includes(value))).toEqual([false, false, true]);
});

test("a list that is too long for values is a range", async () => {
  const items = Array.from({ length: 1001 }, (_, index) => 3 * index + 5);
  expect(await constraint(`o_custkey IN (${items.join(", ")})`)).toEqual({ o_custkey: { low: 5, high: 3005 } });
  expect(await constraint(`o_clerk IN (${items.map((item) => `'${item}'`).join(", ")})`)).toEqual({});
});

test("LIKE with a constant pattern becomes a constraint if its operand is a plain column", async () => {
  const world = new TestPlanner({ tpch: withInformationSchema("tpch", tpchConnector()) }, { catalog: "tpch", schema: "sf1" });
  const found = async (where: string): Promise<unknown> => {
    const { plan } = await world.plan(`SELECT count(*) FROM information_schema.columns WHERE ${where}`);
    return constraintsIn(plan)[0];
  };
  const like = { pattern: "o\\_%", escape: "\\" };
  expect(await found("table_name LIKE 'o\\_%' ESCAPE '\\' AND table_schema = 'sf1'")).toEqual({
    table_name: { like },
    table_schema: { values: ["sf1"] },
  });
  expect(await found("table_name LIKE 'o%' AND table_name LIKE '%s'")).toEqual({ table_name: { like: { pattern: "o%" } } });
  expect(await found("table_name LIKE 'o%' AND table_name IN ('orders', 'part')")).toEqual({
    table_name: { like: { pattern: "o%" }, values: ["orders", "part"] },
  });
  for (const where of ["table_name LIKE column_name", "lower(table_name) LIKE 'o%'", "table_name NOT LIKE 'o%'"]) {
    expect(await found(where)).toEqual({});
  }
});

test("conditions on several columns are not ranges", async () => {
  for (const where of ["o_orderkey <> 5", "o_orderkey < o_custkey", "o_orderkey = 5 OR o_custkey = 6", "o_orderkey + 1 = 5"]) {
    expect(await constraint(where)).toEqual({});
  }
});

test("of a column with a dynamic filter more is known later, besides what a filter above the scan says", async () => {
  const { plan } = await planner.plan(
    "SELECT count(*) FROM orders JOIN customer ON o_custkey = c_custkey WHERE c_nationkey = 3 AND o_custkey > 5 AND o_totalprice > 9",
  );
  expect(constraintsIn(plan)).toContainEqual({ o_custkey: { low: 5, dynamic: true }, o_totalprice: { low: 9 } });
  const alone = await planner.plan("SELECT count(*) FROM orders JOIN customer ON o_custkey = c_custkey WHERE c_nationkey = 3");
  expect(constraintsIn(alone.plan)).toContainEqual({ o_custkey: { dynamic: true } });
});
