/** The engine's properties for the nodes of this process: what was set, and what fits the process where nothing was. */
import { memoryDefaults } from "../../config.ts";
import type { ServerConfiguration } from "../configuration.ts";

/**
 * A thread that ends is known by its channel, at once. One that is late waits for the machine's cores, which on a busy one takes seconds, and the tables in its memory
 * must not be given up for that.
 */
const patientHeartbeat = "15s";

export function engineProperties(configuration: ServerConfiguration): Readonly<Record<string, string>> {
  return {
    ...memoryDefaults(configuration.memoryBytes),
    ...(configuration.workers > 0 ? { "failure-detector.heartbeat-timeout": patientHeartbeat } : {}),
    ...configuration.properties,
  };
}
