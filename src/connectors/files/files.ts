/**
 * The files connector. Each file in a folder, or sub-folder with files of one format, is a table of schema `default`. Formats are CSV, TSV,
 * JSON (each plain, gzip or Zstandard) and Parquet. Every statement lists the folder anew. Every node needs the same files under the
 * path.
 *
 * - `files.directory` (required): a folder, or `s3://bucket/prefix`, or `https://host/folder/`, whose own properties are in
 *   shared/object-store/locations.ts.
 * - `files.split-size` (32MB): size of the splits of text files.
 * - `files.sample-size` (8MB): bytes of a text file that are read to infer the types of its columns.
 * - `files.follow-links` (false): whether links may lead out of the folder.
 * - `files.paths-enabled` (true): whether files can be read by their path.
 * - `files.writes-enabled` (false): whether tables can be created, written to and dropped, in a folder or a bucket.
 * - `files.target-max-file-size` (1GB), `files.row-group-size` (64MB), `files.max-partitions-per-writers` (100): sizes of written files,
 *   and how many of them a task writes at once.
 * - `files.leftovers-retention` (24h): when what crashed writers left is removed.
 */
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { knobOf } from "../../ports/knobs.ts";
import { base32 } from "../../ports/random.ts";
import type { Storage } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorFactory,
  type ConnectorSession,
  type Constraint,
  type EndingQuery,
  type PageSink,
  type PageSinkRequest,
  type PageSource,
  type PageSourceRequest,
  type QueryConnector,
  type Split,
  type TableMetadata,
} from "../spi.ts";
import { booleanProperty, dataSizeProperty, durationProperty, integerProperty, invalidProperty } from "../shared/properties.ts";
import type { TableFunction } from "../table-function.ts";
import { RowPageSource, type Rows } from "../shared/row-page-source.ts";
import { endingSource } from "../shared/object-store/ending-source.ts";
import type { FileCache } from "../shared/object-store/file-cache.ts";
import {
  isObjectStore,
  objectStoreProperties,
  openFileCache,
  openObjectStorage,
  partBytesOf,
  requireNoFileCache,
} from "../shared/object-store/locations.ts";
import { lifetimeOf } from "../shared/lifetime.ts";
import type { Turns } from "../shared/slices.ts";
import { ObjectStorage } from "../shared/object-store/object-storage.ts";
import type { FilesOptions } from "./descriptions.ts";
import { FilesMetadata, isMetadataSplit } from "./metadata.ts";
import { ParquetKernels } from "./parquet/kernels/kernels.ts";
import { openSniffed, readFunctions, sniffedHandle } from "./read-functions.ts";
import { ReadBuffers } from "./read-buffers.ts";
import { openSplit } from "./split-source.ts";
import type { WriteHandle } from "./write/commit.ts";
import { folderStage } from "./write/file-stage.ts";
import { FilesSink } from "./write/sink.ts";
import { Staging, stagingFolders } from "./write/staging.ts";
import { UploadStage } from "./write/store/upload-stage.ts";
import { WritableFilesMetadata } from "./write/writable-metadata.ts";

const directoryProperty = "files.directory";
const splitProperty = "files.split-size";
const sampleProperty = "files.sample-size";
const linksProperty = "files.follow-links";
const pathsProperty = "files.paths-enabled";
const writesProperty = "files.writes-enabled";
const fileSizeProperty = "files.target-max-file-size";
const rowGroupProperty = "files.row-group-size";
const partitionsProperty = "files.max-partitions-per-writers";
const retentionProperty = "files.leftovers-retention";
const fileBytesDefault = 1_073_741_824;
const rowGroupBytesDefault = 67_108_864;
const splitBytesDefault = 33_554_432;
const sampleBytesDefault = 8_388_608;

/** How the files can be named. */
interface Access {
  readonly hasPaths: boolean;
}

interface WriteOptions {
  readonly writes: Writing | undefined;
}

interface OpenedDirectory {
  readonly storage: Storage;
  readonly cache: FileCache | undefined;
}

interface Writing {
  readonly targetFileBytes: number;
  readonly rowGroupBytes: number;
  readonly partitionsMax: number;
  readonly retentionMillis: number;
  /** Of uploads to an object store. */
  readonly partBytes: number;
}

class FilesConnector implements Connector {
  readonly readsAhead = true;
  readonly metadata: FilesMetadata;
  readonly #storage: Storage;
  readonly #memory: MemoryContext;
  readonly #kernels: ParquetKernels;
  readonly #runtime: KernelRuntime;
  readonly #buffers: ReadBuffers | undefined;
  readonly #clock: Turns;

  readonly #hasPaths: boolean;
  readonly tableFunctions: readonly TableFunction[];
  /** Present if the files are in an object store; a disk answers by itself. */
  readonly forQuery?: (query: EndingQuery) => QueryConnector;
  readonly fileCache: FileCache | undefined;
  /** Present if the catalog allows writes. */
  readonly createPageSink?: (request: PageSinkRequest) => PageSink;

  constructor(context: ConnectorContext, { storage, cache }: OpenedDirectory, options: FilesOptions & Access & WriteOptions) {
    const { writes } = options;
    this.#storage = storage;
    this.fileCache = cache;
    this.#memory = context.memory.child("files");
    this.#kernels = new ParquetKernels(context.runtime);
    this.#runtime = context.runtime;
    this.#clock = context.ports.clock;
    this.#buffers = storage instanceof ObjectStorage ? undefined : new ReadBuffers();
    const reader = { storage, memory: this.#memory, kernels: this.#kernels, runtime: this.#runtime, clock: context.ports.clock };
    if (writes === undefined) {
      this.metadata = new FilesMetadata(reader, options);
    } else {
      const { staging, createPageSink } = writerOf(context, this.#storage, writes);
      this.createPageSink = createPageSink;
      const { rowGroupBytes } = writes;
      this.metadata = new WritableFilesMetadata(reader, { ...options, catalog: context.catalog, staging, rowGroupBytes });
    }
    this.#hasPaths = options.hasPaths;
    this.tableFunctions = this.#functionsOf(this.metadata);
    if (storage instanceof ObjectStorage) {
      this.forQuery = (query) => {
        const metadata = this.metadata.until(lifetimeOf(query));
        return { metadata, tableFunctions: this.#functionsOf(metadata) };
      };
    }
  }

  async getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint: Constraint = alwaysTrue,
    { query }: ConnectorSession = {},
  ): Promise<readonly Split[]> {
    if (sniffedHandle(table.handle) !== undefined) {
      return [{ payload: table.handle }];
    }
    const metadata = query === undefined || this.forQuery === undefined ? this.metadata : this.metadata.until(lifetimeOf(query));
    return metadata.splits(table, columns, constraint);
  }

  createPageSource(request: PageSourceRequest): PageSource {
    if (sniffedHandle(request.split) !== undefined) {
      return openSniffed(request.split, request);
    }
    const { columns, memory, split } = request;
    if (isMetadataSplit(split)) {
      const rows = (reader: EndingQuery): Rows => this.metadata.until(lifetimeOf(reader)).metadataRows(split);
      return new RowPageSource({ rows, columns, memory });
    }
    return endingSource(this.#storage, (storage) => {
      const reader = { storage, kernels: this.#kernels, runtime: this.#runtime, buffers: this.#buffers, clock: this.#clock };
      return openSplit(reader, request);
    });
  }

  #functionsOf(metadata: FilesMetadata): readonly TableFunction[] {
    return this.#hasPaths ? readFunctions(metadata) : [];
  }

  close(): void {
    this.fileCache?.close();
    this.#memory.close();
  }
}

/** Names of writes, and sinks whose files no other sink has: those of a restarted node, or of another, have another token. */
function writerOf(
  { ports, catalog, nodeId }: ConnectorContext,
  storage: Storage,
  { targetFileBytes, rowGroupBytes, partitionsMax, retentionMillis, partBytes }: Writing,
): { readonly staging: Staging; readonly createPageSink: (request: PageSinkRequest) => PageSink } {
  const random = ports.random.stream(`files-writes-${catalog}`);
  const { clock, log } = ports;
  const graceMs = knobOf(ports, "store-cleanup-ms");
  const token = random.nextText(8, base32);
  let sinks = 0;
  return {
    staging: new Staging({ storage, clock, random, log, catalog, retentionMillis, graceMs }),
    createPageSink: ({ handle, columns, taskId, memory }) => {
      const { write, description, folder } = handle as unknown as WriteHandle;
      const sink = `${taskId}_${token}_${sinks++}`;
      const stage =
        storage instanceof ObjectStorage && storage.writer !== undefined
          ? new UploadStage({ storage, grace: { clock, graceMs }, folder: `${folder}/${write}`, token: sink, partBytes, memory })
          : folderStage(storage, `${stagingFolders.writes}/${write}/${sink}`);
      return new FilesSink({ stage, nodeId, table: description, columns, targetFileBytes, rowGroupBytes, partitionsMax, memory });
    },
  };
}

function writingOf(properties: Readonly<Record<string, string>>): Writing | undefined {
  const targetFileBytes = dataSizeProperty(properties, fileSizeProperty) ?? fileBytesDefault;
  const rowGroupBytes = dataSizeProperty(properties, rowGroupProperty) ?? rowGroupBytesDefault;
  const partitionsMax = integerProperty(properties, partitionsProperty, { min: 1, max: 10_000, default: 100 });
  const retentionMillis = durationProperty(properties, retentionProperty, "24h");
  const partBytes = partBytesOf(properties);
  return booleanProperty(properties, writesProperty, false)
    ? { targetFileBytes, rowGroupBytes, partitionsMax, retentionMillis, partBytes }
    : undefined;
}

export const filesConnectorFactory: ConnectorFactory = {
  name: "files",
  properties: [
    directoryProperty,
    splitProperty,
    sampleProperty,
    linksProperty,
    pathsProperty,
    writesProperty,
    fileSizeProperty,
    rowGroupProperty,
    partitionsProperty,
    retentionProperty,
    ...objectStoreProperties,
  ],
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
    const hasPaths = booleanProperty(properties, pathsProperty, true);
    const writes = writingOf(properties);
    const opened = openDirectory(directory, properties, { context, isWritable: writes !== undefined });
    return new FilesConnector(context, opened, { splitBytes, sampleBytes, hasPaths, writes });
  },
};

function openDirectory(
  directory: string,
  properties: Readonly<Record<string, string>>,
  { context, isWritable }: { readonly context: ConnectorContext; readonly isWritable: boolean },
): OpenedDirectory {
  const { catalog, ports } = context;
  const followsLinks = booleanProperty(properties, linksProperty, false);
  if (!isObjectStore(directory)) {
    requireNoFileCache(properties);
    return { storage: ports.openFolder(directory, { followsLinks, writable: isWritable }), cache: undefined };
  }
  const cache = openFileCache(properties, context);
  const storage = openObjectStorage(directory, properties, { property: directoryProperty, catalog, ports, cache });
  if (isWritable && storage.writer === undefined) {
    throw new QueryError("CONFIGURATION_INVALID", `Property '${writesProperty}' needs a folder or a bucket: web servers are read only`);
  }
  return { storage, cache };
}
