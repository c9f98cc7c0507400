/**
 * Prints plans in Presto's text format: fragments with layout and partitioning, and for each node a line, its details and its estimates.
 */
import type { TableStatistics } from "../../connectors/spi.ts";
import { formatDecimal } from "../../functions/runtime/decimals.ts";
import { formatDate } from "../../functions/runtime/formats.ts";
import { formatMoment, momentOf } from "../../functions/scalar/datetime/long-timestamps.ts";
import { type RoutineProgram, routineName } from "../../functions/runtime/routine-program.ts";
import { displayType, sqlTypeText } from "../../types/type.ts";
import { costOf } from "../optimizer/stats/costs.ts";
import type { RowExpression, Variable } from "../plan/typed-expression.ts";
import { operatorSigns } from "../../sql/operator-signs.ts";
import type { FragmentedPlan, PlanFragment } from "../fragmenter/fragment.ts";
import {
  outputsOf,
  marksOf,
  type AggregationNode,
  type JoinNode,
  type Ordering,
  type OutputPartitioning,
  type PlanNode,
  type SemiJoinNode,
  type TableFunctionNode,
  type TableReference,
  type TableScanNode,
  type WindowBound,
  type WindowNode,
  type WriteTarget,
} from "../plan/node.ts";
import { patternDetails, patternHead } from "./print-patterns.ts";
import type { Estimate } from "../optimizer/stats/estimate.ts";
import { Estimator } from "../optimizer/stats/stats-calculator.ts";
import { sourcesOf } from "../plan/plan-tree.ts";

export function printExpression(expression: RowExpression): string {
  switch (expression.kind) {
    case "variable":
      return `"${expression.name}"`;
    case "constant":
      return printConstant(expression);
    case "cast":
      return `${expression.safe ? "TRY_CAST" : "CAST"}(${printExpression(expression.arg)} AS ${sqlTypeText(expression.type)})`;
    case "call": {
      if (expression.name === routineName) {
        return printRoutine(expression.args);
      }
      const args = expression.args.map(printExpression);
      const sign = operatorSigns[expression.name];
      if (sign !== undefined) {
        return `(${args.join(` ${sign} `)})`;
      }
      if (expression.name === "$not") {
        return `(NOT ${args[0]})`;
      }
      if (expression.name === "$negate") {
        return `-(${args[0]})`;
      }
      return `${expression.name.replace("$", "")}(${args.join(", ")})`;
    }
    case "special":
      return printForm(expression);
    case "lambda":
      return `(${names(expression.parameters)}) -> ${printExpression(expression.body)}`;
  }
}

/** Prints a call of an SQL function: its name and its arguments, without the program. */
function printRoutine([program, ...others]: readonly RowExpression[]): string {
  const { name } = JSON.parse(program?.kind === "constant" ? String(program.value) : "{}") as RoutineProgram;
  const args = others.filter(({ kind }) => kind !== "lambda").map(printExpression);
  return `${name}(${args.join(", ")})`;
}

function printForm(expression: RowExpression & { kind: "special" }): string {
  const args = expression.args.map(printExpression);
  switch (expression.form) {
    case "AND":
    case "OR":
      return `(${args.join(` ${expression.form} `)})`;
    case "IS_NULL":
      return `(${args[0]} IS NULL)`;
    case "IN":
      return `(${args[0]} IN (${args.slice(1).join(", ")}))`;
    case "SWITCH": {
      const whens = Array.from({ length: (args.length - 1) / 2 }, (_, i) => `WHEN ${args[2 * i]} THEN ${args[2 * i + 1]}`);
      return `(CASE ${whens.join(" ")} ELSE ${args[args.length - 1]} END)`;
    }
    case "TRY":
      return `TRY(${args[0]})`;
    default:
      return `${expression.form.replace("_", "")}(${args.join(", ")})`;
  }
}

function printConstant({ type, value }: RowExpression & { kind: "constant" }): string {
  if (value === null) {
    return "null";
  }
  switch (type.kind) {
    case "varchar":
    case "char":
      return `'${String(value).replaceAll("'", "''")}'`;
    case "varbinary":
      return `X'${value}'`;
    case "decimal":
      return `DECIMAL '${formatDecimal(BigInt(value), type.scale)}'`;
    case "date":
      return `DATE '${formatDate(Number(value))}'`;
    case "timestamp":
      return `TIMESTAMP '${formatMoment(momentOf(type, BigInt(value)), type.precision)}'`;
    case "interval day to second":
      return `INTERVAL '${value}' MILLISECOND`;
    case "interval year to month":
      return `INTERVAL '${value}' MONTH`;
    case "double":
    case "real":
      return typeof value === "number" ? `${type.kind.toUpperCase()} '${value}'` : String(value);
    default:
      return String(value);
  }
}

function names(variables: readonly Variable[]): string {
  return variables.map((variable) => variable.name).join(", ");
}

function orderings(orderBy: readonly Ordering[]): string {
  return orderBy.map((o) => `${o.variable.name} ${o.descending ? "DESC" : "ASC"} NULLS ${o.nullsFirst ? "FIRST" : "LAST"}`).join(", ");
}

interface Line {
  /** Example: `Aggregate(FINAL)[custkey]`. */
  readonly head: string;
  readonly details?: readonly string[];
}

/** Describes a node: its line, and the detail lines below it. */
export function describeNode(node: PlanNode): Line {
  switch (node.kind) {
    case "TableScan":
      return {
        head: `TableScan[${tableText(node.table)}${dynamicFiltersText(node)}]`,
        details: [
          ...node.outputs.map((output, index) => `${output.name} := ${node.columns[index]?.name}`),
          ...(node.table.source === undefined ? [] : [`source = ${node.table.source}`]),
        ],
      };
    case "Values":
      return { head: "Values", details: node.rows.slice(0, valuesShownMax).map((row) => `(${row.map(printExpression).join(", ")})`) };
    case "SharedSource":
      return { head: `SharedSource[${node.plan.number}]` };
    case "Filter":
      return { head: `Filter[filterPredicate = ${printExpression(node.predicate)}]` };
    case "Project":
      return {
        head: "Project[]",
        details: node.assignments
          .filter((a) => a.expression.kind !== "variable" || a.expression.name !== a.output.name)
          .map((a) => `${a.output.name} := ${printExpression(a.expression)}`),
      };
    case "Aggregation":
      return describeAggregation(node);
    case "GroupId":
      return {
        head: `GroupId[${node.sets.map((set) => `[${set.join(", ")}]`).join(", ")}]`,
        details: node.columns.map(({ output, input }) => `${output.name} := ${input.name}`),
      };
    case "MarkDistinct":
      return { head: `MarkDistinct[distinct=${names(node.keys)} marker=${node.marker.name}]` };
    case "Window":
      return describeWindow(node);
    case "PatternRecognition": {
      const printers = { expression: printExpression, orderings };
      return { head: patternHead(node, printers), details: patternDetails(node, printers) };
    }
    case "Join":
      return describeJoin(node);
    case "SemiJoin":
      return { head: `SemiJoin[${node.sourceKey.name} = ${node.filteringKey.name}]`, details: semiJoinDetails(node) };
    case "EnforceSingleRow":
      return { head: "EnforceSingleRow[]" };
    case "Sort":
      return { head: `Sort[${orderings(node.orderBy)}]` };
    case "TopN":
      return { head: `TopN${stepText(node.step)}[${node.count}${node.withTies ? " with ties" : ""} by (${orderings(node.orderBy)})]` };
    case "Limit":
      return { head: `Limit${node.partial ? "Partial" : ""}[${node.count}]` };
    case "Offset":
      return { head: `Offset[${node.count}]` };
    case "Sample":
      return { head: `Sample[${node.method}, ${node.ratio * 100}%]` };
    case "Unnest":
      return { head: `Unnest[${node.count.name}${node.ordinal === undefined ? "" : `, ordinal=${node.ordinal.name}`}]` };
    case "AssignUniqueId":
      return { head: "AssignUniqueId[]" };
    case "Union":
      return { head: "Union[]" };
    case "TableFunction":
      return describeTableFunction(node);
    case "Exchange":
      return {
        head: `${node.orderBy ? "RemoteMerge" : "RemoteExchange"}[${exchangeText(node.partitioning)}${node.orderBy ? `, ${orderings(node.orderBy)}` : ""}]`,
      };
    case "RemoteSource":
      return { head: `${node.orderBy ? "RemoteMerge" : "RemoteSource"}[${node.fragmentIds.join(",")}]` };
    case "Output":
      return {
        head: `Output[${node.columnNames.join(", ")}]`,
        details: node.outputs.flatMap((output, i) =>
          output.name === node.columnNames[i] ? [] : [`${node.columnNames[i]} := ${output.name}`],
        ),
      };
    case "TableWriter":
      return {
        head: "TableWriter[]",
        details: node.inputs.map((input, i) => `${writtenNames(node.target)[i] ?? ""} := ${input.name}`),
      };
    case "TableFinish":
      return { head: `TableCommit[${node.target.catalog}:${node.target.name.schema}.${node.target.name.table}]` };
  }
}

function writtenNames(target: WriteTarget): readonly string[] {
  return [...target.columns.map(({ name }) => name), ...marksOf(target)];
}

const valuesShownMax = 20;

function stepText(step: AggregationNode["step"]): string {
  return step === "SINGLE" ? "" : `(${step})`;
}

function describeAggregation(node: AggregationNode): Line {
  const details = node.aggregates.map((call) => {
    const args = node.step === "FINAL" ? (call.intermediates ?? []) : call.args;
    const text = node.step !== "FINAL" && args.length === 0 && call.name === "count" ? "*" : args.map(printExpression).join(", ");
    const mask = call.mask === undefined ? "" : ` (mask = ${call.mask.name})`;
    const target = node.step === "PARTIAL" ? names(call.intermediates ?? []) : call.output.name;
    return `${target} := ${call.name}(${text})${mask}`;
  });
  const keys = node.keys.length === 0 ? "" : `[${names(node.keys)}]`;
  return { head: `Aggregate${stepText(node.step)}${keys}`, details };
}

/**
 * Prints `Window[partitionBy = [a], orderBy = [b ASC NULLS LAST]]` with details such as `rank := rank() RANGE UNBOUNDED_PRECEDING
 * CURRENT_ROW`.
 */
function describeWindow(node: WindowNode): Line {
  const parts = [
    ...(node.partitionBy.length === 0 ? [] : [`partitionBy = [${names(node.partitionBy)}]`]),
    ...(node.orderBy.length === 0 ? [] : [`orderBy = [${orderings(node.orderBy)}]`]),
  ];
  const details = node.functions.map(({ output, name, args, ignoreNulls, mask, frame }) => {
    const text = name === "count" && args.length === 0 ? "*" : args.map(printExpression).join(", ");
    const treatment = `${ignoreNulls ? " IGNORE NULLS" : ""}${mask === undefined ? "" : ` (mask = ${mask.name})`}`;
    return `${output.name} := ${name}(${text})${treatment} ${frame.type} ${printBound(frame.start)} ${printBound(frame.end)}`;
  });
  return { head: `Window[${parts.join(", ")}]`, details };
}

/** Prints `tpch:tiny.orders` or `system:builtin.sequence(START => 1, STOP => 3, STEP => 1)`. */
function tableText({ catalog, name, version, call, joined = [] }: TableReference): string {
  const others = joined.map((other) => ` JOIN ${other.schema}.${other.table}`).join("");
  const shown = `${catalog}:${name.schema}.${name.table}${version === undefined ? "" : ` ${version}`}`;
  return `${shown}${call === undefined ? "" : `(${call})`}${others}`;
}

function describeTableFunction({ function: called, inputs, copartitioned }: TableFunctionNode): Line {
  const details = inputs.map((input) => {
    const parts = [
      `${input.argument} => ${input.semantics} [${names(input.required)}]`,
      ...(input.partitionBy.length === 0 ? [] : [`partitionBy = [${names(input.partitionBy)}]`]),
      ...(input.orderBy.length === 0 ? [] : [`orderBy = [${orderings(input.orderBy)}]`]),
      ...(input.passed.length === 0 ? [] : [`${input.passesThrough ? "passThrough" : "keys"} = [${names(input.passed)}]`]),
      ...(input.semantics === "ROWS" ? [] : [`${input.prunesWhenEmpty ? "PRUNE" : "KEEP"} WHEN EMPTY`]),
    ];
    return parts.join(", ");
  });
  const groups = copartitioned.map((places) => `COPARTITION (${places.map((place) => inputs[place]?.argument).join(", ")})`);
  return { head: `TableFunction[${called.catalog}:${called.schema}.${called.name}]`, details: [...details, ...groups] };
}

function printBound({ type, offset }: WindowBound): string {
  return offset === undefined ? type : `${printExpression(offset)} ${type}`;
}

function describeJoin(node: PlanNode & { kind: "Join" }): Line {
  const criteria = node.criteria.map((c) => `("${c.left.name}" = "${c.right.name}")`).join(" AND ");
  const filter = node.filter === undefined ? "" : printExpression(node.filter);
  if (node.criteria.length === 0 && node.type === "INNER" && node.filter === undefined) {
    return { head: "CrossJoin" };
  }
  const kind = node.type === "INNER" ? "InnerJoin" : `${node.type[0]}${node.type.slice(1).toLowerCase()}Join`;
  return {
    head: `${kind}[${[criteria, filter].filter((text) => text !== "").join(" AND ")}]`,
    details: joinDetails(node),
  };
}

function semiJoinDetails(node: SemiJoinNode): readonly string[] {
  return [...joinDetails(node), ...(node.build === undefined ? [] : [`Build side: ${node.build}`])];
}

function joinDetails({ distribution, dynamicFilters = {}, remoteDynamicFilters = {} }: JoinNode | SemiJoinNode): readonly string[] {
  const assignments = Object.entries({ ...dynamicFilters, ...remoteDynamicFilters }).map(([id, { name }]) => `${name} -> #${id}`);
  const own = assignments.length === 0 ? [] : [`dynamicFilterAssignments = {${assignments.join(", ")}}`];
  return [`Distribution: ${distribution}`, ...own];
}

/** Prints `, dynamicFilters = {"o_custkey" = #df_3}`, as Trino does. */
function dynamicFiltersText({ dynamicFilters = [], remoteDynamicFilters = [] }: TableScanNode): string {
  const texts = [...dynamicFilters, ...remoteDynamicFilters].map(({ id, variable }) => `"${variable.name}" = #${id}`);
  return texts.length === 0 ? "" : `, dynamicFilters = {${texts.join(", ")}}`;
}

function exchangeText(partitioning: OutputPartitioning): string {
  switch (partitioning.kind) {
    case "SINGLE":
      return "GATHER";
    case "BROADCAST":
      return "REPLICATE";
    case "HASH":
      return `REPARTITION, hash: ${names(partitioning.keys)}`;
    case "ROUND_ROBIN":
      return "REPARTITION, round robin";
  }
}

export function printPlan(node: PlanNode, estimator: Estimator, indent = 0): string {
  const pad = "    ".repeat(indent);
  const { head, details = [] } = describeNode(node);
  const layout = outputsOf(node)
    .map((output) => `${output.name}:${displayType(output.type)}`)
    .join(", ");
  const lines = [`${pad}- ${head} => [${layout}]`, `${pad}        Estimates: ${printEstimate(node, estimator)}`];
  for (const detail of details) {
    lines.push(`${pad}        ${detail}`);
  }
  return [lines.join("\n"), ...sourcesOf(node).map((source) => printPlan(source, estimator, indent + 1))].join("\n");
}

/** Prints `{rows: 25 (675B), cpu: 675, memory: 0B, network: 0B}`. */
function printEstimate(node: PlanNode, estimator: Estimator): string {
  const { rows, known } = estimator.estimate(node);
  const { cpu, memory, network } = costOf(node, estimator);
  const sized = known ? `${Math.round(rows)} (${printBytes(estimator.bytes(node))})` : "? (?)";
  const [held, sent] = [memory, network].map((bytes) => (bytes === undefined ? "?" : printBytes(bytes)));
  return `{rows: ${sized}, cpu: ${cpu === undefined ? "?" : printBytes(cpu).slice(0, -1)}, memory: ${held}, network: ${sent}}`;
}

function printBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(2)}${units[unit]}`;
}

export function printFragments(plan: FragmentedPlan, statisticsOf: (table: TableReference) => TableStatistics): string {
  const estimator = new FragmentEstimator(plan, statisticsOf);
  return `${plan.fragments.map((fragment) => printFragment(fragment, estimator)).join("\n\n")}\n`;
}

export function partitioningText({ partitioning, scanIds }: PlanFragment): string {
  return partitioning === "COORDINATOR" ? (scanIds.length > 0 ? "COORDINATOR_ONLY" : "SINGLE") : partitioning;
}

function printFragment(fragment: PlanFragment, estimator: Estimator): string {
  const layout = names(outputsOf(fragment.root));
  const keys = fragment.outputPartitioning.kind === "HASH" ? names(fragment.outputPartitioning.keys) : "";
  return [
    `Fragment ${fragment.id} [${partitioningText(fragment)}]`,
    `    Output layout: [${layout}]`,
    `    Output partitioning: ${fragment.outputPartitioning.kind} [${keys}]`,
    printPlan(fragment.root, estimator, 1),
  ].join("\n");
}

/** Resolves remote sources to the estimates of the fragments they read. */
export class FragmentEstimator extends Estimator {
  readonly #plan: FragmentedPlan;

  constructor(plan: FragmentedPlan, statisticsOf: (table: TableReference) => TableStatistics) {
    super(statisticsOf);
    this.#plan = plan;
  }

  override estimate(node: PlanNode): Estimate {
    if (node.kind !== "RemoteSource") {
      return super.estimate(node);
    }
    const sources = node.fragmentIds.flatMap((id) => this.#plan.fragments[id]?.root ?? []);
    const [only] = sources;
    if (sources.length === 1 && only !== undefined) {
      // A reader of a shared fragment has its own names for the columns.
      const given = outputsOf(only);
      const assignments = node.outputs.map((output, index) => ({ output, expression: given[index] ?? output }));
      return super.estimate({ kind: "Project", id: node.id, source: only, assignments });
    }
    return super.estimate({ kind: "Exchange", id: node.id, sources, outputs: node.outputs, partitioning: { kind: "SINGLE" } });
  }
}
