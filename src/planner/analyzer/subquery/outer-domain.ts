/**
 * Decorrelation by domain, for correlations that are not only in filters (Neumann and Kemper, "Unnesting Arbitrary Queries").
 *
 * The domain of a subquery is the set of distinct values of the outer columns that it uses. The subquery's plan is rewritten node by node
 * to compute its result for every row of the domain. The result is then joined with the outer rows by the domain's columns.
 *
 * The outer plan runs twice, so decorrelate.ts uses this method only if its own method fails.
 */
import { identityName, identityType, restoreName } from "../../../functions/operator/identity.ts";
import { BOOLEAN, sameType, type Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, call, constant, FALSE, special, substitute, TRUE, usesAny } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import {
  outputsOf,
  type AggregateCall,
  type AggregationNode,
  type Assignment,
  type JoinCriterion,
  type JoinNode,
  type Ordering,
  type PlanNode,
  type UnionNode,
  type ValuesNode,
} from "../../plan/node.ts";
import { shareRows } from "../../fragmenter/shared-plans.ts";
import {
  distinctVariables,
  extendProject,
  filterNode,
  identity,
  outputNames,
  projectNode,
  rewritePlan,
  visitPlan,
} from "../../plan/plan-tree.ts";
import { expressionsOf } from "../../plan/validate.ts";
import type { Analysis } from "../analysis.ts";
import { copyPlan } from "./copy.ts";
import { domainSource } from "./domain-source.ts";
import { outerVariables } from "./pull.ts";
import { notSupported, type Placed } from "../errors.ts";
import { callOperator } from "../expression/functions.ts";
import { isRepeatable } from "./repeatable.ts";
import { count, numberRows, type RowNumbering } from "../window/row-numbers.ts";

export function unsupportedCorrelation(at: Placed): Error {
  return notSupported(at, "Given correlated subquery is not supported");
}

/** Aggregates that return 0 without input rows. All others return NULL. */
export function isZeroOfNothing({ name }: Pick<AggregateCall, "name">): boolean {
  return name === "count" || name === "count_if" || name === "approx_distinct";
}

/** A plan over the domain. Its outputs are those of the original plan and the domain's keys, in the order of `outer`. */
interface OverDomain {
  readonly node: PlanNode;
  readonly keys: readonly Variable[];
  /** Sort order of the rows of one domain row, if the plan sorted them. Its variables are outputs of `node`. */
  readonly orderBy?: readonly Ordering[];
}

/** Maximum number of VALUES rows with outer references; each row becomes a separate plan. */
const correlatedValuesMax = 50;

class Pusher {
  readonly #names: ReadonlySet<string>;
  readonly #analysis: Analysis;
  readonly #outer: readonly Variable[];
  /** Plan of the domain; its outputs are the keys for `outer`. */
  readonly #domain: PlanNode;
  readonly #at: Placed;

  constructor(analysis: Analysis, outer: readonly Variable[], domain: PlanNode, at: Placed) {
    this.#analysis = analysis;
    this.#outer = outer;
    this.#domain = domain;
    this.#at = at;

    this.#names = new Set(outer.map((variable) => variable.name));
  }

  #freshKeys(): readonly Variable[] {
    return outputsOf(this.#domain).map((key) => this.#analysis.ids.variable(key.name, key.type));
  }

  push(node: PlanNode): OverDomain {
    if (!this.#isCorrelated(node)) {
      return this.#cross(node);
    }
    switch (node.kind) {
      case "Values":
        return this.#pushValues(node);
      case "Filter": {
        const below = this.push(node.source);
        return { ...below, node: filterNode(this.#analysis.ids, below.node, [this.#inner(node.predicate, below.keys)]) };
      }
      case "Project":
        return this.#pushProject(node.source, node.assignments);
      case "Join":
        return this.#pushJoin(node);
      case "SemiJoin": {
        if (this.#isCorrelated(node.filtering)) {
          throw unsupportedCorrelation(this.#at);
        }
        return this.#over(node.source, (source) => ({ ...node, source }));
      }
      case "Aggregation":
        return node.keys.length === 0 ? this.#pushGlobal(node) : this.#pushGrouped(node);
      case "GroupId":
        return this.#over(node.source, (source) => ({ ...node, source }));
      case "MarkDistinct":
        return this.#overInOrder(node.source, (source, keys) => ({ ...node, source, keys: [...node.keys, ...keys] }));
      case "PatternRecognition":
      case "Window":
        return this.#over(node.source, (source, keys) => ({ ...node, source, partitionBy: [...node.partitionBy, ...keys] }));
      case "Unnest":
      case "Sample":
      case "AssignUniqueId":
        return this.#over(node.source, (source) => ({ ...node, source }));
      case "Sort": {
        const { node: source, keys } = this.push(node.source);
        return { node: source, keys, orderBy: node.orderBy };
      }
      case "Limit":
        return this.#numbered(this.push(node.source), (number) => callOperator("$le", [number, count(node.count)], this.#at));
      case "Offset":
        return this.#numbered(this.push(node.source), (number) => callOperator("$gt", [number, count(node.count)], this.#at));
      case "TopN": {
        const below = { ...this.push(node.source), orderBy: node.orderBy };
        const name = node.withTies === true ? "rank" : "row_number";
        return this.#numbered(below, (number) => callOperator("$le", [number, count(node.count)], this.#at), name);
      }
      case "Union":
        return this.#pushUnion(node);
      default:
        throw unsupportedCorrelation(this.#at);
    }
  }

  #isCorrelated(node: PlanNode): boolean {
    let found = false;
    visitPlan(node, (one) => {
      found ||= expressionsOf(one).some((expression) => usesAny(expression, this.#names));
    });
    return found;
  }

  /** Returns a fresh copy of the domain. */
  #freshDomain(): OverDomain {
    const { node } = copyPlan(this.#domain, this.#analysis.ids);
    return { node, keys: outputsOf(node) };
  }

  #cross(node: PlanNode): OverDomain {
    const domain = this.#freshDomain();
    return { node: joinNode(this.#analysis.ids, { type: "INNER", left: domain.node, right: node }), keys: domain.keys };
  }

  #inner(expression: RowExpression, keys: readonly Variable[]): RowExpression {
    return substitute(expression, new Map(this.#outer.map(({ name, type }, index) => [name, restored(keys[index] as Variable, type)])));
  }

  /** For nodes that read only columns of their source. A node that reads outer columns itself is not supported here. */
  #over(source: PlanNode, make: (source: PlanNode, keys: readonly Variable[]) => PlanNode): OverDomain {
    const { node, keys } = this.push(source);
    const made = make(node, keys);
    if (expressionsOf(made).some((expression) => usesAny(expression, this.#names))) {
      throw unsupportedCorrelation(this.#at);
    }
    return { node: made, keys };
  }

  /** For nodes whose result depends on the order of the rows of one domain row. */
  #overInOrder(source: PlanNode, make: (source: PlanNode, keys: readonly Variable[]) => PlanNode): OverDomain {
    return source.kind === "Sort"
      ? this.#over(source.source, (below, keys) => make({ ...source, source: below }, keys))
      : this.#over(source, make);
  }

  #pushProject(source: PlanNode, assignments: readonly Assignment[]): OverDomain {
    const below = this.push(source);
    if (assignments.some(({ output }) => this.#names.has(output.name))) {
      throw unsupportedCorrelation(this.#at);
    }
    const kept = new Set(assignments.map(({ output }) => output.name));
    const needed = [...below.keys, ...(below.orderBy ?? []).map(({ variable }) => variable)].filter(({ name }) => !kept.has(name));
    const inner = assignments.map(({ output, expression }) => ({ output, expression: this.#inner(expression, below.keys) }));
    return { ...below, node: projectNode(this.#analysis.ids, below.node, [...inner, ...distinctVariables(needed).map(identity)]) };
  }

  #pushValues(node: ValuesNode): OverDomain {
    if (node.rows.length > correlatedValuesMax) {
      throw unsupportedCorrelation(this.#at);
    }
    const { ids } = this.#analysis;
    const rows = node.rows.map((row): OverDomain => {
      const { node: source, keys } = this.#freshDomain();
      const outputs = node.outputs.map((output, index): Assignment => {
        return { output: ids.variable(output.name, output.type), expression: this.#inner(row[index] as RowExpression, keys) };
      });
      return { node: projectNode(ids, source, [...outputs, ...keys.map(identity)]), keys };
    });
    return this.#union(
      node.outputs,
      rows,
      rows.map((row) => outputsOf(row.node).slice(0, node.outputs.length)),
    );
  }

  #pushUnion(node: UnionNode): OverDomain {
    return this.#union(
      node.outputs,
      node.sources.map((source) => this.push(source)),
      node.sourceVariables,
    );
  }

  #union(outputs: readonly Variable[], sources: readonly OverDomain[], variables: readonly (readonly Variable[])[]): OverDomain {
    const { ids } = this.#analysis;
    const keys = this.#freshKeys();
    const node: PlanNode = {
      kind: "Union",
      id: ids.node(),
      sources: sources.map((source) => source.node),
      outputs: [...outputs, ...keys],
      sourceVariables: sources.map((source, index) => [...(variables[index] ?? []), ...source.keys]),
    };
    return { node, keys };
  }

  #pushJoin(node: JoinNode): OverDomain {
    if (node.type === "FULL") {
      return this.#pushFull(node);
    }
    if (node.type === "RIGHT") {
      throw unsupportedCorrelation(this.#at);
    }
    const rightOnly = !this.#isCorrelated(node.left) && node.type === "INNER" && this.#isCorrelated(node.right);
    const left = rightOnly ? { node: node.left, keys: undefined } : this.push(node.left);
    const right = this.#isCorrelated(node.right) ? this.push(node.right) : { node: node.right, keys: undefined };
    const keys = left.keys ?? right.keys;
    if (keys === undefined) {
      throw unsupportedCorrelation(this.#at);
    }
    const filter = node.filter === undefined ? [] : [this.#inner(node.filter, keys)];
    const both = left.keys !== undefined && right.keys !== undefined ? sameRows(left, right, this.#analysis.ids) : undefined;
    const { filter: _filter, ...rest } = node;
    const joined: PlanNode = {
      ...rest,
      left: both?.left ?? left.node,
      right: both?.right ?? right.node,
      criteria: [...node.criteria, ...(both?.criteria ?? [])],
      ...(filter.length > 0 && { filter: and(filter) }),
      outputs: distinctVariables([...node.outputs, ...keys]),
    };
    return { node: joined, keys };
  }

  /** Joins both sides for every domain row. A row without a match has domain keys only from its own side. */
  #pushFull(node: JoinNode): OverDomain {
    const { ids } = this.#analysis;
    const [left, right] = [this.push(node.left), this.push(node.right)];
    const both = sameRows(left, right, this.#analysis.ids);
    const filter = node.filter === undefined ? [] : [this.#inner(node.filter, left.keys)];
    const parts = { left: both.left, right: both.right, criteria: [...node.criteria, ...both.criteria] };
    const joined = joinNode(ids, { type: "FULL", ...parts, conditions: filter });
    const keys = left.keys.map((key, index): Assignment => {
      const expression = special("COALESCE", key.type, [key, right.keys[index] as Variable]);
      return { output: ids.variable(key.name, key.type), expression };
    });
    return { node: projectNode(ids, joined, [...node.outputs.map(identity), ...keys]), keys: keys.map(({ output }) => output) };
  }

  #pushGrouped(node: AggregationNode): OverDomain {
    if (node.globalSets !== undefined) {
      return this.#pushGlobalSets(node, node.globalSets);
    }
    return this.#overInOrder(node.source, (source, keys) => ({ ...node, source, keys: [...node.keys, ...keys] }));
  }

  /** Global grouping sets have a group for every domain row. An additional row represents each such group; no aggregate reads it. */
  #pushGlobalSets(node: AggregationNode, { groupId, numbers }: NonNullable<AggregationNode["globalSets"]>): OverDomain {
    const { ids } = this.#analysis;
    const { globalSets: _globalSets, ...grouped } = node;
    const sort = node.source.kind === "Sort" ? node.source : undefined;
    const below = this.push(sort?.source ?? node.source);
    const read = distinctVariables([...expressionsOf(node), ...(sort === undefined ? [] : expressionsOf(sort))].filter(isVariable));
    const isRow = ids.variable("row", BOOLEAN);
    const rows = projectNode(ids, below.node, [
      ...[...read, ...below.keys].map((column): Assignment => ({ output: ids.variable(column.name, column.type), expression: column })),
      { output: ids.variable("row", BOOLEAN), expression: TRUE },
    ]);
    const domain = this.#freshDomain();
    const number = ids.variable(groupId.name, groupId.type);
    const sets: ValuesNode = { kind: "Values", id: ids.node(), outputs: [number], rows: numbers.map((set) => [count(set)]) };
    const standIns = projectNode(ids, joinNode(ids, { type: "INNER", left: domain.node, right: sets }), [
      ...read.map(({ name, type }): Assignment => {
        return { output: ids.variable(name, type), expression: name === groupId.name ? number : constant(type, null) };
      }),
      ...domain.keys.map(identity),
      { output: ids.variable("row", BOOLEAN), expression: FALSE },
    ]);
    const keys = this.#freshKeys();
    const union: UnionNode = {
      kind: "Union",
      id: ids.node(),
      sources: [rows, standIns],
      outputs: [...read, ...keys, isRow],
      sourceVariables: [outputsOf(rows), outputsOf(standIns)],
    };
    const aggregates = node.aggregates.map((aggregate) => ({ ...aggregate, mask: aggregate.mask ?? isRow }));
    const source = sort === undefined ? union : { ...sort, source: union };
    return { node: { ...grouped, source, keys: [...node.keys, ...keys], aggregates }, keys };
  }

  /** Every domain row has a result row, even where the grouped aggregation has none. */
  #pushGlobal(node: AggregationNode): OverDomain {
    const { ids } = this.#analysis;
    const inner = node.aggregates.map((aggregate) => ({
      ...aggregate,
      output: ids.variable(aggregate.output.name, aggregate.output.type),
    }));
    const grouped = this.#overInOrder(node.source, (source, keys) => ({ ...node, source, keys, aggregates: inner }));
    const domain = this.#freshDomain();
    const joined = joinNode(ids, { type: "LEFT", ...sameRows(domain, grouped, ids) });
    const results = node.aggregates.map(({ output, name }, index): Assignment => {
      const value = (inner[index] as AggregateCall).output;
      return { output, expression: isZeroOfNothing({ name }) ? special("COALESCE", output.type, [value, count(0)]) : value };
    });
    return { node: projectNode(ids, joined, [...domain.keys.map(identity), ...results]), keys: domain.keys };
  }

  /** Numbers the rows of each domain row and keeps those for which `keep` is true. */
  #numbered(below: OverDomain, keep: (number: Variable) => RowExpression, name?: RowNumbering): OverDomain {
    const { ids } = this.#analysis;
    const { node, number } = numberRows(ids, below.node, { partitionBy: below.keys, orderBy: below.orderBy, name });
    return { ...below, node: filterNode(ids, node, [keep(number)]) };
  }
}

function isVariable(expression: RowExpression): expression is Variable {
  return expression.kind === "variable";
}

interface Keyed {
  readonly node: PlanNode;
  readonly keys?: readonly Variable[] | undefined;
}

interface SameRows {
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly criteria: readonly JoinCriterion[];
}

/**
 * Builds join criteria that match keys as identical, including NULLs. A hash join cannot match NULLs, so it compares whether the keys are
 * NULL and the keys with NULL replaced by a default.
 */
function sameRows(left: Keyed, right: Keyed, ids: PlanIds): SameRows {
  const added: { readonly left: Assignment[]; readonly right: Assignment[] } = { left: [], right: [] };
  const criteria: JoinCriterion[] = [];
  left.keys?.forEach((key, index) => {
    const other = right.keys?.[index] as Variable;
    const column = (side: Assignment[], expression: RowExpression): Variable => {
      const output = ids.variable("key", expression.type);
      side.push({ output, expression });
      return output;
    };
    const isNull = (variable: Variable) => special("IS_NULL", BOOLEAN, [variable]);
    const filled = (variable: Variable) => special("COALESCE", variable.type, [variable, constant(variable.type, zeroOf(variable.type))]);
    criteria.push({ left: column(added.left, filled(key)), right: column(added.right, filled(other)) });
    criteria.push({ left: column(added.left, isNull(key)), right: column(added.right, isNull(other)) });
  });
  return { left: extendProject(ids, left.node, added.left), right: extendProject(ids, right.node, added.right), criteria };
}

/** A default value of the key's type. */
function zeroOf(type: Type): string | number | boolean {
  switch (type.kind) {
    case "boolean":
      return false;
    case "tinyint":
    case "smallint":
    case "integer":
    case "date":
      return 0;
    case "bigint":
    case "decimal":
    case "timestamp":
      return "0";
    default:
      return "";
  }
}

/**
 * Domain key for a value. For some types, equal values may give different results in a subquery, so the key preserves the identity of the
 * value.
 */
function keyOf(value: RowExpression): RowExpression {
  const type = identityType(value.type);
  return sameType(type, value.type) ? value : call(identityName, type, [value]);
}

function restored(key: Variable, type: Type): RowExpression {
  return sameType(key.type, type) ? key : call(restoreName, type, [key, constant(type, null)]);
}

export interface DomainJoin {
  readonly analysis: Analysis;
  /** Plan of the subquery. */
  readonly plan: PlanNode;
  /** Columns of the outer query that the subquery uses. `rewrite` translates them to expressions over `source`. */
  readonly outer: readonly Variable[];
  readonly rewrite: (expression: RowExpression) => RowExpression;
  readonly at: Placed;
  /** Post-processes the subquery's rows before the join, for example by grouping them by `keys`, the domain's columns. */
  readonly finish?: (node: PlanNode, keys: readonly Variable[]) => PlanNode;
  readonly type: "INNER" | "LEFT";
}

/**
 * Prepares `source` so that the domain can be computed from it too. Returns it unchanged if it returns the same rows when run twice;
 * otherwise replaces a part of it by a shared plan. Returns undefined if neither is possible, because that part has outer references
 * itself.
 */
export function readableTwice(
  source: PlanNode,
  { analysis, outer, rewrite }: Pick<DomainJoin, "analysis" | "outer" | "rewrite">,
): PlanNode | undefined {
  const needed = outer.map((variable) => rewrite(variable));
  const base = domainSource(source, needed);
  if (outer.length === 0 || isRepeatable(base, needed)) {
    return source;
  }
  if (outerVariables(base).length > 0) {
    return undefined;
  }
  const shared = shareRows(base, analysis.ids);
  return rewritePlan(source, (node) => (node === base ? shared : node));
}

/**
 * Joins the rows of `source` with the subquery's rows for them. `source` must come from readableTwice. LEFT keeps rows without a match.
 * Outputs: those of both sides.
 */
export function joinOverDomain(source: PlanNode, options: DomainJoin): PlanNode {
  const { analysis, at, finish = (node) => node, outer, plan, rewrite, type } = options;
  const { ids } = analysis;
  // Without outer columns, the subquery's result is the same for all rows.
  if (outer.length === 0) {
    return joinNode(ids, { type, left: source, right: finish(plan, []) });
  }
  const needed = outer.map((variable) => keyOf(rewrite(variable)));
  const free = outputNames(source);
  const added: Assignment[] = [];
  const keys = needed.map((value, index): Variable => {
    if (value.kind === "variable" && free.delete(value.name)) {
      return value;
    }
    const output = ids.variable(outer[index]?.name ?? "outer", value.type);
    added.push({ output, expression: value });
    return output;
  });
  const left = extendProject(ids, source, added);
  const below = new Pusher(analysis, outer, domainOf(source, needed, ids), at).push(plan);
  const right = finish(below.node, below.keys);
  const joined = joinNode(ids, { type, ...sameRows({ node: left, keys }, { node: right, keys: below.keys }, ids) });
  return { ...joined, outputs: distinctVariables([...outputsOf(source), ...outputsOf(right)]) };
}

/** Returns the distinct values of `needed` over the rows of `source`. */
function domainOf(source: PlanNode, needed: readonly RowExpression[], ids: PlanIds): PlanNode {
  const copied = copyPlan(domainSource(source, needed), ids);
  const columns = needed.map((value): Assignment => {
    return { output: ids.variable(value.kind === "variable" ? value.name : "outer", value.type), expression: copied.moved(value) };
  });
  const keys = columns.map(({ output }) => output);
  return { kind: "Aggregation", id: ids.node(), source: projectNode(ids, copied.node, columns), step: "SINGLE", keys, aggregates: [] };
}

interface JoinParts {
  readonly type: "INNER" | "LEFT" | "FULL";
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly criteria?: readonly JoinCriterion[];
  readonly conditions?: readonly RowExpression[];
}

function joinNode(ids: PlanIds, { type, left, right, criteria = [], conditions = [] }: JoinParts): JoinNode {
  return {
    kind: "Join",
    id: ids.node(),
    type,
    left,
    right,
    criteria,
    ...(conditions.length > 0 && { filter: and(conditions) }),
    outputs: distinctVariables([...outputsOf(left), ...outputsOf(right)]),
    distribution: criteria.length > 0 ? "PARTITIONED" : "REPLICATED",
  };
}
