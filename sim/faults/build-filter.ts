/**
 * A node of a neighbouring release, as far as others can see: what it says has members that this release does not know, or lacks those that are optional. A filter at
 * the node's network port, made from the schemas of the documents.
 */
import { z } from "zod";
import type { HttpRequest, HttpResponse, Network } from "../../src/ports/network.ts";
import { findDocument } from "../../src/protocol/documents.ts";
import { type JsonValue, parseJson, stringifyJson } from "../../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import type { NodeBuild } from "./fault.ts";

/** Why something failed is said in optional members: no release ever left it out. */
const alwaysSaid = ["failures", "errorCode", "message", "remoteHost", "errorLocation", "cause", "nextUri", "error", "columns", "data"];

export function documentFilter(network: Network, documents: NodeBuild["documents"]): Network {
  if (documents === "same") {
    return network;
  }
  return {
    get selfUri() {
      return network.selfUri;
    },
    close: () => network.close(),
    request: (request, options) => network.request(filterRequest(request, documents), options),
    serve: (handler) => network.serve(async (request, context) => filterResponse(request, await handler(request, context), documents)),
  };
}

function filterRequest(request: HttpRequest, documents: NodeBuild["documents"]): HttpRequest {
  const path = request.url.replace(/^http:\/\/[^/]+/, "");
  return { ...request, body: filtered(request.body, findDocument(request.method, path, "request")?.schema, documents) };
}

function filterResponse(request: HttpRequest, response: HttpResponse, documents: NodeBuild["documents"]): HttpResponse {
  if (response.status !== 200) {
    return response;
  }
  return { ...response, body: filtered(response.body, findDocument(request.method, request.url, "response")?.schema, documents) };
}

function filtered(body: Uint8Array, schema: z.ZodType | undefined, documents: NodeBuild["documents"]): Uint8Array {
  if (schema === undefined || body.length === 0) {
    return body;
  }
  return encodeUtf8(stringifyJson(rebuild(parseJson(decodeUtf8(body)), schema, documents)));
}

/** Objects that the schema describes as such; maps and opaque values stay as they are. */
function rebuild(value: JsonValue, schema: unknown, documents: NodeBuild["documents"]): JsonValue {
  if (schema instanceof z.ZodOptional) {
    return rebuild(value, schema.unwrap(), documents);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => rebuild(item, schema.element, documents));
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value)) {
    return value;
  }
  const shape = schema.shape as Readonly<Record<string, unknown>>;
  const members = Object.entries(value)
    .filter(([name]) => documents === "newer" || alwaysSaid.includes(name) || !(shape[name] instanceof z.ZodOptional))
    .map(([name, member]) => [name, alwaysSaid.includes(name) ? member : rebuild(member, shape[name], documents)]);
  const rebuilt = Object.fromEntries(members) as { [name: string]: JsonValue };
  return documents === "newer" ? { ...rebuilt, laterMember: { state: "LATER", count: 1 } } : rebuilt;
}
