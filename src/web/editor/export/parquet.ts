/**
 * Results as Parquet. The module is loaded at the first export.
 *
 * Values keep their types, in arrays, maps and rows too. Types that Parquet lacks, and times finer than a microsecond, are text.
 */
import { ByteWriter, type ColumnSource, parquetWrite, type SchemaElement } from "hyparquet-writer";
import type { ColumnType } from "../results/column-types.ts";
import { dateDays, timestampPicos, timePicos, unscaledDecimal } from "../results/moments.ts";
import { distinctNames, valueText } from "../results/values.ts";
import type { ExportColumn } from "./csv.ts";

/** How values of a type are stored: the column's schema without its name, and the value that the writer takes. */
interface Stored {
  readonly element: Omit<SchemaElement, "name" | "repetition_type">;
  readonly convert: (value: unknown) => unknown;
  readonly children: readonly {
    readonly name: string;
    readonly stored: Stored;
    readonly repetition: "OPTIONAL" | "REPEATED" | "REQUIRED";
  }[];
}

export function parquetBytes(columns: readonly ExportColumn[], rows: readonly (readonly unknown[])[]): Uint8Array {
  const names = distinctNames(columns.map(({ name }) => name));
  const stored = columns.map(({ type }, index) => storedType(type, rows, (row) => row[index]));
  const schema: SchemaElement[] = [{ name: "schema", num_children: columns.length }];
  for (const [index, type] of stored.entries()) {
    addSchema(schema, names[index] ?? "", type, "OPTIONAL");
  }
  const columnData: ColumnSource[] = stored.map(({ convert }, index) => ({
    name: names[index] ?? "",
    data: rows.map((row) => (row[index] === null || row[index] === undefined ? null : convert(row[index]))),
  }));
  const writer = new ByteWriter();
  // Asynchronous only with a writer that flushes.
  void parquetWrite({ writer, columnData, schema, createdBy: "Orrery", rowGroupSize: 100_000 });
  return writer.getBytes();
}

function addSchema(
  schema: SchemaElement[],
  name: string,
  { element, children }: Stored,
  repetition: "OPTIONAL" | "REPEATED" | "REQUIRED",
): void {
  const count = children.length === 0 ? {} : { num_children: children.length };
  schema.push({ ...element, ...count, name, repetition_type: repetition });
  for (const child of children) {
    addSchema(schema, child.name, child.stored, child.repetition);
  }
}

type Rows = readonly (readonly unknown[])[];

const plain = (element: Stored["element"], convert: Stored["convert"]): Stored => ({ element, convert, children: [] });

const integer = (converted?: "INT_8" | "INT_16"): Stored =>
  plain({ type: "INT32", ...(converted === undefined ? {} : { converted_type: converted }) }, Number);

function text(type: ColumnType): Stored {
  return plain({ type: "BYTE_ARRAY", converted_type: "UTF8" }, (value) => valueText(value, type));
}

/** Values that do not fit the type's form make the column text. */
function storedType(type: ColumnType, rows: Rows, read: (row: readonly unknown[]) => unknown): Stored {
  const stored = candidate(type);
  const fits = rows.every((row) => {
    const value = read(row);
    return value === null || value === undefined || stored.convert(value) !== undefined;
  });
  return fits ? stored : text(type);
}

function candidate(type: ColumnType): Stored {
  const { base } = type;
  switch (base) {
    case "boolean":
      return plain({ type: "BOOLEAN" }, Boolean);
    case "tinyint":
      return integer("INT_8");
    case "smallint":
      return integer("INT_16");
    case "integer":
      return integer();
    case "bigint":
      return plain({ type: "INT64" }, (value) => BigInt(value as number));
    case "real":
      return plain({ type: "FLOAT" }, Number);
    case "double":
      return plain({ type: "DOUBLE" }, Number);
    case "decimal":
      return decimal(type);
    case "date":
      return plain({ type: "INT32", converted_type: "DATE" }, (value) => dateDays(String(value)));
    case "time":
    case "timestamp":
    case "timestamp with time zone":
      return (type.numbers[0] ?? 3) > 6 ? text(type) : moment(type);
    case "varbinary":
      return plain({ type: "BYTE_ARRAY" }, (value) => bytesOf(String(value)));
    case "uuid":
      return plain({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } }, String);
    case "array":
    case "map":
    case "row":
      return nested(type);
    default:
      return text(type);
  }
}

const shortPrecisionMax = 18;

function decimal({ numbers }: ColumnType): Stored {
  const [precision = 38, scale = 0] = numbers;
  const storage: Stored["element"] = precision <= shortPrecisionMax ? { type: "INT64" } : { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16 };
  return plain({ ...storage, converted_type: "DECIMAL", precision, scale }, (value) => unscaledDecimal(String(value), scale));
}

const microPicos = 1_000_000n;

function moment(type: ColumnType): Stored {
  const micros = (picos: bigint | undefined): bigint | undefined => (picos === undefined ? undefined : picos / microPicos);
  if (type.base === "time") {
    return plain({ type: "INT64", converted_type: "TIME_MICROS" }, (value) => micros(timePicos(String(value))));
  }
  const isAdjustedToUTC = type.base === "timestamp with time zone";
  const element = { type: "INT64" as const, logical_type: { type: "TIMESTAMP" as const, isAdjustedToUTC, unit: "MICROS" as const } };
  return plain(element, (value) => {
    const picos = timestampPicos(String(value));
    // Picoseconds before 1970 are rounded down.
    return picos === undefined ? undefined : (picos - (((picos % microPicos) + microPicos) % microPicos)) / microPicos;
  });
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const orNull = (value: unknown, { convert }: Stored): unknown => (value === null || value === undefined ? null : convert(value));

function nested(type: ColumnType): Stored {
  const inner = type.children.map((child) => candidate(child.type));
  const [first, second] = inner;
  if (type.base === "array" && first !== undefined) {
    const list: Stored = { element: {}, convert: String, children: [{ name: "element", stored: first, repetition: "OPTIONAL" }] };
    return {
      element: { converted_type: "LIST" },
      convert: (value) => (value as readonly unknown[]).map((part) => orNull(part, first)),
      children: [{ name: "list", stored: list, repetition: "REPEATED" }],
    };
  }
  if (type.base === "map" && first !== undefined && second !== undefined) {
    return map(type, first, second);
  }
  const names = distinctNames(type.children.map(({ name }, index) => name ?? `field${index}`));
  return {
    element: {},
    convert: (value) =>
      Object.fromEntries(inner.map((stored, index) => [names[index] ?? "", orNull((value as readonly unknown[])[index], stored)])),
    children: inner.map((stored, index) => ({ name: names[index] ?? "", stored, repetition: "OPTIONAL" })),
  };
}

/** Keys of maps are texts on the wire. */
function map(type: ColumnType, key: Stored, value: Stored): Stored {
  const keyType = type.children[0]?.type;
  const readKey = (text: string): unknown => (keyType?.base === "boolean" ? text === "true" : text);
  const entry: Stored = {
    element: {},
    convert: String,
    children: [
      { name: "key", stored: key, repetition: "REQUIRED" },
      { name: "value", stored: value, repetition: "OPTIONAL" },
    ],
  };
  return {
    element: { converted_type: "MAP" },
    convert: (entries) =>
      Object.entries(entries as Readonly<Record<string, unknown>>).map(([name, part]) => ({
        key: key.convert(readKey(name)),
        value: orNull(part, value),
      })),
    children: [{ name: "key_value", stored: entry, repetition: "REPEATED" }],
  };
}
