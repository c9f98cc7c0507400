/**
 * The tables of a folder. Every file of a known format is a table, named like the file without its extensions, in lower case. So is every
 * sub-folder with files of one format in it or in folders below. Names that begin with a dot or underscore are ignored. Nothing is cached.
 */
import type { Storage, StorageEntry } from "../../ports/storage.ts";
import { StorageError, unlessMissing } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import { badFile, reading } from "../shared/file-errors.ts";
import { type LakePlace, lakePlace, requireNoLake } from "./lake/place.ts";
import { nullPartition } from "./names.ts";
import { isMark, readReplaced, rewritesIn } from "./write/rewrites.ts";
import { descriptionFile, formatOf, hidingFile, readDescription, type TableDescription } from "./write/description.ts";

export type FileFormat = "csv" | "tsv" | "json" | "parquet" | "arrow";
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

/** A table of CREATE TABLE. */
export interface WrittenTable {
  /** Folder of its description. */
  readonly folder: string;
  readonly description: TableDescription;
}

export interface FileSet {
  readonly written?: WrittenTable;
  /** A table of a table format, which names its files. */
  readonly lake?: LakePlace;
  /** Sorted by path, all of one format; at least one, but for a table of CREATE TABLE or of a table format. */
  readonly files: readonly TableFile[];
  /** Paths of files that are not of a known format. */
  readonly skipped: readonly string[];
}

/** Of folders below the folder of a table; a link may lead in a circle. */
const depthMax = 32;
const filesMax = 100_000;
const foldersMax = 100_000;
/** Folders that are searched for a first file when tables are listed. */
const searchedFoldersMax = 1000;
/** Of one table, until none of its files was replaced meanwhile. */
const listingsMax = 10;

const formatOfExtension: Readonly<Record<string, FileFormat>> = Object.freeze({
  csv: "csv",
  tsv: "tsv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  parquet: "parquet",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
});

/** Formats that compress their content themselves, and have types. */
export function isBinaryFormat(format: FileFormat): boolean {
  return format === "parquet" || format === "arrow";
}

const compressionOfExtension: Readonly<Record<string, Compression>> = Object.freeze({ ".gz": "gzip", ".zst": "zstd" });

interface FileName {
  readonly table: string;
  readonly format: FileFormat;
  readonly compression: Compression;
}

function parseName(name: string): FileName | undefined {
  const lower = name.toLowerCase();
  const [suffix, compression] = compressionOf(lower);
  const plain = lower.slice(0, lower.length - suffix.length);
  const dot = plain.lastIndexOf(".");
  const extension = plain.slice(dot + 1);
  if (dot <= 0 || !Object.hasOwn(formatOfExtension, extension)) {
    return undefined;
  }
  const format = formatOfExtension[extension] as FileFormat;
  return compression !== "none" && isBinaryFormat(format) ? undefined : { table: plain.slice(0, dot), format, compression };
}

/** The extension of compressed files, and how they are compressed. */
function compressionOf(lower: string): readonly [suffix: string, compression: Compression] {
  return Object.entries(compressionOfExtension).find(([suffix]) => lower.endsWith(suffix)) ?? ["", "none"];
}

export function isPassedOver(name: string): boolean {
  return name.startsWith(".") || name.startsWith("_");
}

export async function listRoot(storage: Storage): Promise<readonly StorageEntry[]> {
  try {
    return await reading("", storage.list(""));
  } catch (error) {
    if (error instanceof QueryError && error.errorName === "FILE_NOT_FOUND") {
      throw new QueryError("FILE_NOT_FOUND", "The folder of property 'files.directory' does not exist");
    }
    throw error;
  }
}

/** Lists the folder of all tables once for all that ask in one turn, such as the scans of a statement, after the last of them. */
export class RootListing {
  readonly #storage: Storage;
  #next: Promise<readonly StorageEntry[]> | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  entries(): Promise<readonly StorageEntry[]> {
    this.#next ??= Promise.resolve().then(() => {
      this.#next = undefined;
      return listRoot(this.#storage);
    });
    return this.#next;
  }
}

/** A folder may disappear between two listings. */
export async function listFolder(storage: Storage, folder: string): Promise<readonly StorageEntry[]> {
  return (await reading(folder, unlessMissing(storage.list(folder)))) ?? [];
}

export type Partition = ReadonlyMap<string, string | null>;

/** The partition of what is below the folder. */
export function withFolder(partition: Partition, folder: string): Partition {
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

/** The file of an entry, in a format whatever its name; undefined if its format is not known. */
function fileOf(path: string, entry: StorageEntry, partition: Partition, known: FileFormat | undefined): TableFile | undefined {
  const format = known ?? parseName(entry.name)?.format;
  if (format === undefined) {
    return undefined;
  }
  const { sizeBytes, version, problem, modifiedMillis } = entry;
  return {
    path,
    sizeBytes,
    version,
    format,
    compression: isBinaryFormat(format) ? "none" : compressionOf(entry.name.toLowerCase())[1],
    partition,
    ...(modifiedMillis !== undefined && { modifiedMillis }),
    ...(problem !== undefined && { problem }),
  };
}

/** Files as they are found, each once. With a format all files are of it, whatever their names. */
export class Gathered {
  readonly files: TableFile[] = [];
  readonly skipped: string[] = [];
  /** Files that say which others are replaced: write/rewrites.ts. */
  readonly marks: string[] = [];
  lake: LakePlace | undefined;
  readonly #paths = new Set<string>();
  #folders = 0;
  readonly #format: FileFormat | undefined;

  constructor(format?: FileFormat) {
    this.#format = format;
  }

  add(path: string, entry: StorageEntry, partition: Partition): void {
    if (this.#paths.has(path)) {
      return;
    }
    this.#paths.add(path);
    const file = fileOf(path, entry, partition, this.#format);
    if (file === undefined) {
      this.skipped.push(path);
    } else {
      this.files.push(file);
    }
    if (this.files.length + this.skipped.length > filesMax) {
      throw new QueryError("NOT_SUPPORTED", `A table has more than ${filesMax} files`);
    }
  }

  /** Without the files of these paths. */
  without(paths: ReadonlySet<string>): this {
    const kept = this.files.filter(({ path }) => !paths.has(path));
    this.files.splice(0, this.files.length, ...kept);
    return this;
  }

  /** A path names one table of a table format at most. */
  enterLake(lake: LakePlace): void {
    if (this.lake !== undefined) {
      throw new QueryError("NOT_SUPPORTED", `${this.lake.folder} and ${lake.folder} are two tables`);
    }
    this.lake = lake;
  }

  /** Must be called for each folder before it is listed. */
  enter(): void {
    this.#folders++;
    if (this.#folders > foldersMax) {
      throw new QueryError("NOT_SUPPORTED", `A table has more than ${foldersMax} folders`);
    }
  }

  /** undefined if there is none. `name` is for messages. */
  set(name: string): FileSet | undefined {
    const [first] = this.files;
    if (this.lake !== undefined) {
      if (first !== undefined) {
        throw badFile(name, "", `files and a table of a table format are no table: ${first.path}, ${this.lake.folder}`);
      }
      return { lake: this.lake, files: [], skipped: [] };
    }
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
export async function gatherBelow(storage: Storage, { folder, depth, partition }: Place, into: Gathered): Promise<void> {
  if (depth > depthMax) {
    throw new QueryError("NOT_SUPPORTED", `Folder ${folder} is more than ${depthMax} folders below the folder of its table`);
  }
  into.enter();
  const entries = await listFolder(storage, folder);
  requireNoLake(folder, entries);
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (isMark(entry)) {
      into.marks.push(path);
    }
    if (isPassedOver(entry.name)) {
      continue;
    }
    if (entry.directory) {
      await gatherBelow(storage, { folder: path, depth: depth + 1, partition: withFolder(partition, entry.name) }, into);
    } else {
      into.add(path, entry, partition);
    }
  }
}

/**
 * Whether there is a file of a known format below the folder. An unreadable folder does not hide the other tables, and one that is too
 * large to be searched is listed: a statement that names it gets the error.
 */
async function mayHoldTable(storage: Storage, root: string): Promise<boolean> {
  const folders = [root];
  for (let searched = 0; searched < searchedFoldersMax; searched++) {
    const folder = folders.shift();
    if (folder === undefined) {
      return false;
    }
    const all = await entriesOf(storage, folder);
    const entries = all.filter(({ name }) => !isPassedOver(name));
    if (folder === root && isHidden(all)) {
      return false;
    }
    if (folder === root && (all.some(({ name }) => name === descriptionFile) || (await lakePlace(storage, root, all)) !== undefined)) {
      return true;
    }
    if (entries.some(({ name, directory }) => !directory && parseName(name) !== undefined)) {
      return true;
    }
    folders.push(...entries.filter(({ directory }) => directory).map(({ name }) => `${folder}/${name}`));
  }
  return true;
}

async function entriesOf(storage: Storage, folder: string): Promise<readonly StorageEntry[]> {
  try {
    return await storage.list(folder);
  } catch (error) {
    if (error instanceof StorageError) {
      return [];
    }
    throw error;
  }
}

/** Sorted. An unreadable file is listed as a table too; a statement that names it gets the error. */
export async function listTables(storage: Storage): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const entry of await listRoot(storage)) {
    if (isPassedOver(entry.name)) {
      continue;
    }
    if (entry.directory) {
      if (await mayHoldTable(storage, entry.name)) {
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

function isHidden(entries: readonly StorageEntry[]): boolean {
  return entries.some(({ name }) => name === hidingFile) && !entries.some(({ name }) => name === descriptionFile);
}

/** The folder directly below the table's in which a file lies. */
function writeOf(path: string, folder: string): string {
  return path.slice(folder.length + 1).split("/")[0] ?? "";
}

interface Written {
  readonly description: TableDescription;
  readonly set: FileSet;
}

/** Files of a table of CREATE TABLE, with its description; undefined if the table was dropped meanwhile. */
async function gatherWritten(storage: Storage, folder: string): Promise<Written | undefined> {
  const description = await readDescription(storage, folder);
  if (description === undefined) {
    return undefined;
  }
  const { location, writes } = description;
  const gathered = new Gathered();
  await gatherBelow(storage, { folder: location ?? folder, depth: 0, partition: new Map() }, gathered);
  gathered.without(await readReplaced(storage, folder, gathered.marks));
  const all = gathered.set(folder) ?? { files: [], skipped: gathered.skipped.toSorted() };
  const set = writes === undefined ? all : { ...all, files: all.files.filter(({ path }) => writes.includes(writeOf(path, folder))) };
  return { description, set };
}

/** Changes whenever files of the table are replaced. */
function replacementsIn(entries: readonly StorageEntry[], { writes }: TableDescription): string {
  const description = entries.find(({ name }) => name === descriptionFile);
  return writes === undefined ? rewritesIn(entries) : (description?.version ?? "");
}

/**
 * The files may be replaced, and the old ones removed, while they are listed: the folder tells afterwards. `entries`: from before.
 * Undefined if the table was dropped meanwhile.
 */
async function filesOfWritten(storage: Storage, folder: string, entries: readonly StorageEntry[]): Promise<FileSet | undefined> {
  let before = entries;
  for (let attempt = 0; attempt < listingsMax; attempt++) {
    const found = await gatherWritten(storage, folder);
    if (found === undefined) {
      return undefined;
    }
    const { description, set } = found;
    const now = description.location === undefined ? await listFolder(storage, folder) : before;
    if (replacementsIn(before, description) === replacementsIn(now, description)) {
      const other = set.files.find(({ format }) => format !== formatOf(description));
      if (other !== undefined) {
        throw badFile(other.path, "", `the table has files of format ${description.format}`);
      }
      return { ...set, written: { folder, description } };
    }
    before = now;
  }
  throw new QueryError("TRANSACTION_CONFLICT", `The files of folder ${folder} are replaced all the time`);
}

/** undefined if the folder is no table. */
async function filesOfFolder(storage: Storage, folder: string): Promise<FileSet | undefined> {
  const entries = await listFolder(storage, folder);
  const lake = await lakePlace(storage, folder, entries);
  if (lake !== undefined) {
    return { lake, files: [], skipped: [] };
  }
  if (isHidden(entries)) {
    return undefined;
  }
  if (!entries.some(({ name }) => name === descriptionFile)) {
    const gathered = new Gathered();
    await gatherBelow(storage, { folder, depth: 0, partition: new Map() }, gathered);
    return gathered.set(folder);
  }
  return filesOfWritten(storage, folder, entries);
}

/** undefined if there is no such table. `root`: the entries of the folder of all tables. */
export async function filesOfTable(storage: Storage, table: string, root: readonly StorageEntry[]): Promise<FileSet | undefined> {
  const found: { readonly name: string; readonly set: FileSet }[] = [];
  for (const entry of root) {
    const gathered = new Gathered();
    if (isPassedOver(entry.name)) {
      continue;
    }
    if (entry.directory && entry.name.toLowerCase() === table) {
      const set = await filesOfFolder(storage, entry.name);
      if (set !== undefined) {
        found.push({ name: entry.name, set });
      }
      continue;
    }
    if (!entry.directory && parseName(entry.name)?.table === table) {
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
