/** Rows of the tables of stages, tasks and operators, in plain numbers. Pure. */
import { bytesOf, nanosOf } from "../../components/format.ts";
import { isOutdated, planOf, type PlanNodeDocument, childrenOf, type StageDetail, stageNumber, type TaskDetail } from "./documents.ts";
import { addMeasures, isOutputOperator, type Measure, measureOf, noMeasure, skewOf } from "./measures.ts";
import { nodeText } from "./node-text.ts";

export interface TaskRow {
  readonly id: string;
  readonly node: string;
  readonly state: string;
  readonly drivers: number;
  readonly completedDrivers: number;
  readonly rowsIn: number;
  readonly bytesIn: number;
  readonly rowsOut: number;
  readonly bytesOut: number;
  readonly elapsedNanos: number;
  readonly cpuNanos: number;
  readonly scheduledNanos: number;
  readonly blockedNanos: number;
  readonly memoryBytes: number;
  readonly peakBytes: number;
  readonly spilledBytes: number;
  /** Why it failed, or that its numbers are not its last. */
  readonly note: string | undefined;
}

export interface StageRow {
  readonly number: number;
  readonly state: string;
  readonly root: string;
  readonly tasks: number;
  readonly completedTasks: number;
  readonly drivers: number;
  readonly completedDrivers: number;
  readonly rowsIn: number;
  readonly bytesIn: number;
  readonly rowsOut: number;
  readonly bytesOut: number;
  readonly cpuNanos: number;
  readonly scheduledNanos: number;
  readonly blockedNanos: number;
  readonly memoryBytes: number;
  readonly peakBytes: number;
  /** Busiest task over average, by CPU time. */
  readonly skew: number | undefined;
  readonly failure: string | undefined;
}

export function taskRow(task: TaskDetail, stage: StageDetail): TaskRow {
  const { stats } = task;
  const outdated = isOutdated(task, stage);
  return {
    id: task.taskId,
    node: task.nodeId ?? "",
    state: outdated ? stage.state : task.state,
    drivers: stats.totalDrivers,
    completedDrivers: stats.completedDrivers,
    rowsIn: stats.rawInputPositions,
    bytesIn: bytesOf(stats.rawInputDataSize),
    rowsOut: stats.outputPositions,
    bytesOut: bytesOf(stats.outputDataSize),
    elapsedNanos: nanosOf(stats.elapsedTime),
    cpuNanos: nanosOf(stats.totalCpuTime),
    scheduledNanos: nanosOf(stats.totalScheduledTime),
    blockedNanos: nanosOf(stats.totalBlockedTime),
    memoryBytes: bytesOf(stats.memoryReservation),
    peakBytes: bytesOf(stats.peakMemoryReservation),
    spilledBytes: bytesOf(stats.spilledDataSize),
    note: outdated ? "Its last numbers follow when the query ends" : task.failures[0]?.message,
  };
}

export function stageRow(stage: StageDetail): StageRow {
  const number = stageNumber(stage.stageId);
  const tasks = stage.tasks.map((task) => taskRow(task, stage));
  const sum = (valueOf: (task: TaskRow) => number): number => tasks.reduce((total, task) => total + valueOf(task), 0);
  const { root } = planOf(stage);
  const { stageStats } = stage;
  return {
    number,
    state: stage.state,
    root: root === undefined ? "" : rootText(root),
    tasks: stageStats.totalTasks,
    completedTasks: stageStats.completedTasks,
    drivers: stageStats.totalDrivers,
    completedDrivers: stageStats.completedDrivers,
    rowsIn: sum((task) => task.rowsIn),
    bytesIn: sum((task) => task.bytesIn),
    rowsOut: sum((task) => task.rowsOut),
    bytesOut: sum((task) => task.bytesOut),
    cpuNanos: nanosOf(stageStats.totalCpuTime),
    scheduledNanos: nanosOf(stageStats.totalScheduledTime),
    blockedNanos: nanosOf(stageStats.totalBlockedTime),
    memoryBytes: bytesOf(stageStats.totalMemoryReservation),
    peakBytes: sum((task) => task.peakBytes),
    skew: skewOf(tasks.map((task) => task.cpuNanos)),
    failure: stage.failureCause?.message,
  };
}

/** What the stage does: its root and, if that says little, the first node below that says more. */
function rootText(root: PlanNodeDocument): string {
  const words: string[] = [];
  for (let node: PlanNodeDocument | undefined = root; node !== undefined && words.length < 2; node = childrenOf(node)[0]) {
    if (node.kind !== "Project" && node.kind !== "Filter" && node.kind !== "Output" && node.kind !== "RemoteSource") {
      const { title, line } = nodeText(node);
      words.push(node.kind === "TableScan" ? `${title} ${line}` : title);
    }
  }
  return words.length === 0
    ? nodeText(root).title
    : words.join(" of ").replace(/ of (.)/, (_, first: string) => ` of ${first.toLowerCase()}`);
}

export interface OperatorRow {
  readonly key: string;
  readonly stage: number;
  readonly pipeline: number;
  readonly type: string;
  readonly planNodeId: string;
  readonly node: string;
  readonly tasks: number;
  readonly measure: Measure;
}

/** Operators by pipeline and position, summed over the stage's tasks. */
export function operatorRows(stage: StageDetail): readonly OperatorRow[] {
  const titles = nodeTitles(planOf(stage).root);
  const number = stageNumber(stage.stageId);
  const found = new Map<string, OperatorRow>();
  for (const { stats } of stage.tasks) {
    for (const [pipeline, { operatorSummaries, rawInputPositions, rawInputDataSize }] of stats.pipelines.entries()) {
      for (const [position, operator] of operatorSummaries.entries()) {
        const key = `${number}.${String(pipeline).padStart(4, "0")}.${String(position).padStart(4, "0")}.${operator.operatorType}`;
        const raw = position === 0 && rawInputPositions > 0 ? { rows: rawInputPositions, bytes: bytesOf(rawInputDataSize) } : undefined;
        const before = found.get(key);
        const id = operator.planNodeId ?? "";
        found.set(key, {
          key,
          stage: number,
          pipeline,
          type: operator.operatorType.replace(/Operator$/, ""),
          planNodeId: id,
          node: isOutputOperator(operator.operatorType) ? "Output of the stage" : (titles.get(id) ?? ""),
          tasks: (before?.tasks ?? 0) + 1,
          measure: addMeasures(before?.measure ?? noMeasure, measureOf(operator, raw)),
        });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function nodeTitles(root: PlanNodeDocument | undefined): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const visit = (node: PlanNodeDocument): void => {
    titles.set(node.id, nodeText(node).title);
    for (const child of childrenOf(node)) {
      visit(child);
    }
  };
  if (root !== undefined) {
    visit(root);
  }
  return titles;
}
