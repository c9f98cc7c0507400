/**
 * Resource limits of a query: the minimum of what the configuration and the session allow.
 */
import { sessionLimits, type SessionLimits } from "../../planner/session-properties.ts";
import {
  formatDataSize,
  formatDuration,
  normalizeDataSize,
  normalizeDuration,
  parseDataSize,
  parseDurationMs,
} from "../../protocol/units.ts";
import { type CoordinatorConfig, unlimited } from "../context.ts";
import type { LimitName } from "./limit-texts.ts";

type LimitConfig = Pick<
  CoordinatorConfig,
  | "queryMaxRunTimeMs"
  | "queryMaxExecutionTimeMs"
  | "queryMaxCpuTimeMs"
  | "queryMaxScanBytes"
  | "queryMaxMemoryBytes"
  | "queryMaxTotalMemoryBytes"
  | "queryMaxStageCount"
  | "limitTexts"
>;

export interface QueryLimits extends SessionLimits {
  /** The limits as messages show them. */
  readonly texts: Readonly<Record<LimitName, string>>;
}

const sessionNames: Readonly<Record<LimitName, string>> = {
  runMs: "query_max_run_time",
  executionMs: "query_max_execution_time",
  cpuMs: "query_max_cpu_time",
  scanBytes: "query_max_scan_physical_bytes",
  userMemoryBytes: "query_max_memory",
  totalMemoryBytes: "query_max_total_memory",
};

const limitNames = Object.keys(sessionNames) as readonly LimitName[];
const sizes: ReadonlySet<LimitName> = new Set(["scanBytes", "userMemoryBytes", "totalMemoryBytes"]);

function ofEach<T>(value: (name: LimitName) => T): Readonly<Record<LimitName, T>> {
  return Object.fromEntries(limitNames.map((name) => [name, value(name)])) as Record<LimitName, T>;
}

function configLimits(config: LimitConfig): SessionLimits {
  return {
    runMs: config.queryMaxRunTimeMs,
    executionMs: config.queryMaxExecutionTimeMs,
    cpuMs: config.queryMaxCpuTimeMs,
    scanBytes: config.queryMaxScanBytes,
    userMemoryBytes: config.queryMaxMemoryBytes ?? unlimited,
    totalMemoryBytes: config.queryMaxTotalMemoryBytes ?? unlimited,
  };
}

/** `usual`: the limits of sessions that set none. */
export function limitsOf(config: LimitConfig, usual: QueryLimits, properties: Readonly<Record<string, string>>): QueryLimits {
  return Object.values(sessionNames).some((name) => properties[name] !== undefined) ? queryLimits(config, properties) : usual;
}

export function queryLimits(config: LimitConfig, properties: Readonly<Record<string, string>>): QueryLimits {
  const session = sessionLimits(properties);
  const allowed = configLimits(config);
  const least = (name: LimitName): number => Math.min(allowed[name], session[name]);
  const text = (name: LimitName): string =>
    limitText(name, least(name), session[name] < allowed[name] ? properties[sessionNames[name]] : config.limitTexts[name]);
  return { ...ofEach(least), texts: ofEach(text) };
}

/** Session property defaults that come from the configuration. */
export function sessionDefaults(
  config: LimitConfig & Pick<CoordinatorConfig, "hashPartitionCount" | "inputRowsPerTaskMin" | "retry" | "spillEnabled">,
): Readonly<Record<string, string>> {
  const { texts } = queryLimits(config, {});
  return {
    ...Object.fromEntries(limitNames.map((name) => [sessionNames[name], texts[name]])),
    query_max_stage_count: String(config.queryMaxStageCount),
    hash_partition_count: String(config.hashPartitionCount),
    min_input_rows_per_task: String(config.inputRowsPerTaskMin),
    retry_policy: config.retry.policy,
    spill_enabled: String(config.spillEnabled ?? true),
  };
}

function limitText(name: LimitName, value: number, written: string | undefined): string {
  if (sizes.has(name)) {
    return written !== undefined && parseDataSize(written) === value
      ? normalizeDataSize(written)
      : value < unlimited
        ? formatDataSize(value)
        : "";
  }
  return written !== undefined && parseDurationMs(written) === value ? normalizeDuration(written) : formatDuration(value * 1e6);
}
