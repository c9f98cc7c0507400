/**
 * Casts to and from JSON. To JSON: numbers and booleans are themselves, text and moments strings, arrays and rows arrays, maps objects with their names in order.
 * From JSON: null is NULL; strings are read as the type's text. Called by casts.ts.
 */
import { QueryError } from "../protocol/errors.ts";
import { displayType, type MapType, type RowType, type Type } from "../types/type.ts";
import { divideRounding, fitsPrecision, rescale } from "./decimals.ts";
import type { HostMeaning, HostValue } from "./definition.ts";
import { formatPlainDate, formatDecimal, formatDouble, formatReal, parseDecimal } from "./formats.ts";
import { formatMoment, momentOf } from "./long-moments.ts";
import {
  isJsonArray,
  isJsonObject,
  jsonOfDouble,
  type JsonNumber,
  formatJson,
  type JsonValue,
  parseJson,
  quoteJson,
} from "./json-values.ts";
import { codePoints } from "../types/utf8.ts";
import { valueOfText } from "./text-casts.ts";

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

export function castToJson(from: Type): HostMeaning {
  return ([value]) => jsonOf(value as HostValue, from);
}

const integralNames: ReadonlySet<string> = new Set(["tinyint", "smallint", "integer", "bigint"]);

/** `whole` says the whole cast in its errors. */
interface Target {
  readonly text: string;
  readonly whole: Type;
}

function mismatch({ text, whole }: Target): never {
  return fail(`Cannot cast '${text}' to ${displayType(whole)}`);
}

function valueOfJson(json: JsonValue, to: Type, target: Target): HostValue {
  if (to.kind === "json") {
    return formatJson(json);
  }
  if (json === null) {
    return null;
  }
  switch (to.kind) {
    case "array":
      return isJsonArray(json) ? json.map((element) => valueOfJson(element, to.element, target)) : mismatch(target);
    case "map":
      return mapOfJson(json, to, target);
    case "row":
      return rowOfJson(json, to, target);
    default:
      return scalarOfJson(json, to, target);
  }
}

function scalarOfJson(json: Exclude<JsonValue, null>, to: Type, target: Target): HostValue {
  if (isJsonArray(json) || isJsonObject(json)) {
    return mismatch(target);
  }
  if (typeof json === "string") {
    return to.kind === "varchar" ? json : readText(json, to, target);
  }
  if (typeof json === "boolean") {
    return ofBoolean(json, to);
  }
  const { text, isInteger }: JsonNumber = json;
  if (to.kind === "varchar") {
    return isInteger ? text : formatDouble(Number(text));
  }
  if (to.kind === "boolean") {
    return Number(text) !== 0;
  }
  if (integralNames.has(to.kind)) {
    return readText(isInteger ? text : roundedText(text, target), to, target);
  }
  return readText(text, to, target);
}

/** Half away from zero. */
function roundedText(text: string, target: Target): string {
  const parsed = parseDecimal(text);
  if (parsed !== undefined) {
    return String(divideRounding(parsed.unscaled, 10n ** BigInt(parsed.scale)));
  }
  const double = Number(text);
  return Number.isFinite(double) ? String(BigInt(Math.sign(double) * Math.floor(Math.abs(double) + 0.5))) : mismatch(target);
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

function readText(text: string, to: Type, target: Target): HostValue {
  try {
    return valueOfText(text, to);
  } catch (error) {
    if (error instanceof QueryError) {
      return mismatch(target);
    }
    throw error;
  }
}

function mapOfJson(json: JsonValue, to: MapType, target: Target): HostValue {
  if (!isJsonObject(json)) {
    return mismatch(target);
  }
  return [...json].map(([name, value]) => [scalarOfJson(name, to.key, target), valueOfJson(value, to.value, target)]);
}

/** From an array by place, from an object by name in any case. */
function rowOfJson(json: JsonValue, to: RowType, target: Target): HostValue {
  if (isJsonArray(json)) {
    return json.length === to.fields.length
      ? to.fields.map(({ type }, index) => valueOfJson(json[index] ?? null, type, target))
      : mismatch(target);
  }
  if (!isJsonObject(json) || to.fields.some(({ name }) => name === undefined)) {
    return mismatch(target);
  }
  const members = new Map([...json].map(([name, value]) => [name.toLowerCase(), value]));
  return to.fields.map(({ name, type }) => valueOfJson(members.get((name as string).toLowerCase()) ?? null, type, target));
}

export function castFromJson(to: Type): HostMeaning {
  return ([value]) => {
    const text = value as string;
    const target: Target = { text, whole: to };
    const json = parseJson(text);
    const result = json === undefined ? mismatch(target) : valueOfJson(json, to, target);
    return to.kind === "varchar" && to.length !== undefined && typeof result === "string"
      ? codePoints(result).slice(0, to.length).join("")
      : result;
  };
}
