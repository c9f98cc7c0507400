/**
 * The resources of nodes as OpenAPI operations: what the routes and the schemas of documents do not say. A test holds the table to the
 * routes of coordinators and workers, and every answer of the conformance suite to the document that it becomes.
 */
import * as z from "zod";
import { advanceSchema } from "../../../chaos/resource.ts";
import { chaosRuleSchema } from "../../../chaos/vocabulary.ts";
import { pagesMediaType } from "../../../protocol/documents/task.ts";
import { segmentPath } from "../../../protocol/documents/spooling.ts";

export interface ApiParameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly isRequired?: true;
}

export interface ApiOperation {
  readonly tag: "Statements" | "Queries" | "Cluster" | "Nodes" | "Tasks" | "Catalogs" | "Node" | "Operations" | "Chaos";
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ApiParameter[];
  /** Media type of a body that is not a JSON document of the interface. */
  readonly requestType?: string;
  /** Schema of a JSON body that is not a document of the interface. */
  readonly requestSchema?: z.ZodType;
  /** Media type of a 200 answer that is not a JSON document of the interface. */
  readonly answerType?: string | readonly string[];
  /** Successful answers; 200 if absent. Answers other than 200 have no body. */
  readonly success?: readonly number[];
  /** True if a 200 answer has no body. */
  readonly isEmpty?: true;
}

const slug: ApiParameter = { name: "slug", in: "query", description: "Secret of the query, part of nextUri", isRequired: true };
const maxWait: ApiParameter = { name: "maxWait", in: "query", description: "Longest wait for news, for example 1s" };
const sessionHeaders =
  "The session is in headers of one of three families, X-Trino-, X-Presto- and X-Engine-: User, Source, Catalog, Schema, Time-Zone, Session, Client-Tags and others. Answers use the same family.";

function query(name: string, description: string): ApiParameter {
  return { name, in: "query", description };
}

function header(name: string, description: string): ApiParameter {
  return { name, in: "header", description };
}

export const apiOperations: Readonly<Record<string, ApiOperation>> = {
  "POST /v1/statement": {
    tag: "Statements",
    summary: "Submit a statement",
    description: `The body is the statement. ${sessionHeaders} Follow nextUri until an answer has none.`,
    requestType: "text/plain",
  },
  "PUT /v1/statement/{queryId}": {
    tag: "Statements",
    summary: "Submit a statement under an id that the client chose",
    description: "May be repeated when the answer was lost.",
    parameters: [slug],
    requestType: "text/plain",
  },
  "GET /v1/statement/{queryId}/{token}": {
    tag: "Statements",
    summary: "Fetch the next rows",
    description: "The same token gives the same answer again. The next token acknowledges it.",
    parameters: [slug, maxWait, query("targetResultSize", "Size of the rows at which the answer is sent, for example 1MB")],
  },
  "HEAD /v1/statement/{queryId}/{token}": {
    tag: "Statements",
    summary: "Keep the query alive while its segments are read",
    parameters: [slug],
    isEmpty: true,
  },
  "DELETE /v1/statement/{queryId}/{token}": { tag: "Statements", summary: "Cancel the query", parameters: [slug], success: [204] },
  [`GET ${segmentPath}/download/{id}`]: {
    tag: "Statements",
    summary: "Download a segment of spooled rows",
    answerType: "application/octet-stream",
  },
  [`GET ${segmentPath}/ack/{id}`]: { tag: "Statements", summary: "Acknowledge a segment, which is then removed", isEmpty: true },

  "GET /v1/query": {
    tag: "Queries",
    summary: "List queries",
    description: "The header X-Total-Count of the answer is the number of queries that match, without limit.",
    parameters: [
      query("limit", "Maximum number of queries"),
      query("sort", "Member to sort by, with a leading - for descending order; order of creation by default"),
      query("state", "States, with commas between"),
      query("user", "User"),
      query("source", "Source"),
      query("errorType", "Types of errors, with commas between"),
      query("search", "Text in id, statement, user or source"),
      query("after", "Query id behind which the list continues"),
      query("preview", "Number of characters to which statements are cut"),
    ],
  },
  "GET /v1/query/{queryId}": { tag: "Queries", summary: "Show a query with its plan, stages and tasks" },
  "DELETE /v1/query/{queryId}": { tag: "Queries", summary: "Cancel a query", success: [204] },
  "PUT /v1/query/{queryId}/killed": {
    tag: "Queries",
    summary: "End a query as an administrator",
    description: "The body is the message for its user.",
    requestType: "text/plain",
    success: [202],
  },
  "PUT /v1/query/{queryId}/preempted": {
    tag: "Queries",
    summary: "End a query to make room for others",
    description: "The body is the message for its user.",
    requestType: "text/plain",
    success: [202],
  },
  "DELETE /v1/stage/{stageId}": { tag: "Queries", summary: "End a stage early; its query goes on with the rows it has", success: [204] },
  "DELETE /v1/query/stage/{stageId}": { tag: "Queries", summary: "End a stage early, at another address", success: [204] },

  "GET /v1/cluster": { tag: "Cluster", summary: "Numbers of the whole cluster" },
  "GET /ui/api/stats": { tag: "Cluster", summary: "Numbers of the whole cluster, at Trino's address" },
  "GET /ui/api/query": { tag: "Cluster", summary: "List queries in Trino's short form", parameters: [query("state", "State")] },
  "POST /ui/login": { tag: "Cluster", summary: "Log in, for gateways; every login succeeds", success: [204] },
  "GET /v1/resourceGroupState": { tag: "Cluster", summary: "List resource groups" },
  "GET /v1/resourceGroupState/{id}": { tag: "Cluster", summary: "Show a resource group" },

  "GET /v1/node": { tag: "Nodes", summary: "List nodes with the counters of their heartbeats" },
  "GET /v1/node/failed": { tag: "Nodes", summary: "List nodes whose heartbeats fail" },
  "PUT /v1/announcement/{nodeId}": {
    tag: "Nodes",
    summary: "Announce a node",
    description: "200 with the list of nodes, or 202 without.",
    success: [200, 202],
    answerType: "application/json",
  },
  "GET /v1/announcement/{nodeId}": {
    tag: "Nodes",
    summary: "Wait for as long as a node is announced",
    description: "404 as soon as it is not.",
    parameters: [header("x-engine-max-wait", "Longest wait for that")],
  },
  "DELETE /v1/announcement/{nodeId}": { tag: "Nodes", summary: "Withdraw an announcement", success: [204] },
  "GET /v1/service/{type}": { tag: "Nodes", summary: "List announced services of a type" },
  "GET /v1/service/{type}/{pool}": { tag: "Nodes", summary: "List announced services of a type and pool" },

  "GET /v1/task": { tag: "Tasks", summary: "List the tasks of the node" },
  "GET /v1/task/{taskId}": {
    tag: "Tasks",
    summary: "Show a task",
    parameters: [
      header("x-engine-current-state", "Answer when the state is another one"),
      header("x-engine-max-wait", "Longest wait for that"),
    ],
  },
  "POST /v1/task/{taskId}": { tag: "Tasks", summary: "Create a task, or give it splits or dynamic filters" },
  "DELETE /v1/task/{taskId}": {
    tag: "Tasks",
    summary: "End and forget a task",
    parameters: [query("abort", "false: consumers see an end")],
  },
  "GET /v1/task/{taskId}/status": {
    tag: "Tasks",
    summary: "Wait for a change of a task",
    parameters: [
      header("x-engine-current-version", "Answer when the version is larger"),
      header("x-engine-max-wait", "Longest wait for that"),
    ],
  },
  "GET /v1/task/{taskId}/results/{bufferId}/{token}": {
    tag: "Tasks",
    summary: "Fetch pages of a buffer",
    description: "The token acknowledges the pages before it. 204: there are none now.",
    parameters: [
      header("x-engine-max-size", "Maximum size of the pages"),
      header("x-engine-max-wait", "Longest wait for the first page"),
      header("x-engine-task-promised", "Wait for the task if it is not created yet"),
    ],
    answerType: pagesMediaType,
    success: [200, 204],
  },
  "GET /v1/task/{taskId}/results/{bufferId}/{token}/acknowledge": { tag: "Tasks", summary: "Acknowledge pages", success: [204] },
  "DELETE /v1/task/{taskId}/results/{bufferId}": { tag: "Tasks", summary: "End a buffer: its consumer needs no more", success: [204] },

  "GET /v1/catalog": { tag: "Catalogs", summary: "List catalogs, and the nodes that have them" },
  "POST /v1/catalog": { tag: "Catalogs", summary: "Create a catalog on every node", success: [204] },
  "PUT /v1/catalog/{catalog}": { tag: "Catalogs", summary: "Give a worker a catalog, for coordinators", success: [204] },
  "DELETE /v1/catalog/{catalog}": { tag: "Catalogs", summary: "Drop a catalog", success: [204] },
  "POST /v1/catalog/{catalog}/call": {
    tag: "Catalogs",
    summary: "Call the catalog's connector on this node, for other nodes",
    description: "The form of request and answer is the connector's own.",
    requestType: "application/json",
    answerType: "application/json",
  },

  "GET /v1/info": { tag: "Node", summary: "Version, role and readiness of the node" },
  "GET /v1/info/coordinator": { tag: "Node", summary: "200 on a coordinator, 404 on a worker", isEmpty: true },
  "GET /v1/info/state": { tag: "Node", summary: "State of the node" },
  "PUT /v1/info/state": { tag: "Node", summary: "Shut a worker down gracefully", isEmpty: true },
  "GET /v1/status": { tag: "Node", summary: "Memory and state of the node" },
  "GET /livez": { tag: "Node", summary: "The node is alive", answerType: "text/plain" },
  "GET /readyz": { tag: "Node", summary: "The node can run queries; 503 if not", answerType: "text/plain" },

  "GET /metrics": {
    tag: "Operations",
    summary: "Metrics in Prometheus's text format, or in OpenMetrics's if the Accept header prefers it",
    answerType: ["text/plain", "application/openmetrics-text"],
  },
  "GET /v1/openapi.json": { tag: "Operations", summary: "This document", answerType: "application/json" },

  "GET /v1/chaos": {
    tag: "Chaos",
    summary: "List the rules in force and the faults that landed; only with --chaos",
    answerType: "application/json",
  },
  "POST /v1/chaos": {
    tag: "Chaos",
    summary: "Add a rule, or a list of rules",
    description: "The header X-Orrery-Chaos gives rules to the query of a single request.",
    requestSchema: z.union([chaosRuleSchema, z.array(chaosRuleSchema)]),
    answerType: "application/json",
  },
  "DELETE /v1/chaos": { tag: "Chaos", summary: "Remove all rules", success: [204] },
  "DELETE /v1/chaos/{id}": { tag: "Chaos", summary: "Remove a rule", success: [204] },
  "POST /v1/chaos/advance": {
    tag: "Chaos",
    summary: "Let the time of a simulated cluster pass; 400 on a real server",
    requestSchema: advanceSchema,
    answerType: "application/json",
  },
};

/** Operations of a server that was started with --chaos. */
export const chaosOperations: readonly string[] = Object.keys(apiOperations).filter((key) => key.includes(" /v1/chaos"));
