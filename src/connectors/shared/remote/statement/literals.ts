/** Values as literals of Presto's SQL. A literal has the type of the value, whatever surrounds it. */
import { textOfValue } from "../../../../functions/cast/text-casts.ts";
import type { PageValue } from "../../../../page/reader.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { decodeBytes, nestedSource, type NestedValue } from "../../../../types/nested/nested.ts";
import { displayType, isNested, physicalType, sqlTypeText, type Type } from "../../../../types/type.ts";

export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A value of a page. Throws NOT_SUPPORTED for a type without literals. */
export function pageLiteral(type: Type, value: Exclude<PageValue, null>): string {
  const decoded = value instanceof Uint8Array ? decodeBytes(type, nestedSource(value), 0, value.length) : value;
  return literalOf(type, decoded);
}

export function literalOf(type: Type, value: NestedValue): string {
  if (value === null) {
    return "NULL";
  }
  // An array of NULLs has its type only by a cast.
  return isNested(type) ? `CAST(${nestedLiteral(type, value)} AS ${sqlTypeText(type)})` : plainLiteral(type, value);
}

function nestedLiteral(type: Type, value: NestedValue): string {
  if (value === null) {
    return "NULL";
  }
  const items = value as readonly NestedValue[];
  switch (type.kind) {
    case "array":
      return arrayOf(type.element, items);
    case "map": {
      const entries = items as readonly (readonly [NestedValue, NestedValue])[];
      return `MAP(${arrayOf(
        type.key,
        entries.map(([key]) => key),
      )}, ${arrayOf(
        type.value,
        entries.map(([, one]) => one),
      )})`;
    }
    case "row":
      return `ROW(${type.fields.map((field, index) => nestedLiteral(field.type, items[index] ?? null)).join(", ")})`;
    default:
      return plainLiteral(type, value);
  }
}

function arrayOf(element: Type, items: readonly NestedValue[]): string {
  return `ARRAY[${items.map((item) => nestedLiteral(element, item)).join(", ")}]`;
}

function plainLiteral(type: Type, value: Exclude<NestedValue, null>): string {
  switch (type.kind) {
    case "boolean":
      return value === true ? "true" : "false";
    case "varchar":
      return quotedText(value as string);
    case "char":
      return `CAST(${quotedText(value as string)} AS char(${Math.max(1, type.length)}))`;
    case "json":
      return `JSON ${quotedText(value as string)}`;
    case "varbinary":
      return `X'${Array.from(value as Uint8Array, (byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
    case "interval day to second":
      return intervalLiteral(value as bigint);
    case "interval year to month":
      return Number(value) < 0 ? `INTERVAL -'${-Number(value)}' MONTH` : `INTERVAL '${value as number}' MONTH`;
    case "decimal":
      // A literal has as many digits as it is written with.
      return `CAST('${textOfValue(exactly(type, value), type)}' AS decimal(${type.precision}, ${type.scale}))`;
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "real":
    case "double":
    case "date":
    case "uuid":
    case "ipaddress":
    case "ipprefix":
    case "time":
    case "time with time zone":
    case "timestamp":
    case "timestamp with time zone":
      return `${type.kind.replace(" with time zone", "").toUpperCase()} '${textOfValue(exactly(type, value), type)}'`;
    default:
      throw new QueryError("NOT_SUPPORTED", `Unsupported column type: ${displayType(type)}`);
  }
}

/** 64 bits and more are bigints. */
function exactly(type: Type, value: Exclude<NestedValue, null>): Exclude<NestedValue, null> {
  const physical = physicalType(type);
  return typeof value === "number" && (physical === "i64" || physical === "i128") ? BigInt(value) : value;
}

function intervalLiteral(millis: bigint): string {
  const magnitude = millis < 0n ? -millis : millis;
  const text = `${magnitude / 1000n}.${String(magnitude % 1000n).padStart(3, "0")}`;
  return millis < 0n ? `INTERVAL -'${text}' SECOND` : `INTERVAL '${text}' SECOND`;
}
