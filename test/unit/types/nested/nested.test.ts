/**
 * Encoded arrays, maps and rows: values round-trip, equal values have equal bytes, and the order is total.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareNested, type NestedValue } from "../../../../src/types/nested/nested-order.ts";
import { decodeNested, encodeNested, nestedSource, type NestedType } from "../../../../src/types/nested/nested.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  decimalType,
  displayType,
  DOUBLE,
  INTEGER,
  mapType,
  rowType,
  SMALLINT,
  tupleType,
  type Type,
} from "../../../../src/types/type.ts";
import { TINYINT, VARBINARY, VARCHAR } from "../../../../src/types/type.ts";

const plainTypes: readonly Type[] = [BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, decimalType(30, 2), VARCHAR, VARBINARY];

function nestedTypes(depth: number, plain: readonly Type[]): fc.Arbitrary<NestedType> {
  const inner = anyType(depth - 1, plain);
  return fc.oneof(
    inner.map((type): NestedType => arrayType(type)),
    fc.array(inner, { minLength: 1, maxLength: 4 }).map((types): NestedType => tupleType(types)),
    fc.tuple(inner, inner).map(([key, value]): NestedType => mapType(key, value)),
  );
}

function anyType(depth: number, plain: readonly Type[]): fc.Arbitrary<Type> {
  const flat = fc.constantFrom(...plain);
  return depth <= 0 ? flat : fc.oneof(flat, nestedTypes(depth, plain));
}

const int = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });

function valueOf(type: Type): fc.Arbitrary<NestedValue> {
  switch (type.kind) {
    case "boolean":
      return fc.boolean();
    case "tinyint":
      return int(8);
    case "smallint":
      return int(16);
    case "integer":
      return int(32);
    case "bigint":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case "decimal":
      return fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    case "varchar":
      return fc.string({ unit: "binary", maxLength: 6 });
    case "varbinary":
      return fc.uint8Array({ maxLength: 6 });
    case "double":
      return fc.double();
    case "array":
      return fc.array(nullable(type.element), { maxLength: 4 });
    case "row":
      return fc.tuple(...type.fields.map((field) => nullable(field.type)));
    case "map":
      return fc.uniqueArray(fc.tuple(valueOf(type.key), nullable(type.value)), {
        maxLength: 4,
        comparator: (a, b) => compareNested(type.key, a[0], b[0]) === 0,
      });
    default:
      throw new Error(`no values of ${type.kind}`);
  }
}

function nullable(type: Type): fc.Arbitrary<NestedValue> {
  return fc.option(valueOf(type), { nil: null, freq: 5 });
}

const typed = (plain: readonly Type[]) =>
  nestedTypes(2, plain).chain((type) => fc.tuple(fc.constant(type), valueOf(type), valueOf(type), valueOf(type)));

describe("encoded arrays, maps and rows", () => {
  test("values round-trip at any address", () => {
    fc.assert(
      fc.property(typed([...plainTypes, DOUBLE]), fc.nat(9), ([type, value], place) => {
        const bytes = encodeNested(type, value as readonly NestedValue[]);
        const placed = new Uint8Array(place + bytes.length);
        placed.set(bytes, place);
        expect(decodeNested(type, nestedSource(placed), place)).toEqual(value);
      }),
    );
  });

  test("without doubles and maps, bytes are equal exactly when values are", () => {
    const bare = typed(plainTypes).filter(([type]) => !displayType(type).includes("map("));
    fc.assert(
      fc.property(bare, ([type, a, b]) => {
        const text = (value: NestedValue) => encodeNested(type, value as readonly NestedValue[]).join();
        expect(text(a) === text(b)).toBe(compareNested(type, a, b) === 0);
      }),
    );
  });

  test("the order is total", () => {
    fc.assert(
      fc.property(typed([BOOLEAN, DOUBLE, VARCHAR]), ([type, a, b, c]) => {
        const sign = (p: NestedValue, q: NestedValue) => Math.sign(compareNested(type, p, q));
        expect(sign(a, a)).toBe(0);
        expect(sign(a, b) + sign(b, a)).toBe(0);
        expect(sign(a, b) <= 0 && sign(b, c) <= 0 && sign(a, c) > 0).toBe(false);
      }),
    );
  });

  test("a map's entries stand as they were given and are equal in any order", () => {
    const type = mapType(VARCHAR, INTEGER);
    const [ab, ba] = [
      [
        ["a", 1],
        ["b", 2],
      ],
      [
        ["b", 2],
        ["a", 1],
      ],
    ];
    expect(decodeNested(type, nestedSource(encodeNested(type, ba)))).toEqual(ba);
    expect(compareNested(type, ab, ba)).toBe(0);
  });

  test("a NaN has one form", () => {
    const other = new Float64Array(new BigUint64Array([0xfff8000000000001n]).buffer)[0] as number;
    expect(encodeNested(arrayType(DOUBLE), [other])).toEqual(encodeNested(arrayType(DOUBLE), [Number.NaN]));
  });

  test("types are shown as Presto shows them", () => {
    const type = rowType([
      { name: "a", type: arrayType(BIGINT) },
      { type: mapType(VARCHAR, decimalType(10, 2)) },
      { name: "b c", type: INTEGER },
    ]);
    expect(displayType(type)).toBe('row(a array(bigint), map(varchar, decimal(10,2)), "b c" integer)');
  });
});
