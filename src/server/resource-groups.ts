/**
 * The resource groups that the configuration describes: Trino's file-based resource groups, read again when the file has changed.
 */
import type { Log } from "../ports/ports.ts";
import { parseResourceGroups, type ResourceGroupsDocument } from "../protocol/documents/resource-groups.ts";
import { ConfigurationError } from "./properties.ts";
import { type ConfiguredFile, configuredFile, type WatchedDocument, watchedDocument } from "./watched-document.ts";
import { shownValue } from "../protocol/shown-value.ts";

export const resourceGroupProperties = [
  {
    name: "resource-groups.configuration-manager",
    default: "",
    description: "Where resource groups are configured: file, or by default one group by query.max-concurrent-queries",
  },
  { name: "resource-groups.config-file", default: "", description: "JSON file with resource groups and selectors, as Trino's" },
  { name: "resource-groups.refresh-interval", default: "5s", description: "How often the file of resource groups is checked for changes" },
] as const;

type ResourceGroupPropertyName = (typeof resourceGroupProperties)[number]["name"];

export type ResourceGroupsFile = ConfiguredFile;

/** Undefined if no file is configured. Throws ConfigurationError. */
export function resourceGroupsFile(text: (name: ResourceGroupPropertyName) => string): ResourceGroupsFile | undefined {
  const manager = text("resource-groups.configuration-manager");
  const path = text("resource-groups.config-file");
  if (manager !== "" && manager !== "file") {
    throw new ConfigurationError(
      `invalid value '${shownValue(manager)}' for property 'resource-groups.configuration-manager': expected file`,
    );
  }
  if ((manager === "") !== (path === "")) {
    throw new ConfigurationError("resource-groups.configuration-manager=file and resource-groups.config-file need each other");
  }
  return configuredFile(path, "resource-groups.refresh-interval", text("resource-groups.refresh-interval"));
}

/** Throws ConfigurationError. */
export function createResourceGroups(file: ResourceGroupsFile | undefined, log: Log): WatchedDocument<ResourceGroupsDocument> | undefined {
  return watchedDocument(file, {
    what: "resource groups",
    parse: (text) => parseResourceGroups(JSON.parse(text)),
    onComplaint: (reason) => log.error("resource-groups-not-read", { reason }),
  });
}
