/**
 * The sort by a comparator orders as the platform's does: any list under a consistent comparator, and short lists under any.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { sortedBy } from "../../../../../src/functions/scalar/array/lambda-sort.ts";
import type { HostValue } from "../../../../../src/functions/registry/definition.ts";
import type { Asked } from "../../../../../src/functions/runtime/large/lambda-steps.ts";

type Compare = (a: number, b: number) => -1 | 0 | 1;

function sorted(list: readonly number[], compare: Compare): readonly HostValue[] {
  const steps = sortedBy(list, (...args) => ({ index: 0, args }));
  let result: HostValue = null;
  for (;;) {
    const next = steps.next(result);
    if (next.done === true) {
      return next.value;
    }
    const [a, b] = (next.value as Asked).args as unknown as readonly [number, number];
    result = compare(a, b);
  }
}

it("sorts any list as the platform does, equal elements in their order", () => {
  const byTens: Compare = (a, b) => Math.sign(Math.floor(a / 10) - Math.floor(b / 10)) as -1 | 0 | 1;
  const lists = fc.oneof(
    fc.array(fc.nat(500), { maxLength: 400 }),
    fc.array(fc.nat(5000), { maxLength: 300 }).map((list) => list.toSorted((a, b) => b - a)),
    fc.array(fc.nat(5000), { maxLength: 300 }).map((list) => list.toSorted((a, b) => a - b)),
  );
  fc.assert(
    fc.property(lists, (list) => {
      expect(sorted(list, byTens)).toEqual(list.toSorted(byTens));
    }),
  );
});

it("gives short lists the platform's order, however inconsistent the comparator is", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 63 }), fc.integer(), (list, seed) => {
      const compare: Compare = (a, b) => ((((Math.imul(a * 64 + b, 0x9e3779b1) ^ seed) >>> 7) % 3) - 1) as -1 | 0 | 1;
      expect(sorted(list, compare)).toEqual(list.toSorted(compare));
    }),
  );
});
