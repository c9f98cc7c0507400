/**
 * Typed values of the data plane as JavaScript values: drawing them, SQL's equality and order, and pages made of them. A value of a type of
 * bytes is hexadecimal text, unless it is text.
 */
import type { MemoryContext } from "../../src/memory/memory.ts";
import { PageBuilder } from "../../src/page/builder.ts";
import type { Page } from "../../src/page/page.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  charType,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  physicalType,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../src/types/type.ts";
import { encodeNested } from "../../src/types/nested/nested.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { narrowed, readRow } from "../support/pages.ts";

export type Value = null | boolean | number | bigint | string;
export type Row = readonly Value[];

const long = "a longer text than sixteen bytes, with an end";
const texts = ["", "a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefgha", "é", "😀", `${long}.`, `${long}!`, "\u0000"];
const bytes = ["", "00", "0000", "ff", "61", "6162636465666768696a6b6c6d6e6f7071"];

interface Kind {
  readonly type: Type;
  readonly values: readonly Exclude<Value, null>[];
}

const small = [0, 1, 2, 3, -1];
const bigints = (...edges: readonly bigint[]): readonly bigint[] => [...small.map(BigInt), ...edges];

/** Few values of each type, so that keys meet, with the edges of the type. */
const kinds: readonly Kind[] = [
  { type: BOOLEAN, values: [true, false] },
  { type: TINYINT, values: [...small, 127, -128] },
  { type: SMALLINT, values: [...small, 32_767, -32_768] },
  { type: INTEGER, values: [...small, 2 ** 31 - 1, -(2 ** 31)] },
  { type: BIGINT, values: bigints(2n ** 63n - 1n, -(2n ** 63n), 2n ** 32n) },
  { type: REAL, values: [0, -0, 1.5, -1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] },
  { type: DOUBLE, values: [0, -0, 1.5, -1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 5e-324] },
  { type: decimalType(10, 2), values: bigints(9_999_999_999n, -9_999_999_999n) },
  { type: decimalType(38, 4), values: bigints(10n ** 38n - 1n, -(10n ** 38n) + 1n, 2n ** 64n, 2n ** 64n + 1n) },
  { type: VARCHAR, values: texts },
  { type: varcharType(9), values: texts.filter((text) => text.length < 10) },
  { type: charType(4), values: ["", "a", "b", "ab", "abcd"] },
  { type: VARBINARY, values: bytes },
  { type: DATE, values: [...small, 20_000, -20_000] },
  { type: TIMESTAMP, values: bigints(1_700_000_000_000_000n, -1_000_000n) },
  { type: INTERVAL_DAY_TO_SECOND, values: bigints(86_400_000n) },
  { type: UUID, values: ["00".repeat(16), `${"00".repeat(15)}01`, "ff".repeat(16)] },
];

/** Arrays are passed on and grouped, but not compared: that depends on NULLs inside. */
const arrayOfBigint = arrayType(BIGINT);
const arrays: Kind = {
  type: arrayOfBigint,
  values: [[], [null], [1n], [1n, null], [2n, 1n]].map((items) => Buffer.from(encodeNested(arrayOfBigint, items)).toString("hex")),
};

export const someTypes: readonly Type[] = kinds.map(({ type }) => type);
export const passedTypes: readonly Type[] = [...someTypes, arrays.type];

function kindOf(type: Type): Kind {
  const found = [...kinds, arrays].find((kind) => JSON.stringify(kind.type) === JSON.stringify(type));
  if (found === undefined) {
    throw new Error(`no values of ${type.kind}`);
  }
  return found;
}

export function drawValue(random: Random, type: Type, nullPercent: number): Value {
  const { values } = kindOf(type);
  return values.length === 0 || random.chance(nullPercent) ? null : random.pick(values);
}

/** Text by which values that are not distinct are equal: NULL is NULL, NaN is NaN, 0 is -0. */
export function keyOf(values: readonly Value[]): string {
  return values.map((value) => `${typeof value}:${Object.is(value, -0) ? "0" : String(value)}`).join("|");
}

/** Distinguishes 0 from -0. */
export function textOf(row: Row): string {
  return row
    .map((value) => (value === null ? "NULL" : Object.is(value, -0) ? "-0" : `${String(value)}${typeof value === "bigint" ? "n" : ""}`))
    .join(" | ");
}

/** SQL's order: NaN is the largest number, text and bytes are ordered by bytes, false comes before true. */
export function compareValues(left: Exclude<Value, null>, right: Exclude<Value, null>): number {
  if (typeof left === "string" && typeof right === "string") {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  if (typeof left === "number" && typeof right === "number" && (Number.isNaN(left) || Number.isNaN(right))) {
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  }
  return Number(left > right) - Number(left < right);
}

/** SQL's `=` of two values that are not NULL: NaN equals nothing. */
export function equals(left: Value, right: Value): boolean {
  return left === right;
}

/** How the values of a page are laid out. */
export interface Shape {
  /** Rows that are not selected lie between the others. */
  readonly selected: boolean;
  /** Columns that are read through row numbers into other rows. */
  readonly dictionary: boolean;
  /** Each column has row numbers of its own. */
  readonly apart: boolean;
  /** Integers are as narrow as they can be. */
  readonly narrow: boolean;
}

export function drawShape(random: Random): Shape {
  return { selected: random.chance(40), dictionary: random.chance(40), apart: random.chance(50), narrow: random.chance(40) };
}

/** Valid as long as `memory`. */
export function makePage(memory: MemoryContext, types: readonly Type[], rows: readonly Row[], shape: Shape): Page {
  const { u32 } = memory.linear;
  const words = (values: readonly number[]): number => {
    const address = memory.allocate(Math.max(1, values.length) * 4);
    u32.set(values, address >>> 2);
    return address;
  };
  const hidden = (row: Row): Row => row.map((value, column) => junkOf(types[column] as Type, value));
  const physical = shape.selected ? rows.flatMap((row) => [hidden(row), row]) : rows;
  const columns = types.map((type, column) => {
    const values = physical.map((row) => row[column] ?? null);
    const reversed = shape.dictionary && (!shape.apart || column % 2 === 0);
    // The dictionary holds the values in reverse order and each of them once.
    const entries = reversed ? [...new Map(values.toReversed().map((value) => [textOf([value]), value])).values()] : values;
    const [wide] = buildColumns(
      memory,
      [type],
      entries.map((value) => [value]),
    );
    const built = shape.narrow && wide !== undefined ? narrowed(memory.linear, wide) : wide;
    if (built === undefined || !reversed) {
      return built;
    }
    const places = new Map(entries.map((value, place) => [textOf([value]), place]));
    return { ...built, ids: words(values.map((value) => places.get(textOf([value])) ?? 0)) };
  });
  return {
    positionCount: rows.length,
    selection: shape.selected ? words(rows.map((_, index) => index * 2 + 1)) : 0,
    columns: columns as Page["columns"],
  };
}

/** A row that is not selected holds values that would be noticed. */
function junkOf(type: Type, value: Value): Value {
  const { values } = kindOf(type);
  return values.length === 0 ? null : (values.find((other) => other !== value) ?? null);
}

function buildColumns(memory: MemoryContext, types: readonly Type[], rows: readonly Row[]): Page["columns"] {
  const builder = new PageBuilder(types, memory, 1 << 20);
  for (const row of rows) {
    row.forEach((value, column) => append(builder, column, types[column] as Type, value));
  }
  return builder.build().columns;
}

function append(builder: PageBuilder, column: number, type: Type, value: Value): void {
  const physical = physicalType(type);
  if (value === null) {
    builder.appendNull(column);
  } else if (typeof value === "boolean") {
    builder.appendBoolean(column, value);
  } else if (typeof value === "bigint") {
    builder.appendBigint(column, value);
  } else if (typeof value === "string") {
    if (isText(type)) {
      builder.appendString(column, value);
    } else {
      builder.appendBytes(column, Uint8Array.from(Buffer.from(value, "hex")));
    }
  } else if (physical === "f32" || physical === "f64") {
    builder.appendDouble(column, value);
  } else {
    builder.appendInt(column, value);
  }
}

function isText({ kind }: Type): boolean {
  return kind === "varchar" || kind === "char" || kind === "json";
}

export function readValues(memory: MemoryContext, page: Page): Value[][] {
  return Array.from({ length: page.positionCount }, (_, position) =>
    readRow(memory.linear, page, position).map((value, column) => {
      const type = page.columns[column]?.type as Type;
      return value instanceof Uint8Array ? (isText(type) ? decodeUtf8(value) : Buffer.from(value).toString("hex")) : value;
    }),
  );
}
