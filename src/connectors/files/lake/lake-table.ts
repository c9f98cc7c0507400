/**
 * A table of a table format, such as Delta Lake: its metadata say which files it has, which columns these have, and which of their rows
 * are deleted. Files are Parquet.
 */
import type { DoubleRange } from "../../../types/domain/double-range.ts";
import type { Type } from "../../../types/type.ts";
import type { ColumnMetadata } from "../../spi.ts";
import type { Constants } from "../constants.ts";

/** A column, or a part of one: fields of a row, the element of an array, key and value of a map. */
export interface LakeField {
  /** As queries name it: lower case and unique among columns. */
  readonly name: string;
  /** As files name it. */
  readonly storedName: string;
  /** As files number it; absent if they are found by their names. */
  readonly id?: number;
  readonly type: Type;
  readonly parts: readonly LakeField[];
}

/** What is known of a column of a file; by the column's name. */
export interface LakeBounds extends DoubleRange {
  readonly isNull?: boolean;
}

export interface LakeFile {
  /** Below the folder of the catalog. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Rows with those that are deleted; absent if the metadata do not say it. */
  readonly rows?: number;
  readonly deletedRows?: number;
  readonly modifiedMillis?: number;
  /** Values of columns that the file does not store. */
  readonly constants: Constants;
  readonly bounds: ReadonlyMap<string, LakeBounds>;
  readonly deletes: readonly Deletes[];
}

/** Where the deleted rows of a file are written. Plain JSON, because it is part of splits. */
export type Deletes =
  /** A deletion vector of Delta Lake: text of base 85 in the log of a table, or bytes of a file. */
  | { readonly kind: "inline"; readonly path: string; readonly text: string }
  | { readonly kind: "vector"; readonly path: string; readonly offset: number; readonly sizeBytes: number }
  /** A Parquet file with paths and positions. `dataPath` is how it names the file whose rows it deletes. */
  | { readonly kind: "positions"; readonly path: string; readonly sizeBytes: number; readonly dataPath: string }
  /** A Parquet file with values of these columns: a row that has them all is deleted. */
  | { readonly kind: "values"; readonly path: string; readonly sizeBytes: number; readonly fields: readonly LakeField[] };

export interface LakeTable {
  /** Of the snapshot. */
  readonly version: string;
  readonly fields: readonly LakeField[];
  readonly columns: readonly ColumnMetadata[];
  readonly comment?: string;
  /** Sorted by path. */
  readonly files: readonly LakeFile[];
}
