/** Literals -> constants, typed as Presto types them. */
import type { Expression, GenericLiteral, IntervalField, IntervalLiteral } from "../../sql/ast.ts";
import { daysInMonth, daysOf } from "../../types/calendar.ts";
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
} from "../../types/type.ts";
import { charType, INTERVAL_YEAR_TO_MONTH, REAL, UNKNOWN, VARBINARY, varcharType } from "../../types/type.ts";
import { codePoints } from "../../types/utf8.ts";
import type { Constant } from "../expression.ts";
import { constant } from "../expressions.ts";
import { timestampOf } from "../../functions/long-moments.ts";
import { semanticError } from "./errors.ts";
import { zonedLiteral } from "./zoned-literals.ts";

const bigintMax = 9223372036854775807n;
const integerMax = 2147483647n;

/** The constant of a literal; undefined when the expression is none. */
export function literalConstant(expression: Expression): Constant | undefined {
  switch (expression.kind) {
    case "NullLiteral":
      return constant(UNKNOWN, null);
    case "BooleanLiteral":
      return constant(BOOLEAN, expression.value);
    case "LongLiteral":
      return integerConstant(BigInt(expression.value), expression);
    case "DecimalLiteral":
      return decimalConstant(expression.value, expression);
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
  if (value > bigintMax || value < -bigintMax - 1n) throw semanticError("INVALID_LITERAL", at, `Invalid numeric literal: ${value}`);
  if (value > integerMax || value < -integerMax - 1n) return constant(BIGINT, value.toString());
  return constant(INTEGER, Number(value));
}

/** Numbers that JSON cannot carry are text. */
function doubleValue(value: number): number | string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : value;
  return String(value);
}

/** The precision counts every digit, leading zeros too. */
function decimalConstant(text: string, at: Expression): Constant {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  const whole = match?.[2] ?? "";
  const fraction = match?.[3] ?? "";
  if (match === null || whole.length + fraction.length === 0)
    throw semanticError("INVALID_LITERAL", at, `'${text}' is not a valid decimal literal`);
  const precision = whole.length + fraction.length;
  if (precision > decimalPrecisionMax) throw semanticError("INVALID_LITERAL", at, `Invalid decimal literal: ${text}`);
  const unscaled = BigInt(`${whole}${fraction}`);
  return constant(decimalType(precision, fraction.length), (match[1] === "-" ? -unscaled : unscaled).toString());
}

/** `DATE '...'`, `TIMESTAMP '...'`, `DECIMAL '...'` and the like; undefined for types that are cast from text. */
export function genericLiteralConstant(literal: GenericLiteral): Constant | undefined {
  switch (literal.type) {
    case "date": {
      const days = parseDate(literal.value.trim());
      if (days === undefined) throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid date literal`);
      return constant(DATE, days);
    }
    case "timestamp":
      return timestampConstant(literal);
    case "decimal":
      return decimalConstant(literal.value, literal);
    case "char":
      return constant(charType(codePoints(literal.value).length), literal.value.replace(/ +$/, ""));
    case "real": {
      const value = Number(literal.value);
      if (literal.value.trim() === "" || (Number.isNaN(value) && literal.value !== "NaN")) {
        throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid real literal`);
      }
      return constant(REAL, doubleValue(Math.fround(value)));
    }
    default:
      return undefined;
  }
}

function parseDate(text: string): number | undefined {
  const match = /^([+-]?\d{1,6})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return daysOf({ year, month, day });
}

function timestampConstant(literal: GenericLiteral): Constant {
  const match = /^([+-]?\d{1,6}-\d{1,2}-\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,12}))?)?)?$/.exec(literal.value.trim());
  const days = match?.[1] === undefined ? undefined : parseDate(match[1]);
  const [hour, minute, second] = [Number(match?.[2] ?? 0), Number(match?.[3] ?? 0), Number(match?.[4] ?? 0)];
  const fraction = match?.[5] ?? "";
  if (days === undefined || hour > 23 || minute > 59 || second > 59) {
    const zoned = zonedLiteral(literal);
    if (zoned !== undefined) return zoned;
    throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid timestamp literal`);
  }
  const seconds = BigInt(days) * 86400n + BigInt(hour * 3600 + minute * 60 + second);
  const digits = fraction.padEnd(12, "0");
  const micros = seconds * 1000000n + BigInt(digits.slice(0, 6));
  if (micros > bigintMax || micros < -bigintMax - 1n) {
    throw semanticError("INVALID_LITERAL", literal, `'${literal.value}' is not a valid timestamp literal`);
  }
  const type: Type = { kind: "timestamp", precision: fraction.length };
  return constant(type, timestampOf(type, { micros, picos: BigInt(digits.slice(6)) }).toString());
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
  const negative = (literal.sign === "-") !== literal.value.trim().startsWith("-");
  const text = literal.value.trim().replace(/^[+-]/, "");
  if (literal.startField === "YEAR" || literal.startField === "MONTH") {
    const months = Number(intervalMonths(literal, text));
    if (months > 2147483647) throw invalidInterval(literal);
    return constant(INTERVAL_YEAR_TO_MONTH, negative && months !== 0 ? -months : months);
  }
  const millis = intervalMillis(literal, text);
  if (millis > bigintMax) throw invalidInterval(literal);
  return constant(INTERVAL_DAY_TO_SECOND, (negative ? -millis : millis).toString());
}

function intervalMonths(literal: IntervalLiteral, text: string): bigint {
  if (literal.startField === "YEAR" && literal.endField === "MONTH") {
    const match = /^(\d+)(?:-(\d+))?$/.exec(text);
    if (match === null) throw invalidInterval(literal);
    return BigInt(match[1] ?? "0") * 12n + BigInt(match[2] ?? "0");
  }
  if (!/^\d+$/.test(text) || (literal.endField !== undefined && literal.endField !== literal.startField)) throw invalidInterval(literal);
  return BigInt(text) * (literal.startField === "YEAR" ? 12n : 1n);
}

function intervalMillis(literal: IntervalLiteral, text: string): bigint {
  const end = literal.endField ?? literal.startField;
  const seconds = /^(.*?)(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  const hasFraction = seconds?.[3] !== undefined;
  if (seconds === null || (hasFraction && end !== "SECOND")) throw invalidInterval(literal);
  const millis = BigInt((seconds[3] ?? "").padEnd(3, "0").slice(0, 3));
  const numbers = `${seconds[1] ?? ""}${seconds[2] ?? ""}`.split(/[ :]/);
  const start = timeFields.indexOf(literal.startField);
  const fields = literal.startField === end ? [end] : timeFields.slice(start, timeFields.indexOf(end) + 1);
  if (numbers.length > fields.length || numbers.some((number) => !/^\d+$/.test(number))) throw invalidInterval(literal);
  return numbers.reduce((sum, number, index) => sum + BigInt(number) * (fieldMillis[fields[index] ?? end] ?? 0n), millis);
}

function invalidInterval(literal: IntervalLiteral): Error {
  return semanticError("INVALID_LITERAL", literal, `Invalid INTERVAL literal: ${literal.value}`);
}
