/**
 * The iceberg connector: tables of a catalog of Iceberg's REST protocol, whose files lie in buckets of S3 or of Google, or in containers
 * of Azure. Each statement asks the catalog for the metadata of its tables. Credentials that the catalog gives are asked for by each node
 * itself, so that no split and no plan has them.
 *
 * - `iceberg.catalog.type` (required): `rest`; further properties are in rest-options.ts.
 * - `s3.*`, `gcs.*`, `azure.*`: of the buckets and containers, in shared/object-store/locations.ts.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import { type Lifetime, unending } from "../../../../ports/lifetime.ts";
import type { Storage } from "../../../../ports/storage.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { endingSource } from "../../../shared/object-store/ending-source.ts";
import type { FileCache } from "../../../shared/object-store/file-cache.ts";
import { objectStoreProperties, openFileCache, openObjectStorage, openStoreClient } from "../../../shared/object-store/locations.ts";
import type { StoreClient } from "../../../shared/object-store/store-client.ts";
import { lifetimeOf } from "../../../shared/lifetime.ts";
import { RowPageSource, type Rows } from "../../../shared/row-page-source.ts";
import {
  alwaysTrue,
  type ColumnMetadata,
  type Connector,
  type ConnectorContext,
  type ConnectorFactory,
  type ConnectorMetadata,
  type ConnectorSession,
  type Constraint,
  type EndingQuery,
  type Json,
  type PageSource,
  type PageSourceRequest,
  type SchemaTableName,
  type Split,
  type TableMetadata,
  type TableStatistics,
  type TableVersion,
} from "../../../spi.ts";
import { Descriptions } from "../../descriptions.ts";
import { ParquetKernels } from "../../parquet/kernels/kernels.ts";
import { openSplit } from "../../split-source.ts";
import { IcebergMetadata } from "../iceberg/metadata.ts";
import { type Document, textAt } from "../json.ts";
import { type LakeHandle, Lakes } from "../lakes.ts";
import { describedTable, type MetadataTableKind, parseMetadataName } from "../metadata-tables/metadata-tables.ts";
import type { LakePlace } from "../place.ts";
import { fileInStore } from "./addresses.ts";
import { type LoadedTable, type Namespace, RestCatalog } from "./rest-catalog.ts";
import { restCatalogProperties, type RestOptions, restOptionsOf } from "./rest-options.ts";
import { vendedCredentials } from "./vended-credentials.ts";

const sampleBytes = 8_388_608;
/** Tables whose storage or metadata are kept. */
const storagesMax = 8;
const loadedMax = 100;

/** Plain JSON. */
interface Handle {
  readonly schema: string;
  readonly table: string;
  /** Address of the bucket or container. */
  readonly root: string;
  readonly lake: LakeHandle;
}

interface Opened {
  readonly storage: Storage;
  readonly lakes: Lakes;
}

/** What the tables of the catalog are read with, on this node. */
class IcebergTables {
  readonly options: RestOptions;
  readonly fileCache: FileCache | undefined;
  readonly context: ConnectorContext;
  readonly kernels: ParquetKernels;
  readonly catalog: RestCatalog;
  readonly #properties: Readonly<Record<string, string>>;
  readonly #client: StoreClient;
  readonly #memory: MemoryContext;
  /** By root or, with credentials of the catalog, by table. The oldest comes first. */
  readonly #opened = new Map<string, Opened>();
  /** The tables of the last statements, by name. */
  readonly #loaded = new Map<string, LoadedTable>();

  constructor(properties: Readonly<Record<string, string>>, context: ConnectorContext) {
    this.#properties = properties;
    this.context = context;
    this.options = restOptionsOf(properties);
    this.#client = openStoreClient(properties, context);
    this.fileCache = openFileCache(properties, context);
    this.catalog = new RestCatalog(this.options, { client: this.#client, clock: context.ports.clock });
    this.#memory = context.memory.child("iceberg");
    this.kernels = new ParquetKernels(context.runtime);
    // Reports a property that is not valid when the catalog is made, and not with the first query.
    for (const root of ["s3://checked", "gs://checked", "abfss://checked@checked.dfs.core.windows.net"]) {
      this.open(root, "", undefined);
    }
  }

  close(): void {
    this.fileCache?.close();
    this.#memory.close();
  }

  namespaceOf(schema: string): Namespace | undefined {
    const parts = schema.split(".");
    return parts.some((part) => part === "") || (parts.length > 1 && !this.options.hasNestedNamespaces) ? undefined : parts;
  }

  async load(schema: string, table: string, life: Lifetime): Promise<LoadedTable | undefined> {
    const namespace = this.namespaceOf(schema);
    const loaded = namespace === undefined ? undefined : await this.catalog.until(life).load(namespace, table);
    if (loaded !== undefined) {
      keep(this.#loaded, placeOf(schema, table), loaded, loadedMax);
    }
    return loaded;
  }

  open(root: string, schema: string, table: string | undefined): Opened {
    const { hasVendedCredentials } = this.options;
    const key = hasVendedCredentials ? JSON.stringify([root, schema, table]) : root;
    const known = this.#opened.get(key);
    if (known !== undefined) {
      return known;
    }
    const { ports, catalog, runtime } = this.context;
    const { clock } = ports;
    const config = async (life: Lifetime): Promise<Document> => (await this.load(schema, table ?? "", life))?.config ?? {};
    const storage = openObjectStorage(root, this.#properties, {
      property: "iceberg.rest-catalog.uri",
      catalog,
      ports,
      client: this.#client,
      cache: this.fileCache,
      sharers: storagesMax,
      ...(hasVendedCredentials && { given: vendedCredentials({ config, root, clock }) }),
    });
    const descriptions = new Descriptions(storage, { splitBytes: sampleBytes, sampleBytes }, { memory: this.#memory, runtime, clock });
    const reader = { storage, memory: this.#memory, kernels: this.kernels, clock };
    const opened = { storage, lakes: new Lakes(reader, descriptions, (place, life) => this.#metadataAt(place, life)) };
    if (table !== undefined) {
      keep(this.#opened, key, opened, storagesMax);
    }
    return opened;
  }

  /** As the statement has loaded it. On another node, or after many other tables, it is loaded again: it has the same versions. */
  async #metadataAt(place: string, life: Lifetime): Promise<IcebergMetadata> {
    const [schema = "", table = ""] = JSON.parse(place) as readonly string[];
    const loaded = this.#loaded.get(place) ?? (await this.load(schema, table, life));
    if (loaded === undefined) {
      throw new QueryError("TABLE_NOT_FOUND", `Table '${this.context.catalog}.${schema}.${table}' does not exist any more`);
    }
    const root = rootOf(loaded);
    return new IcebergMetadata(place, `${schema}.${table}`, {
      identity: loaded.identity,
      document: loaded.metadata,
      locate: (address) => {
        const found = fileInStore(address);
        return found?.root === root ? found.key : undefined;
      },
    });
  }
}

/** What waits for the catalog or for a store ends with the lifetime. */
class IcebergCatalogMetadata implements ConnectorMetadata {
  readonly hasVersions = true;
  readonly #tables: IcebergTables;
  readonly #catalog: RestCatalog;
  readonly #life: Lifetime;

  constructor(tables: IcebergTables, life: Lifetime) {
    this.#tables = tables;
    this.#catalog = tables.catalog.until(life);
    this.#life = life;
  }

  describedTable(name: SchemaTableName): SchemaTableName | undefined {
    return describedTable(name);
  }

  /** Names that are not in lower case cannot be named in a statement. */
  async listSchemas(): Promise<readonly string[]> {
    const names = (await this.#catalog.namespaces()).flatMap((one) => (one.some((part) => part.includes(".")) ? [] : [one.join(".")]));
    return names.filter(isLower).toSorted();
  }

  async hasSchema(schema: string): Promise<boolean> {
    const namespace = this.#tables.namespaceOf(schema);
    return namespace !== undefined && (await this.#catalog.hasNamespace(namespace));
  }

  async listTables(schema: string): Promise<readonly string[]> {
    const namespace = this.#tables.namespaceOf(schema);
    const names = namespace === undefined ? [] : await this.#catalog.tables(namespace);
    return names.filter((name) => isLower(name) && parseMetadataName(name) === undefined).toSorted();
  }

  async getTable(name: SchemaTableName, version?: TableVersion): Promise<TableMetadata | undefined> {
    const parsed = parseMetadataName(name.table);
    const { schema } = name;
    const table = parsed?.table ?? name.table;
    const loaded = await this.#tables.load(schema, table, this.#life);
    if (loaded === undefined) {
      return undefined;
    }
    const root = rootOf(loaded);
    const lakes = this.#tables.open(root, schema, table).lakes.until(this.#life);
    const source = { schema, table, root };
    const place: LakePlace = { kind: "iceberg", folder: placeOf(schema, table) };
    if (parsed === undefined) {
      return lakes.table(name, source, place, version);
    }
    if (version !== undefined) {
      throw new QueryError("NOT_SUPPORTED", "Versions of metadata tables are not supported");
    }
    return lakes.metadataTable(name, source, place, parsed.kind);
  }

  async getStatistics(table: TableMetadata): Promise<TableStatistics> {
    const { lake, ...place } = handleOf(table.handle);
    return lake.about === undefined ? this.#lakesOf(place).statistics(lake) : { columns: {} };
  }

  async splits(table: TableMetadata, columns: readonly ColumnMetadata[], constraint: Constraint): Promise<readonly Split[]> {
    const { lake, ...place } = handleOf(table.handle);
    return lake.about === undefined ? this.#lakesOf(place).splits(lake, columns, constraint) : [{ payload: null }];
  }

  async *rows(table: Json, about: MetadataTableKind): Rows {
    const { lake, ...place } = handleOf(table);
    yield* this.#lakesOf(place).metadataRows(lake, about);
  }

  #lakesOf({ root, schema, table }: Omit<Handle, "lake">): Lakes {
    return this.#tables.open(root, schema, table).lakes.until(this.#life);
  }
}

class IcebergConnector implements Connector {
  readonly readsAhead = true;
  readonly metadata: IcebergCatalogMetadata;
  readonly fileCache: FileCache | undefined;
  readonly #tables: IcebergTables;

  constructor(properties: Readonly<Record<string, string>>, context: ConnectorContext) {
    this.#tables = new IcebergTables(properties, context);
    this.fileCache = this.#tables.fileCache;
    this.metadata = new IcebergCatalogMetadata(this.#tables, unending);
  }

  forQuery(query: EndingQuery): { readonly metadata: IcebergCatalogMetadata } {
    return { metadata: new IcebergCatalogMetadata(this.#tables, lifetimeOf(query)) };
  }

  async getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint: Constraint = alwaysTrue,
    { query }: ConnectorSession = {},
  ): Promise<readonly Split[]> {
    const { metadata } = query === undefined ? this : this.forQuery(query);
    return metadata.splits(table, columns, constraint);
  }

  createPageSource(request: PageSourceRequest): PageSource {
    const { root, schema, table, lake } = handleOf(request.table);
    const { about } = lake;
    if (about !== undefined) {
      const { columns, memory } = request;
      const rows = (reader: EndingQuery): Rows => this.forQuery(reader).metadata.rows(request.table, about);
      return new RowPageSource({ rows, columns, memory });
    }
    const { kernels, context } = this.#tables;
    const { runtime, ports } = context;
    return endingSource(this.#tables.open(root, schema, table).storage, (storage) =>
      openSplit({ storage, kernels, runtime, buffers: undefined, clock: ports.clock }, request),
    );
  }

  close(): void {
    this.#tables.close();
  }
}

function keep<T>(kept: Map<string, T>, key: string, value: T, countMax: number): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > countMax && oldest !== undefined) {
    kept.delete(oldest);
  }
}

function handleOf(handle: Json): Handle {
  return handle as unknown as Handle;
}

function placeOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

function isLower(name: string): boolean {
  return name === name.toLowerCase() && name !== "information_schema";
}

function rootOf({ metadata }: LoadedTable): string {
  const location = textAt(metadata, "location") ?? "";
  const found = fileInStore(location);
  if (found === undefined) {
    throw new QueryError(
      "NOT_SUPPORTED",
      `Tables outside of S3, Google Cloud Storage and Azure are not supported: ${location.slice(0, 200)}`,
    );
  }
  return found.root;
}

export const icebergConnectorFactory: ConnectorFactory = {
  name: "iceberg",
  properties: [...restCatalogProperties, ...objectStoreProperties.filter((name) => !name.startsWith("http."))],
  create: (properties, context) => new IcebergConnector(properties, context),
};
