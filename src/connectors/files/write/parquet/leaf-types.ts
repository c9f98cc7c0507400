/**
 * SQL types as Parquet stores them: physical type, annotation, and the words of 32 bits that a value becomes.
 */
import { assert, QueryError } from "../../../../protocol/errors.ts";
import type { LinearMemory } from "../../../../memory/memory.ts";
import type { NestedValue } from "../../../../types/nested/nested-order.ts";
import { displayType, shortDecimalPrecisionMax, type Type } from "../../../../types/type.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import { physical } from "../../parquet/schema.ts";
import type { ThriftWriter } from "./thrift-writer.ts";

/** How stored values are ordered for statistics. */
export type LeafOrder = "boolean" | "i32" | "i64" | "f32" | "f64" | "signed bytes" | "bytes";

/** A value of variable length is given as bytes, others as words. */
export interface LeafType {
  readonly physical: number;
  /** Of a value: 0 for variable length, else 1, 2 or 4. */
  readonly words: 0 | 1 | 2 | 4;
  readonly order: LeafOrder;
  readonly isText: boolean;
  /** Fields 6 to 10 of the schema element. */
  readonly annotate: (element: ThriftWriter) => void;
  /** From a page: the value at an address as words. */
  readonly fromPage: (linear: LinearMemory, address: number, words: Int32Array) => void;
  /** From a decoded value as words; or its bytes. */
  readonly fromValue: (value: Exclude<NestedValue, null>, words: Int32Array) => Uint8Array | undefined;
}

const converted = Object.freeze({
  utf8: 0,
  decimal: 5,
  date: 6,
  timeMillis: 7,
  timeMicros: 8,
  instantMillis: 9,
  instantMicros: 10,
  int8: 15,
  int16: 16,
  json: 19,
});
const logical = Object.freeze({ string: 1, decimal: 5, date: 6, time: 7, timestamp: 8, integer: 10, json: 12, uuid: 14 });
const units = Object.freeze({ millis: 1, micros: 2, nanos: 3 });
type Unit = keyof typeof units;

const nanosMin = -(2n ** 63n);
const nanosMax = 2n ** 63n - 1n;

function none(): void {}

/** Digits of a fraction as the unit that holds them. */
function unitOf(precision: number): Unit {
  return precision <= 3 ? "millis" : precision <= 6 ? "micros" : "nanos";
}

function setBigint(words: Int32Array, value: bigint): undefined {
  words[0] = Number(BigInt.asIntN(32, value));
  words[1] = Number(BigInt.asIntN(32, value >> 32n));
  return undefined;
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return quotient * by > value ? quotient - 1n : quotient;
}

function i128At({ view }: LinearMemory, address: number): bigint {
  return (view.getBigInt64(address + 8, true) << 64n) | view.getBigUint64(address, true);
}

function small(kind: "i8" | "i16" | "i32", annotate: LeafType["annotate"] = none): LeafType {
  return {
    physical: physical.int32,
    words: 1,
    order: "i32",
    isText: false,
    annotate,
    fromPage: ({ i8, i16, i32 }, address, words) => {
      words[0] = (kind === "i8" ? i8[address] : kind === "i16" ? i16[address >>> 1] : i32[address >>> 2]) as number;
    },
    fromValue: (value, words) => {
      words[0] = value as number;
      return undefined;
    },
  };
}

/** 64 bits that are stored as they are. */
function plain64(annotate: LeafType["annotate"] = none): LeafType {
  return {
    physical: physical.int64,
    words: 2,
    order: "i64",
    isText: false,
    annotate,
    fromPage: ({ i32 }, address, words) => {
      words[0] = i32[address >>> 2] as number;
      words[1] = i32[(address >>> 2) + 1] as number;
    },
    fromValue: (value, words) => setBigint(words, value as bigint),
  };
}

/** Integers that are converted one by one. */
function converted64(
  options: Pick<LeafType, "annotate" | "physical"> & { readonly isWide: boolean; readonly convert: (value: bigint) => bigint },
): LeafType {
  const { isWide, convert, ...rest } = options;
  const isShort = rest.physical === physical.int32;
  return {
    ...rest,
    words: isShort ? 1 : 2,
    order: isShort ? "i32" : "i64",
    isText: false,
    fromPage: (linear, address, words) => {
      const value = isWide ? i128At(linear, address) : linear.view.getBigInt64(address, true);
      setBigint(words, convert(value));
    },
    fromValue: (value, words) => setBigint(words, convert(value as bigint)),
  };
}

function floating(isDouble: boolean): LeafType {
  const scratch = new DataView(new ArrayBuffer(8));
  return {
    physical: isDouble ? physical.double : physical.float,
    words: isDouble ? 2 : 1,
    order: isDouble ? "f64" : "f32",
    isText: false,
    annotate: none,
    fromPage: ({ i32 }, address, words) => {
      words[0] = i32[address >>> 2] as number;
      words[1] = isDouble ? (i32[(address >>> 2) + 1] as number) : 0;
    },
    fromValue: (value, words) => {
      if (isDouble) {
        scratch.setFloat64(0, value as number, true);
        words[1] = scratch.getInt32(4, true);
      } else {
        scratch.setFloat32(0, value as number, true);
      }
      words[0] = scratch.getInt32(0, true);
      return undefined;
    },
  };
}

/** Bytes in the order of the file, as four words. */
function setBigEndian(words: Int32Array, value: bigint): undefined {
  const view = new DataView(words.buffer, words.byteOffset, 16);
  view.setBigInt64(0, BigInt.asIntN(64, value >> 64n), false);
  view.setBigInt64(8, BigInt.asIntN(64, value), false);
  return undefined;
}

function decimal(precision: number, scale: number): LeafType {
  const annotate = (element: ThriftWriter): void => {
    element.i32(6, converted.decimal).i32(7, scale).i32(8, precision);
    element.struct(10, (union) => union.struct(logical.decimal, (one) => one.i32(1, scale).i32(2, precision)));
  };
  if (precision <= shortDecimalPrecisionMax) {
    return plain64(annotate);
  }
  return {
    physical: physical.fixed,
    words: 4,
    order: "signed bytes",
    isText: false,
    annotate,
    fromPage: (linear, address, words) => setBigEndian(words, i128At(linear, address)),
    fromValue: (value, words) => setBigEndian(words, value as bigint),
  };
}

function bytes(isText: boolean): LeafType {
  return {
    physical: physical.bytes,
    words: 0,
    order: "bytes",
    isText,
    annotate: isText ? (element) => element.i32(6, converted.utf8).struct(10, (union) => union.struct(logical.string, none)) : none,
    fromPage: () => assert(false, "values of variable length are copied as bytes"),
    fromValue: (value) => (typeof value === "string" ? encodeUtf8(value) : (value as Uint8Array)),
  };
}

const uuid: LeafType = {
  physical: physical.fixed,
  words: 4,
  order: "bytes",
  isText: false,
  annotate: (element) => element.struct(10, (union) => union.struct(logical.uuid, none)),
  fromPage: ({ view }, address, words) => {
    const at = view.getUint32(address, true);
    for (let word = 0; word < 4; word++) {
      words[word] = view.getInt32(at + word * 4, true);
    }
  },
  fromValue: (value, words) => {
    new Uint8Array(words.buffer, words.byteOffset, 16).set(value as Uint8Array);
    return undefined;
  },
};

function moment(kind: "time" | "timestamp", precision: number, isInstant: boolean, old: number | undefined): LeafType["annotate"] {
  return (element) => {
    element.i32(6, old);
    element.struct(10, (union) =>
      union.struct(logical[kind], (one) => one.boolean(1, isInstant).struct(2, (unit) => unit.struct(units[unitOf(precision)], none))),
    );
  };
}

function time(precision: number): LeafType {
  const unit = unitOf(precision);
  const picos = unit === "millis" ? 1_000_000_000n : unit === "micros" ? 1_000_000n : 1000n;
  return converted64({
    physical: unit === "millis" ? physical.int32 : physical.int64,
    annotate: moment("time", precision, false, undefined),
    isWide: false,
    convert: (value) => value / picos,
  });
}

function timestamp(precision: number): LeafType {
  const unit = unitOf(precision);
  const annotate = moment("timestamp", precision, false, undefined);
  if (unit === "micros") {
    return plain64(annotate);
  }
  // 128 bits: microseconds above, picoseconds of the last one below.
  const convert =
    unit === "millis"
      ? (micros: bigint) => floorDivide(micros, 1000n)
      : (value: bigint) => nanosOf(value >> 64n, BigInt.asUintN(64, value));
  return converted64({ physical: physical.int64, annotate, isWide: unit === "nanos", convert });
}

/** Throws NUMERIC_VALUE_OUT_OF_RANGE. */
export function nanosOf(micros: bigint, picos: bigint): bigint {
  const nanos = micros * 1000n + picos / 1000n;
  if (nanos < nanosMin || nanos > nanosMax) {
    throw new QueryError("NUMERIC_VALUE_OUT_OF_RANGE", "Files hold timestamps of nanoseconds from 1677-09-21 to 2262-04-11 only");
  }
  return nanos;
}

/** The zone is not stored. 128 bits: microseconds above, picoseconds of the last one shifted by 32, the zone below. */
function instant(precision: number): LeafType {
  const unit = unitOf(precision);
  const old = unit === "millis" ? converted.instantMillis : unit === "micros" ? converted.instantMicros : undefined;
  return converted64({
    physical: physical.int64,
    annotate: moment("timestamp", precision, true, old),
    isWide: true,
    convert: (value) => {
      const micros = value >> 64n;
      return unit === "millis"
        ? floorDivide(micros, 1000n)
        : unit === "micros"
          ? micros
          : nanosOf(micros, BigInt.asUintN(64, value) >> 32n);
    },
  });
}

function integer(bits: 8 | 16): LeafType["annotate"] {
  return (element) => {
    element.i32(6, bits === 8 ? converted.int8 : converted.int16);
    element.struct(10, (union) => union.struct(logical.integer, (one) => one.i8(1, bits).boolean(2, true)));
  };
}

/** Types that Parquet does not hold must have been refused: parquetStoredType. */
export function leafTypeOf(type: Type): LeafType {
  switch (type.kind) {
    case "boolean":
      return {
        ...small("i8"),
        physical: physical.boolean,
        order: "boolean",
        fromValue: (value, words) => void (words[0] = value === true ? 1 : 0),
      };
    case "tinyint":
      return small("i8", integer(8));
    case "smallint":
      return small("i16", integer(16));
    case "integer":
      return small("i32");
    case "date":
      return small("i32", (element) => element.i32(6, converted.date).struct(10, (union) => union.struct(logical.date, none)));
    case "bigint":
      return plain64();
    case "real":
    case "double":
      return floating(type.kind === "double");
    case "decimal":
      return decimal(type.precision, type.scale);
    case "varchar":
      return bytes(true);
    case "json":
      return {
        ...bytes(true),
        annotate: (element) => element.i32(6, converted.json).struct(10, (union) => union.struct(logical.json, none)),
      };
    case "varbinary":
      return bytes(false);
    case "uuid":
      return uuid;
    case "time":
      return time(type.precision);
    case "timestamp":
      return timestamp(type.precision);
    case "timestamp with time zone":
      return instant(type.precision);
    default:
      assert(false, `Parquet has no ${displayType(type)}`);
  }
}
