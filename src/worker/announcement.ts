/** What a node announces to its coordinator. */
import { type Announcement, type NodeState, serviceType } from "../protocol/documents/info.ts";

export interface AnnouncedNode {
  readonly config: {
    readonly environment: string;
    readonly nodeId: string;
    readonly nodeVersion: string;
    readonly role: "coordinator" | "worker" | "both";
  };
  readonly incarnation: string;
  readonly uri: string;
  readonly state: NodeState;
  readonly memoryBytes: number;
  /** Properties that name the node's catalogs. */
  readonly catalogs: Readonly<Record<string, string>>;
}

export function announcementOf({ catalogs, config, incarnation, memoryBytes, state, uri }: AnnouncedNode): Announcement {
  const { environment, nodeId, nodeVersion, role } = config;
  return {
    environment,
    nodeId,
    pool: "general",
    location: `/${nodeId}`,
    services: [
      {
        id: `${nodeId}-${incarnation}`,
        type: serviceType,
        properties: {
          http: uri,
          node_version: nodeVersion,
          coordinator: String(role !== "worker"),
          worker: String(role !== "coordinator"),
          ...catalogs,
          life: incarnation,
          state,
          memory: String(memoryBytes),
        },
      },
    ],
  };
}
