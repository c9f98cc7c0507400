/**
 * Information about the node itself: /v1/info, /v1/status and the health probes of orchestrators.
 */
import type { MemoryContext } from "../memory/memory.ts";
import { emptyResponse, HttpError, jsonResponse, requestDocument, route, type Route, textResponse } from "../protocol/http/http.ts";
import {
  nodeIncarnationHeader,
  type NodeState,
  nodeStateHeader,
  nodeStateSchema,
  type ServerInfo,
  type ServerStatus,
} from "../protocol/documents/info.ts";
import { formatDuration } from "../protocol/units.ts";

export interface NodeFacts {
  readonly nodeId: string;
  readonly nodeVersion: string;
  readonly environment: string;
  readonly coordinator: boolean;
  /** Drawn once at the start of the node. */
  readonly incarnation: string;
  readonly uptimeNanos: () => number;
  readonly selfUri: () => string;
  readonly state: () => NodeState;
  /** True once the node has been able to answer queries. */
  readonly started: () => boolean;
  /** On a coordinator: true if the required number of workers is active now. */
  readonly complete: () => boolean;
  /** Root context of the node's memory. */
  readonly memory: MemoryContext;
  readonly memoryBytesMax: number;
  /** A request asked the node to shut down gracefully. */
  readonly onShutdown: () => void;
}

export function infoRoutes(facts: NodeFacts): readonly Route[] {
  return [
    route("GET", "/v1/info", (request) => jsonResponse(200, serverInfo(facts), request)),
    route("GET", "/v1/info/state", (request) => jsonResponse(200, facts.state(), request)),
    route("PUT", "/v1/info/state", (request) => {
      const state = requestDocument(request.http, nodeStateSchema);
      if (state !== "SHUTTING_DOWN") {
        throw new HttpError(400, `Invalid state transition to ${state}`);
      }
      if (facts.coordinator) {
        throw new HttpError(400, "Cannot shutdown coordinator");
      }
      facts.onShutdown();
      return emptyResponse(200);
    }),
    route("GET", "/v1/info/coordinator", () =>
      facts.coordinator ? emptyResponse(200) : textResponse(404, "This node is not a coordinator"),
    ),
    route("GET", "/v1/status", (request) =>
      jsonResponse(200, serverStatus(facts), {
        pretty: request.pretty,
        headers: { [nodeStateHeader]: facts.state(), [nodeIncarnationHeader]: facts.incarnation },
      }),
    ),
    route("GET", "/livez", () => textResponse(200, "live")),
    route("GET", "/readyz", () => {
      const lack = lackOf(facts);
      return lack === undefined ? textResponse(200, "ready") : textResponse(503, lack, { "retry-after": "1" });
    }),
  ];
}

/** Why the node could not run a query at once; undefined if it could. */
function lackOf(facts: NodeFacts): string | undefined {
  if (!facts.started()) {
    return "starting";
  }
  if (facts.state() !== "ACTIVE") {
    return "shutting down";
  }
  return facts.complete() ? undefined : "too few workers";
}

function serverInfo(facts: NodeFacts): ServerInfo {
  return {
    nodeVersion: { version: facts.nodeVersion },
    environment: facts.environment,
    coordinator: facts.coordinator,
    starting: !facts.started() || !facts.complete(),
    uptime: formatDuration(facts.uptimeNanos()),
  };
}

function serverStatus(facts: NodeFacts): ServerStatus {
  const host = /^https?:\/\/(\[[^\]]+\]|[^:/]+)/.exec(facts.selfUri())?.[1] ?? "";
  const reservedBytes = facts.memory.reservedBytes;
  const freeBytes = facts.memoryBytesMax - reservedBytes;
  return {
    nodeId: facts.nodeId,
    nodeVersion: { version: facts.nodeVersion },
    environment: facts.environment,
    coordinator: facts.coordinator,
    uptime: formatDuration(facts.uptimeNanos()),
    externalAddress: host,
    internalAddress: host,
    memoryInfo: {
      totalNodeMemory: `${facts.memoryBytesMax}B`,
      pools: { general: { maxBytes: facts.memoryBytesMax, reservedBytes, freeBytes } },
    },
    // A node is one thread. The resource usage of the whole process is not reported here.
    processors: 1,
    processCpuLoad: 0,
    systemCpuLoad: 0,
    heapUsed: reservedBytes,
    heapAvailable: facts.memoryBytesMax,
    nonHeapUsed: 0,
  };
}
