/**
 * Values of a result in JavaScript's types. JSON has one kind of number: a large integer would be a bigint and a small one a number. The
 * column's type decides instead.
 */
import type { ColumnDocument } from "../protocol/documents/statement.ts";
import { decodeBase64 } from "../types/base64.ts";
import { ClientError } from "./requester.ts";

/**
 * | SQL | JavaScript |
 * | --- | --- |
 * | bigint | bigint |
 * | tinyint, smallint, integer, real, double | number |
 * | boolean | boolean |
 * | varbinary | Uint8Array |
 * | array, row | array |
 * | map | Map, with keys by their type |
 * | everything else, such as decimal, date and timestamp | string, as SQL writes it |
 */
export type Value = null | boolean | number | bigint | string | Uint8Array | readonly Value[] | ReadonlyMap<Value, Value>;

/** Values in the order of the columns. */
export type Row = readonly Value[];

/** How values of SQL's type bigint arrive: as bigint, or as number where exactness beyond 2^53 does not matter. */
export type IntegerMode = "bigint" | "number";

/** Of a value, in an error. */
const shownCharacters = 100;

/** Undefined if the value stays as it arrived. */
type Decode = ((value: unknown) => unknown) | undefined;

interface Signature {
  readonly rawType: string;
  readonly arguments: readonly { readonly value?: unknown }[];
}

export function rowDecoder(columns: readonly ColumnDocument[], integers: IntegerMode): (row: readonly unknown[]) => Row {
  const decoders = columns.map((column) => decoderOf(column.typeSignature ?? { rawType: column.type, arguments: [] }, integers));
  const converted = decoders.flatMap((decode, index) => (decode === undefined ? [] : [{ decode, index }]));
  return (row) => {
    const values = [...row];
    for (const { decode, index } of converted) {
      values[index] = decode(values[index]);
    }
    return values as readonly Value[];
  };
}

function decoderOf(signature: Signature, integers: IntegerMode): Decode {
  const inner = signature.arguments.flatMap(({ value }) => signatureIn(value)).map((one) => decoderOf(one, integers));
  switch (signature.rawType.toLowerCase()) {
    case "bigint":
      return notNull((value) => (integers === "bigint" ? bigintOf(value) : typeof value === "number" ? value : Number(bigintOf(value))));
    case "real":
    case "double":
      return (value) => (typeof value === "string" ? Number(value) : value);
    case "varbinary":
      return notNull((value) => (typeof value === "string" ? (decodeBase64(value) ?? value) : value));
    case "array":
      return inner[0] === undefined ? undefined : listDecoder(() => inner[0]);
    case "row":
      return inner.every((one) => one === undefined) ? undefined : listDecoder((index) => inner[index]);
    case "map":
      return mapDecoder(keyDecoder(signature.arguments[0]?.value, inner[0]), inner[1]);
    default:
      return undefined;
  }
}

/** The type in an argument of a signature: of an element, or of a field with its name. Presto writes the latter as text. */
function signatureIn(value: unknown): readonly Signature[] {
  if (typeof value === "string") {
    return [signatureOfText(value)];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  if ("rawType" in value && typeof value.rawType === "string") {
    return [{ rawType: value.rawType, arguments: "arguments" in value && Array.isArray(value.arguments) ? value.arguments : [] }];
  }
  return "typeSignature" in value ? signatureIn(value.typeSignature) : [];
}

/** `row(a bigint, "b c" array(double))` */
function signatureOfText(text: string): Signature {
  const match = /^\s*(array|map|row)\((.*)\)\s*$/is.exec(text);
  if (match === null) {
    return { rawType: text.trim(), arguments: [] };
  }
  const [, rawType = "", inner = ""] = match;
  const parts = partsOf(inner).map((part) => (rawType.toLowerCase() === "row" ? part.replace(/^\s*("(?:[^"]|"")*"|\S+)\s+/, "") : part));
  return { rawType, arguments: parts.map((value) => ({ value })) };
}

/** Splits at commas outside of parentheses and quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"]|"")*"|[(),]/g)) {
    if (token === ",") {
      if (depth === 0) {
        parts.push(text.slice(start, index));
        start = index + 1;
      }
    } else if (token === "(" || token === ")") {
      depth += token === "(" ? 1 : -1;
    }
  }
  return [...parts, text.slice(start)];
}

function notNull(decode: (value: unknown) => unknown): Decode {
  return (value) => (value === null ? null : decode(value));
}

/** A value of SQL's type bigint. Throws ClientError for another one. */
export function bigintOf(value: unknown): bigint {
  if (typeof value === "bigint") {
    return value;
  }
  if ((typeof value === "number" && Number.isInteger(value)) || (typeof value === "string" && /^-?\d{1,19}$/.test(value))) {
    return BigInt(value);
  }
  throw wrongValue("bigint", value);
}

/** Of the columns' types, which the server has told, and another value in a row. */
export function wrongValue(type: string, value: unknown): ClientError {
  const shown = (typeof value === "string" ? JSON.stringify(value) : String(value)).slice(0, shownCharacters);
  return new ClientError("BAD_ANSWER", `The server's answer is not valid: ${shown} is no value of type ${type}`);
}

function listDecoder(decodeOf: (index: number) => Decode): Decode {
  return (value) =>
    Array.isArray(value)
      ? value.map((one: unknown, index) => {
          const decode = decodeOf(index);
          return decode === undefined ? one : decode(one);
        })
      : value;
}

function mapDecoder(decodeKey: Decode, decodeValue: Decode): Decode {
  const entryOf = ([key, value]: [string, unknown]): [unknown, unknown] => [
    decodeKey === undefined ? key : decodeKey(key),
    decodeValue === undefined ? value : decodeValue(value),
  ];
  return (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? new Map(Object.entries(value).map(entryOf)) : value;
}

/** The keys of a JSON object are text, whatever the type of the map's keys. */
function keyDecoder(type: unknown, decode: Decode): Decode {
  switch (signatureIn(type)[0]?.rawType.toLowerCase()) {
    case "tinyint":
    case "smallint":
    case "integer":
      return Number;
    case "boolean":
      return (key) => key === "true";
    default:
      return decode;
  }
}
