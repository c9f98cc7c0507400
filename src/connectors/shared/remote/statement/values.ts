/** Values of the statement protocol: the JSON of a column of a cluster, in the text form of the port `Databases`. */
import { valueOfText } from "../../../../functions/cast/text-casts.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { decodeBase64 } from "../../../../types/base64.ts";
import { JsonSyntaxError, parseJson } from "../../../../protocol/json.ts";
import type { NestedValue } from "../../../../types/nested/nested.ts";
import { displayType, isNested, type MapType, type Type } from "../../../../types/type.ts";
import { appendValue, outOfRange, usualAppender } from "../appenders.ts";
import type { AppendValue } from "../dialect.ts";
import type { RemoteColumn } from "../remote-table.ts";
import { dateOf, decimalOf, timestampOf } from "../text-values.ts";
import { documentText } from "../../documents.ts";

const millisPerDay = 86_400_000n;
const microsPrecision = 6;

/** The returned function throws JDBC_ERROR for a text that is no value of the type. */
export function statementAppender(column: RemoteColumn, channel: number): AppendValue {
  const { type } = column;
  const checked = (text: string): Exclude<NestedValue, null> => {
    const value = soundValue(type, text);
    if (value === undefined) {
      throw outOfRange(column, text);
    }
    return value;
  };
  if (type.kind === "boolean") {
    return (builder, text) => {
      builder.appendBoolean(channel, checked(text) === true);
      return 1;
    };
  }
  return (
    usualAppender(column, channel) ??
    ((builder, text) => {
      appendValue(builder, { channel, type, value: checked(text) });
      return text.length;
    })
  );
}

/** undefined if the text is no value of the type. */
function soundValue(type: Type, text: string): Exclude<NestedValue, null> | undefined {
  try {
    return fastValue(type, text) ?? (isNested(type) ? (nestedOf(type, parseJson(text)) ?? undefined) : plainValue(type, text));
  } catch (error) {
    if (error instanceof QueryError || error instanceof JsonSyntaxError || error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/** The usual texts of the usual types. A number may stand for a bigint. */
function fastValue(type: Type, text: string): number | bigint | undefined {
  switch (type.kind) {
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
    case "decimal":
      return decimalOf(text, { precision: type.precision, scale: type.scale, rounding: "UNNECESSARY" });
    case "date":
      return dateOf(text);
    case "timestamp":
      return type.precision <= microsPrecision ? timestampOf(text) : undefined;
    default:
      return undefined;
  }
}

function plainValue(type: Type, text: string): Exclude<NestedValue, null> | undefined {
  switch (type.kind) {
    case "varchar":
    case "char":
      return text;
    case "json":
      return documentText(text);
    case "varbinary":
      return decodeBase64(text);
    case "interval day to second":
      return millisOf(text);
    case "interval year to month":
      return monthsOf(text);
    default:
      return valueOfText(text, type);
  }
}

/** `-2 03:04:05.678` */
function millisOf(text: string): bigint | undefined {
  const match = /^(-?)(\d{1,15}) (\d\d):(\d\d):(\d\d)\.(\d{3})$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, sign, days = "", hours, minutes, seconds, fraction] = match;
  const rest = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction);
  const magnitude = BigInt(days) * millisPerDay + BigInt(rest);
  return sign === "-" ? -magnitude : magnitude;
}

/** `-1-11` */
function monthsOf(text: string): number | undefined {
  const match = /^(-?)(\d{1,9})-(\d{1,2})$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const months = Number(match[2]) * 12 + Number(match[3]);
  return match[1] === "-" ? -months : months;
}

/** The value as parts of nested values are. Throws QueryError for JSON of another type. */
function nestedOf(type: Type, json: unknown): NestedValue {
  if (json === null || json === undefined) {
    return null;
  }
  switch (type.kind) {
    case "array":
      return Array.isArray(json) ? json.map((item) => nestedOf(type.element, item)) : unsound(type);
    case "row": {
      // Old servers write an object.
      const values: readonly unknown[] = Array.isArray(json) ? json : typeof json === "object" ? Object.values(json) : [];
      return values.length === type.fields.length ? type.fields.map((field, index) => nestedOf(field.type, values[index])) : unsound(type);
    }
    case "map":
      return typeof json === "object" ? entriesOf(type, json) : unsound(type);
    default:
      return wide(type, plainValue(type, textOf(json)) ?? unsound(type));
  }
}

/** Empty for what is no value of a plain type. */
function textOf(json: unknown): string {
  return typeof json === "string"
    ? json
    : typeof json === "number" || typeof json === "bigint" || typeof json === "boolean"
      ? Object.is(json, -0)
        ? "-0"
        : String(json)
      : "";
}

/** An object, whose keys are text, or an array of pairs. */
function entriesOf(type: MapType, json: object): NestedValue {
  const { key, value } = type;
  if (Array.isArray(json)) {
    return json.map((pair: unknown) =>
      Array.isArray(pair) && pair.length === 2 ? [nestedOf(key, pair[0]), nestedOf(value, pair[1])] : unsound(type),
    );
  }
  return Object.entries(json).map(([name, one]) => {
    const keyValue = isNested(key) ? nestedOf(key, parseJson(name)) : nestedOf(key, name);
    return [keyValue, nestedOf(value, one)];
  });
}

/** Integers of 64 bits are bigints. */
function wide({ kind }: Type, value: Exclude<NestedValue, null>): NestedValue {
  return typeof value === "number" && kind === "bigint" ? BigInt(value) : value;
}

function unsound(type: Type): never {
  throw new QueryError("JDBC_ERROR", `Not a value of type ${displayType(type)}`);
}
