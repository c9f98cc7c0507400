/**
 * Estimates of rows and distinct values, from the connectors' statistics. They choose the order and the sides of joins and are shown by
 * EXPLAIN; a wrong one costs time, never rows.
 */
import type { TableStatistics } from "../connectors/connector.ts";
import type { RowExpression, Variable } from "./expression.ts";
import { conjunctsOf, disjunctsOf } from "./expressions.ts";
import { outputsOf, type PlanNode, type TableReference } from "./node.ts";
import { physicalType, physicalWidth } from "../types/type.ts";

export interface ColumnEstimate {
  readonly distinct?: number;
  readonly nullsFraction?: number;
  readonly low?: number;
  readonly high?: number;
  readonly averageBytes?: number;
}

export interface Estimate {
  readonly rows: number;
  /** False when it rests on a table without statistics. */
  readonly known: boolean;
  readonly columns: ReadonlyMap<string, ColumnEstimate>;
}

const unknownTableRows = 100_000;
const unknownFilterFactor = 0.9;
const unknownEqualityFactor = 0.1;
const unknownRangeFactor = 0.33;
const averageTextBytes = 16;
const noColumns: ReadonlyMap<string, ColumnEstimate> = new Map();

export class Estimator {
  private readonly known = new Map<PlanNode, Estimate>();
  constructor(private readonly statisticsOf: (table: TableReference) => TableStatistics) {}

  estimate(node: PlanNode): Estimate {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    const estimate = this.compute(node);
    this.known.set(node, estimate);
    return estimate;
  }

  /** Bytes of the node's rows. */
  bytes(node: PlanNode): number {
    const { rows, columns } = this.estimate(node);
    return rows * outputsOf(node).reduce((sum, output) => sum + columnBytes(output, columns.get(output.name)), 0);
  }

  private compute(node: PlanNode): Estimate {
    switch (node.kind) {
      case "TableScan":
        return this.scan(node);
      case "Values":
        return { rows: node.rows.length, known: true, columns: noColumns };
      case "Filter":
        return applyFilter(this.estimate(node.source), conjunctsOf(node.predicate));
      case "Project": {
        const source = this.estimate(node.source);
        const columns = new Map<string, ColumnEstimate>();
        for (const { output, expression } of node.assignments) {
          const column = expressionEstimate(expression, source);
          if (column !== undefined) columns.set(output.name, column);
        }
        return { ...source, columns };
      }
      case "Aggregation": {
        const source = this.estimate(node.source);
        if (node.keys.length === 0) return { rows: 1, known: true, columns: noColumns };
        return { ...source, rows: groupCount(node.keys, source) };
      }
      case "GroupId": {
        const source = this.estimate(node.source);
        const own = node.columns.flatMap(({ output, input }) => {
          const column = source.columns.get(input.name);
          return column === undefined ? [] : [[output.name, column] as const];
        });
        const columns = new Map([...source.columns, ...own, [node.groupId.name, { distinct: node.sets.length }] as const]);
        return { ...source, rows: source.rows * node.sets.length, columns };
      }
      case "Join":
        return this.join(node);
      case "Union":
      case "Exchange": {
        const sources = node.sources.map((source) => this.estimate(source));
        const rows = sources.reduce((sum, source) => sum + source.rows, 0);
        const [only] = sources;
        const columns = sources.length === 1 && only !== undefined ? only.columns : noColumns;
        return { rows, known: sources.every((source) => source.known), columns };
      }
      case "TopN":
      case "Limit": {
        const source = this.estimate(node.source);
        return node.count < source.rows ? { ...source, rows: node.count, known: true } : source;
      }
      case "Offset": {
        const source = this.estimate(node.source);
        return { ...source, rows: Math.max(0, source.rows - node.count) };
      }
      case "Sample": {
        const source = this.estimate(node.source);
        return { ...source, rows: source.rows * node.ratio };
      }
      case "EnforceSingleRow":
      case "TableFinish":
        return { rows: 1, known: true, columns: noColumns };
      case "RemoteSource":
        return { rows: unknownTableRows, known: false, columns: noColumns };
      case "SemiJoin":
      case "MarkDistinct":
      case "Window":
      case "Sort":
      case "Repeat":
      case "Output":
      case "TableWriter":
        return this.estimate(node.source);
    }
  }

  private scan(node: PlanNode & { kind: "TableScan" }): Estimate {
    const statistics = this.statisticsOf(node.table);
    const columns = new Map<string, ColumnEstimate>();
    node.outputs.forEach((output, index) => {
      const column = statistics.columns[node.columns[index]?.name ?? ""];
      if (column === undefined) return;
      const { distinctValues, ...rest } = column;
      columns.set(output.name, { ...rest, ...(distinctValues !== undefined && { distinct: distinctValues }) });
    });
    return { rows: statistics.rowCount ?? unknownTableRows, known: statistics.rowCount !== undefined, columns };
  }

  private join(node: PlanNode & { kind: "Join" }): Estimate {
    const left = this.estimate(node.left);
    const right = this.estimate(node.right);
    const columns = new Map([...left.columns, ...right.columns]);
    const known = left.known && right.known;
    const pairs = node.criteria.map((c) => [c.left, c.right] as const);
    const inner = applyFilter(
      { rows: joinRows(left, right, pairs), known, columns },
      node.filter === undefined ? [] : conjunctsOf(node.filter),
    );
    const least = node.type === "LEFT" ? left.rows : node.type === "RIGHT" ? right.rows : node.type === "FULL" ? left.rows + right.rows : 0;
    return { ...inner, rows: Math.max(inner.rows, least) };
  }
}

/** Rows of an equi-join: each pair of keys divides by the larger number of distinct values; further pairs count less, they are seldom independent. */
export function joinRows(left: Estimate, right: Estimate, pairs: readonly (readonly [Variable, Variable])[]): number {
  const factors = pairs.map(([a, b]) => Math.max(distinctOf(a, left), distinctOf(b, right), 1)).toSorted((a, b) => b - a);
  const rows = factors.reduce((current, factor, index) => current / factor ** (1 / 2 ** index), left.rows * right.rows);
  return Math.max(rows, Math.min(left.rows, right.rows, 1));
}

function distinctOf(variable: Variable, estimate: Estimate): number {
  return Math.min(estimate.columns.get(variable.name)?.distinct ?? estimate.rows, Math.max(1, estimate.rows));
}

function groupCount(keys: readonly Variable[], source: Estimate): number {
  const product = keys.reduce((count, key) => count * (source.columns.get(key.name)?.distinct ?? Math.max(1, source.rows * 0.1)), 1);
  return Math.max(1, Math.min(product, source.rows));
}

function expressionEstimate(expression: RowExpression, source: Estimate): ColumnEstimate | undefined {
  if (expression.kind === "variable") return source.columns.get(expression.name);
  if (expression.kind === "cast") {
    const column = expressionEstimate(expression.arg, source);
    if (column === undefined) return undefined;
    const { averageBytes: _bytes, ...rest } = column;
    return rest;
  }
  return expression.kind === "constant" ? { distinct: 1 } : undefined;
}

function columnBytes(variable: Variable, column: ColumnEstimate | undefined): number {
  const physical = physicalType(variable.type);
  return column?.averageBytes ?? (physical === "bytes" ? averageTextBytes : physicalWidth(physical)) + 1;
}

function applyFilter(source: Estimate, conjuncts: readonly RowExpression[]): Estimate {
  if (conjuncts.length === 0) return source;
  const factor = conjuncts.reduce((product, conjunct) => product * selectivity(conjunct, source), 1);
  return { ...source, rows: source.rows * factor };
}

/** The part of rows for which a condition is true. */
function selectivity(condition: RowExpression, source: Estimate): number {
  if (condition.kind === "constant") return condition.value === true ? 1 : 0;
  if (condition.kind === "variable") return 0.5;
  if (condition.kind === "special") {
    switch (condition.form) {
      case "AND":
        return condition.args.reduce((product, arg) => product * selectivity(arg, source), 1);
      case "OR":
        return 1 - disjunctsOf(condition).reduce((product, arg) => product * (1 - selectivity(arg, source)), 1);
      case "IN":
        return inSelectivity(condition.args, source);
      case "IS_NULL":
        return columnOf(condition.args[0], source)?.nullsFraction ?? unknownEqualityFactor;
      default:
        return unknownFilterFactor;
    }
  }
  if (condition.kind !== "call") return unknownFilterFactor;
  const [left, right] = condition.args;
  switch (condition.name) {
    case "$not":
      return left === undefined ? unknownFilterFactor : 1 - selectivity(left, source);
    case "$eq":
      return equalitySelectivity(left, right, source);
    case "$ne":
      return 1 - equalitySelectivity(left, right, source);
    case "$lt":
    case "$le":
      return rangeSelectivity(left, right, source, true);
    case "$gt":
    case "$ge":
      return rangeSelectivity(left, right, source, false);
    case "like":
      return unknownEqualityFactor;
    default:
      return unknownFilterFactor;
  }
}

function columnOf(expression: RowExpression | undefined, source: Estimate): ColumnEstimate | undefined {
  return expression === undefined || expression.kind === "constant" ? undefined : expressionEstimate(expression, source);
}

function equalitySelectivity(left: RowExpression | undefined, right: RowExpression | undefined, source: Estimate): number {
  const column = columnOf(left, source) ?? columnOf(right, source);
  return column?.distinct === undefined ? unknownEqualityFactor : 1 / Math.max(1, column.distinct);
}

function inSelectivity(args: readonly RowExpression[], source: Estimate): number {
  const [value, ...items] = args;
  return Math.min(1, items.length * equalitySelectivity(value, items[0], source));
}

function rangeSelectivity(left: RowExpression | undefined, right: RowExpression | undefined, source: Estimate, below: boolean): number {
  if (left?.kind === "constant") return right?.kind === "constant" ? unknownRangeFactor : rangeSelectivity(right, left, source, !below);
  const column = columnOf(left, source);
  const bound = numericValue(right);
  if (column?.low === undefined || column.high === undefined || bound === undefined || column.high <= column.low) return unknownRangeFactor;
  const part = (bound - column.low) / (column.high - column.low);
  return Math.min(1, Math.max(0, below ? part : 1 - part));
}

/** A constant in the unit of column statistics. */
function numericValue(expression: RowExpression | undefined): number | undefined {
  if (expression?.kind !== "constant" || expression.value === null) return undefined;
  const value = Number(expression.value);
  if (!Number.isFinite(value)) return undefined;
  return expression.type.kind === "decimal" ? value / 10 ** expression.type.scale : value;
}
