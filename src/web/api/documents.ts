/**
 * Documents of the public resources as the pages read them.
 */
import type { ClusterStats } from "../../protocol/documents/cluster.ts";
import type { ServerInfo } from "../../protocol/documents/info.ts";
import type { NodeDocument } from "../../protocol/documents/node.ts";
import type { BasicQueryInfo } from "../../protocol/documents/query.ts";
import type { QueryState } from "../../protocol/documents/statement.ts";

export type { QueryState, ServerInfo };

/** Element of GET /v1/query. */
export type ListedQuery = BasicQueryInfo;

/** What a live query waits for. */
export type Waiting = Pick<BasicQueryInfo, "waitReason" | "waitMessage">;

/** GET /v1/cluster. */
export type Cluster = ClusterStats;

/** Element of GET /v1/node. */
export type ClusterNode = NodeDocument;
export type NodeQuery = NonNullable<NodeDocument["queries"]>[number];

/** Whether the state of a query is its last. */
export function isFinal(state: QueryState): boolean {
  return state === "FINISHED" || state === "FAILED";
}
