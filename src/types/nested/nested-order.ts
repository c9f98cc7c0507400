/**
 * A total order of values, consistent with IS NOT DISTINCT FROM. NULL sorts last, NaN before or after all numbers, -0.0 equals 0.0. Text is
 * ordered by code points, char as if padded with spaces, arrays and rows element by element, maps by their entries in key order. This
 * implementation compares single values; kernels have the same order in functions/runtime/nested-kernels.ts.
 */
import type { Type } from "../type.ts";

/**
 * A value as host functions see it. Tinyint to integer, date, interval year to month, real and double are numbers. Bigint, decimals,
 * timestamps, times and interval day to second are bigints. Text is a string, binary is bytes, arrays and rows are lists, and maps are
 * lists of [key, value].
 */
export type NestedValue = null | boolean | number | bigint | string | Uint8Array | readonly NestedValue[];

/** Position of NaN: after all numbers when rows are sorted, before them when the largest value is computed. */
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
      // Compares the instant and ignores the zone.
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

/** Order by code points, which is the byte order of UTF-8. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const [p, q] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (p !== q) {
      // Surrogates stand for code points above all other code units.
      return codeOrder(p) - codeOrder(q);
    }
  }
  return a.length - b.length;
}

/** Compares as if the shorter text were padded with spaces; either may have trailing spaces. */
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
