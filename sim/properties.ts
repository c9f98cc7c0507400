/** Properties of simulated nodes: what the plan sets, over what all of them have, over the engine's defaults. */
import { engineDefault } from "../src/config.ts";
import { parseDataSize, parseDurationMs } from "../src/protocol/units.ts";
import type { Properties, RunPlan } from "./plan.ts";

/** Of every simulated node whose plan does not say otherwise. */
export const commonProperties: Properties = {
  "query.max-memory-per-node": "32MB",
  "shutdown.grace-period": "2m",
  "query-history.enabled": "true",
  // The tables of the runs are small.
  "optimizer.min-input-rows-per-task": "1",
  "query.hash-partition-count": "3",
};

/** As the nodes of a plan with these properties have it. */
function propertyText(properties: Properties, name: string): string {
  return properties[name] ?? commonProperties[name] ?? engineDefault(name);
}

/** Queries go on when the coordinator is started again. */
export function recoversQueries(properties: Properties): boolean {
  return propertyText(properties, "query-recovery.enabled") === "true";
}

/** Tables in memory survive the coordinator, as far as workers have their rows. */
export function recoversTables(properties: Properties): boolean {
  return propertyText(properties, "table-recovery.enabled") === "true";
}

/** Lost tasks run again one by one. */
export function retriesTasks(properties: Properties): boolean {
  return retryPolicyOf(properties) === "TASK";
}

/** Stragglers get second runs. */
export function runsStragglersTwice(properties: Properties): boolean {
  return propertyText(properties, "speculative-execution-enabled") === "true";
}

/** What runs again when tasks are lost, unless a session says otherwise. */
export function retryPolicyOf(properties: Properties): string {
  return propertyText(properties, "retry-policy");
}

/** Milliseconds. */
export function durationProperty(properties: Properties, name: string): number {
  return parsed(name, parseDurationMs(propertyText(properties, name)));
}

/** Bytes. */
export function sizeProperty(properties: Properties, name: string): number {
  return parsed(name, parseDataSize(propertyText(properties, name)));
}

export function numberProperty(properties: Properties, name: string): number {
  const text = propertyText(properties, name);
  return parsed(name, text === "" ? undefined : Number(text));
}

function parsed(name: string, value: number | undefined): number {
  if (value === undefined || Number.isNaN(value)) {
    throw new Error(`property ${name} has no value`);
  }
  return value;
}

/** Of a cluster with a coordinator on stand-by, which takes over when the lease of the other one is two seconds old. */
export const standbyProperties: Properties = Object.freeze({
  "coordinator.lease.enabled": "true",
  "coordinator.lease.duration": "2s",
  "query-recovery.enabled": "true",
  "table-recovery.enabled": "true",
  "task.info.max-age": "10s",
});

/** The longest time that a node's work takes without a turn. */
export function sliceNanosOf({ nanosPerWorkUnit, properties }: Pick<RunPlan, "nanosPerWorkUnit" | "properties">): number {
  return numberProperty(properties, "task.max-slice-rows") * nanosPerWorkUnit;
}
