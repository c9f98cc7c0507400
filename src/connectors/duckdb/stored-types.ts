/** Types of the engine as columns of new tables of DuckDB, and their values as literals. */
import type { PageValue } from "../../page/reader.ts";
import { QueryError } from "../../protocol/errors.ts";
import { decodeBytes, nestedSource, type NestedValue } from "../../types/nested/nested.ts";
import { displayType, isNested, type Type, VARCHAR } from "../../types/type.ts";
import type { ColumnMetadata } from "../spi.ts";
import type { RowsForm } from "../shared/remote/sink.ts";
import { literalOf } from "../shared/remote/statement/literals.ts";
import { quoted } from "./dialect.ts";

const microsDigits = 6;
const nanosDigits = 9;

export interface StoredType {
  /** The type of the column when it is read. */
  readonly type: Type;
  readonly sql: string;
}

/** Throws NOT_SUPPORTED. */
export function storedTypeOf(type: Type): StoredType {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "double":
    case "date":
    case "uuid":
    case "json":
      return { type, sql: type.kind };
    case "real":
      return { type, sql: "float" };
    case "decimal":
      return { type, sql: `decimal(${type.precision}, ${type.scale})` };
    case "varchar":
    case "char":
      return { type: VARCHAR, sql: "varchar" };
    case "varbinary":
      return { type, sql: "blob" };
    case "time":
      return { type: { ...type, precision: microsDigits }, sql: "time" };
    case "timestamp":
      return storedTimestamp(type.precision);
    case "timestamp with time zone":
      return { type: { ...type, precision: microsDigits }, sql: "timestamptz" };
    case "array": {
      const element = storedTypeOf(type.element);
      return { type: { ...type, element: element.type }, sql: `${element.sql}[]` };
    }
    case "map": {
      const [key, value] = [storedTypeOf(type.key), storedTypeOf(type.value)];
      return { type: { ...type, key: key.type, value: value.type }, sql: `map(${key.sql}, ${value.sql})` };
    }
    case "row": {
      const fields = type.fields.map((field) => ({ name: field.name ?? unsupported(type), stored: storedTypeOf(field.type) }));
      return {
        type: { ...type, fields: fields.map(({ name, stored }) => ({ name, type: stored.type })) },
        sql: `struct(${fields.map(({ name, stored }) => `${identifier(name)} ${stored.sql}`).join(", ")})`,
      };
    }
    default:
      return unsupported(type);
  }
}

function storedTimestamp(precision: number): StoredType {
  const stored = (digits: number, sql: string): StoredType => ({ type: { kind: "timestamp", precision: digits }, sql });
  if (precision === 0) {
    return stored(0, "timestamp_s");
  }
  if (precision <= 3) {
    return stored(3, "timestamp_ms");
  }
  return precision <= microsDigits ? stored(microsDigits, "timestamp") : stored(nanosDigits, "timestamp_ns");
}

/**
 * Rows as one JSON text, of which DuckDB reads seven times as many a second as of VALUES. Every value is a text, which the column converts.
 * Undefined for nested columns.
 */
export function jsonRows(
  columns: readonly ColumnMetadata[],
  { id, insert }: { readonly id: string; readonly insert: string },
): RowsForm | undefined {
  if (columns.some(({ type }) => isNested(type))) {
    return undefined;
  }
  const values = columns.map((_, index) => `j->>${index}`);
  return {
    value: ({ type }, value) => (value === null ? "null" : JSON.stringify(textOf(type, value))),
    row: (texts) => `[${texts.join(",")}]`,
    statement: (rows) =>
      `${insert} SELECT ${[quoted(id), ...values].join(", ")} FROM (SELECT unnest(from_json(${quoted(`[${rows.join(",")}]`)}, '["JSON"]')) AS j)`,
  };
}

function textOf(type: Type, value: Exclude<PageValue, null>): string {
  const literal = storedLiteral(type, value);
  return literal.startsWith("'") ? literal.slice(1, literal.lastIndexOf("'")).replaceAll("''", "'") : literal.replace(/[()]/g, "");
}

/** A value of a page. The column of the table decides its type. */
export function storedLiteral(type: Type, value: Exclude<PageValue, null>): string {
  const plain = value instanceof Uint8Array && type.kind !== "uuid" ? decodeBytes(type, nestedSource(value), 0, value.length) : value;
  return stored(type, plain);
}

function stored(type: Type, value: NestedValue): string {
  if (value === null) {
    return "NULL";
  }
  if (isNested(type)) {
    return nested(type, value as readonly NestedValue[]);
  }
  switch (type.kind) {
    case "boolean":
      return value === true ? "true" : "false";
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return `(${value as bigint})`;
    case "real":
    case "double":
      return `'${Object.is(value, -0) ? "-0" : String(value as number)}'`;
    case "varchar":
    case "char":
    case "json":
      return quoted(value as string);
    case "varbinary":
      return `'${Array.from(value as Uint8Array, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'::blob`;
    case "timestamp with time zone":
      // In UTC: DuckDB reads no offset after a space, and knows other zones only by an extension.
      return stored({ kind: "timestamp", precision: microsDigits }, (value as bigint) >> 64n).replace(/'$/, "+00'");
    default:
      // The text of the engine's literal, such as DATE '2024-02-29' or CAST('1.50' AS decimal(3, 2)).
      return usualYear(type, /'[^']*'/.exec(literalOf(type, value))?.[0] ?? unsupported(type));
  }
}

/** Years before 1 have another form, which the connector does not read. */
function usualYear(type: Type, literal: string): string {
  if (/^'(?:-|0000-\d\d-\d\d)/.test(literal) && type.kind !== "decimal") {
    throw new QueryError("JDBC_ERROR", `A value of type ${displayType(type)} is out of the range of the connector of DuckDB`);
  }
  return literal;
}

function nested(type: Type, items: readonly NestedValue[]): string {
  switch (type.kind) {
    case "array":
      return `[${items.map((item) => stored(type.element, item)).join(", ")}]::${storedTypeOf(type).sql}`;
    case "map": {
      const entries = items as readonly (readonly [NestedValue, NestedValue])[];
      const [keys, values] = [entries.map(([key]) => stored(type.key, key)), entries.map(([, one]) => stored(type.value, one))];
      return `map([${keys.join(", ")}], [${values.join(", ")}])::${storedTypeOf(type).sql}`;
    }
    case "row": {
      const fields = type.fields.map((field, index) => `${quoted(field.name ?? "")}: ${stored(field.type, items[index] ?? null)}`);
      return `{${fields.join(", ")}}::${storedTypeOf(type).sql}`;
    }
    default:
      return unsupported(type);
  }
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function unsupported(type: Type): never {
  throw new QueryError("NOT_SUPPORTED", `Unsupported column type: ${displayType(type)}`);
}
