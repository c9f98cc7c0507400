import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecentIds } from "../../../src/protocol/recent-ids.ts";

describe("ids of evicted objects", () => {
  it("forgets the one that was added longest ago", () => {
    const ids = new RecentIds(2);
    for (const id of ["a", "b", "c"]) {
      ids.add(id);
    }
    expect(["a", "b", "c"].filter((id) => ids.has(id))).toEqual(["b", "c"]);
  });

  it("takes one that is added again for the youngest", () => {
    const ids = new RecentIds(2);
    for (const id of ["a", "b", "a", "c"]) {
      ids.add(id);
    }
    expect(["a", "b", "c"].filter((id) => ids.has(id))).toEqual(["a", "c"]);
  });

  it("has room again after one was deleted", () => {
    const ids = new RecentIds(2);
    for (const id of ["a", "b"]) {
      ids.add(id);
    }
    ids.delete("a");
    ids.delete("never added");
    ids.add("c");
    expect(["a", "b", "c"].filter((id) => ids.has(id))).toEqual(["b", "c"]);
  });

  it("has what a list has that is cut at its old end", () => {
    const step = fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e", "f"), isAdded: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step), (max, steps) => {
        const ids = new RecentIds(max);
        let list: readonly string[] = [];
        for (const { id, isAdded } of steps) {
          const others = list.filter((other) => other !== id);
          if (isAdded) {
            ids.add(id);
          } else {
            ids.delete(id);
          }
          list = isAdded ? [...others, id].slice(-max) : others;
          expect(["a", "b", "c", "d", "e", "f"].filter((known) => ids.has(known))).toEqual([...list].sort());
        }
      }),
    );
  });
});
