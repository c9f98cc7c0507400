/**
 * Every JSON document of the interface: its route, its schema and an example. Test suites validate each response of a server against this
 * table; the engine does not need it at run time.
 */
import {
  assignedCatalogExample,
  assignedCatalogSchema,
  catalogListExample,
  catalogListSchema,
  newCatalogExample,
  newCatalogSchema,
} from "./catalog.ts";
import * as z from "zod";
import type { HttpMethod, HttpRequest } from "../../ports/network.ts";
import {
  clusterStatsExample,
  clusterStatsSchema,
  resourceGroupExample,
  resourceGroupSchema,
  trimmedQueryExample,
  trimmedQueryListSchema,
} from "./cluster.ts";
import { parsePath } from "../http/http.ts";
import {
  announcementExample,
  announcementSchema,
  nodeStateSchema,
  serverInfoExample,
  serverInfoSchema,
  serverStatusExample,
  serverStatusSchema,
  serviceListExample,
  serviceListSchema,
} from "./info.ts";
import { nodeExample, nodeListSchema } from "./node.ts";
import { basicQueryInfoExample, queryInfoExample, queryInfoSchema, queryListSchema } from "./query.ts";
import { initialQueryResultsExample, queryResultsExample, queryResultsSchema } from "./statement.ts";
import {
  asksForTaskStatus,
  taskInfoExample,
  taskInfoSchema,
  taskListSchema,
  taskStatusExample,
  taskStatusSchema,
  taskUpdateRequestExample,
  taskUpdateRequestSchema,
} from "./task.ts";

export interface DocumentEntry {
  readonly method: HttpMethod;
  /** Route pattern: `/v1/task/{taskId}`. */
  readonly pattern: string;
  /** Whether it is the body of the request or of a 200 response. */
  readonly direction: "request" | "response";
  readonly schema: z.ZodType;
  readonly example: unknown;
}

function response(method: HttpMethod, pattern: string, schema: z.ZodType, example: unknown): DocumentEntry {
  return { method, pattern, direction: "response", schema, example };
}

function request(method: HttpMethod, pattern: string, schema: z.ZodType, example: unknown): DocumentEntry {
  return { method, pattern, direction: "request", schema, example };
}

export const documents: readonly DocumentEntry[] = [
  response("POST", "/v1/statement", queryResultsSchema, initialQueryResultsExample),
  response("PUT", "/v1/statement/{queryId}", queryResultsSchema, initialQueryResultsExample),
  response("GET", "/v1/statement/{queryId}/{token}", queryResultsSchema, queryResultsExample),
  response("GET", "/v1/task", taskListSchema, [taskInfoExample]),
  request("POST", "/v1/task/{taskId}", taskUpdateRequestSchema, taskUpdateRequestExample),
  response("POST", "/v1/task/{taskId}", taskInfoSchema, taskInfoExample),
  response("DELETE", "/v1/task/{taskId}", taskInfoSchema, taskInfoExample),
  response("GET", "/v1/task/{taskId}", taskInfoSchema, taskInfoExample),
  response("GET", "/v1/task/{taskId}/status", taskStatusSchema, taskStatusExample),
  response("GET", "/v1/node", nodeListSchema, [nodeExample]),
  response("GET", "/v1/node/failed", nodeListSchema, [nodeExample]),
  response("GET", "/v1/query", queryListSchema, [basicQueryInfoExample]),
  response("GET", "/v1/query/{queryId}", queryInfoSchema, queryInfoExample),
  response("GET", "/v1/cluster", clusterStatsSchema, clusterStatsExample),
  response("GET", "/ui/api/stats", clusterStatsSchema, clusterStatsExample),
  response("GET", "/ui/api/query", trimmedQueryListSchema, [trimmedQueryExample]),
  response("GET", "/v1/resourceGroupState", z.array(resourceGroupSchema), [resourceGroupExample]),
  response("GET", "/v1/resourceGroupState/{id}", resourceGroupSchema, resourceGroupExample),
  response("GET", "/v1/catalog", catalogListSchema, catalogListExample),
  request("POST", "/v1/catalog", newCatalogSchema, newCatalogExample),
  request("PUT", "/v1/catalog/{catalog}", assignedCatalogSchema, assignedCatalogExample),
  response("GET", "/v1/info", serverInfoSchema, serverInfoExample),
  response("GET", "/v1/info/state", nodeStateSchema, "ACTIVE"),
  request("PUT", "/v1/info/state", nodeStateSchema, "SHUTTING_DOWN"),
  response("GET", "/v1/status", serverStatusSchema, serverStatusExample),
  request("PUT", "/v1/announcement/{nodeId}", announcementSchema, announcementExample),
  response("GET", "/v1/announcement/{nodeId}", announcementSchema, announcementExample),
  response("GET", "/v1/service/{type}", serviceListSchema, serviceListExample),
  response("GET", "/v1/service/{type}/{pool}", serviceListSchema, serviceListExample),
];

/** The document of a request; undefined if there is none. Literal path segments take precedence over `{names}`. */
export function findDocument(method: HttpMethod, url: string, direction: DocumentEntry["direction"]): DocumentEntry | undefined {
  const parts = parsePath(url).parts;
  const literals = (entry: DocumentEntry): number => entry.pattern.split("/").filter((part) => !part.startsWith("{")).length;
  return documents
    .filter((entry) => entry.method === method && entry.direction === direction && fits(entry.pattern.split("/").slice(1), parts))
    .toSorted((a, b) => literals(b) - literals(a))[0];
}

/** The document that answers a request: an update of a task may ask for the task's status. Undefined if there is none. */
export function findAnswer(request: Pick<HttpRequest, "headers" | "method" | "url">): DocumentEntry | undefined {
  const { method, url } = request;
  return asksForTaskStatus(request)
    ? findDocument("GET", `${parsePath(url).path}/status`, "response")
    : findDocument(method, url, "response");
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, index) => part.startsWith("{") || part === parts[index]);
}
