/**
 * The file that describes a table: it lies in the folder of the table, is not a table itself, and says what cannot be read from the other
 * files. A folder without one is read as it is found.
 */
import { type Storage, unlessMissing } from "../../../ports/storage.ts";
import { displayType, type Type } from "../../../types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import type { ColumnMetadata, PropertyValue } from "../../spi.ts";
import { badFile, reading } from "../../shared/file-errors.ts";
import type { TextOptions } from "../text/dialect.ts";
import { sortColumnText, type TableOptions, type WrittenFormat } from "./table-options.ts";

export const descriptionFile = ".orrery-table";
/** A folder with this file and without a description is no table: in an object store, one that is being created or dropped. */
export const hidingFile = ".orrery-hidden";
const version = 1;
const descriptionBytesMax = 16_777_216;

export interface TableDescription extends TableOptions {
  /** That of the write that created the table. */
  readonly id: string;
  /** In the order of the statement, with partition columns. */
  readonly columns: readonly ColumnMetadata[];
  readonly comment?: string;
  /**
   * In an object store, the writes whose rows the table has. Each has its files in a folder of its name; other files below the folder of
   * the table are not part of it.
   */
  readonly writes?: readonly string[];
  /** The latest of those that it had, whose rows were written anew since. A write whose answer was lost is not added again. */
  readonly formerWrites?: readonly string[];
}

export function descriptionBytes(description: TableDescription): Uint8Array {
  return encodeUtf8(`${JSON.stringify({ version, ...description }, undefined, 2)}\n`);
}

/** Undefined if there is none: it was removed since the folder was listed. Throws FILE_BAD_DATA. */
export async function readDescription(storage: Storage, folder: string): Promise<TableDescription | undefined> {
  const path = `${folder}/${descriptionFile}`;
  const bytes = await reading(path, unlessMissing(storage.read(path, 0, descriptionBytesMax)));
  if (bytes === undefined) {
    return undefined;
  }
  return descriptionOf(bytes, path);
}

/** Throws FILE_BAD_DATA. */
export function descriptionOf(bytes: Uint8Array, path: string): TableDescription {
  const found = parsed(bytes);
  if (!isDescription(found)) {
    throw badFile(path, "", "the description of the table is damaged");
  }
  const { version: _version, ...description } = found;
  return description;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch {
    return undefined;
  }
}

const formats: readonly string[] = ["PARQUET", "ARROW", "CSV", "JSON"];

function isDescription(found: unknown): found is TableDescription & { readonly version: number } {
  if (typeof found !== "object" || found === null) {
    return false;
  }
  const one = found as Partial<TableDescription> & { readonly version?: unknown };
  return (
    one.version === version &&
    typeof one.id === "string" &&
    formats.includes(one.format as string) &&
    typeof one.compression === "string" &&
    Array.isArray(one.partitionedBy) &&
    Array.isArray(one.sortedBy) &&
    Array.isArray(one.columns) &&
    one.columns.every(isColumn) &&
    [one.writes, one.formerWrites].every((writes) => writes === undefined || isTexts(writes))
  );
}

function isColumn(column: unknown): boolean {
  const { name, type } = (column ?? {}) as { readonly name?: unknown; readonly type?: Type };
  try {
    return typeof name === "string" && typeof type === "object" && type !== null && displayType(type) !== "";
  } catch {
    return false;
  }
}

/** The format as readers name it. */
export function formatOf({ format }: TableOptions): Lowercase<WrittenFormat> {
  return format.toLowerCase() as Lowercase<WrittenFormat>;
}

/** How its text files are read: as they are written. */
export function textOptionsOf({ format }: TableOptions): TextOptions {
  return format === "CSV" ? { delimiter: ",", quote: '"', escape: '"', header: true } : {};
}

export function extensionOf({ format, compression }: TableOptions): string {
  const suffix = format === "PARQUET" || format === "ARROW" || compression === "NONE" ? "" : compression === "GZIP" ? ".gz" : ".zst";
  return `.${format.toLowerCase()}${suffix}`;
}

/** The properties of a CREATE TABLE that makes the same table. */
export function propertiesOf(options: TableOptions): Readonly<Record<string, PropertyValue>> {
  const { format, compression, partitionedBy, sortedBy, location } = options;
  return {
    format,
    compression_codec: compression,
    ...(partitionedBy.length > 0 && { partitioned_by: partitionedBy }),
    ...(sortedBy.length > 0 && { sorted_by: sortedBy.map(sortColumnText) }),
    ...(location !== undefined && { external_location: location }),
  };
}

function isTexts(found: unknown): boolean {
  return Array.isArray(found) && found.every((one) => typeof one === "string");
}
