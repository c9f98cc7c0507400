/**
 * The tables of a folder. Every file of a known format is a table, named like the file without its extensions, in lower case. So is every
 * sub-folder with files of one format in it or in folders below. Names that begin with a dot or underscore are ignored. Nothing is cached.
 */
import type { Storage, StorageEntry } from "../../ports/storage.ts";
import { StorageError } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import { badFile, reading } from "./errors.ts";

export type FileFormat = "csv" | "tsv" | "json" | "parquet";
export type Compression = "none" | "gzip" | "zstd";

export interface TableFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly version: string;
  readonly modifiedMillis?: number;
  readonly format: FileFormat;
  readonly compression: Compression;
  /** Values of the folders `key=value` on the way to the file, by key in lower case; NULL as null. */
  readonly partition: ReadonlyMap<string, string | null>;
  /** Reason why the file cannot be read. */
  readonly problem?: string;
}

export interface FileSet {
  /** Sorted by path, at least one, all of one format. */
  readonly files: readonly TableFile[];
  /** Paths of files that are not of a known format. */
  readonly skipped: readonly string[];
}

/** Of folders below the folder of a table; a link may lead in a circle. */
const depthMax = 32;
const filesMax = 100_000;
/** The folder of rows whose partition key is NULL, by Hive's convention. */
const nullPartition = "__HIVE_DEFAULT_PARTITION__";

const formatOfExtension: Readonly<Record<string, FileFormat>> = Object.freeze({
  csv: "csv",
  tsv: "tsv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  parquet: "parquet",
});

const compressionOfExtension: Readonly<Record<string, Compression>> = Object.freeze({ ".gz": "gzip", ".zst": "zstd" });

interface FileName {
  readonly table: string;
  readonly format: FileFormat;
  readonly compression: Compression;
}

function parseName(name: string): FileName | undefined {
  const lower = name.toLowerCase();
  if (isPassedOver(lower)) {
    return undefined;
  }
  const [suffix, compression] = Object.entries(compressionOfExtension).find(([one]) => lower.endsWith(one)) ?? ["", "none" as const];
  const plain = lower.slice(0, lower.length - suffix.length);
  const dot = plain.lastIndexOf(".");
  const extension = plain.slice(dot + 1);
  if (dot <= 0 || !Object.hasOwn(formatOfExtension, extension)) {
    return undefined;
  }
  const format = formatOfExtension[extension] as FileFormat;
  return compression !== "none" && format === "parquet" ? undefined : { table: plain.slice(0, dot), format, compression };
}

function isPassedOver(name: string): boolean {
  return name.startsWith(".") || name.startsWith("_");
}

async function listRoot(storage: Storage): Promise<readonly StorageEntry[]> {
  try {
    return await reading("", storage.list(""));
  } catch (error) {
    if (error instanceof QueryError && error.errorName === "FILE_NOT_FOUND") {
      throw new QueryError("FILE_NOT_FOUND", "The folder of property 'files.directory' does not exist");
    }
    throw error;
  }
}

/** A folder may disappear between two listings. */
async function listFolder(storage: Storage, folder: string): Promise<readonly StorageEntry[]> {
  try {
    return await storage.list(folder);
  } catch (error) {
    if (error instanceof StorageError && error.kind === "NOT_FOUND") {
      return [];
    }
    return reading(folder, Promise.reject<readonly StorageEntry[]>(error));
  }
}

type Partition = ReadonlyMap<string, string | null>;

/** The partition of what is below the folder. */
function withFolder(partition: Partition, folder: string): Partition {
  const equals = folder.indexOf("=");
  if (equals <= 0) {
    return partition;
  }
  const text = percentDecoded(folder.slice(equals + 1));
  return new Map([...partition, [percentDecoded(folder.slice(0, equals)).toLowerCase(), text === nullPartition ? null : text]]);
}

/** Text that is not well-formed stays as it is. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The file of an entry; undefined if its format is not known. */
function fileOf(path: string, entry: StorageEntry, partition: Partition): TableFile | undefined {
  const name = parseName(entry.name);
  if (name === undefined) {
    return undefined;
  }
  const { sizeBytes, version, problem, modifiedMillis } = entry;
  return {
    path,
    sizeBytes,
    version,
    format: name.format,
    compression: name.compression,
    partition,
    ...(modifiedMillis !== undefined && { modifiedMillis }),
    ...(problem !== undefined && { problem }),
  };
}

/** Files as they are found. */
class Gathered {
  readonly files: TableFile[] = [];
  readonly skipped: string[] = [];

  add(path: string, entry: StorageEntry, partition: Partition): void {
    const file = fileOf(path, entry, partition);
    if (file === undefined) {
      this.skipped.push(path);
    } else {
      this.files.push(file);
    }
    if (this.files.length + this.skipped.length > filesMax) {
      throw new QueryError("NOT_SUPPORTED", `A table has more than ${filesMax} files`);
    }
  }

  /** undefined if there is none. `name` is for messages. */
  set(name: string): FileSet | undefined {
    const [first] = this.files;
    if (first === undefined) {
      return undefined;
    }
    const other = this.files.find(({ format }) => format !== first.format);
    if (other !== undefined) {
      throw badFile(name, "", `files of different formats are no table: ${first.path}, ${other.path}`);
    }
    const broken = this.files.find(({ problem }) => problem !== undefined);
    if (broken?.problem !== undefined) {
      throw new QueryError("CONNECTOR_ERROR", `File ${broken.path} cannot be read: ${broken.problem}`);
    }
    return { files: this.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), skipped: this.skipped.toSorted() };
  }
}

interface Place {
  readonly folder: string;
  readonly depth: number;
  readonly partition: Partition;
}

/** All files below a folder. */
async function gatherBelow(storage: Storage, { folder, depth, partition }: Place, into: Gathered): Promise<void> {
  if (depth > depthMax) {
    throw new QueryError("NOT_SUPPORTED", `Folder ${folder} is more than ${depthMax} folders below the folder of its table`);
  }
  for (const entry of await listFolder(storage, folder)) {
    if (isPassedOver(entry.name)) {
      continue;
    }
    const path = `${folder}/${entry.name}`;
    if (entry.directory) {
      await gatherBelow(storage, { folder: path, depth: depth + 1, partition: withFolder(partition, entry.name) }, into);
    } else {
      into.add(path, entry, partition);
    }
  }
}

/** An unreadable folder does not hide the other tables. A statement that names it gets the error. */
async function mayHoldTable(storage: Storage, folder: string, depth = 0): Promise<boolean> {
  let entries: readonly StorageEntry[];
  try {
    entries = await storage.list(folder);
  } catch (error) {
    if (error instanceof StorageError) {
      return false;
    }
    throw error;
  }
  if (entries.some((entry) => !entry.directory && parseName(entry.name) !== undefined)) {
    return true;
  }
  for (const { name, directory } of entries) {
    if (directory && !isPassedOver(name) && depth < depthMax && (await mayHoldTable(storage, `${folder}/${name}`, depth + 1))) {
      return true;
    }
  }
  return false;
}

/** Sorted. An unreadable file is listed as a table too; a statement that names it gets the error. */
export async function listTables(storage: Storage): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const entry of await listRoot(storage)) {
    if (entry.directory) {
      if (!isPassedOver(entry.name) && (await mayHoldTable(storage, entry.name))) {
        names.add(entry.name.toLowerCase());
      }
      continue;
    }
    const name = parseName(entry.name);
    if (name !== undefined) {
      names.add(name.table);
    }
  }
  return [...names].toSorted();
}

/** undefined if there is no such table. */
export async function filesOfTable(storage: Storage, table: string): Promise<FileSet | undefined> {
  const found: { readonly name: string; readonly set: FileSet }[] = [];
  for (const entry of await listRoot(storage)) {
    const gathered = new Gathered();
    if (entry.directory && entry.name.toLowerCase() === table && !isPassedOver(entry.name)) {
      await gatherBelow(storage, { folder: entry.name, depth: 0, partition: new Map() }, gathered);
    } else if (!entry.directory && parseName(entry.name)?.table === table) {
      gathered.add(entry.name, entry, new Map());
    }
    const set = gathered.set(entry.name);
    if (set !== undefined) {
      found.push({ name: entry.name, set });
    }
  }
  if (found.length > 1) {
    throw new QueryError("AMBIGUOUS_NAME", `Table '${table}' is ambiguous: ${found.map(({ name }) => name).join(", ")}`);
  }
  return found[0]?.set;
}
