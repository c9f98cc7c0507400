/** A version of a Delta Lake table. */
import { QueryError } from "../../../../protocol/errors.ts";
import type { Type } from "../../../../types/type.ts";
import { BadData, badFile } from "../../../shared/file-errors.ts";
import { asDocument, type Document, documentAt, listAt, member, countAt, integerAt, parsed, textAt } from "../json.ts";
import type { Deletes, LakeBounds, LakeFile, LakeTable } from "../lake-table.ts";
import { boundOf, constantText } from "../values.ts";
import { decodeBase85, uuidOf } from "./deletion-vector.ts";
import type { DeltaState } from "./log.ts";
import { type ColumnMapping, type DeltaColumn, deltaColumns } from "./schema.ts";

export function deltaTable(folder: string, state: DeltaState): LakeTable {
  const { version, metadata, adds } = state;
  const { columns, keys, stored } = deltaKeys(folder, state);
  const comment = textAt(metadata, "description");
  return {
    version: String(version),
    fields: stored.map(({ field }) => field),
    columns: columns.map(({ field, comment: text }) => ({
      name: field.name,
      type: field.type,
      ...(text !== undefined && { comment: text }),
    })),
    ...(comment !== undefined && comment !== "" && { comment }),
    files: adds.map((add) => fileOf(add, { folder, keys, stored })).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The columns of a version: those of its partitions, and those that files store. */
export function deltaKeys(
  folder: string,
  { metadata }: DeltaState,
): { readonly columns: readonly DeltaColumn[]; readonly keys: readonly DeltaColumn[]; readonly stored: readonly DeltaColumn[] } {
  const configuration = documentAt(metadata, "configuration");
  const mapping = (textAt(configuration, "delta.columnMapping.mode") ?? "none") as ColumnMapping;
  if (!["none", "name", "id"].includes(mapping)) {
    throw new QueryError("NOT_SUPPORTED", `${folder}: column mapping '${mapping}' is not supported`);
  }
  if ((textAt(documentAt(metadata, "format"), "provider") ?? "parquet") !== "parquet") {
    throw new QueryError("NOT_SUPPORTED", `${folder}: the files of the table are not Parquet`);
  }
  const columns = deltaColumns(folder, textAt(metadata, "schemaString") ?? "", mapping);
  const partition = new Set(listAt(metadata, "partitionColumns").map(String));
  return {
    columns,
    keys: columns.filter(({ writtenName }) => partition.has(writtenName)),
    stored: columns.filter(({ writtenName }) => !partition.has(writtenName)),
  };
}

interface Columns {
  readonly folder: string;
  readonly keys: readonly DeltaColumn[];
  readonly stored: readonly DeltaColumn[];
}

function fileOf(add: Document, { folder, keys, stored }: Columns): LakeFile {
  const path = pathOf(folder, textAt(add, "path") ?? "");
  const values = documentAt(add, "partitionValues");
  const vector = documentAt(add, "deletionVector");
  const stats = statisticsOf(add);
  const [rows, modifiedMillis] = [countAt(stats, "numRecords"), integerAt(add, "modificationTime")];
  return {
    path,
    sizeBytes: countAt(add, "size") ?? 0,
    ...(rows !== undefined && { rows }),
    ...(Number.isSafeInteger(modifiedMillis) && { modifiedMillis: modifiedMillis as number }),
    deletedRows: countAt(vector, "cardinality") ?? 0,
    constants: Object.fromEntries(keys.map(({ field }) => [field.name, valueOf(path, values, field)])),
    bounds: new Map(stored.flatMap(({ field }) => (field.parts.length > 0 ? [] : [[field.name, boundsOf(stats, field, rows)] as const]))),
    deletes: vector === undefined ? [] : [deletesOf(folder, vector)],
  };
}

/** Files are named relative to the folder of the table, percent-encoded. */
function pathOf(folder: string, written: string): string {
  let path = written;
  try {
    path = decodeURIComponent(written);
  } catch {
    // Text that is not well-formed stays as it is.
  }
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(written) || path.split("/").some((name) => name === ".." || name === "." || name === "")) {
    throw new QueryError(
      "NOT_SUPPORTED",
      `${folder}: files outside of the folder of the table are not supported: ${written.slice(0, 200)}`,
    );
  }
  return `${folder}/${path}`;
}

function valueOf(
  path: string,
  values: Document | undefined,
  { storedName, type, name }: { storedName: string; type: Type; name: string },
): string | null {
  const text = textAt(values, storedName);
  if (text === undefined || text === "") {
    return null;
  }
  try {
    return constantText(type, text);
  } catch (error) {
    throw error instanceof BadData ? badFile(path, `column ${name}`, error.message) : error;
  }
}

/** Absent or damaged statistics exclude nothing. */
function statisticsOf(add: Document): Document | undefined {
  const text = textAt(add, "stats");
  try {
    return text === undefined ? undefined : parsed("", text);
  } catch {
    return undefined;
  }
}

function boundsOf(
  stats: Document | undefined,
  { storedName, type }: { readonly storedName: string; readonly type: Type },
  rows: number | undefined,
): LakeBounds {
  const of = (name: string): unknown => member(asDocument(member(stats, name)), storedName);
  const [low, high, nulls] = [boundOf(type, of("minValues")), boundOf(type, of("maxValues")), of("nullCount")];
  return {
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    ...(rows !== undefined && nulls === rows && { isNull: true }),
  };
}

function deletesOf(folder: string, vector: Document): Deletes {
  const text = textAt(vector, "pathOrInlineDv") ?? "";
  const sizeBytes = countAt(vector, "sizeInBytes") ?? 0;
  switch (textAt(vector, "storageType")) {
    case "i":
      return { kind: "inline", path: folder, text };
    case "u": {
      const prefix = text.slice(0, -20);
      const name = `deletion_vector_${uuidOf(decodeBase85(text.slice(-20)))}.bin`;
      if (!/^[A-Za-z0-9_-]*$/.test(prefix)) {
        throw badFile(folder, "", "a deletion vector has no valid name");
      }
      const path = `${folder}/${prefix === "" ? "" : `${prefix}/`}${name}`;
      return { kind: "vector", path, offset: countAt(vector, "offset") ?? 1, sizeBytes };
    }
    default:
      throw new QueryError("NOT_SUPPORTED", `${folder}: files outside of the folder of the table are not supported`);
  }
}
