/**
 * The files connector. Each file in a folder, or sub-folder with files of one format, is a table of schema `default`. Formats are CSV, TSV,
 * JSON lines (each plain or gzip) and Parquet. Every statement lists the folder anew. The description of a file is cached until its version
 * changes. Every node needs the same files under the path.
 *
 * - `files.directory` (required)
 * - `files.split-size` (32MB): size of the splits of text files.
 * - `files.sample-size` (8MB): bytes of a text file that are read to infer the types of its columns.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Storage } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import { displayType, sameType } from "../../types/type.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorFactory,
  type ConnectorMetadata,
  type Constraint,
  type PageSource,
  type PageSourceRequest,
  type SchemaTableName,
  type Split,
  type TableMetadata,
  type TableStatistics,
} from "../spi.ts";
import { dataSizeProperty, invalidProperty } from "../shared/properties.ts";
import { badFile } from "./errors.ts";
import { filesOfTable, listTables, type TableFile } from "./folder.ts";
import { type Seen, seen, typeOf } from "./text/inference.ts";
import { type ParquetFooter, readFooter } from "./parquet/footer.ts";
import { ParquetKernels } from "./parquet/kernels/kernels.ts";
import { ParquetPageSource, type ParquetSplit } from "./parquet/page-source.ts";
import { parquetColumns, parquetRows, parquetSplits, parquetStatistics } from "./parquet/parquet-table.ts";
import { describeTextFile, openTextSplit, type TextDescription, type TextSplit, textSplits, textSplitStarts } from "./text/table.ts";

const directoryProperty = "files.directory";
const splitProperty = "files.split-size";
const sampleProperty = "files.sample-size";
const schema = "default";
const splitBytesDefault = 33_554_432;
const sampleBytesDefault = 8_388_608;
/** Minimum sample of each file of a folder, in bytes, however many files there are. */
const sampleBytesMin = 65_536;
const knownFilesMax = 1000;

interface FilesOptions {
  readonly splitBytes: number;
  readonly sampleBytes: number;
}

type Described =
  | { readonly file: TableFile; readonly text: TextDescription }
  | { readonly file: TableFile; readonly footer: ParquetFooter };

/** Cache of file descriptions by path. Another version is another file. Evicts the oldest entry. */
class KnownFiles<T> {
  readonly #known = new Map<string, { readonly version: string; readonly value: T }>();

  async get(file: TableFile, variant: string, find: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([file.path, variant]);
    const version = `${file.version}/${file.sizeBytes}`;
    const known = this.#known.get(key);
    if (known?.version === version) {
      return known.value;
    }
    const value = await find();
    this.#known.delete(key);
    this.#known.set(key, { version, value });
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownFilesMax && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    return value;
  }
}

class FilesMetadata implements ConnectorMetadata {
  readonly #storage: Storage;
  readonly #options: FilesOptions;
  readonly #memory: MemoryContext;
  readonly #texts = new KnownFiles<TextDescription>();
  readonly #footers = new KnownFiles<ParquetFooter>();
  readonly #splitStarts = new KnownFiles<readonly number[]>();

  constructor(storage: Storage, options: FilesOptions, memory: MemoryContext) {
    this.#storage = storage;
    this.#options = options;
    this.#memory = memory;
  }

  async listSchemas(): Promise<readonly string[]> {
    return [schema];
  }

  async listTables(name: string): Promise<readonly string[]> {
    return name === schema ? listTables(this.#storage) : [];
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const files = name.schema === schema ? await filesOfTable(this.#storage, name.table) : undefined;
    if (files === undefined) {
      return undefined;
    }
    const columns = columnsOf(await this.#describeAll(files));
    return { name, columns, handle: { table: name.table } };
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const described = await this.#describe(table);
    const rowCount = described.reduce((sum, one) => sum + ("text" in one ? one.text.rows : parquetRows(one.footer)), 0);
    const footers = described.flatMap((one) => ("text" in one ? [] : [one.footer]));
    const columns = footers.length === 0 ? [] : table.columns.map(({ name }) => [name, parquetStatistics(footers, name)] as const);
    return { rowCount, columns: Object.fromEntries(columns) };
  }

  async splits(table: TableMetadata, columns: readonly ColumnMetadata[], constraint: Constraint): Promise<readonly Split[]> {
    const splits: Split[] = [];
    for (const one of await this.#describe(table)) {
      splits.push(
        ...("text" in one ? await this.#textSplits(one.file, one.text) : parquetSplits(one.file, one.footer, { columns, constraint })),
      );
    }
    return splits;
  }

  async #textSplits(file: TableFile, description: TextDescription): Promise<readonly Split[]> {
    const { splitBytes } = this.#options;
    const starts = await this.#splitStarts.get(file, "splits", () => textSplitStarts(this.#storage, file, { description, splitBytes }));
    return textSplits(file, description, starts);
  }

  async #describe(table: TableMetadata): Promise<readonly Described[]> {
    const files = await filesOfTable(this.#storage, table.name.table);
    if (files === undefined) {
      throw new QueryError("FILE_NOT_FOUND", `The file of table '${table.name.table}' does not exist any more`);
    }
    return this.#describeAll(files);
  }

  async #describeAll(files: readonly TableFile[]): Promise<readonly Described[]> {
    const sampleBytes = Math.max(sampleBytesMin, Math.floor(this.#options.sampleBytes / files.length));
    const described: Described[] = [];
    for (const file of files) {
      described.push(
        file.format === "parquet"
          ? { file, footer: await this.#footers.get(file, "footer", () => readFooter(this.#storage, file)) }
          : {
              file,
              text: await this.#texts.get(file, `sample ${sampleBytes}`, () =>
                describeTextFile(this.#storage, file, { sampleBytes, memory: this.#memory }),
              ),
            },
      );
    }
    return described;
  }
}

/** Columns of all files, in order of first appearance. */
function columnsOf(described: readonly Described[]): readonly ColumnMetadata[] {
  const kinds = new Map<string, Seen>();
  const columns = new Map<string, ColumnMetadata>();
  for (const one of described) {
    if ("text" in one) {
      one.text.fields.forEach((name, index) => {
        kinds.set(name, (kinds.get(name) ?? seen.nothing) | (one.text.kinds[index] ?? seen.nothing));
      });
      continue;
    }
    for (const column of parquetColumns(one.footer)) {
      const known = columns.get(column.name);
      if (known === undefined) {
        columns.set(column.name, column);
      } else if (!sameType(known.type, column.type)) {
        const found = `column ${column.name} is ${displayType(column.type)}, but ${displayType(known.type)} in other files of its table`;
        throw badFile(one.file.path, "", found);
      }
    }
  }
  for (const [name, found] of kinds) {
    columns.set(name, { name, type: typeOf(found) });
  }
  const [first] = described;
  if (columns.size === 0 && first !== undefined) {
    throw badFile(first.file.path, "", "the file has no columns");
  }
  return [...columns.values()];
}

class FilesConnector implements Connector {
  readonly metadata: FilesMetadata;
  readonly #storage: Storage;
  readonly #memory: MemoryContext;
  readonly #kernels: ParquetKernels;

  constructor(context: ConnectorContext, directory: string, options: FilesOptions) {
    this.#storage = context.ports.openFolder(directory);
    this.#memory = context.memory.child("files");
    this.#kernels = new ParquetKernels(context.runtime);
    this.metadata = new FilesMetadata(this.#storage, options, this.#memory);
  }

  async getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint: Constraint = alwaysTrue,
  ): Promise<readonly Split[]> {
    return this.metadata.splits(table, columns, constraint);
  }

  createPageSource(request: PageSourceRequest): PageSource {
    const { columns, memory, constraint = alwaysTrue } = request;
    const split = request.split as unknown as TextSplit | ParquetSplit;
    return split.format === "parquet"
      ? new ParquetPageSource(this.#storage, { split, columns, memory, kernels: this.#kernels, constraint })
      : openTextSplit(this.#storage, split, { columns, memory });
  }

  close(): void {
    this.#memory.close();
  }
}

export const filesConnectorFactory: ConnectorFactory = {
  name: "files",
  properties: [directoryProperty, splitProperty, sampleProperty],
  create: (properties, context) => {
    const directory = properties[directoryProperty]?.trim() ?? "";
    if (directory === "") {
      throw new QueryError("CONFIGURATION_INVALID", `Property '${directoryProperty}' is required`);
    }
    const splitBytes = dataSizeProperty(properties, splitProperty) ?? splitBytesDefault;
    const sampleBytes = dataSizeProperty(properties, sampleProperty) ?? sampleBytesDefault;
    if (splitBytes === 0) {
      throw invalidProperty(splitProperty, properties[splitProperty] ?? "");
    }
    return new FilesConnector(context, directory, { splitBytes, sampleBytes });
  },
};
