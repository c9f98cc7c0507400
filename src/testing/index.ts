/**
 * `orrery/testing`: clusters for vitest, jest, node:test and any other runner.
 */
import "./dispose.ts";
import { Cluster } from "./cluster.ts";
import type { ClusterOptions } from "./options.ts";

export type { ChaosFate, ChaosRule, Fault, MessageRule, PointRule } from "./chaos.ts";
export type { Cluster, PartitionOptions, SlowOptions } from "./cluster.ts";
export type { LoadOptions, Rows } from "./load.ts";
export type { CatalogSource, ClusterOptions, LogEntry } from "./options.ts";
export { QueryFailedError } from "./query.ts";
export type { QueryOptions, QueryResult, Value } from "./query.ts";
export type { Tape } from "./tape.ts";
export { ClientError } from "../client/requester.ts";

/**
 * Starts a cluster. It resolves when a query has run through the whole pipeline. Close it with `await using`, with `close()`, or pass a
 * function, after which the cluster is closed in any case.
 */
export function withCluster(options?: ClusterOptions): Promise<Cluster>;
export function withCluster<T>(options: ClusterOptions, use: (cluster: Cluster) => Promise<T> | T): Promise<T>;
export async function withCluster<T>(options: ClusterOptions = {}, use?: (cluster: Cluster) => Promise<T> | T): Promise<Cluster | T> {
  const cluster = await Cluster.start(options);
  if (use === undefined) {
    return cluster;
  }
  try {
    return await use(cluster);
  } finally {
    await cluster.close();
  }
}
