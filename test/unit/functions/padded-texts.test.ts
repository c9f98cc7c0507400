/**
 * White space and padding: trimming and the order of char, in kernels of both backends and in TypeScript.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConstantValue, RowExpression } from "../../../src/planner/plan/typed-expression.ts";
import { compareNested } from "../../../src/types/nested/nested-order.ts";
import { charType, type Type, VARCHAR } from "../../../src/types/type.ts";
import { codePoints } from "../../../src/types/utf8.ts";
import { call, constant, createWorld, runBoth, variable } from "../execution/expressions/world.ts";

const world = createWorld();

const column = (type: Type, values: readonly ConstantValue[], projections: readonly RowExpression[]): unknown =>
  runBoth(world, { type, values }, projections);

/** Java's Character.isWhitespace according to its documentation: first and last code points of ranges. */
const breaking = [
  [0x09, 0x0d],
  [0x1c, 0x20],
  [0x1680, 0x1680],
  [0x2000, 0x2006],
  [0x2008, 0x200a],
  [0x2028, 0x2029],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
] as const;

function isBreaking(point: string): boolean {
  const code = point.codePointAt(0) as number;
  return breaking.some(([first, last]) => code >= first && code <= last);
}

function withoutLeading(points: readonly string[]): readonly string[] {
  const from = points.findIndex((point) => !isBreaking(point));
  return from < 0 ? [] : points.slice(from);
}

function trimmed(text: string): readonly string[] {
  const points = codePoints(text);
  const left = withoutLeading(points);
  const right = (given: readonly string[]) => [...withoutLeading([...given].reverse())].reverse();
  return [right(left), left, right(points)].map((each) => each.join(""));
}

const spaces = [
  "\t",
  "\u000b",
  "\u001c",
  "\u001f",
  " ",
  "\u1680",
  "\u2000",
  "\u2006",
  "\u2008",
  "\u200a",
  "\u2028",
  "\u2029",
  "\u205f",
  "\u3000",
];
const others = ["", "a", "\u0000", "\u001b", "\u0085", "\u00a0", "\u2007", "\u200b", "\u202f", "\ufeff", "é", "𝄞", "あ"];

describe("white space", () => {
  it("is trimmed as Java knows it", () => {
    const text = fc.array(fc.constantFrom(...spaces, ...others), { maxLength: 12 }).map((points) => points.join(""));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
        const x = variable("x", VARCHAR);
        const rows = column(VARCHAR, texts, [call("trim", x), call("ltrim", x), call("rtrim", x)]);
        expect(rows).toEqual(texts.map(trimmed));
      }),
      { numRuns: 500 },
    );
  });
});

describe("char", () => {
  it("is ordered as if padded, control characters before spaces", () => {
    const type = charType(6);
    const text = fc
      .array(fc.constantFrom("a", "\t", "\u0001", " ", "!", "é"), { maxLength: 6 })
      .map((points) => points.join("").replace(/ +$/, ""));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [p, q] = [a.padEnd(6), b.padEnd(6)];
        const order = p < q ? -1 : p > q ? 1 : 0;
        expect(Math.sign(compareNested(type, a, b))).toBe(order);
        const x = variable("x", type);
        const other = constant(type, b);
        const names = ["$lt", "$le", "$eq", "$ge", "$gt"];
        const rows = column(type, [a], [...names.map((name) => call(name, x, other)), call("greatest", x, other)]);
        expect(rows).toEqual([[order < 0, order <= 0, order === 0, order >= 0, order > 0, order < 0 ? b : a]]);
      }),
      { numRuns: 500 },
    );
  });
});
