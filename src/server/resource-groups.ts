/**
 * The resource groups that the configuration describes: Trino's file-based resource groups, read again when the file has changed.
 */
import type { Log } from "../ports/ports.ts";
import { parseResourceGroups, type ResourceGroupsDocument } from "../protocol/documents/resource-groups.ts";
import { parseDurationMs } from "../protocol/units.ts";
import { ConfigurationError } from "./properties.ts";
import { watchChanges, WatchedFile } from "./security/watched-file.ts";
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

export interface ResourceGroupsFile {
  readonly path: string;
  readonly refreshMs: number;
}

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
  const interval = text("resource-groups.refresh-interval");
  const refreshMs = parseDurationMs(interval);
  if (refreshMs === undefined) {
    throw new ConfigurationError(
      `invalid value '${shownValue(interval)}' for property 'resource-groups.refresh-interval': expected a duration such as 5s`,
    );
  }
  return path === "" ? undefined : { path, refreshMs };
}

export interface ConfiguredResourceGroups {
  /** As the file describes them now. */
  readonly document: () => ResourceGroupsDocument;
  /** Calls back after each change that is taken over, until the returned function is called. */
  readonly watch: (take: (document: ResourceGroupsDocument) => void) => () => void;
}

/** Throws ConfigurationError. */
export function createResourceGroups(file: ResourceGroupsFile | undefined, log: Log): ConfiguredResourceGroups | undefined {
  if (file === undefined) {
    return undefined;
  }
  const { path, refreshMs } = file;
  const onComplaint = (reason: string): void => log.error("resource-groups-not-read", { reason });
  try {
    const watched = new WatchedFile({ path, refreshMs, parse: (text) => parseResourceGroups(JSON.parse(text)), onComplaint });
    const document = (): ResourceGroupsDocument => watched.value();
    return { document, watch: (take) => watchChanges(document, refreshMs, take) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`the file of resource groups ${path} cannot be used: ${code ?? message}`);
  }
}
