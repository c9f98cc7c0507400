/**
 * A correlated subquery over enclosing rows that may be computed only once (a LIMIT, row numbers, averages of doubles): each row gets a number and is joined with what
 * the subquery reads; a row that matches nothing stays, once. What the subquery then does is done within each number, and a mark on each row says whether it is
 * still one of the subquery's. Called by decorrelate.ts where domain.ts may not copy the enclosing plan.
 */
import { BOOLEAN } from "../../types/type.ts";
import type { RowExpression, Variable } from "../expression.ts";
import { and, constant, FALSE, or, special, TRUE } from "../expressions.ts";
import { outputsOf, type AggregateCall, type AggregationNode, type Ordering, type PlanNode } from "../node.ts";
import { distinctVariables, extendProject, filterNode, identity, outputNames, projectNode, withSources } from "../tree.ts";
import type { Analysis } from "./analysis.ts";
import { pullCorrelation } from "./decorrelate.ts";
import { type DomainJoin, unsupportedCorrelation } from "./domain.ts";
import type { Placed } from "./errors.ts";
import { callOperator } from "./functions.ts";
import { count, numberRows, type RowNumbering } from "./row-numbers.ts";

/** The enclosing rows, each with at least one row; those of the subquery are the ones whose marker is true. */
export interface MarkedRows {
  readonly node: PlanNode;
  readonly marker: Variable;
  /** The enclosing row's columns and its number. */
  readonly columns: readonly Variable[];
}

interface Marked {
  readonly node: PlanNode;
  readonly marker: Variable;
  /** Of the rows of one number, where the plan had sorted them. */
  readonly orderBy?: readonly Ordering[];
}

export type MarkOptions = Omit<DomainJoin, "finish" | "type">;

export function markRows(source: PlanNode, { analysis, plan, outer, rewrite, at }: MarkOptions): MarkedRows {
  const { ids } = analysis;
  const present = outputNames(source);
  const added = outer.flatMap((output) => {
    const expression = rewrite(output);
    if (!present.has(output.name)) return [{ output, expression }];
    if (expression.kind !== "variable" || expression.name !== output.name) throw unsupportedCorrelation(at);
    return [];
  });
  // Ids are given from the top down: the numbering comes before the columns it numbers.
  const { node: numbered, number } = numberRows(ids, source);
  const rows = withSources(numbered, [extendProject(ids, source, added)]);
  const marking = new Marking({ analysis, outer: new Set(outer.map(({ name }) => name)), at, rows, number });
  const { node, marker } = marking.mark(plan);
  return { node, marker, columns: outputsOf(rows) };
}

/** One row for each enclosing row, and what `aggregates` make of the subquery's rows for it. */
export function groupMarked(analysis: Analysis, { node, marker, columns }: MarkedRows, aggregates: readonly AggregateCall[]): PlanNode {
  const masked = aggregates.map((aggregate) => ({ ...aggregate, mask: marker }));
  return { kind: "Aggregation", id: analysis.ids.node(), source: node, step: "SINGLE", keys: columns, aggregates: masked };
}

export interface MarkedJoin extends MarkOptions {
  /** Of the subquery. */
  readonly columns: readonly Variable[];
  /** Rows for which the subquery has none stay, with NULL for its columns. */
  readonly keepsLeft: boolean;
}

/** Every enclosing row with the subquery's rows for it. `columns` are what the subquery's are then. */
export function joinMarked(source: PlanNode, options: MarkedJoin): { readonly node: PlanNode; readonly columns: readonly Variable[] } {
  const { analysis, columns, keepsLeft, at } = options;
  const { ids } = analysis;
  const { node, marker, columns: rows } = markRows(source, options);
  if (!keepsLeft) return { node: filterNode(ids, node, [marker]), columns };
  // Where no row is marked the first of the others stays.
  const number = rows.at(-1) as Variable;
  const { node: placed, number: place } = numberRows(ids, node, {
    partitionBy: [number],
    orderBy: [{ variable: marker, descending: true, nullsFirst: false }],
  });
  const kept = filterNode(ids, placed, [or([marker, callOperator("$eq", [place, count(1)], at)])]);
  const values = columns.map((column) => ({
    output: ids.variable(column.name, column.type),
    expression: special("IF", column.type, [marker, column, constant(column.type, null)]),
  }));
  return { node: extendProject(ids, kept, values), columns: values.map(({ output }) => output) };
}

interface MarkingOptions {
  readonly analysis: Analysis;
  /** Names of the enclosing columns. */
  readonly outer: ReadonlySet<string>;
  readonly at: Placed;
  readonly rows: PlanNode;
  readonly number: Variable;
}

class Marking {
  readonly #options: MarkingOptions;
  readonly #columns: readonly Variable[];

  constructor(options: MarkingOptions) {
    this.#options = options;
    this.#columns = outputsOf(options.rows);
  }

  mark(node: PlanNode): Marked {
    switch (node.kind) {
      case "Sort":
        return { ...this.mark(node.source), orderBy: node.orderBy };
      case "Limit":
        return this.#numbered(this.mark(node.source), (number) => callOperator("$le", [number, count(node.count)], this.#options.at));
      case "Offset":
        return this.#numbered(this.mark(node.source), (number) => callOperator("$gt", [number, count(node.count)], this.#options.at));
      case "TopN": {
        const below = { ...this.mark(node.source), orderBy: node.orderBy };
        const name = node.withTies === true ? "rank" : "row_number";
        return this.#numbered(below, (number) => callOperator("$le", [number, count(node.count)], this.#options.at), name);
      }
      case "Window": {
        const { node: source, marker } = this.mark(node.source);
        return { node: { ...node, source, partitionBy: [...node.partitionBy, this.#options.number, marker] }, marker };
      }
      case "Aggregation":
        return node.keys.length === 0 ? this.#global(node) : (this.#joined(node) ?? this.#grouped(node));
      default:
        return this.#joined(node) ?? this.#above(node);
    }
  }

  /** What reads its rows without the enclosing row, and joins with it by conditions. */
  #joined(plan: PlanNode): Marked | undefined {
    const { analysis, outer, at, rows } = this.#options;
    const { ids } = analysis;
    const pulled = pullCorrelation(analysis, plan, outer, at);
    if (pulled === undefined) return undefined;
    const marker = ids.variable("marker", BOOLEAN);
    const right = extendProject(ids, pulled.node, [{ output: marker, expression: TRUE }]);
    const { conditions } = pulled;
    const node: PlanNode = {
      kind: "Join",
      id: ids.node(),
      type: "LEFT",
      left: rows,
      right,
      criteria: [],
      ...(conditions.length > 0 && { filter: and(conditions) }),
      outputs: distinctVariables([...this.#columns, ...outputsOf(right)]),
      distribution: conditions.length > 0 ? "PARTITIONED" : "REPLICATED",
    };
    return { node, marker };
  }

  #above(node: PlanNode): Marked {
    const { ids } = this.#options.analysis;
    switch (node.kind) {
      case "Project": {
        const below = this.mark(node.source);
        const own = node.assignments.filter(({ output }) => !this.#columns.some(({ name }) => name === output.name));
        const known = new Set(own.map(({ output }) => output.name));
        const carried = [...this.#columns, below.marker, ...(below.orderBy ?? []).map(({ variable }) => variable)];
        const rest = distinctVariables(carried.filter(({ name }) => !known.has(name)));
        return { ...below, node: projectNode(ids, below.node, [...own, ...rest.map(identity)]) };
      }
      case "Filter":
        return this.#kept(this.mark(node.source), node.predicate);
      case "MarkDistinct": {
        const { node: source, marker } = this.mark(node.source);
        return { node: { ...node, source, keys: [...node.keys, this.#options.number, marker] }, marker };
      }
      default:
        throw unsupportedCorrelation(this.#options.at);
    }
  }

  /** The rows stay; those for which `predicate` does not hold are the subquery's no more. */
  #kept(below: Marked, predicate: RowExpression): Marked {
    const { ids } = this.#options.analysis;
    const marker = ids.variable("marker", BOOLEAN);
    const expression = special("IF", BOOLEAN, [below.marker, predicate, FALSE]);
    return { ...below, node: extendProject(ids, below.node, [{ output: marker, expression }]), marker };
  }

  #numbered(below: Marked, keep: (number: Variable) => RowExpression, name?: RowNumbering): Marked {
    const { analysis, number: row } = this.#options;
    const { node, number } = numberRows(analysis.ids, below.node, { partitionBy: [row, below.marker], orderBy: below.orderBy, name });
    return this.#kept({ ...below, node }, keep(number));
  }

  #grouped(node: AggregationNode): Marked {
    if (node.globalSets !== undefined) throw unsupportedCorrelation(this.#options.at);
    const { node: source, marker } = this.mark(node.source);
    return { node: { ...node, source, keys: distinctVariables([...node.keys, ...this.#columns, marker]) }, marker };
  }

  /** Each enclosing row has its row, whatever it matched. */
  #global(node: AggregationNode): Marked {
    const { ids } = this.#options.analysis;
    const below = this.mark(node.source);
    const masks = new Map<string, Variable>();
    for (const { mask } of node.aggregates) {
      if (mask !== undefined && !masks.has(mask.name)) masks.set(mask.name, ids.variable("mask", BOOLEAN));
    }
    const masking = [...masks].map(([name, output]) => {
      const mask: Variable = { kind: "variable", name, type: BOOLEAN };
      return { output, expression: special("IF", BOOLEAN, [below.marker, mask, FALSE]) };
    });
    const source = extendProject(ids, below.node, masking);
    const aggregates = node.aggregates.map((aggregate): AggregateCall => {
      return { ...aggregate, mask: aggregate.mask === undefined ? below.marker : (masks.get(aggregate.mask.name) as Variable) };
    });
    const marker = ids.variable("marker", BOOLEAN);
    const groups: PlanNode = { ...node, source, keys: this.#columns, aggregates };
    return { node: extendProject(ids, groups, [{ output: marker, expression: TRUE }]), marker };
  }
}
