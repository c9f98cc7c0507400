/**
 * Session properties and the defaults that the configuration does not set. Properties that limit a query can only narrow the limits of the
 * configuration. The exception is the number of stages, which a session may raise, as in Presto.
 */
import { QueryError } from "../protocol/errors.ts";
import { parseDataSize, parseDurationMs } from "../protocol/units.ts";
import { zoneKeyOf } from "../types/time/zones.ts";
import { normalRules, parseRules, type RulesOff } from "./optimizer/rule-table.ts";
import type { JoinOptions } from "./optimizer/rules/rule.ts";

export interface SessionProperty {
  readonly name: string;
  /** A duration is text such as `5m`, a data size text such as `10GB`. Clients see both as varchar, as in Presto. */
  readonly type: "varchar" | "boolean" | "integer" | "duration" | "size";
  /** Absent where the configuration sets it (PlanContext.sessionDefaults). */
  readonly defaultValue?: string;
  readonly values: readonly string[];
  readonly description: string;
}

/** Set by SET TIME ZONE. Overrides the time zone header of the client. */
export const timeZoneProperty = "time_zone_id";
const runTimeProperty = "query_max_run_time";
const executionTimeProperty = "query_max_execution_time";
const cpuTimeProperty = "query_max_cpu_time";
const scanBytesProperty = "query_max_scan_physical_bytes";
const userMemoryProperty = "query_max_memory";
const totalMemoryProperty = "query_max_total_memory";
const stageCountProperty = "query_max_stage_count";
const hashPartitionProperty = "hash_partition_count";
const inputRowsPerTaskProperty = "min_input_rows_per_task";
const recursionDepthProperty = "max_recursion_depth";
const priorityProperty = "query_priority";
const retryPolicyProperty = "retry_policy";
/**
 * Trino's names. With QUERY all tasks of a query run again when one is lost. With TASK those that are lost do, and those that must produce
 * again what they had read; where that cannot help, all of them.
 */
export const retryPolicies = ["NONE", "QUERY", "TASK"] as const;
export type RetryPolicy = (typeof retryPolicies)[number];
const speculativeExecutionProperty = "speculative_execution_enabled";
const optimizerRulesProperty = "optimizer_rules";

/** In ascending order of names. */
export const sessionProperties: readonly SessionProperty[] = Object.freeze([
  {
    name: "enable_dynamic_filtering",
    type: "boolean",
    defaultValue: "true",
    values: ["true", "false"],
    description: "Enable dynamic filtering",
  },
  {
    name: hashPartitionProperty,
    type: "integer",
    values: [],
    description: "Number of partitions for distributed joins and aggregations",
  },
  {
    name: "join_distribution_type",
    type: "varchar",
    defaultValue: "AUTOMATIC",
    values: ["BROADCAST", "PARTITIONED", "AUTOMATIC"],
    description: "Join distribution type. Possible values: [BROADCAST, PARTITIONED, AUTOMATIC]",
  },
  {
    name: "join_reordering_strategy",
    type: "varchar",
    defaultValue: "AUTOMATIC",
    values: ["NONE", "ELIMINATE_CROSS_JOINS", "AUTOMATIC"],
    description: "Join reordering strategy. Possible values: [NONE, ELIMINATE_CROSS_JOINS, AUTOMATIC]",
  },
  {
    name: recursionDepthProperty,
    type: "integer",
    defaultValue: "10",
    values: [],
    description: "Maximum recursion depth for recursive common table expression",
  },
  {
    name: inputRowsPerTaskProperty,
    type: "integer",
    values: [],
    description: "Minimum input rows per task",
  },
  {
    name: optimizerRulesProperty,
    type: "varchar",
    defaultValue: "",
    values: [],
    description: "Optimizer rules to switch off (-name) or on (+name), separated by commas; all names every rule",
  },
  {
    name: cpuTimeProperty,
    type: "duration",
    values: [],
    description: "Maximum CPU time of a query",
  },
  {
    name: executionTimeProperty,
    type: "duration",
    values: [],
    description: "Maximum execution time of a query",
  },
  {
    name: userMemoryProperty,
    type: "size",
    values: [],
    description: "Maximum amount of distributed memory a query can use",
  },
  {
    name: runTimeProperty,
    type: "duration",
    values: [],
    description: "Maximum run time of a query (includes the queueing time)",
  },
  {
    name: scanBytesProperty,
    type: "size",
    values: [],
    description: "Maximum scan physical bytes of a query",
  },
  {
    name: stageCountProperty,
    type: "integer",
    values: [],
    description: "Temporary: Maximum number of stages a query can have",
  },
  {
    name: totalMemoryProperty,
    type: "size",
    values: [],
    description: "Maximum amount of distributed total memory a query can use",
  },
  {
    name: priorityProperty,
    type: "integer",
    defaultValue: "1",
    values: [],
    description: "The priority of queries. Larger numbers are higher priority",
  },
  {
    name: retryPolicyProperty,
    type: "varchar",
    values: retryPolicies,
    description: "Retry policy. Possible values: [NONE, QUERY, TASK]",
  },
  {
    name: "share_common_subplans",
    type: "boolean",
    defaultValue: "true",
    values: ["true", "false"],
    description: "Evaluate common subplans of a query once if their output is smaller than their input",
  },
  {
    name: speculativeExecutionProperty,
    type: "boolean",
    values: ["true", "false"],
    description: "Run a task that is much slower than the others of its stage a second time on another worker",
  },
  {
    name: "spill_enabled",
    type: "boolean",
    values: ["true", "false"],
    description: "Enable spilling",
  },
  {
    name: timeZoneProperty,
    type: "varchar",
    defaultValue: "",
    values: [],
    description: "Time zone id for the current session",
  },
]);

export function findSessionProperty(name: string): SessionProperty | undefined {
  return sessionProperties.find((property) => property.name === name);
}

export function checkSessionProperty(property: SessionProperty, value: string): string {
  if (property.type === "integer") {
    return checkCount(property, value);
  }
  if (property.type === "duration") {
    return checkDuration(property, value);
  }
  if (property.type === "size") {
    return checkSize(property, value);
  }
  if (property.name === timeZoneProperty) {
    return checkZone(value);
  }
  if (property.name === optimizerRulesProperty) {
    return normalRules(value);
  }
  const known = property.type === "boolean" ? value.toLowerCase() : value.toUpperCase();
  if (property.values.includes(known)) {
    return known;
  }
  throw new QueryError("INVALID_SESSION_PROPERTY", `Invalid value [${value}]. Valid values: [${property.values.join(", ")}]`);
}

function checkZone(value: string): string {
  if (zoneKeyOf(value) !== undefined) {
    return value;
  }
  throw new QueryError("INVALID_SESSION_PROPERTY", `Time zone not supported: ${value}`);
}

function checkDuration({ name }: SessionProperty, value: string): string {
  if (parseDurationMs(value) !== undefined) {
    return value;
  }
  throw new QueryError("INVALID_SESSION_PROPERTY", `${name} is invalid: duration is not a valid data duration string: ${value}`);
}

function checkSize({ name }: SessionProperty, value: string): string {
  if (parseDataSize(value) !== undefined) {
    return value;
  }
  throw new QueryError("INVALID_SESSION_PROPERTY", `${name} is invalid: size is not a valid data size string: ${value}`);
}

/** Maximum value of max_recursion_depth. Each level of recursion is expanded in the plan. */
const recursionDepthMax = 100;

function checkCount({ name }: SessionProperty, value: string): string {
  if (name === recursionDepthProperty && /^\+?\d+$/.test(value) && Number(value) > recursionDepthMax) {
    throw new QueryError("INVALID_SESSION_PROPERTY", `${name} must be less than or equal to ${recursionDepthMax}: ${value}`);
  }
  if (/^\+?\d{1,9}$/.test(value) && Number(value) >= 1) {
    return String(Number(value));
  }
  throw new QueryError("INVALID_SESSION_PROPERTY", `${name} must be an integer greater than or equal to 1: ${value}`);
}

function sessionValue(name: string, properties: Readonly<Record<string, string>>): string {
  const property = findSessionProperty(name);
  const value = properties[name];
  if (property === undefined) {
    return value ?? "";
  }
  return value === undefined ? (property.defaultValue ?? "") : checkSessionProperty(property, value);
}

export function joinOptions(properties: Readonly<Record<string, string>>): JoinOptions {
  return {
    dynamicFiltering: sessionValue("enable_dynamic_filtering", properties) === "true",
    joinDistribution: sessionValue("join_distribution_type", properties) as JoinOptions["joinDistribution"],
    joinReordering: sessionValue("join_reordering_strategy", properties) as JoinOptions["joinReordering"],
  };
}

/** Rules that the session switched off. */
export function rulesOff(properties: Readonly<Record<string, string>>): RulesOff {
  return parseRules(sessionValue(optimizerRulesProperty, properties));
}

export function sharesSubplans(properties: Readonly<Record<string, string>>): boolean {
  return sessionValue("share_common_subplans", properties) === "true";
}

export function maxRecursionDepth(properties: Readonly<Record<string, string>>): number {
  return Number(sessionValue(recursionDepthProperty, properties));
}

/** Maximum number of tasks of a hash-partitioned stage, as far as the session limits it. */
export function hashPartitionCount(properties: Readonly<Record<string, string>>): number {
  return properties[hashPartitionProperty] === undefined
    ? Number.POSITIVE_INFINITY
    : Number(sessionValue(hashPartitionProperty, properties));
}

/** Undefined if the session does not set it. */
export function inputRowsPerTaskMin(properties: Readonly<Record<string, string>>): number | undefined {
  return properties[inputRowsPerTaskProperty] === undefined ? undefined : Number(sessionValue(inputRowsPerTaskProperty, properties));
}

/** Undefined if the session does not set it. */
export function retryPolicy(properties: Readonly<Record<string, string>>): RetryPolicy | undefined {
  return properties[retryPolicyProperty] === undefined ? undefined : (sessionValue(retryPolicyProperty, properties) as RetryPolicy);
}

/** Undefined if the session does not set it. */
export function speculativeExecution(properties: Readonly<Record<string, string>>): boolean | undefined {
  return properties[speculativeExecutionProperty] === undefined
    ? undefined
    : sessionValue(speculativeExecutionProperty, properties) === "true";
}

/** Limits that a session sets for a query; infinite if not set. */
export interface SessionLimits {
  /** From the creation of the query, in milliseconds. */
  readonly runMs: number;
  /** From the start of execution, in milliseconds. */
  readonly executionMs: number;
  /** Total of all tasks, in milliseconds. */
  readonly cpuMs: number;
  /** Total of all scans, in bytes. */
  readonly scanBytes: number;
  /** User memory of all tasks at a moment, in bytes. */
  readonly userMemoryBytes: number;
  /** User and system memory of all tasks at a moment, in bytes. */
  readonly totalMemoryBytes: number;
}

/**
 * Checks the properties that a client sends with a statement as SET SESSION would. Throws INVALID_SESSION_PROPERTY, or NOT_FOUND for an
 * unknown catalog.
 */
export function checkSession(properties: Readonly<Record<string, string>>, hasCatalog: (name: string) => boolean): void {
  for (const [name, value] of Object.entries(properties)) {
    const catalog = name.includes(".") ? name.slice(0, name.indexOf(".")) : undefined;
    if (catalog !== undefined && !hasCatalog(catalog)) {
      throw new QueryError("NOT_FOUND", `Session property catalog does not exist: ${catalog}`);
    }
    const property = findSessionProperty(name);
    if (property === undefined) {
      throw new QueryError("INVALID_SESSION_PROPERTY", `Session property '${name}' does not exist`);
    }
    checkSessionProperty(property, value);
  }
}

/** Invalid durations and sizes set no limit here; `checkSession` rejects them before the query runs. */
export function sessionLimits(properties: Readonly<Record<string, string>>): SessionLimits {
  const limit = (name: string, parse: (text: string) => number | undefined): number =>
    parse(properties[name] ?? "") ?? Number.POSITIVE_INFINITY;
  return {
    runMs: limit(runTimeProperty, parseDurationMs),
    executionMs: limit(executionTimeProperty, parseDurationMs),
    cpuMs: limit(cpuTimeProperty, parseDurationMs),
    scanBytes: limit(scanBytesProperty, parseDataSize),
    userMemoryBytes: limit(userMemoryProperty, parseDataSize),
    totalMemoryBytes: limit(totalMemoryProperty, parseDataSize),
  };
}

/** Of the query in its resource group; 1 if the session does not set it, or sets what planning will refuse. */
export function queryPriority(properties: Readonly<Record<string, string>>): number {
  const priority = Number(properties[priorityProperty] ?? "1");
  return Number.isSafeInteger(priority) && priority >= 1 ? Math.min(priority, 2 ** 31 - 1) : 1;
}

/** Maximum number of stages, if the session sets it. As in Presto, a session may raise the limit of the configuration. */
export function stageCountMax(properties: Readonly<Record<string, string>>): number | undefined {
  return properties[stageCountProperty] === undefined ? undefined : Number(sessionValue(stageCountProperty, properties));
}
