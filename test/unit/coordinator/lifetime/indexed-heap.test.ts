import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedHeap } from "../../../../src/coordinator/lifetime/indexed-heap.ts";

/** The same interface over a list that is sorted for each call. */
class Model {
  #list: { readonly item: number; readonly at: number }[] = [];

  set(item: number, at: number): void {
    this.delete(item);
    this.#list.push({ item, at });
  }

  delete(item: number): void {
    this.#list = this.#list.filter((one) => one.item !== item);
  }

  take(now: number): number | undefined {
    const [first] = this.#list.toSorted((a, b) => a.at - b.at);
    if (first === undefined || first.at > now) {
      return undefined;
    }
    this.delete(first.item);
    return first.item;
  }

  get next(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#list.map(({ at }) => at));
  }

  get size(): number {
    return this.#list.length;
  }
}

describe("an indexed heap", () => {
  it("gives items in the order of their keys, and of their setting where these agree", () => {
    const item = fc.integer({ min: 0, max: 20 });
    const at = fc.integer({ min: 0, max: 10 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant("set" as const), item, at }),
      fc.record({ kind: fc.constant("delete" as const), item, at }),
      fc.record({ kind: fc.constant("take" as const), item, at }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const [real, model] = [new IndexedHeap<number>(), new Model()];
        for (const { kind, item: one, at: instant } of steps) {
          if (kind === "set") {
            real.set(one, instant);
            model.set(one, instant);
          } else if (kind === "delete") {
            real.delete(one);
            model.delete(one);
          } else {
            expect(real.take(instant)).toBe(model.take(instant));
          }
          expect([real.firstKey, real.size]).toEqual([model.next, model.size]);
        }
      }),
    );
  });
});
