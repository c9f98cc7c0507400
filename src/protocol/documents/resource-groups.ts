/**
 * The document of Trino's file-based resource groups. Names of members are Trino's; unknown ones are an error, because a misspelled limit
 * would limit nothing. Plain data, so that a recording of the node holds it and a plan of the simulator can draw it.
 */
import * as z from "zod";
import { isPattern } from "../patterns.ts";
import { dataSizePattern, durationPattern, parseDurationMs } from "../units.ts";

const policies = ["fair", "weighted", "weighted_fair", "query_priority"] as const;
export type SchedulingPolicy = (typeof policies)[number];

/** Of statements, as selectors name them. */
const queryTypes = [
  "SELECT",
  "EXPLAIN",
  "DESCRIBE",
  "INSERT",
  "DELETE",
  "UPDATE",
  "MERGE",
  "ANALYZE",
  "DATA_DEFINITION",
  "ALTER_TABLE_EXECUTE",
] as const;
export type QueryType = (typeof queryTypes)[number];
export const queryTypeSchema: z.ZodType<QueryType> = z.enum(queryTypes);

const count = z.int().min(0).max(1_000_000_000);
const duration = z.string().regex(durationPattern, "expected a duration such as 1h");
const dataSize = z.string().regex(dataSizePattern, "expected a data size such as 2GB");
const pattern = z.string().refine(isPattern, "expected a regular expression").optional();
/** A share of the memory of all nodes, or a size. */
const memoryLimit = z
  .string()
  .refine(
    (text) => dataSizePattern.test(text) || /^(?:100|\d{1,2})(?:\.\d+)?%$/.test(text),
    "expected a data size such as 2GB, or a share such as 80%",
  );

const group = z.strictObject({
  /** May hold variables: `${USER}`, `${SOURCE}`, and the named groups of the selector's patterns. */
  name: z.string().min(1).max(200),
  softMemoryLimit: memoryLimit.optional(),
  maxQueued: count,
  hardConcurrencyLimit: count,
  softConcurrencyLimit: count.optional(),
  schedulingPolicy: z.enum(policies).optional(),
  schedulingWeight: z.int().min(1).max(1_000_000).optional(),
  softCpuLimit: duration.optional(),
  hardCpuLimit: duration.optional(),
  hardPhysicalDataScanLimit: dataSize.optional(),
  /** There is no JMX. */
  jmxExport: z.boolean().optional(),
  get subGroups() {
    return z.array(group).optional();
  },
});
export type GroupDocument = z.infer<typeof group>;

const range = z.strictObject({ min: z.string().optional(), max: z.string().optional() });

const selector = z.strictObject({
  user: pattern,
  /** Users have no groups, so a selector that names some selects nobody. */
  userGroup: pattern,
  originalUser: pattern,
  authenticatedUser: pattern,
  source: pattern,
  queryText: pattern,
  queryType: z.enum(queryTypes).optional(),
  clientTags: z.array(z.string()).optional(),
  selectorResourceEstimate: z
    .strictObject({ executionTime: range.optional(), cpuTime: range.optional(), peakMemory: range.optional() })
    .optional(),
  /** Names from the root to the group, separated by dots. */
  group: z.string().min(1),
});
export type SelectorDocument = z.infer<typeof selector>;

export const resourceGroupsSchema = z
  .strictObject({
    rootGroups: z.array(group).min(1),
    selectors: z.array(selector).min(1),
    /** Period of the CPU limits. */
    cpuQuotaPeriod: duration.optional(),
    /** Period of the limits of scanned data. */
    physicalDataScanQuotaPeriod: duration.optional(),
  })
  .superRefine(({ cpuQuotaPeriod, physicalDataScanQuotaPeriod, rootGroups, selectors }, context) => {
    const complain = (message: string): void => context.addIssue({ code: "custom", message });
    const periods = { hasCpuPeriod: cpuQuotaPeriod !== undefined, hasScanPeriod: physicalDataScanQuotaPeriod !== undefined };
    checkGroups(rootGroups, undefined, { ...periods, complain });
    for (const { group: path } of selectors) {
      const found = groupAt(rootGroups, path);
      if (found === undefined) {
        complain(`Selector refers to nonexistent group: ${path}`);
      } else if ((found.subGroups ?? []).length > 0) {
        complain(`Selector refers to group with sub-groups: ${path}`);
      }
    }
  });
export type ResourceGroupsDocument = z.infer<typeof resourceGroupsSchema>;

interface GroupChecks {
  readonly hasCpuPeriod: boolean;
  readonly hasScanPeriod: boolean;
  readonly complain: (message: string) => void;
}

function checkGroups(groups: readonly GroupDocument[], parent: GroupDocument | undefined, checks: GroupChecks): void {
  const { complain, hasCpuPeriod, hasScanPeriod } = checks;
  const names = new Set<string>();
  for (const one of groups) {
    const { hardConcurrencyLimit, hardCpuLimit, hardPhysicalDataScanLimit, name } = one;
    const { schedulingPolicy, softConcurrencyLimit, softCpuLimit, subGroups } = one;
    if (names.has(name)) {
      complain(`Duplicated group: ${name}`);
    }
    names.add(name);
    if (name.includes(".")) {
      complain(`Invalid group name, it has a dot: ${name}`);
    }
    if (softConcurrencyLimit !== undefined && softConcurrencyLimit > hardConcurrencyLimit) {
      complain(`softConcurrencyLimit must be less than or equal to hardConcurrencyLimit: ${name}`);
    }
    if (softCpuLimit !== undefined && hardCpuLimit === undefined) {
      complain(`Must specify hard CPU limit in addition to soft limit: ${name}`);
    }
    if (
      softCpuLimit !== undefined &&
      hardCpuLimit !== undefined &&
      (parseDurationMs(softCpuLimit) ?? 0) > (parseDurationMs(hardCpuLimit) ?? 0)
    ) {
      complain(`Soft CPU limit cannot be greater than hard CPU limit: ${name}`);
    }
    if (hardCpuLimit !== undefined && !hasCpuPeriod) {
      complain(`cpuQuotaPeriod must be specified to use CPU limits: ${name}`);
    }
    if (hardPhysicalDataScanLimit !== undefined && !hasScanPeriod) {
      complain(`physicalDataScanQuotaPeriod must be specified to use physical data scan limits: ${name}`);
    }
    if (parent?.schedulingPolicy === "query_priority" && schedulingPolicy !== "query_priority") {
      complain(`Must use query_priority in sub-groups of a group that uses it: ${name}`);
    }
    checkGroups(subGroups ?? [], one, checks);
  }
}

function groupAt(groups: readonly GroupDocument[], path: string): GroupDocument | undefined {
  let level: readonly GroupDocument[] = groups;
  let found: GroupDocument | undefined;
  for (const name of path.split(".")) {
    found = level.find((one) => one.name === name);
    level = found?.subGroups ?? [];
  }
  return found;
}

/** Throws an error with a one-line message that names the place in the document. */
export function parseResourceGroups(document: unknown): ResourceGroupsDocument {
  return parsedFile(resourceGroupsSchema, document, "resource groups");
}

/** What a configuration file describes. Throws an error with a one-line message that names the place in the document. */
export function parsedFile<T>(schema: z.ZodType<T>, document: unknown, what: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) {
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  throw new Error(`Invalid ${what} at ${["$", ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not valid"}`);
}
