/**
 * Reads and writes JSON text of varchar, char, json and varbinary; varbinary has one of three encodings.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { sameBytes } from "../../../../types/bytes.ts";
import { displayType, type Type, VARCHAR } from "../../../../types/type.ts";
import { codePoints, decodeUtf8, encodeUtf8 } from "../../../../types/utf8.ts";
import type { HostValue } from "../../../registry/definition.ts";
import { formatJson, isJsonArray, isJsonObject, type JsonValue, parseJson } from "../json-values.ts";
import { inputError, JsonError, outputError } from "./errors.ts";
import { isSqlItem, type Item, jsonOfScalar } from "./items.ts";
import type { Format } from "./options.ts";
import { castScalar } from "./scalar-casts.ts";

/** Maximum length of a cached document, in UTF-16 units. */
const keptUnitsMax = 1 << 20;

/** Reads documents and caches the last one, so that several functions over one document parse it once. */
export class JsonReader {
  #text: string | undefined;
  #value: JsonValue = null;

  /** Throws JsonError. */
  read(value: Exclude<HostValue, null>, format: Format): JsonValue {
    const text = typeof value === "string" ? value : decode(value as Uint8Array, format);
    if (text === this.#text) {
      return this.#value;
    }
    const read = text === undefined ? undefined : parseJson(text);
    if (text === undefined || read === undefined) {
      throw inputError();
    }
    [this.#text, this.#value] = text.length <= keptUnitsMax ? [text, read] : [undefined, null];
    return read;
  }
}

/** Undefined if the bytes are not valid in the encoding. */
function decode(bytes: Uint8Array, format: Format): string | undefined {
  switch (format) {
    case "UTF16":
      return bytes.length % 2 === 0 ? decodeUnits(bytes) : undefined;
    case "UTF32":
      return bytes.length % 4 === 0 ? decodePoints(bytes) : undefined;
    default: {
      const text = decodeUtf8(bytes);
      return text.includes("\ufffd") && !sameBytes(encodeUtf8(text), bytes) ? undefined : text;
    }
  }
}

/** Character codes per call of String.fromCharCode. */
const codesPerCall = 8192;

function decodeUnits(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 2 * codesPerCall) {
    const units: number[] = [];
    for (let at = start; at < Math.min(bytes.length, start + 2 * codesPerCall); at += 2) {
      units.push((bytes[at] as number) | ((bytes[at + 1] as number) << 8));
    }
    text += String.fromCharCode(...units);
  }
  return text;
}

function decodePoints(bytes: Uint8Array): string | undefined {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const [a, b, c, d] = bytes.subarray(at, at + 4) as unknown as readonly [number, number, number, number];
    const point = a | (b << 8) | (c << 16);
    if (d !== 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      return undefined;
    }
    text += String.fromCodePoint(point);
  }
  return text;
}

/** Converts JSON text to the returned type. Text longer than the type is cut, as in a cast. */
export function writeJson(text: string, type: Type, format: Format): HostValue {
  if (type.kind !== "varbinary") {
    return type.kind === "json" ? canonical(text) : castScalar(text, VARCHAR, type);
  }
  switch (format) {
    case "UTF16":
      return encodeCodes(text.length, 2, (index) => text.charCodeAt(index));
    case "UTF32": {
      const points = codePoints(text);
      return encodeCodes(points.length, 4, (index) => points[index]?.codePointAt(0) ?? 0);
    }
    default:
      return encodeUtf8(text);
  }
}

/** Values of type json have sorted members. */
function canonical(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : formatJson(value);
}

function encodeCodes(count: number, width: number, codeAt: (index: number) => number): Uint8Array {
  const bytes = new Uint8Array(count * width);
  for (let index = 0; index < count; index++) {
    const code = codeAt(index);
    for (let byte = 0; byte < width; byte++) {
      bytes[index * width + byte] = (code >>> (8 * byte)) & 0xff;
    }
  }
  return bytes;
}

/** Throws JsonError for values that JSON cannot represent. */
export function textOfItem(item: Item): string {
  if (!isSqlItem(item)) {
    return formatJson(item, "given");
  }
  const text = jsonOfScalar(item.type, item.value);
  if (text === undefined) {
    throw outputError(`JSON path returned a scalar SQL value of type ${displayType(item.type)} that cannot be represented as JSON`);
  }
  return text;
}

export function isNestedItem(item: Item): boolean {
  return !isSqlItem(item) && (isJsonArray(item) || isJsonObject(item));
}

/** Text of a value in JSON_OBJECT or JSON_ARRAY; throws QueryError. */
export function textOfValue(reader: JsonReader, value: Exclude<HostValue, null>, type: Type, format: Format): string {
  if (format !== "SQL") {
    try {
      return formatJson(reader.read(value, format), "given");
    } catch (error) {
      throw error instanceof JsonError ? error.toQueryError() : error;
    }
  }
  const text = jsonOfScalar(type, value);
  if (text === undefined) {
    throw new QueryError("NOT_SUPPORTED", `Unsupported type of JSON value: ${displayType(type)}`);
  }
  return text;
}
