/**
 * Pages built value by value read back the same, page after page in the same memory.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import { readValue } from "../../../src/page/reader.ts";
import { readRow } from "../../support/pages.ts";
import { BIGINT, charType, decimalType, DOUBLE, INTEGER, TINYINT, VARCHAR } from "../../../src/types/type.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

const { linear, root } = createNodeMemory({ sizeBytes: 64 * 65536 });

function appendTo(builder: PageBuilder, column: number, value: number | string | null): void {
  if (value === null) {
    builder.appendNull(column);
  } else if (typeof value === "string") {
    builder.appendString(column, value);
  } else if (column === 2) {
    builder.appendDouble(column, value);
  } else {
    builder.appendInt(column, value);
  }
}

test("rows read back as they were appended, after every reset", () => {
  const row = fc.tuple(
    fc.option(fc.maxSafeInteger()),
    fc.option(fc.string({ unit: "grapheme", maxLength: 300 })),
    fc.option(fc.double()),
    fc.option(fc.maxSafeInteger()),
  );
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 200 }), { minLength: 1, maxLength: 3 }), (pages) => {
      const context = root.child("query");
      const builder = new PageBuilder([BIGINT, VARCHAR, DOUBLE, decimalType(38, 0)], context);
      for (const rows of pages) {
        for (const [id, name, size, price] of rows) {
          for (const [column, value] of [id, name, size, price].entries()) {
            appendTo(builder, column, value);
          }
        }
        const page = builder.build();
        expect(page.positionCount).toBe(rows.length);
        for (const [position, [id, name, size, price]] of rows.entries()) {
          const read = readRow(linear, page, position);
          const text = name === null ? null : encodeUtf8(name);
          expect(read).toEqual([id === null ? null : BigInt(id), text, size, price === null ? null : BigInt(price)]);
        }
        expect(page.columns[0]?.nulls === 0).toBe(rows.every(([id]) => id !== null));
        builder.reset();
      }
      builder.close();
      builder.close();
      expect(context.reservedBytes).toBe(0);
      context.close();
    }),
    { numRuns: 60 },
  );
});

describe("a builder refuses", () => {
  const builder = new PageBuilder([TINYINT, INTEGER, VARCHAR], root.child("query"), 2);
  test.each([
    ["what is out of range", () => builder.appendInt(0, 128), "128 is out of range of tinyint"],
    ["a fraction", () => builder.appendInt(1, 0.5), "0.5 is no integer"],
    ["a wide bigint", () => builder.appendBigint(1, 1n << 40n), "out of range of integer"],
    ["a number for a string", () => builder.appendInt(2, 1), "varchar is no integer"],
    ["a string for a number", () => builder.appendString(1, "x"), "integer holds no bytes"],
  ] as const)("%s", (_, act, message) => {
    expect(act).toThrow(message);
  });

  test("uneven columns and a row too many", () => {
    const uneven = new PageBuilder([INTEGER, INTEGER], root.child("query"), 2);
    uneven.appendInt(0, 1);
    expect(() => uneven.build()).toThrow("columns of a page have the same rows");
    uneven.appendInt(0, 1);
    expect(uneven.isFull).toBe(false);
    uneven.appendInt(1, 1);
    uneven.appendInt(1, 1);
    expect(uneven.isFull).toBe(true);
    expect(() => uneven.appendInt(0, 1)).toThrow("page is full at 2 rows");
  });
});

test("char loses its padding", () => {
  const builder = new PageBuilder([charType(5)], root.child("query"));
  builder.appendString(0, "ab   ");
  builder.appendBytes(0, encodeUtf8("xcd  y"), 1, 5);
  const page = builder.build();
  expect([readValue(linear, page, 0, 0), readValue(linear, page, 0, 1)]).toEqual([encodeUtf8("ab"), encodeUtf8("cd")]);
});

test("pages without columns have rows", () => {
  const builder = new PageBuilder([], root.child("query"));
  builder.appendRows(7);
  expect(builder.build()).toEqual({ positionCount: 7, selection: 0, columns: [] });
  expect(() => readValue(linear, builder.build(), 0, 0)).toThrow("no column 0");
});
