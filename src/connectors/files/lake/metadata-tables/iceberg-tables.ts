/** Metadata tables of Iceberg: what the metadata file and the manifest lists say. Those of data files are in iceberg-files.ts. */
import type { NestedValue } from "../../../../types/nested/nested.ts";
import { arrayType, BIGINT, BOOLEAN, INTEGER, rowType, VARCHAR } from "../../../../types/type.ts";
import { manifestsOf } from "../iceberg/manifests.ts";
import { idAt, type IcebergMetadata } from "../iceberg/metadata.ts";
import { asDocument, bigintOf, type Document, documentAt, integerAt, integerOf, listAt, member, textAt } from "../json.ts";
import { filesTable, partitionsTable } from "./iceberg-files.ts";
import { type IcebergVersion, partitionFieldsOf } from "./iceberg-partitions.ts";
import {
  booleanOf,
  columnsOfTypes,
  type IcebergTableKind,
  type MetadataTable,
  momentOf,
  momentType,
  propertyColumns,
  textEntries,
  textOf,
  textsType,
} from "./metadata-tables.ts";
import { boundValue } from "../iceberg/values.ts";
import { humanText } from "./values.ts";

export function icebergMetadataTable(kind: IcebergTableKind, version: IcebergVersion): MetadataTable {
  switch (kind) {
    case "snapshots":
      return snapshotsTable(version.metadata);
    case "history":
      return historyTable(version.metadata);
    case "refs":
      return refsTable(version.metadata);
    case "properties":
      return {
        columns: propertyColumns,
        values: async () => (textEntries(documentAt(version.metadata.document, "properties")) ?? []) as NestedValue[][],
      };
    case "manifests":
      return manifestsTable(version);
    case "files":
      return filesTable(version);
    case "partitions":
      return partitionsTable(version);
  }
}

function snapshotsOf({ document }: IcebergMetadata): readonly (Document | undefined)[] {
  return listAt(document, "snapshots").map(asDocument);
}

function snapshotsTable(metadata: IcebergMetadata): MetadataTable {
  return {
    columns: columnsOfTypes({
      committed_at: momentType,
      snapshot_id: BIGINT,
      parent_id: BIGINT,
      operation: VARCHAR,
      manifest_list: VARCHAR,
      summary: textsType,
    }),
    values: async () =>
      snapshotsOf(metadata).map((one) => {
        const { operation, ...summary } = documentAt(one, "summary") ?? {};
        return [
          momentOf(integerAt(one, "timestamp-ms")),
          bigintOf(member(one, "snapshot-id")),
          bigintOf(member(one, "parent-snapshot-id")),
          textOf(operation),
          textOf(member(one, "manifest-list")),
          documentAt(one, "summary") === undefined ? null : textEntries(summary),
        ];
      }),
  };
}

function historyTable(metadata: IcebergMetadata): MetadataTable {
  return {
    columns: columnsOfTypes({ made_current_at: momentType, snapshot_id: BIGINT, parent_id: BIGINT, is_current_ancestor: BOOLEAN }),
    values: async () => {
      const parents = new Map(snapshotsOf(metadata).map((one) => [idAt(one, "snapshot-id"), idAt(one, "parent-snapshot-id")]));
      const ancestors = new Set<string>();
      for (let id = metadata.currentSnapshot; id !== undefined && !ancestors.has(id); id = parents.get(id)) {
        ancestors.add(id);
      }
      return metadata.history.map(({ snapshotId, timestampMillis }) => [
        momentOf(timestampMillis),
        bigintOf(snapshotId),
        bigintOf(parents.get(snapshotId)),
        ancestors.has(snapshotId),
      ]);
    },
  };
}

function refsTable(metadata: IcebergMetadata): MetadataTable {
  const refs = documentAt(metadata.document, "refs") ?? {};
  const { currentSnapshot } = metadata;
  // The main branch is not written by old writers.
  const all =
    Object.hasOwn(refs, "main") || currentSnapshot === undefined
      ? refs
      : { main: { "snapshot-id": BigInt(currentSnapshot), type: "branch" }, ...refs };
  return {
    columns: columnsOfTypes({
      name: VARCHAR,
      type: VARCHAR,
      snapshot_id: BIGINT,
      max_reference_age_in_ms: BIGINT,
      min_snapshots_to_keep: INTEGER,
      max_snapshot_age_in_ms: BIGINT,
    }),
    values: async () =>
      Object.entries(all).map(([name, value]) => {
        const one = asDocument(value);
        return [
          name,
          textAt(one, "type")?.toUpperCase() ?? null,
          bigintOf(member(one, "snapshot-id")),
          bigintOf(member(one, "max-ref-age-ms")),
          integerOf(member(one, "min-snapshots-to-keep")),
          bigintOf(member(one, "max-snapshot-age-ms")),
        ];
      }),
  };
}

const summariesType = arrayType(
  rowType([
    { name: "contains_null", type: BOOLEAN },
    { name: "contains_nan", type: BOOLEAN },
    { name: "lower_bound", type: VARCHAR },
    { name: "upper_bound", type: VARCHAR },
  ]),
);

function manifestsTable({ reader, metadata, snapshotId }: IcebergVersion): MetadataTable {
  return {
    columns: columnsOfTypes({
      path: VARCHAR,
      length: BIGINT,
      partition_spec_id: INTEGER,
      added_snapshot_id: BIGINT,
      added_data_files_count: INTEGER,
      added_rows_count: BIGINT,
      existing_data_files_count: INTEGER,
      existing_rows_count: BIGINT,
      deleted_data_files_count: INTEGER,
      deleted_rows_count: BIGINT,
      partition_summaries: summariesType,
    }),
    values: async () => {
      const snapshot = snapshotId === undefined ? undefined : metadata.snapshot(snapshotId);
      const manifests = snapshot === undefined ? [] : await manifestsOf(reader, metadata, snapshot);
      return manifests.map((one) => {
        // Version 1 of the format has other names.
        const files = (what: string): NestedValue =>
          integerOf(member(one, `${what}_files_count`) ?? member(one, `${what}_data_files_count`));
        const rows = (what: string): NestedValue => bigintOf(member(one, `${what}_rows_count`));
        return [
          textOf(member(one, "manifest_path")),
          bigintOf(member(one, "manifest_length")),
          integerOf(member(one, "partition_spec_id")),
          bigintOf(member(one, "added_snapshot_id")),
          files("added"),
          rows("added"),
          files("existing"),
          rows("existing"),
          files("deleted"),
          rows("deleted"),
          summariesOf(metadata, one),
        ];
      });
    },
  };
}

function summariesOf(metadata: IcebergMetadata, manifest: Document): NestedValue {
  const summaries = member(manifest, "partitions");
  if (!Array.isArray(summaries)) {
    return null;
  }
  const fields = partitionFieldsOf(metadata, metadata.spec(integerAt(manifest, "partition_spec_id") ?? 0), metadata.schemas);
  return summaries.map((summary: unknown, index): NestedValue => {
    const [one, field] = [asDocument(summary), fields[index]];
    const bound = (name: string): NestedValue =>
      field === undefined || !(member(one, name) instanceof Uint8Array)
        ? null
        : humanText(field.type, field.transform, boundValue(field.type, member(one, name)));
    return [booleanOf(member(one, "contains_null")), booleanOf(member(one, "contains_nan")), bound("lower_bound"), bound("upper_bound")];
  });
}
