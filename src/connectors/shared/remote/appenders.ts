/** Parts of the functions that append the texts of a remote column to pages. */
import type { PageBuilder } from "../../../page/builder.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { encodeNested, type NestedType, type NestedValue } from "../../../types/nested/nested.ts";
import { displayType, type Type } from "../../../types/type.ts";
import type { AppendValue } from "./dialect.ts";
import type { RemoteColumn } from "./remote-table.ts";
import { doubleOf } from "./text-values.ts";

const shownLength = 100;

export function outOfRange({ remoteName, type }: RemoteColumn, text: string): QueryError {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
  return new QueryError("JDBC_ERROR", `Value '${shown}' of column '${remoteName}' is out of range of type ${displayType(type)}`);
}

/** For texts and floating-point numbers, which all remote sources write in the same form; undefined for other types. */
export function usualAppender({ kind }: Type, channel: number): AppendValue | undefined {
  switch (kind) {
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
