/**
 * Sums of operators by plan node. A worker reports operators; several can belong to one plan node (build and probe of a join), and a run of
 * Filter and Project nodes is one operator together with the scan, projection or aggregation next to it. Pure.
 */
import { bytesOf, nanosOf } from "../../components/format.ts";
import type { OperatorSummary, PlanNodeDocument, StageDetail } from "./documents.ts";
import { childrenOf, planOf } from "./documents.ts";

/** What a plan node did in one task, or in all of them. Times in nanoseconds, sizes in bytes. */
export interface Measure {
  readonly rowsIn: number;
  readonly bytesIn: number;
  readonly rowsOut: number;
  readonly bytesOut: number;
  readonly wallNanos: number;
  readonly cpuNanos: number;
  readonly blockedNanos: number;
  readonly memoryBytes: number;
  /** Rows of the build side of a join, which `rowsIn` does not contain. */
  readonly buildRows: number;
  /** Rows that a scan dropped by dynamic filters. */
  readonly filteredRows: number;
}

export interface TaskMeasure {
  readonly taskId: string;
  readonly nodeId: string;
  readonly measure: Measure;
}

export interface NodeMeasures {
  readonly total: Measure;
  readonly tasks: readonly TaskMeasure[];
  /** In the order of the pipelines: `HashBuilderOperator`, `LookupJoinOperator`. */
  readonly operatorTypes: readonly string[];
}

export const noMeasure: Measure = {
  rowsIn: 0,
  bytesIn: 0,
  rowsOut: 0,
  bytesOut: 0,
  wallNanos: 0,
  cpuNanos: 0,
  blockedNanos: 0,
  memoryBytes: 0,
  buildRows: 0,
  filteredRows: 0,
};

export function addMeasures(a: Measure, b: Measure): Measure {
  return {
    rowsIn: a.rowsIn + b.rowsIn,
    bytesIn: a.bytesIn + b.bytesIn,
    rowsOut: a.rowsOut + b.rowsOut,
    bytesOut: a.bytesOut + b.bytesOut,
    wallNanos: a.wallNanos + b.wallNanos,
    cpuNanos: a.cpuNanos + b.cpuNanos,
    blockedNanos: a.blockedNanos + b.blockedNanos,
    memoryBytes: a.memoryBytes + b.memoryBytes,
    buildRows: a.buildRows + b.buildRows,
    filteredRows: a.filteredRows + b.filteredRows,
  };
}

/** A finite count; 0 for what is absent. */
function countOf(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}

/** Operators at the end of a stage. They carry the id of the root node, but hand over its rows and compute none. */
export function isOutputOperator(type: string): boolean {
  return type === "TaskOutputOperator" || type === "PartitionedOutputOperator";
}

/** Operators that take in rows and whose output does not leave the node: the build side of a join, the sinks of a local exchange. */
function isSinkOperator(type: string): boolean {
  return /Build(er)?Operator$/.test(type) || type === "LocalExchangeSinkOperator";
}

/** `raw`: rows that the pipeline of the operator read from its splits or its exchange, if the operator is the first of the pipeline. */
export function measureOf(operator: OperatorSummary, raw?: { readonly rows: number; readonly bytes: number }): Measure {
  const isBuild = /Build(er)?Operator$/.test(operator.operatorType);
  const isSink = isSinkOperator(operator.operatorType);
  return {
    rowsIn: isBuild ? 0 : (raw?.rows ?? countOf(operator.inputPositions)),
    bytesIn: isBuild ? 0 : (raw?.bytes ?? bytesOf(operator.inputDataSize)),
    rowsOut: isSink ? 0 : countOf(operator.outputPositions),
    bytesOut: isSink ? 0 : bytesOf(operator.outputDataSize),
    wallNanos: nanosOf(operator.addInputWall) + nanosOf(operator.getOutputWall) + nanosOf(operator.finishWall),
    cpuNanos: nanosOf(operator.addInputCpu) + nanosOf(operator.getOutputCpu) + nanosOf(operator.finishCpu),
    blockedNanos: nanosOf(operator.blockedWall),
    memoryBytes: bytesOf(operator.memoryReservation),
    buildRows: isBuild ? countOf(operator.inputPositions) : 0,
    filteredRows: countOf(operator.dynamicFilteredPositions),
  };
}

/** Sums by plan node. Sums are over tasks and pipelines; the output operators are summed under the empty id. */
export function measuresOf({ tasks }: Pick<StageDetail, "tasks">): ReadonlyMap<string, NodeMeasures> {
  const found = new Map<string, { total: Measure; tasks: Map<string, TaskMeasure>; types: Set<string> }>();
  for (const task of tasks) {
    for (const { operatorSummaries, rawInputPositions, rawInputDataSize } of task.stats.pipelines) {
      for (const [index, operator] of operatorSummaries.entries()) {
        const type = operator.operatorType;
        const id = isOutputOperator(type) ? "" : (operator.planNodeId ?? "");
        const isSource = index === 0 && countOf(operator.inputPositions) === 0 && countOf(rawInputPositions) > 0;
        const measure = measureOf(operator, isSource ? { rows: countOf(rawInputPositions), bytes: bytesOf(rawInputDataSize) } : undefined);
        const node = found.get(id) ?? { total: noMeasure, tasks: new Map(), types: new Set() };
        found.set(id, node);
        node.total = addMeasures(node.total, measure);
        node.types.add(type);
        const before = node.tasks.get(task.taskId)?.measure ?? noMeasure;
        node.tasks.set(task.taskId, { taskId: task.taskId, nodeId: task.nodeId ?? "", measure: addMeasures(before, measure) });
      }
    }
  }
  return new Map(
    [...found].map(([id, { total, tasks: byTask, types }]) => [id, { total, tasks: [...byTask.values()], operatorTypes: [...types] }]),
  );
}

/**
 * Maximum over average of a task's share; undefined with fewer than two tasks, or if there is nothing to share. 1 is perfectly even; the
 * number of tasks is the worst case.
 */
export function skewOf(values: readonly number[]): number | undefined {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.length < 2 || !(sum > 0) ? undefined : (Math.max(...values) * values.length) / sum;
}

/** Skew of the rows that the tasks took in and put out. */
export function rowSkewOf({ tasks }: NodeMeasures): number | undefined {
  return skewOf(tasks.map(({ measure }) => Math.max(measure.rowsIn + measure.buildRows, measure.rowsOut)));
}

export function timeSkewOf({ tasks }: NodeMeasures): number | undefined {
  return skewOf(tasks.map(({ measure }) => measure.wallNanos));
}

export interface Fusion {
  /** The node whose operator does the work; undefined if the node renames columns only. */
  readonly host: PlanNodeDocument | undefined;
  /** True if the host is below: its output is the output of the highest such node. */
  readonly isBelow: boolean;
}

/** Which nodes of a stage have no operator of their own, and where they run. Empty before the stage has reported operators. */
export function fusionsOf(stage: StageDetail, measures: ReadonlyMap<string, NodeMeasures>): ReadonlyMap<string, Fusion> {
  const fusions = new Map<string, Fusion>();
  const visit = (node: PlanNodeDocument, above: readonly PlanNodeDocument[]): void => {
    const children = childrenOf(node);
    if (!measures.has(node.id) && node.kind !== "Output") {
      fusions.set(node.id, fusionOf(node, above, measures));
    }
    for (const child of children) {
      visit(child, [node, ...above]);
    }
  };
  const { root } = planOf(stage);
  if (root !== undefined && measures.size > 0) {
    visit(root, []);
  }
  return fusions;
}

function isRowwise({ kind }: PlanNodeDocument): boolean {
  return kind === "Filter" || kind === "Project";
}

function fusionOf(node: PlanNodeDocument, above: readonly PlanNodeDocument[], measures: ReadonlyMap<string, NodeMeasures>): Fusion {
  if (!isRowwise(node)) {
    return { host: undefined, isBelow: false };
  }
  let below: PlanNodeDocument | undefined = node;
  while (below !== undefined && isRowwise(below) && !measures.has(below.id)) {
    below = childrenOf(below)[0];
  }
  const parent = above.find((one) => !isRowwise(one) || measures.has(one.id));
  const isInlined = node.kind === "Project" && above[0]?.kind === "Aggregation" && above[0]["step"] !== "FINAL";
  if (below?.kind === "TableScan" && !isInlined) {
    return { host: below, isBelow: true };
  }
  if (renamesOnly(node)) {
    return { host: undefined, isBelow: false };
  }
  return { host: parent !== undefined && measures.has(parent.id) ? parent : below, isBelow: false };
}

/** Whether a projection only chooses or renames columns. */
function renamesOnly(node: PlanNodeDocument): boolean {
  const { assignments } = node;
  return (
    node.kind === "Project" &&
    Array.isArray(assignments) &&
    assignments.every((one: { readonly expression?: { readonly kind?: string } }) => one.expression?.kind === "variable")
  );
}
