/**
 * The connector of SQLite's database files. It reads them itself, through the storage of the node, so that they may lie in a folder, in an
 * object store or on a web server. It takes no locks, and writes nothing.
 *
 * - `sqlite.file`: one database; its schema is `main`.
 * - `sqlite.directory`: a folder of databases (`.db`, `.db3`, `.sqlite`, `.sqlite3`); each is a schema of its name.
 * - `sqlite.split-size` (32MB): size of the parts in which a table is read.
 * - `sqlite.all-varchar` (false): whether all columns are texts, whatever their declared types.
 * - `sqlite.follow-links` (false): whether links may lead out of the folder.
 */
import { QueryError } from "../../protocol/errors.ts";
import { type Lifetime, unending } from "../../ports/lifetime.ts";
import type { Storage } from "../../ports/storage.ts";
import { lifetimeOf } from "../shared/lifetime.ts";
import { endingSource } from "../shared/object-store/ending-source.ts";
import type { FileCache } from "../shared/object-store/file-cache.ts";
import {
  isObjectStore,
  objectStoreProperties,
  openFileCache,
  openObjectStorage,
  requireNoFileCache,
} from "../shared/object-store/locations.ts";
import { ObjectStorage } from "../shared/object-store/object-storage.ts";
import { booleanProperty, dataSizeProperty, invalidProperty } from "../shared/properties.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorFactory,
  type ConnectorSession,
  type Constraint,
  type EndingQuery,
  type PageSource,
  type PageSourceRequest,
  type Split,
  type TableMetadata,
} from "../spi.ts";
import { SqliteDatabases } from "./databases.ts";
import { handleOf, rowidRangeOf, type SplitPayload } from "./handle.ts";
import { SqliteMetadata, type SqliteOptions } from "./metadata.ts";
import { SqlitePageSource } from "./page-source.ts";

const fileProperty = "sqlite.file";
const directoryProperty = "sqlite.directory";
const splitProperty = "sqlite.split-size";
const varcharProperty = "sqlite.all-varchar";
const linksProperty = "sqlite.follow-links";
const splitBytesDefault = 33_554_432;

class SqliteConnector implements Connector {
  readonly metadata: SqliteMetadata;
  readonly fileCache: FileCache | undefined;
  /** Present if the databases are in an object store. */
  readonly forQuery?: (query: EndingQuery) => { readonly metadata: SqliteMetadata };
  readonly #storage: Storage;

  constructor({ storage, cache }: OpenedPlace, file: string | undefined, options: SqliteOptions) {
    this.#storage = storage;
    this.fileCache = cache;
    const databases = new SqliteDatabases(storage, file);
    const metadataUntil = (life: Lifetime): SqliteMetadata => new SqliteMetadata(databases.until(life), options);
    this.metadata = metadataUntil(unending);
    if (storage instanceof ObjectStorage) {
      this.forQuery = (query) => ({ metadata: metadataUntil(lifetimeOf(query)) });
    }
  }

  getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint: Constraint = alwaysTrue,
    session: ConnectorSession = {},
  ): Promise<readonly Split[]> {
    const { query } = session;
    const { metadata } = (query && this.forQuery?.(query)) ?? this;
    return metadata.splits(table, columns, constraint, session);
  }

  createPageSource({ table, split, columns, memory, constraint = alwaysTrue }: PageSourceRequest): PageSource {
    const handle = handleOf(table);
    const rowids = handle.limit === undefined ? rowidRangeOf(handle, constraint.summary) : {};
    const payload = split as unknown as SplitPayload;
    return endingSource(this.#storage, (storage) => new SqlitePageSource({ storage, handle, split: payload, columns, rowids, memory }));
  }

  close(): void {
    this.fileCache?.close();
  }
}

interface OpenedPlace {
  readonly storage: Storage;
  readonly cache: FileCache | undefined;
}

interface Place {
  readonly directory: string;
  /** Name of the file in it; undefined for all. */
  readonly file?: string;
  readonly property: string;
}

/** Throws CONFIGURATION_INVALID. */
function placeOf(properties: Readonly<Record<string, string>>): Place {
  const [file, directory] = [fileProperty, directoryProperty].map((name) => properties[name]?.trim() ?? "");
  if ((file === "") === (directory === "")) {
    throw new QueryError("CONFIGURATION_INVALID", `One of the properties '${fileProperty}' and '${directoryProperty}' is required`);
  }
  if (directory !== undefined && directory !== "") {
    return { directory, property: directoryProperty };
  }
  const match = /^(.*[/\\])?([^/\\]+)$/s.exec(file ?? "");
  if (match === null) {
    throw invalidProperty(fileProperty, file ?? "");
  }
  const [, folder = ".", name = ""] = match;
  return { directory: folder, file: name, property: fileProperty };
}

function openPlace({ directory, property }: Place, properties: Readonly<Record<string, string>>, context: ConnectorContext): OpenedPlace {
  const { ports, catalog } = context;
  if (!isObjectStore(directory)) {
    requireNoFileCache(properties);
    const followsLinks = booleanProperty(properties, linksProperty, false);
    return { storage: ports.openFolder(directory, { followsLinks }), cache: undefined };
  }
  const cache = openFileCache(properties, context);
  return { storage: openObjectStorage(directory, properties, { property, catalog, ports, cache }), cache };
}

export const sqliteConnectorFactory: ConnectorFactory = {
  name: "sqlite",
  properties: [fileProperty, directoryProperty, splitProperty, varcharProperty, linksProperty, ...objectStoreProperties],
  create: (properties, context) => {
    const place = placeOf(properties);
    const splitBytes = dataSizeProperty(properties, splitProperty) ?? splitBytesDefault;
    if (splitBytes === 0) {
      throw invalidProperty(splitProperty, properties[splitProperty] ?? "");
    }
    const isAllVarchar = booleanProperty(properties, varcharProperty, false);
    return new SqliteConnector(openPlace(place, properties, context), place.file, { splitBytes, isAllVarchar });
  },
};
