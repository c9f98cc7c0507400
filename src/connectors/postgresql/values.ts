/** Values in the text form of PostgreSQL, under the settings of the connector's sessions. */
import type { NestedValue } from "../../types/nested/nested.ts";
import type { ArrayType, Type } from "../../types/type.ts";
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import { appendValue, outOfRange, usualAppender } from "../shared/remote/appenders.ts";
import type { AppendValue } from "../shared/remote/dialect.ts";
import type { RemoteColumn } from "../shared/remote/remote-table.ts";
import {
  dateOf,
  decimalOf,
  doubleOf,
  hexBytesOf,
  instantOf,
  integerOf,
  type Rounding,
  timeOf,
  smallIntegerOf,
  timestampOf,
  uuidBytesOf,
} from "../shared/remote/text-values.ts";
import { documentText } from "../shared/documents.ts";
import { parseArray } from "./arrays.ts";

export function appenderOf(column: RemoteColumn, channel: number, rounding: Rounding): AppendValue {
  const { type, remoteType } = column;
  switch (type.kind) {
    case "boolean":
      return (builder, text) => {
        const value = booleanOf(text);
        if (value === undefined) {
          throw outOfRange(column, text);
        }
        builder.appendBoolean(channel, value);
        return 1;
      };
    default:
      return (
        usualAppender(column, channel) ??
        ((builder, text) => {
          const value = valueOf(type, { text, remoteType, rounding });
          if (value === undefined || value === null) {
            throw outOfRange(column, text);
          }
          appendValue(builder, { channel, type, value });
          return text.length;
        })
      );
  }
}

function booleanOf(text: string): boolean | undefined {
  return text === "t" ? true : text === "f" ? false : undefined;
}

interface Written {
  readonly text: string;
  /** The type in the database; of an array, that of the array. */
  readonly remoteType: string;
  readonly rounding: Rounding;
}

/** undefined if the text is no value of the type. */
function valueOf(type: Type, written: Written): NestedValue | undefined {
  const { text, rounding } = written;
  switch (type.kind) {
    case "boolean":
      return booleanOf(text);
    case "smallint":
      return smallIntegerOf(text, 16);
    case "integer":
      return smallIntegerOf(text, 32);
    case "bigint":
      return integerOf(text);
    case "real":
    case "double":
      return doubleOf(text);
    case "decimal":
      return decimalOf(text, { precision: type.precision, scale: type.scale, rounding });
    case "varchar":
    case "char":
      return text;
    case "varbinary":
      return text.startsWith("\\x") ? hexBytesOf(text, 2) : undefined;
    case "date":
      return dateOf(text);
    case "time":
      return timeOf(text);
    case "timestamp":
      return timestampOf(text);
    case "timestamp with time zone": {
      const instant = instantOf(text);
      return instant === undefined ? undefined : zonedMoment(instant, utcKey);
    }
    case "uuid":
      return uuidBytesOf(text);
    case "json":
      return documentText(text);
    case "array":
      return nestedOf(type, written);
    default:
      return undefined;
  }
}

/** Elements as nested values are: integers of 64 bits are bigints. */
function nestedOf(type: ArrayType, written: Written): readonly NestedValue[] | undefined {
  const parsed = parseArray(written.text);
  let isSound = parsed !== undefined;
  const read = (element: Type, item: unknown): NestedValue => {
    if (item === null) {
      return null;
    }
    if (element.kind === "array") {
      if (!Array.isArray(item)) {
        isSound = false;
        return [];
      }
      return item.map((inner) => read(element.element, inner));
    }
    const value = typeof item === "string" ? valueOf(element, { ...written, text: item }) : undefined;
    isSound &&= value !== undefined;
    return typeof value === "number" && isWide(element) ? BigInt(value) : (value ?? null);
  };
  const values = (parsed ?? []).map((item) => read(type.element, item));
  return isSound ? values : undefined;
}

function isWide({ kind }: Type): boolean {
  return kind === "bigint" || kind === "decimal" || kind === "timestamp" || kind === "time";
}
