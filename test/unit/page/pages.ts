/**
 * Random pages: rows as JavaScript values, and the same rows as a page with any mix of selection, ids and nulls.
 */
import fc from "fast-check";
import { PageBuilder } from "../../../src/page/builder.ts";
import type { LinearMemory, MemoryContext } from "../../../src/memory/memory.ts";
import type { Column, Page } from "../../../src/page/page.ts";
import type { PageValue } from "../../../src/page/reader.ts";
import { narrowed } from "../../support/pages.ts";
import {
  BIGINT,
  BOOLEAN,
  charType,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  physicalType,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  UNKNOWN,
  VARBINARY,
  VARCHAR,
} from "../../../src/types/type.ts";

const columnTypes: readonly Type[] = [
  BOOLEAN,
  TINYINT,
  SMALLINT,
  INTEGER,
  DATE,
  BIGINT,
  TIMESTAMP,
  REAL,
  DOUBLE,
  decimalType(12, 2),
  decimalType(38, 4),
  VARCHAR,
  charType(8),
  VARBINARY,
  UNKNOWN,
];

function notNull(type: Type): fc.Arbitrary<PageValue> {
  switch (physicalType(type)) {
    case "i8":
      return type.kind === "boolean" ? fc.boolean() : fc.integer({ min: -128, max: 127 });
    case "i16":
      return fc.integer({ min: -32768, max: 32767 });
    case "i32":
      return fc.oneof(fc.integer(), fc.integer({ min: -129, max: 128 }), fc.integer({ min: -32769, max: 32768 }));
    case "i64":
      return fc.oneof(fc.bigInt(-(1n << 63n), (1n << 63n) - 1n), fc.bigInt(-129n, 128n), fc.bigInt(-(1n << 31n) - 1n, 1n << 31n));
    case "i128":
      return fc.bigInt(-(10n ** 38n) + 1n, 10n ** 38n - 1n);
    case "f32":
      return fc.float();
    case "f64":
      return fc.double();
    case "bytes":
      return fc.oneof(
        fc.uint8Array({ maxLength: 12, max: type.kind === "char" ? 31 : 255 }),
        fc.uint8Array({ maxLength: 60, max: type.kind === "char" ? 31 : 255 }),
      );
  }
}

export function valueOf(type: Type): fc.Arbitrary<PageValue> {
  return type.kind === "unknown" ? fc.constant(null) : fc.option(notNull(type), { freq: 5, nil: null });
}

function append(builder: PageBuilder, column: number, value: PageValue): void {
  if (value === null) {
    builder.appendNull(column);
  } else if (typeof value === "boolean") {
    builder.appendBoolean(column, value);
  } else if (typeof value === "bigint") {
    builder.appendBigint(column, value);
  } else if (value instanceof Uint8Array) {
    builder.appendBytes(column, value);
  } else {
    builder.appendDouble(column, value);
  }
}

export interface ColumnDraw {
  readonly type: Type;
  readonly values: readonly PageValue[];
  /** Row ids of a dictionary column; undefined for a flat column. */
  readonly ids: readonly number[] | undefined;
  /** Integers are as narrow as they can be. */
  readonly isNarrow: boolean;
}

export interface PageDraw {
  readonly rows: number;
  readonly columns: readonly ColumnDraw[];
  readonly selection: readonly number[] | undefined;
}

function columnDraw(rows: number): fc.Arbitrary<ColumnDraw> {
  return fc.constantFrom(...columnTypes).chain((type) => {
    const flat = fc.record({
      type: fc.constant(type),
      values: fc.array(valueOf(type), { minLength: rows, maxLength: rows }),
      ids: fc.constant(undefined),
      isNarrow: fc.boolean(),
    });
    const dictionary = fc.integer({ min: 1, max: 6 }).chain((entries) =>
      fc.record({
        type: fc.constant(type),
        values: fc.array(valueOf(type), { minLength: entries, maxLength: entries }),
        ids: fc.array(fc.nat(entries - 1), { minLength: rows, maxLength: rows }),
        isNarrow: fc.boolean(),
      }),
    );
    return fc.oneof(flat, dictionary);
  });
}

export const pageDraw: fc.Arbitrary<PageDraw> = fc.nat(40).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    columns: fc.array(columnDraw(rows), { maxLength: 5 }),
    selection: fc.option(fc.subarray([...Array(rows).keys()]), { nil: undefined }),
  }),
);

export function typesOf(draw: PageDraw): readonly Type[] {
  return draw.columns.map((column) => column.type);
}

/** The rows that a reader of the page must see. */
export function rowsOf(draw: PageDraw): readonly (readonly PageValue[])[] {
  const rows = draw.selection ?? [...Array(draw.rows).keys()];
  return rows.map((row) => draw.columns.map(({ values, ids }) => values[ids === undefined ? row : (ids[row] as number)] as PageValue));
}

function writeU32(linear: LinearMemory, context: MemoryContext, values: readonly number[]): number {
  const address = context.allocate(Math.max(4, values.length * 4));
  linear.u32.set(values, address / 4);
  return address;
}

export function pageOf(draw: PageDraw, linear: LinearMemory, context: MemoryContext): Page {
  const columns = draw.columns.map(({ isNarrow, type, values, ids }): Column => {
    const builder = new PageBuilder([type], context);
    for (const value of values) {
      // appendDouble accepts floating-point types only.
      if (typeof value === "number" && type.kind !== "real" && type.kind !== "double") {
        builder.appendInt(0, value);
      } else {
        append(builder, 0, value);
      }
    }
    const [built] = builder.build().columns;
    const column = isNarrow ? narrowed(linear, built as Column) : (built as Column);
    return { ...column, ids: ids === undefined ? 0 : writeU32(linear, context, ids) };
  });
  return {
    positionCount: draw.selection?.length ?? draw.rows,
    selection: draw.selection === undefined ? 0 : writeU32(linear, context, draw.selection),
    columns,
  };
}
