/**
 * Appends stored values to pages. SQLite stores a value of any kind in any column; one that is no value of the column's type is an error,
 * because a conversion would show what is not there.
 */
import type { PageBuilder } from "../../page/builder.ts";
import { displayType, type Type } from "../../types/type.ts";
import { encodeUtf8 } from "../../types/utf8.ts";
import { dateOf, decimalOf, timeOf, timestampOf } from "../shared/remote/text-values.ts";
import type { Literal } from "./create-table.ts";
import type { TextEncoding } from "./format/database-header.ts";
import { narrowed, type Rowid } from "./format/numbers.ts";
import { integerAt, isBlob, isInteger, isText, realAt, serialReal, serialSize } from "./format/record.ts";
import { decodeText, exactUtf8, isAscii } from "./format/texts.ts";
import type { Affinity } from "./types.ts";

const shownLength = 100;
const microsPerMinute = 60_000_000;
const microsDigits = 6;

/** A value in the record at `at`, which is not NULL. */
export interface Stored {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly serial: number;
}

/** Returns the bytes of the value. Throws Unfit. */
export type AppendStored = (builder: PageBuilder, bytes: Uint8Array, at: number, serial: number) => number;

/** A value that is none of its column's type. The caller knows the row. */
export class Unfit extends Error {
  override readonly name = "Unfit";
}

export function appenderOf(type: Type, channel: number, encoding: TextEncoding): AppendStored {
  switch (type.kind) {
    case "bigint":
      return (builder, bytes, at, serial) => {
        if (!isInteger(serial)) {
          throw unfit(type, { bytes, at, serial }, encoding);
        }
        appendInteger(builder, channel, integerAt(bytes, at, serial));
        return 8;
      };
    case "double":
      return (builder, bytes, at, serial) => {
        builder.appendDouble(channel, doubleAt(bytes, at, serial) ?? refuse(type, { bytes, at, serial }, encoding));
        return 8;
      };
    case "varbinary":
      return (builder, bytes, at, serial) => {
        if (!isBlob(serial)) {
          throw unfit(type, { bytes, at, serial }, encoding);
        }
        builder.appendBytes(channel, bytes, at, at + serialSize(serial));
        return serialSize(serial);
      };
    case "varchar":
      return (builder, bytes, at, serial) => {
        const end = at + serialSize(serial);
        if (encoding === "utf-8" && isText(serial) && isAscii(bytes, at, end)) {
          builder.appendBytes(channel, bytes, at, end);
        } else {
          builder.appendString(channel, textAt({ bytes, at, serial }, encoding) ?? refuse(type, { bytes, at, serial }, encoding));
        }
        return end - at + 1;
      };
    default:
      return (builder, bytes, at, serial) => {
        const stored = { bytes, at, serial };
        const value = valueOf(type, stored, encoding) ?? refuse(type, stored, encoding);
        if (typeof value === "boolean") {
          builder.appendBoolean(channel, value);
        } else {
          appendInteger(builder, channel, value);
        }
        return 8;
      };
  }
}

export function appendInteger(builder: PageBuilder, channel: number, value: Rowid): void {
  if (typeof value === "number") {
    builder.appendInt(channel, value);
  } else {
    builder.appendBigint(channel, value);
  }
}

/** undefined if the value is none of the type. */
function valueOf(type: Type, stored: Stored, encoding: TextEncoding): boolean | Rowid | undefined {
  const { bytes, at, serial } = stored;
  const integer = isInteger(serial) ? integerAt(bytes, at, serial) : undefined;
  const text = isText(serial) ? decodeText(bytes, at, { end: at + serialSize(serial), encoding }) : undefined;
  switch (type.kind) {
    case "boolean":
      return integer === 0 || integer === 1 ? integer === 1 : text === undefined ? undefined : booleans.get(text.toLowerCase());
    case "decimal": {
      const digits = text ?? (integer === undefined ? (serial === serialReal ? plainText(realAt(bytes, at)) : undefined) : String(integer));
      return digits === undefined
        ? undefined
        : decimalOf(digits, { precision: type.precision, scale: type.scale, rounding: "UNNECESSARY" });
    }
    case "date":
      return text === undefined ? undefined : dateOf(text);
    case "timestamp":
      return text === undefined ? undefined : momentOf(text);
    case "time":
      return text === undefined ? undefined : clockTimeOf(text);
    default:
      return undefined;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
  ["t", true],
  ["f", false],
]);

/** undefined if the value is no double. */
function doubleAt(bytes: Uint8Array, at: number, serial: number): number | undefined {
  if (serial === serialReal) {
    return realAt(bytes, at);
  }
  const integer = isInteger(serial) ? integerAt(bytes, at, serial) : undefined;
  return integer === undefined || BigInt(Number(integer)) !== BigInt(integer) ? undefined : Number(integer);
}

/** Texts, and numbers as texts; undefined for what is neither, and for bytes that are no text. */
function textAt({ bytes, at, serial }: Stored, encoding: TextEncoding): string | undefined {
  const end = at + serialSize(serial);
  if (isText(serial)) {
    return encoding === "utf-8" ? exactUtf8(bytes, at, end) : decodeText(bytes, at, { end, encoding });
  }
  return isInteger(serial) ? String(integerAt(bytes, at, serial)) : serial === serialReal ? realText(realAt(bytes, at)) : undefined;
}

/** As SQLite writes it, with all digits that the number needs. */
function realText(value: number): string {
  if (!Number.isFinite(value)) {
    return value > 0 ? "Inf" : "-Inf";
  }
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 15) {
    const digits = mantissa.includes(".") ? mantissa : `${mantissa}.0`;
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const text = plainText(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** The shortest decimal digits that give the number, without an exponent. */
function plainText(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) {
    return text;
  }
  const [, sign, first = "", rest = "", exponent] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  return point <= 0 ? `${sign}0.${"0".repeat(-point)}${digits}` : `${sign}${digits.padEnd(point, "0")}`;
}

/** Microseconds of what SQLite's functions take for a date and time; with an offset, in UTC. */
function momentOf(text: string): Rowid | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?\s*(Z|[+-]\d\d:\d\d)?)?$/i.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, date, minutes = "00:00", seconds = "00", zone = "Z"] = match;
  const local = timestampOf(`${date} ${minutes}:${withoutZeros(seconds)}`);
  const offset = offsetMinutes(zone);
  return local === undefined || offset === undefined ? undefined : narrowed(BigInt(local) - BigInt(offset * microsPerMinute));
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") {
    return 0;
  }
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  return hours > 14 || minutes > 59 ? undefined : (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Picoseconds since midnight. */
function clockTimeOf(text: string): Rowid | undefined {
  const match = /^(\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(text);
  const seconds = withoutZeros(match?.[2] ?? "00");
  const picos = match === null || (seconds.split(".")[1]?.length ?? 0) > microsDigits ? undefined : timeOf(`${match[1]}:${seconds}`);
  return picos === undefined ? undefined : narrowed(picos);
}

/** Without zeros behind the digits of a microsecond. */
function withoutZeros(seconds: string): string {
  const [whole = "", fraction = ""] = seconds.split(".");
  const kept = fraction.slice(0, microsDigits) + fraction.slice(microsDigits).replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
}

function refuse(type: Type, stored: Stored, encoding: TextEncoding): never {
  throw unfit(type, stored, encoding);
}

function unfit(type: Type, { bytes, at, serial }: Stored, encoding: TextEncoding): Unfit {
  const size = serialSize(serial);
  const shown = isBlob(serial)
    ? `a BLOB of ${size} bytes`
    : isText(serial)
      ? `the text '${shortened(decodeText(bytes, at, { end: Math.min(at + size, at + shownLength * 4), encoding }))}'`
      : `the number ${isInteger(serial) ? integerAt(bytes, at, serial) : String(realAt(bytes, at)).replace("e", "E").replace("+", "")}`;
  return new Unfit(`${shown} is no value of type ${displayType(type)}`);
}

function shortened(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
}

/** A default value in the form of a stored one, in UTF-8; undefined for NULL. */
export function storedLiteral(literal: Literal, affinity: Affinity): Stored | undefined {
  if (literal.kind === "null") {
    return undefined;
  }
  if (literal.kind === "blob") {
    const bytes = Uint8Array.from(literal.hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return { bytes, at: 0, serial: 12 + bytes.length * 2 };
  }
  const { kind, text } = literal;
  const isNumber = kind === "number" ? affinity !== "TEXT" : affinity !== "TEXT" && affinity !== "BLOB" && isNumeric(text);
  return isNumber ? storedNumber(text.trim(), affinity) : storedText(kind === "number" ? textOfNumber(text) : text);
}

function isNumeric(text: string): boolean {
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text);
}

function storedText(text: string): Stored {
  const bytes = encodeUtf8(text);
  return { bytes, at: 0, serial: 13 + bytes.length * 2 };
}

/** A number that becomes a text by the affinity of its column. */
function textOfNumber(text: string): string {
  return /^-?\d+$/.test(text) ? String(BigInt(text)) : realText(Number(text));
}

function storedNumber(text: string, affinity: Affinity): Stored {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  const integer = integerText(text, affinity);
  if (integer === undefined) {
    view.setFloat64(0, Number(text));
    return { bytes, at: 0, serial: serialReal };
  }
  view.setBigInt64(0, integer);
  return { bytes, at: 0, serial: 6 };
}

/** The integer that is stored; a real number that is whole becomes one, but for a column without an affinity. */
function integerText(text: string, affinity: Affinity): bigint | undefined {
  const plain = text.replace(/^\+/, "");
  const isHex = /^-?0x/i.test(plain);
  const whole = isHex
    ? BigInt.asIntN(64, BigInt(plain.replace("-", ""))) * (plain.startsWith("-") ? -1n : 1n)
    : /^-?\d+$/.test(plain)
      ? BigInt(plain)
      : affinity !== "BLOB" && Number.isSafeInteger(Number(plain))
        ? BigInt(Number(plain))
        : undefined;
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}
