/** Converts values of Arrow that have a fixed width to the layout of their SQL type. */
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
import { writeI128 } from "../../../page/reader.ts";
import { zonedMoment } from "../../../types/time/zones.ts";
import { isLongMoment, physicalType, physicalWidth } from "../../../types/type.ts";
import { BadData } from "../../shared/file-errors.ts";
import { floorDivide, halfOf, microsInRange, timeInRange } from "../parquet/conversions.ts";
import type { ArrowNode } from "./schema.ts";

/** Three null bytes, two integers of 32 bits and one of 64, as types/nested encodes such a row. */
const intervalRowBytes = 19;
const millisPerDay = 86_400_000n;
const millisPerSecond = 1000n;
const int64Max = 2n ** 63n - 1n;
const bits64 = 64n;

export interface Conversion {
  readonly node: ArrowNode;
  /** Of the first value. */
  readonly from: Address;
  readonly count: number;
  readonly values: Address;
  /** Values under NULL may be anything, and are not converted. */
  readonly nulls: Address;
}

/** Returns blocks that the converted values refer to. */
export function convertFixed(memory: MemoryContext, conversion: Conversion): readonly Address[] {
  const { linear } = memory;
  const { node, from, count, values, nulls } = conversion;
  const width = physicalWidth(physicalType(node.type));
  if (node.conversion === "none") {
    linear.u8.copyWithin(values, from, from + count * width);
    return [];
  }
  if (node.conversion === "months, days and nanos") {
    return [writeIntervals(memory, conversion)];
  }
  const convert = converterOf(linear, node);
  for (let index = 0; index < count; index++) {
    if (nulls === 0 || linear.u8[nulls + index] === 0) {
      convert(from + index * node.width, values + index * width);
    }
  }
  return [];
}

type Convert = (from: Address, to: Address) => void;

function converterOf(linear: LinearMemory, node: ArrowNode): Convert {
  const { view } = linear;
  switch (node.conversion) {
    case "u8 to i16":
      return (from, to) => view.setInt16(to, view.getUint8(from), true);
    case "u16 to i32":
      return (from, to) => view.setInt32(to, view.getUint16(from, true), true);
    case "u32 to i64":
      return (from, to) => view.setBigInt64(to, BigInt(view.getUint32(from, true)), true);
    case "u64 to i128":
      return (from, to) => writeI128(linear, to, view.getBigUint64(from, true));
    case "half to f32":
      return (from, to) => view.setFloat32(to, halfOf(view.getUint16(from, true)), true);
    case "decimal":
      return decimalConverter(linear, node);
    case "millis to days":
      return (from, to) => view.setInt32(to, dayOf(view.getBigInt64(from, true)), true);
    case "days and millis":
      return (from, to) =>
        view.setBigInt64(to, BigInt(view.getInt32(from, true)) * millisPerDay + BigInt(view.getInt32(from + 4, true)), true);
    case "seconds to millis":
      return (from, to) => view.setBigInt64(to, inRange(view.getBigInt64(from, true) * millisPerSecond), true);
    default:
      return momentConverter(linear, node);
  }
}

function decimalConverter(linear: LinearMemory, { width, type }: ArrowNode): Convert {
  const { view } = linear;
  const isShort = physicalType(type) === "i64";
  return (from, to) => {
    let value = width === 4 ? BigInt(view.getInt32(from, true)) : view.getBigInt64(from + width - 8, true);
    for (let at = width - 16; at >= 0; at -= 8) {
      value = (value << bits64) | view.getBigUint64(from + at, true);
    }
    if (BigInt.asIntN(isShort ? 64 : 128, value) !== value) {
      throw new BadData("a decimal is longer than its precision");
    }
    if (isShort) {
      view.setBigInt64(to, value, true);
    } else {
      writeI128(linear, to, value);
    }
  };
}

/** Times of day, timestamps and instants, stored in units of 10^-digits seconds. */
function momentConverter(linear: LinearMemory, { conversion, width, type, digits = 0, zone = 0 }: ArrowNode): Convert {
  const { view } = linear;
  const read = (from: Address): bigint => (width === 4 ? BigInt(view.getInt32(from, true)) : view.getBigInt64(from, true));
  if (conversion === "time") {
    const picos = 10n ** BigInt(12 - digits);
    return (from, to) => view.setBigInt64(to, timeInRange(read(from) * picos), true);
  }
  const micros = digits <= 6 ? 10n ** BigInt(6 - digits) : 1n;
  const perMicro = digits <= 6 ? 1n : 10n ** BigInt(digits - 6);
  const picosPerUnit = 10n ** BigInt(Math.max(0, 12 - digits));
  /** Whole microseconds, and picoseconds of the last one. */
  const split = (units: bigint): readonly [micros: bigint, picos: bigint] => {
    const whole = floorDivide(units, perMicro);
    return [microsInRange(whole * micros), (units - whole * perMicro) * picosPerUnit];
  };
  if (conversion === "instant") {
    return (from, to) => {
      const [whole, picos] = split(read(from));
      writeI128(linear, to, zonedMoment(whole, zone) | (picos << 32n));
    };
  }
  return isLongMoment(type)
    ? (from, to) => {
        const [whole, picos] = split(read(from));
        writeI128(linear, to, (whole << bits64) | picos);
      }
    : (from, to) => view.setBigInt64(to, split(read(from))[0], true);
}

function inRange(value: bigint): bigint {
  if (value > int64Max || value < -int64Max) {
    throw new BadData("an interval is out of range");
  }
  return value;
}

function dayOf(millis: bigint): number {
  const day = Number(floorDivide(millis, millisPerDay));
  if (day > 0x7fffffff || day < -0x80000000) {
    throw new BadData("a date is out of range");
  }
  return day;
}

/** Months and days of 32 bits and nanoseconds of 64, signed, which no SQL interval holds together. */
function writeIntervals(memory: MemoryContext, { from, count, values }: Conversion): Address {
  const { u8, u32 } = memory.linear;
  const rows = memory.allocateZeroed(Math.max(1, count) * intervalRowBytes);
  for (let index = 0; index < count; index++) {
    const row = rows + index * intervalRowBytes;
    u32[(values >>> 2) + index * 2] = row;
    u32[(values >>> 2) + index * 2 + 1] = intervalRowBytes;
    u8.copyWithin(row + 3, from + index * 16, from + (index + 1) * 16);
  }
  return rows;
}
