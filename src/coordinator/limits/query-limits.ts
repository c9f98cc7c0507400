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
  "queryMaxRunTimeMs" | "queryMaxExecutionTimeMs" | "queryMaxCpuTimeMs" | "queryMaxScanBytes" | "queryMaxStageCount" | "limitTexts"
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
};

function configLimits(config: LimitConfig): SessionLimits {
  return {
    runMs: config.queryMaxRunTimeMs,
    executionMs: config.queryMaxExecutionTimeMs,
    cpuMs: config.queryMaxCpuTimeMs,
    scanBytes: config.queryMaxScanBytes,
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
  return {
    runMs: least("runMs"),
    executionMs: least("executionMs"),
    cpuMs: least("cpuMs"),
    scanBytes: least("scanBytes"),
    texts: { runMs: text("runMs"), executionMs: text("executionMs"), cpuMs: text("cpuMs"), scanBytes: text("scanBytes") },
  };
}

/** Session property defaults that come from the configuration. */
export function sessionDefaults(
  config: LimitConfig & Pick<CoordinatorConfig, "hashPartitionCount" | "inputRowsPerTaskMin" | "retry" | "spillEnabled">,
): Readonly<Record<string, string>> {
  const { texts } = queryLimits(config, {});
  return {
    [sessionNames.runMs]: texts.runMs,
    [sessionNames.executionMs]: texts.executionMs,
    [sessionNames.cpuMs]: texts.cpuMs,
    [sessionNames.scanBytes]: texts.scanBytes,
    query_max_stage_count: String(config.queryMaxStageCount),
    hash_partition_count: String(config.hashPartitionCount),
    min_input_rows_per_task: String(config.inputRowsPerTaskMin),
    retry_policy: config.retry.policy,
    spill_enabled: String(config.spillEnabled ?? true),
  };
}

function limitText(name: LimitName, value: number, written: string | undefined): string {
  if (name === "scanBytes") {
    return written !== undefined && parseDataSize(written) === value
      ? normalizeDataSize(written)
      : value < unlimited
        ? formatDataSize(value)
        : "";
  }
  return written !== undefined && parseDurationMs(written) === value ? normalizeDuration(written) : formatDuration(value * 1e6);
}
