/**
 * Decorrelation for outer rows that may be computed only once (a LIMIT, row numbers, averages of doubles). Each outer row gets a number and
 * is joined with the tables of the subquery. The operations of the subquery then run separately for each number.
 *
 * No outer row is lost: the marker is true for rows of the subquery's result, and an outer row without any keeps a row whose marker is not
 * true.
 */
import { BIGINT, BOOLEAN } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, conjunctsOf, constant, FALSE, or, special, substitute, TRUE } from "../../plan/expression-tree.ts";
import {
  outputsOf,
  type AggregateCall,
  type AggregationNode,
  type Assignment,
  type JoinNode,
  type Ordering,
  type PlanNode,
  type UnnestNode,
  type UnionNode,
  type ValuesNode,
} from "../../plan/node.ts";
import {
  distinctVariables,
  extendProject,
  filterNode,
  identity,
  namesOf,
  outputNames,
  projectNode,
  withSources,
} from "../../plan/plan-tree.ts";
import type { Analysis } from "../analysis.ts";
import { copyPlan } from "./copy.ts";
import { crossJoin } from "./joins.ts";
import { outerVariables, pullCorrelation } from "./pull.ts";
import { type DomainJoin, unsupportedCorrelation } from "./outer-domain.ts";
import type { Placed } from "../errors.ts";
import { callOperator } from "../expression/functions.ts";
import { isRepeatable } from "./repeatable.ts";
import { count, numberRows, type RowNumbering } from "../window/row-numbers.ts";

/** The outer rows, each with at least one row. Rows with a true marker are the result of the subquery. */
export interface MarkedRows {
  readonly node: PlanNode;
  readonly marker: Variable;
  /** Columns of the outer row, followed by its number. */
  readonly columns: readonly Variable[];
}

interface Marked {
  readonly node: PlanNode;
  /** True, false or NULL. */
  readonly marker: Variable;
  /** Sort order of the rows of one number, if the plan sorted them. */
  readonly orderBy?: readonly Ordering[];
}

export type MarkOptions = Omit<DomainJoin, "finish" | "type">;

export function markRows(source: PlanNode, { analysis, plan, outer, rewrite, at }: MarkOptions): MarkedRows {
  const { ids } = analysis;
  const present = outputNames(source);
  const added = outer.flatMap((output) => {
    const expression = rewrite(output);
    if (!present.has(output.name)) {
      return [{ output, expression }];
    }
    if (expression.kind !== "variable" || expression.name !== output.name) {
      throw unsupportedCorrelation(at);
    }
    return [];
  });
  // Ids are assigned from the top down: the numbering gets its id before the projection below it.
  const { node: numbered, number } = numberRows(ids, source);
  const rows = withSources(numbered, [extendProject(ids, source, added)]);
  const marking = new Marking({ analysis, outer: namesOf([...outer, ...outerVariables(plan)]), at, rows, number });
  const { node, marker } = marking.mark(plan);
  return { node, marker, columns: outputsOf(rows) };
}

/** Returns one row for each outer row, with `aggregates` over the subquery's rows. */
export function groupMarked(analysis: Analysis, { node, marker, columns }: MarkedRows, aggregates: readonly AggregateCall[]): PlanNode {
  const masked = aggregates.map((aggregate) => ({ ...aggregate, mask: marker }));
  return { kind: "Aggregation", id: analysis.ids.node(), source: node, step: "SINGLE", keys: columns, aggregates: masked };
}

export interface MarkedJoin extends MarkOptions {
  /** Output columns of the subquery. */
  readonly columns: readonly Variable[];
  /** Whether outer rows without rows of the subquery are kept, with NULL in its columns. */
  readonly keepsLeft: boolean;
}

/** Joins every outer row with its rows of the subquery. The returned `columns` hold the columns of the subquery. */
export function joinMarked(source: PlanNode, options: MarkedJoin): { readonly node: PlanNode; readonly columns: readonly Variable[] } {
  const { analysis, columns, keepsLeft, at } = options;
  const { ids } = analysis;
  const { node, marker, columns: rows } = markRows(source, options);
  if (!keepsLeft) {
    return { node: filterNode(ids, node, [marker]), columns };
  }
  const kept = markedOrFirst({ node, marker }, rows.at(-1) as Variable, analysis, at);
  const values = columns.map((column) => ({ output: ids.variable(column.name, column.type), expression: whereMarked(column, marker) }));
  return { node: extendProject(ids, kept, values), columns: values.map(({ output }) => output) };
}

/** Keeps the marked rows of each number; for a number without any, one unmarked row. */
function markedOrFirst({ node, marker }: Marked, number: Variable, { ids }: Analysis, at: Placed): PlanNode {
  const orderBy: readonly Ordering[] = [{ variable: marker, descending: true, nullsFirst: false }];
  const { node: placed, number: place } = numberRows(ids, node, { partitionBy: [number], orderBy });
  return filterNode(ids, placed, [or([marker, callOperator("$eq", [place, count(1)], at)])]);
}

function whereMarked(value: RowExpression, marker: Variable): RowExpression {
  return special("IF", value.type, [marker, value, constant(value.type, null)]);
}

interface MarkingOptions {
  readonly analysis: Analysis;
  /** Names of the outer columns: those of `rows`, and those of queries further out. */
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
    if (node.kind !== "Sort" && !this.#isCorrelated(node)) {
      return this.#joined(node) ?? this.#above(node);
    }
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

  #isCorrelated(node: PlanNode): boolean {
    return outerVariables(node).some(({ name }) => this.#options.outer.has(name));
  }

  /**
   * For a plan whose correlation is only in filters: a LEFT join with the uncorrelated plan. An outer row without a match stays once, with
   * NULLs in the other columns.
   */
  #joined(plan: PlanNode): Marked | undefined {
    const { analysis, outer, at, rows } = this.#options;
    const { ids } = analysis;
    const pulled = pullCorrelation(analysis, plan, outer, at);
    if (pulled === undefined) {
      return undefined;
    }
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
        const computed = node.assignments.filter(({ output }) => !this.#columns.some(({ name }) => name === output.name));
        // Expressions are evaluated only for marked rows, so that other rows raise no errors.
        const own = computed.map(({ output, expression }): Assignment => {
          return { output, expression: isPlain(expression) ? expression : whereMarked(expression, below.marker) };
        });
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
      case "SemiJoin": {
        if (this.#isCorrelated(node.filtering)) {
          throw unsupportedCorrelation(this.#options.at);
        }
        const { node: source, marker } = this.mark(node.source);
        return { node: { ...node, source }, marker };
      }
      case "GroupId": {
        const { node: source, marker } = this.mark(node.source);
        return { node: { ...node, source }, marker };
      }
      case "Unnest":
        return this.#repeated(node);
      case "Values":
        return this.#values(node);
      case "Join":
        return this.#join(node);
      case "Union":
        return this.#union(node);
      default:
        throw unsupportedCorrelation(this.#options.at);
    }
  }

  /** Keeps all rows, but unmarks those for which `predicate` does not hold. */
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

  /** A row with a count below 1 stays once, unmarked. */
  #repeated(node: UnnestNode): Marked {
    const { analysis, at } = this.#options;
    const below = this.mark(node.source);
    const { node: source, marker } = this.#kept(below, callOperator("$ge", [node.count, count(1)], at));
    const times = analysis.ids.variable("times", node.count.type);
    const expression = special("IF", times.type, [marker, node.count, count(1)]);
    return { node: { ...node, source: extendProject(analysis.ids, source, [{ output: times, expression }]), count: times }, marker };
  }

  /** Combines each outer row with every row of the VALUES. */
  #values({ outputs, rows }: ValuesNode): Marked {
    const { analysis, at, rows: enclosing } = this.#options;
    const { ids } = analysis;
    const place = ids.variable("place", BIGINT);
    const places: ValuesNode = { kind: "Values", id: ids.node(), outputs: [place], rows: rows.map((_row, index) => [count(index)]) };
    const product = rows.length === 1 ? enclosing : crossJoin(analysis, enclosing, places);
    const values = outputs.map((output, column): Assignment => {
      const cases = rows.map((row) => row[column] as RowExpression);
      return { output, expression: bySwitch(place, cases, at) };
    });
    const marker = ids.variable("marker", BOOLEAN);
    return { node: extendProject(ids, product, [...values, { output: marker, expression: TRUE }]), marker };
  }

  /** The marked rows of one side become the outer rows for the other side. */
  #join(node: JoinNode): Marked {
    const { analysis, at } = this.#options;
    const { ids } = analysis;
    if (node.type === "FULL") {
      return this.#full(node);
    }
    if (node.type === "RIGHT") {
      throw unsupportedCorrelation(at);
    }
    const isSwapped = node.type === "INNER" && !this.#isCorrelated(node.left);
    const [first, second] = isSwapped ? [node.right, node.left] : [node.left, node.right];
    const left = this.mark(first);
    const keys = node.criteria.map((criterion) => callOperator("$eq", [criterion.left, criterion.right], at));
    const conditions = [...keys, ...(node.filter === undefined ? [] : conjunctsOf(node.filter)), left.marker];
    const { marking, number } = this.#over(left.node);
    if (node.type === "INNER") {
      return marking.mark(filterNode(ids, second, conditions));
    }
    const joined = marking.#joined(filterNode(ids, second, conditions));
    if (joined !== undefined) {
      return { node: joined.node, marker: left.marker };
    }
    const renamed = this.#renamed(second, outputsOf(second));
    const right = marking.mark(filterNode(ids, renamed.node, conditions.map(renamed.moved)));
    const kept = markedOrFirst(right, number, analysis, at);
    const values = outputsOf(second).map(
      (output): Assignment => ({ output, expression: whereMarked(renamed.moved(output), right.marker) }),
    );
    return { node: projectNode(ids, kept, [...outputsOf(left.node).map(identity), ...values]), marker: left.marker };
  }

  /** A FULL join becomes the union of the LEFT join and the right rows without a match. Both sides are therefore planned twice. */
  #full(node: JoinNode): Marked {
    const { analysis, at } = this.#options;
    const { ids } = analysis;
    if (!isRepeatable(node, node.outputs)) {
      throw unsupportedCorrelation(at);
    }
    const copy = copyPlan(node, ids);
    const matched = ids.variable("matched", BOOLEAN);
    const { left, right, criteria, outputs, ...rest } = copy.node as JoinNode;
    const swapped: JoinNode = {
      ...rest,
      type: "LEFT",
      left: right,
      right: extendProject(ids, left, [{ output: matched, expression: TRUE }]),
      criteria: criteria.map((criterion) => ({ left: criterion.right, right: criterion.left })),
      outputs: [...outputs, matched],
    };
    const alone = filterNode(ids, swapped, [special("IS_NULL", BOOLEAN, [matched])]);
    return this.#union({
      kind: "Union",
      id: ids.node(),
      sources: [{ ...node, type: "LEFT" }, alone],
      outputs: node.outputs,
      sourceVariables: [node.outputs, outputs],
    });
  }

  /** Repeats each outer row once for each branch, and joins the rows of a branch with those of its source. */
  #union(node: UnionNode): Marked {
    const { analysis, at, rows } = this.#options;
    const { ids } = analysis;
    const branch = ids.variable("branch", BIGINT);
    const branches: ValuesNode = {
      kind: "Values",
      id: ids.node(),
      outputs: [branch],
      rows: node.sources.map((_source, index) => [count(index)]),
    };
    let all = crossJoin(analysis, rows, branches);
    const parts = node.sources.map((source, index) => {
      const { marking, number } = this.#over(all);
      const renamed = this.#renamed(source, distinctVariables(node.sourceVariables[index] ?? []));
      const own = callOperator("$eq", [branch, count(index)], at);
      const marked = marking.mark(filterNode(ids, renamed.node, [own]));
      const added = [...outputsOf(renamed.node), marked.marker];
      all = projectNode(ids, markedOrFirst(marked, number, analysis, at), [...outputsOf(all), ...added].map(identity));
      return { marker: marked.marker, values: (node.sourceVariables[index] ?? []).map(renamed.moved) };
    });
    const values = node.outputs.map((output, column): Assignment => {
      const cases = parts.map((part) => part.values[column] as RowExpression);
      return { output, expression: bySwitch(branch, cases, at) };
    });
    const marker = ids.variable("marker", BOOLEAN);
    const isAny = or(parts.map((part) => special("COALESCE", BOOLEAN, [part.marker, FALSE])));
    return { node: extendProject(ids, all, [...values, { output: marker, expression: isAny }]), marker };
  }

  /** Returns a marking in which `node` provides the outer rows. */
  #over(node: PlanNode): { readonly marking: Marking; readonly number: Variable } {
    const { node: rows, number } = numberRows(this.#options.analysis.ids, node);
    const outer = new Set([...this.#options.outer, ...outputNames(node)]);
    return { marking: new Marking({ ...this.#options, outer, rows, number }), number };
  }

  /** Renames the columns, so that the original names can be NULL in rows that are not marked. */
  #renamed(
    source: PlanNode,
    columns: readonly Variable[],
  ): { readonly node: PlanNode; readonly moved: (e: RowExpression) => RowExpression } {
    const { ids } = this.#options.analysis;
    const assignments = columns.map((column): Assignment => ({ output: ids.variable(column.name, column.type), expression: column }));
    const names = new Map(assignments.map(({ output }, index) => [(columns[index] as Variable).name, output]));
    return { node: projectNode(ids, source, assignments), moved: (expression) => substitute(expression, names) };
  }

  #grouped({ globalSets, ...node }: AggregationNode): Marked {
    const { ids } = this.#options.analysis;
    const below = this.mark(node.source);
    const { source, aggregates } = this.#masked(below, node.aggregates);
    const marker = globalSets === undefined ? below.marker : ids.variable("marker", BOOLEAN);
    // The group of a global grouping set exists even if none of its rows is marked.
    const isGlobal = globalSets && special("IN", BOOLEAN, [globalSets.groupId, ...globalSets.numbers.map(count)]);
    const grouped = extendProject(ids, source, isGlobal ? [{ output: marker, expression: or([isGlobal, below.marker]) }] : []);
    return { node: { ...node, source: grouped, keys: distinctVariables([...node.keys, ...this.#columns, marker]), aggregates }, marker };
  }

  /** An aggregation without keys returns a row for each outer row. */
  #global(node: AggregationNode): Marked {
    const { ids } = this.#options.analysis;
    const { source, aggregates } = this.#masked(this.mark(node.source), node.aggregates);
    const marker = ids.variable("marker", BOOLEAN);
    const groups: PlanNode = { ...node, source, keys: this.#columns, aggregates };
    return { node: extendProject(ids, groups, [{ output: marker, expression: TRUE }]), marker };
  }

  /** Restricts aggregates to the marked rows. */
  #masked(below: Marked, calls: readonly AggregateCall[]): { readonly source: PlanNode; readonly aggregates: readonly AggregateCall[] } {
    const { ids } = this.#options.analysis;
    const masks = new Map<string, Variable>();
    for (const { mask } of calls) {
      if (mask !== undefined && !masks.has(mask.name)) {
        masks.set(mask.name, ids.variable("mask", BOOLEAN));
      }
    }
    const masking = [...masks].map(([name, output]) => {
      const mask: Variable = { kind: "variable", name, type: BOOLEAN };
      return { output, expression: special("IF", BOOLEAN, [below.marker, mask, FALSE]) };
    });
    const aggregates = calls.map((aggregate): AggregateCall => {
      return { ...aggregate, mask: aggregate.mask === undefined ? below.marker : (masks.get(aggregate.mask.name) as Variable) };
    });
    return { source: extendProject(ids, below.node, masking), aggregates };
  }
}

function isPlain({ kind }: RowExpression): boolean {
  return kind === "variable" || kind === "constant";
}

/** Selects the case with the index in `place`. */
function bySwitch(place: Variable, cases: readonly RowExpression[], at: Placed): RowExpression {
  const [last] = cases.slice(-1);
  if (last === undefined || cases.length === 1) {
    return last ?? constant(BOOLEAN, null);
  }
  const arms = cases.slice(0, -1).flatMap((value, index) => [callOperator("$eq", [place, count(index)], at), value]);
  return special("SWITCH", last.type, [...arms, last]);
}
