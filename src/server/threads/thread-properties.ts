/**
 * Engine properties for the nodes of this process: those that are set, and defaults that depend on the process.
 */
import { memoryDefaults } from "../../config.ts";
import type { ServerConfiguration } from "../configuration.ts";

/**
 * Timeout for heartbeats between threads. The channel reports a thread that ends at once. A slow thread waits for CPU time, for seconds on
 * a busy machine, and the tables in its memory must not be lost for that.
 */
const patientHeartbeat = "15s";

export function engineProperties(configuration: ServerConfiguration): Readonly<Record<string, string>> {
  return {
    ...memoryDefaults(configuration.memoryBytes),
    ...(configuration.workers > 0 ? { "failure-detector.heartbeat-timeout": patientHeartbeat } : {}),
    ...configuration.properties,
  };
}
