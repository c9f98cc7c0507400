/**
 * Resource groups as the coordinator uses them: templates of groups with their limits as numbers, and the selectors that lead a query to
 * one. Made of the document of the configuration, or of the two properties that describe a single group. Source of the meaning of limits
 * and policies: Trino's documentation, "Resource groups".
 */
import type {
  GroupDocument,
  QueryType,
  ResourceGroupsDocument,
  SchedulingPolicy,
  SelectorDocument,
} from "../../protocol/documents/resource-groups.ts";
import { compilePattern } from "../../protocol/patterns.ts";
import { parseDataSize, parseDurationMs } from "../../protocol/units.ts";
import type { QuotaLimit } from "./quota.ts";

export interface GroupLimits {
  readonly queuedMax: number;
  readonly runningMax: number;
  /** A group with more running queries starts another only if no peer below its own limit can start one. */
  readonly runningSoftMax: number;
  /** Absent if memory does not limit the group. */
  readonly memory: { readonly bytes: number } | { readonly share: number } | undefined;
  /** CPU time in nanoseconds. Absent if it does not limit the group. */
  readonly cpu: QuotaLimit | undefined;
  /** Bytes that scans read. Absent if they do not limit the group. */
  readonly scan: QuotaLimit | undefined;
  readonly policy: SchedulingPolicy;
  readonly weight: number;
}

/** A group of the configuration; its name may hold variables. */
export interface GroupTemplate {
  readonly name: string;
  readonly limits: GroupLimits;
  /** By name, variables and all. */
  readonly children: ReadonlyMap<string, GroupTemplate>;
}

export interface GroupsSpecification {
  readonly roots: ReadonlyMap<string, GroupTemplate>;
  readonly selectors: readonly Selector[];
  /** Whether any group has a limit of memory, CPU time or scanned data, so that usage must be measured. */
  readonly measures: boolean;
}

/** What selectors look at. */
export interface QueryFacts {
  readonly user: string;
  readonly userGroups: readonly string[];
  readonly principal: string | undefined;
  readonly source: string;
  readonly clientTags: readonly string[];
  /** Undefined for a statement that has no type of Trino's, or no valid syntax. */
  readonly queryType: QueryType | undefined;
  readonly sql: string;
  readonly resourceEstimates: Readonly<Record<string, string>>;
}

/** A way from the root to a leaf: the template's names and the names of the groups made of them. */
export interface GroupPath {
  readonly template: readonly string[];
  readonly id: readonly string[];
}

/** Undefined if the query is not the selector's. */
export type Selector = (facts: QueryFacts) => GroupPath | undefined;

/** The name of the only group of a coordinator without a configuration of groups. */
export const globalGroup = "global";

/** Of the properties query.max-concurrent-queries and query.max-queued-queries. */
export function singleGroup(runningMax: number, queuedMax: number): GroupsSpecification {
  const limits: GroupLimits = {
    queuedMax,
    runningMax,
    runningSoftMax: runningMax,
    memory: undefined,
    cpu: undefined,
    scan: undefined,
    policy: "fair",
    weight: 1,
  };
  const path: GroupPath = { template: [globalGroup], id: [globalGroup] };
  return {
    roots: new Map([[globalGroup, { name: globalGroup, limits, children: new Map() }]]),
    selectors: [() => path],
    measures: false,
  };
}

export function groupsOf(document: ResourceGroupsDocument): GroupsSpecification {
  const roots = templates(document.rootGroups, {
    cpuNanos: nanosOf(document.cpuQuotaPeriod) ?? 0,
    scanNanos: nanosOf(document.physicalDataScanQuotaPeriod) ?? 0,
  });
  return {
    roots,
    selectors: document.selectors.map(selectorOf),
    measures: [...roots.values()].some(isMeasured),
  };
}

interface QuotaPeriods {
  readonly cpuNanos: number;
  readonly scanNanos: number;
}

function templates(groups: readonly GroupDocument[], periods: QuotaPeriods): ReadonlyMap<string, GroupTemplate> {
  return new Map(
    groups.map((group) => [
      group.name,
      { name: group.name, limits: limitsOf(group, periods), children: templates(group.subGroups ?? [], periods) },
    ]),
  );
}

function limitsOf(group: GroupDocument, periods: QuotaPeriods): GroupLimits {
  const hardNanos = nanosOf(group.hardCpuLimit);
  const scanBytes = group.hardPhysicalDataScanLimit === undefined ? undefined : (parseDataSize(group.hardPhysicalDataScanLimit) ?? 0);
  return {
    queuedMax: group.maxQueued,
    runningMax: group.hardConcurrencyLimit,
    runningSoftMax: group.softConcurrencyLimit ?? group.hardConcurrencyLimit,
    memory: memoryOf(group.softMemoryLimit),
    cpu:
      hardNanos === undefined
        ? undefined
        : { hard: hardNanos, soft: nanosOf(group.softCpuLimit) ?? hardNanos, periodNanos: periods.cpuNanos },
    scan: scanBytes === undefined ? undefined : { hard: scanBytes, soft: scanBytes, periodNanos: periods.scanNanos },
    policy: group.schedulingPolicy ?? "fair",
    weight: group.schedulingWeight ?? 1,
  };
}

function nanosOf(duration: string | undefined): number | undefined {
  const millis = duration === undefined ? undefined : parseDurationMs(duration);
  return millis === undefined ? undefined : millis * 1e6;
}

function memoryOf(text: string | undefined): GroupLimits["memory"] {
  if (text === undefined) {
    return undefined;
  }
  return text.endsWith("%") ? { share: Number(text.slice(0, -1)) / 100 } : { bytes: parseDataSize(text) ?? 0 };
}

function isMeasured({ limits, children }: GroupTemplate): boolean {
  return [limits.memory, limits.cpu, limits.scan].some((limit) => limit !== undefined) || [...children.values()].some(isMeasured);
}

function selectorOf(document: SelectorDocument): Selector {
  const {
    authenticatedUser,
    clientTags = [],
    group,
    originalUser,
    queryText,
    queryType,
    selectorResourceEstimate,
    source,
    user,
    userGroup,
  } = document;
  const template = group.split(".");
  const has = (pattern: string | undefined): RegExp | undefined => (pattern === undefined ? undefined : compilePattern(pattern));
  const [users, groups, originals, authenticated, sources, texts] = [
    has(user),
    has(userGroup),
    has(originalUser),
    has(authenticatedUser),
    has(source),
    has(queryText),
  ];
  return (facts) => {
    const byUser = users?.exec(facts.user);
    const bySource = sources?.exec(facts.source);
    const fits =
      byUser !== null &&
      bySource !== null &&
      (groups === undefined || facts.userGroups.some((one) => groups.test(one))) &&
      (originals?.test(facts.user) ?? true) &&
      (authenticated?.test(facts.principal ?? facts.user) ?? true) &&
      (texts?.test(facts.sql) ?? true) &&
      (queryType === undefined || queryType === facts.queryType) &&
      clientTags.every((tag) => facts.clientTags.includes(tag)) &&
      fitsEstimates(selectorResourceEstimate, facts.resourceEstimates);
    if (!fits) {
      return undefined;
    }
    const variables = new Map([
      ...Object.entries(byUser?.groups ?? {}),
      ...Object.entries(bySource?.groups ?? {}),
      ["USER", facts.user] as const,
      ["SOURCE", facts.source] as const,
    ]);
    return {
      template,
      id: template.map((name) => name.replaceAll(/\$\{(\w+)\}/g, (text, variable: string) => variables.get(variable) ?? text)),
    };
  };
}

/** Names of a selector's estimates, and those of the header X-Presto-Resource-Estimate. */
const estimateNames = { executionTime: "EXECUTION_TIME", cpuTime: "CPU_TIME", peakMemory: "PEAK_MEMORY" } as const;

/** A query without an estimate does not fit a selector that asks for one. */
function fitsEstimates(asked: SelectorDocument["selectorResourceEstimate"], given: QueryFacts["resourceEstimates"]): boolean {
  if (asked === undefined) {
    return true;
  }
  const byName = new Map(Object.entries(given).map(([name, value]) => [name.toUpperCase(), value]));
  for (const [name, header] of Object.entries(estimateNames)) {
    const range = asked[name as keyof typeof estimateNames];
    const parse = name === "peakMemory" ? parseDataSize : parseDurationMs;
    const value = parse(byName.get(header) ?? "");
    if (
      range !== undefined &&
      (value === undefined || value < (bound(range.min, parse) ?? 0) || value > (bound(range.max, parse) ?? value))
    ) {
      return false;
    }
  }
  return true;
}

function bound(text: string | undefined, parse: (text: string) => number | undefined): number | undefined {
  return text === undefined ? undefined : parse(text);
}
