/**
 * Items of a JSON path: JSON values as they are read, and SQL values (literals, PASSING, what is computed) with their types. Numbers of JSON count as integer, bigint
 * or double.
 */
import { BIGINT, BOOLEAN, DOUBLE, INTEGER, isCharacter, isNumeric, type Type, VARCHAR } from "../../../../types/type.ts";
import { formatDecimal } from "../../../runtime/decimals.ts";
import type { HostValue } from "../../../registry/definition.ts";
import { formatReal } from "../../../runtime/formats.ts";
import { isJsonArray, isJsonObject, JsonNumber, jsonOfDouble, type JsonValue, quoteJson } from "../json-values.ts";
import { padSpaces } from "../../string/padding.ts";
import { PathError } from "./errors.ts";
import type { ScalarValue } from "./scalar-casts.ts";

/** A value of SQL that is not NULL: the NULL of SQL is the null of JSON. */
export class SqlItem {
  constructor(
    readonly type: Type,
    readonly value: ScalarValue,
  ) {}
}

export type Item = JsonValue | SqlItem;
export type Items = readonly Item[];

export function isSqlItem(item: Item): item is SqlItem {
  return item instanceof SqlItem;
}

/** The name that a message has for an item's kind. */
export function kindOf(item: Item): string {
  if (item === null) {
    return "NULL";
  }
  if (isJsonArray(item as JsonValue)) {
    return "ARRAY";
  }
  if (isJsonObject(item as JsonValue)) {
    return "OBJECT";
  }
  return item instanceof JsonNumber ? "NUMBER" : typeof item === "string" ? "STRING" : "BOOLEAN";
}

/** A number of JSON as SQL sees it; undefined where it is too large. */
function sqlNumber({ text, isInteger }: JsonNumber): SqlItem | undefined {
  if (!isInteger) {
    return new SqlItem(DOUBLE, Number(text));
  }
  const value = BigInt(text);
  if (BigInt.asIntN(32, value) === value) {
    return new SqlItem(INTEGER, Number(value));
  }
  return BigInt.asIntN(64, value) === value ? new SqlItem(BIGINT, value) : undefined;
}

/** The value of a scalar; undefined of null, arrays and objects. Throws PathError for a number that is too large. */
export function scalarOf(item: Item): SqlItem | undefined {
  if (isSqlItem(item)) {
    return item;
  }
  if (item instanceof JsonNumber) {
    const number = sqlNumber(item);
    if (number === undefined) {
      throw new PathError(`cannot convert ${item.text} to Trino value (value too big)`);
    }
    return number;
  }
  if (typeof item === "string") {
    return new SqlItem(VARCHAR, item);
  }
  return typeof item === "boolean" ? new SqlItem(BOOLEAN, item) : undefined;
}

/** The value of a number; undefined of all else. */
export function numberItem(item: Item): SqlItem | undefined {
  if (isSqlItem(item)) {
    return isNumeric(item.type) ? item : undefined;
  }
  return item instanceof JsonNumber ? scalarOf(item) : undefined;
}

/** The text of a text; undefined of all else. */
export function textItem(item: Item): string | undefined {
  if (typeof item === "string") {
    return item;
  }
  if (!isSqlItem(item) || !isCharacter(item.type)) {
    return undefined;
  }
  return item.type.kind === "char" ? padSpaces(item.value as string, item.type.length) : (item.value as string);
}

/** JSON text of a number, boolean or text of SQL; undefined of values of other types. */
export function jsonOfScalar(type: Type, value: Exclude<HostValue, null>): string | undefined {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return String(value);
    case "double":
      return jsonOfDouble(value as number);
    case "real":
      return Number.isFinite(value as number) ? formatReal(value as number) : jsonOfDouble(value as number);
    case "decimal":
      return formatDecimal(value as bigint, type.scale);
    case "varchar":
      return quoteJson(value as string);
    case "char":
      return quoteJson(padSpaces(value as string, type.length));
    default:
      return undefined;
  }
}
