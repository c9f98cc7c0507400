/**
 * CAST of a single scalar in TypeScript, for types that are known only at run time: the items of a JSON path. The kernels of functions/cast
 * are the reference; a property test checks that both agree.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { displayType, integralBits, type IntegralKind, sameType, type Type } from "../../../../types/type.ts";
import { codePoints, withoutTrailing } from "../../../../types/utf8.ts";
import { castImplementation } from "../../../cast/casts.ts";
import { daysOfMicros, microsPerDay } from "../../datetime/dates.ts";
import { allSteps } from "../../../runtime/steps.ts";
import { divideRounding, fitsPrecision, formatDecimal, powerOfTen, rescale } from "../../../runtime/decimals.ts";
import type { HostValue } from "../../../registry/definition.ts";
import { formatDouble } from "../../../runtime/formats.ts";
import { momentOf, roundMoment, timestampOf } from "../../datetime/long-timestamps.ts";
import { padSpaces } from "../../string/padding.ts";

export type ScalarValue = Exclude<HostValue, null>;
type Decimal = Type & { readonly kind: "decimal" };

function fail(value: ScalarValue, from: Type, to: Type): never {
  const text =
    from.kind === "decimal" ? formatDecimal(value as bigint, from.scale) : typeof value === "number" ? formatDouble(value) : value;
  throw new QueryError("INVALID_CAST_ARGUMENT", `Cannot cast ${displayType(from)} '${String(text)}' to ${displayType(to)}`);
}

/** Throws QueryError: TYPE_MISMATCH if the cast does not exist. */
export function castScalar(value: ScalarValue, from: Type, to: Type): HostValue {
  if (sameType(from, to)) {
    return value;
  }
  const implementation = castImplementation(from, to);
  if (implementation === undefined) {
    throw new QueryError("TYPE_MISMATCH", `Cannot cast ${displayType(from)} to ${displayType(to)}`);
  }
  const call = { argTypes: [from], returnType: to };
  if (implementation.host !== undefined) {
    return implementation.host([value], call);
  }
  if (implementation.steps !== undefined) {
    return allSteps(implementation.steps([value], call));
  }
  switch (to.kind) {
    case "varchar":
    case "char":
      return textAs(from.kind === "char" ? padSpaces(value as string, from.length) : (value as string), to);
    case "boolean":
      return from.kind === "boolean" ? value : typeof value === "bigint" ? value !== 0n : value !== 0;
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return toIntegral(value, from, to);
    case "real":
    case "double":
      return toFloating(value, from, to);
    case "decimal":
      return toDecimal(value, from, to);
    default:
      return toMoment(value, from, to);
  }
}

function textAs(text: string, to: Type & { readonly kind: "varchar" | "char" }): string {
  const cut = to.length === undefined || text.length <= to.length ? text : codePoints(text).slice(0, to.length).join("");
  return to.kind === "char" ? withoutTrailing(cut, " ") : cut;
}

function toIntegral(value: ScalarValue, from: Type, to: Type & { readonly kind: IntegralKind }): HostValue {
  const whole = wholeOf(value, from) ?? fail(value, from, to);
  if (BigInt.asIntN(integralBits[to.kind], whole) !== whole) {
    return fail(value, from, to);
  }
  return to.kind === "bigint" ? whole : Number(whole);
}

/** Rounds half away from zero; undefined if the type is not numeric. */
function wholeOf(value: ScalarValue, from: Type): bigint | undefined {
  if (from.kind === "decimal") {
    return divideRounding(value as bigint, powerOfTen(from.scale));
  }
  if (from.kind === "real" || from.kind === "double") {
    const x = value as number;
    if (!Number.isFinite(x)) {
      return undefined;
    }
    const cut = Math.trunc(x);
    return BigInt(Math.abs(x - cut) >= 0.5 ? cut + Math.sign(x) : cut);
  }
  return from.kind === "boolean" ? (value === true ? 1n : 0n) : BigInt(value as number | bigint);
}

function toFloating(value: ScalarValue, from: Type, to: Type): number {
  if (from.kind === "bigint" && to.kind === "real") {
    return realOfBigint(value as bigint);
  }
  const double = from.kind === "decimal" ? Number(value) / Number(powerOfTen(from.scale)) : Number(value);
  return to.kind === "real" ? Math.fround(double) : double;
}

/** Rounds only once: the bits that the conversion to double would lose are kept as a sticky lowest bit. */
function realOfBigint(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const shift = BigInt(Math.max(0, magnitude.toString(2).length - 50));
  const rest = magnitude & ((1n << shift) - 1n);
  const kept = (magnitude >> shift) | (rest === 0n ? 0n : 1n);
  const real = Math.fround(Number(kept)) * 2 ** Number(shift);
  return value < 0n ? -real : real;
}

function toDecimal(value: ScalarValue, from: Type, to: Decimal): HostValue {
  const unscaled = from.kind === "boolean" ? (value === true ? 1n : 0n) : BigInt(value as number | bigint);
  const scaled = rescale(unscaled, from.kind === "decimal" ? from.scale : 0, to.scale);
  return fitsPrecision(scaled, to.precision) ? scaled : fail(value, from, to);
}

function toMoment(value: ScalarValue, from: Type, to: Type): HostValue {
  if (from.kind === "date" && to.kind === "timestamp") {
    const micros = BigInt(value as number) * microsPerDay;
    return BigInt.asIntN(64, micros) === micros ? micros : fail(value, from, to);
  }
  if (from.kind === "timestamp" && to.kind === "date") {
    return daysOfMicros(value as bigint);
  }
  if (from.kind === "timestamp" && to.kind === "timestamp") {
    return timestampOf(to, roundMoment(momentOf(from, value as bigint), to.precision));
  }
  return value;
}
