/**
 * Converts packed stored values of a Parquet leaf to the layout of its SQL type.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
import { writeI128 } from "../../../page/reader.ts";
import { BadData } from "../../shared/file-errors.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import { type ColumnEncoding, physical } from "./schema.ts";

const int64Max = 2n ** 63n - 1n;
const nanosPerDay = 86_400_000_000_000n;
const picosPerDay = 86_400_000_000_000_000n;
const julianEpochDay = 2_440_588n;
/** Three null bytes and three integers of 64 bits, as types/nested encodes a row of three bigints. */
const intervalRowBytes = 27;

/** `count` values to be written at `values`. */
export interface Decoding {
  readonly column: ColumnEncoding;
  readonly count: number;
  readonly values: Address;
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
}

/** Bytes of a stored value of fixed width. */
export function storedBytes(encoding: ColumnEncoding): number {
  switch (encoding.physical) {
    case physical.int32:
    case physical.float:
      return 4;
    case physical.int64:
    case physical.double:
      return 8;
    case physical.int96:
      return 12;
    default:
      return encoding.length;
  }
}

/** Big-endian two's complement. */
export function writeDecimal(
  linear: LinearMemory,
  stored: { readonly at: Address; readonly length: number },
  { column, values }: Decoding,
  index: number,
): void {
  let value = 0n;
  for (let at = stored.at; at < stored.at + stored.length; at++) {
    value = (value << 8n) | BigInt(linear.u8[at] as number);
  }
  value = BigInt.asIntN(Math.max(1, stored.length * 8), value);
  if (column.conversion === "big-endian to i64") {
    if (BigInt.asIntN(64, value) !== value) {
      throw new BadData("a decimal is longer than its precision");
    }
    linear.i64[(values >>> 3) + index] = value;
    return;
  }
  if (BigInt.asIntN(128, value) !== value) {
    throw new BadData("a decimal is longer than its precision");
  }
  writeI128(linear, values + index * 16, value);
}

/** Converts values at any address. Returns blocks that the converted values refer to. */
export function convertFixed(linear: LinearMemory, from: Address, decoding: Decoding): readonly Address[] {
  const { column, count, values, kernels } = decoding;
  const { view, u8 } = linear;
  switch (column.conversion) {
    case "none":
      if (column.physical === physical.fixed) {
        referToFixed(linear, from, decoding);
      } else {
        u8.copyWithin(values, from, from + count * storedBytes(column));
      }
      return [];
    case "i32 to i8":
      for (let index = 0; index < count; index++) {
        view.setInt8(values + index, inRange(view.getInt32(from + index * 4, true), -0x80, 0x7f));
      }
      return [];
    case "i32 to i16":
      for (let index = 0; index < count; index++) {
        view.setInt16(values + index * 2, inRange(view.getInt32(from + index * 4, true), -0x8000, 0x7fff), true);
      }
      return [];
    case "i32 to i64":
    case "u32 to i64":
      kernels.widen(column.conversion === "i32 to i64", from, { count, target: values });
      return [];
    case "i32 to i128":
    case "i64 to i128":
    case "u64 to i128":
      return convertEach(decoding, (index) => writeI128(linear, values + index * 16, integerAt(view, from, column, index)));
    case "big-endian to i64":
    case "big-endian to i128":
      return convertEach(decoding, (index) =>
        writeDecimal(linear, { at: from + index * column.length, length: column.length }, decoding, index),
      );
    case "half to f32":
      return convertEach(decoding, (index) => view.setFloat32(values + index * 4, halfOf(view.getUint16(from + index * 2, true)), true));
    case "interval to row":
      return [writeIntervals(linear, from, decoding)];
    default:
      convertTimes(linear, from, decoding);
      return [];
  }
}

function convertEach({ count }: Decoding, convert: (index: number) => void): readonly Address[] {
  for (let index = 0; index < count; index++) {
    convert(index);
  }
  return [];
}

function integerAt(view: DataView, from: Address, { conversion }: ColumnEncoding, index: number): bigint {
  switch (conversion) {
    case "i32 to i128":
      return BigInt(view.getInt32(from + index * 4, true));
    case "i64 to i128":
      return view.getBigInt64(from + index * 8, true);
    default:
      return view.getBigUint64(from + index * 8, true);
  }
}

function convertTimes(linear: LinearMemory, from: Address, decoding: Decoding): void {
  const { column, values } = decoding;
  const { view, i64 } = linear;
  const stored = (index: number): bigint => view.getBigInt64(from + index * 8, true);
  const target = values >>> 3;
  switch (column.conversion) {
    case "millis to micros":
      convertEach(decoding, (index) => (i64[target + index] = microsInRange(stored(index) * 1000n)));
      break;
    case "nanos to moment":
      convertEach(decoding, (index) => writeMoment(i64, target + index * 2, stored(index), 0n));
      break;
    case "nanos to zoned":
      convertEach(decoding, (index) => writeMoment(i64, target + index * 2, stored(index), 32n));
      break;
    case "millis to zoned":
      convertEach(decoding, (index) => writeInstant(i64, target + index * 2, microsInRange(stored(index) * 1000n)));
      break;
    case "micros to zoned":
      convertEach(decoding, (index) => writeInstant(i64, target + index * 2, stored(index)));
      break;
    case "int96 to moment":
      convertEach(decoding, (index) => {
        const day = BigInt(view.getInt32(from + index * 12 + 8, true)) - julianEpochDay;
        writeMoment(i64, target + index * 2, day * nanosPerDay + view.getBigInt64(from + index * 12, true), 0n);
      });
      break;
    case "int96 to micros":
      convertEach(decoding, (index) => (i64[target + index] = int96Micros(view, from + index * 12)));
      break;
    case "int96 to zoned":
      convertEach(decoding, (index) => writeInstant(i64, target + index * 2, int96Micros(view, from + index * 12)));
      break;
    case "millis to time":
      convertEach(decoding, (index) => (i64[target + index] = timeInRange(BigInt(view.getInt32(from + index * 4, true)) * 1_000_000_000n)));
      break;
    case "micros to time":
      convertEach(decoding, (index) => (i64[target + index] = timeInRange(stored(index) * 1_000_000n)));
      break;
    case "nanos to time":
      convertEach(decoding, (index) => (i64[target + index] = timeInRange(stored(index) * 1000n)));
      break;
    default:
      throw new BadData(`conversion ${column.conversion} is not known`);
  }
}

/** Nanoseconds of the day and the day, in whole microseconds. */
function int96Micros(view: DataView, at: Address): bigint {
  const day = BigInt(view.getInt32(at + 8, true)) - julianEpochDay;
  return microsInRange(floorDivide(day * nanosPerDay + view.getBigInt64(at, true), 1000n));
}

/** Microseconds above, picoseconds of the last one below, above the zone if there is one: UTC, whose key is 0. */
function writeMoment(i64: BigInt64Array, slot: number, nanos: bigint, picosShift: bigint): void {
  const micros = floorDivide(nanos, 1000n);
  i64[slot] = ((nanos - micros * 1000n) * 1000n) << picosShift;
  i64[slot + 1] = microsInRange(micros);
}

function writeInstant(i64: BigInt64Array, slot: number, micros: bigint): void {
  i64[slot] = 0n;
  i64[slot + 1] = micros;
}

function inRange(value: number, low: number, high: number): number {
  if (value < low || value > high) {
    throw new BadData(`${value} is out of range of the column's type`);
  }
  return value;
}

export function microsInRange(micros: bigint): bigint {
  if (micros > int64Max || micros < -int64Max) {
    throw new BadData("a timestamp is out of range");
  }
  return micros;
}

export function timeInRange(picos: bigint): bigint {
  if (picos < 0n || picos >= picosPerDay) {
    throw new BadData("a time of day is out of range");
  }
  return picos;
}

export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** IEEE 754 binary16. */
export function halfOf(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) {
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  }
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function referToFixed(linear: LinearMemory, from: Address, { column, count, values }: Decoding): void {
  for (let index = 0, word = values >>> 2; index < count; index++) {
    linear.u32[word++] = from + index * column.length;
    linear.u32[word++] = column.length;
  }
}

/** Months, days and milliseconds, each an unsigned integer of 32 bits. */
function writeIntervals(linear: LinearMemory, from: Address, { count, values, memory }: Decoding): Address {
  const rows = memory.allocateZeroed(Math.max(1, count) * intervalRowBytes);
  for (let index = 0; index < count; index++) {
    const row = rows + index * intervalRowBytes;
    linear.u32[(values >>> 2) + index * 2] = row;
    linear.u32[(values >>> 2) + index * 2 + 1] = intervalRowBytes;
    for (let part = 0; part < 3; part++) {
      linear.view.setUint32(row + 3 + part * 8, linear.view.getUint32(from + index * 12 + part * 4, true), true);
    }
  }
  return rows;
}
