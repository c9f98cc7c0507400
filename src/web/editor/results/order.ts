/** Order of result rows by one column, as ORDER BY has it: by the column's type, NULL last in both directions, ties in the given order. */
import type { ColumnType } from "./column-types.ts";
import { dateDays, dayIntervalPicos, timestampPicos, timePicos, unscaledDecimal, yearIntervalMonths, zonedTimePicos } from "./moments.ts";
import { valueText } from "./values.ts";

export type Direction = "ascending" | "descending";

/** What values are compared by; undefined for NULL. */
export type SortKey = number | bigint | string | readonly SortKey[] | undefined;

export interface RowOrder {
  readonly column: number;
  readonly direction: Direction;
}

/** Row numbers in the order of the column. */
export function orderedRows(rows: readonly (readonly unknown[])[], type: ColumnType, { column, direction }: RowOrder): Uint32Array {
  const keys = rows.map((row) => sortKey(row[column], type));
  const sign = direction === "ascending" ? 1 : -1;
  return Uint32Array.from(rows.keys()).sort((left, right) => {
    const [a, b] = [keys[left], keys[right]];
    if (a === undefined || b === undefined) {
      return a === b ? left - right : a === undefined ? 1 : -1;
    }
    return sign * compareKeys(a, b) || left - right;
  });
}

function sortKey(value: unknown, type: ColumnType): SortKey {
  if (value === null || value === undefined) {
    return undefined;
  }
  if (Array.isArray(value)) {
    const [element] = type.children;
    const isRow = type.base === "row";
    return value.map((part, index) => sortKey(part, (isRow ? type.children[index] : element)?.type ?? type));
  }
  if (typeof value === "boolean") {
    return value ? 1 : 0;
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  return typeof value === "string" ? textKey(value, type) : valueText(value, type);
}

function textKey(text: string, { base, numbers }: ColumnType): SortKey {
  switch (base) {
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return unscaledDecimal(text, 0) ?? text;
    case "decimal":
      return unscaledDecimal(text, numbers[1] ?? 0) ?? text;
    case "real":
    case "double":
      return Number(text);
    case "date":
      return dateDays(text) ?? text;
    case "timestamp":
    case "timestamp with time zone":
      return timestampPicos(text) ?? text;
    case "time":
      return timePicos(text) ?? text;
    case "time with time zone":
      return zonedTimePicos(text) ?? text;
    case "interval day to second":
      return dayIntervalPicos(text) ?? text;
    case "interval year to month":
      return yearIntervalMonths(text) ?? text;
    case "varbinary":
      return bytesKey(text);
    default:
      return text;
  }
}

/** One character a byte. */
function bytesKey(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return base64;
  }
}

/** Keys of other kinds than the rest of the column come in the order of their kinds. */
function compareKeys(left: SortKey, right: SortKey): number {
  if (Array.isArray(left) && Array.isArray(right)) {
    return compareLists(left, right);
  }
  if (typeof left === "string" && typeof right === "string") {
    return compareTexts(left, right);
  }
  if ((typeof left === "number" || typeof left === "bigint") && (typeof right === "number" || typeof right === "bigint")) {
    return compareNumbers(left, right);
  }
  return kindOf(left) - kindOf(right);
}

function kindOf(key: SortKey): number {
  if (key === undefined) {
    return 3;
  }
  return typeof key === "string" ? 1 : typeof key === "object" ? 2 : 0;
}

/** NaN is the largest. A number and a bigint are compared exactly. */
function compareNumbers(left: number | bigint, right: number | bigint): number {
  const [isLeftNaN, isRightNaN] = [Number.isNaN(left), Number.isNaN(right)];
  if (isLeftNaN || isRightNaN) {
    return Number(isLeftNaN) - Number(isRightNaN);
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** By code points, as the engine compares UTF-8. */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) {
      return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
    }
  }
  return left.length - right.length;
}

/** A surrogate stands for a code point above all others. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareLists(left: readonly SortKey[], right: readonly SortKey[]): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const order = compareKeys(left[at], right[at]);
    if (order !== 0) {
      return order;
    }
  }
  return left.length - right.length;
}
