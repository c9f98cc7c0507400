/** Values of the public client, from columns as the server describes them to each family of clients. */
import { describe, expect, it } from "vitest";
import { rowDecoder } from "../../../src/client/values.ts";
import { columnDocument, typeTextsOf } from "../../../src/protocol/documents/statement.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  mapType,
  REAL,
  rowType,
  type Type,
  VARBINARY,
  VARCHAR,
} from "../../../src/types/type.ts";

const families = ["engine", "presto", "trino"] as const;

function decoded(family: (typeof families)[number], type: Type, value: unknown, integers: "bigint" | "number" = "bigint"): unknown {
  const column = columnDocument("x", type, { family, typeTexts: typeTextsOf(family, true) });
  return rowDecoder([column], integers)([value])[0];
}

const field = (name: string, type: Type) => ({ name, type });
const nested = rowType([
  field("a, (b", BIGINT),
  field('c"d', arrayType(mapType(BIGINT, rowType([field("e", BIGINT), field("f", VARCHAR)])))),
]);

describe.each(families)("a value of the family %s", (family) => {
  it.each([
    ["small bigint", BIGINT, 5, 5n],
    ["large bigint", BIGINT, 9007199254740993n, 9007199254740993n],
    ["integer", INTEGER, 5, 5],
    ["double", DOUBLE, 1.5, 1.5],
    ["double without a number", DOUBLE, "NaN", Number.NaN],
    ["infinite real", REAL, "-Infinity", Number.NEGATIVE_INFINITY],
    ["boolean", BOOLEAN, true, true],
    ["decimal", decimalType(38, 2), "12345678901234567890.10", "12345678901234567890.10"],
    ["date", DATE, "2026-01-31", "2026-01-31"],
    ["varchar that looks like a number", VARCHAR, "NaN", "NaN"],
    ["varbinary", VARBINARY, "AQL/", new Uint8Array([1, 2, 255])],
    ["array", arrayType(BIGINT), [1, null, 9007199254740993n], [1n, null, 9007199254740993n]],
    [
      "map with integers as keys",
      mapType(INTEGER, BIGINT),
      { 1: 2, 3: null },
      new Map([
        [1, 2n],
        [3, null],
      ]),
    ],
    ["map with booleans as keys", mapType(BOOLEAN, VARCHAR), { true: "x" }, new Map([[true, "x"]])],
    [
      "map with doubles as keys",
      mapType(DOUBLE, VARCHAR),
      { "1.5": "x", NaN: "y" },
      new Map([
        [1.5, "x"],
        [Number.NaN, "y"],
      ]),
    ],
    ["row in map in array in row", nested, [7, [{ 5: [6, "x"] }]], [7n, [new Map([[5n, [6n, "x"]]])]]],
  ] as const)("is what its type says: %s", (_, type, wire, value) => {
    expect(decoded(family, type, wire)).toEqual(value);
    expect(decoded(family, type, null)).toBeNull();
  });

  it("keeps a name that is no plain name", () => {
    expect(decoded(family, mapType(VARCHAR, BIGINT), JSON.parse('{"__proto__": 1}'))).toEqual(new Map([["__proto__", 1n]]));
  });

  it("is a number where the client wants numbers", () => {
    expect(decoded(family, arrayType(BIGINT), [1, 9007199254740993n], "number")).toEqual([1, 9007199254740992]);
  });
});

describe.each(["bigint", "number"] as const)("a value that is no bigint, read as %s", (integers) => {
  it.each(["text 3", "", "0x10", " 1", "1.5", "9".repeat(400), true, [[]], { a: 1 }])("is refused: %j", (value) => {
    const expected = { name: "ClientError", kind: "BAD_ANSWER", message: expect.stringContaining("is no value of type bigint") as unknown };
    expect(() => decoded("engine", arrayType(BIGINT), [value], integers)).toThrow(expect.objectContaining(expected));
  });
});

describe("a column without a signature", () => {
  it("is read by the text of its type", () => {
    expect(rowDecoder([{ name: "n", type: "bigint" }], "bigint")([1])).toEqual([1n]);
  });
});
