/**
 * Columns of statements with thousands of columns: a task is planned in one piece, so its work must not grow with their square.
 */
import { expect, it } from "vitest";
import { channelsOf } from "../../../src/execution/task/columns.ts";
import type { Variable } from "../../../src/planner/plan/typed-expression.ts";
import { BIGINT } from "../../../src/types/type.ts";

it("finds each variable of a wide layout without reading the layout again", () => {
  let reads = 0;
  const width = 9_000;
  const layout = Array.from({ length: width }, (_, index): Variable => {
    const variable = { kind: "variable" as const, name: "", type: BIGINT };
    Object.defineProperty(variable, "name", {
      get: () => {
        reads++;
        return `c${index}`;
      },
    });
    return variable;
  });
  expect(channelsOf(layout, layout.toReversed())).toEqual(Array.from({ length: width }, (_, index) => width - 1 - index));
  expect(reads).toBe(2 * width);
});

it("takes the first of equal names, and fails for a variable that the layout has not", () => {
  const [a, b, c] = ["a", "b", "c"].map((name): Variable => ({ kind: "variable", name, type: BIGINT })) as [Variable, Variable, Variable];
  expect(channelsOf([a, b, a], [a, b])).toEqual([0, 1]);
  expect(() => channelsOf([a, b], [c])).toThrow("variable c is not in the layout");
});
