/** Parts of the functions that append the texts of a remote column to pages. */
import type { PageBuilder } from "../../../page/builder.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { encodeNested, type NestedType, type NestedValue } from "../../../types/nested/nested.ts";
import { displayType, type Type } from "../../../types/type.ts";
import { codePoints } from "../../../types/utf8.ts";
import type { AppendValue } from "./dialect.ts";
import type { RemoteColumn } from "./remote-table.ts";
import { doubleOf, smallIntegerOf } from "./text-values.ts";

const shownLength = 100;
const integerBits = { tinyint: 8, smallint: 16, integer: 32 } as const;

export function outOfRange({ remoteName, type }: RemoteColumn, text: string): QueryError {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
  return new QueryError("JDBC_ERROR", `Value '${shown}' of column '${remoteName}' is out of range of type ${displayType(type)}`);
}

/**
 * For texts, floating-point numbers and small integers, which all remote sources write in the same form; undefined for other types. The
 * returned function throws JDBC_ERROR for a text that is no value of the type.
 */
export function usualAppender(column: RemoteColumn, channel: number): AppendValue | undefined {
  const { type } = column;
  switch (type.kind) {
    case "varchar":
    case "char": {
      const lengthMax = type.length ?? Number.POSITIVE_INFINITY;
      return (builder, text) => {
        // Characters beyond the first plane are two units of the text.
        if (text.length > lengthMax && codePoints(text).length > lengthMax) {
          throw outOfRange(column, text);
        }
        builder.appendString(channel, text);
        return text.length;
      };
    }
    case "real":
    case "double":
      return (builder, text) => {
        const value = doubleOf(text);
        if (value === undefined) {
          throw outOfRange(column, text);
        }
        builder.appendDouble(channel, value);
        return 8;
      };
    case "tinyint":
    case "smallint":
    case "integer": {
      const bits = integerBits[type.kind];
      return (builder, text) => {
        const value = smallIntegerOf(text, bits);
        if (value === undefined) {
          throw outOfRange(column, text);
        }
        builder.appendInt(channel, value);
        return 4;
      };
    }
    default:
      return undefined;
  }
}

export function appendValue(
  builder: PageBuilder,
  { channel, type, value }: { readonly channel: number; readonly type: Type; readonly value: Exclude<NestedValue, null> },
): void {
  if (typeof value === "number") {
    builder.appendInt(channel, value);
  } else if (typeof value === "bigint") {
    builder.appendBigint(channel, value);
  } else if (typeof value === "string") {
    builder.appendString(channel, value);
  } else if (value instanceof Uint8Array) {
    builder.appendBytes(channel, value);
  } else {
    builder.appendBytes(channel, encodeNested(type as NestedType, value as readonly NestedValue[]));
  }
}
