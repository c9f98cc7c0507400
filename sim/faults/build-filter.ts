/**
 * Emulates a node of a neighbouring release as other nodes see it: its documents have members that this release does not know, or lack
 * optional members. Implemented as a filter at the node's network port, generated from the schemas of the documents.
 */
import * as z from "zod";
import type { Network } from "../../src/ports/network.ts";
import { findAnswer, findDocument } from "../../src/protocol/documents/documents.ts";
import { type JsonValue, parseJson, stringifyJson } from "../../src/protocol/json.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";
import type { Rewrite } from "../world/network.ts";
import type { NodeBuild } from "./fault.ts";

/** Optional members that every release has sent: the cause of a failure, the work of a task and the effect of a statement. */
const alwaysSaid = [
  "fragment",
  "dynamicFilterDomains",
  "failures",
  "errorCode",
  "message",
  "remoteHost",
  "errorLocation",
  "cause",
  "nextUri",
  "error",
  "columns",
  "data",
  "updateType",
  "updateCount",
];

export function requestFilter(network: Network, documents: NodeBuild["documents"]): Network {
  if (documents === "same") {
    return network;
  }
  return {
    selfUri: network.selfUri,
    close: () => network.close(),
    serve: (handler) => network.serve(handler),
    request: (request, options) => {
      const path = request.url.replace(/^http:\/\/[^/]+/, "");
      const body = filtered(request.body, findDocument(request.method, path, "request")?.schema, documents);
      return network.request({ ...request, body }, options);
    },
  };
}

export function answerFilter(documents: NodeBuild["documents"]): Rewrite | undefined {
  return documents === "same"
    ? undefined
    : (request, response) =>
        response.status === 200 ? { ...response, body: filtered(response.body, findAnswer(request)?.schema, documents) } : response;
}

function filtered(body: Uint8Array, schema: z.ZodType | undefined, documents: NodeBuild["documents"]): Uint8Array {
  if (schema === undefined || body.length === 0) {
    return body;
  }
  return encodeUtf8(stringifyJson(rebuild(parseJson(decodeUtf8(body)), schema, documents)));
}

/** Rewrites objects that the schema describes; maps and opaque values stay unchanged. */
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
