/**
 * The node resource (the interface, section 4.3) and Presto's discovery protocol, on top of the cluster monitor. Workers announce
 * themselves here and get the list of nodes.
 */
import { emptyResponse, HttpError, jsonResponse, requestDocument, route, type Route, type RoutedRequest } from "../protocol/http/http.ts";
import { durationHeader } from "../protocol/http/parsed-headers.ts";
import { announcementSchema } from "../protocol/documents/info.ts";
import type { NodeDocument } from "../protocol/documents/node.ts";
import { formatDataSize } from "../protocol/units.ts";
import type { ClusterMonitor } from "./cluster-monitor.ts";

/** Longest wait of a node for the end of its announcement, in milliseconds. */
const announcementWaitMsMax = 60_000;

/** What a node does for queries, by node id. */
export type NodeWork = ReadonlyMap<string, Pick<NodeDocument, "runningTasks" | "memoryReservation" | "queries">>;

const noWork: Pick<NodeDocument, "runningTasks" | "memoryReservation" | "queries"> = {
  runningTasks: 0,
  memoryReservation: formatDataSize(0),
  queries: [],
};

/** `work`: of all nodes, at this moment. */
export function nodeRoutes(monitor: ClusterMonitor, work: () => NodeWork): readonly Route[] {
  const nodes = (request: RoutedRequest, which: "all" | "failed") => {
    const works = work();
    const documents = monitor.nodeDocuments(which).map((node) => ({ ...node, ...(works.get(node.nodeId ?? "") ?? noWork) }));
    return jsonResponse(200, documents, request);
  };
  const services = (request: RoutedRequest) =>
    jsonResponse(200, monitor.services(request.parameters["type"] as string, request.parameters["pool"]), request);
  return [
    route("GET", "/v1/node", (request) => nodes(request, "all")),
    route("GET", "/v1/node/failed", (request) => nodes(request, "failed")),
    route("PUT", "/v1/announcement/{nodeId}", (request) => {
      const announcement = requestDocument(request.http, announcementSchema);
      if (announcement.nodeId !== request.parameters["nodeId"]) {
        throw new HttpError(400, `The announcement is of ${announcement.nodeId}, the address of ${request.parameters["nodeId"]}`);
      }
      monitor.announce(announcement);
      const services = monitor.servicesToTell();
      return services === undefined ? emptyResponse(202) : jsonResponse(200, services, request);
    }),
    route("GET", "/v1/announcement/{nodeId}", async (request) => {
      const nodeId = request.parameters["nodeId"] as string;
      const waitMs = Math.min(announcementWaitMsMax, durationHeader(request, "x-engine-max-wait") ?? 0);
      const announcement = await monitor.whileAnnounced(nodeId, waitMs, request.context);
      if (announcement === undefined) {
        throw new HttpError(404, `The node '${nodeId}' is not announced`);
      }
      return jsonResponse(200, announcement, request);
    }),
    route("DELETE", "/v1/announcement/{nodeId}", (request) => {
      monitor.withdraw(request.parameters["nodeId"] as string);
      return emptyResponse(204);
    }),
    route("GET", "/v1/service/{type}", services),
    route("GET", "/v1/service/{type}/{pool}", services),
  ];
}

/** Routes of a worker, which monitors no nodes. */
export function emptyNodeRoutes(): readonly Route[] {
  return [
    route("GET", "/v1/node", (request) => jsonResponse(200, [], request)),
    route("GET", "/v1/node/failed", (request) => jsonResponse(200, [], request)),
  ];
}
