/**
 * Items of a JSON path: JSON values from the input, and typed SQL values (literals, PASSING, computed values). A JSON number has type
 * integer, bigint or double.
 */
import { BIGINT, BOOLEAN, DOUBLE, INTEGER, isCharacter, isNumeric, type Type, VARCHAR } from "../../../../types/type.ts";
import { formatDecimal } from "../../../runtime/decimals.ts";
import type { HostValue } from "../../../registry/definition.ts";
import { formatReal } from "../../../runtime/formats.ts";
import { isJsonArray, isJsonObject, JsonNumber, jsonOfDouble, type JsonValue, quoteJson } from "../json-values.ts";
import { padSpaces } from "../../string/padding.ts";
import { PathError } from "./errors.ts";
import type { ScalarValue } from "./scalar-casts.ts";

/** A SQL value that is not NULL; SQL NULL is represented by the JSON null. */
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

/** Name of an item's kind in messages. */
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

/** A JSON number as a SQL value; undefined if it is out of range. */
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

/** Value of a scalar; undefined for null, arrays and objects. Throws PathError for a number out of range. */
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

/** Value of a number; undefined for other items. */
export function numberItem(item: Item): SqlItem | undefined {
  if (isSqlItem(item)) {
    return isNumeric(item.type) ? item : undefined;
  }
  return item instanceof JsonNumber ? scalarOf(item) : undefined;
}

/** Value of a string; undefined for other items. */
export function textItem(item: Item): string | undefined {
  if (typeof item === "string") {
    return item;
  }
  if (!isSqlItem(item) || !isCharacter(item.type)) {
    return undefined;
  }
  return item.type.kind === "char" ? padSpaces(item.value as string, item.type.length) : (item.value as string);
}

/** JSON text of a SQL number, boolean or string; undefined for other types. */
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
