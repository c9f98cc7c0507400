/**
 * Cell writers, one per column type: each writes value `index` of a column as JSON in the encoding of the client protocol (protocol 1.11 of
 * Presto: decimals, dates, NaN and infinities as text, varbinary in base64, char padded).
 */
import type { Address } from "../../../memory/memory.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { civilOf } from "../../../types/time/calendar.ts";
import { decodeTile } from "../../../functions/scalar/geometry/bing/bing-tiles.ts";
import { formatColor } from "../../../functions/scalar/string/colors.ts";
import { shortestReal } from "../../../functions/runtime/formats.ts";
import { formatMoment, momentOf, roundMoment } from "../../../functions/scalar/datetime/long-timestamps.ts";
import { displayType, isLongMoment, shortDecimalPrecisionMax, type Type } from "../../../types/type.ts";
import type { JsonBytes } from "./json-bytes.ts";
import { type CellMemory, nestedWriter } from "./nested-cells.ts";
import { readLong, textWriter } from "./zoned-cells.ts";

/** Writes value `index` of the values at address `values`. */
export type CellWriter = (values: Address, index: number) => void;

export interface CellOptions {
  /**
   * True: fraction digits as the type declares. False: at most 3 digits, rounded, as Presto does for clients without PARAMETRIC_DATETIME.
   */
  readonly parametricDatetime: boolean;
}

const quote = 0x22;
const minus = 0x2d;
const point = 0x2e;
const dayMicros = 86_400_000_000;
const dayMillis = 86_400_000n;

export function cellWriter(type: Type, linear: CellMemory, json: JsonBytes, options: CellOptions): CellWriter {
  switch (type.kind) {
    case "boolean":
      return (values, index) => json.ascii(linear.u8[values + index] === 0 ? "false" : "true");
    case "unknown":
      return () => json.ascii("null");
    case "tinyint":
      return (values, index) => json.integer(linear.i8[values + index] as number);
    case "smallint":
      return (values, index) => json.integer(linear.i16[(values >>> 1) + index] as number);
    case "integer":
      return (values, index) => json.integer(linear.i32[(values >>> 2) + index] as number);
    case "bigint":
      return (values, index) => writeInteger(json, readInteger(linear, values, index));
    case "real":
      return (values, index) => writeReal(json, linear.f32[(values >>> 2) + index] as number);
    case "double":
      return (values, index) => writeDouble(json, linear.f64[(values >>> 3) + index] as number);
    case "decimal":
      return type.precision <= shortDecimalPrecisionMax
        ? (values, index) => writeDecimal(json, readInteger(linear, values, index), type.scale)
        : (values, index) => writeDecimal(json, readLongDecimal(linear, values, index), type.scale);
    case "varchar":
      return (values, index) => {
        const at = (values >>> 2) + index * 2;
        json.string(linear.u8, linear.u32[at] as number, linear.u32[at + 1] as number, 0);
      };
    case "char":
      return (values, index) => {
        const at = (values >>> 2) + index * 2;
        const start = linear.u32[at] as number;
        const length = linear.u32[at + 1] as number;
        json.string(linear.u8, start, length, Math.max(0, type.length - codePoints(linear.u8, start, length)));
      };
    case "varbinary":
    case "HyperLogLog":
    case "P4HyperLogLog":
    case "tdigest":
    case "qdigest":
    case "setdigest":
      return (values, index) => {
        const at = (values >>> 2) + index * 2;
        json.base64(linear.u8, linear.u32[at] as number, linear.u32[at + 1] as number);
      };
    case "Classifier":
    case "Regressor":
      // As in Presto, clients see the type of a model but not its content.
      return () => json.ascii(`"<${displayType(type)}>"`);
    case "BingTile":
      return (values, index) => {
        const { x, y, zoom } = decodeTile(linear.i64[(values >>> 3) + index] as bigint);
        json.ascii(`{"x":${x},"y":${y},"zoom":${zoom}}`);
      };
    case "color":
      return (values, index) => json.ascii(`"${formatColor(linear.i32[(values >>> 2) + index] as number)}"`);
    case "date":
      return (values, index) => {
        json.byte(quote);
        writeDate(json, linear.i32[(values >>> 2) + index] as number);
        json.byte(quote);
      };
    case "timestamp": {
      const digits = options.parametricDatetime ? type.precision : Math.min(3, type.precision);
      if (isLongMoment(type)) {
        return (values, index) => {
          const moment = roundMoment(momentOf(type, readLong(linear, values, index)), digits);
          json.ascii(`"${formatMoment(moment, digits)}"`);
        };
      }
      return (values, index) => writeTimestamp(json, readMicros(linear, values, index), digits);
    }
    case "interval day to second":
      return (values, index) => writeDayInterval(json, readInteger(linear, values, index));
    case "interval year to month":
      return (values, index) => writeMonthInterval(json, linear.i32[(values >>> 2) + index] as number);
    case "array":
    case "map":
    case "row":
      return nestedWriter(type, linear, json, (inner, memory, target) => cellWriter(inner, memory, target, options));
    case "json":
    case "uuid":
    case "ipaddress":
    case "ipprefix":
    case "Geometry":
    case "SphericalGeography":
    case "time":
    case "time with time zone":
    case "timestamp with time zone":
      return textWriter(type, linear, json, options.parametricDatetime);
    case "function":
      throw new QueryError("NOT_SUPPORTED", `Type ${type.kind} is not supported`);
  }
}

/** A number if it is exact, otherwise a bigint. */
function readInteger(linear: CellMemory, values: Address, index: number): number | bigint {
  const at = (values >>> 2) + index * 2;
  const high = linear.i32[at + 1] as number;
  if (high >= -0x20_0000 && high < 0x20_0000) {
    const value = high * 4_294_967_296 + (linear.u32[at] as number);
    if (Number.isSafeInteger(value)) {
      return value;
    }
  }
  return linear.i64[(values >>> 3) + index] as bigint;
}

function readLongDecimal(linear: CellMemory, values: Address, index: number): number | bigint {
  const { i32 } = linear;
  const at = (values >>> 2) + index * 4;
  const sign = (i32[at + 1] as number) >> 31;
  if (i32[at + 2] === sign && i32[at + 3] === sign) {
    return readInteger(linear, values, index * 2);
  }
  const value = readLong(linear, values, index);
  return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value;
}

function writeInteger(json: JsonBytes, value: number | bigint): void {
  if (typeof value === "number") {
    json.integer(value);
  } else {
    json.ascii(value.toString());
  }
}

/** Powers of ten up to this are exact, and digits of a fraction. */
const numberScaleMax = 15;
/** Looked up, because the platform computes a power with a variable exponent slowly. */
const units: readonly number[] = Object.freeze(Array.from({ length: numberScaleMax + 1 }, (_, scale) => 10 ** scale));

function writeDecimal(json: JsonBytes, unscaled: number | bigint, scale: number): void {
  json.byte(quote);
  if (scale === 0) {
    writeInteger(json, unscaled);
  } else if (typeof unscaled === "number" && scale <= numberScaleMax) {
    const value = Math.abs(unscaled);
    const unit = units[scale] as number;
    const fraction = value % unit;
    if (unscaled < 0) {
      json.byte(minus);
    }
    json.integer((value - fraction) / unit);
    json.byte(point);
    json.padded(fraction, scale);
  } else {
    const negative = unscaled < 0;
    const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
    const whole = digits.length - scale;
    json.ascii(`${negative ? "-" : ""}${digits.slice(0, whole)}.${digits.slice(whole)}`);
  }
  json.byte(quote);
}

function writeDouble(json: JsonBytes, value: number): void {
  writeFloating(json, value, String(value));
}

/** Writes the shortest digits that parse back to the same 32-bit value. */
function writeReal(json: JsonBytes, value: number): void {
  const text = Number.isFinite(value) ? shortestReal(Math.abs(value)) : String(value);
  writeFloating(json, value, Number.isFinite(value) && value < 0 ? `-${text}` : text);
}

function writeFloating(json: JsonBytes, value: number, text: string): void {
  if (!Number.isFinite(value)) {
    json.ascii(`"${text}"`);
  } else if (Object.is(value, -0)) {
    json.ascii("-0.0");
  } else {
    // Some clients tell doubles from integers by the decimal point.
    json.ascii(/^-?\d+$/.test(text) ? `${text}.0` : text);
  }
}

function writeDate(json: JsonBytes, days: number): void {
  const { year, month, day } = civilOf(days);
  if (year < 0) {
    json.byte(minus);
  } else if (year > 9999) {
    json.ascii("+");
  }
  json.padded(Math.abs(year), 4);
  json.byte(minus);
  json.padded(month, 2);
  json.byte(minus);
  json.padded(day, 2);
}

interface DayAndMicros {
  readonly days: number;
  readonly micros: number;
}

function readMicros(linear: CellMemory, values: Address, index: number): DayAndMicros {
  const value = readInteger(linear, values, index);
  if (typeof value === "number") {
    const days = Math.floor(value / dayMicros);
    return { days, micros: value - days * dayMicros };
  }
  const size = BigInt(dayMicros);
  const micros = ((value % size) + size) % size;
  return { days: Number((value - micros) / size), micros: Number(micros) };
}

function writeTimestamp(json: JsonBytes, value: DayAndMicros, digits: number): void {
  const unit = 10 ** (6 - digits);
  let micros = Math.round(value.micros / unit) * unit;
  let days = value.days;
  if (micros >= dayMicros) {
    micros -= dayMicros;
    days += 1;
  }
  const seconds = Math.floor(micros / 1_000_000);
  json.byte(quote);
  writeDate(json, days);
  json.ascii(" ");
  writeClock(json, seconds);
  if (digits > 0) {
    json.ascii(".");
    json.padded((micros - seconds * 1_000_000) / unit, digits);
  }
  json.byte(quote);
}

function writeClock(json: JsonBytes, seconds: number): void {
  json.padded(Math.floor(seconds / 3600), 2);
  json.ascii(":");
  json.padded(Math.floor(seconds / 60) % 60, 2);
  json.ascii(":");
  json.padded(seconds % 60, 2);
}

function writeDayInterval(json: JsonBytes, millis: number | bigint): void {
  const negative = millis < 0;
  const whole = BigInt(negative ? -millis : millis);
  const ofDay = Number(whole % dayMillis);
  json.ascii(`"${negative ? "-" : ""}${whole / dayMillis} `);
  writeClock(json, Math.floor(ofDay / 1000));
  json.ascii(".");
  json.padded(ofDay % 1000, 3);
  json.byte(quote);
}

function writeMonthInterval(json: JsonBytes, months: number): void {
  const whole = Math.abs(months);
  json.ascii(`"${months < 0 ? "-" : ""}${Math.floor(whole / 12)}-${whole % 12}"`);
}

function codePoints(bytes: Uint8Array, start: number, length: number): number {
  let count = 0;
  for (let at = start; at < start + length; at++) {
    if (((bytes[at] as number) & 0xc0) !== 0x80) {
      count += 1;
    }
  }
  return count;
}
