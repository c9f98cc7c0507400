/**
 * format: text with the argument values, by the rules of Java's Formatter in English. `%a` is not supported, nor is `%h` for values whose
 * hash is internal to Java. Errors carry the names of Java's exceptions, as in Presto.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { displayType, type Type, VARCHAR } from "../../../../types/type.ts";
import { utcKey, zoneId } from "../../../../types/time/zones.ts";
import { daysOfMicros, microsOfDay } from "../../datetime/dates.ts";
import { divideRounding } from "../../../runtime/decimals.ts";
import type { HostValue, ScalarDefinition } from "../../../registry/definition.ts";
import { type DecimalDigits, digitsOfDecimal, digitsOfDouble, fixedPoint, general, grouped, scientific } from "./numbers.ts";
import { bad, FormatError, parseSpecifier, rejectFlags, type Specifier } from "./specifier.ts";
import { formatMoment as formatMomentBy, type ShownMoment } from "./times.ts";
import { formatDate } from "../../../runtime/formats.ts";
import { formatMoment, type Moment, momentOf, roundMoment } from "../../datetime/long-timestamps.ts";
import { textOfValue } from "../../../runtime/nested-values.ts";
import { padSpaces } from "../padding.ts";
import { formatTime, instantOf, localMicros, offsetOf, subMicros, zoneOf } from "../../datetime/zoned.ts";

const nanosPerMicro = 1000n;

/** An argument and its type; the value is not NULL. */
interface Argument {
  readonly type: Type;
  readonly value: Exclude<HostValue, null>;
}

const classNames: Readonly<Partial<Record<Type["kind"], string>>> = Object.freeze({
  boolean: "java.lang.Boolean",
  tinyint: "java.lang.Long",
  smallint: "java.lang.Long",
  integer: "java.lang.Long",
  bigint: "java.lang.Long",
  real: "java.lang.Float",
  double: "java.lang.Double",
  decimal: "java.math.BigDecimal",
  date: "java.time.LocalDate",
  time: "java.time.LocalTime",
  timestamp: "java.time.LocalDateTime",
  "timestamp with time zone": "java.time.ZonedDateTime",
});

function mismatch(letter: string, { type }: Argument): never {
  return bad("IllegalFormatConversion", `${letter} != ${classNames[type.kind] ?? "java.lang.String"}`);
}

function shownMoment({ type, value }: Argument): ShownMoment | undefined {
  const className = classNames[type.kind] ?? "";
  // Java reads integers as milliseconds since 1970.
  const local = (moment: Moment) => {
    const { micros, picos } = roundMoment(moment, 9);
    return { className, days: daysOfMicros(micros), nanosOfDay: microsOfDay(micros) * nanosPerMicro + picos / 1000n };
  };
  switch (type.kind) {
    case "date":
      return { className, days: value as number };
    case "time":
      return { className, nanosOfDay: divideRounding(value as bigint, 1000n) % 86_400_000_000_000n };
    case "timestamp":
      return local(momentOf(type, value as bigint));
    case "timestamp with time zone": {
      const zoned = value as bigint;
      const zone = { id: zoneId(zoneOf(zoned)), offsetSeconds: offsetOf(zoned), epochNanos: instantOf(zoned) * nanosPerMicro };
      return { ...local({ micros: localMicros(zoned), picos: subMicros(zoned) }), zone };
    }
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint": {
      const micros = BigInt(value as number | bigint) * 1000n;
      return { ...local({ micros, picos: 0n }), zone: { id: zoneId(utcKey), offsetSeconds: 0, epochNanos: micros * nanosPerMicro } };
    }
    default:
      return undefined;
  }
}

/** Time as java.time prints it: trailing zeros are removed in groups of three, and zero seconds are omitted. */
function shortClock(clock: string): string {
  const [time = "", fraction = ""] = clock.split(".");
  const digits = fraction
    .padEnd(9, "0")
    .slice(0, 9)
    .replace(/(?:000)+$/, "");
  return digits !== "" ? `${time}.${digits}` : time.endsWith(":00") ? time.slice(0, -3) : time;
}

function isoMoment(moment: Moment): string {
  const [date = "", clock = ""] = formatMoment(roundMoment(moment, 9), 9).split(" ");
  return `${date}T${shortClock(clock)}`;
}

function isoOffset(seconds: number): string {
  const [magnitude, two] = [Math.abs(seconds), (value: number) => String(value).padStart(2, "0")];
  const rest = magnitude % 60 === 0 ? "" : `:${two(magnitude % 60)}`;
  return seconds === 0
    ? "Z"
    : `${seconds < 0 ? "-" : "+"}${two(Math.floor(magnitude / 3600))}:${two(Math.floor(magnitude / 60) % 60)}${rest}`;
}

/** The result of toString on the value's Java object. */
function textOf({ type, value }: Argument): string {
  switch (type.kind) {
    case "date":
      return formatDate(value as number);
    case "char":
      return padSpaces(value as string, type.length);
    case "real":
    case "double":
    case "decimal":
    case "interval day to second":
    case "interval year to month":
    case "time with time zone":
      return textOfValue(type, value);
    case "time":
      return shortClock(formatTime((divideRounding(value as bigint, 1000n) % 86_400_000_000_000n) * 1000n, 9));
    case "timestamp":
      return isoMoment(momentOf(type, value as bigint));
    case "timestamp with time zone": {
      const [zoned, zone] = [value as bigint, zoneOf(value as bigint)];
      const id = zoneId(zone);
      const moment = `${isoMoment({ micros: localMicros(zoned), picos: subMicros(zoned) })}${isoOffset(offsetOf(zoned))}`;
      return /^[+-]/.test(id) ? moment : `${moment}[${id}]`;
    }
    default:
      return typeof value === "object" ? textOfValue(type, value) : String(value);
  }
}

/** Java's hash codes of strings, integers, booleans and doubles. */
function hashOf({ type, value }: Argument): number {
  const fold = (bits: bigint) => Number(BigInt.asIntN(32, bits ^ (bits >> 32n)));
  switch (type.kind) {
    case "varchar":
    case "char":
      return Array.from({ length: (value as string).length }, (_, at) => (value as string).charCodeAt(at)).reduce(
        (h, c) => (31 * h + c) | 0,
        0,
      );
    case "boolean":
      return value === true ? 1231 : 1237;
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return fold(BigInt.asUintN(64, BigInt(value as number | bigint)));
    case "real":
      return new DataView(Float32Array.of(value as number).buffer).getInt32(0, true);
    case "double":
      return fold(new DataView(Float64Array.of(value as number).buffer).getBigUint64(0, true));
    default:
      throw new QueryError("NOT_SUPPORTED", `Conversion %h of ${displayType(type)} is not supported`);
  }
}

/** Adds sign and padding according to the flags; `body` has no sign. */
function signed(specifier: Specifier, negative: boolean, body: string, padsZeros = true): string {
  const { flags, width = 0 } = specifier;
  const close = negative && flags.includes("(") ? ")" : "";
  const sign = negative ? (close === "" ? "-" : "(") : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const zeros = flags.includes("0") && padsZeros ? "0".repeat(Math.max(0, width - sign.length - body.length - close.length)) : "";
  return sign + zeros + body + close;
}

function formatInteger(specifier: Specifier, argument: Argument): string {
  const { letter, flags, width = 0 } = specifier;
  if (classNames[argument.type.kind] !== "java.lang.Long") {
    return mismatch(letter, argument);
  }
  const value = BigInt(argument.value as number | bigint);
  if (letter === "d") {
    const digits = (value < 0n ? -value : value).toString();
    return signed(specifier, value < 0n, flags.includes(",") ? grouped(digits) : digits);
  }
  rejectFlags(specifier, "( +");
  const digits = BigInt.asUintN(64, value).toString(letter === "x" ? 16 : 8);
  const prefix = flags.includes("#") ? (letter === "x" ? "0x" : "0") : "";
  return prefix + (flags.includes("0") ? digits.padStart(width - prefix.length, "0") : digits);
}

function floatDigits(argument: Argument, letter: string): DecimalDigits {
  const { type, value } = argument;
  if (type.kind === "decimal") {
    return digitsOfDecimal(value as bigint, type.scale);
  }
  return type.kind === "double" || type.kind === "real" ? digitsOfDouble(value as number) : mismatch(letter, argument);
}

function formatFloat(specifier: Specifier, argument: Argument): string {
  const { letter, flags, precision = 6 } = specifier;
  const { type, value } = argument;
  if ((type.kind === "double" || type.kind === "real") && !Number.isFinite(value as number)) {
    return Number.isNaN(value as number) ? "NaN" : signed(specifier, (value as number) < 0, "Infinity", false);
  }
  const digits = floatDigits(argument, letter);
  if (letter === "a") {
    throw new QueryError("NOT_SUPPORTED", "Conversion %a is not supported");
  }
  const body = letter === "f" ? fixedPoint(digits, precision) : letter === "e" ? scientific(digits, precision) : general(digits, precision);
  const pointed = flags.includes("#") && !body.includes(".") ? body.replace(/^\d+/, "$&.") : body;
  return signed(specifier, digits.negative, flags.includes(",") ? grouped(pointed) : pointed);
}

function cut(text: string, { precision }: Specifier): string {
  return precision === undefined ? text : text.slice(0, precision);
}

function formatTimeOf(specifier: Specifier, argument: Argument): string {
  const { letter } = specifier;
  const moment = shownMoment(argument);
  if (moment?.zone !== undefined && "Zc".includes(letter) && !/^(?:UTC$|[+-])/.test(moment.zone.id)) {
    throw new QueryError("NOT_SUPPORTED", `Names of time zones are not supported in formats: ${specifier.text}`);
  }
  return (moment === undefined ? undefined : formatMomentBy(moment, letter)) ?? mismatch(letter, argument);
}

function formatOne(specifier: Specifier, argument: Argument | null): string {
  const { letter, isTime } = specifier;
  if (letter === "b" && !isTime) {
    return cut(String(argument !== null && argument.value !== false), specifier);
  }
  if (argument === null) {
    return cut("null", specifier);
  }
  if (isTime) {
    return formatTimeOf(specifier, argument);
  }
  switch (letter) {
    case "s":
      return cut(textOf(argument), specifier);
    case "h":
      return cut((hashOf(argument) >>> 0).toString(16), specifier);
    case "c":
      return mismatch(letter, argument);
    case "d":
    case "o":
    case "x":
      return formatInteger(specifier, argument);
    default:
      return formatFloat(specifier, argument);
  }
}

function justified(text: string, { width = 0, flags, isUpper }: Specifier): string {
  const shown = isUpper ? text.toUpperCase() : text;
  return flags.includes("-") ? shown.padEnd(width, " ") : shown.padStart(width, " ");
}

function formatAll(format: string, args: readonly (Argument | null)[]): string {
  const specifiers: (Specifier | string)[] = [];
  for (let at = 0; at < format.length; ) {
    const next = format.indexOf("%", at);
    if (next !== at) {
      specifiers.push(format.slice(at, next < 0 ? undefined : next));
    }
    if (next < 0) {
      break;
    }
    const specifier = parseSpecifier(format, next);
    specifiers.push(specifier);
    at = next + specifier.length;
  }
  let [ordinary, last] = [0, -1];
  const shown = specifiers.map((specifier) => {
    if (typeof specifier === "string") {
      return specifier;
    }
    if (!specifier.isTime && (specifier.letter === "%" || specifier.letter === "n")) {
      return specifier.letter === "n" ? "\n" : justified("%", specifier);
    }
    last = specifier.index === undefined ? ordinary++ : specifier.index === 0 ? last : specifier.index - 1;
    const argument = args[last];
    return argument === undefined
      ? bad("MissingFormatArgument", `Format specifier '${specifier.text}'`)
      : justified(formatOne(specifier, argument), specifier);
  });
  return shown.join("");
}

export const formatDefinitions: readonly ScalarDefinition[] = [
  {
    name: "format",
    args: ["varchar", "any"],
    variadic: true,
    returns: "varchar",
    returnType: () => VARCHAR,
    nulls: "seen",
    givesNull: true,
    description: "Arguments formatted with a Java format string",
    host: ([format, ...values], { argTypes }) => {
      if (format === null) {
        return null;
      }
      const args = values.map((value, index) => (value === null ? null : { type: argTypes[index + 1] as Type, value }));
      try {
        return formatAll(format as string, args);
      } catch (error) {
        if (error instanceof FormatError) {
          throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Invalid format string: ${format as string} (${error.message})`);
        }
        throw error;
      }
    },
    example: {
      sql: "format('%s has %,d rows, %.1f%% of %05d', 'orders', 15000, 12.34, 42)",
      result: "orders has 15,000 rows, 12.3% of 00042",
    },
  },
];
