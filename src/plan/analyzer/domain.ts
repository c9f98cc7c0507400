/**
 * What no filter carries out of a correlated subquery is computed for every distinct row of the enclosing columns it uses, its domain: the subquery's plan
 * is put over the domain, node by node, and joined with the enclosing rows by the domain's columns (Neumann and Kemper, "Unnesting Arbitrary Queries").
 * The enclosing plan then runs twice, so decorrelate.ts asks for this only where its own way ends.
 */
import { BOOLEAN, type Type } from "../../types/type.ts";
import type { RowExpression, Variable } from "../expression.ts";
import { and, constant, special, substitute, usesAny } from "../expressions.ts";
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
} from "../node.ts";
import { distinctVariables, extendProject, filterNode, identity, outputNames, projectNode, visitPlan } from "../tree.ts";
import { expressionsOf } from "../validate.ts";
import type { Analysis } from "./analysis.ts";
import { copyPlan } from "./copy.ts";
import { notSupported, type Placed } from "./errors.ts";
import { callOperator } from "./functions.ts";
import { isRepeatable } from "./repeatable.ts";
import { count, numberRows, type RowNumbering } from "./row-numbers.ts";

export function unsupportedCorrelation(at: Placed): Error {
  return notSupported(at, "Given correlated subquery is not supported");
}

/** Aggregates that give 0 where no row came; all others give NULL there. */
export function isZeroOfNothing({ name }: Pick<AggregateCall, "name">): boolean {
  return name === "count" || name === "count_if" || name === "approx_distinct";
}

/** A plan over the domain: its own outputs and the domain's columns, in the order of `outer`. */
interface OverDomain {
  readonly node: PlanNode;
  readonly keys: readonly Variable[];
  /** Of the rows of one domain row, where the plan had sorted them; its variables are outputs of `node`. */
  readonly orderBy?: readonly Ordering[];
}

/** Rows of VALUES that use the domain: each is a plan of its own. */
const correlatedValuesMax = 50;

class Pusher {
  private readonly names: ReadonlySet<string>;
  constructor(
    private readonly analysis: Analysis,
    private readonly outer: readonly Variable[],
    private readonly domain: PlanNode,
    private readonly at: Placed,
  ) {
    this.names = new Set(outer.map((variable) => variable.name));
  }

  push(node: PlanNode): OverDomain {
    if (!this.isCorrelated(node)) return this.cross(node);
    switch (node.kind) {
      case "Values":
        return this.pushValues(node);
      case "Filter": {
        const below = this.push(node.source);
        return { ...below, node: filterNode(this.analysis.ids, below.node, [this.inner(node.predicate, below.keys)]) };
      }
      case "Project":
        return this.pushProject(node.source, node.assignments);
      case "Join":
        return this.pushJoin(node);
      case "SemiJoin": {
        if (this.isCorrelated(node.filtering)) throw unsupportedCorrelation(this.at);
        return this.over(node.source, (source) => ({ ...node, source }));
      }
      case "Aggregation":
        return node.keys.length === 0 ? this.pushGlobal(node) : this.pushGrouped(node);
      case "GroupId":
        return this.over(node.source, (source) => ({ ...node, source }));
      case "MarkDistinct":
        return this.overInOrder(node.source, (source, keys) => ({ ...node, source, keys: [...node.keys, ...keys] }));
      case "Window":
        return this.over(node.source, (source, keys) => ({ ...node, source, partitionBy: [...node.partitionBy, ...keys] }));
      case "Repeat":
        return this.over(node.source, (source) => ({ ...node, source }));
      case "Sort": {
        const { node: source, keys } = this.push(node.source);
        return { node: source, keys, orderBy: node.orderBy };
      }
      case "Limit":
        return this.numbered(this.push(node.source), (number) => callOperator("$le", [number, count(node.count)], this.at));
      case "Offset":
        return this.numbered(this.push(node.source), (number) => callOperator("$gt", [number, count(node.count)], this.at));
      case "TopN": {
        const below = { ...this.push(node.source), orderBy: node.orderBy };
        const name = node.withTies === true ? "rank" : "row_number";
        return this.numbered(below, (number) => callOperator("$le", [number, count(node.count)], this.at), name);
      }
      case "Union":
        return this.pushUnion(node);
      default:
        throw unsupportedCorrelation(this.at);
    }
  }

  private isCorrelated(node: PlanNode): boolean {
    let found = false;
    visitPlan(node, (one) => {
      found ||= expressionsOf(one).some((expression) => usesAny(expression, this.names));
    });
    return found;
  }

  /** One more copy of the domain. */
  private freshDomain(): OverDomain {
    const { node } = copyPlan(this.domain, this.analysis.ids);
    return { node, keys: outputsOf(node) };
  }

  private cross(node: PlanNode): OverDomain {
    const domain = this.freshDomain();
    return { node: this.join("INNER", domain.node, node, []), keys: domain.keys };
  }

  private inner(expression: RowExpression, keys: readonly Variable[]): RowExpression {
    return substitute(expression, new Map(this.outer.map(({ name }, index) => [name, keys[index] as Variable])));
  }

  /** Columns that a node names are the source's own; what it names of the domain has no plan here. */
  private over(source: PlanNode, make: (source: PlanNode, keys: readonly Variable[]) => PlanNode): OverDomain {
    const { node, keys } = this.push(source);
    const made = make(node, keys);
    if (expressionsOf(made).some((expression) => usesAny(expression, this.names))) throw unsupportedCorrelation(this.at);
    return { node: made, keys };
  }

  /** Of a node that heeds in which order the rows of one domain row come. */
  private overInOrder(source: PlanNode, make: (source: PlanNode, keys: readonly Variable[]) => PlanNode): OverDomain {
    return source.kind === "Sort"
      ? this.over(source.source, (below, keys) => make({ ...source, source: below }, keys))
      : this.over(source, make);
  }

  private pushProject(source: PlanNode, assignments: readonly Assignment[]): OverDomain {
    const below = this.push(source);
    if (assignments.some(({ output }) => this.names.has(output.name))) throw unsupportedCorrelation(this.at);
    const kept = new Set(assignments.map(({ output }) => output.name));
    const needed = [...below.keys, ...(below.orderBy ?? []).map(({ variable }) => variable)].filter(({ name }) => !kept.has(name));
    const inner = assignments.map(({ output, expression }) => ({ output, expression: this.inner(expression, below.keys) }));
    return { ...below, node: projectNode(this.analysis.ids, below.node, [...inner, ...distinctVariables(needed).map(identity)]) };
  }

  private pushValues(node: ValuesNode): OverDomain {
    if (node.rows.length > correlatedValuesMax) throw unsupportedCorrelation(this.at);
    const { ids } = this.analysis;
    const rows = node.rows.map((row): OverDomain => {
      const { node: source, keys } = this.freshDomain();
      const outputs = node.outputs.map((output, index): Assignment => {
        return { output: ids.variable(output.name, output.type), expression: this.inner(row[index] as RowExpression, keys) };
      });
      return { node: projectNode(ids, source, [...outputs, ...keys.map(identity)]), keys };
    });
    return this.union(
      node.outputs,
      rows,
      rows.map((row) => outputsOf(row.node).slice(0, node.outputs.length)),
    );
  }

  private pushUnion(node: UnionNode): OverDomain {
    return this.union(
      node.outputs,
      node.sources.map((source) => this.push(source)),
      node.sourceVariables,
    );
  }

  private union(outputs: readonly Variable[], sources: readonly OverDomain[], variables: readonly (readonly Variable[])[]): OverDomain {
    const { ids } = this.analysis;
    const keys = this.outer.map((variable) => ids.variable(variable.name, variable.type));
    const node: PlanNode = {
      kind: "Union",
      id: ids.node(),
      sources: sources.map((source) => source.node),
      outputs: [...outputs, ...keys],
      sourceVariables: sources.map((source, index) => [...(variables[index] ?? []), ...source.keys]),
    };
    return { node, keys };
  }

  private pushJoin(node: JoinNode): OverDomain {
    if (node.type !== "INNER" && node.type !== "LEFT") throw unsupportedCorrelation(this.at);
    const rightOnly = !this.isCorrelated(node.left) && node.type === "INNER" && this.isCorrelated(node.right);
    const left = rightOnly ? { node: node.left, keys: undefined } : this.push(node.left);
    const right = this.isCorrelated(node.right) ? this.push(node.right) : { node: node.right, keys: undefined };
    const keys = left.keys ?? right.keys;
    if (keys === undefined) throw unsupportedCorrelation(this.at);
    const filter = node.filter === undefined ? [] : [this.inner(node.filter, keys)];
    const both = left.keys !== undefined && right.keys !== undefined ? sameRows(this.analysis, left, right, this.at) : undefined;
    const { filter: _filter, ...rest } = node;
    const conditions = [...filter, ...(both?.conditions ?? [])];
    const joined: PlanNode = {
      ...rest,
      left: both?.left ?? left.node,
      right: both?.right ?? right.node,
      criteria: [...node.criteria, ...(both?.criteria ?? [])],
      ...(conditions.length > 0 && { filter: and(conditions) }),
      outputs: distinctVariables([...node.outputs, ...keys]),
    };
    return { node: joined, keys };
  }

  private pushGrouped(node: AggregationNode): OverDomain {
    if (node.globalSets !== undefined) throw unsupportedCorrelation(this.at);
    return this.overInOrder(node.source, (source, keys) => ({ ...node, source, keys: [...node.keys, ...keys] }));
  }

  /** Every domain row has its row, also where the grouped aggregation has none. */
  private pushGlobal(node: AggregationNode): OverDomain {
    const { ids } = this.analysis;
    const inner = node.aggregates.map((aggregate) => ({
      ...aggregate,
      output: ids.variable(aggregate.output.name, aggregate.output.type),
    }));
    const grouped = this.overInOrder(node.source, (source, keys) => ({ ...node, source, keys, aggregates: inner }));
    const domain = this.freshDomain();
    const { left, right, criteria, conditions } = sameRows(this.analysis, domain, grouped, this.at);
    const joined = this.join("LEFT", left, right, criteria, conditions);
    const results = node.aggregates.map(({ output, name }, index): Assignment => {
      const value = (inner[index] as AggregateCall).output;
      return { output, expression: isZeroOfNothing({ name }) ? special("COALESCE", output.type, [value, count(0)]) : value };
    });
    return { node: projectNode(ids, joined, [...domain.keys.map(identity), ...results]), keys: domain.keys };
  }

  /** Rows are numbered within their domain row, and those kept whose number says so. */
  private numbered(below: OverDomain, keep: (number: Variable) => RowExpression, name?: RowNumbering): OverDomain {
    const { ids } = this.analysis;
    const { node, number } = numberRows(ids, below.node, { partitionBy: below.keys, orderBy: below.orderBy, name });
    return { ...below, node: filterNode(ids, node, [keep(number)]) };
  }

  private join(
    type: "INNER" | "LEFT",
    left: PlanNode,
    right: PlanNode,
    criteria: readonly JoinCriterion[],
    conditions: readonly RowExpression[] = [],
  ): PlanNode {
    return {
      kind: "Join",
      id: this.analysis.ids.node(),
      type,
      left,
      right,
      criteria,
      ...(conditions.length > 0 && { filter: and(conditions) }),
      outputs: distinctVariables([...outputsOf(left), ...outputsOf(right)]),
      distribution: criteria.length > 0 ? "PARTITIONED" : "REPLICATED",
    };
  }
}

interface Keyed {
  readonly node: PlanNode;
  readonly keys?: readonly Variable[] | undefined;
}

interface SameRows {
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly criteria: readonly JoinCriterion[];
  readonly conditions: readonly RowExpression[];
}

/** Keys that are alike on both sides, NULLs too: a hash join compares whether they are NULL, and their values with something in a NULL's place. */
function sameRows(analysis: Analysis, left: Keyed, right: Keyed, at: Placed): SameRows {
  const { ids } = analysis;
  const added: { readonly left: Assignment[]; readonly right: Assignment[] } = { left: [], right: [] };
  const criteria: JoinCriterion[] = [];
  const conditions: RowExpression[] = [];
  left.keys?.forEach((key, index) => {
    const other = right.keys?.[index] as Variable;
    const zero = zeroOf(key.type);
    if (zero === undefined) {
      conditions.push(callOperator("$not", [callOperator("$distinct", [key, other], at)], at));
      return;
    }
    const column = (side: Assignment[], expression: RowExpression): Variable => {
      const output = ids.variable("key", expression.type);
      side.push({ output, expression });
      return output;
    };
    const isNull = (variable: Variable) => special("IS_NULL", BOOLEAN, [variable]);
    const filled = (variable: Variable) => special("COALESCE", variable.type, [variable, constant(variable.type, zero)]);
    criteria.push({ left: column(added.left, filled(key)), right: column(added.right, filled(other)) });
    criteria.push({ left: column(added.left, isNull(key)), right: column(added.right, isNull(other)) });
  });
  return { left: extendProject(ids, left.node, added.left), right: extendProject(ids, right.node, added.right), criteria, conditions };
}

/** Some value of the type; undefined where it has no plain one. */
function zeroOf(type: Type): string | number | boolean | undefined {
  switch (type.kind) {
    case "boolean":
      return false;
    case "tinyint":
    case "smallint":
    case "integer":
    case "date":
    case "double":
    case "real":
      return 0;
    case "bigint":
    case "decimal":
    case "timestamp":
      return "0";
    case "varchar":
    case "char":
    case "varbinary":
      return "";
    default:
      return undefined;
  }
}

export interface DomainJoin {
  readonly analysis: Analysis;
  /** The subquery. */
  readonly plan: PlanNode;
  /** Columns of the enclosing query that it uses, and what they are in `source`. */
  readonly outer: readonly Variable[];
  readonly rewrite: (expression: RowExpression) => RowExpression;
  readonly at: Placed;
  /** What is joined of the subquery's rows: with `keys`, the domain's columns, it may group by them. */
  readonly finish?: (node: PlanNode, keys: readonly Variable[]) => PlanNode;
  readonly type: "INNER" | "LEFT";
}

/** Whether `source` may be computed once more for its domain. */
export function mayCopy(source: PlanNode, { outer, rewrite }: Pick<DomainJoin, "outer" | "rewrite">): boolean {
  return isRepeatable(
    source,
    outer.map((variable) => rewrite(variable)),
  );
}

/** The rows of `source`, each with the subquery's rows for it. LEFT keeps those that have none. Outputs: those of both. */
export function joinOverDomain(source: PlanNode, options: DomainJoin): PlanNode {
  const { analysis, at, finish, outer, plan, rewrite, type } = options;
  const { ids } = analysis;
  const needed = outer.map((variable) => rewrite(variable));
  if (!mayCopy(source, options)) throw unsupportedCorrelation(at);
  const free = outputNames(source);
  const added: Assignment[] = [];
  const keys = needed.map((value, index): Variable => {
    if (value.kind === "variable" && free.delete(value.name)) return value;
    const output = ids.variable(outer[index]?.name ?? "outer", value.type);
    added.push({ output, expression: value });
    return output;
  });
  const left = extendProject(ids, source, added);
  const copied = copyPlan(left, ids);
  const domain: PlanNode = {
    kind: "Aggregation",
    id: ids.node(),
    source: copied.node,
    step: "SINGLE",
    keys: keys.map((key) => copied.renamed(key)),
    aggregates: [],
  };
  const below = new Pusher(analysis, outer, domain, at).push(plan);
  const right = finish === undefined ? below.node : finish(below.node, below.keys);
  const same = sameRows(analysis, { node: left, keys }, { node: right, keys: below.keys }, at);
  return {
    kind: "Join",
    id: ids.node(),
    type,
    left: same.left,
    right: same.right,
    criteria: same.criteria,
    ...(same.conditions.length > 0 && { filter: and(same.conditions) }),
    outputs: distinctVariables([...outputsOf(source), ...outputsOf(right)]),
    distribution: "PARTITIONED",
  };
}
