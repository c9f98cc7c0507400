import { expect, test } from "vitest";
import { pruneColumns } from "../../../../../src/planner/optimizer/rules/prune-columns.ts";
import { add, after, column, compare, filter, join, number, output, project, scan } from "./plans.ts";

test("scans read only the columns that are used above", () => {
  const plan = output(filter(scan("t", "a", "b", "c"), compare("$lt", column("b"), number(1))), "a");
  expect(after(pruneColumns, plan)).toBe(["Output", '  filter ("b" < 1)', "    scan t: a b"].join("\n"));
});

test("columns that only a filter needed do not go into a join", () => {
  const plan = output(
    join("INNER", filter(scan("t", "a", "b"), compare("$lt", column("b"), number(1))), scan("u", "c", "d"), { a: "c" }),
    "d",
  );
  expect(after(pruneColumns, plan)).toBe(
    [
      "Output",
      "  INNER join a=c PARTITIONED",
      '    project a="a"',
      '      filter ("b" < 1)',
      "        scan t: a b",
      "    scan u: c d",
    ].join("\n"),
  );
});

test("unread computations disappear", () => {
  const plan = output(project(scan("t", "a", "b"), { x: column("a"), y: add(column("b"), number(1)) }), "x");
  expect(after(pruneColumns, plan)).toBe(["Output", '  project x="a"', "    scan t: a"].join("\n"));
});
