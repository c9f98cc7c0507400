/**
 * Converts a value in the JSON form of plans (ConstantValue) to a value of a page, for columns that are not stored with the rows.
 */
import { parseHex } from "../../functions/runtime/formats.ts";
import type { PageBuilder } from "../../page/builder.ts";
import { assert } from "../../protocol/errors.ts";
import { physicalType, type Type } from "../../types/type.ts";
import type { DefaultValue } from "../spi.ts";

export function appendConstantValue(builder: PageBuilder, column: number, type: Type, value: DefaultValue["value"]): void {
  const physical = physicalType(type);
  if (value === null) {
    builder.appendNull(column);
  } else if (typeof value === "boolean") {
    builder.appendBoolean(column, value);
  } else if (physical === "f32" || physical === "f64") {
    builder.appendDouble(column, Number(value));
  } else if (physical === "bytes") {
    appendBytesOf(builder, column, type, String(value));
  } else {
    builder.appendBigint(column, BigInt(value));
  }
}

function appendBytesOf(builder: PageBuilder, column: number, type: Type, text: string): void {
  if (type.kind === "varchar" || type.kind === "char" || type.kind === "json") {
    builder.appendString(column, text);
    return;
  }
  const bytes = parseHex(text);
  assert(bytes !== undefined, `a constant of type ${type.kind} is hexadecimal`);
  builder.appendBytes(column, bytes);
}
