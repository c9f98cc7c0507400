/**
 * Engine properties for the nodes of this process: those that are set, and defaults that depend on the process.
 */
import { memoryDefaults } from "../../config.ts";
import { coordinatorMemoryBytes, type ServerConfiguration } from "../configuration.ts";

/**
 * Timeout for heartbeats between threads. The channel reports a thread that ends at once. A slow thread waits for CPU time, for seconds on
 * a busy machine, and the tables in its memory must not be lost for that.
 */
const patientHeartbeat = "15s";

/** Of the coordinator, which has `properties` otherwise: with workers in its process it has less memory, unless that is set. */
export function coordinatorProperties(
  { memoryBytes, properties: set, workers }: ServerConfiguration,
  properties: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return workers === 0 || set["node.memory"] !== undefined
    ? properties
    : { ...properties, "node.memory": `${coordinatorMemoryBytes(memoryBytes)}B` };
}

export function engineProperties(configuration: ServerConfiguration): Readonly<Record<string, string>> {
  return {
    ...memoryDefaults(configuration.memoryBytes),
    ...(configuration.workers > 0 ? { "failure-detector.heartbeat-timeout": patientHeartbeat } : {}),
    ...configuration.properties,
  };
}
