/**
 * Estimates row counts and distinct values from the connectors' statistics. The optimizer uses the estimates for join order and join sides;
 * EXPLAIN shows them. A wrong estimate costs time but never changes results.
 */
import type { ColumnStatistics, TableStatistics } from "../../../connectors/spi.ts";
import type { ColumnEstimate, Estimate } from "./estimate.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import { conjunctsOf } from "../../plan/expression-tree.ts";
import { joinedKeys, type UniqueKey } from "./keys.ts";
import { type JoinNode, type OwnOutputs, ownOutputs, type PlanNode, type TableReference } from "../../plan/node.ts";
import { applyFilter, expressionEstimate } from "./selectivity.ts";
import { physicalType, physicalWidth, type Type } from "../../../types/type.ts";

/** What the planner knows of a table: estimates, and unique keys, which are certain. */
export interface TableFacts extends TableStatistics {
  /** See TableMetadata. */
  readonly uniqueKeys?: readonly (readonly string[])[];
}

const unknownTableRows = 100_000;
const averageTextBytes = 16;
const noColumns: ReadonlyMap<string, ColumnEstimate> = new Map();
const noKeys: readonly UniqueKey[] = [];
/** A relation of at most one row has the empty key. */
const oneRow: readonly UniqueKey[] = [{ columns: new Set(), baseRows: 1 }];

export class Estimator {
  readonly #known = new Map<PlanNode, Estimate>();
  readonly #rowBytesOf = new Map<PlanNode, number>();
  readonly #statisticsOf: (table: TableReference) => TableFacts;

  constructor(statisticsOf: (table: TableReference) => TableFacts) {
    this.#statisticsOf = statisticsOf;
  }

  estimate(node: PlanNode): Estimate {
    const known = this.#known.get(node);
    if (known !== undefined) {
      return known;
    }
    const estimate = this.#compute(node);
    this.#known.set(node, estimate);
    return estimate;
  }

  /** Estimated size of the node's rows, in bytes. */
  bytes(node: PlanNode): number {
    return this.estimate(node).rows * this.#rowBytes(node);
  }

  /** A node that passes the columns of another one on adds its own to them: a chain of a thousand windows has a million otherwise. */
  #rowBytes(given: PlanNode): number {
    const { columns } = this.estimate(given);
    const own: (readonly [node: PlanNode, outputs: readonly Variable[]])[] = [];
    let bytes = 0;
    for (let node: PlanNode | undefined = given; node !== undefined; ) {
      const known = this.#rowBytesOf.get(node);
      if (known !== undefined && this.estimate(node).columns === columns) {
        bytes = known;
        break;
      }
      const outputs: OwnOutputs = ownOutputs(node);
      own.push([node, outputs.own]);
      node = outputs.passedFrom;
    }
    for (const [node, outputs] of own.reverse()) {
      bytes = outputs.reduce((sum, output) => sum + columnBytes(output, columns.get(output.name)), bytes);
      if (this.estimate(node).columns === columns) {
        this.#rowBytesOf.set(node, bytes);
      }
    }
    return bytes;
  }

  #compute(node: PlanNode): Estimate {
    switch (node.kind) {
      case "TableScan":
        return this.#scan(node);
      case "Values":
        return { rows: node.rows.length, known: true, columns: noColumns, keys: node.rows.length <= 1 ? oneRow : noKeys };
      case "SharedSource": {
        const { id, plan, columns, outputs } = node;
        const assignments = outputs.map((output, index) => ({ output, expression: columns[index] as Variable }));
        return this.estimate({ kind: "Project", id, source: plan.root, assignments });
      }
      case "Filter":
        return applyFilter(this.estimate(node.source), conjunctsOf(node.predicate));
      case "Project": {
        const source = this.estimate(node.source);
        const columns = new Map<string, ColumnEstimate>();
        for (const { output, expression } of node.assignments) {
          const column = expressionEstimate(expression, source);
          if (column !== undefined) {
            columns.set(output.name, column);
          }
        }
        return { ...source, columns, keys: renamedKeys(source.keys, node) };
      }
      case "Aggregation":
        return aggregated(node, this.estimate(node.source));
      case "GroupId": {
        const source = this.estimate(node.source);
        const own = node.columns.flatMap(({ output, input }) => {
          const column = source.columns.get(input.name);
          return column === undefined ? [] : [[output.name, column] as const];
        });
        const columns = new Map([...source.columns, ...own, [node.groupId.name, { distinct: node.sets.length }] as const]);
        return { ...source, rows: source.rows * node.sets.length, columns, keys: noKeys };
      }
      case "Join":
        return this.#join(node);
      case "Union":
      case "Exchange": {
        const sources = node.sources.map((source) => this.estimate(source));
        const rows = sources.reduce((sum, source) => sum + source.rows, 0);
        const [only] = sources;
        const columns = sources.length === 1 && only !== undefined ? only.columns : noColumns;
        const keys = node.kind === "Exchange" && sources.length === 1 && only !== undefined ? only.keys : noKeys;
        return { rows, known: sources.every((source) => source.known), columns, keys };
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
        return { rows: 1, known: true, columns: noColumns, keys: oneRow };
      case "RemoteSource":
        return { rows: unknownTableRows, known: false, columns: noColumns, keys: noKeys };
      case "SemiJoin":
        return semiJoined(node, this.estimate(node.source), this.estimate(node.filtering));
      case "AssignUniqueId": {
        const source = this.estimate(node.source);
        const key = { columns: new Set([node.idVariable.name]), baseRows: Math.max(1, source.rows) };
        return { ...source, keys: [...source.keys, key] };
      }
      case "Unnest":
        return { ...this.estimate(node.source), keys: noKeys };
      case "TableFunction": {
        // The row count of a table function is unknown; assumes the row count of its largest table.
        const rows = node.sources.map((source) => this.estimate(source).rows);
        return { rows: Math.max(1, ...rows), known: false, columns: noColumns, keys: noKeys };
      }
      case "PatternRecognition":
        if (node.rows === "WINDOW") {
          return this.estimate(node.source);
        }
        return { ...this.estimate(node.source), known: false, keys: noKeys };
      case "MarkDistinct":
      case "Window":
      case "Sort":
      case "Output":
      case "TableWriter":
        return this.estimate(node.source);
    }
  }

  #scan(node: PlanNode & { kind: "TableScan" }): Estimate {
    const statistics = this.#statisticsOf(node.table);
    const pushed = node.table.rows;
    const rows = pushed ?? statistics.rowCount ?? unknownTableRows;
    const columns = new Map<string, ColumnEstimate>();
    node.outputs.forEach((output, index) => {
      const column = statistics.columns[node.columns[index]?.name ?? ""];
      if (column === undefined) {
        columns.set(output.name, { tableRows: rows });
        return;
      }
      const { distinctValues, ...rest } = column;
      const known = distinctValues === undefined ? distinctBounds(output.type, column, rows) : { distinct: distinctValues };
      columns.set(output.name, { ...rest, ...known });
    });
    const keys = (pushed === undefined ? (statistics.uniqueKeys ?? []) : []).flatMap((key) => {
      const names = key.flatMap((name) => node.outputs[node.columns.findIndex((column) => column.name === name)]?.name ?? []);
      return names.length === key.length ? [{ columns: new Set(names), baseRows: Math.max(1, rows) }] : [];
    });
    return { rows, known: statistics.rowCount !== undefined, columns, keys };
  }

  #join(node: PlanNode & { kind: "Join" }): Estimate {
    const left = this.estimate(node.left);
    const right = this.estimate(node.right);
    const columns = new Map([
      ...(node.type === "RIGHT" || node.type === "FULL" ? withNulls(left) : left.columns),
      ...(node.type === "LEFT" || node.type === "FULL" ? withNulls(right) : right.columns),
    ]);
    if (node.type === "INNER") {
      meetDistinct(node, left, right, columns);
    }
    const known = left.known && right.known;
    const pairs = node.criteria.map((c) => [c.left, c.right] as const);
    const inner = applyFilter(
      { rows: joinRows(left, right, pairs), known, columns, keys: joinedKeys(node, left.keys, right.keys) },
      node.filter === undefined ? [] : conjunctsOf(node.filter),
    );
    const least = node.type === "LEFT" ? left.rows : node.type === "RIGHT" ? right.rows : node.type === "FULL" ? left.rows + right.rows : 0;
    return { ...inner, rows: Math.max(inner.rows, least) };
  }
}

/**
 * Estimates the rows of an equi-join. If the pairs contain a unique key of one side, each row of the other side matches the fraction of one
 * row that filters left of the keyed table. Otherwise, each pair divides by the larger number of distinct values. Further pairs count less,
 * because they are seldom independent. Of pairs about whose values nothing is known, one divides: its smaller table is taken for the one
 * with the key, and a key of several columns has as many values as the table has rows.
 */
export function joinRows(left: Estimate, right: Estimate, pairs: readonly (readonly [Variable, Variable])[]): number {
  const keyed = keyedBy(left, pairs, 0) ?? keyedBy(right, pairs, 1);
  const base = keyed === undefined ? left.rows * right.rows : (left.rows * right.rows) / keyed.key.baseRows;
  const rest = keyed === undefined ? pairs : keyed.rest;
  const values = rest.map(([a, b]) => [valuesOf(a, left), valuesOf(b, right)] as const);
  const guessed = values.filter(isGuess).map(([a, b]) => commonValues(a, b));
  const known = values.filter((pair) => !isGuess(pair)).map(([a, b]) => commonValues(a, b));
  const factors = [...known, ...(guessed.length === 0 ? [] : [Math.max(...guessed)])].toSorted((a, b) => b - a);
  const shift = keyed === undefined ? 0 : 1;
  const rows = factors.reduce((current, factor, index) => current / factor ** (1 / 2 ** (index + shift)), base);
  return Math.max(rows, Math.min(left.rows, right.rows, 1));
}

interface Values {
  readonly count: number;
  /** `table`: nothing is known of the column but its table's rows. `rows`: nothing is known but the relation's. */
  readonly certainty: "counted" | "bound" | "table" | "rows";
  readonly rows: number;
}

function valuesOf({ name }: Variable, { columns, rows }: Estimate): Values {
  const column = columns.get(name);
  if (column?.distinct !== undefined) {
    return { count: column.distinct, certainty: "counted", rows };
  }
  if (column?.distinctMax !== undefined) {
    return { count: column.distinctMax, certainty: "bound", rows };
  }
  return column?.tableRows === undefined ? { count: rows, certainty: "rows", rows } : { count: column.tableRows, certainty: "table", rows };
}

/** Whether both are columns of tables and nothing is known of the values of either. */
function isGuess([a, b]: readonly [Values, Values]): boolean {
  return a.certainty === "table" && b.certainty === "table";
}

/**
 * Returns the divisor for a pair of keys. A side without a distinct count has at most as many values as the other side. Taking a bound for
 * a count would make a join that multiplies rows look small, and it would then be chosen first.
 */
function commonValues(a: Values, b: Values): number {
  return isGuess([a, b]) ? Math.max(1, Math.min(a.count, b.count)) : Math.max(valuesBeside(a, b), valuesBeside(b, a), 1);
}

function valuesBeside(own: Values, other: Values): number {
  const isAlone = other.certainty === "rows" || other.certainty === "table";
  const count = own.certainty === "counted" || isAlone ? own.count : Math.min(own.count, other.count);
  return Math.min(count, Math.max(1, own.rows));
}

/** After the join, both columns have the smaller of the two distinct counts. */
function meetDistinct(node: JoinNode, left: Estimate, right: Estimate, columns: Map<string, ColumnEstimate>): void {
  for (const c of node.criteria) {
    const count = Math.min(distinctOf(c.left, left), distinctOf(c.right, right));
    const values = [valuesOf(c.left, left), valuesOf(c.right, right)] as const;
    const isBound = values.every(({ certainty }) => certainty === "bound");
    const met = isGuess(values) ? { tableRows: commonValues(...values) } : isBound ? { distinctMax: count } : { distinct: count };
    for (const { name } of [c.left, c.right]) {
      columns.set(name, { ...columns.get(name), ...met });
    }
  }
}

function keyedBy(estimate: Estimate, pairs: readonly (readonly [Variable, Variable])[], side: 0 | 1) {
  const named = new Map(pairs.map((pair) => [pair[side].name, pair]));
  const key = estimate.keys.find(({ columns }) => columns.size > 0 && [...columns].every((name) => named.has(name)));
  return key && { key, rest: pairs.filter((pair) => !key.columns.has(pair[side].name)) };
}

function distinctOf(variable: Variable, estimate: Estimate): number {
  return Math.min(valuesOf(variable, estimate).count, Math.max(1, estimate.rows));
}

function groupCount(keys: readonly Variable[], source: Estimate): number {
  const guess = Math.max(1, source.rows * 0.1);
  const product = keys.reduce((count, key) => {
    const { distinct, distinctMax = Infinity } = source.columns.get(key.name) ?? {};
    return count * (distinct ?? Math.min(distinctMax, guess));
  }, 1);
  return Math.max(1, Math.min(product, source.rows));
}

/** Bounds the distinct values of a column without a count by its type and its range. */
function distinctBounds(type: Type, { low, high, nullsFraction = 0 }: ColumnStatistics, rows: number): ColumnEstimate {
  const ofType = valuesOfType(type);
  const ofRange = low === undefined || high === undefined ? Infinity : (high - low) * (unitsOf(type) ?? Infinity) + 1;
  const values = Math.min(ofType, ofRange);
  if (!Number.isFinite(values)) {
    return { tableRows: rows };
  }
  const present = rows * (1 - nullsFraction);
  return { distinctMax: Math.max(1, Math.min(values, present)), ...(values <= present && { fillsRange: true }) };
}

function valuesOfType({ kind }: Type): number {
  return kind === "boolean" ? 2 : kind === "tinyint" ? 2 ** 8 : kind === "smallint" ? 2 ** 16 : Infinity;
}

/** Number of values between two consecutive integers of a discrete type. */
export function unitsOf(type: Type): number | undefined {
  switch (type.kind) {
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "date":
      return 1;
    case "decimal":
      return 10 ** type.scale;
    default:
      return undefined;
  }
}

function aggregated(node: PlanNode & { kind: "Aggregation" }, source: Estimate): Estimate {
  const results = node.aggregates.map((call) => [call.output.name, { aggregate: true }] as const);
  if (node.keys.length === 0) {
    return { rows: 1, known: true, columns: noColumns, keys: oneRow };
  }
  const rows = groupCount(node.keys, source);
  const keys =
    node.step === "PARTIAL" || node.globalSets !== undefined
      ? []
      : [{ columns: new Set(node.keys.map((key) => key.name)), baseRows: rows }];
  return { ...source, rows, columns: new Map<string, ColumnEstimate>([...source.columns, ...results]), keys };
}

/** The fraction of true results is the ratio of the distinct keys of the filtering side to those of the source. */
function semiJoined(node: PlanNode & { kind: "SemiJoin" }, source: Estimate, filtering: Estimate): Estimate {
  const known = source.columns.get(node.sourceKey.name)?.distinct ?? source.rows;
  const trueFraction = Math.min(1, distinctOf(node.filteringKey, filtering) / Math.max(1, known));
  return { ...source, columns: new Map([...source.columns, [node.output.name, { trueFraction }]]) };
}

function renamedKeys(keys: readonly UniqueKey[], node: PlanNode & { kind: "Project" }): readonly UniqueKey[] {
  const names = new Map<string, string>();
  for (const { output, expression } of node.assignments) {
    if (expression.kind === "variable" && !names.has(expression.name)) {
      names.set(expression.name, output.name);
    }
  }
  return keys.flatMap((key) => {
    const columns = [...key.columns].flatMap((name) => names.get(name) ?? []);
    return columns.length === key.columns.size ? [{ ...key, columns: new Set(columns) }] : [];
  });
}

/** Drops the NULL fractions of the side of an outer join that may be filled with NULLs: how often that happens is unknown. */
function withNulls({ columns }: Estimate): Estimate["columns"] {
  return new Map([...columns].map(([name, { nullsFraction: _fraction, ...rest }]) => [name, rest]));
}

function columnBytes(variable: Variable, column: ColumnEstimate | undefined): number {
  const physical = physicalType(variable.type);
  return column?.averageBytes ?? (physical === "bytes" ? averageTextBytes : physicalWidth(physical)) + 1;
}
