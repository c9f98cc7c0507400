/**
 * A total order of values, consistent with IS NOT DISTINCT FROM: NULL last, NaN behind all numbers or before them, -0.0 equal to 0.0, text by code points, char as if
 * padded with spaces, arrays and rows element by element, maps by their entries in the order of keys. Used where values are met one by one; kernels have the same order in
 * functions/runtime/nested-kernels.ts.
 */
import type { Type } from "../type.ts";

/**
 * A value as functions in TypeScript see it: numbers for tinyint to integer, date, months, real, double; bigint for bigint, decimals, timestamps, times,
 * millis; text; bytes; lists for arrays and rows; lists of [key, value] for maps.
 */
export type NestedValue = null | boolean | number | bigint | string | Uint8Array | readonly NestedValue[];

/** Where NaN stands: behind all numbers when rows are sorted, before them when the greatest value is wanted. */
export type NanOrder = "NaN first" | "NaN last";

/** Negative, 0 or positive. */
export function compareNested(type: Type, a: NestedValue, b: NestedValue, nanOrder: NanOrder = "NaN last"): number {
  if (a === null || b === null) {
    return a === b ? 0 : a === null ? 1 : -1;
  }
  switch (type.kind) {
    case "array":
      return compareLists(() => type.element, [a, b] as unknown as ListPair, nanOrder);
    case "row":
      return compareLists((index) => (type.fields[index] as { readonly type: Type }).type, [a, b] as unknown as ListPair, nanOrder);
    case "map": {
      const [p, q] = [sortedEntries(type.key, a), sortedEntries(type.key, b)];
      return compareLists((index) => (index % 2 === 0 ? type.key : type.value), [p, q], nanOrder);
    }
    case "char":
      return comparePadded(a as string, b as string);
    case "timestamp with time zone":
    case "time with time zone":
      // The zone does not count.
      return comparePlain((a as bigint) >> 32n, (b as bigint) >> 32n, nanOrder);
    default:
      return comparePlain(a, b, nanOrder);
  }
}

function sortedEntries(key: Type, value: NestedValue): readonly NestedValue[] {
  const entries = [...(value as readonly (readonly NestedValue[])[])];
  entries.sort((p, q) => compareNested(key, p[0] ?? null, q[0] ?? null));
  return entries.flat(1) as readonly NestedValue[];
}

type ListPair = readonly [readonly NestedValue[], readonly NestedValue[]];

function compareLists(typeAt: (index: number) => Type, [a, b]: ListPair, nanOrder: NanOrder): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const order = compareNested(typeAt(index), a[index] as NestedValue, b[index] as NestedValue, nanOrder);
    if (order !== 0) {
      return order;
    }
  }
  return a.length - b.length;
}

function comparePlain(a: NestedValue, b: NestedValue, nanOrder: NanOrder): number {
  if (typeof a === "string" && typeof b === "string") {
    return compareText(a, b);
  }
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    return compareBytes(a, b);
  }
  if (typeof a === "number" && typeof b === "number" && (Number.isNaN(a) || Number.isNaN(b))) {
    const order = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return nanOrder === "NaN last" ? order : -order;
  }
  const [p, q] = [a as number | bigint, b as number | bigint];
  return p < q ? -1 : p > q ? 1 : 0;
}

/** By code points, which is the order of the bytes in UTF-8. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const [p, q] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (p !== q) {
      // Surrogates stand for code points above all other units.
      return codeOrder(p) - codeOrder(q);
    }
  }
  return a.length - b.length;
}

/** Both without trailing spaces, or with them; the shorter one is padded. */
function comparePadded(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  return compareText(a.padEnd(length), b.padEnd(length));
}

function codeOrder(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const order = (a[index] as number) - (b[index] as number);
    if (order !== 0) {
      return order;
    }
  }
  return a.length - b.length;
}
