/**
 * The rules by which queries are sent to other clusters, from a JSON file that is read again when it has changed. Its values may name
 * environment variables, as those of property files.
 */
import { QueryRouting } from "../coordinator/routing/query-routing.ts";
import type { Log } from "../ports/ports.ts";
import { parseQueryRouting, type QueryRoutingDocument } from "../protocol/documents/query-routing.ts";
import { substitute } from "./properties.ts";
import { type ConfiguredFile, configuredFile, type WatchedDocument, watchedDocument } from "./watched-document.ts";

export const queryRoutingProperties = [
  {
    name: "query-routing.config-file",
    default: "",
    description: "JSON file with other clusters and the rules by which queries are sent to them",
  },
  { name: "query-routing.refresh-interval", default: "5s", description: "How often the file of query routing is checked for changes" },
] as const;

type QueryRoutingPropertyName = (typeof queryRoutingProperties)[number]["name"];

/** Undefined if no file is configured. Throws ConfigurationError. */
export function queryRoutingFile(text: (name: QueryRoutingPropertyName) => string): ConfiguredFile | undefined {
  const name = "query-routing.refresh-interval";
  return configuredFile(text("query-routing.config-file"), name, text(name));
}

/** Throws ConfigurationError. */
export function createQueryRouting(file: ConfiguredFile | undefined, log: Log): WatchedDocument<QueryRoutingDocument> | undefined {
  return watchedDocument(file, {
    what: "query routing",
    parse: (text) => queryRoutingOf(text, process.env),
    onComplaint: (reason) => log.error("query-routing-not-read", { reason }),
  });
}

/** Throws an error whose message has no secret. */
export function queryRoutingOf(text: string, environment: Readonly<Record<string, string | undefined>>): QueryRoutingDocument {
  const document = parseQueryRouting(withEnvironment(jsonOf(text), environment));
  // Addresses are checked as well.
  new QueryRouting(document);
  return document;
}

/** The platform's message shows a part of the text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not valid JSON");
  }
}

function withEnvironment(value: unknown, environment: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === "string") {
    return substitute(value, "query routing", environment);
  }
  if (Array.isArray(value)) {
    return value.map((one: unknown) => withEnvironment(one, environment));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withEnvironment(one, environment)]))
    : value;
}
