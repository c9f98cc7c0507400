import { expect, test } from "vitest";
import { addExchanges } from "../../../../../src/planner/fragmenter/exchanges.ts";
import { mergeWindows } from "../../../../../src/planner/optimizer/rules/merge-windows.ts";
import { pruneColumns } from "../../../../../src/planner/optimizer/rules/prune-columns.ts";
import { pushPredicates } from "../../../../../src/planner/optimizer/rules/push-predicates.ts";
import { removeEmpty } from "../../../../../src/planner/optimizer/rules/remove-empty.ts";
import { validatePlan } from "../../../../../src/planner/plan/validate.ts";
import { add, after, column, compare, filter, ids, number, output, project, scan, text, window } from "./plans.ts";

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
