/**
 * Tables about a table of a table format, such as `"orders$history"`: their names, columns and rows are those of Trino's connectors.
 */
import { encodeNested, type NestedValue } from "../../../../types/nested/nested.ts";
import { utcKey, zonedMoment } from "../../../../types/time/zones.ts";
import { BIGINT, isNested, mapType, type RowField, rowType, type Type, VARCHAR } from "../../../../types/type.ts";
import type { Cell, Row } from "../../../shared/row-page-source.ts";
import type { ColumnMetadata, SchemaTableName } from "../../../spi.ts";

export type IcebergTableKind = "snapshots" | "history" | "refs" | "files" | "manifests" | "partitions" | "properties";
export type DeltaTableKind = "history" | "partitions" | "properties";
export type MetadataTableKind = IcebergTableKind | DeltaTableKind;

const kinds: readonly MetadataTableKind[] = ["snapshots", "history", "refs", "files", "manifests", "partitions", "properties"];

/** Columns, and the values of rows in their order. */
export interface MetadataTable {
  readonly columns: readonly ColumnMetadata[];
  readonly values: () => Promise<readonly (readonly NestedValue[])[]>;
}

/** `orders$history` as the table `orders` and `history`; undefined if the name is not one of a metadata table. */
export function parseMetadataName(name: string): { readonly table: string; readonly kind: MetadataTableKind } | undefined {
  const dollar = name.lastIndexOf("$");
  const kind = kinds.find((one) => one === name.slice(dollar + 1));
  return dollar <= 0 || kind === undefined ? undefined : { table: name.slice(0, dollar), kind };
}

/** The table that a metadata table is about. */
export function describedTable({ schema, table }: SchemaTableName): SchemaTableName | undefined {
  const parsed = parseMetadataName(table);
  return parsed && { schema, table: parsed.table };
}

export async function* rowsOf({ columns, values }: MetadataTable): AsyncGenerator<readonly Row[]> {
  yield (await values()).map((row) =>
    Object.fromEntries(columns.map(({ name, type }, index): readonly [string, Cell] => [name, cellOf(type, row[index] ?? null)])),
  );
}

function cellOf(type: Type, value: NestedValue): Cell {
  return value !== null && isNested(type) ? encodeNested(type, value as readonly NestedValue[]) : (value as Cell);
}

export const momentType: Type = Object.freeze({ kind: "timestamp with time zone", precision: 3 });
export const textsType: Type = Object.freeze(mapType(VARCHAR, VARCHAR));

export function momentOf(millis: number | undefined): NestedValue {
  const whole = Math.trunc(millis ?? Number.NaN);
  return Number.isSafeInteger(whole) ? zonedMoment(BigInt(whole) * 1000n, utcKey) : null;
}

export function columnsOfTypes(types: Readonly<Record<string, Type>>): readonly ColumnMetadata[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

export const propertyColumns = columnsOfTypes({ key: VARCHAR, value: VARCHAR });

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function booleanOf(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** Texts by name, as entries of a map. Values that are not texts are printed as JSON; those that are missing are left out. */
export function textEntries(document: Readonly<Record<string, unknown>> | undefined): NestedValue {
  return document === undefined
    ? null
    : Object.entries(document).flatMap(([name, value]) => {
        const text = typeof value === "string" ? value : typeof value === "bigint" ? String(value) : JSON.stringify(value);
        return value === undefined || value === null ? [] : [[name, text]];
      });
}

/** What is known of the values of a column in the files of a partition. */
export interface ColumnRange {
  readonly min: NestedValue;
  readonly max: NestedValue;
  readonly nullCount: bigint | null;
  readonly nanCount: bigint | null;
}

/** The type of `data` in tables of partitions: ranges by column. */
export function rangesType(columns: readonly { readonly name: string; readonly type: Type }[], counts: readonly string[]): Type {
  const field = (name: string, type: Type): RowField => ({ name, type });
  return rowType(
    columns.map(({ name, type }) =>
      field(name, rowType([field("min", type), field("max", type), ...counts.map((count) => field(count, BIGINT))])),
    ),
  );
}
