/**
 * Base of the tables of the system connector: columns, and rows that are read on the coordinator.
 */
import { BIGINT, BOOLEAN, type Type, VARCHAR } from "../../types/type.ts";
import type { Visibility } from "../../security/visibility.ts";
import type { ColumnMetadata, Connector, Constraint, Reader } from "../spi.ts";
import { allAtOnce, type Row, type Rows } from "../shared/row-page-source.ts";
import type { SystemRuntime } from "../shared/runtime-tables.ts";
import type { ListedCatalog, OnWarning } from "../shared/walk.ts";
import { matcherOf } from "../shared/metadata-filter.ts";

export interface KnownCatalog {
  readonly name: string;
  /** `connector.name` in its properties. */
  readonly connectorName: string;
  readonly connector: Connector;
}

export interface SystemProvider {
  /** undefined on a worker. */
  readonly runtime: () => SystemRuntime | undefined;
  /** Sorted by name. */
  readonly catalogs: () => readonly KnownCatalog[];
  /** What a reader may see; without a reader, what all see. */
  readonly visibility: (reader: Reader | undefined) => Visibility;
}

/** A read of a table, with the reader's metadata filter. */
export interface SystemRequest {
  readonly provider: SystemProvider;
  readonly filter: Constraint;
  readonly onWarning: OnWarning;
  /** Columns that the query reads. */
  readonly read: ReadonlySet<string>;
  readonly typeText: (type: Type) => string;
  readonly visibility: Visibility;
}

export interface SystemTable {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: (request: SystemRequest) => Rows;
}

/** By name. */
export type SystemSchema = Readonly<Record<string, SystemTable>>;

export function varchars(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => ({ name, type: VARCHAR }));
}

export function bigints(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => ({ name, type: BIGINT }));
}

export function booleans(...names: readonly string[]): readonly ColumnMetadata[] {
  return names.map((name) => ({ name, type: BOOLEAN }));
}

/** Catalogs that pass the metadata filter on the column with their names. */
export function selectedCatalogs({ onWarning, provider, filter, visibility }: SystemRequest, column: string): readonly ListedCatalog[] {
  const isSelected = matcherOf(filter, column);
  const catalogs = provider.catalogs().filter(({ name }) => isSelected(name));
  return catalogs.map(({ connector: { metadata }, name }) => ({ name, metadata, onWarning, visibility }));
}

export function fixedTable(
  columns: readonly ColumnMetadata[],
  rows: (provider: SystemProvider) => readonly Row[] | Promise<readonly Row[]>,
): SystemTable {
  return { columns, rows: ({ provider }) => allAtOnce(() => rows(provider)) };
}

export function emptyTable(...columns: readonly ColumnMetadata[]): SystemTable {
  return fixedTable(columns, () => []);
}
