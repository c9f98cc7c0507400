/** NOT NULL, DEFAULT and comments of columns: in SQL of a database, and as a database says them. */
import { parseHex } from "../../../functions/runtime/formats.ts";
import type { PageValue } from "../../../page/reader.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import { displayType, physicalType, sameType, type Type } from "../../../types/type.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import type { ColumnCapability, ColumnMetadata, DefaultValue } from "../../spi.ts";
import { quotedText } from "./statement/literals.ts";
import { dateOf, decimalOf } from "./text-values.ts";

export const remoteCapabilities: readonly ColumnCapability[] = ["NOT_NULL_COLUMN_CONSTRAINT", "DEFAULT_COLUMN_VALUE"];

export type ColumnAttributes = Pick<ColumnMetadata, "comment" | "defaultValue" | "nullable">;

type Literal = (type: Type, value: Exclude<PageValue, null>) => string;

/** `defaultText`: the text of the default value if it is a literal, in the form of the database's values. */
export function attributesOf({
  comment,
  isRequired,
  type,
  defaultText,
}: {
  readonly comment: string | null | undefined;
  readonly isRequired: boolean;
  readonly type: Type;
  readonly defaultText: string | undefined;
}): ColumnAttributes {
  const defaultValue = defaultText === undefined ? undefined : defaultOf(type, defaultText);
  return {
    ...(typeof comment === "string" && comment !== "" && { comment }),
    ...(isRequired && { nullable: false as const }),
    ...(defaultValue !== undefined && { defaultValue }),
  };
}

/** The part of a column's definition after its type: empty, or ` DEFAULT 'x' NOT NULL`. */
export function constraintsSql({ defaultValue, nullable, type }: ColumnMetadata, literal: Literal): string {
  const value = defaultValue === undefined ? "" : ` DEFAULT ${defaultSql(type, defaultValue, literal)}`;
  return `${value}${nullable === false ? " NOT NULL" : ""}`;
}

/** The action of ALTER COLUMN that gives a column of these another default value, or none. */
export function defaultAction(
  columns: readonly Pick<ColumnMetadata, "name" | "type">[],
  column: string,
  { defaultValue, literal }: { readonly defaultValue: DefaultValue | undefined; readonly literal: Literal },
): string {
  const type = columns.find(({ name }) => name === column)?.type;
  return type === undefined || defaultValue === undefined ? "DROP DEFAULT" : `SET DEFAULT ${defaultSql(type, defaultValue, literal)}`;
}

function defaultSql(type: Type, { value }: DefaultValue, literal: Literal): string {
  return value === null ? "NULL" : literal(type, pageValueOf(type, value));
}

/** A new column in the type that the database has for it. Throws NOT_SUPPORTED for a default value that this type may not have. */
export function storedColumn(column: ColumnMetadata, type: Type): ColumnMetadata {
  const isChanged = !sameType(column.type, type) && (column.defaultValue?.value ?? null) !== null;
  if (isChanged && physicalType(column.type) !== physicalType(type) && !(isInteger(column.type) && isInteger(type))) {
    const stored = `which the table has as ${displayType(type)}`;
    throw new QueryError("NOT_SUPPORTED", `Default values of type ${displayType(column.type)}, ${stored}, are not supported`);
  }
  return { ...column, type };
}

function isInteger({ kind }: Type): boolean {
  return kind === "tinyint" || kind === "smallint" || kind === "integer" || kind === "bigint";
}

/** The value of a page for one in the JSON form of plans. */
function pageValueOf(type: Type, value: boolean | number | string): Exclude<PageValue, null> {
  const physical = physicalType(type);
  if (typeof value === "boolean") {
    return value;
  }
  if (physical === "f32" || physical === "f64") {
    return Number(value);
  }
  if (physical !== "bytes") {
    return physical === "i64" || physical === "i128" ? BigInt(value) : Number(value);
  }
  const bytes =
    type.kind === "varchar" || type.kind === "char" || type.kind === "json" ? encodeUtf8(String(value)) : parseHex(String(value));
  assert(bytes !== undefined, `a constant of type ${type.kind} is hexadecimal`);
  return bytes;
}

/** undefined for a value that cannot be shown as a literal of its type. */
function defaultOf(type: Type, text: string): DefaultValue | undefined {
  switch (type.kind) {
    case "boolean": {
      const value = /^(?:true|t|1)$/i.test(text);
      return value || /^(?:false|f|0)$/i.test(text) ? { sql: String(value), value } : undefined;
    }
    case "tinyint":
    case "smallint":
    case "integer":
      return /^-?\d{1,10}$/.test(text) ? { sql: String(Number(text)), value: Number(text) } : undefined;
    case "bigint":
      return /^-?\d{1,19}$/.test(text) ? { sql: text, value: text } : undefined;
    case "decimal": {
      const unscaled = decimalOf(text, { precision: type.precision, scale: type.scale, rounding: "HALF_UP" });
      return unscaled === undefined ? undefined : { sql: `DECIMAL '${text}'`, value: String(unscaled) };
    }
    case "real":
    case "double": {
      const value = /^-?[\d.]+(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(value)
        ? { sql: `${type.kind.toUpperCase()} '${text}'`, value: Object.is(value, -0) ? "-0" : value }
        : undefined;
    }
    case "varchar":
    case "char":
      return { sql: quotedText(text), value: text };
    case "date": {
      const days = dateOf(text);
      return days === undefined ? undefined : { sql: `DATE '${text}'`, value: days };
    }
    default:
      return undefined;
  }
}
