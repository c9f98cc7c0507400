/** The engine's properties for the nodes of this process: what was set, and a memory that fits the machine where none was. */
import type { ServerConfiguration } from "./configuration.ts";

export function engineProperties(configuration: ServerConfiguration): Readonly<Record<string, string>> {
  return {
    "shutdown.grace-period": "30s",
    "node.memory": `${configuration.memoryBytes}B`,
    "query.max-memory-per-node": `${Math.floor(configuration.memoryBytes / 2)}B`,
    ...configuration.properties,
  };
}
