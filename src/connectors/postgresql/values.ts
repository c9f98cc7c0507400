/** Values in the text form of PostgreSQL, under the settings of the connector's sessions. */
import type { PageBuilder } from "../../page/builder.ts";
import { QueryError } from "../../protocol/errors.ts";
import { encodeNested, type NestedValue } from "../../types/nested/nested.ts";
import { type ArrayType, displayType, type Type } from "../../types/type.ts";
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import type { AppendValue } from "../shared/remote/dialect.ts";
import type { RemoteColumn } from "../shared/remote/remote-table.ts";
import {
  dateOf,
  decimalOf,
  doubleOf,
  hexBytesOf,
  instantOf,
  integerOf,
  jsonOf,
  type Rounding,
  timeOf,
  timestampOf,
} from "../shared/remote/text-values.ts";
import { parseArray } from "./arrays.ts";

const shownLength = 100;

export function appenderOf(column: RemoteColumn, channel: number, rounding: Rounding): AppendValue {
  const { type, remoteType } = column;
  const fail = (text: string): never => {
    const shown = text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
    throw new QueryError("JDBC_ERROR", `Value '${shown}' of column '${column.remoteName}' is out of range of type ${displayType(type)}`);
  };
  switch (type.kind) {
    case "boolean":
      return (builder, text) => {
        builder.appendBoolean(channel, text === "t");
        return 1;
      };
    case "smallint":
    case "integer":
      return (builder, text) => {
        builder.appendInt(channel, Number(text));
        return 4;
      };
    case "varchar":
    case "char":
      return (builder, text) => {
        builder.appendString(channel, text);
        return text.length;
      };
    case "real":
    case "double":
      return (builder, text) => {
        builder.appendDouble(channel, doubleOf(text));
        return 8;
      };
    default:
      return (builder, text) =>
        appendValue(builder, { channel, text, value: valueOf(type, { text, remoteType, rounding }) ?? fail(text), type });
  }
}

function appendValue(
  builder: PageBuilder,
  { channel, text, value, type }: { readonly channel: number; readonly text: string; readonly value: NestedValue; readonly type: Type },
): number {
  if (typeof value === "number") {
    builder.appendInt(channel, value);
  } else if (typeof value === "bigint") {
    builder.appendBigint(channel, value);
  } else if (typeof value === "string") {
    builder.appendString(channel, value);
  } else if (value instanceof Uint8Array) {
    builder.appendBytes(channel, value);
  } else {
    builder.appendBytes(channel, encodeNested(type as ArrayType, value as readonly NestedValue[]));
  }
  return text.length;
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
      return text === "t";
    case "smallint":
    case "integer":
      return Number(text);
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
      return hexBytesOf(text);
    case "json":
      return jsonOf(text);
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
