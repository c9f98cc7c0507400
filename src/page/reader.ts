/**
 * Single values of a page as JavaScript values, for tests, system code and the slow path of the client protocol. Too slow for inner loops.
 */
import { assert } from "../protocol/errors.ts";
import { physicalType } from "../types/type.ts";
import type { Address, LinearMemory } from "../memory/memory.ts";
import type { Column, NarrowBytes, Page } from "./page.ts";

/**
 * boolean: boolean. tinyint, smallint, integer, date, interval year to month, real, double: number. bigint, timestamp, interval day to
 * second, decimal (unscaled): bigint. varchar, char (without its padding), varbinary: a copy of the bytes.
 */
export type PageValue = null | boolean | number | bigint | Uint8Array;

/** `position` counts after the selection. */
export function readValue(linear: LinearMemory, page: Page, columnIndex: number, position: number): PageValue {
  const column = page.columns[columnIndex];
  assert(column !== undefined, `page has no column ${columnIndex}`);
  const index = valueIndex(linear, page, column, position);
  if (column.nulls !== 0 && linear.u8[column.nulls + index] === 1) {
    return null;
  }
  return readAt(linear, column, index);
}

/** Index of the position's value in the column's values and nulls. */
function valueIndex(linear: LinearMemory, page: Page, column: Column, position: number): number {
  assert(position >= 0 && position < page.positionCount, `page has no position ${position}`);
  const row = page.selection === 0 ? position : (linear.u32[(page.selection >>> 2) + position] as number);
  return column.ids === 0 ? row : (linear.u32[(column.ids >>> 2) + row] as number);
}

/** The value at `index` of a narrow column. */
export function readNarrow({ view }: LinearMemory, { type, values }: Column, bytes: NarrowBytes, index: number): number | bigint {
  const at = values + index * bytes;
  const value = bytes === 1 ? view.getInt8(at) : bytes === 2 ? view.getInt16(at, true) : view.getInt32(at, true);
  return physicalType(type) === "i64" ? BigInt(value) : value;
}

function readAt(linear: LinearMemory, column: Column, index: number): PageValue {
  const { view } = linear;
  const { narrow, values } = column;
  if (narrow !== undefined) {
    return readNarrow(linear, column, narrow, index);
  }
  switch (physicalType(column.type)) {
    case "i8":
      return column.type.kind === "boolean" ? view.getInt8(values + index) !== 0 : view.getInt8(values + index);
    case "i16":
      return view.getInt16(values + index * 2, true);
    case "i32":
      return view.getInt32(values + index * 4, true);
    case "i64":
      return view.getBigInt64(values + index * 8, true);
    case "i128":
      return readI128(linear, values + index * 16);
    case "f32":
      return view.getFloat32(values + index * 4, true);
    case "f64":
      return view.getFloat64(values + index * 8, true);
    case "bytes": {
      const address = view.getUint32(values + index * 8, true);
      return linear.u8.slice(address, address + view.getUint32(values + index * 8 + 4, true));
    }
  }
}

function readI128(linear: LinearMemory, address: Address): bigint {
  return linear.view.getBigUint64(address, true) | (linear.view.getBigInt64(address + 8, true) << 64n);
}

export function writeI128(linear: LinearMemory, address: Address, value: bigint): void {
  linear.view.setBigInt64(address, BigInt.asIntN(64, value), true);
  linear.view.setBigInt64(address + 8, BigInt.asIntN(64, value >> 64n), true);
}
