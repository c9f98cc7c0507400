/**
 * The tables of a folder. Every file of a known format is a table, named like the file without its extensions, in lower case. So is every
 * sub-folder with files of one format. Names that begin with a dot or underscore are ignored. Nothing is cached.
 */
import type { Storage, StorageEntry } from "../../ports/storage.ts";
import { StorageError } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import { badFile, reading } from "./errors.ts";

export type FileFormat = "csv" | "tsv" | "json" | "parquet";

export interface TableFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly version: string;
  readonly format: FileFormat;
  readonly gzip: boolean;
  /** Reason why the file cannot be read. */
  readonly problem?: string;
}

const formatOfExtension: Readonly<Record<string, FileFormat>> = Object.freeze({
  csv: "csv",
  tsv: "tsv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  parquet: "parquet",
});

interface FileName {
  readonly table: string;
  readonly format: FileFormat;
  readonly gzip: boolean;
}

function parseName(name: string): FileName | undefined {
  const lower = name.toLowerCase();
  if (isPassedOver(lower)) {
    return undefined;
  }
  const gzip = lower.endsWith(".gz");
  const plain = gzip ? lower.slice(0, -3) : lower;
  const dot = plain.lastIndexOf(".");
  const extension = plain.slice(dot + 1);
  if (dot <= 0 || !Object.hasOwn(formatOfExtension, extension)) {
    return undefined;
  }
  const format = formatOfExtension[extension] as FileFormat;
  return gzip && format === "parquet" ? undefined : { table: plain.slice(0, dot), format, gzip };
}

function isPassedOver(name: string): boolean {
  return name.startsWith(".") || name.startsWith("_");
}

async function list(storage: Storage, path: string): Promise<readonly StorageEntry[]> {
  try {
    return await reading(path, storage.list(path));
  } catch (error) {
    if (error instanceof QueryError && error.errorName === "FILE_NOT_FOUND" && path === "") {
      throw new QueryError("FILE_NOT_FOUND", "The folder of property 'files.directory' does not exist");
    }
    throw error;
  }
}

function filesIn(folder: string, entries: readonly StorageEntry[]): readonly TableFile[] {
  return entries.flatMap((entry) => {
    const name = entry.directory ? undefined : parseName(entry.name);
    if (name === undefined) {
      return [];
    }
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    const { sizeBytes, version, problem } = entry;
    return [{ path, sizeBytes, version, format: name.format, gzip: name.gzip, ...(problem === undefined ? {} : { problem }) }];
  });
}

/** A folder may disappear between two listings. */
async function filesInFolder(storage: Storage, folder: string): Promise<readonly TableFile[]> {
  try {
    return filesIn(folder, await storage.list(folder));
  } catch (error) {
    if (error instanceof StorageError && error.kind === "NOT_FOUND") {
      return [];
    }
    return filesIn(folder, await reading(folder, Promise.reject<readonly StorageEntry[]>(error)));
  }
}

/** An unreadable folder does not hide the other tables. A statement that names it gets the error. */
async function mayHoldTable(storage: Storage, folder: string): Promise<boolean> {
  try {
    return filesIn(folder, await storage.list(folder)).length > 0;
  } catch (error) {
    if (error instanceof StorageError) {
      return false;
    }
    throw error;
  }
}

/** Sorted. An unreadable file is listed as a table too; a statement that names it gets the error. */
export async function listTables(storage: Storage): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const entry of await list(storage, "")) {
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

/** Sorted by path, all of one format; undefined if there is no such table. */
export async function filesOfTable(storage: Storage, table: string): Promise<readonly TableFile[] | undefined> {
  const entries = await list(storage, "");
  const found: { readonly name: string; readonly files: readonly TableFile[] }[] = [];
  for (const entry of entries) {
    if (entry.directory && entry.name.toLowerCase() === table && !isPassedOver(entry.name)) {
      const files = await filesInFolder(storage, entry.name);
      if (files.length > 0) {
        found.push({ name: entry.name, files });
      }
    } else if (!entry.directory && parseName(entry.name)?.table === table) {
      found.push({ name: entry.name, files: filesIn("", [entry]) });
    }
  }
  const [first, second] = found;
  if (first === undefined) {
    return undefined;
  }
  if (second !== undefined) {
    throw new QueryError("AMBIGUOUS_NAME", `Table '${table}' is ambiguous: ${found.map(({ name }) => name).join(", ")}`);
  }
  const other = first.files.find(({ format }) => format !== first.files[0]?.format);
  if (other !== undefined) {
    throw badFile(first.name, "", `files of different formats are no table: ${first.files[0]?.path}, ${other.path}`);
  }
  const broken = first.files.find(({ problem }) => problem !== undefined);
  if (broken?.problem !== undefined) {
    throw new QueryError("CONNECTOR_ERROR", `File ${broken.path} cannot be read: ${broken.problem}`);
  }
  return first.files;
}
