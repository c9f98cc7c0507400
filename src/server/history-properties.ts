/** What a coordinator keeps in `query-history.directory`, and whether it may: one server at a time uses a directory (decision 114). */
import type { ServerConfiguration } from "./configuration.ts";
import { historyOwner } from "./ports/history-owner.ts";
import { canWriteIn } from "./ports/routed-storage.ts";

export interface HistoryProperties {
  /** Undefined if nothing is kept. */
  readonly historyFolder: string | undefined;
  readonly properties: Readonly<Record<string, string>>;
}

const kept = ["query-history.enabled", "query-recovery.enabled", "table-recovery.enabled"] as const;
const lease = "coordinator.lease.enabled";

/** The given engine properties, with the defaults of what is kept. Says on standard error why nothing is. */
export function historyProperties(configuration: ServerConfiguration, given: Readonly<Record<string, string>>): HistoryProperties {
  // Tables whose rows end with this process would only be known to be lost.
  const runsTasks = configuration.workers > 0 || given["node-scheduler.include-coordinator"] !== "false";
  const [history, recovery, tables] = kept;
  const properties = { [history]: "true", [recovery]: "true", [tables]: String(!runsTasks), [lease]: "true", ...given };
  const isKept = kept.some((name) => properties[name] === "true");
  const lack = isKept && configuration.historyFolder !== undefined ? lackOf(configuration, configuration.historyFolder) : undefined;
  if (lack !== undefined) {
    process.stderr.write(`The query history is not kept: ${lack}\n`);
  }
  const historyFolder = isKept && lack === undefined ? configuration.historyFolder : undefined;
  const nothing = Object.fromEntries([...kept, lease].map((name) => [name, "false"]));
  return { historyFolder, properties: historyFolder === undefined ? { ...properties, ...nothing } : properties };
}

/** Neither a directory that cannot be written, as in a container without one, nor one that another server uses is a reason not to start. */
function lackOf({ properties, standsBy }: ServerConfiguration, folder: string): string | undefined {
  if (!canWriteIn(folder)) {
    return `the directory ${folder} cannot be written`;
  }
  const owner = properties[lease] === "false" || standsBy ? undefined : historyOwner(folder);
  return owner?.place === "here"
    ? `${owner.text} uses the directory ${folder}. Queries of this server end with it. Give it a directory of its own with query-history.directory, or let it take over when the other one ends with coordinator.standby.enabled=true`
    : undefined;
}
