/**
 * The files connector. Each file in a folder, or sub-folder with files of one format, is a table of schema `default`. Formats are CSV, TSV,
 * JSON (each plain, gzip or Zstandard) and Parquet. Every statement lists the folder anew. Every node needs the same files under the
 * path.
 *
 * - `files.directory` (required)
 * - `files.split-size` (32MB): size of the splits of text files.
 * - `files.sample-size` (8MB): bytes of a text file that are read to infer the types of its columns.
 * - `files.follow-links` (false): whether links may lead out of the folder.
 * - `files.paths-enabled` (true): whether files can be read by their path.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Storage } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorFactory,
  type Constraint,
  type PageSource,
  type PageSourceRequest,
  type Split,
  type TableMetadata,
} from "../spi.ts";
import { booleanProperty, dataSizeProperty, invalidProperty } from "../shared/properties.ts";
import type { TableFunction } from "../table-function.ts";
import { NoRows } from "../shared/no-rows.ts";
import { ConstantColumns, mayMatch, rowNumberColumn, withoutColumns } from "./constants.ts";
import type { FilesOptions } from "./descriptions.ts";
import { FilesMetadata, type FileSplit } from "./metadata.ts";
import { ParquetKernels } from "./parquet/kernels/kernels.ts";
import { ParquetPageSource } from "./parquet/page-source.ts";
import { openSniffed, readFunctions, sniffedHandle } from "./read-functions.ts";
import { openTextSplit } from "./text/table.ts";

const directoryProperty = "files.directory";
const splitProperty = "files.split-size";
const sampleProperty = "files.sample-size";
const linksProperty = "files.follow-links";
const pathsProperty = "files.paths-enabled";
const splitBytesDefault = 33_554_432;
const sampleBytesDefault = 8_388_608;

/** What of the folder, and beyond it, can be read. */
interface Access {
  readonly followsLinks: boolean;
  readonly hasPaths: boolean;
}

class FilesConnector implements Connector {
  readonly metadata: FilesMetadata;
  readonly #storage: Storage;
  readonly #memory: MemoryContext;
  readonly #kernels: ParquetKernels;

  readonly tableFunctions: readonly TableFunction[];

  constructor(context: ConnectorContext, directory: string, options: FilesOptions & Access) {
    this.#storage = context.ports.openFolder(directory, { followsLinks: options.followsLinks });
    this.#memory = context.memory.child("files");
    this.#kernels = new ParquetKernels(context.runtime);
    this.metadata = new FilesMetadata(this.#storage, options, this.#memory);
    this.tableFunctions = options.hasPaths ? readFunctions(this.metadata) : [];
  }

  async getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint: Constraint = alwaysTrue,
  ): Promise<readonly Split[]> {
    return sniffedHandle(table.handle) === undefined ? this.metadata.splits(table, columns, constraint) : [{ payload: table.handle }];
  }

  createPageSource(request: PageSourceRequest): PageSource {
    if (sniffedHandle(request.split) !== undefined) {
      return openSniffed(request.split, request);
    }
    const split = request.split as unknown as FileSplit;
    const { columns, memory, constraint = alwaysTrue } = request;
    if (split.warning !== undefined) {
      request.onWarning?.(split.warning);
    }
    const { constants = {}, firstRow } = split;
    if (Object.keys(constants).length === 0 && firstRow === undefined) {
      return this.#open(split, columns, request, constraint);
    }
    if (!mayMatch(constants, constraint)) {
      return new NoRows();
    }
    const unstored = new Set([...Object.keys(constants), rowNumberColumn]);
    const stored = columns.filter(({ name }) => !unstored.has(name));
    const source = this.#open(split, stored, request, withoutColumns(constraint, unstored));
    return new ConstantColumns({ source, columns, constants, firstRow: firstRow ?? 1, memory: memory.child("files columns") });
  }

  close(): void {
    this.#memory.close();
  }

  #open(split: FileSplit, columns: readonly ColumnMetadata[], request: PageSourceRequest, constraint: Constraint): PageSource {
    const { memory, onWarning } = request;
    return split.format === "parquet"
      ? new ParquetPageSource(this.#storage, { split, columns, memory, kernels: this.#kernels, constraint })
      : openTextSplit(this.#storage, split, { columns, memory, onWarning });
  }
}

export const filesConnectorFactory: ConnectorFactory = {
  name: "files",
  properties: [directoryProperty, splitProperty, sampleProperty, linksProperty, pathsProperty],
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
    const followsLinks = booleanProperty(properties, linksProperty, false);
    const hasPaths = booleanProperty(properties, pathsProperty, true);
    return new FilesConnector(context, directory, { splitBytes, sampleBytes, followsLinks, hasPaths });
  },
};
