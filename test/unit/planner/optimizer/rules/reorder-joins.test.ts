import { expect, test } from "vitest";
import { reorderJoins } from "../../../../../src/planner/optimizer/rules/join/reorder-joins.ts";
import { after, compare, column, filter, join, scan } from "./plans.ts";

test("no product of tables while a criterion connects", () => {
  const plan = join(
    "INNER",
    join("INNER", scan("big_1", "a"), scan("small", "b", "c")),
    scan("big_2", "d"),
    { b: "d" },
    compare("$eq", column("a"), column("d")),
  );
  const connected = join("INNER", join("INNER", scan("big_1", "a"), scan("small", "b", "c")), scan("big_2", "d"), { b: "d", a: "d" });
  expect(after(reorderJoins, plan)).toContain("INNER join");
  expect(after(reorderJoins, connected)).not.toContain("join REPLICATED");
});

test("the larger side probes", () => {
  expect(after(reorderJoins, join("INNER", scan("small", "a"), scan("big", "b"), { a: "b" }))).toBe(
    ["INNER join b=a PARTITIONED", "  scan big: b", "  scan small: a"].join("\n"),
  );
});

test("outer joins stay where they are; inner ones below them are ordered", () => {
  const plan = join(
    "LEFT",
    join("INNER", scan("small", "a"), scan("big", "b"), { a: "b" }),
    filter(scan("u", "c"), compare("$lt", column("c"), column("c"))),
    { a: "c" },
  );
  expect(after(reorderJoins, plan)).toMatch(/^LEFT join a=c PARTITIONED\n {2}INNER join b=a/);
});
