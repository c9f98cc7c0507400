/**
 * SQL types as Arrow has them: the field of the schema (Schema.fbs), and the form of values of fixed width.
 */
import type { LinearMemory } from "../../../../memory/memory.ts";
import { assert } from "../../../../protocol/errors.ts";
import type { NestedValue } from "../../../../types/nested/nested-order.ts";
import { displayType, physicalType, type Type } from "../../../../types/type.ts";
import { extensionKey, jsonExtension, uuidExtension } from "../../arrow/schema.ts";
import { floorDivide, nanosOf } from "../parquet/leaf-types.ts";
import { type FlatFields, flatTables, flatText, i16, i32, i8 } from "./flatbuffer-writer.ts";

/** Ordinals of the union `Type`. */
const ordinals = Object.freeze({
  int: 2,
  floatingPoint: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  interval: 11,
  list: 12,
  struct: 13,
  fixedSizeBinary: 15,
  map: 17,
  duration: 18,
});
const decimalBits = 128;
const uuidBytes = 16;

/** Ordinal of the unit that holds so many digits of a second. */
function unitOf(precision: number): number {
  return precision <= 3 ? 1 : precision <= 6 ? 2 : 3;
}

interface ArrowType {
  readonly ordinal: number;
  readonly fields: FlatFields;
}

function integer(bits: number): ArrowType {
  return { ordinal: ordinals.int, fields: [i32(bits), i8(1)] };
}

function arrowType(type: Type): ArrowType {
  switch (type.kind) {
    case "boolean":
      return { ordinal: ordinals.bool, fields: [] };
    case "tinyint":
      return integer(8);
    case "smallint":
      return integer(16);
    case "integer":
      return integer(32);
    case "bigint":
      return integer(64);
    case "real":
      return { ordinal: ordinals.floatingPoint, fields: [i16(1)] };
    case "double":
      return { ordinal: ordinals.floatingPoint, fields: [i16(2)] };
    case "decimal":
      return { ordinal: ordinals.decimal, fields: [i32(type.precision), i32(type.scale), i32(decimalBits)] };
    case "varchar":
    case "json":
      return { ordinal: ordinals.utf8, fields: [] };
    case "varbinary":
      return { ordinal: ordinals.binary, fields: [] };
    case "uuid":
      return { ordinal: ordinals.fixedSizeBinary, fields: [i32(uuidBytes)] };
    case "date":
      return { ordinal: ordinals.date, fields: [i16(0)] };
    case "time":
      return { ordinal: ordinals.time, fields: [i16(unitOf(type.precision)), i32(type.precision <= 3 ? 32 : 64)] };
    case "timestamp":
      return { ordinal: ordinals.timestamp, fields: [i16(unitOf(type.precision))] };
    case "timestamp with time zone":
      return { ordinal: ordinals.timestamp, fields: [i16(unitOf(type.precision)), flatText("UTC")] };
    case "interval year to month":
      return { ordinal: ordinals.interval, fields: [i16(0)] };
    case "interval day to second":
      return { ordinal: ordinals.duration, fields: [i16(1)] };
    case "array":
      return { ordinal: ordinals.list, fields: [] };
    case "row":
      return { ordinal: ordinals.struct, fields: [] };
    case "map":
      return { ordinal: ordinals.map, fields: [i8(0)] };
    default:
      assert(false, `Arrow has no ${displayType(type)}`);
  }
}

/** A field of the schema, with those below it. */
export function arrowField(name: string, type: Type, isNullable = true): FlatFields {
  const { ordinal, fields } = arrowType(type);
  const extension = type.kind === "uuid" ? uuidExtension : type.kind === "json" ? jsonExtension : undefined;
  const metadata =
    extension === undefined
      ? undefined
      : flatTables([
          [flatText(extensionKey), flatText(extension)],
          [flatText("ARROW:extension:metadata"), flatText("")],
        ]);
  return [flatText(name), i8(isNullable ? 1 : 0), i8(ordinal), fields, undefined, flatTables(childrenOf(type)), metadata];
}

function childrenOf(type: Type): readonly FlatFields[] {
  switch (type.kind) {
    case "array":
      return [arrowField("item", type.element)];
    case "row":
      return type.fields.map((field) => arrowField(field.name ?? "", field.type));
    case "map": {
      const pair = [arrowField("key", type.key, false), arrowField("value", type.value)];
      return [[flatText("entries"), i8(0), i8(ordinals.struct), [], undefined, flatTables(pair)]];
    }
    default:
      return [];
  }
}

/** Values of fixed width in a buffer. */
export interface FixedForm {
  readonly width: number;
  readonly fromValue: (value: Exclude<NestedValue, null>, to: DataView, at: number) => void;
  readonly fromPage: (linear: LinearMemory, address: number, to: DataView, at: number) => void;
}

function number(width: 1 | 2 | 4, set: (to: DataView, at: number, value: number) => void): FixedForm {
  return {
    width,
    fromValue: (value, to, at) => set(to, at, value as number),
    fromPage: ({ i8: bytes, i16: halves, i32: words }, address, to, at) => {
      if (width === 1) {
        to.setInt8(at, bytes[address] as number);
      } else if (width === 2) {
        to.setInt16(at, halves[address >>> 1] as number, true);
      } else {
        to.setInt32(at, words[address >>> 2] as number, true);
      }
    },
  };
}

function setI128(to: DataView, at: number, value: bigint): void {
  to.setBigUint64(at, BigInt.asUintN(64, value), true);
  to.setBigInt64(at + 8, BigInt.asIntN(64, value >> 64n), true);
}

/** Whole numbers of 64 or 128 bits, converted one by one. */
function converted(width: 4 | 8 | 16, isWide: boolean, convert: (value: bigint) => bigint): FixedForm {
  const set = (to: DataView, at: number, value: bigint): void => {
    if (width === 16) {
      setI128(to, at, value);
    } else if (width === 8) {
      to.setBigInt64(at, value, true);
    } else {
      to.setInt32(at, Number(value), true);
    }
  };
  return {
    width,
    fromValue: (value, to, at) => set(to, at, convert(value as bigint)),
    fromPage: ({ view }, address, to, at) => {
      const low = isWide ? view.getBigUint64(address, true) : view.getBigInt64(address, true);
      set(to, at, convert(isWide ? (view.getBigInt64(address + 8, true) << 64n) | low : low));
    },
  };
}

function same(value: bigint): bigint {
  return value;
}

const double: FixedForm = {
  width: 8,
  fromValue: (value, to, at) => to.setFloat64(at, value as number, true),
  fromPage: ({ view }, address, to, at) => to.setBigInt64(at, view.getBigInt64(address, true), true),
};

const uuid: FixedForm = {
  width: uuidBytes,
  fromValue: (value, to, at) => new Uint8Array(to.buffer, to.byteOffset + at, uuidBytes).set(value as Uint8Array),
  fromPage: ({ u8, u32 }, address, to, at) => {
    const start = u32[address >>> 2] as number;
    new Uint8Array(to.buffer, to.byteOffset + at, uuidBytes).set(u8.subarray(start, start + uuidBytes));
  },
};

function time(precision: number): FixedForm {
  const picos = precision <= 3 ? 1_000_000_000n : precision <= 6 ? 1_000_000n : 1000n;
  return converted(precision <= 3 ? 4 : 8, false, (value) => value / picos);
}

/** Microseconds, or 128 bits: microseconds above, and below them the picoseconds of the last one, shifted by the bits of a zone. */
function moment(type: Extract<Type, { readonly kind: "timestamp" | "timestamp with time zone" }>): FixedForm {
  const { precision } = type;
  const isWide = physicalType(type) === "i128";
  const shift = type.kind === "timestamp" ? 0n : 32n;
  return converted(8, isWide, (value) => {
    const micros = isWide ? value >> 64n : value;
    return precision <= 3 ? floorDivide(micros, 1000n) : precision <= 6 ? micros : nanosOf(micros, BigInt.asUintN(64, value) >> shift);
  });
}

/** Types that Arrow does not hold must have been refused. */
export function fixedForm(type: Type): FixedForm {
  switch (type.kind) {
    case "tinyint":
      return number(1, (to, at, value) => to.setInt8(at, value));
    case "smallint":
      return number(2, (to, at, value) => to.setInt16(at, value, true));
    case "integer":
    case "date":
    case "interval year to month":
      return number(4, (to, at, value) => to.setInt32(at, value, true));
    case "real":
      return number(4, (to, at, value) => to.setFloat32(at, value, true));
    case "bigint":
    case "interval day to second":
      return converted(8, false, same);
    case "double":
      return double;
    case "decimal":
      return converted(16, physicalType(type) === "i128", same);
    case "uuid":
      return uuid;
    case "time":
      return time(type.precision);
    case "timestamp":
    case "timestamp with time zone":
      return moment(type);
    default:
      assert(false, `Arrow has no ${displayType(type)} of fixed width`);
  }
}
