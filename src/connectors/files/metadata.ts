/**
 * What the coordinator knows of the tables of a folder: names, columns, statistics and splits.
 */
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Lifetime } from "../../ports/lifetime.ts";
import type { Storage, StorageEntry } from "../../ports/storage.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type ColumnStatistics,
  type ConnectorMetadata,
  type Constraint,
  type Json,
  type SchemaTableName,
  type Split,
  type TableMetadata,
  type TableStatistics,
  type TableVersion,
  type ViewDefinition,
} from "../spi.ts";
import type { ArrowSplit } from "./arrow/page-source.ts";
import { arrowRows, arrowSplits } from "./arrow/arrow-table.ts";
import { columnsOf, type FileColumns, type GivenColumn, requireTypes } from "./columns.ts";
import { type Constants, constantsOf, hiddenColumns, mayMatch, rowNumberColumn, withoutColumns } from "./constants.ts";
import { withTexts } from "./json-columns.ts";
import { type Described, Descriptions, type FilesOptions } from "./descriptions.ts";
import { type FileFormat, type FileSet, filesOfTable, isBinaryFormat, listTables, RootListing, type TableFile } from "./folder.ts";
import { type LakeHandle, Lakes } from "./lake/lakes.ts";
import type { Deletes } from "./lake/lake-table.ts";
import { describedTable, parseMetadataName } from "./lake/metadata-tables/metadata-tables.ts";
import type { LakeReader } from "./lake/rows.ts";
import type { ParquetFooter } from "./parquet/footer.ts";
import type { ParquetSplit } from "./parquet/page-source.ts";
import { parquetRows, parquetSplits, parquetStatistics } from "./parquet/parquet-table.ts";
import { filesOfPath, looksLikePath } from "./paths.ts";
import type { Rows } from "../shared/row-page-source.ts";
import { type PinnedFile, sharedVersion, storageUntil } from "../shared/object-store/pinned.ts";
import type { TextOptions } from "./text/dialect.ts";
import { rejectColumns } from "./text/rejects.ts";
import type { TextDescription } from "./text/sample.ts";
import { type DateOrders, type TextSplit, textSplits } from "./text/table.ts";
import { listViews, readView, viewVersion } from "./write/views.ts";
import { propertiesOf, type TableDescription, textOptionsOf } from "./write/description.ts";

/** The schema of all tables. */
export const filesSchema = "default";
/** Of a table whose state is told. */
const filesOfStateMax = 1000;
/** Files that a warning names. */
const namedFilesMax = 5;

/** A split of a file, with what is known of its other columns. */
export type FileSplit = (TextSplit | ParquetSplit | ArrowSplit) & {
  readonly version?: string;
  readonly constants?: Constants;
  /** From 1; present if row numbers are requested. */
  readonly firstRow?: number;
  readonly warning?: string;
  /** Where the deleted rows of the file are written; `firstRow` is then present. */
  readonly deletes?: readonly Deletes[];
};

/** Files by the path of a table function, and how they are read. Plain JSON. */
export interface PathSource {
  readonly path: string;
  readonly format: FileFormat;
  readonly text?: TextOptions;
  readonly types?: readonly GivenColumn[];
}

/** Which files a table consists of: a name or a path, or the path of a table function. */
type TableSource = { readonly name: string } | PathSource;

/** Plain JSON. */
type Handle = TableSource & {
  readonly orders?: DateOrders;
  readonly lake?: LakeHandle;
  /** The rows are the bad records of the table. */
  readonly isRejects?: true;
};

interface SplitRequest {
  /** Columns that are read. */
  readonly columns: readonly ColumnMetadata[];
  /** On stored columns. */
  readonly constraint: Constraint;
  /** Of the folders of all files. */
  readonly keys: ReadonlySet<string>;
  readonly handle: Handle;
  readonly text: TextOptions;
  /** The columns whose errors are the rows. */
  readonly rejects: FileColumns | undefined;
}

/** What the tables of a catalog are read with. */
export interface FilesReader extends LakeReader {
  readonly runtime: KernelRuntime;
}

export interface FilesMetadataOptions extends FilesOptions {
  readonly hasPaths: boolean;
}

/** What a view of the same tables shares. */
export interface KnownTables {
  readonly descriptions: Descriptions;
  readonly lakes: Lakes;
}

export class FilesMetadata implements ConnectorMetadata {
  readonly hasPaths?: true;
  readonly hasVersions = true;
  readonly #reader: FilesReader;
  readonly #options: FilesMetadataOptions;
  readonly #storage: Storage;
  readonly #descriptions: Descriptions;
  readonly #lakes: Lakes;
  readonly #root: RootListing;

  constructor(reader: FilesReader, options: FilesMetadataOptions, known?: KnownTables) {
    const { storage, memory, runtime, clock } = reader;
    if (options.hasPaths) {
      this.hasPaths = true;
    }
    this.#storage = storage;
    this.#root = new RootListing(storage);
    this.#reader = reader;
    this.#options = options;
    this.#descriptions = known?.descriptions ?? new Descriptions(storage, options, { memory, runtime, clock });
    this.#lakes = known?.lakes ?? new Lakes(reader, this.#descriptions);
  }

  /** The same tables. What waits for an object store ends with the lifetime: USER_CANCELED. */
  until(life: Lifetime): FilesMetadata {
    return new FilesMetadata(this.readerUntil(life), this.#options, this.knownUntil(life));
  }

  protected readerUntil(life: Lifetime): FilesReader {
    return { ...this.#reader, storage: storageUntil(this.#reader.storage, life) };
  }

  /** What is known of files and of tables of table formats, and how it is learned until then. */
  protected knownUntil(life: Lifetime): KnownTables {
    return { descriptions: this.#descriptions.until(life), lakes: this.#lakes.until(life) };
  }

  describedTable(name: SchemaTableName): SchemaTableName | undefined {
    if (name.schema !== filesSchema) {
      return undefined;
    }
    const table = withoutRejects(name.table);
    return table === undefined ? describedTable(name) : { ...name, table };
  }

  async listSchemas(): Promise<readonly string[]> {
    return [filesSchema];
  }

  async listTables(name: string): Promise<readonly string[]> {
    const tables = name === filesSchema ? [...(await listTables(this.#storage)), ...(await listViews(this.#storage))] : [];
    return [...new Set(tables)].toSorted().filter((table) => this.describedTable({ schema: name, table }) === undefined);
  }

  async tableStates(tables: readonly SchemaTableName[]): Promise<readonly (string | undefined)[]> {
    const root = await unlessFailed(this.#root.entries());
    return root === undefined ? tables.map(() => undefined) : Promise.all(tables.map((table) => this.#stateOf(table, root)));
  }

  async #stateOf({ schema, table }: SchemaTableName, root: readonly StorageEntry[]): Promise<string | undefined> {
    if (schema !== filesSchema) {
      return "";
    }
    if (this.describedTable({ schema, table }) !== undefined || looksLikePath(table)) {
      return undefined;
    }
    return unlessFailed(
      filesOfTable(this.#storage, table.toLowerCase(), root).then(
        async (set) => (set === undefined ? await viewVersion(this.#storage, table.toLowerCase()) : undefined) ?? tableState(set),
      ),
    );
  }

  async getView({ schema, table }: SchemaTableName): Promise<ViewDefinition | undefined> {
    return schema === filesSchema ? readView(this.#storage, table) : undefined;
  }

  async getTable(name: SchemaTableName, version?: TableVersion): Promise<TableMetadata | undefined> {
    if (name.schema !== filesSchema) {
      return undefined;
    }
    const source = { name: name.table };
    const parsed = parseMetadataName(name.table);
    if (parsed !== undefined) {
      const lake = (await this.findFiles({ name: parsed.table }))?.lake;
      if (lake !== undefined && version !== undefined) {
        throw new QueryError("NOT_SUPPORTED", "Versions of metadata tables are not supported");
      }
      return lake && this.#lakes.metadataTable(name, source, lake, parsed.kind);
    }
    const read = withoutRejects(name.table);
    if (read !== undefined) {
      const set = await this.findFiles({ name: read });
      if (set !== undefined && version !== undefined) {
        throw new QueryError("NOT_SUPPORTED", "Versions of metadata tables are not supported");
      }
      return set && hasText(set) ? rejectsTable(name, { name: read }) : undefined;
    }
    const set = await this.findFiles(source);
    return set === undefined ? undefined : this.#tableOf(name, source, set, version);
  }

  async #tableOf(name: SchemaTableName, source: TableSource, set: FileSet, version?: TableVersion): Promise<TableMetadata> {
    if (set.lake !== undefined) {
      return this.#lakes.table(name, source as unknown as Readonly<Record<string, Json>>, set.lake, version);
    }
    if (version !== undefined) {
      throw new QueryError("NOT_SUPPORTED", "Versioning is only supported for Iceberg and Delta Lake tables");
    }
    const described = await this.#describe(source, set, set.files);
    if (set.written !== undefined) {
      return writtenTable(name, { handle: source as unknown as Json, described, description: set.written.description });
    }
    const { columns, orders } = columnsOf(described, "path" in source ? source.types : []);
    const handle: Handle = { ...source, ...(Object.keys(orders).length > 0 && { orders }) };
    return { name, columns, handle: handle as unknown as Json };
  }

  /** The files of a path one by one, for those who want to see how they are read. */
  async describePath(source: PathSource): Promise<readonly Described[]> {
    // In the formats of their extensions, if they have any.
    const named = await filesOfPath(this.#storage, source.path).catch((error: unknown) => {
      if (error instanceof QueryError && error.errorName === "NOT_SUPPORTED") {
        return undefined;
      }
      throw error;
    });
    const set = named ?? (await this.findFiles(source));
    return set === undefined ? [] : this.#describe(source, set, set.files);
  }

  /** The table of a table function. */
  async readPath(name: SchemaTableName, source: PathSource): Promise<TableMetadata> {
    const set = await this.findFiles(source);
    if (set === undefined) {
      throw new QueryError("FILE_NOT_FOUND", `File ${source.path} does not exist`);
    }
    return this.#tableOf(name, source, set);
  }

  /** The bad records of a table of a table function. */
  async rejectsOfPath(name: SchemaTableName, source: PathSource): Promise<TableMetadata> {
    // Types that do not belong to the files are errors now.
    await this.readPath(name, { ...source, text: { ...source.text, ignoresErrors: true } });
    return rejectsTable(name, source);
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { lake, isRejects } = handleOf(table);
    if (isRejects === true) {
      return { columns: {} };
    }
    if (lake !== undefined) {
      return lake.about === undefined ? this.#lakes.statistics(lake) : { columns: {} };
    }
    const set = await this.filesOf(table);
    const described = await this.#describe(handleOf(table), set, set.files);
    const rowCount = described.reduce((sum, one) => sum + rowsOf(one), 0);
    const footers = described.flatMap((one) => ("footer" in one ? [one.footer] : []));
    const stored = footers.length === 0 ? [] : table.columns.map(({ name }) => [name, parquetStatistics(footers, name)] as const);
    return { rowCount, columns: Object.fromEntries([...stored, ...partitionStatistics(described, rowCount)]) };
  }

  async splits(table: TableMetadata, columns: readonly ColumnMetadata[], constraint: Constraint): Promise<readonly Split[]> {
    const { lake, isRejects } = handleOf(table);
    if (isRejects === true) {
      return this.#rejectSplits(handleOf(table), columns);
    }
    if (lake !== undefined) {
      return lake.about === undefined ? this.#lakes.splits(lake, columns, constraint) : [{ payload: { lake: lake as unknown as Json } }];
    }
    const set = await this.filesOf(table);
    const keys = new Set(set.written?.description.partitionedBy ?? set.files.flatMap(({ partition }) => [...partition.keys()]));
    const matching = set.files.filter((file) => mayMatch(constantsOf(file, table.columns, keys), constraint));
    const handle = handleOf(table);
    const text = textOf(handle, set);
    const request = { columns, constraint: withoutColumns(constraint, unstoredOf(keys)), keys, handle, text, rejects: undefined };
    return this.#splitsOfAll(await this.#describe(handle, set, matching), request, set);
  }

  async #splitsOfAll(files: readonly Described[], request: SplitRequest, { skipped }: FileSet): Promise<readonly Split[]> {
    const splits: Split[] = [];
    for (const one of files) {
      splits.push(...(await this.#splitsOf(one, request)));
    }
    return withWarning(splits, skipped);
  }

  /** All records of all files are read, in all columns. */
  async #rejectSplits(handle: Handle, columns: readonly ColumnMetadata[]): Promise<readonly Split[]> {
    const set = await this.#requireFiles(handle);
    const described = await this.#describe(handle, set, set.files);
    const found = columnsOf(described, "path" in handle ? handle.types : []);
    const rejects = set.written === undefined ? found : { ...found, columns: set.written.description.columns };
    const request = { columns, constraint: alwaysTrue, keys: new Set<string>(), handle, text: textOf(handle, set), rejects };
    return this.#splitsOfAll(described, request, set);
  }

  /** Rows of the split of a table about a table. */
  metadataRows(split: Json): Rows {
    const { lake } = split as unknown as Pick<Handle, "lake">;
    assert(lake?.about !== undefined, "the split is that of a table about a table");
    return this.#lakes.metadataRows(lake, lake.about);
  }

  async #splitsOf(one: Described, { columns, constraint, keys, handle, text, rejects }: SplitRequest): Promise<readonly Split[]> {
    const isNumbered = columns.some(({ name }) => name === rowNumberColumn);
    if ("text" in one && one.text.dialect !== undefined && one.text.fields.length === 0) {
      return [];
    }
    if ("text" in one) {
      // The number of a row is known only if all rows before it are read.
      const starts = isNumbered ? [one.text.dataStart] : await this.#descriptions.splitStarts(one.file, one.text);
      const orders = rejects === undefined ? handle.orders : rejects.orders;
      const options = { starts, text, orders, rejects: rejects?.columns.map(({ name, type }) => ({ name, type })) };
      const splits = completed(textSplits(one.file, one.text, options), {
        file: one.file,
        columns,
        keys,
        firstRows: isNumbered ? () => 1 : undefined,
        pin: sharedVersion(this.#storage, one.file),
      });
      return warned(splits, titleWarning(one.file, one.text));
    }
    const unstored = unstoredOf(keys);
    const stored = withTexts(columns.filter(({ name }) => !unstored.has(name)));
    if ("arrow" in one) {
      const { splits, firstRows } = arrowSplits(one.file, one.arrow, stored);
      const numbers = isNumbered ? (_split: FileSplit, index: number) => firstRows[index] ?? 1 : undefined;
      return completed(splits, { file: one.file, columns, keys, firstRows: numbers, pin: sharedVersion(this.#storage, one.file) });
    }
    const { file, footer } = one;
    const firstRows = isNumbered ? firstRowsOf(footer) : undefined;
    return completed(parquetSplits(file, footer, { columns: stored, constraint }), {
      file,
      columns,
      keys,
      firstRows,
      pin: sharedVersion(this.#storage, file),
    });
  }

  async #describe(source: Handle, set: FileSet, files: readonly TableFile[]): Promise<readonly Described[]> {
    const described: Described[] = [];
    for (const file of files) {
      described.push(await this.#descriptions.describe(file, set.files.length, textOf(source, set)));
    }
    return described;
  }

  async filesOf(table: TableMetadata): Promise<FileSet> {
    const handle = handleOf(table);
    if (handle.lake?.about !== undefined || handle.isRejects === true) {
      throw new QueryError("NOT_SUPPORTED", `Metadata table '${table.name.table}' cannot be changed`);
    }
    const set = "path" in handle ? undefined : await this.findFiles(handle);
    if (set === undefined && !("path" in handle)) {
      // Another statement has dropped it.
      const { schema, table: name } = table.name;
      throw new QueryError("TABLE_NOT_FOUND", `Table '${schema}.${name}' does not exist`);
    }
    return set ?? this.#requireFiles(handle);
  }

  async #requireFiles(source: TableSource): Promise<FileSet> {
    const set = await this.findFiles(source);
    if (set === undefined) {
      const name = "path" in source ? source.path : source.name;
      throw new QueryError("FILE_NOT_FOUND", `The file of table '${name}' does not exist any more`);
    }
    return set;
  }

  /** A table of the name, else the files of the path. */
  async findFiles(source: TableSource): Promise<FileSet | undefined> {
    if ("path" in source) {
      return filesOfPath(this.#storage, source.path, source.format);
    }
    const set = await filesOfTable(this.#storage, source.name.toLowerCase(), await this.#root.entries());
    return set === undefined && this.hasPaths === true && looksLikePath(source.name) ? filesOfPath(this.#storage, source.name) : set;
  }
}

/** undefined for a table of a table format, of which reading the version is most of the work, and for one of very many files. */
function tableState(set: FileSet | undefined): string | undefined {
  if (set === undefined) {
    return "";
  }
  const { lake, files, skipped, written } = set;
  return lake !== undefined || files.length > filesOfStateMax
    ? undefined
    : JSON.stringify([files.map(({ path, sizeBytes, version }) => [path, sizeBytes, version]), skipped, written?.description]);
}

/** The statement that asks for the table gets the error. */
async function unlessFailed<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QueryError) {
      return undefined;
    }
    throw error;
  }
}

/** Whether the split is that of a table about a table. */
export function isMetadataSplit(split: Json): boolean {
  return (split as unknown as Pick<Handle, "lake">).lake?.about !== undefined;
}

function handleOf({ handle }: TableMetadata): Handle {
  return handle as unknown as Handle;
}

function textOf(source: Handle, { written }: FileSet): TextOptions {
  const text = "path" in source ? (source.text ?? {}) : written === undefined ? {} : textOptionsOf(written.description);
  return source.isRejects === true ? { ...text, ignoresErrors: true } : text;
}

const rejectsSuffix = "$rejects";

/** The table whose bad records a name means. */
function withoutRejects(name: string): string | undefined {
  return name.endsWith(rejectsSuffix) && name.length > rejectsSuffix.length ? name.slice(0, -rejectsSuffix.length) : undefined;
}

function hasText({ files, lake }: FileSet): boolean {
  return lake === undefined && files.every(({ format }) => !isBinaryFormat(format));
}

function rejectsTable(name: SchemaTableName, source: TableSource): TableMetadata {
  const handle: Handle = { ...source, isRejects: true };
  return { name, columns: rejectColumns, handle: handle as unknown as Json };
}

/** A table whose columns are those of its CREATE TABLE. */
function writtenTable(
  name: SchemaTableName,
  {
    handle,
    described,
    description,
  }: { readonly handle: Json; readonly described: readonly Described[]; readonly description: TableDescription },
): TableMetadata {
  const { columns, comment, sortedBy } = description;
  requireTypes(described, withTexts(columns));
  return {
    name,
    columns: [...columns, ...hiddenColumns],
    handle,
    properties: propertiesOf(description),
    ...(sortedBy.length > 0 && { sortedBy }),
    ...(comment !== undefined && { comment }),
  };
}

function unstoredOf(keys: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...keys, ...hiddenColumns.map(({ name }) => name)]);
}

function rowsOf(one: Described): number {
  return "text" in one ? one.text.rows : "arrow" in one ? arrowRows(one.arrow) : parquetRows(one.footer);
}

function partitionStatistics(described: readonly Described[], rowCount: number): readonly (readonly [string, ColumnStatistics])[] {
  const keys = new Set(described.flatMap(({ file }) => [...file.partition.keys()]));
  return [...keys].map((key) => {
    const values = new Set<string>();
    let nulls = 0;
    for (const one of described) {
      const value = one.file.partition.get(key) ?? null;
      if (value === null) {
        nulls += rowsOf(one);
      } else {
        values.add(value);
      }
    }
    return [key, { distinctValues: values.size, nullsFraction: rowCount === 0 ? 0 : nulls / rowCount }] as const;
  });
}

/** Number of the first row of each row group, from 1. */
function firstRowsOf({ rowGroups }: ParquetFooter): (split: FileSplit) => number {
  const firsts: number[] = [];
  let next = 1;
  for (const { rows } of rowGroups) {
    firsts.push(next);
    next += rows;
  }
  return (split) => (split.format === "parquet" ? (firsts[split.rowGroup] ?? 1) : 1);
}

/** Adds the values of columns that are not stored. */
function completed(
  splits: readonly Split[],
  added: {
    readonly file: TableFile;
    readonly columns: readonly ColumnMetadata[];
    readonly keys: ReadonlySet<string>;
    /** Of the split at an index. */
    readonly firstRows: ((split: FileSplit, index: number) => number) | undefined;
    readonly pin: Pick<PinnedFile, "version">;
  },
): readonly Split[] {
  const { file, columns, keys, firstRows, pin } = added;
  const constants = constantsOf(file, columns, keys);
  if (Object.keys(constants).length === 0 && firstRows === undefined && pin.version === undefined) {
    return splits;
  }
  return splits.map((split, index) => {
    const payload = split.payload as unknown as FileSplit;
    const wider: FileSplit = { ...payload, ...pin, constants, ...(firstRows !== undefined && { firstRow: firstRows(payload, index) }) };
    return { ...split, payload: wider as unknown as Json };
  });
}

/** The first split reports the files that are skipped. */
function withWarning(splits: readonly Split[], skipped: readonly string[]): readonly Split[] {
  const more = skipped.length > namedFilesMax ? ` and ${skipped.length - namedFilesMax} more` : "";
  const warning = `Files of no known format were skipped: ${skipped.slice(0, namedFilesMax).join(", ")}${more}`;
  return warned(splits, skipped.length === 0 ? undefined : warning);
}

function titleWarning(file: TableFile, { titleLines = 0 }: TextDescription): string | undefined {
  const lines = titleLines === 1 ? "a line before the header was" : `${titleLines} lines before the header were`;
  return titleLines === 0 ? undefined : `${file.path}: ${lines} skipped`;
}

/** The reader of the first split gives the warning. */
function warned(splits: readonly Split[], warning: string | undefined): readonly Split[] {
  const [first, ...others] = splits;
  if (first === undefined || warning === undefined) {
    return splits;
  }
  const payload = first.payload as unknown as FileSplit;
  const all = payload.warning === undefined ? warning : `${warning}; ${payload.warning}`;
  return [{ ...first, payload: { ...payload, warning: all } as unknown as Json }, ...others];
}
