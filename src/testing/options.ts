/** Options of a cluster under test. */
import { engineProperties } from "../config.ts";
import { connectorFactories } from "../connectors/registry.ts";
import type { ConnectorFactory } from "../connectors/spi.ts";
import type { QueryRoutingDocument } from "../protocol/documents/query-routing.ts";
import { unknownNameText } from "../server/properties.ts";
import type { CatalogConfig } from "../worker/catalogs.ts";
import type { ChaosRule } from "./chaos.ts";

/** A line for operators that a node logs. */
export interface LogEntry {
  /** Name of the node. */
  readonly node: string;
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** Properties as in `etc/catalog/NAME.properties`, or a connector of the test's own, with properties for it. */
export type CatalogSource =
  | Readonly<Record<string, string>>
  | ConnectorFactory
  | { readonly connector: ConnectorFactory; readonly properties?: Readonly<Record<string, string>> };

export interface ClusterOptions {
  /** Number of workers, `worker-1` and so on; 2 if absent. With 0 the coordinator runs all tasks. */
  readonly workers?: number;
  /** By name. If absent: `memory`, `tpcds` and `tpch`, as on a server without catalog files. */
  readonly catalogs?: Readonly<Record<string, CatalogSource>>;
  /** Rules in force from the moment the cluster is ready. */
  readonly chaos?: ChaosRule | readonly ChaosRule[];
  /** Decides the draws of rules with a percentage; 1 if absent. */
  readonly seed?: number;
  /** Whether the nodes listen on free ports of 127.0.0.1; true if absent. Without, `cluster.query` and `cluster.fetch` still work. */
  readonly http?: boolean;
  /** Engine properties as in `etc/config.properties`, for every node. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Other clusters and the rules by which statements are sent to them, as in the file of `query-routing.config-file`. */
  readonly queryRouting?: QueryRoutingDocument;
  /** Whether the nodes record what passes their ports, for `cluster.tape()`. */
  readonly record?: boolean;
  /** Longest wait for the cluster to become ready, in milliseconds; 30 seconds if absent. */
  readonly readyTimeoutMs?: number;
  /** Receives what the nodes log; absent, nothing is logged. */
  readonly onLog?: (entry: LogEntry) => void;
}

const workersMax = 64;

/**
 * Memory of a node by address; pages that were never touched cost nothing. Failure detection is quicker than in production, because all
 * nodes share one process.
 */
const testProperties: Readonly<Record<string, string>> = {
  "node.memory": "128MB",
  "query.max-memory-per-node": "64MB",
  "failure-detector.heartbeat-interval": "100ms",
  "failure-detector.warmup-interval": "200ms",
  "discovery.announce-interval": "500ms",
  // The tables of tests are small, and all workers should have tasks all the same.
  "optimizer.min-input-rows-per-task": "1",
  "query.hash-partition-count": "4",
};

const usualCatalogs: NonNullable<ClusterOptions["catalogs"]> = {
  memory: { "connector.name": "memory" },
  tpcds: { "connector.name": "tpcds" },
  tpch: { "connector.name": "tpch" },
};

export interface Resolved {
  readonly workerNames: readonly string[];
  readonly catalogs: readonly CatalogConfig[];
  readonly factories: readonly ConnectorFactory[];
  readonly properties: Readonly<Record<string, string>>;
  readonly chaos: readonly ChaosRule[];
}

/** Throws a TypeError that names the mistake. */
export function resolveOptions(options: ClusterOptions): Resolved {
  const { workers = 2, chaos = [], properties = {} } = options;
  if (!Number.isInteger(workers) || workers < 0 || workers > workersMax) {
    throw new TypeError(`'workers: ${workers}' is not a whole number from 0 to ${workersMax}`);
  }
  const known = engineProperties.map(({ name }) => name);
  for (const name of Object.keys(properties)) {
    if (!known.includes(name)) {
      throw new TypeError(unknownNameText("property", name, known));
    }
  }
  return {
    workerNames: Array.from({ length: workers }, (_, index) => `worker-${index + 1}`),
    ...catalogsOf(options.catalogs ?? usualCatalogs),
    properties: { ...testProperties, ...memoryOf(properties), ...properties },
    chaos: Array.isArray(chaos) ? (chaos as readonly ChaosRule[]) : [chaos as ChaosRule],
  };
}

/** Who sets a node's memory alone gets the engine's own default for queries: the half of it. */
function memoryOf(properties: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const memory = properties["node.memory"];
  return memory === undefined ? {} : { "query.max-memory-per-node": memory };
}

function catalogsOf(sources: NonNullable<ClusterOptions["catalogs"]>): Pick<Resolved, "catalogs" | "factories"> {
  const factories = new Map<string, ConnectorFactory>(connectorFactories.map((factory) => [factory.name, factory]));
  const catalogs = Object.entries(sources).map(([name, source]): CatalogConfig => {
    const own = ownConnector(source);
    if (own === undefined) {
      return { name, properties: source as Readonly<Record<string, string>> };
    }
    const { connector, properties = {} } = own;
    const other = factories.get(connector.name);
    if (other !== undefined && other !== connector) {
      throw new TypeError(`catalog '${name}': there is another connector of the name '${connector.name}'`);
    }
    factories.set(connector.name, connector);
    return { name, properties: { ...properties, "connector.name": connector.name } };
  });
  return { catalogs, factories: [...factories.values()] };
}

function ownConnector(source: CatalogSource): Exclude<CatalogSource, ConnectorFactory | Readonly<Record<string, string>>> | undefined {
  if ("create" in source && typeof source.create === "function") {
    return { connector: source as ConnectorFactory };
  }
  return "connector" in source && typeof source.connector === "object"
    ? (source as { readonly connector: ConnectorFactory; readonly properties?: Readonly<Record<string, string>> })
    : undefined;
}
