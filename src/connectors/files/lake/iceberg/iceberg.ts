/** A snapshot of an Iceberg table. */
import { QueryError } from "../../../../protocol/errors.ts";
import { sameBytes } from "../../../../types/bytes.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import type { Constants } from "../../constants.ts";
import { type Document, listAt, countAt, integerAt, textAt, member } from "../json.ts";
import type { Deletes, LakeBounds, LakeField, LakeFile, LakeTable } from "../lake-table.ts";
import type { LakeReader } from "../rows.ts";
import { type ManifestEntry, manifestEntries, valueFor } from "./manifests.ts";
import type { IcebergMetadata, Snapshot } from "./metadata.ts";
import { icebergColumns } from "./schema.ts";
import { binaryBound, identityText, rangeOfPartition } from "./values.ts";

const [positionDeletes, valueDeletes] = [1, 2];
/** Field id of the paths in files of deleted positions. */
const pathFieldId = 2_147_483_546;

/**
 * `SNAPSHOT.SCHEMA`: a table in a version of its rows and one of its columns. The current one has the current columns, another snapshot
 * those that it was written with. An empty table has no snapshot.
 */
export function icebergVersion(metadata: IcebergMetadata, snapshot?: Snapshot): string {
  return snapshot === undefined
    ? `${metadata.currentSnapshot ?? ""}.${metadata.currentSchemaId}`
    : `${snapshot.id}.${snapshot.schemaId ?? metadata.currentSchemaId}`;
}

/** undefined if there is no such version. */
export async function icebergTable(reader: LakeReader, metadata: IcebergMetadata, version: string): Promise<LakeTable | undefined> {
  const [id = "", schemaId = "0"] = version.split(".");
  const snapshot = id === "" ? undefined : metadata.snapshot(id);
  const schema = metadata.schema(Number(schemaId));
  if ((id !== "" && snapshot === undefined) || schema === undefined) {
    return undefined;
  }
  const columns = icebergColumns(schema);
  const fields = columns.map(({ field }) => field);
  const entries = snapshot === undefined ? [] : await manifestEntries(reader, metadata, snapshot);
  const { comment } = metadata;
  const context = { metadata, fields, deletes: entries.filter(({ content }) => content !== 0), dropped: droppedFields(metadata, fields) };
  return {
    version,
    fields,
    columns: columns.map(({ field: { name, type }, comment: text }) => ({ name, type, ...(text !== undefined && { comment: text }) })),
    ...(comment !== undefined && { comment }),
    files: entries
      .filter(({ content }) => content === 0)
      .map((entry) => fileOf(entry, context))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

interface Context {
  readonly metadata: IcebergMetadata;
  readonly fields: readonly LakeField[];
  readonly deletes: readonly ManifestEntry[];
  readonly dropped: ReadonlyMap<number, LakeField>;
}

/** Columns of other schemas, which files and deletes may still have, under names that no column has. */
function droppedFields(metadata: IcebergMetadata, fields: readonly LakeField[]): ReadonlyMap<number, LakeField> {
  const dropped = new Map<number, LakeField>();
  for (const { field } of metadata.schemas.flatMap((schema) => icebergColumns(schema))) {
    if (field.id !== undefined && !fields.some(({ id }) => id === field.id)) {
      dropped.set(field.id, { ...field, name: `$dropped_${field.id}` });
    }
  }
  return dropped;
}

function fileOf(entry: ManifestEntry, context: Context): LakeFile {
  const { metadata, fields } = context;
  const { file } = entry;
  const path = pathOf(metadata, file);
  const rows = countAt(file, "record_count");
  const constants = constantsOf(entry, context);
  const bounds = fields
    .filter(({ parts, name }) => parts.length === 0 && !Object.hasOwn(constants, name))
    .map((field) => [field.name, boundsOf(entry, field, context)] as const);
  const deletes = context.deletes.filter((one) => applies(one, entry)).map((one) => deletesOf(one, entry, context));
  const positions = context.deletes.filter((one) => one.content === positionDeletes && applies(one, entry) && isOfOneFile(one));
  return {
    path,
    sizeBytes: countAt(file, "file_size_in_bytes") ?? 0,
    ...(rows !== undefined && { rows }),
    deletedRows: positions.reduce((sum, one) => sum + (countAt(one.file, "record_count") ?? 0), 0),
    constants,
    bounds: new Map(bounds),
    deletes,
  };
}

function pathOf(metadata: IcebergMetadata, file: Document): string {
  const address = textAt(file, "file_path") ?? "";
  const format = textAt(file, "file_format") ?? "PARQUET";
  if (format.toUpperCase() !== "PARQUET") {
    throw new QueryError("NOT_SUPPORTED", `${address.slice(0, 200)}: files of format ${format} are not supported`);
  }
  return metadata.located(address);
}

/** Deletes count for older files of their partition; those by value also for all files if they have no partition. */
function applies(deletes: ManifestEntry, data: ManifestEntry): boolean {
  const isOfPartition = deletes.partitionKey === data.partitionKey;
  if (deletes.content === positionDeletes) {
    return deletes.sequenceNumber >= data.sequenceNumber && isOfPartition && mayName(deletes, textAt(data.file, "file_path") ?? "");
  }
  const isGlobal = Object.keys(deletes.partition ?? {}).length === 0;
  return deletes.sequenceNumber > data.sequenceNumber && (isOfPartition || isGlobal);
}

/**
 * Whether a file of positions may have some of this path. Bounds that are equal are whole: the upper one of a text that is cut off is
 * greater.
 */
function mayName({ file }: ManifestEntry, path: string): boolean {
  const only = textAt(file, "referenced_data_file");
  return only === undefined ? isWithin(file, path) : only === path;
}

function isWithin(file: Document, path: string): boolean {
  const [low, high] = ["lower_bounds", "upper_bounds"].map((name) => valueFor(file, name, pathFieldId));
  if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array)) {
    return true;
  }
  return !sameBytes(low, high) || sameBytes(low, encodeUtf8(path));
}

function isOfOneFile({ file }: ManifestEntry): boolean {
  return textAt(file, "referenced_data_file") !== undefined;
}

function deletesOf(deletes: ManifestEntry, data: ManifestEntry, { metadata, fields, dropped }: Context): Deletes {
  const { file } = deletes;
  const place = { path: pathOf(metadata, file), sizeBytes: countAt(file, "file_size_in_bytes") ?? 0 };
  if (deletes.content !== valueDeletes) {
    return { kind: "positions", ...place, dataPath: textAt(data.file, "file_path") ?? "" };
  }
  const columns = listAt(file, "equality_ids").map((id): LakeField => {
    const field = fields.find((one) => one.id === id) ?? dropped.get(Number(id));
    if (field === undefined) {
      throw new QueryError("NOT_SUPPORTED", `${place.path}: deletes by the unknown field ${String(id)} are not supported`);
    }
    return field;
  });
  return { kind: "values", ...place, fields: columns };
}

/** Values of identity partitions, which files need not have. */
function constantsOf(entry: ManifestEntry, { metadata, fields }: Context): Constants {
  return Object.fromEntries(
    metadata.spec(entry.specId).flatMap((part) => {
      const field = fields.find(({ id }) => id !== undefined && id === integerAt(part, "source-id"));
      const value = textAt(part, "transform") === "identity" ? member(entry.partition, textAt(part, "name") ?? "") : undefined;
      const text = field === undefined || value === undefined ? undefined : identityText(field.type, value);
      return field === undefined || text === undefined ? [] : [[field.name, text] as const];
    }),
  );
}

function boundsOf({ file, specId, partition }: ManifestEntry, { id, type }: LakeField, { metadata }: Context): LakeBounds {
  if (id === undefined) {
    return {};
  }
  const [low, high] = [binaryBound(type, valueFor(file, "lower_bounds", id)), binaryBound(type, valueFor(file, "upper_bounds", id))];
  const nulls = valueFor(file, "null_value_counts", id);
  const rows = countAt(file, "record_count");
  // A file of a partition has no values outside of it, whether its bounds are known or not.
  const part = metadata.spec(specId).find((one) => integerAt(one, "source-id") === id);
  const range = part && rangeOfPartition(type, textAt(part, "transform") ?? "", member(partition, textAt(part, "name") ?? ""));
  return {
    ...range,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    ...(rows !== undefined && nulls === rows && { isNull: true }),
  };
}
