/**
 * The query detail as this page reads it. Members that older coordinators and workers omit are optional; a plan is data of a shape that
 * the protocol leaves open, so its members are checked where they are read.
 */
import type { QueryInfo } from "../../../protocol/documents/query.ts";
import type { FailureDocument } from "../../../protocol/documents/fields.ts";
import type { OperatorSummary } from "../../../protocol/documents/task.ts";
import type { Waiting } from "../../api/documents.ts";

export type { FailureDocument, OperatorSummary };
export type QueryDetail = QueryInfo & Waiting;

/** A node of a plan: `kind`, `id`, members of its kind. */
export interface PlanNodeDocument {
  readonly kind: string;
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface EstimateDocument {
  readonly outputRowCount?: number;
  readonly outputSizeInBytes?: number;
}

export interface PlanDocument {
  readonly id?: string;
  readonly root?: PlanNodeDocument;
  readonly partitioning?: { readonly connectorHandle?: { readonly partitioning?: string } };
  readonly estimates?: Readonly<Record<string, EstimateDocument>>;
}

export interface DriverDocument {
  readonly driverId?: number | string;
  readonly createTime?: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly [member: string]: unknown;
}

interface PipelineDocument {
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
  readonly totalDrivers: number;
  readonly completedDrivers: number;
  readonly rawInputPositions: number;
  readonly rawInputDataSize: string;
  readonly totalScheduledTime?: string;
  readonly totalBlockedTime?: string;
  readonly operatorSummaries: readonly OperatorSummary[];
  readonly drivers?: readonly unknown[];
}

/** The members of a task that the page shows. */
export interface TaskDetail {
  readonly taskId: string;
  readonly nodeId?: string | undefined;
  readonly state: string;
  readonly self: string;
  readonly failures: readonly FailureDocument[];
  readonly stats: {
    readonly createTime: string;
    readonly startTime?: string | undefined;
    readonly endTime?: string | undefined;
    readonly elapsedTime: string;
    readonly totalDrivers: number;
    readonly queuedDrivers: number;
    readonly completedDrivers: number;
    readonly totalScheduledTime: string;
    readonly totalCpuTime: string;
    readonly totalBlockedTime: string;
    readonly memoryReservation: string;
    readonly peakMemoryReservation?: string | undefined;
    readonly rawInputPositions: number;
    readonly rawInputDataSize: string;
    readonly outputPositions: number;
    readonly outputDataSize: string;
    readonly spilledDataSize?: string | undefined;
    readonly pipelines: readonly PipelineDocument[];
  };
}

export interface StageDetail {
  readonly stageId: string;
  readonly state: string;
  readonly plan?: unknown;
  readonly types: readonly string[];
  readonly stageStats: {
    readonly totalDrivers: number;
    readonly queuedDrivers: number;
    readonly completedDrivers: number;
    readonly totalMemoryReservation: string;
    readonly totalCpuTime: string;
    readonly totalScheduledTime: string;
    readonly totalBlockedTime: string;
    readonly totalTasks: number;
    readonly completedTasks: number;
  };
  readonly tasks: readonly TaskDetail[];
  readonly subStages: readonly StageDetail[];
  readonly failureCause?: FailureDocument | undefined;
}

/** `2` for `20260101_000000_00001_abcde.2`. */
export function stageNumber(stageId: string): number {
  return Number(/\.(\d+)$/.exec(stageId)?.[1] ?? 0);
}

/** `2.0` for `20260101_000000_00001_abcde.2.0`. */
export function shortTaskId(taskId: string): string {
  return taskId.slice(taskId.indexOf(".") + 1);
}

/** All stages, the root first, each once. Empty if the query has none, as when it failed in analysis. */
export function stagesOf({ outputStage }: QueryDetail): readonly StageDetail[] {
  const found = new Map<string, StageDetail>();
  const visit = (stage: StageDetail): void => {
    if (!found.has(stage.stageId)) {
      found.set(stage.stageId, stage);
      for (const child of stage.subStages) {
        visit(child);
      }
    }
  };
  if ("stageId" in outputStage) {
    visit(outputStage as StageDetail);
  }
  return [...found.values()].sort((a, b) => stageNumber(a.stageId) - stageNumber(b.stageId));
}

const endedStates: ReadonlySet<string> = new Set(["FINISHED", "FAILED", "CANCELED", "ABORTED"]);

export function hasEnded({ state }: { readonly state: string }): boolean {
  return endedStates.has(state);
}

/**
 * Whether the task has ended, but its document is older: the coordinator takes documents of running tasks every few seconds, and the last
 * one when the query ends.
 */
export function isOutdated(task: { readonly state: string }, stage: { readonly state: string }): boolean {
  return hasEnded(stage) && !hasEnded(task);
}

export function hasOutdatedTasks(query: QueryDetail): boolean {
  return stagesOf(query).some((stage) => stage.tasks.some((task) => isOutdated(task, stage)));
}

export function planOf(stage: StageDetail): PlanDocument {
  return typeof stage.plan === "object" && stage.plan !== null ? stage.plan : {};
}

function isPlanNode(value: unknown): value is PlanNodeDocument {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value;
}

/** The nodes that this one reads, in the order probe side, build side. */
export function childrenOf(node: PlanNodeDocument): readonly PlanNodeDocument[] {
  const { source, left, right, filtering, sources } = node;
  return [source, left, right, filtering, ...(Array.isArray(sources) ? (sources as readonly unknown[]) : [])].filter(isPlanNode);
}

/** The stages that a RemoteSource reads. */
export function remoteStages(node: PlanNodeDocument): readonly number[] {
  const { fragmentIds } = node;
  return node.kind === "RemoteSource" && Array.isArray(fragmentIds) ? fragmentIds.filter((id) => typeof id === "number") : [];
}
