/** Properties that the connectors of databases and clusters share. Names are Trino's. */
import { booleanProperty, durationProperty, integerProperty, invalidProperty } from "../properties.ts";
import type { PushdownOptions } from "./pushdown.ts";

const valuesMaxDefault = 256;
const connectionsDefault = 10;
const rowsPerInsertDefault = 1000;

export const remotePropertyNames = [
  "connection-url",
  "connection-user",
  "connection-password",
  "connection-pool.max-size",
  "connection-pool.wait",
  "metadata.timeout",
  "aggregation-pushdown.enabled",
  "domain-compaction-threshold",
  "join-pushdown.enabled",
  "statistics.enabled",
  "topn-pushdown.enabled",
  "unsupported-type-handling",
  "write.batch-size",
] as const;

type Properties = Readonly<Record<string, string>>;

export interface RemoteOptions {
  readonly connectionsMax: number;
  readonly waitMs: number;
  readonly answerMs: number;
  /** Values of a condition that are sent one by one; more of them are sent as a range. */
  readonly valuesMax: number;
  readonly rowsPerInsert: number;
  readonly hasStatistics: boolean;
  readonly pushdown: PushdownOptions;
}

/** Throws CONFIGURATION_INVALID. */
export function remoteOptionsOf(properties: Properties, { rowsPerInsertMax }: { readonly rowsPerInsertMax: number }): RemoteOptions {
  return {
    valuesMax: integerProperty(properties, "domain-compaction-threshold", { min: 1, max: 10_000, default: valuesMaxDefault }),
    pushdown: {
      aggregates: booleanProperty(properties, "aggregation-pushdown.enabled", true),
      joins: booleanProperty(properties, "join-pushdown.enabled", true),
      topN: booleanProperty(properties, "topn-pushdown.enabled", true),
    },
    hasStatistics: booleanProperty(properties, "statistics.enabled", true),
    connectionsMax: integerProperty(properties, "connection-pool.max-size", { min: 1, max: 10_000, default: connectionsDefault }),
    waitMs: durationProperty(properties, "connection-pool.wait", "30s"),
    answerMs: durationProperty(properties, "metadata.timeout", "5m"),
    rowsPerInsert: integerProperty(properties, "write.batch-size", { min: 1, max: rowsPerInsertMax, default: rowsPerInsertDefault }),
  };
}

export type UnsupportedTypes = "IGNORE" | "CONVERT_TO_VARCHAR";

/** Throws CONFIGURATION_INVALID. */
export function unsupportedTypesOf(properties: Properties): UnsupportedTypes {
  const value = properties["unsupported-type-handling"]?.trim().toUpperCase() ?? "IGNORE";
  if (value !== "IGNORE" && value !== "CONVERT_TO_VARCHAR") {
    throw invalidProperty("unsupported-type-handling", properties["unsupported-type-handling"] ?? "");
  }
  return value;
}
