/**
 * Builds the OpenAPI 3.1 document of a node from the table of operations and the schemas of the documents.
 */
import * as z from "zod";
import { engineVersion } from "../../../config.ts";
import { type DocumentEntry, documents } from "../../../protocol/documents/documents.ts";
import { clusterStatsSchema, resourceGroupSchema, trimmedQueryListSchema } from "../../../protocol/documents/cluster.ts";
import { announcementSchema, serverInfoSchema, serverStatusSchema, serviceListSchema } from "../../../protocol/documents/info.ts";
import { nodeListSchema } from "../../../protocol/documents/node.ts";
import { queryInfoSchema, queryListSchema } from "../../../protocol/documents/query.ts";
import { queryResultsSchema } from "../../../protocol/documents/statement.ts";
import { taskInfoSchema, taskListSchema, taskStatusSchema, taskUpdateRequestSchema } from "../../../protocol/documents/task.ts";
import { type ApiOperation, apiOperations, type ApiParameter } from "./operations.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Names of the schemas that stand among the components. The others stand where they are used. */
const names: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [queryResultsSchema, "QueryResults"],
  [queryListSchema, "QueryList"],
  [queryInfoSchema, "QueryInfo"],
  [clusterStatsSchema, "ClusterStats"],
  [resourceGroupSchema, "ResourceGroup"],
  [trimmedQueryListSchema, "TrimmedQueryList"],
  [nodeListSchema, "NodeList"],
  [announcementSchema, "Announcement"],
  [serviceListSchema, "ServiceList"],
  [taskListSchema, "TaskList"],
  [taskInfoSchema, "TaskInfo"],
  [taskStatusSchema, "TaskStatus"],
  [taskUpdateRequestSchema, "TaskUpdateRequest"],
  [serverInfoSchema, "ServerInfo"],
  [serverStatusSchema, "ServerStatus"],
]);

/** `has` says whether the node has a route, `GET /v1/query`. Parts of patterns in braces are parameters, as in OpenAPI. */
export function openApiDocument(has: (operation: string) => boolean): JsonObject {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [key, operation] of Object.entries(apiOperations)) {
    const [method = "", pattern = ""] = key.split(" ");
    if (has(key)) {
      paths[pattern] = { ...paths[pattern], [method.toLowerCase()]: operationObject({ method, pattern, operation }, schemas) };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Orrery",
      version: engineVersion,
      description:
        "Resources of a node of Orrery. Sizes are texts such as 64kB, durations texts such as 1.32ms, unless a name has the unit.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(Object.values(apiOperations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas },
  };
}

interface Place {
  readonly method: string;
  readonly pattern: string;
  readonly operation: ApiOperation;
}

function operationObject({ method, operation, pattern }: Place, schemas: Record<string, unknown>): JsonObject {
  const find = (direction: DocumentEntry["direction"]): DocumentEntry | undefined =>
    documents.find((entry) => entry.method === method && entry.pattern === pattern && entry.direction === direction);
  const { description, summary, tag } = operation;
  const request = find("request");
  const body = request === undefined ? otherRequest(operation, schemas) : jsonContent(request, schemas);
  const parameters = [
    ...[...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...(operation.parameters ?? []).map((parameter) => parameterObject(parameter)),
  ];
  return {
    operationId: operationId(method, pattern),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: operation.requestType !== "text/plain" || method === "POST", content: body } }),
    responses: {
      ...Object.fromEntries(
        (operation.success ?? [200]).map((status) => [status, answerObject(operation, { status, entry: find("response") }, schemas)]),
      ),
      default: { description: "An error, in a sentence", content: { "text/plain": { schema: { type: "string" } } } },
    },
  };
}

function otherRequest({ requestSchema, requestType }: ApiOperation, schemas: Record<string, unknown>): JsonObject | undefined {
  return requestSchema === undefined
    ? otherContent(requestType)
    : { "application/json": { schema: jsonSchema(requestSchema, { name: "request", schemas }) } };
}

function parameterObject({ description, in: place, isRequired, name }: ApiParameter): JsonObject {
  return { name, in: place, description, ...(isRequired === true ? { required: true } : {}), schema: { type: "string" } };
}

function answerObject(
  { answerType, isEmpty }: ApiOperation,
  { entry, status }: { readonly status: number; readonly entry: DocumentEntry | undefined },
  schemas: Record<string, unknown>,
): JsonObject {
  const hasBody = status === 200 && isEmpty !== true;
  const content = !hasBody ? undefined : entry === undefined ? otherContent(answerType) : jsonContent(entry, schemas);
  return { description: hasBody ? "Success" : "Success, without a body", ...(content === undefined ? {} : { content }) };
}

function otherContent(types: string | readonly string[] | undefined): JsonObject | undefined {
  if (types === undefined) {
    return undefined;
  }
  const schemaOfType = (type: string): JsonObject => ({ schema: type === "application/json" ? {} : { type: "string" } });
  return Object.fromEntries([types].flat().map((type) => [type, schemaOfType(type)]));
}

function jsonContent({ direction, example, schema }: DocumentEntry, schemas: Record<string, unknown>): JsonObject {
  return { "application/json": { schema: schemaOf(schema, direction, schemas), example } };
}

/** A reference to the component of a named schema, else the schema itself. */
function schemaOf(schema: z.ZodType, direction: DocumentEntry["direction"], schemas: Record<string, unknown>): unknown {
  const name = names.get(schema);
  if (name === undefined) {
    return jsonSchema(schema, { name: direction, schemas });
  }
  if (!Object.hasOwn(schemas, name)) {
    // Recursive schemas refer to themselves.
    schemas[name] = undefined;
    schemas[name] = jsonSchema(schema, { name, schemas });
  }
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * JSON Schema of a document. Members that the schema does not name are allowed: newer builds send more. Schemas that it shares with itself
 * become components.
 */
function jsonSchema(schema: z.ZodType, { name, schemas }: { readonly name: string; readonly schemas: Record<string, unknown> }): unknown {
  const {
    $defs = {},
    $schema: _,
    ...own
  } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema: made, zodSchema }) => {
      if (zodSchema instanceof z.ZodBigInt) {
        made.type = "integer";
      }
    },
  });
  const component = (definition: string): string => `${name}.${definition.replaceAll(/[^\w.-]/g, "")}`;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(moved);
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const definition = key === "$ref" && typeof one === "string" ? /^#\/\$defs\/(.+)$/.exec(one)?.[1] : undefined;
        return [key, definition === undefined ? moved(one) : `#/components/schemas/${component(definition)}`];
      }),
    );
  };
  for (const [definition, shared] of Object.entries($defs)) {
    schemas[component(definition)] = moved(shared);
  }
  return moved(own);
}

/** `getV1QueryQueryId` */
function operationId(method: string, pattern: string): string {
  const words = pattern.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
