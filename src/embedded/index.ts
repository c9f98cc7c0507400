/**
 * `orrery`: the engine in a program.
 *
 *   await using cluster = await createCluster({ catalogs: { sales: { "connector.name": "files", "files.directory": "data" } } });
 *   for await (const row of cluster.query("SELECT * FROM sales.default.orders")) { ... }
 */
export * from "../client/index.ts";
export { engineVersion as version } from "../config.ts";
export type { Clock, MonotonicNanos, Timer, WallMillis } from "../ports/clock.ts";
export {
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";
export {
  type DatabaseAddress,
  type DatabaseConnection,
  type DatabaseCursor,
  DatabaseError,
  type DatabaseErrorKind,
  type DatabaseKind,
  type DatabaseRow,
  type Databases,
  type DatabaseTls,
  type DatabaseValue,
  type DescribedColumn,
} from "../ports/databases.ts";
export type { FaultPoints } from "../ports/points.ts";
export type { Log, Ports } from "../ports/ports.ts";
export type { Random, RandomStream } from "../ports/random.ts";
export { type Storage, type StorageEntry, StorageError, type StorageErrorKind } from "../ports/storage.ts";
export { ConfigurationError } from "../server/properties.ts";
export type { Catalogs } from "./catalogs.ts";
export { type Cluster, type ClusterOptions, createCluster } from "./cluster.ts";
export type { HttpOptions } from "./http.ts";
export { createNode, type Node, type NodeOptions } from "./node.ts";
