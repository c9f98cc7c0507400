/**
 * The columns of a table of files: the union of those of its files by name, then those of its folders, then the hidden ones.
 */
import { displayType } from "../../types/type.ts";
import type { ColumnMetadata } from "../spi.ts";
import { hiddenColumns, partitionColumns } from "./constants.ts";
import type { Described } from "./descriptions.ts";
import { badFile } from "./errors.ts";
import { parquetColumns } from "./parquet/parquet-table.ts";
import { type Seen, seen, typeOf } from "./text/inference.ts";
import { commonType } from "./widening.ts";

export function columnsOf(described: readonly Described[]): readonly ColumnMetadata[] {
  const stored = storedColumns(described);
  const [first] = described;
  if (stored.size === 0 && first !== undefined) {
    throw badFile(first.file.path, "", "the file has no columns");
  }
  const partition = partitionColumns(described.map(({ file }) => file));
  const names = new Set([...partition, ...hiddenColumns].map(({ name }) => name));
  return [...[...stored.values()].filter(({ name }) => !names.has(name)), ...partition, ...hiddenColumns];
}

/** In order of first appearance. */
function storedColumns(described: readonly Described[]): ReadonlyMap<string, ColumnMetadata> {
  const kinds = new Map<string, Seen>();
  const columns = new Map<string, ColumnMetadata>();
  for (const one of described) {
    if ("text" in one) {
      one.text.fields.forEach((name, index) => {
        kinds.set(name, (kinds.get(name) ?? seen.nothing) | (one.text.kinds[index] ?? seen.nothing));
      });
      continue;
    }
    for (const column of parquetColumns(one.footer)) {
      const known = columns.get(column.name);
      columns.set(column.name, known === undefined ? column : united(known, column, one.file.path));
    }
  }
  for (const [name, found] of kinds) {
    columns.set(name, { name, type: typeOf(found) });
  }
  return columns;
}

function united(known: ColumnMetadata, column: ColumnMetadata, path: string): ColumnMetadata {
  const type = commonType(known.type, column.type);
  if (type === undefined) {
    const found = `column ${column.name} is ${displayType(column.type)}, but ${displayType(known.type)} in other files of its table`;
    throw badFile(path, "", found);
  }
  const comment = known.comment ?? column.comment;
  return { name: known.name, type, ...(comment !== undefined && { comment }) };
}
