/** Resource groups as documents and rows show them: limits, and what their queries hold at this moment. */
import type { RuntimeResourceGroup } from "../../connectors/shared/runtime-tables.ts";
import type { ResourceGroup as GroupDocument } from "../../protocol/documents/cluster.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import { formatDataSize, formatDuration } from "../../protocol/units.ts";
import type { CoordinatorContext } from "../context.ts";
import type { Query } from "../query/query.ts";
import type { ResourceGroup, Usage } from "./resource-group.ts";

/** Memory of all active nodes. Workers of older builds do not announce theirs; they count as large as this node. */
export function clusterMemoryBytes({ cluster, memories, nodeId }: Pick<CoordinatorContext, "cluster" | "memories" | "nodeId">): number {
  const others = cluster.activeWorkers().filter((worker) => worker.nodeId !== nodeId);
  return others.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? memories.sizeBytes), memories.sizeBytes);
}

export interface GroupDocumentOptions {
  /** Shown as the limit of groups that have none. */
  readonly memoryBytes: number;
  /** Those that run and that the reader may see, of all groups. */
  readonly running: readonly Query[];
  /** Characters of a statement. */
  readonly previewLength: number;
}

export function groupDocument(group: ResourceGroup, options: GroupDocumentOptions): GroupDocument {
  const { limits } = group;
  const { cpuNanos, memoryBytes, scanBytes } = usageOf(group);
  const running = options.running.filter(({ groupPath }) => group.id.every((name, level) => groupPath?.id[level] === name));
  return {
    id: [...group.id],
    state: group.state,
    schedulingPolicy: limits.policy.toUpperCase(),
    schedulingWeight: limits.weight,
    softMemoryLimit: formatDataSize(Math.min(group.memoryLimitBytes, options.memoryBytes)),
    softConcurrencyLimit: limits.runningSoftMax,
    hardConcurrencyLimit: limits.runningMax,
    maxQueuedQueries: limits.queuedMax,
    memoryUsage: formatDataSize(memoryBytes),
    cpuUsage: formatDuration(cpuNanos),
    ...(limits.scan !== undefined && { hardPhysicalDataScanLimit: formatDataSize(limits.scan.hard) }),
    physicalInputDataUsage: formatDataSize(scanBytes),
    numQueuedQueries: group.queuedCount,
    numRunningQueries: group.runningCount,
    numEligibleSubGroups: group.eligibleChildren.length,
    subGroups: [...group.children.values()].map((child) => groupDocument(child, options)),
    runningQueries: running.map((query) => ({
      queryId: query.id,
      state: query.state,
      user: query.session.user,
      query: query.sql.slice(0, options.previewLength),
      createTime: formatTimestamp(query.createMillis),
    })),
  };
}

/** The group and those below it, each after the one above it. */
export function runtimeGroups(group: ResourceGroup): readonly RuntimeResourceGroup[] {
  const { limits, memoryLimitBytes } = group;
  const { cpuNanos, memoryBytes, scanBytes } = usageOf(group);
  const row: RuntimeResourceGroup = {
    id: group.id,
    state: group.state,
    schedulingPolicy: limits.policy.toUpperCase(),
    schedulingWeight: limits.weight,
    memoryLimitBytes: Number.isFinite(memoryLimitBytes) ? Math.floor(memoryLimitBytes) : undefined,
    softConcurrencyLimit: limits.runningSoftMax,
    hardConcurrencyLimit: limits.runningMax,
    maxQueued: limits.queuedMax,
    memoryUsageBytes: memoryBytes,
    cpuUsageMs: Math.floor(cpuNanos / 1e6),
    physicalInputBytes: Math.floor(scanBytes),
    queuedQueries: group.queuedCount,
    runningQueries: group.runningCount,
  };
  return [row, ...[...group.children.values()].flatMap(runtimeGroups)];
}

/** Of its running queries, here and below; with a limit of CPU time or scans, what the limit counts. */
function usageOf(group: ResourceGroup): Usage {
  const own = [...group.running.values()].map(({ candidate }) => candidate.usage());
  const all = [...own, ...[...group.children.values()].map(usageOf)];
  return {
    memoryBytes: all.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    cpuNanos: group.limits.cpu === undefined ? all.reduce((sum, { cpuNanos }) => sum + cpuNanos, 0) : group.cpuNanos,
    scanBytes: group.limits.scan === undefined ? all.reduce((sum, { scanBytes }) => sum + scanBytes, 0) : group.scanBytes,
  };
}
