/** Sets of integers as bits: their text and their union, against plain sets. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bitsBytes,
  bitsSpan,
  decodeInto,
  encodeBits,
  type IntegerBits,
  type IntegerRange,
  type ToldSet,
  unionOfSets,
} from "../../../src/execution/dynamic-filter/integer-bits.ts";
import { decodeBase64, encodeBase64 } from "../../../src/types/base64.ts";

function valuesOf({ low, bytes }: IntegerBits): readonly bigint[] {
  return Array.from({ length: 8 * bytes.length }, (_, place) => place)
    .filter((place) => (((bytes[place >>> 3] as number) >>> (place & 7)) & 1) === 1)
    .map((place) => low + BigInt(place));
}

const ascending = (values: Iterable<bigint>): readonly bigint[] => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

function rangeOf(values: readonly bigint[]): IntegerRange {
  const sorted = ascending(values);
  return { low: sorted[0] as bigint, high: sorted.at(-1) as bigint };
}

function setOf(values: readonly bigint[]): IntegerBits {
  return unionOfSets([{ ...rangeOf(values), told: values }], rangeOf(values)) as IntegerBits;
}

function decodeBits(text: string, { low, high }: IntegerRange): IntegerBits | undefined {
  const bytes = new Uint8Array(bitsBytes(bitsSpan(low, high) as number));
  return decodeInto(text, { low, high }, bytes, 0) ? { low, high, bytes } : undefined;
}

/** Dense and sparse sets, near zero and near the ends of 64 bits. */
const sets = fc
  .record({
    base: fc.constantFrom(0n, -7n, -(1n << 63n), (1n << 63n) - 100_001n),
    offsets: fc.oneof(
      fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 40 }),
    ),
  })
  .map(({ base, offsets }) => offsets.map((offset) => base + BigInt(offset)));

describe("a set of integers", () => {
  it("has a text that tells it", () => {
    fc.assert(
      fc.property(sets, (values) => {
        const set = setOf(values);
        const text = encodeBits(set) as string;
        const read = decodeBits(text, set) as IntegerBits;
        expect(read).toEqual(set);
        expect(valuesOf(read)).toEqual(ascending(values));
        // Whoever knows about how many there are gets the same text.
        expect([values.length, values.length + 50].map((countMax) => encodeBits(set, countMax))).toEqual([text, text]);
        // Never longer than the plain bitmap and the byte of the form.
        expect(decodeBase64(text)?.length).toBeLessThanOrEqual(Math.ceil(Number(set.high - set.low + 1n) / 8) + 1);
      }),
    );
  });

  it("has a text that tells integers far apart", () => {
    const values = [0n, 31n, 131_071n, 131_072n, 131_103n, 262_143n, 262_144n, 1_000_000n];
    const set = setOf(values);
    for (const countMax of [undefined, values.length, 1 << 20]) {
      expect(valuesOf(decodeBits(encodeBits(set, countMax) as string, set) as IntegerBits)).toEqual(values);
    }
  });

  it("is united with others, whatever their order and grouping", () => {
    const near = fc.array(
      fc.record({
        values: fc.array(fc.bigInt({ min: -300n, max: 300n }), { minLength: 1, maxLength: 30 }),
        isListed: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(near, (parts) => {
        const all = parts.flatMap(({ values }) => values);
        const told = parts.map(({ values, isListed }): ToldSet => {
          return { ...rangeOf(values), told: isListed ? values : (encodeBits(setOf(values)) as string) };
        });
        const united = unionOfSets(told, rangeOf(all)) as IntegerBits;
        expect(valuesOf(united)).toEqual(ascending(all));
        expect(unionOfSets(told.toReversed(), rangeOf(all))).toEqual(united);
        const { low, high } = united;
        expect(unionOfSets([...told.slice(1), { low, high, told: encodeBits(united) as string }], united)).toEqual(united);
      }),
    );
  });

  it("is none where the range or the text would be too large", () => {
    expect(bitsSpan(5n, 4n)).toBeUndefined();
    expect(bitsSpan(-(1n << 63n), (1n << 63n) - 1n)).toBeUndefined();
    expect(bitsSpan(1n, 1n << 26n)).toBe(1 << 26);
    expect(unionOfSets([{ low: 0n, high: 0n, told: [0n] }], { low: 0n, high: 1n << 26n })).toBeUndefined();
    expect(unionOfSets([{ low: 0n, high: 20n, told: "" }], { low: 0n, high: 20n })).toBeUndefined();
    const wide = { low: 0n, high: (1n << 26n) - 1n, bytes: new Uint8Array(1 << 23).fill(0b1010_1010) };
    expect(encodeBits(wide)).toBeUndefined();
    expect(encodeBits({ ...wide, bytes: new Uint8Array(1 << 23).fill(1, 0, 5) })).toHaveLength(8);
  });

  it("is not read from a text that is none of its range", () => {
    const range = { low: 10n, high: 20n };
    for (const bytes of [[], [2, 1], [0, 1], [0, 255, 255], [0, 1, 1, 1], [1, 11], [1, 5, 5], [1, 128], [1, 255, 255, 255, 255, 255, 1]]) {
      expect(decodeBits(encodeBase64(Uint8Array.from(bytes)), range), String(bytes)).toBeUndefined();
    }
    expect(decodeBits("a", range)).toBeUndefined();
    expect(decodeBits("*", range)).toBeUndefined();
    expect(valuesOf(decodeBits(encodeBase64(Uint8Array.from([1, 0, 9])), range) as IntegerBits)).toEqual([10n, 20n]);
    expect(valuesOf(decodeBits(encodeBase64(Uint8Array.from([0, 255, 7])), range) as IntegerBits)).toHaveLength(11);
  });
});
