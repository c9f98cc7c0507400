/**
 * Host implementations of casts between text and other types, and of casts that need more than 128 bits. Literals are evaluated with the
 * same functions.
 */
import { type ErrorName, QueryError } from "../../protocol/errors.ts";
import { displayType, type Type } from "../../types/type.ts";
import { utcKey, type ZoneKey } from "../../types/time/zones.ts";
import { formatIpAddress, formatUuid, parseIpAddress, parseUuid } from "../scalar/network/addresses.ts";
import { divideRounding, fitsPrecision, powerOfTen, rescale } from "../runtime/decimals.ts";
import type { HostImplementation, HostValue } from "../registry/definition.ts";
import {
  formatPlainDate,
  formatDecimal,
  formatDouble,
  formatIntervalDayToSecond,
  formatIntervalYearToMonth,
  formatReal,
  parseDate,
  parseDecimal,
  parseDouble,
  parseInteger,
} from "../runtime/formats.ts";
import { formatIpPrefix, parseIpPrefix } from "../scalar/network/prefixes.ts";
import { formatMoment, momentOf, roundMoment, timestampOf } from "../scalar/datetime/long-timestamps.ts";
import {
  formatTime,
  formatTimeZoned,
  formatZoned,
  localMicros,
  ofLocal,
  packTime,
  parseTime,
  parseZoned,
  roundTime,
  roundZoned,
} from "../scalar/datetime/zoned.ts";

type Decimal = Type & { readonly kind: "decimal" };

export function fail(message: string, name: ErrorName = "INVALID_CAST_ARGUMENT"): never {
  throw new QueryError(name, message);
}

/** Text of a value as CAST(value AS varchar) gives it. */
export function textOfValue(value: Exclude<HostValue, null>, type: Type): string {
  switch (type.kind) {
    case "boolean":
      return value === true ? "true" : "false";
    case "real":
      return formatReal(value as number);
    case "double":
      return formatDouble(value as number);
    case "decimal":
      return formatDecimal(value as bigint, type.scale);
    case "date":
      return formatPlainDate(value as number);
    case "timestamp":
      return formatMoment(momentOf(type, value as bigint), type.precision);
    case "timestamp with time zone":
      return formatZoned(value as bigint, type.precision);
    case "time":
      return formatTime(value as bigint, type.precision);
    case "time with time zone":
      return formatTimeZoned(value as bigint, type.precision);
    case "uuid":
      return formatUuid(value as Uint8Array);
    case "ipaddress":
      return formatIpAddress(value as Uint8Array);
    case "ipprefix":
      return formatIpPrefix(value as Uint8Array);
    case "interval day to second":
      return formatIntervalDayToSecond(value as bigint);
    case "interval year to month":
      return formatIntervalYearToMonth(value as number);
    default:
      return String(value);
  }
}

export function castToText(from: Type, length?: number): HostImplementation {
  return ([value]) => {
    const text = textOfValue(value as Exclude<HostValue, null>, from);
    return length !== undefined && text.length > length ? fail(`Value ${text} cannot be represented as varchar(${length})`) : text;
  };
}

const booleanTexts: ReadonlyMap<string, boolean> = new Map<string, boolean>([
  ["t", true],
  ["true", true],
  ["1", true],
  ["f", false],
  ["false", false],
  ["0", false],
]);

const integralNames: Readonly<Record<string, readonly [name: string, bits: number]>> = Object.freeze({
  tinyint: ["TINYINT", 8],
  smallint: ["SMALLINT", 16],
  integer: ["INT", 32],
  bigint: ["BIGINT", 64],
});

/** Value of CAST(text AS type). */
export function valueOfText(text: string, to: Type): Exclude<HostValue, null> {
  switch (to.kind) {
    case "boolean":
      return booleanTexts.get(text.toLowerCase()) ?? fail(`Cannot cast '${text}' to BOOLEAN`);
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint": {
      const [name, bits] = integralNames[to.kind] as readonly [string, number];
      const value = parseInteger(text);
      if (value === undefined || BigInt.asIntN(bits, value) !== value) {
        return fail(`Cannot cast '${text}' to ${name}`);
      }
      return to.kind === "bigint" ? value : Number(value);
    }
    case "double":
      return parseDouble(text) ?? fail(`Cannot cast '${text}' to DOUBLE`);
    case "real":
      return Math.fround(parseDouble(text) ?? fail(`Cannot cast '${text}' to REAL`));
    case "decimal":
      return decimalOfText(text, to);
    case "date":
      return parseDate(text) ?? fail(`Value cannot be cast to date: ${text}`);
    case "timestamp":
      return timestampOfText(text, to);
    case "timestamp with time zone":
      return zonedOfText(text, utcKey, to.precision);
    case "time":
      return roundTime((parseTime(text) ?? fail(`Value cannot be cast to time: ${text}`)).picos, to.precision);
    case "time with time zone":
      return timeZonedOfText(text, to.precision, 0);
    case "uuid":
      return parseUuid(text) ?? fail(`Cannot cast value to UUID: ${text}`);
    case "ipaddress":
      return parseIpAddress(text) ?? fail(`Cannot cast value to IPADDRESS: ${text}`);
    case "ipprefix":
      return parseIpPrefix(text) ?? fail(`Cannot cast value to IPPREFIX: ${text}`);
    default:
      return fail(`Cannot cast varchar to ${displayType(to)}`, "NOT_SUPPORTED");
  }
}

/**
 * Microseconds since 1970-01-01, within 64 bits. A zone in the text matters only for a local time that the zone skips: such a time is
 * moved.
 */
function timestampOfText(text: string, to: Type & { readonly kind: "timestamp" }): bigint {
  const parsed = parseZoned(text);
  const micros = parsed?.zone === undefined ? parsed?.local : localMicros(ofLocal(parsed.local, parsed.zone));
  const moment = parsed === undefined || micros === undefined ? undefined : roundMoment({ micros, picos: parsed.picos }, to.precision);
  return moment === undefined || BigInt.asIntN(64, moment.micros) !== moment.micros
    ? fail(`Value cannot be cast to timestamp: ${text}`)
    : timestampOf(to, moment);
}

/** A text without a zone is read in `zone`. */
export function zonedOfText(text: string, zone: ZoneKey, precision: number): bigint {
  const parsed = parseZoned(text) ?? fail(`Value cannot be cast to timestamp: ${text}`);
  return roundZoned(ofLocal(parsed.local, parsed.zone ?? zone, parsed.picos), precision);
}

/** A text without an offset gets `offset`, in minutes east of Greenwich. */
export function timeZonedOfText(text: string, precision: number, offset: number): bigint {
  const parsed = parseTime(text) ?? fail(`Value cannot be cast to time with time zone: ${text}`);
  return packTime(roundTime(parsed.picos, precision), parsed.offset ?? offset);
}

function decimalOfText(text: string, to: Decimal): bigint {
  const parsed = parseDecimal(text.trim());
  if (parsed === undefined) {
    return fail(`Cannot cast VARCHAR '${text}' to DECIMAL(${to.precision}, ${to.scale}). Value is not a number.`);
  }
  const value = rescale(parsed.unscaled, parsed.scale, to.scale);
  return fitsPrecision(value, to.precision)
    ? value
    : fail(`Cannot cast VARCHAR '${text}' to DECIMAL(${to.precision}, ${to.scale}). Value too large.`);
}

export function castFromText(to: Type): HostImplementation {
  return ([text]) => valueOfText(text as string, to);
}

/** Splits a double into an exact fraction: mantissa and power of two. */
function decompose(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const [bits] = new BigUint64Array(new Float64Array([value]).buffer) as unknown as [bigint];
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: Math.max(exponent, 1) - 1075 };
}

/** Exact value of the double times 10^scale, rounded half away from zero. */
function scaledDouble(value: number, scale: number): bigint {
  const { mantissa, exponent } = decompose(value);
  const scaled = mantissa * powerOfTen(scale);
  return exponent >= 0 ? scaled << BigInt(exponent) : divideRounding(scaled, 1n << BigInt(-exponent));
}

/** Cast from double and real. A real counts as the decimal digits it prints. */
export const doubleToDecimal: HostImplementation = ([value], { argTypes, returnType }) => {
  const [x, to] = [value as number, returnType as Decimal];
  const isReal = argTypes[0]?.kind === "real";
  if (Number.isFinite(x)) {
    const parsed = isReal ? parseDecimal(formatReal(x)) : undefined;
    const unscaled = parsed === undefined ? scaledDouble(x, to.scale) : rescale(parsed.unscaled, parsed.scale, to.scale);
    if (fitsPrecision(unscaled, to.precision)) {
      return unscaled;
    }
  }
  return fail(
    `Cannot cast ${isReal ? "REAL" : "DOUBLE"} '${isReal ? formatReal(x) : formatDouble(x)}' to DECIMAL(${to.precision}, ${to.scale})`,
  );
};

/** Cast to double and real, correctly rounded. */
export const longDecimalToDouble: HostImplementation = ([value], { argTypes, returnType }) => {
  const double = Number(formatDecimal(value as bigint, (argTypes[0] as Decimal).scale));
  return returnType.kind === "real" ? Math.fround(double) : double;
};
