/**
 * How the files of a table are written: the properties of CREATE TABLE, with Trino's names.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { displayType, innerTypes, isNested, microsPrecision, type Type, VARCHAR } from "../../../types/type.ts";
import type { ColumnMetadata, PropertyValue, SortedColumn, TableProperty } from "../../spi.ts";
import { nullPartition } from "../names.ts";
import type { CompressionCodec } from "./compress/compressors.ts";

export type WrittenFormat = "PARQUET" | "ARROW" | "CSV" | "JSON";

/** Plain JSON. */
export interface TableOptions {
  readonly format: WrittenFormat;
  readonly compression: CompressionCodec;
  readonly partitionedBy: readonly string[];
  readonly sortedBy: readonly SortedColumn[];
  /** Folder of the files, below that of the catalog; absent for the folder of the table. */
  readonly location?: string;
}

export const tableProperties: readonly TableProperty[] = Object.freeze([
  { name: "format", type: "varchar", description: "Format of the files: PARQUET, ARROW, CSV or JSON", defaultValue: "PARQUET" },
  { name: "compression_codec", type: "varchar", description: "Compression of the files: NONE, SNAPPY, GZIP or ZSTD" },
  { name: "partitioned_by", type: "array(varchar)", description: "Partition columns" },
  { name: "sorted_by", type: "array(varchar)", description: "Columns by which the rows of each file are sorted" },
  { name: "external_location", type: "varchar", description: "Folder of an external table, below the folder of the catalog" },
]);

const codecsOfFormat: Readonly<Record<WrittenFormat, readonly CompressionCodec[]>> = Object.freeze({
  PARQUET: ["SNAPPY", "ZSTD", "GZIP", "NONE"],
  ARROW: ["NONE", "ZSTD"],
  CSV: ["NONE", "GZIP", "ZSTD"],
  JSON: ["NONE", "GZIP", "ZSTD"],
});

function invalidTableProperty(name: string, message: string): QueryError {
  return new QueryError("INVALID_TABLE_PROPERTY", `Invalid value for table property '${name}': ${message}`);
}

/** Columns are those of the statement, in their own types. */
export function tableOptions(columns: readonly ColumnMetadata[], properties: ReadonlyMap<string, PropertyValue>): TableOptions {
  const format = oneOf("format", properties.get("format") ?? "PARQUET", Object.keys(codecsOfFormat) as readonly WrittenFormat[]);
  const codecs = codecsOfFormat[format];
  const compression = oneOf("compression_codec", properties.get("compression_codec") ?? (codecs[0] as string), codecs);
  const names = columns.map(({ name }) => name);
  const location = properties.get("external_location") as string | undefined;
  return {
    format,
    compression,
    partitionedBy: distinctColumns("partitioned_by", (properties.get("partitioned_by") ?? []) as readonly string[], names),
    sortedBy: sortColumns((properties.get("sorted_by") ?? []) as readonly string[], names),
    ...(location !== undefined && { location: locationOf(location) }),
  };
}

function oneOf<T extends string>(name: string, value: PropertyValue, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === String(value).toUpperCase());
  if (found === undefined) {
    throw invalidTableProperty(name, `'${String(value)}' is none of ${known.join(", ")}`);
  }
  return found;
}

function distinctColumns(property: string, columns: readonly string[], known: readonly string[]): readonly string[] {
  const found = columns.map((column) => column.toLowerCase());
  const [unknown] = found.filter((column) => !known.includes(column));
  if (unknown !== undefined) {
    throw invalidTableProperty(property, `column '${unknown}' not present in schema`);
  }
  if (new Set(found).size < found.length) {
    throw invalidTableProperty(property, "a column is named twice");
  }
  return found;
}

/** `name [ASC | DESC] [NULLS FIRST | LAST]` */
function sortColumns(texts: readonly string[], known: readonly string[]): readonly SortedColumn[] {
  const parsed = texts.map((text): SortedColumn => {
    const match = /^\s*("(?:[^"]|"")+"|\S+)(?:\s+(ASC|DESC))?(?:\s+NULLS\s+(FIRST|LAST))?\s*$/i.exec(text);
    const name = match?.[1];
    if (match === null || name === undefined) {
      throw invalidTableProperty("sorted_by", `Unable to parse sort field: [${text}]`);
    }
    const column = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
    return {
      column: column.toLowerCase(),
      descending: match[2]?.toUpperCase() === "DESC",
      nullsFirst: match[3]?.toUpperCase() === "FIRST",
    };
  });
  distinctColumns(
    "sorted_by",
    parsed.map(({ column }) => column),
    known,
  );
  return parsed;
}

export function sortColumnText({ column, descending, nullsFirst }: SortedColumn): string {
  return `${column} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`;
}

/** Only a folder below that of the catalog, which is not hidden. */
function locationOf(text: string): string {
  const parts = text.split("/").filter((part, index, all) => part !== "" || (index > 0 && index < all.length - 1));
  const isBelow = !/^[a-z][a-z0-9+.-]*:/i.test(text) && !text.startsWith("/");
  if (!isBelow || parts.length === 0 || parts.some((part) => part === "" || part.startsWith(".") || part.startsWith("_"))) {
    throw invalidTableProperty("external_location", `'${text}' is not the path of a folder below the folder of the catalog`);
  }
  return parts.join("/");
}

/** The columns in the types that the files hold, which are what a reader gives. Throws NOT_SUPPORTED. */
export function storedColumns(columns: readonly ColumnMetadata[], options: TableOptions): readonly ColumnMetadata[] {
  if (columns.every(({ name }) => options.partitionedBy.includes(name))) {
    throw invalidTableProperty("partitioned_by", "a table needs a column besides its partition columns");
  }
  for (const { name } of columns) {
    if (name.startsWith("$") || name.trim() !== name || name === "") {
      throw new QueryError("NOT_SUPPORTED", `Column name '${name}' is not supported`);
    }
  }
  return columns.map((column) => {
    const isPartition = options.partitionedBy.includes(column.name);
    const type = isPartition ? partitionType(column.type) : storedType(column.type, options.format);
    if (type === undefined) {
      const where = isPartition ? "partition columns" : options.format;
      throw new QueryError("NOT_SUPPORTED", `Column '${column.name}' of type ${displayType(column.type)} is not supported by ${where}`);
    }
    return { ...column, type };
  });
}

function partitionType(type: Type): Type | undefined {
  switch (type.kind) {
    case "varchar":
    case "char":
      return VARCHAR;
    case "integer":
    case "bigint":
    case "date":
      return type;
    default:
      return undefined;
  }
}

function storedType(type: Type, format: WrittenFormat): Type | undefined {
  if (isNested(type)) {
    return format === "CSV" ? undefined : nestedType(type, format);
  }
  const isBinary = format === "PARQUET" || format === "ARROW";
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "real":
    case "double":
    case "decimal":
    case "date":
      return type;
    case "varchar":
    case "char":
      return VARCHAR;
    case "json":
      return type;
    case "varbinary":
    case "uuid":
      return isBinary ? type : undefined;
    case "time":
    case "timestamp":
    case "timestamp with time zone":
      return isBinary ? storedMoment(type) : type.precision <= microsPrecision ? type : undefined;
    case "interval day to second":
    case "interval year to month":
      return format === "ARROW" ? type : undefined;
    default:
      return undefined;
  }
}

/** Milliseconds, microseconds or nanoseconds. */
function storedMoment(type: Extract<Type, { readonly kind: "time" | "timestamp" | "timestamp with time zone" }>): Type | undefined {
  const { kind, precision } = type;
  return precision > 9 ? undefined : { kind, precision: precision <= 3 ? 3 : precision <= 6 ? 6 : 9 };
}

function nestedType(type: Extract<Type, { readonly kind: "array" | "map" | "row" }>, format: WrittenFormat): Type | undefined {
  // Documents within other values are not read back.
  const inner = innerTypes(type).map((one) => (one.kind === "json" ? undefined : storedType(one, format)));
  if (inner.includes(undefined)) {
    return undefined;
  }
  const [first, second] = inner as readonly Type[];
  switch (type.kind) {
    case "array":
      return { kind: "array", element: first as Type };
    case "map":
      // The keys of JSON objects are text.
      return format === "JSON" && first?.kind !== "varchar" ? undefined : { kind: "map", key: first as Type, value: second as Type };
    case "row":
      return namesAreDistinct(type.fields)
        ? { kind: "row", fields: type.fields.map(({ name }, index) => ({ name: name as string, type: inner[index] as Type })) }
        : undefined;
  }
}

/** Fields without names, or whose names differ in case only, have no place in the files. */
function namesAreDistinct(fields: readonly { readonly name?: string }[]): boolean {
  const names = new Set(fields.map(({ name }) => (name ?? "").toLowerCase()));
  return fields.length > 0 && names.size === fields.length && !names.has("");
}

const partitionNameBytesMax = 255;

/** `key=value`, percent-encoded, so that no name is hidden or leaves its folder. */
export function partitionFolder(column: string, value: string | null): string {
  if (value === nullPartition) {
    throw new QueryError("NOT_SUPPORTED", `Partition column '${column}' cannot have the value ${nullPartition}`);
  }
  const folder = `${encoded(column)}=${value === null ? nullPartition : encoded(value)}`;
  if (folder.length > partitionNameBytesMax) {
    throw new QueryError("NOT_SUPPORTED", `A value of partition column '${column}' is longer than the name of a folder can be`);
  }
  return folder;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]|^[._]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
