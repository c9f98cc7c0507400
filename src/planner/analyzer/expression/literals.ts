/**
 * Translates literals into constants with Presto's types.
 */
import type { Expression, GenericLiteral, IntervalField, IntervalLiteral } from "../../../sql/ast/ast.ts";
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  type Type,
} from "../../../types/type.ts";
import { charType, INTERVAL_YEAR_TO_MONTH, REAL, UNKNOWN, VARBINARY, varcharType } from "../../../types/type.ts";
import { codePoints, withoutTrailing } from "../../../types/utf8.ts";
import type { Constant } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import { parseDate, parseDouble, parseTimestamp } from "../../../functions/runtime/formats.ts";
import { timestampOf } from "../../../functions/scalar/datetime/long-timestamps.ts";
import { semanticError, type Placed } from "../errors.ts";
import { picosPrecision, zonedLiteral } from "./zoned-literals.ts";

const bigintMax = 9223372036854775807n;
const integerMax = 2147483647n;

/** Returns the constant of a literal; undefined for other expressions. */
export function literalConstant(expression: Expression): Constant | undefined {
  switch (expression.kind) {
    case "NullLiteral":
      return constant(UNKNOWN, null);
    case "BooleanLiteral":
      return constant(BOOLEAN, expression.value);
    case "LongLiteral":
      return integerConstant(BigInt(expression.value), expression);
    case "DecimalLiteral":
      return decimalConstant(expression.value, expression, "significant digits");
    case "DoubleLiteral":
      return constant(DOUBLE, doubleValue(expression.value));
    case "StringLiteral":
      return constant(varcharType(codePoints(expression.value).length), expression.value);
    case "BinaryLiteral":
      return constant(VARBINARY, expression.value.toLowerCase());
    case "IntervalLiteral":
      return intervalConstant(expression);
    default:
      return undefined;
  }
}

export function integerConstant(value: bigint, at: Expression): Constant {
  if (value > bigintMax || value < -bigintMax - 1n) {
    throw invalidNumber(at, String(value));
  }
  if (value > integerMax || value < -integerMax - 1n) {
    return constant(BIGINT, value.toString());
  }
  return constant(INTEGER, Number(value));
}

/** The error of Presto's and Trino's parsers for a number that is too large. */
export function invalidNumber(at: Placed, text: string): Error {
  return semanticError("SYNTAX_ERROR", at, `Invalid numeric literal: ${text}`);
}

/** Returns values that JSON numbers cannot represent as text. */
function doubleValue(value: number): number | string {
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? "-0" : value;
  }
  return String(value);
}

/**
 * The precision of a number counts all digits except leading zeros, as Trino's Decimals.parse does: `0.5` is decimal(1, 1). `DECIMAL
 * '00.5'` counts leading zeros too, as documented by Presto and Trino, up to the maximum precision.
 */
function decimalConstant(text: string, at: Expression, counted: "significant digits" | "all digits"): Constant {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  const written = match?.[2] ?? "";
  const fraction = match?.[3] ?? "";
  if (match === null || written.length + fraction.length === 0) {
    throw semanticError("INVALID_LITERAL", at, `'${text}' is not a valid decimal literal`);
  }
  const whole = written.replace(/^0+/, "");
  const significant = Math.max(1, whole.length + fraction.length);
  const precision =
    counted === "all digits" ? Math.max(significant, Math.min(decimalPrecisionMax, written.length + fraction.length)) : significant;
  if (precision > decimalPrecisionMax) {
    throw semanticError("INVALID_LITERAL", at, `'${text}' is not a valid decimal literal`);
  }
  const unscaled = BigInt(`${whole}${fraction}`);
  return constant(decimalType(precision, fraction.length), (match[1] === "-" ? -unscaled : unscaled).toString());
}

/**
 * Returns the constant of `DATE '...'`, `TIMESTAMP '...'`, `DECIMAL '...'` and similar literals. Returns undefined for types whose literals
 * are casts.
 */
export function genericLiteralConstant(literal: GenericLiteral): Constant | undefined {
  switch (literal.type) {
    case "date": {
      const days = parseDate(literal.value);
      if (days === undefined) {
        throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid date literal`);
      }
      return constant(DATE, days);
    }
    case "timestamp":
      return timestampConstant(literal);
    case "decimal":
      return decimalConstant(literal.value, literal, "all digits");
    case "char":
      return constant(charType(codePoints(literal.value).length), withoutTrailing(literal.value, " "));
    case "real": {
      const value = parseDouble(literal.value);
      if (value === undefined) {
        throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid real literal`);
      }
      return constant(REAL, doubleValue(Math.fround(value)));
    }
    default:
      return undefined;
  }
}

/** Date and time may also be separated by `T`, as in ISO 8601. */
function timestampConstant(literal: GenericLiteral): Constant {
  const parsed = parseTimestamp(literal.value.replace(/(?<=\d)T(?=\d)/, " "));
  const zoned = parsed === undefined ? zonedLiteral(literal) : undefined;
  if (zoned !== undefined) {
    return zoned;
  }
  if (parsed === undefined || parsed.precision > picosPrecision || BigInt.asIntN(64, parsed.micros) !== parsed.micros) {
    throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid timestamp literal`);
  }
  const type: Type = { kind: "timestamp", precision: parsed.precision };
  return constant(type, timestampOf(type, parsed).toString());
}

const fieldMillis: Readonly<Record<string, bigint>> = Object.freeze({
  WEEK: 604800000n,
  DAY: 86400000n,
  HOUR: 3600000n,
  MINUTE: 60000n,
  SECOND: 1000n,
});
const timeFields: readonly IntervalField[] = ["DAY", "HOUR", "MINUTE", "SECOND"];

function intervalConstant(literal: IntervalLiteral): Constant {
  const sign = (literal.sign === "-") === literal.value.trim().startsWith("-") ? 1n : -1n;
  const text = literal.value.trim().replace(/^[+-]/, "");
  if (literal.startField === "YEAR" || literal.startField === "MONTH") {
    const months = sign * intervalMonths(literal, text);
    if (BigInt.asIntN(32, months) !== months) {
      throw invalidInterval(literal);
    }
    return constant(INTERVAL_YEAR_TO_MONTH, Number(months));
  }
  const millis = sign * intervalMillis(literal, text);
  if (BigInt.asIntN(64, millis) !== millis) {
    throw invalidInterval(literal);
  }
  return constant(INTERVAL_DAY_TO_SECOND, millis.toString());
}

function intervalMonths(literal: IntervalLiteral, text: string): bigint {
  if (literal.startField === "YEAR" && literal.endField === "MONTH") {
    const match = /^(\d+)(?:-(\d+))?$/.exec(text);
    if (match === null) {
      throw invalidInterval(literal);
    }
    return BigInt(match[1] ?? "0") * 12n + BigInt(match[2] ?? "0");
  }
  if (!/^\d+$/.test(text) || (literal.endField !== undefined && literal.endField !== literal.startField)) {
    throw invalidInterval(literal);
  }
  return BigInt(text) * (literal.startField === "YEAR" ? 12n : 1n);
}

function intervalMillis(literal: IntervalLiteral, text: string): bigint {
  const end = literal.endField ?? literal.startField;
  const start = timeFields.indexOf(literal.startField);
  const fields = literal.startField === end ? [end] : timeFields.slice(start, timeFields.indexOf(end) + 1);
  // The format is days, a blank, and time fields separated by colons. A fraction requires the seconds field.
  const [whole = "", fraction] = text.split(/\.(.*)/s);
  const days = fields[0] === "DAY" ? /^(\d+)(?: (?=\d)|$)/.exec(whole) : null;
  const time = days === null ? whole : whole.slice(days[0].length);
  const numbers = [...(days === null ? [] : [days[1] ?? ""]), ...(time === "" && days !== null ? [] : time.split(":"))];
  if (numbers.length > fields.length || numbers.some((number) => !/^\d+$/.test(number))) {
    throw invalidInterval(literal);
  }
  if (fields[0] === "DAY" && days === null) {
    throw invalidInterval(literal);
  }
  if (fraction !== undefined && (fields[numbers.length - 1] !== "SECOND" || !/^\d{1,9}$/.test(fraction))) {
    throw invalidInterval(literal);
  }
  const millis = BigInt((fraction ?? "").padEnd(3, "0").slice(0, 3));
  return numbers.reduce((sum, number, index) => sum + BigInt(number) * (fieldMillis[fields[index] ?? end] ?? 0n), millis);
}

function invalidInterval(literal: IntervalLiteral): Error {
  return semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid interval literal`);
}
