/**
 * Prints EXPLAIN ANALYZE: the executed plan, each node with the statistics of its operators over all tasks. A projection and a filter that
 * ran in one operator, with or without the scan below them, are printed as one node, as in Presto. The input is the final task documents of
 * the query.
 */
import type { TableStatistics } from "../../connectors/spi.ts";
import type { OperatorSummary, TaskDocument } from "../../protocol/documents/task.ts";
import { formatDataSize, formatDuration, parseDataSize, parseDuration } from "../../protocol/units.ts";
import { displayType } from "../../types/type.ts";
import type { FragmentedPlan, PlanFragment } from "../fragmenter/fragment.ts";
import { outputsOf, type PlanNode, type TableReference } from "../plan/node.ts";
import { describeNode, FragmentEstimator, partitioningText } from "./print.ts";
import { sourcesOf } from "../plan/plan-tree.ts";

/** Totals over operators. */
interface Figures {
  readonly cpuNanos: number;
  readonly scheduledNanos: number;
  readonly blockedNanos: number;
  readonly input: Rows;
  /** Rows inserted into the hash table of a join. */
  readonly build: Rows | undefined;
  readonly output: Rows;
  /** Input rows of each task. */
  readonly inputOfTasks: readonly number[];
  readonly operators: readonly OperatorSummary[];
}

interface Rows {
  readonly positions: number;
  readonly bytes: number;
}

const noRows: Rows = Object.freeze({ positions: 0, bytes: 0 });

function addRows(a: Rows, b: Rows): Rows {
  return { positions: a.positions + b.positions, bytes: a.bytes + b.bytes };
}

function printRows({ positions, bytes }: Rows): string {
  return `${positions} row${positions === 1 ? "" : "s"} (${formatDataSize(bytes)})`;
}

function nanos(text: string): number {
  return parseDuration(text) ?? 0;
}

function bytes(text: string): number {
  return parseDataSize(text) ?? 0;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function cpuOf(operator: OperatorSummary): number {
  return nanos(operator.addInputCpu) + nanos(operator.getOutputCpu) + nanos(operator.finishCpu);
}

/** Time within calls of the operator, whether the thread computed or waited for the processor. */
function wallOf(operator: OperatorSummary): number {
  return nanos(operator.addInputWall) + nanos(operator.getOutputWall) + nanos(operator.finishWall);
}

function inputOf(operator: OperatorSummary): Rows {
  return { positions: operator.inputPositions, bytes: bytes(operator.inputDataSize) };
}

function outputOf(operator: OperatorSummary): Rows {
  return { positions: operator.outputPositions, bytes: bytes(operator.outputDataSize) };
}

/** `ids` are the plan nodes that ran as one operator. */
function figuresOf(ids: ReadonlySet<string>, tasks: readonly TaskDocument[]): Figures | undefined {
  let [input, output] = [noRows, noRows];
  let build: Rows | undefined;
  const operators: OperatorSummary[] = [];
  const inputOfTasks: number[] = [];
  for (const task of tasks) {
    const before = input.positions;
    for (const pipeline of task.stats.pipelines) {
      const own = pipeline.operatorSummaries.filter(({ planNodeId }) => planNodeId !== undefined && ids.has(planNodeId));
      operators.push(...own);
      const sink = pipeline.operatorSummaries.at(-1);
      const inner = own.filter((operator) => operator !== sink);
      const [first, last] = [inner[0], inner.at(-1)];
      if (first === undefined || last === undefined) {
        if (sink === undefined || !own.includes(sink)) {
          continue;
        }
        if (pipeline.outputPipeline) {
          input = addRows(input, inputOf(sink));
          output = addRows(output, outputOf(sink));
        } else {
          // The last operator of a pipeline without output is the build side of a join: its input is inserted into a hash table.
          build = addRows(build ?? noRows, inputOf(sink));
        }
        continue;
      }
      const isSource = first === pipeline.operatorSummaries[0];
      const raw = { positions: pipeline.rawInputPositions, bytes: bytes(pipeline.rawInputDataSize) };
      input = addRows(input, isSource && pipeline.inputPipeline ? raw : inputOf(first));
      output = addRows(output, outputOf(last));
    }
    inputOfTasks.push(input.positions - before);
  }
  if (operators.length === 0) {
    return undefined;
  }
  return {
    cpuNanos: sum(operators, cpuOf),
    scheduledNanos: sum(operators, wallOf),
    blockedNanos: sum(operators, ({ blockedWall }) => nanos(blockedWall)),
    input,
    build,
    output,
    inputOfTasks,
    operators,
  };
}

export interface AnalyzedPlan {
  readonly plan: FragmentedPlan;
  readonly statisticsOf: (table: TableReference) => TableStatistics;
  readonly verbose: boolean;
  /** Returns the final documents of a fragment's tasks. */
  readonly tasksOf: (fragmentId: number) => readonly TaskDocument[];
}

export function printAnalyzedPlan(analyzed: AnalyzedPlan): string {
  const estimator = new FragmentEstimator(analyzed.plan, analyzed.statisticsOf);
  const all = analyzed.plan.fragments.flatMap(({ id }) => analyzed.tasksOf(id));
  const totalCpuNanos = sum(all, (task) => nanos(task.stats.totalCpuTime));
  const printer = new AnalysisPrinter(analyzed, estimator, totalCpuNanos);
  return `${analyzed.plan.fragments.map((fragment) => printer.fragment(fragment)).join("\n\n")}\n`;
}

class AnalysisPrinter {
  readonly #analyzed: AnalyzedPlan;
  readonly #estimator: FragmentEstimator;
  readonly #totalCpuNanos: number;

  constructor(analyzed: AnalyzedPlan, estimator: FragmentEstimator, totalCpuNanos: number) {
    this.#analyzed = analyzed;
    this.#estimator = estimator;
    this.#totalCpuNanos = totalCpuNanos;
  }

  fragment(fragment: PlanFragment): string {
    const tasks = this.#analyzed.tasksOf(fragment.id);
    const stats = tasks.map((task) => task.stats);
    const total = (member: "totalCpuTime" | "totalScheduledTime" | "totalBlockedTime"): string =>
      formatDuration(sum(stats, (one) => nanos(one[member])));
    const input = stats.reduce(
      (rows, one) => addRows(rows, { positions: one.rawInputPositions, bytes: bytes(one.rawInputDataSize) }),
      noRows,
    );
    const output = stats.reduce((rows, one) => addRows(rows, { positions: one.outputPositions, bytes: bytes(one.outputDataSize) }), noRows);
    const peak = formatDataSize(sum(stats, ({ peakMemoryReservation }) => bytes(peakMemoryReservation ?? "0B")));
    const spread = spreadOf(stats.map((one) => one.rawInputPositions));
    const layout = outputsOf(fragment.root)
      .map(({ name }) => name)
      .join(", ");
    const keys = fragment.outputPartitioning.kind === "HASH" ? fragment.outputPartitioning.keys.map(({ name }) => name).join(", ") : "";
    return [
      `Fragment ${fragment.id} [${partitioningText(fragment)}]`,
      `    CPU: ${total("totalCpuTime")}, Scheduled: ${total("totalScheduledTime")}, Blocked: ${total("totalBlockedTime")}, Peak Memory: ${peak}, Tasks: ${tasks.length}`,
      `    Input: ${printRows(input)}; per task: avg.: ${spread.average.toFixed(2)} std.dev.: ${spread.deviation.toFixed(2)}, Output: ${printRows(output)}`,
      `    Output layout: [${layout}]`,
      `    Output partitioning: ${fragment.outputPartitioning.kind} [${keys}]`,
      this.#node(fragment.root, tasks, 1),
    ].join("\n");
  }

  #node(node: PlanNode, tasks: readonly TaskDocument[], indent: number): string {
    const { nodes, figures } = fusedFrom(node, tasks);
    const pad = "    ".repeat(indent);
    const layout = outputsOf(node)
      .map((output) => `${output.name}:${displayType(output.type)}`)
      .join(", ");
    const lines = [`${pad}- ${headOf(nodes)} => [${layout}]`];
    for (const line of [...this.#figures(figures), this.#estimate(node), ...detailsOf(nodes)]) {
      lines.push(`${pad}        ${line}`);
    }
    const sources = sourcesOf(nodes.at(-1) ?? node);
    return [lines.join("\n"), ...sources.map((source) => this.#node(source, tasks, indent + 1))].join("\n");
  }

  #figures(figures: Figures | undefined): readonly string[] {
    if (figures === undefined) {
      return [];
    }
    const { blockedNanos, build, cpuNanos, input, output, scheduledNanos } = figures;
    const share = this.#totalCpuNanos === 0 ? 0 : (100 * cpuNanos) / this.#totalCpuNanos;
    const times = `CPU: ${formatDuration(cpuNanos)} (${share.toFixed(2)}%), Scheduled: ${formatDuration(scheduledNanos)}, Blocked: ${formatDuration(blockedNanos)}`;
    const spread = spreadOf(figures.inputOfTasks);
    const relative = spread.average === 0 ? 0 : (100 * spread.deviation) / spread.average;
    const lines = [
      `${times}, Input: ${printRows(input)}, Output: ${printRows(output)}`,
      ...dynamicFilterLines(figures),
      ...(build === undefined ? [] : [`Right (build) Input: ${printRows(build)}`]),
      `Input avg.: ${spread.average.toFixed(2)} rows, Input std.dev.: ${relative.toFixed(2)}%`,
    ];
    return this.#analyzed.verbose ? [...lines, ...operatorLines(figures.operators)] : lines;
  }

  #estimate(node: PlanNode): string {
    const estimate = this.#estimator.estimate(node);
    const size = estimate.known ? formatDataSize(Math.round(this.#estimator.bytes(node))) : "?";
    return `Estimates: {rows: ${estimate.known ? Math.round(estimate.rows) : "?"} (${size})}`;
  }
}

/** `Dynamic filters: 59000 rows filtered (98.05%)`; the percentage is relative to the rows that the scan read. */
function dynamicFilterLines({ operators, input }: Figures): readonly string[] {
  const filtered = operators.flatMap(({ dynamicFilteredPositions = [] }) => dynamicFilteredPositions);
  if (filtered.length === 0) {
    return [];
  }
  const rows = sum(filtered, (one) => one);
  const share = input.positions === 0 ? 0 : (100 * rows) / input.positions;
  return [`Dynamic filters: ${rows} row${rows === 1 ? "" : "s"} filtered (${share.toFixed(2)}%)`];
}

interface Fused {
  /** From the top of the plan down. */
  readonly nodes: readonly PlanNode[];
  readonly figures: Figures | undefined;
}

function fusedFrom(node: PlanNode, tasks: readonly TaskDocument[]): Fused {
  const alone = { nodes: [node], figures: figuresOf(new Set([node.id]), tasks) };
  if (node.kind !== "Project" && node.kind !== "Filter") {
    return alone;
  }
  const chain: PlanNode[] = [];
  let current: PlanNode = node;
  while (current.kind === "Project" || current.kind === "Filter") {
    chain.push(current);
    current = current.source;
  }
  const ran = new Set(
    tasks.flatMap(({ stats }) =>
      stats.pipelines.flatMap(({ operatorSummaries }) => operatorSummaries.slice(0, -1).map((one) => one.planNodeId)),
    ),
  );
  if (current.kind === "TableScan" && !chain.some(({ id }) => ran.has(id))) {
    chain.push(current);
  }
  // The fused operator carries the id of one of its nodes. The next node in the chain with operators of its own ends the fusion.
  const own = chain.findIndex(({ id }) => ran.has(id));
  const next = chain.findIndex(({ id }, index) => index > own && ran.has(id));
  const nodes = next < 0 ? chain : chain.slice(0, next);
  return { nodes, figures: figuresOf(new Set(nodes.map(({ id }) => id)), tasks) };
}

function headOf(nodes: readonly PlanNode[]): string {
  const [first] = nodes;
  if (first === undefined || nodes.length === 1) {
    return first === undefined ? "" : describeNode(first).head;
  }
  const scan = nodes.find(({ kind }) => kind === "TableScan");
  const heads = nodes.filter(({ kind }) => kind !== "Project").map((node) => describeNode(node).head);
  const insides = heads.toReversed().map((head) => head.slice(head.indexOf("[") + 1, -1));
  const has = (kind: PlanNode["kind"]): boolean => nodes.some((node) => node.kind === kind);
  const [scanInside, ...filters] = scan === undefined ? [undefined, ...insides] : insides;
  const parts = [...(scanInside === undefined ? [] : [`table = ${scanInside}`]), ...filters];
  return `${scan === undefined ? "" : "Scan"}${has("Filter") ? "Filter" : ""}${has("Project") ? "Project" : ""}[${parts.join(", ")}]`;
}

function detailsOf(nodes: readonly PlanNode[]): readonly string[] {
  return nodes.flatMap((node) => describeNode(node).details ?? []);
}

function spreadOf(values: readonly number[]): { readonly average: number; readonly deviation: number } {
  if (values.length === 0) {
    return { average: 0, deviation: 0 };
  }
  const average = sum(values, (value) => value) / values.length;
  return { average, deviation: Math.sqrt(sum(values, (value) => (value - average) ** 2) / values.length) };
}

/** For VERBOSE: one line for each operator type of the node. */
function operatorLines(operators: readonly OperatorSummary[]): readonly string[] {
  return [...new Set(operators.map(({ operatorType }) => operatorType))].map((type) => {
    const all = operators.filter(({ operatorType }) => operatorType === type);
    const calls = sum(all, (one) => one.addInputCalls + one.getOutputCalls + one.finishCalls);
    const [input, output] = [all.map(inputOf).reduce(addRows, noRows), all.map(outputOf).reduce(addRows, noRows)];
    const blocked = sum(all, ({ blockedWall }) => nanos(blockedWall));
    const times = `CPU: ${formatDuration(sum(all, cpuOf))}, Scheduled: ${formatDuration(sum(all, wallOf))}, Blocked: ${formatDuration(blocked)}`;
    return `${type}: ${all.length} driver${all.length === 1 ? "" : "s"}, ${calls} calls, ${times}, Input: ${printRows(input)}, Output: ${printRows(output)}`;
  });
}
