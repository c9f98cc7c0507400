/**
 * Configuration of a server program. Precedence: flags, environment, property files, defaults. Every name is checked; a mistake is a
 * ConfigurationError with a one-line message.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { type CatalogConfig, engineProperties } from "../config.ts";
import { shownName, shownValue } from "../protocol/shown-value.ts";
import { parseDataSize } from "../protocol/units.ts";
import { type EdgeConfiguration, edgeConfiguration, edgeProperties } from "./edge/configuration.ts";
import { isLogLevel, type LogLevel } from "./log.ts";
import { type EventConfiguration, eventConfiguration, eventProperties } from "./operations/events/configuration.ts";
import { ConfigurationError, environmentName, parseProperties, unknownNameText } from "./properties.ts";
import { queryRoutingFile, queryRoutingProperties } from "./query-routing.ts";
import type { ConfiguredFile } from "./watched-document.ts";
import { userGroupProperties, userGroupsFile } from "./security/user-groups.ts";
import { resourceGroupProperties, type ResourceGroupsFile, resourceGroupsFile } from "./resource-groups.ts";
import { type SecurityConfiguration, securityConfiguration, securityProperties } from "./security/configuration.ts";
import { describesService } from "./service-environment.ts";

/** Properties of the server, in addition to those of the engine. Files and the environment use these names. */
export const serverProperties = [
  { name: "http-server.http.host", default: "127.0.0.1", description: "Address to listen on" },
  { name: "http-server.http.port", default: "8080", description: "Port to listen on; 0 selects a free port" },
  { name: "http-server.external-host", default: "", description: "Host name under which other nodes reach this node" },
  { name: "http-server.max-request-body-size", default: "64MB", description: "Maximum size of a request body; larger requests get 413" },
  {
    name: "http-server.max-event-loop-delay",
    default: "2000",
    description: "Event loop delay in milliseconds above which requests get 503",
  },
  ...edgeProperties,
  ...securityProperties,
  ...userGroupProperties,
  ...resourceGroupProperties,
  ...queryRoutingProperties,
  {
    name: "http-server.process-forwarded",
    default: "false",
    description: "Whether to process the headers Forwarded and X-Forwarded-*",
  },
  {
    name: "http-server.compression.enabled",
    default: "true",
    description: "Whether to compress responses for clients that accept it",
  },
  { name: "node.workers", default: "", description: "Number of worker nodes in this process; by default one per core and at least two" },
  {
    name: "node.workers-pinned",
    default: "true",
    description:
      "Whether each worker of this process stays on a processor of its own, if it has one for each; on Linux, where there is taskset",
  },
  { name: "node.data-dir", default: "", description: "Directory of the catalog `files`" },
  {
    name: "node.spill-dir",
    default: "",
    description: "Directory for spilled rows and pages; by default the system's temporary directory",
  },
  { name: "spiller-spill-path", default: "", description: "Trino's name of node.spill-dir; it takes precedence" },
  {
    name: "query-history.directory",
    default: "",
    description: "Directory for the history of queries, which survives restarts; npm start uses var/query-history",
  },
  {
    name: "coordinator.standby.enabled",
    default: "false",
    description: "Whether this coordinator waits while another one uses query-history.directory, and takes over when that one ends",
  },
  { name: "recording.directory", default: "", description: "Directory for recordings of the nodes, from which failures can be replayed" },
  {
    name: "recording.max-size",
    default: "64MB",
    description: "Maximum size of a node's recording, which keeps its start and its latest entries",
  },
  {
    name: "recording.scrub-literals",
    default: "false",
    description: "Whether to remove literals of statements and rows from recordings",
  },
  { name: "log.level", default: "warn", description: "Minimum level of log messages: info, warn, error or silent" },
  ...eventProperties,
] as const;

type ServerPropertyName = (typeof serverProperties)[number]["name"];

export interface RecordingConfiguration {
  readonly folder: string;
  readonly sizeBytes: number;
  readonly scrubLiterals: boolean;
}

export interface ServerConfiguration {
  readonly host: string;
  readonly port: number;
  readonly externalHost: string | undefined;
  readonly bodyBytesMax: number;
  readonly eventLoopDelayMsMax: number;
  readonly processForwarded: boolean;
  readonly edge: EdgeConfiguration;
  readonly security: SecurityConfiguration;
  /** Undefined if users have no groups. */
  readonly userGroups: ConfiguredFile | undefined;
  /** Undefined if there is one group. */
  readonly resourceGroups: ResourceGroupsFile | undefined;
  /** Undefined if all queries run on this cluster. */
  readonly queryRouting: ConfiguredFile | undefined;
  readonly compressesAnswers: boolean;
  readonly workers: number;
  /** Workers stay on processors of their own, if there is one for each. */
  readonly pinsWorkers: boolean;
  readonly spillFolder: string | undefined;
  /** Directory of the query history; undefined if there is none. */
  readonly historyFolder: string | undefined;
  /** coordinator.standby.enabled */
  readonly standsBy: boolean;
  readonly logLevel: LogLevel;
  readonly events: EventConfiguration;
  /** Undefined if recording is disabled. */
  readonly recording: RecordingConfiguration | undefined;
  readonly catalogs: readonly CatalogConfig[];
  /** Engine properties that are set, by name. */
  readonly properties: Readonly<Record<string, string>>;
  /** Memory of each node if `node.memory` is not set. */
  readonly memoryBytes: number;
}

export interface ConfigurationSources {
  /** Values of flags, by property name. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly etcFolder: string | undefined;
}

const propertyFiles: readonly string[] = [
  "config.properties",
  "node.properties",
  "event-listener.properties",
  "password-authenticator.properties",
  "access-control.properties",
  "group-provider.properties",
  "resource-groups.properties",
];

export function readConfiguration(sources: ConfigurationSources): ServerConfiguration {
  const known = [...serverProperties.map((one) => one.name as string), ...engineProperties.map((one) => one.name)];
  const values = new Map<string, string>();
  const etc = etcFolder(sources);
  for (const file of propertyFiles) {
    for (const [name, value] of readPropertyFile(etc === undefined ? undefined : join(etc, file), sources.environment)) {
      if (!known.includes(name)) {
        throw new ConfigurationError(`${join(etc ?? "", file)}: ${unknownNameText("property", shownName(name), known)}`);
      }
      values.set(name, value);
    }
  }
  for (const [name, value] of fromEnvironment(sources.environment, known)) {
    values.set(name, value);
  }
  for (const [name, value] of Object.entries(sources.flags)) {
    values.set(name, value);
  }
  return assemble(values, catalogsOf(values, etc, sources.environment));
}

const shortEnvironment: Readonly<Record<string, ServerPropertyName>> = {
  ORRERY_HOST: "http-server.http.host",
  ORRERY_PORT: "http-server.http.port",
  ORRERY_WORKERS: "node.workers",
  ORRERY_DATA: "node.data-dir",
};

/** Environment variables that are not properties. */
const otherEnvironment: readonly string[] = ["ORRERY_ETC", "ORRERY_COORDINATOR", "ORRERY_SERVER", "ORRERY_TPCH_FULL"];

function* fromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): Iterable<readonly [string, string]> {
  const byVariable = new Map<string, string>([
    ...known.map((name) => [environmentName(name), name] as const),
    ...Object.entries(shortEnvironment),
  ]);
  for (const [variable, value] of Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!variable.startsWith("ORRERY_") || value === undefined || otherEnvironment.includes(variable)) {
      continue;
    }
    if (describesService(variable, environment)) {
      continue;
    }
    const name = byVariable.get(variable);
    if (name === undefined) {
      throw new ConfigurationError(unknownNameText("environment variable", variable, [...byVariable.keys(), ...otherEnvironment]));
    }
    yield [name, value];
  }
}

function etcFolder(sources: ConfigurationSources): string | undefined {
  const named = sources.etcFolder ?? sources.environment["ORRERY_ETC"];
  if (named === undefined) {
    return existsSync("etc/config.properties") || existsSync("etc/catalog") ? resolve("etc") : undefined;
  }
  if (!isFolder(named)) {
    throw new ConfigurationError(`configuration folder '${named}' does not exist`);
  }
  return resolve(named);
}

function readPropertyFile(
  path: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  return path === undefined || !existsSync(path) ? new Map() : parseProperties(readFileSync(path, "utf8"), { source: path, environment });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, not allowed, or no path at all: too long, or with a NUL.
    return false;
  }
}

/** Without catalog files: tpch, tpcds and memory. With a data directory, also `files`, unless a catalog file defines it. */
function catalogsOf(
  values: ReadonlyMap<string, string>,
  etc: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): readonly CatalogConfig[] {
  const catalogs = new Map<string, CatalogConfig>();
  const folder = etc === undefined ? undefined : join(etc, "catalog");
  if (folder !== undefined && existsSync(folder)) {
    for (const file of readdirSync(folder).sort()) {
      if (!file.endsWith(".properties")) {
        continue;
      }
      const name = file.slice(0, -".properties".length);
      const properties = readPropertyFile(join(folder, file), environment);
      if (!/^[a-z0-9_]+$/.test(name)) {
        throw new ConfigurationError(`${join(folder, file)}: a catalog's name is made of a-z, 0-9 and _`);
      }
      if (!properties.has("connector.name")) {
        throw new ConfigurationError(`${join(folder, file)}: property 'connector.name' is missing`);
      }
      catalogs.set(name, { name, properties: Object.fromEntries(properties) });
    }
  } else {
    catalogs.set("memory", { name: "memory", properties: { "connector.name": "memory" } });
    catalogs.set("tpcds", { name: "tpcds", properties: { "connector.name": "tpcds" } });
    catalogs.set("tpch", { name: "tpch", properties: { "connector.name": "tpch" } });
  }
  const data = values.get("node.data-dir") ?? "";
  if (data !== "" && !catalogs.has("files")) {
    if (!isFolder(data)) {
      throw new ConfigurationError(`data folder '${shownValue(data)}' does not exist`);
    }
    catalogs.set("files", { name: "files", properties: { "connector.name": "files", "files.directory": resolve(data) } });
  }
  return [...catalogs.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function assemble(values: ReadonlyMap<string, string>, catalogs: readonly CatalogConfig[]): ServerConfiguration {
  const text = (name: ServerPropertyName): string => values.get(name) ?? serverProperties.find((one) => one.name === name)?.default ?? "";
  const integer = (name: ServerPropertyName, low: number, high: number): number => {
    const value = text(name);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= low && number <= high)) {
      throw new ConfigurationError(
        `invalid value '${shownValue(value)}' for property '${name}': expected a whole number from ${low} to ${high}`,
      );
    }
    return number;
  };
  const flag = (name: ServerPropertyName): boolean => {
    const value = text(name);
    if (value !== "true" && value !== "false") {
      throw new ConfigurationError(`invalid value '${shownValue(value)}' for property '${name}': expected true or false`);
    }
    return value === "true";
  };
  const logLevel = text("log.level");
  if (!isLogLevel(logLevel)) {
    throw new ConfigurationError(`invalid value '${shownValue(logLevel)}' for property 'log.level': expected info, warn, error or silent`);
  }
  const bodyBytesMax = parseDataSize(text("http-server.max-request-body-size"));
  if (bodyBytesMax === undefined || bodyBytesMax < 1) {
    throw new ConfigurationError("invalid value for property 'http-server.max-request-body-size': expected a data size such as 64MB");
  }
  const recordingBytes = parseDataSize(text("recording.max-size"));
  if (recordingBytes === undefined || recordingBytes < 1024 * 1024) {
    throw new ConfigurationError("invalid value for property 'recording.max-size': expected a data size from 1MB on, such as 64MB");
  }
  const recordingFolder = text("recording.directory");
  const queryRouting = queryRoutingFile(text);
  if (queryRouting !== undefined && recordingFolder !== "") {
    throw new ConfigurationError(
      "query-routing.config-file and recording.directory exclude each other: answers of other clusters are not recorded",
    );
  }
  const scrubLiterals = flag("recording.scrub-literals");
  const processForwarded = flag("http-server.process-forwarded");
  const workers = text("node.workers") === "" ? Math.max(2, availableParallelism()) : integer("node.workers", 0, 1024);
  const engineNames = new Set(engineProperties.map((one) => one.name));
  const security = securityConfiguration({ text, flag, integer, processForwarded });
  return {
    host: text("http-server.http.host"),
    port: integer("http-server.http.port", 0, 65535),
    externalHost: text("http-server.external-host") || undefined,
    bodyBytesMax,
    eventLoopDelayMsMax: integer("http-server.max-event-loop-delay", 10, 600_000),
    edge: edgeConfiguration(text),
    security,
    userGroups: userGroupsFile(text),
    resourceGroups: resourceGroupsFile(text),
    queryRouting,
    processForwarded,
    compressesAnswers: flag("http-server.compression.enabled"),
    workers,
    pinsWorkers: flag("node.workers-pinned"),
    spillFolder: text("spiller-spill-path") || text("node.spill-dir") || undefined,
    historyFolder: text("query-history.directory") === "" ? undefined : resolve(text("query-history.directory")),
    standsBy: flag("coordinator.standby.enabled"),
    logLevel,
    events: eventConfiguration(text),
    recording: recordingFolder === "" ? undefined : { folder: resolve(recordingFolder), sizeBytes: recordingBytes, scrubLiterals },
    catalogs: hasRules(security) ? catalogs.map(withoutPaths) : catalogs,
    properties: Object.fromEntries([...values].filter(([name]) => engineNames.has(name))),
    memoryBytes: nodeMemoryBytes(workers + 1),
  };
}

function hasRules({ access }: SecurityConfiguration): boolean {
  return access !== undefined && "location" in access;
}

/** Rules name tables, and a file that is read by its path has another name: paths must be allowed explicitly beside rules. */
function withoutPaths(catalog: CatalogConfig): CatalogConfig {
  const { properties } = catalog;
  return properties["connector.name"] === "files" ? { ...catalog, properties: { "files.paths-enabled": "false", ...properties } } : catalog;
}

const pageBytes = 64 * 1024;

/** A coordinator beside workers keeps results only. The rest of its share is room for the process. */
const coordinatorShare = 0.25;

/** Memory of the machine, or of the container, for each node of this process. */
export function nodeMemoryBytes(nodes: number): number {
  const allowed = process.constrainedMemory?.() ?? 0;
  return shareOfMachine(allowed > 0 ? Math.min(allowed, totalmem()) : totalmem(), nodes);
}

/** Memory of the coordinator beside workers of this process that have so much. */
export function coordinatorMemoryBytes(workerBytes: number): number {
  return Math.floor(Math.max(workerBytes * coordinatorShare, nodeBytesMin) / pageBytes) * pageBytes;
}

const mebi = 1024 * 1024;
/** Code, the heaps of JavaScript, and what the allocator of the system keeps: measured while queries spill. */
const processBytes = 128 * mebi;
const bytesBesideNode = 96 * mebi;
const nodeBytesMin = 32 * mebi;

/**
 * Two thirds of the machine's memory divided by the number of nodes, capped by the largest linear memory; less on a small machine, so that
 * the process has room beside its nodes. Untouched memory costs nothing.
 */
export function shareOfMachine(machineBytes: number, nodes: number): number {
  const forNodes = Math.min((machineBytes * 2) / 3, machineBytes - processBytes - nodes * bytesBesideNode);
  const bounded = Math.min(Math.max(forNodes / nodes, nodeBytesMin), 4 * 1024 ** 3 - pageBytes);
  return Math.floor(bounded / pageBytes) * pageBytes;
}
