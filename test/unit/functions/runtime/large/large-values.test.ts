/**
 * Large values are read and encoded in steps: the same values and bytes as in one piece, wherever the value is when its reading goes on,
 * and never more than a share of the work between two steps.
 */
import { expect, it } from "vitest";
import { encodeInSteps, readInSteps } from "../../../../../src/functions/runtime/large/large-values.ts";
import type { InSteps } from "../../../../../src/functions/runtime/steps.ts";
import { viewOf } from "../../../../../src/types/bytes.ts";
import { decodeBytes, encodeBytes, nestedSource } from "../../../../../src/types/nested/nested.ts";
import type { NestedValue } from "../../../../../src/types/nested/nested-order.ts";
import { arrayType, BIGINT, BOOLEAN, DOUBLE, mapType, rowType, type Type, VARBINARY, VARCHAR } from "../../../../../src/types/type.ts";
import { decodeUtf8 } from "../../../../../src/types/utf8.ts";

const count = 40_000;
/** Some more than the work of a piece. */
const stepsMax = 12_000;

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_value, index) => make(index));
}

const pairType = rowType([
  { name: "n", type: BIGINT },
  { name: "text", type: VARCHAR },
]);
/** Lone surrogates and pairs fall on the ends of pieces. */
const text = "aé\u{1f600}z".repeat(1_500_000 / 5);
const shiftedText = `\ud83d${"\u{1f600}".repeat(700_000)}`;

const values: readonly (readonly [name: string, type: Type, value: Exclude<NestedValue, null>])[] = [
  ["numbers", arrayType(BIGINT), list(count, (index) => (index % 7 === 0 ? null : BigInt(index) << 33n))],
  ["flags", arrayType(BOOLEAN), list(count, (index) => (index % 5 === 0 ? null : index % 2 === 0))],
  ["texts", arrayType(VARCHAR), list(count, (index) => (index % 11 === 0 ? null : "né".repeat(index % 50)))],
  [
    "rows",
    arrayType(pairType),
    list(count, (index) => (index % 13 === 0 ? null : [BigInt(index), index % 3 === 0 ? null : String(index)])),
  ],
  ["map", mapType(BIGINT, VARCHAR), list(count, (index) => [BigInt((index * 7919) % count), String(index)])],
  ["map of maps", mapType(VARCHAR, mapType(DOUBLE, BIGINT)), list(9, (n) => [`k${9 - n}`, list(3_000, (index) => [index / 2, BigInt(n)])])],
  ["arrays of which one is long", arrayType(arrayType(BIGINT)), [[1n], null, list(count, BigInt), [], list(count, () => null)]],
  [
    "row",
    rowType([
      { name: "a", type: arrayType(BIGINT) },
      { name: "b", type: BIGINT },
      { name: "c", type: VARCHAR },
    ]),
    [list(count, BigInt), 4n, text],
  ],
  ["text", VARCHAR, text],
  ["text of pairs after a lone surrogate", VARCHAR, shiftedText],
  ["bytes", VARBINARY, new Uint8Array(3_000_000).fill(7)],
];

/** Runs the steps to the end; `between` is called between them. */
function finish<T>(steps: InSteps<T>, between: () => void = () => {}): { readonly result: T; readonly turns: number } {
  for (let turns = 0; ; turns++) {
    const next = steps.next();
    if (next.done === true) {
      return { result: next.value, turns };
    }
    expect(next.value).toBeLessThan(stepsMax);
    between();
  }
}

it.each(values)("encodes and reads %s as in one piece", (_name, type, value) => {
  const encoded = encodeBytes(type, value);
  let held = 0;
  const hold = (bytes: number) => {
    held += bytes;
  };
  const written = finish(encodeInSteps(type, value, hold));
  expect(Buffer.compare(written.result, encoded)).toBe(0);
  const isBinary = value instanceof Uint8Array;
  expect(written.turns > 1).toBe(!isBinary);
  expect(held >= encoded.length).toBe(!isBinary);

  // The value moves between any two steps, as the argument of a call that is made again does.
  const gap = 4_096;
  const u8 = new Uint8Array(encoded.length + gap);
  const from = { source: { u8, view: viewOf(u8) }, address: 0 };
  u8.set(encoded);
  held = 0;
  const read = finish(readInSteps(type, from, { offset: 0, length: encoded.length }, hold), () => {
    from.address = (from.address + 1_001) % gap;
    u8.fill(255).set(encoded, from.address);
  });
  expect(read.turns).toBeGreaterThan(0);
  expect(held).toBeGreaterThanOrEqual(isBinary ? encoded.length : encoded.length / 2);
  expect(Buffer.compare(encodeBytes(type, read.result), encoded)).toBe(0);
  expect(typeof read.result).toBe(typeof decodeBytes(type, nestedSource(encoded), 0, encoded.length));
});

it("decodes invalid text as in one piece, whatever falls on the end of a piece", () => {
  for (const unit of [
    [0xf0, 0x9f, 0x98],
    [0x80, 0x80, 0x80, 0x80, 0x80],
    [0xe2, 0x28, 0xa1, 0xf0, 0x9f, 0x98, 0x80],
    [0xff, 0xc3],
  ]) {
    const bytes = new Uint8Array(2_200_000);
    bytes.forEach((_byte, index) => {
      bytes[index] = unit[index % unit.length] as number;
    });
    const from = { source: nestedSource(bytes), address: 0 };
    const { result, turns } = finish(readInSteps(VARCHAR, from, { offset: 0, length: bytes.length }, () => {}));
    expect(turns).toBe(3);
    expect(result === decodeUtf8(bytes)).toBe(true);
  }
});
