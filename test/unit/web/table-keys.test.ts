import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextSort, parseSort, rowAfter, rowWindow, sortRows, sortText } from "../../../src/web/components/table-keys.ts";

describe("order and keys of a table", () => {
  it("sorts stably, with rows without a value last", () => {
    const row = fc.record({ value: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (rows, descending) => {
        const numbered = rows.map(({ value }, index) => ({ value, index }));
        const sorted = sortRows(numbered, ({ value }) => value, descending);
        expect(new Set(sorted)).toEqual(new Set(numbered));
        for (const [at, { value, index }] of sorted.entries()) {
          const before = sorted[at - 1];
          if (before === undefined) {
            continue;
          }
          if (before.value === value) {
            expect(before.index).toBeLessThan(index);
          } else if (value !== undefined) {
            expect(before.value).toBeDefined();
            expect(Math.sign((before.value ?? 0) - value)).toBe(descending ? 1 : -1);
          }
        }
      }),
    );
  });

  it("turns the order around at a second click and writes it as the list resource reads it", () => {
    const first = nextSort(undefined, "elapsedTime", true);
    expect(sortText(first)).toBe("-elapsedTime");
    expect(sortText(nextSort(first, "elapsedTime", true))).toBe("elapsedTime");
    expect(sortText(nextSort(first, "user", false))).toBe("user");
    expect(parseSort("-elapsedTime")).toEqual({ key: "elapsedTime", descending: true });
    fc.assert(
      fc.property(fc.stringMatching(/^-?[a-zA-Z]+$/), (text) => {
        expect(sortText(parseSort(text))).toBe(text);
      }),
    );
  });

  it("stays among the rows whatever key is pressed", () => {
    const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"];
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.nat(200),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (key, at, rows, page) => {
          const next = rowAfter(key, Math.min(at, rows - 1), { rows, page });
          expect(next).toBeGreaterThanOrEqual(0);
          expect(next).toBeLessThan(rows);
        },
      ),
    );
    expect(rowAfter("Enter", 0, { rows: 3, page: 1 })).toBeUndefined();
    expect(rowAfter("Home", 0, { rows: 0, page: 1 })).toBeUndefined();
  });

  it("renders every row in view, and few more", () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(3000), fc.integer({ min: 10, max: 80 }), fc.nat(3000), (top, height, rowHeight, rows) => {
        const { first, end } = rowWindow({ top, height, rowHeight, rows });
        expect(end).toBeLessThanOrEqual(rows);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 20);
        const lastTop = Math.max(0, rows * rowHeight - height);
        const seen = Math.min(top, lastTop);
        for (let row = Math.floor(seen / rowHeight); row < Math.min(rows, Math.ceil((seen + height) / rowHeight)); row++) {
          if (top <= lastTop) {
            expect(row).toBeGreaterThanOrEqual(first);
            expect(row).toBeLessThan(end);
          }
        }
      }),
    );
  });
});
