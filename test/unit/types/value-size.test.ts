import { describe, expect, test } from "vitest";
import { encodeNested } from "../../../src/types/nested/nested.ts";
import { arrayType, BIGINT, mapType, rowType, VARCHAR } from "../../../src/types/type.ts";
import {
  elementsMax,
  isTooLarge,
  requireElements,
  requireValueBytes,
  ValueTooLargeError,
  valueBytesMax,
} from "../../../src/types/value-size.ts";

const million = "x".repeat(1_000_000);
const texts = arrayType(VARCHAR);

describe("values that are too large", () => {
  test("are refused before their bytes are made", () => {
    expect(() =>
      encodeNested(
        texts,
        Array.from({ length: 68 }, () => million),
      ),
    ).toThrow(ValueTooLargeError);
    // Ten gigabytes if it were built.
    const thousand = Array.from({ length: 10_000 }, () => million);
    expect(() => encodeNested(texts, thousand)).toThrow(ValueTooLargeError);
    expect(() => encodeNested(arrayType(texts), [thousand, thousand])).toThrow(ValueTooLargeError);
    expect(() =>
      encodeNested(
        mapType(BIGINT, VARCHAR),
        thousand.map((text, index) => [BigInt(index), text]),
      ),
    ).toThrow(ValueTooLargeError);
    expect(() => encodeNested(rowType([{ type: texts }, { type: BIGINT }]), [thousand, 1n])).toThrow(ValueTooLargeError);
    expect(() => encodeNested(texts, ["x".repeat(valueBytesMax + 1)])).toThrow(ValueTooLargeError);
  });

  test("end where the limit does", () => {
    expect(
      encodeNested(
        texts,
        Array.from({ length: 67 }, () => million),
      ).length,
    ).toBe(4 + 67 * (1 + 4 + 1_000_000));
    expect(() => requireValueBytes(valueBytesMax)).not.toThrow();
    expect(() => requireValueBytes(valueBytesMax + 1)).toThrow(ValueTooLargeError);
    expect(() => requireElements(elementsMax)).not.toThrow();
    expect(() => requireElements(elementsMax + 1)).toThrow(ValueTooLargeError);
  });

  test("are told from other errors of the platform", () => {
    const thrown = (make: () => unknown): unknown => {
      try {
        return make();
      } catch (error) {
        return error;
      }
    };
    expect(isTooLarge(thrown(() => Array.from({ length: 10_000 }, () => million).join("")))).toBe(true);
    expect(isTooLarge(thrown(() => "x".repeat(2 ** 30)))).toBe(true);
    expect(isTooLarge(thrown(() => "x".repeat(Number.POSITIVE_INFINITY)))).toBe(true);
    expect(isTooLarge(thrown(() => Array.from({ length: 2 ** 32 })))).toBe(true);
    expect(isTooLarge(thrown(() => new Uint8Array(2 ** 53)))).toBe(true);
    const deep = (): number => 1 + deep();
    expect(isTooLarge(thrown(deep))).toBe(false);
    expect(isTooLarge(thrown(() => (1).toFixed(200)))).toBe(false);
  });
});
