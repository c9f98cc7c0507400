/**
 * Locations of object stores in properties of catalogs: `s3://bucket/prefix`, `gs://bucket/prefix`, `http(s)://host/folder/`, and those of
 * Azure. Properties have Trino's names where Trino has them.
 */
import type { Ports } from "../../../ports/ports.ts";
import type { AccessKeys, Outbound } from "../../../ports/outbound.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { booleanProperty, dataSizeProperty, durationProperty, integerProperty, invalidProperty } from "../properties.ts";
import { azureAccountOf, azureAccountWithSas, azureProperties } from "./azure/account.ts";
import { AzureStore } from "./azure/azure-store.ts";
import { isAzureLocation, parseAzureLocation } from "./azure/location.ts";
import type { ExpiringValue } from "./expiring.ts";
import { FileCache } from "./file-cache.ts";
import { ObjectStorage } from "./object-storage.ts";
import { gcsAccountOf, gcsProperties } from "./gcs/account.ts";
import { gcsDialect } from "./gcs/dialect.ts";
import { partBytesMin } from "./object-store.ts";
import { awsDialect, S3Store } from "./s3-store.ts";
import { StoreClient } from "./store-client.ts";
import { WebStore } from "./web-store.ts";

type Properties = Readonly<Record<string, string>>;

const endpointProperty = "s3.endpoint";
const regionProperty = "s3.region";
const pathStyleProperty = "s3.path-style-access";
const accessKeyProperty = "s3.aws-access-key";
const secretKeyProperty = "s3.aws-secret-key";
const sessionTokenProperty = "s3.aws-session-token";
const profileProperty = "s3.profile";
const unsignedProperty = "s3.anonymous";
const connectionsProperty = "s3.max-connections";
const retriesProperty = "s3.max-error-retries";
const timeoutProperty = "s3.socket-read-timeout";
const readAheadProperty = "s3.read-ahead-size";
const partSizeProperty = "s3.streaming.part-size";
const filesProperty = "http.files";
const cacheProperty = "fs.cache.enabled";
const cacheFoldersProperty = "fs.cache.directories";
const cacheSizesProperty = "fs.cache.max-sizes";
const cacheTtlProperty = "fs.cache.ttl";
const cachePageProperty = "fs.cache.page-size";

const partBytesDefault = 8_388_608;
const partBytesMax = 268_435_456;

const readAheadBytesDefault = 67_108_864;
const regionDefault = "us-east-1";
const listedFilesMax = 100_000;
const cachePageBytesDefault = 1_048_576;
const cachePageBytesMin = 65_536;
const cachePageBytesMax = 15_728_640;

const cacheProperties: readonly string[] = Object.freeze([
  cacheProperty,
  cacheFoldersProperty,
  cacheSizesProperty,
  cacheTtlProperty,
  cachePageProperty,
]);

export const objectStoreProperties: readonly string[] = Object.freeze([
  endpointProperty,
  regionProperty,
  pathStyleProperty,
  accessKeyProperty,
  secretKeyProperty,
  sessionTokenProperty,
  profileProperty,
  unsignedProperty,
  connectionsProperty,
  retriesProperty,
  timeoutProperty,
  readAheadProperty,
  partSizeProperty,
  filesProperty,
  ...azureProperties,
  ...gcsProperties,
  ...cacheProperties,
]);

/** Bytes of a part of an upload. Throws CONFIGURATION_INVALID. */
export function partBytesOf(properties: Properties): number {
  const bytes = dataSizeProperty(properties, partSizeProperty) ?? partBytesDefault;
  if (bytes < partBytesMin || bytes > partBytesMax) {
    throw invalidProperty(partSizeProperty, properties[partSizeProperty] ?? "");
  }
  return bytes;
}

/** The cache of the catalog's storages on this node; undefined if it has none. Throws CONFIGURATION_INVALID. */
export function openFileCache(
  properties: Properties,
  { catalog, nodeId, ports }: { readonly catalog: string; readonly nodeId: string; readonly ports: Ports },
): FileCache | undefined {
  const isEnabled = booleanProperty(properties, cacheProperty, false);
  const folders = listProperty(properties, cacheFoldersProperty);
  const sizes = listProperty(properties, cacheSizesProperty).map(
    (size) => dataSizeProperty({ [cacheSizesProperty]: size }, cacheSizesProperty) ?? 0,
  );
  const ttlMillis = durationProperty(properties, cacheTtlProperty, "7d");
  const pageBytes = dataSizeProperty(properties, cachePageProperty) ?? cachePageBytesDefault;
  const relative = folders.find((folder) => !/^(?:\/|[A-Za-z]:[\\/])/.test(folder));
  if (relative !== undefined || new Set(folders).size < folders.length) {
    throw invalidProperty(cacheFoldersProperty, properties[cacheFoldersProperty] ?? "");
  }
  if (pageBytes < cachePageBytesMin || pageBytes > cachePageBytesMax) {
    throw invalidProperty(cachePageProperty, properties[cachePageProperty] ?? "");
  }
  if (!isEnabled) {
    return undefined;
  }
  if (folders.length === 0 || folders.length !== sizes.length) {
    throw new QueryError(
      "CONFIGURATION_INVALID",
      `Properties '${cacheFoldersProperty}' and '${cacheSizesProperty}' must have the same size`,
    );
  }
  const disks = folders.map((folder, index) => ({
    storage: ports.openFolder(folder, { writable: true, followsLinks: true }),
    bytesMax: sizes[index] as number,
  }));
  return new FileCache({ disks, pageBytes, ttlMillis, nodeId, catalog, clock: ports.clock, log: ports.log });
}

function listProperty(properties: Properties, name: string): readonly string[] {
  return (properties[name] ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Throws CONFIGURATION_INVALID if properties of the cache are those of a catalog whose files are local. */
export function requireNoFileCache(properties: Properties): void {
  if (booleanProperty(properties, cacheProperty, false)) {
    throw new QueryError("CONFIGURATION_INVALID", `Property '${cacheProperty}' needs files in an object store`);
  }
}

export function isObjectStore(location: string): boolean {
  return /^(?:s3|s3a|s3n|gs|https?):\/\//i.test(location) || isAzureLocation(location);
}

/** What opens a bucket for a while: of its scheme alone, the others are not asked for. */
export interface GivenCredentials {
  readonly keys: ExpiringValue<AccessKeys>;
  readonly gcsToken: ExpiringValue<string>;
  /** A shared access signature of the account of Azure. */
  readonly azureSas: ExpiringValue<string>;
}

interface OpenOptions {
  /** Name of the property with the location. */
  readonly property: string;
  readonly catalog: string;
  readonly ports: Ports;
  /** Of a catalog with several storages. */
  readonly client?: StoreClient;
  /** In the place of what the properties give. */
  readonly given?: GivenCredentials;
  readonly cache?: FileCache | undefined;
  /** Storages that share the memory for blocks. */
  readonly sharers?: number;
}

function outboundOf({ outbound }: Ports): Outbound {
  if (outbound === undefined) {
    throw new QueryError("CONFIGURATION_INVALID", "This server reaches no object stores: a server that records itself has none");
  }
  return outbound;
}

/** What sends requests with the catalog's bounds. Throws CONFIGURATION_INVALID. */
export function openStoreClient(properties: Properties, { catalog, ports }: Pick<OpenOptions, "catalog" | "ports">): StoreClient {
  return new StoreClient({
    outbound: outboundOf(ports),
    clock: ports.clock,
    random: ports.random.stream(`object-store-${catalog}`),
    connectionsMax: integerProperty(properties, connectionsProperty, { min: 1, max: 10_000, default: 64 }),
    retriesMax: integerProperty(properties, retriesProperty, { min: 0, max: 100, default: 10 }),
    timeoutMs: durationProperty(properties, timeoutProperty, "60s"),
  });
}

/** Throws CONFIGURATION_INVALID. */
export function openObjectStorage(location: string, properties: Properties, options: OpenOptions): ObjectStorage {
  const { property, catalog, ports, cache, given, sharers = 1 } = options;
  const outbound = outboundOf(ports);
  const client = options.client ?? openStoreClient(properties, { catalog, ports });
  const readAheadBytes = Math.floor((dataSizeProperty(properties, readAheadProperty) ?? readAheadBytesDefault) / sharers);
  const web = /^(https?:\/\/[^/?#@]+)(\/[^?#]*)?$/i.exec(location);
  if (web !== null) {
    const [, origin = "", path = "/"] = web;
    const root = `${origin}${path.endsWith("/") ? path : `${path}/`}`;
    const pages = new WebStore({ root, keys: keysOf(properties), client });
    return new ObjectStorage(cache?.over(pages, root) ?? pages, { prefix: "", readAheadBytes });
  }
  if (isAzureLocation(location)) {
    const { store, name, prefix } = openContainer(location, properties, { ...options, client });
    return new ObjectStorage(cache?.over(store, name) ?? store, { prefix, readAheadBytes });
  }
  const match = /^(s3[an]?|gs):\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/(.*))?$/i.exec(location);
  if (match === null) {
    throw invalidProperty(property, location.replace(/\/\/[^/]*@/, "//"));
  }
  const [, scheme = "", bucket = "", path = ""] = match;
  const prefix = folderOf(path);
  const { clock } = ports;
  if (scheme.toLowerCase() === "gs") {
    const { endpoint, credential } = gcsAccountOf(properties, { client, clock, outbound }, given?.gcsToken);
    const dialect = gcsDialect(credential);
    const found = new S3Store({ bucket, region: "auto", endpoint, isPathStyle: true, dialect, client, clock });
    return new ObjectStorage(cache?.over(found, `${endpoint}/${bucket}`) ?? found, { prefix, readAheadBytes });
  }
  const keys = givenKeys(properties);
  const profile = properties[profileProperty]?.trim();
  const isUnsigned = booleanProperty(properties, unsignedProperty, false);
  const address = { bucket, region: properties[regionProperty]?.trim() ?? regionDefault };
  const hostKeys = async (): Promise<AccessKeys | undefined> => outbound.accessKeys(profile);
  const usedKeys = isUnsigned ? async () => undefined : keys === undefined ? hostKeys : async () => keys;
  const endpoint = endpointOf(properties, address);
  const store = new S3Store({
    ...address,
    ...endpoint,
    dialect: awsDialect(address.region, given === undefined ? usedKeys : (life) => given.keys.get(life)),
    client,
    clock,
  });
  return new ObjectStorage(cache?.over(store, `${endpoint.endpoint}/${bucket}`) ?? store, { prefix, readAheadBytes });
}

/** `name`: the same on all nodes. */
function openContainer(
  location: string,
  properties: Properties,
  { property, catalog, ports, client, given }: OpenOptions & { readonly client: StoreClient },
): { readonly store: AzureStore; readonly name: string; readonly prefix: string } {
  const parsed = parseAzureLocation(location);
  if (parsed === undefined) {
    throw invalidProperty(property, location.replace(/\/\/[^/]*@/, "//"));
  }
  const { container, host = "", path } = parsed;
  const { clock } = ports;
  const account =
    given === undefined
      ? azureAccountOf(parsed, properties, { client, clock, outbound: outboundOf(ports) })
      : azureAccountWithSas(parsed, properties, given.azureSas);
  const random = ports.random.stream(`object-store-${catalog}`);
  const store = new AzureStore({ container, account, client, clock, random });
  return { store, name: `azure://${host}/${container}`, prefix: folderOf(path) };
}

function folderOf(path: string): string {
  return path === "" || path.endsWith("/") ? path : `${path}/`;
}

/** Buckets with dots do not match the certificates of S3, so that they are in the path. */
function endpointOf(
  properties: Properties,
  { bucket, region }: { readonly bucket: string; readonly region: string },
): { readonly endpoint: string; readonly isPathStyle: boolean } {
  const given = properties[endpointProperty]?.trim();
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region)) {
    throw invalidProperty(regionProperty, region);
  }
  const address = /^(https?):\/\/([A-Za-z0-9._:[\]-]+)\/?$/i.exec(given ?? `https://s3.${region}.amazonaws.com`);
  if (address === null) {
    throw invalidProperty(endpointProperty, (given ?? "").replace(/\/\/[^/]*@/, "//"));
  }
  const [, scheme = "", host = ""] = address;
  const isPathStyle = booleanProperty(properties, pathStyleProperty, false) || bucket.includes(".");
  return { endpoint: `${scheme}://${isPathStyle ? "" : `${bucket}.`}${host}`, isPathStyle };
}

function givenKeys(properties: Properties): AccessKeys | undefined {
  const [accessKey, secretKey, sessionToken] = [accessKeyProperty, secretKeyProperty, sessionTokenProperty].map((name) =>
    properties[name]?.trim(),
  );
  if (accessKey === undefined && secretKey === undefined && sessionToken === undefined) {
    return undefined;
  }
  if (accessKey === undefined || accessKey === "" || secretKey === undefined || secretKey === "") {
    throw new QueryError("CONFIGURATION_INVALID", `Properties '${accessKeyProperty}' and '${secretKeyProperty}' belong together`);
  }
  return { accessKey, secretKey, ...(sessionToken !== undefined && sessionToken !== "" && { sessionToken }) };
}

function keysOf(properties: Properties): readonly string[] | undefined {
  const given = properties[filesProperty];
  if (given === undefined) {
    return undefined;
  }
  const keys = given
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
  const isPath = (key: string): boolean => !/^\/|[?#\\]|:\/\/|\/$/.test(key) && !key.split("/").some((name) => /^\.{0,2}$/.test(name));
  const wrong = keys.find((key) => !isPath(key));
  if (wrong !== undefined || keys.length === 0 || keys.length > listedFilesMax) {
    throw invalidProperty(filesProperty, wrong ?? "");
  }
  return keys;
}
