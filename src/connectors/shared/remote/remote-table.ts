/** Tables of a database, and the handles by which plans and tasks name them. Handles are plain JSON. */
import type { Type } from "../../../types/type.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { InsertOptions } from "../../spi.ts";
import type { ColumnMetadata, Json, TableMetadata } from "../../table-metadata.ts";
import type { ColumnAttributes } from "./column-attributes.ts";

export interface RemoteColumn {
  /** In the engine. */
  readonly name: string;
  /** In the database. */
  readonly remoteName: string;
  readonly type: Type;
  /** The type's name in the database. */
  readonly remoteType: string;
  /** Values that are equal in the database may differ in the engine. */
  readonly isLoose?: true;
}

export type Relation =
  /**
   * `isOrdered`: rows have a place in the table by which they can be ordered and divided. `keys`: columns of the primary key, in the
   * database.
   */
  | { readonly schema: string; readonly table: string; readonly isOrdered: boolean; readonly keys?: readonly RemoteColumn[] }
  /** A statement of the database. */
  | { readonly query: string };

export interface RemoteHandle {
  readonly relation: Relation;
  readonly columns: readonly RemoteColumn[];
  /** Conditions of the rows, in SQL. */
  readonly where?: readonly string[];
}

export function handleOf(handle: Json): RemoteHandle {
  return handle as unknown as RemoteHandle;
}

export function jsonOf(handle: RemoteHandle): Json {
  return handle as unknown as Json;
}

/** The columns of a request, in its order. */
export function columnsOf(handle: RemoteHandle, columns: readonly ColumnMetadata[]): readonly RemoteColumn[] {
  const byName = new Map(handle.columns.map((column) => [column.name, column]));
  return columns.flatMap(({ name }) => byName.get(name) ?? []);
}

export function tableOf(
  name: TableMetadata["name"],
  {
    handle,
    comment,
    attributes = new Map(),
  }: { readonly handle: RemoteHandle; readonly comment?: string; readonly attributes?: ReadonlyMap<string, ColumnAttributes> },
): TableMetadata {
  return {
    name,
    columns: handle.columns.map((column) => ({ name: column.name, type: column.type, ...attributes.get(column.name) })),
    handle: jsonOf(handle),
    ...(comment !== undefined && { comment }),
  };
}

/** The primary key, if there is one and all of its columns can be read. */
export function keysOf(keys: readonly (RemoteColumn | undefined)[]): { readonly keys?: readonly RemoteColumn[] } {
  const known = keys.flatMap((key) => key ?? []);
  return keys.length > 0 && known.length === keys.length ? { keys: known } : {};
}

/** The columns that an insert writes. The database gives the others their defaults. */
export function insertedColumns(
  table: TableMetadata,
  { ifUnchanged, columns }: InsertOptions = { ifUnchanged: false },
): readonly RemoteColumn[] {
  if (ifUnchanged) {
    throw new QueryError("NOT_SUPPORTED", "This connector does not support modifying table rows");
  }
  const handle = handleOf(table.handle);
  return columns === undefined ? handle.columns : columnsOf(handle, columns);
}

/** Throws NOT_SUPPORTED for columns that the engine cannot tell apart. */
export function requireDistinct(columns: readonly RemoteColumn[]): void {
  const names = new Set<string>();
  for (const { name } of columns) {
    if (name === "" || names.has(name)) {
      throw new QueryError("NOT_SUPPORTED", `Columns of the same name without regard to case are not supported: '${name}'`);
    }
    names.add(name);
  }
}

/** The table in the database. Throws NOT_SUPPORTED for the rows of a statement. */
export function storedOf(table: TableMetadata): Extract<Relation, { readonly table: string }> {
  const { relation } = handleOf(table.handle);
  if ("query" in relation) {
    throw new QueryError("NOT_SUPPORTED", "The rows of a query cannot be changed");
  }
  return relation;
}
