/** The metadata tables `$files` and `$partitions` of Iceberg. */
import { compareNested } from "../../../../types/nested/nested-order.ts";
import type { NestedValue } from "../../../../types/nested/nested.ts";
import {
  arrayType,
  BIGINT,
  INTEGER,
  isNested,
  JSON_TYPE,
  mapType,
  rowType,
  type Type,
  VARBINARY,
  VARCHAR,
} from "../../../../types/type.ts";
import type { ColumnMetadata } from "../../../spi.ts";
import { type ManifestEntry, manifestEntries, valueFor } from "../iceberg/manifests.ts";
import type { IcebergMetadata } from "../iceberg/metadata.ts";
import { icebergColumns } from "../iceberg/schema.ts";
import { asDocument, bigintOf, type Document, integerAt, integerOf, listAt, member, textAt } from "../json.ts";
import type { LakeField } from "../lake-table.ts";
import { flattened, type IcebergVersion, type PartitionField, partitionFieldsOf } from "./iceberg-partitions.ts";
import { type ColumnRange, columnsOfTypes, type MetadataTable, rangesType } from "./metadata-tables.ts";
import { boundValue } from "../iceberg/values.ts";
import { humanText, partitionValue } from "./values.ts";

const countsType = mapType(INTEGER, BIGINT);
const boundsType = mapType(INTEGER, VARCHAR);

async function entriesOf({ reader, metadata, snapshotId }: IcebergVersion): Promise<readonly ManifestEntry[]> {
  const snapshot = snapshotId === undefined ? undefined : metadata.snapshot(snapshotId);
  const entries = snapshot === undefined ? [] : await manifestEntries(reader, metadata, snapshot);
  return entries.toSorted((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
}

function addressOf({ file }: ManifestEntry): string {
  return textAt(file, "file_path") ?? "";
}

function columnFields({ metadata, schemaId }: IcebergVersion): readonly LakeField[] {
  return icebergColumns(metadata.schema(schemaId)).map(({ field }) => field);
}

/** Partition fields of all specs whose source the version still has. */
function livePartitionFields({ metadata, schemaId }: IcebergVersion): readonly PartitionField[] {
  return partitionFieldsOf(metadata, metadata.partitionFields, [metadata.schema(schemaId)]);
}

function partitionColumn(fields: readonly PartitionField[]): readonly ColumnMetadata[] {
  return fields.length === 0 ? [] : [{ name: "partition", type: rowType(fields.map(({ name, type }) => ({ name, type }))) }];
}

/** By the names that the spec of the file gives to its fields. */
function partitionOf({ partition, specId }: ManifestEntry, metadata: IcebergMetadata, fields: readonly PartitionField[]): NestedValue[] {
  const spec = metadata.spec(specId);
  return fields.map(({ id, name, type }) => {
    const own = spec.find((one) => (id === undefined ? textAt(one, "name") === name : integerAt(one, "field-id") === id));
    return own === undefined ? null : partitionValue(type, member(partition, textAt(own, "name") ?? ""));
  });
}

export function filesTable(version: IcebergVersion): MetadataTable {
  const { metadata } = version;
  const fields = livePartitionFields(version);
  const leaves = columnFields(version)
    .flatMap(flattened)
    .filter(({ type }) => !isNested(type));
  return {
    columns: [
      ...columnsOfTypes({ content: INTEGER, file_path: VARCHAR, file_format: VARCHAR, spec_id: INTEGER }),
      ...partitionColumn(fields),
      ...columnsOfTypes({
        record_count: BIGINT,
        file_size_in_bytes: BIGINT,
        column_sizes: countsType,
        value_counts: countsType,
        null_value_counts: countsType,
        nan_value_counts: countsType,
        lower_bounds: boundsType,
        upper_bounds: boundsType,
        key_metadata: VARBINARY,
        split_offsets: arrayType(BIGINT),
        equality_ids: arrayType(INTEGER),
        sort_order_id: INTEGER,
        readable_metrics: JSON_TYPE,
      }),
    ],
    values: async () =>
      (await entriesOf(version)).map((entry) => {
        const { file, content, specId } = entry;
        const key = member(file, "key_metadata");
        return [
          content,
          textAt(file, "file_path") ?? null,
          textAt(file, "file_format")?.toUpperCase() ?? null,
          specId,
          ...(fields.length === 0 ? [] : [partitionOf(entry, metadata, fields)]),
          bigintOf(member(file, "record_count")),
          bigintOf(member(file, "file_size_in_bytes")),
          ...["column_sizes", "value_counts", "null_value_counts", "nan_value_counts"].map((name) => counts(file, name)),
          bounds(file, "lower_bounds", leaves),
          bounds(file, "upper_bounds", leaves),
          key instanceof Uint8Array ? key : null,
          list(file, "split_offsets", bigintOf),
          list(file, "equality_ids", integerOf),
          integerOf(member(file, "sort_order_id")),
          readableMetrics(file, leaves),
        ];
      }),
  };
}

function keyed(file: Document, name: string): readonly (readonly [id: number, value: unknown])[] | undefined {
  return Array.isArray(member(file, name))
    ? listAt(file, name)
        .map(asDocument)
        .flatMap((one) => {
          const id = integerOf(member(one, "key"));
          return id === null ? [] : [[id, member(one, "value")] as const];
        })
    : undefined;
}

function counts(file: Document, name: string): NestedValue {
  return keyed(file, name)?.map(([id, value]) => [id, bigintOf(value)]) ?? null;
}

function bounds(file: Document, name: string, leaves: readonly LakeField[]): NestedValue {
  return (
    keyed(file, name)?.flatMap(([id, bytes]): readonly NestedValue[] => {
      const type = leaves.find((one) => one.id === id)?.type;
      const value = type === undefined ? null : boundValue(type, bytes);
      return type === undefined || value === null ? [] : [[id, humanText(type, "identity", value)]];
    }) ?? null
  );
}

function list(file: Document, name: string, one: (value: unknown) => NestedValue): NestedValue {
  return Array.isArray(member(file, name)) ? listAt(file, name).map(one) : null;
}

/** As Trino writes it: an object by column, in the order of their names. */
function readableMetrics(file: Document, leaves: readonly LakeField[]): string {
  const members = leaves
    .toSorted((a, b) => (a.storedName < b.storedName ? -1 : 1))
    .flatMap(({ id, storedName, type }) => {
      if (id === undefined) {
        return [];
      }
      const count = (name: string): string => String(bigintOf(valueFor(file, name, id)));
      const bound = (name: string): string => {
        const value = boundValue(type, valueFor(file, name, id));
        return value === null ? "null" : jsonOf(type, value);
      };
      const parts = [
        `"column_size":${count("column_sizes")}`,
        `"value_count":${count("value_counts")}`,
        `"null_value_count":${count("null_value_counts")}`,
        `"nan_value_count":${count("nan_value_counts")}`,
        `"lower_bound":${bound("lower_bounds")}`,
        `"upper_bound":${bound("upper_bounds")}`,
      ];
      return [`${JSON.stringify(storedName)}:{${parts.join(",")}}`];
    });
  return `{${members.join(",")}}`;
}

function jsonOf(type: Type, value: NestedValue): string {
  const text = humanText(type, "identity", value);
  const isPlain =
    ["boolean", "integer", "bigint"].includes(type.kind) || (["real", "double"].includes(type.kind) && Number.isFinite(value));
  return isPlain ? text : JSON.stringify(text);
}

export function partitionsTable(version: IcebergVersion): MetadataTable {
  const { metadata } = version;
  const fields = livePartitionFields(version);
  const identities = new Set(fields.flatMap(({ sourceId, transform }) => (transform === "identity" ? [sourceId] : [])));
  const measured = columnFields(version).filter(({ id, type }) => id !== undefined && !identities.has(id) && !isNested(type));
  const dataType = rangesType(
    measured.map(({ storedName, type }) => ({ name: storedName, type })),
    ["null_count", "nan_count"],
  );
  return {
    columns: [
      ...partitionColumn(fields),
      ...columnsOfTypes({ record_count: BIGINT, file_count: BIGINT, total_size: BIGINT }),
      ...(measured.length === 0 ? [] : [{ name: "data", type: dataType }]),
    ],
    values: async () => {
      const groups = new Map<string, ManifestEntry[]>();
      for (const entry of await entriesOf(version)) {
        if (entry.content === 0) {
          groups.set(entry.partitionKey, [...(groups.get(entry.partitionKey) ?? []), entry]);
        }
      }
      return [...groups.values()].map((entries) => {
        const total = (name: string): NestedValue =>
          bigintOf(entries.reduce((sum, { file }) => sum + (bigintOf(member(file, name)) ?? 0n), 0n));
        const first = entries[0] as ManifestEntry;
        return [
          ...(fields.length === 0 ? [] : [partitionOf(first, metadata, fields)]),
          total("record_count"),
          BigInt(entries.length),
          total("file_size_in_bytes"),
          ...(measured.length === 0 ? [] : [measured.map((field) => rangeValue(rangeOf(field, entries)))]),
        ];
      });
    },
  };
}

function rangeValue({ min, max, nullCount, nanCount }: ColumnRange): NestedValue {
  return min === null && max === null && nullCount === null ? null : [min, max, nullCount, nanCount];
}

/** Bounds and counts are known if every file has them. A file whose values are all NULL has no bounds. */
function rangeOf({ id = 0, type }: LakeField, entries: readonly ManifestEntry[]): ColumnRange {
  const isNull = ({ file }: ManifestEntry): boolean => {
    const nulls = bigintOf(valueFor(file, "null_value_counts", id));
    return nulls !== null && nulls === bigintOf(member(file, "record_count"));
  };
  const end = (name: string, isBetter: (order: number) => boolean): NestedValue => {
    const values = entries.filter((one) => !isNull(one)).map(({ file }) => boundValue(type, valueFor(file, name, id)));
    return values.includes(null)
      ? null
      : values.reduce((best, one) => (best === null || isBetter(compareNested(type, one, best)) ? one : best), null);
  };
  const count = (name: string): bigint | null => {
    const values = entries.map(({ file }) => bigintOf(valueFor(file, name, id)));
    return bigintOf(values.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n));
  };
  return {
    min: end("lower_bounds", (order) => order < 0),
    max: end("upper_bounds", (order) => order > 0),
    nullCount: count("null_value_counts"),
    nanCount: count("nan_value_counts"),
  };
}
