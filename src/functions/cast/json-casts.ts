/**
 * Casts to and from JSON. To JSON: numbers and booleans stay, strings and date or time values become strings, arrays and rows become
 * arrays, maps become objects with sorted names. From JSON: null becomes NULL; strings are parsed as the text of the target type.
 */
import { QueryError } from "../../protocol/errors.ts";
import { displayType, innerTypes, isIntegral, type MapType, type RowType, type Type } from "../../types/type.ts";
import { divideRounding, fitsPrecision, rescale } from "../runtime/decimals.ts";
import type { HostSteps, HostValue } from "../registry/definition.ts";
import { formatPlainDate, formatDecimal, formatDouble, formatReal, parseDecimal } from "../runtime/formats.ts";
import { elementsAtOnce, elementsPerStep, isLarge, mapInSteps, nodesOf } from "../runtime/large/loops.ts";
import { type InSteps, sortInSteps } from "../runtime/steps.ts";
import { formatMoment, momentOf } from "../scalar/datetime/long-timestamps.ts";
import {
  isJsonArray,
  isJsonObject,
  isLargeJson,
  jsonOfDouble,
  type JsonNumber,
  formatJson,
  formatJsonInSteps,
  type JsonValue,
  parseJsonInSteps,
  quoteJson,
} from "../scalar/json/json-values.ts";
import { codePoints } from "../../types/utf8.ts";
import { valueOfText } from "./text-casts.ts";

const duplicateKeys = "Duplicate keys are not allowed";

function fail(message: string): never {
  throw new QueryError("INVALID_CAST_ARGUMENT", message);
}

function jsonOf(value: HostValue, type: Type): string {
  if (value === null) {
    return "null";
  }
  switch (type.kind) {
    case "boolean":
      return String(value);
    case "real":
      return Number.isFinite(value as number) ? formatReal(value as number) : quoteJson(formatDouble(value as number));
    case "double":
      return jsonOfDouble(value as number);
    case "decimal":
      return formatDecimal(value as bigint, type.scale);
    case "varchar":
      return quoteJson(value as string);
    case "date":
      return quoteJson(formatPlainDate(value as number));
    case "timestamp":
      return quoteJson(formatMoment(momentOf(type, value as bigint), type.precision));
    case "array":
      return `[${(value as readonly HostValue[]).map((element) => jsonOf(element, type.element)).join(",")}]`;
    case "row":
      return `[${(value as readonly HostValue[]).map((field, index) => jsonOf(field, (type.fields[index] as { type: Type }).type)).join(",")}]`;
    case "map":
      return jsonOfMap(value as readonly (readonly HostValue[])[], type);
    default:
      return String(value);
  }
}

function nameOf(key: HostValue, type: Type): string {
  const text = jsonOf(key, type);
  return type.kind === "varchar" ? (key as string) : text.startsWith('"') ? text.slice(1, -1) : text;
}

function jsonOfMap(entries: readonly (readonly HostValue[])[], type: MapType): string {
  const members = entries.map(([key, value]) => [nameOf(key ?? null, type.key), jsonOf(value ?? null, type.value)] as const);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, text]) => `${quoteJson(name)}:${text}`).join(",")}}`;
}

/** As jsonOf; yields the steps since the last time. */
function* jsonInSteps(value: HostValue, type: Type): InSteps<string> {
  if (!isLarge(value) || !Array.isArray(value)) {
    return jsonOf(value, type);
  }
  const inner = innerTypes(type);
  const parts: (readonly [string, string])[] = [];
  for (const [index, item] of (value as readonly HostValue[]).entries()) {
    if (type.kind === "map") {
      const [key, member] = item as readonly [HostValue, HostValue];
      parts.push([nameOf(key, type.key), isLarge(member) ? yield* jsonInSteps(member, type.value) : jsonOf(member, type.value)]);
    } else {
      const itemType = (type.kind === "row" ? inner[index] : inner[0]) as Type;
      parts.push(["", isLarge(item) ? yield* jsonInSteps(item, itemType) : jsonOf(item, itemType)]);
    }
    if (parts.length % elementsAtOnce === 0) {
      yield elementsAtOnce / elementsPerStep;
    }
  }
  if (type.kind !== "map") {
    return `[${(yield* mapInSteps(parts, ([, text]) => text)).join(",")}]`;
  }
  const members = yield* sortInSteps(
    parts,
    ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0),
    ([name]) => nodesOf(name),
  );
  return `{${(yield* mapInSteps(members, ([name, text]) => `${quoteJson(name)}:${text}`)).join(",")}}`;
}

export function castToJson(from: Type): HostSteps {
  return ([value]) => jsonInSteps(value as HostValue, from);
}

/** Name of the JSON value's first token, for error messages. */
function tokenOf(json: JsonValue | undefined): string {
  if (json === undefined) {
    return "]";
  }
  if (json === null || typeof json === "boolean" || typeof json === "string") {
    return String(json);
  }
  return isJsonArray(json) ? "[" : isJsonObject(json) ? "{" : json.text;
}

function unexpected(json: JsonValue | undefined, to: Type): never {
  return fail(`Unexpected token when cast to ${displayType(to)}: ${tokenOf(json)}`);
}

/** As valueOfJson; yields the steps since the last time. */
function* valueInSteps(json: JsonValue, to: Type): InSteps<HostValue> {
  if (!isLargeJson(json)) {
    return valueOfJson(json, to);
  }
  if (to.kind === "json") {
    return yield* formatJsonInSteps(json);
  }
  const result: HostValue[] = [];
  if (to.kind === "array" && isJsonArray(json)) {
    for (const element of json) {
      result.push(isLargeJson(element) ? yield* valueInSteps(element, to.element) : valueOfJson(element, to.element));
      if (result.length % elementsAtOnce === 0) {
        yield elementsAtOnce / elementsPerStep;
      }
    }
    return result;
  }
  if (to.kind === "map" && isJsonObject(json)) {
    const keys = new Set<HostValue>();
    for (const [name, member] of json) {
      const key = scalarOfJson(name, to.key);
      result.push([key, isLargeJson(member) ? yield* valueInSteps(member, to.value) : valueOfJson(member, to.value)]);
      keys.add(key);
      if (result.length % elementsAtOnce === 0) {
        yield elementsAtOnce / elementsPerStep;
      }
    }
    return keys.size === result.length ? result : fail(duplicateKeys);
  }
  if (to.kind === "row" && isJsonArray(json) && json.length === to.fields.length) {
    for (const [index, { type }] of to.fields.entries()) {
      result.push(yield* valueInSteps(json[index] ?? null, type));
    }
    return result;
  }
  return valueOfJson(json, to);
}

/** Throws the reason as a plain error; castFromJson turns it into the message of the cast. */
function valueOfJson(json: JsonValue, to: Type): HostValue {
  if (to.kind === "json") {
    return formatJson(json);
  }
  if (json === null) {
    return null;
  }
  switch (to.kind) {
    case "array":
      return isJsonArray(json)
        ? json.map((element) => valueOfJson(element, to.element))
        : fail(`Expected a json array, but got ${tokenOf(json)}`);
    case "map":
      return mapOfJson(json, to);
    case "row":
      return rowOfJson(json, to);
    default:
      return scalarOfJson(json, to);
  }
}

function scalarOfJson(json: Exclude<JsonValue, null>, to: Type): HostValue {
  if (isJsonArray(json) || isJsonObject(json)) {
    return unexpected(json, to);
  }
  if (typeof json === "string") {
    return to.kind === "varchar" ? json : valueOfText(json, to);
  }
  if (typeof json === "boolean") {
    return ofBoolean(json, to);
  }
  const { text, isInteger }: JsonNumber = json;
  if (to.kind === "varchar") {
    return isInteger ? text : formatDouble(Number(text));
  }
  if (to.kind === "boolean") {
    return booleanOfNumber(json);
  }
  if (isIntegral(to)) {
    return integralOfNumber(json, to);
  }
  return to.kind === "decimal" ? decimalOfNumber(text, to) : valueOfText(text, to);
}

/** Accepts a number that fits in a bigint or a double. */
function booleanOfNumber({ text, isInteger }: JsonNumber): boolean {
  const fits = isInteger ? BigInt.asIntN(64, BigInt(text)) === BigInt(text) : Number.isFinite(Number(text));
  return fits ? Number(text) !== 0 : fail(`Cannot cast '${text}' to BOOLEAN`);
}

function integralOfNumber({ text, isInteger }: JsonNumber, to: Type): HostValue {
  try {
    return valueOfText(isInteger ? text : roundedText(text), to);
  } catch (error) {
    throw error instanceof QueryError ? new QueryError(error.errorName, `Out of range for ${to.kind}: ${text}`) : error;
  }
}

/** Rounds half away from zero. */
function roundedText(text: string): string {
  const parsed = parseDecimal(text);
  if (parsed !== undefined) {
    return String(divideRounding(parsed.unscaled, 10n ** BigInt(parsed.scale)));
  }
  const double = Number(text);
  return Number.isFinite(double) ? String(BigInt(Math.sign(double) * Math.floor(Math.abs(double) + 0.5))) : text;
}

function decimalOfNumber(text: string, to: Type & { readonly kind: "decimal" }): HostValue {
  try {
    return valueOfText(text, to);
  } catch (error) {
    throw error instanceof QueryError ? new QueryError(error.errorName, `Cannot cast input json to ${nameOfScalar(to)}`) : error;
  }
}

function ofBoolean(value: boolean, to: Type): HostValue {
  switch (to.kind) {
    case "boolean":
      return value;
    case "varchar":
      return String(value);
    case "bigint":
      return value ? 1n : 0n;
    case "decimal": {
      const one = rescale(1n, 0, to.scale);
      return !value ? 0n : fitsPrecision(one, to.precision) ? one : fail(`Cannot cast '1' to DECIMAL(${to.precision},${to.scale})`);
    }
    default:
      return value ? 1 : 0;
  }
}

function mapOfJson(json: JsonValue, to: MapType): HostValue {
  if (!isJsonObject(json)) {
    return fail(`Expected a json object, but got ${tokenOf(json)}`);
  }
  const entries = [...json].map(([name, value]) => [scalarOfJson(name, to.key), valueOfJson(value, to.value)]);
  // Different member names may be the same key after the cast: "1" and "01".
  return new Set(entries.map(([key]) => key)).size === entries.length ? entries : fail(duplicateKeys);
}

/** Reads an array by position, an object by case-insensitive name. */
function rowOfJson(json: JsonValue, to: RowType): HostValue {
  if (isJsonArray(json)) {
    if (json.length > to.fields.length) {
      return fail(`Expected json array ending, but got ${tokenOf(json[to.fields.length])}`);
    }
    return to.fields.map(({ type }, index) => (index < json.length ? valueOfJson(json[index] ?? null, type) : unexpected(undefined, type)));
  }
  if (!isJsonObject(json)) {
    return fail(`Expected a json array or a json object, but got ${tokenOf(json)}`);
  }
  if (to.fields.some(({ name }) => name === undefined)) {
    return fail("Cannot cast a JSON object to anonymous row type. Input must be a JSON array.");
  }
  const members = new Map([...json].map(([name, value]) => [name.toLowerCase(), value]));
  return to.fields.map(({ name, type }) => valueOfJson(members.get((name as string).toLowerCase()) ?? null, type));
}

/** Maximum number of characters of a JSON text in a message. */
const messageTextMax = 10_000;

function castError(reason: string, text: string, to: Type): QueryError {
  const isNested = to.kind === "array" || to.kind === "map" || to.kind === "row";
  if (!isNested && reason.startsWith("Cannot cast input json")) {
    return new QueryError("INVALID_CAST_ARGUMENT", reason);
  }
  const shown = text.length > messageTextMax ? `${text.slice(0, messageTextMax)}...(truncated)` : text;
  const message = isNested ? `Cannot cast to ${displayType(to)}. ${reason}\n${shown}` : `Cannot cast '${shown}' to ${nameOfScalar(to)}`;
  return new QueryError("INVALID_CAST_ARGUMENT", message);
}

function nameOfScalar(to: Type): string {
  return to.kind === "decimal" ? `DECIMAL(${to.precision},${to.scale})` : displayType(to);
}

export function castFromJson(to: Type): HostSteps {
  return function* ([value]) {
    const text = value as string;
    const json = yield* parseJsonInSteps(text);
    try {
      const result = json === undefined ? unexpected(text, to) : yield* valueInSteps(json, to);
      return to.kind === "varchar" && to.length !== undefined && typeof result === "string"
        ? codePoints(result).slice(0, to.length).join("")
        : result;
    } catch (error) {
      throw error instanceof QueryError ? castError(error.message, text, to) : error;
    }
  };
}
