/**
 * Correlated subqueries turned into joins: what the subquery's filters say about the enclosing row is pulled up and becomes the join's condition.
 * Equalities carry EXISTS and scalar aggregates; EXISTS also takes one further comparison, through the smallest and largest value of each group.
 */
import { resolveAggregate } from "../../functions/catalogue.ts";
import { commonSuperType } from "../../functions/coercion.ts";
import { BIGINT, BOOLEAN } from "../../types/type.ts";
import type { Call, RowExpression, Variable } from "../expression.ts";
import { and, collectVariables, conjunctsOf, constant, not, or, special, substitute, TRUE, usesAny, usesOnly } from "../expressions.ts";
import { outputsOf, type AggregateCall, type Assignment, type PlanNode } from "../node.ts";
import { distinctVariables, extendProject, filterNode, identity, outputNames, projectNode, sourcesOf, visitPlan } from "../tree.ts";
import { expressionsOf } from "../validate.ts";
import type { Analysis, PendingSubquery } from "./analysis.ts";
import { isZeroOfNothing, joinOverDomain, mayCopy } from "./domain.ts";
import { groupMarked, markRows } from "./marked.ts";
import type { Placed } from "./errors.ts";
import { callFunction, callOperator, chooseAggregate, coerce } from "./functions.ts";
import type { Scope } from "./scope.ts";
import { asVariable, semiJoin } from "./subqueries.ts";

/** Variables that a plan uses and nothing in it makes. */
export function outerVariables(plan: PlanNode): readonly Variable[] {
  const made = new Set<string>();
  const used = new Map<string, Variable>();
  visitPlan(plan, (node) => {
    for (const output of outputsOf(node)) made.add(output.name);
    for (const expression of expressionsOf(node)) collectVariables(expression, used);
  });
  // An output that merely passes an outer variable on is not made here.
  visitPlan(plan, (node) => {
    if (node.kind !== "Project") return;
    for (const { output, expression } of node.assignments) {
      if (
        expression.kind === "variable" &&
        expression.name === output.name &&
        !sourcesOf(node).some((s) => outputNames(s).has(output.name))
      ) {
        made.delete(output.name);
      }
    }
  });
  return [...used.values()].filter((variable) => !made.has(variable.name));
}

/** `outer = inner`: a side over the enclosing query alone, the other over the subquery alone. */
interface Equality {
  readonly outer: RowExpression;
  readonly inner: RowExpression;
}

interface Pulled {
  readonly node: PlanNode;
  /** Conditions on both the enclosing row and the outputs of `node`. */
  readonly conditions: readonly RowExpression[];
}

/** This way of carrying a correlation out of a subquery ends here; domain.ts has another. */
class NotCarried extends Error {}

function failed(_at: Placed): Error {
  return new NotCarried("a correlation that no join condition carries");
}

/** What `carry` gives; where the correlation cannot be carried out, what `otherwise` does. */
function carriedOr<T>(carry: () => T, otherwise: () => T): T {
  try {
    return carry();
  } catch (error) {
    if (error instanceof NotCarried) return otherwise();
    throw error;
  }
}

class Puller {
  constructor(
    private readonly analysis: Analysis,
    private readonly outer: ReadonlySet<string>,
    readonly at: Placed,
    /** The aggregation of all rows whose missing row the caller puts back. */
    private readonly mended?: PlanNode,
  ) {}

  pull(node: PlanNode): Pulled {
    switch (node.kind) {
      case "Filter":
        return this.pullFilter(node.source, node.predicate);
      case "Project":
        return this.pullProject(node.source, node.assignments);
      case "Join":
        return this.pullJoin(node);
      case "Aggregation":
        return this.pullAggregation(node);
      case "SemiJoin": {
        this.requireUncorrelated(node.filtering);
        const { node: source, conditions } = this.pull(node.source);
        return { node: { ...node, source }, conditions };
      }
      case "Sort":
        return this.pull(node.source);
      default:
        this.requireUncorrelated(node);
        return { node, conditions: [] };
    }
  }

  private requireUncorrelated(node: PlanNode): void {
    if (outerVariables(node).length > 0) throw failed(this.at);
  }

  private pullFilter(source: PlanNode, predicate: RowExpression): Pulled {
    const below = this.pull(source);
    const conjuncts = conjunctsOf(predicate);
    const correlated = conjuncts.filter((conjunct) => usesAny(conjunct, this.outer));
    const own = conjuncts.filter((conjunct) => !usesAny(conjunct, this.outer));
    return { node: filterNode(this.analysis.ids, below.node, own), conditions: [...below.conditions, ...correlated] };
  }

  private pullProject(source: PlanNode, assignments: readonly Assignment[]): Pulled {
    const below = this.pull(source);
    if (assignments.some((assignment) => usesAny(assignment.expression, this.outer))) throw failed(this.at);
    const kept = new Set(assignments.map((assignment) => assignment.output.name));
    const needed = this.innerVariables(below.conditions).filter((variable) => !kept.has(variable.name));
    return { node: projectNode(this.analysis.ids, below.node, [...assignments, ...needed.map(identity)]), conditions: below.conditions };
  }

  private pullJoin(node: PlanNode & { kind: "Join" }): Pulled {
    if (node.type !== "INNER" && node.type !== "LEFT") {
      this.requireUncorrelated(node);
      return { node, conditions: [] };
    }
    if (node.type === "LEFT") this.requireUncorrelated(node.right);
    const left = this.pull(node.left);
    const right = node.type === "LEFT" ? { node: node.right, conditions: [] } : this.pull(node.right);
    const filter = node.filter === undefined ? [] : conjunctsOf(node.filter);
    const correlated = filter.filter((conjunct) => usesAny(conjunct, this.outer));
    if (correlated.length > 0 && node.type === "LEFT") throw failed(this.at);
    const own = filter.filter((conjunct) => !usesAny(conjunct, this.outer));
    const { filter: _filter, ...rest } = node;
    const joined: PlanNode = {
      ...rest,
      left: left.node,
      right: right.node,
      outputs: distinctVariables([...outputsOf(left.node), ...outputsOf(right.node)]),
      ...(own.length > 0 && { filter: and(own) }),
    };
    return { node: joined, conditions: [...left.conditions, ...right.conditions, ...correlated] };
  }

  /**
   * Groups further by what the conditions compare. An aggregation of all rows then gives no row where it gave one: it is taken only where the caller
   * mends that.
   */
  private pullAggregation(node: PlanNode & { kind: "Aggregation" }): Pulled {
    const below = this.pull(node.source);
    // Nobody above sees in which order rows come; aggregates do.
    const inOrder = (source: PlanNode): PlanNode => (node.source.kind === "Sort" ? { ...node.source, source } : source);
    if (below.conditions.length === 0) return { node: { ...node, source: inOrder(below.node) }, conditions: [] };
    if (node.keys.length === 0 && node !== this.mended) throw failed(this.at);
    const added: Assignment[] = [];
    const conditions: RowExpression[] = [];
    for (const { outer, inner } of this.equalities(below.conditions)) {
      const key = inner.kind === "variable" ? inner : this.analysis.ids.variable("key", inner.type);
      if (inner.kind !== "variable") added.push({ output: key, expression: inner });
      conditions.push(callOperator("$eq", [outer, key], this.at));
    }
    const source = inOrder(extendProject(this.analysis.ids, below.node, added));
    return { node: { ...node, source, keys: distinctVariables([...node.keys, ...this.innerVariables(conditions)]) }, conditions };
  }

  equalities(conditions: readonly RowExpression[]): readonly Equality[] {
    return conditions.map((condition) => {
      const equality = this.equality(condition);
      if (equality === undefined) throw failed(this.at);
      return equality;
    });
  }

  equality(condition: RowExpression): Equality | undefined {
    return condition.kind === "call" && condition.name === "$eq" ? this.sides(condition) : undefined;
  }

  /** The sides of a comparison, when each belongs to one query. */
  sides(comparison: Call): Equality | undefined {
    const [left, right] = comparison.args;
    if (left === undefined || right === undefined) return undefined;
    if (usesOnly(left, this.outer) && !usesAny(right, this.outer)) return { outer: left, inner: right };
    if (usesOnly(right, this.outer) && !usesAny(left, this.outer)) return { outer: right, inner: left };
    return undefined;
  }

  private innerVariables(conditions: readonly RowExpression[]): readonly Variable[] {
    const used = conditions.flatMap((condition) => [...collectVariables(condition).values()]);
    return distinctVariables(used.filter((variable) => !this.outer.has(variable.name)));
  }
}

/**
 * `plan` without what it says about the columns `outer` of other rows, and what it said; undefined where that cannot be told apart. Where
 * `plan` itself aggregates all rows the caller mends that it gives no row where nothing matches.
 */
export function pullCorrelation(analysis: Analysis, plan: PlanNode, outer: ReadonlySet<string>, at: Placed): Pulled | undefined {
  return carriedOr<Pulled | undefined>(
    () => new Puller(analysis, outer, at, plan).pull(plan),
    () => undefined,
  );
}

/** Of the columns that a subquery uses, those of the query around it; the others are of queries further out, which carry them on. */
function ownOf(correlated: readonly Variable[], scope: Scope): readonly Variable[] {
  const visible = new Set<string>();
  for (const field of scope.fields) collectVariables(field.expression).forEach((_variable, name) => visible.add(name));
  return correlated.filter((variable) => visible.has(variable.name));
}

function makePuller(analysis: Analysis, correlated: readonly Variable[], scope: Scope, at: Placed, mended?: PlanNode): Puller {
  if (ownOf(correlated, scope).length < correlated.length) throw failed(at);
  return new Puller(analysis, new Set(correlated.map((variable) => variable.name)), at, mended);
}

/** Whether the plan gives exactly one row by its form. */
export function isOneRow(node: PlanNode): boolean {
  if (node.kind === "Project") return isOneRow(node.source);
  if (node.kind === "Values") return node.rows.length === 1;
  return node.kind === "Aggregation" ? node.keys.length === 0 : node.kind === "EnforceSingleRow";
}

function withoutLimit(node: PlanNode): PlanNode {
  return node.kind === "Limit" && node.count > 0 ? withoutLimit(node.source) : node.kind === "Sort" ? withoutLimit(node.source) : node;
}

export function joinCorrelatedExists(
  analysis: Analysis,
  plan: PlanNode,
  output: Variable,
  correlated: readonly Variable[],
  scope: Scope,
  at: Placed,
): PendingSubquery["apply"] {
  if (isOneRow(plan)) {
    return (source) => projectNode(analysis.ids, source, [...outputsOf(source).map(identity), { output, expression: TRUE }]);
  }
  return carriedOr(
    () => carryExists(analysis, plan, output, correlated, scope, at),
    () => existsOverDomain(analysis, plan, output, ownOf(correlated, scope), at),
  );
}

function existsOverDomain(
  analysis: Analysis,
  plan: PlanNode,
  output: Variable,
  outer: readonly Variable[],
  at: Placed,
): PendingSubquery["apply"] {
  const { ids } = analysis;
  const marker = ids.variable("found", BOOLEAN);
  const finish = (node: PlanNode, keys: readonly Variable[]): PlanNode => {
    const groups: PlanNode = { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys, aggregates: [] };
    return extendProject(ids, groups, [{ output: marker, expression: TRUE }]);
  };
  return (source, rewrite) => {
    if (!mayCopy(source, { outer, rewrite })) {
      const rows = makeAggregate(analysis, "count", [], at);
      const groups = groupMarked(analysis, markRows(source, { analysis, plan, outer, rewrite, at }), [rows]);
      const some = callOperator("$gt", [rows.output, constant(BIGINT, "0")], at);
      return projectNode(ids, groups, [...outputsOf(source).map(identity), { output, expression: some }]);
    }
    const joined = joinOverDomain(source, { analysis, plan, outer, rewrite, at, finish, type: "LEFT" });
    const found = not(special("IS_NULL", BOOLEAN, [marker]));
    return projectNode(ids, joined, [...outputsOf(source).map(identity), { output, expression: found }]);
  };
}

function carryExists(
  analysis: Analysis,
  plan: PlanNode,
  output: Variable,
  correlated: readonly Variable[],
  scope: Scope,
  at: Placed,
): PendingSubquery["apply"] {
  const puller = makePuller(analysis, correlated, scope, at);
  const { node, conditions } = puller.pull(withoutLimit(plan));
  const equalities: Equality[] = [];
  const others: RowExpression[] = [];
  for (const condition of conditions) {
    const equality = puller.equality(condition);
    if (equality === undefined) others.push(condition);
    else equalities.push(equality);
  }
  if (equalities.length === 0 || others.length > 1) throw failed(at);
  const keyed = keyColumns(analysis, node, equalities);
  const [first] = keyed.pairs;
  if (keyed.pairs.length === 1 && first !== undefined && others.length === 0) {
    return (source, rewrite) => semiJoin(analysis, source, rewrite(first.outer), keyed.node, first.key, output);
  }
  return joinGroups(analysis, keyed, others[0], puller, output, at);
}

interface KeyedPlan {
  readonly node: PlanNode;
  readonly pairs: readonly { readonly outer: RowExpression; readonly key: Variable }[];
}

/** Each equality's inner side as a column, of the same type as its outer side: strings of different lengths are equal, but not of one type. */
function keyColumns(analysis: Analysis, node: PlanNode, equalities: readonly Equality[]): KeyedPlan {
  const outputs = outputNames(node);
  const added: Assignment[] = [];
  const pairs = equalities.map((equality) => {
    const type = commonSuperType(equality.outer.type, equality.inner.type) ?? equality.outer.type;
    const [outer, inner] = [coerce(equality.outer, type), coerce(equality.inner, type)];
    if (inner.kind === "variable" && outputs.has(inner.name)) return { outer, key: inner };
    const key = analysis.ids.variable("key", type);
    added.push({ output: key, expression: inner });
    return { outer, key };
  });
  return { node: extendProject(analysis.ids, node, added), pairs };
}

/** EXISTS over several columns: one row a group of keys, joined from the left; `other` is decided by the group's extremes. */
function joinGroups(
  analysis: Analysis,
  keyed: KeyedPlan,
  other: RowExpression | undefined,
  puller: Puller,
  output: Variable,
  at: Placed,
): PendingSubquery["apply"] {
  const { ids } = analysis;
  const keys = distinctVariables(keyed.pairs.map((pair) => pair.key));
  const extremes = other === undefined ? undefined : groupExtremes(analysis, other, puller, at);
  const source = extendProject(ids, keyed.node, extremes?.columns ?? []);
  const groups: PlanNode = { kind: "Aggregation", id: ids.node(), source, step: "SINGLE", keys, aggregates: extremes?.aggregates ?? [] };
  const marker = ids.variable("found", BOOLEAN);
  const marked = extendProject(ids, groups, [{ output: marker, expression: TRUE }]);
  const found = not(special("IS_NULL", BOOLEAN, [marker]));
  return (node, rewrite) => {
    const joined = leftJoin(analysis, node, marked, keyed, rewrite);
    const exists = extremes === undefined ? found : and([found, rewrite(extremes.condition)]);
    return projectNode(ids, joined, [...outputsOf(node).map(identity), { output, expression: exists }]);
  };
}

function leftJoin(
  analysis: Analysis,
  left: PlanNode,
  right: PlanNode,
  keyed: KeyedPlan,
  rewrite: (e: RowExpression) => RowExpression,
): PlanNode {
  const { ids } = analysis;
  const added: Assignment[] = [];
  const outputs = outputNames(left);
  const criteria = keyed.pairs.map(({ outer, key }) => {
    const value = rewrite(outer);
    if (value.kind === "variable" && outputs.has(value.name)) return { left: value, right: key };
    const variable = ids.variable("key", value.type);
    added.push({ output: variable, expression: value });
    return { left: variable, right: key };
  });
  const source = extendProject(ids, left, added);
  return {
    kind: "Join",
    id: ids.node(),
    type: "LEFT",
    left: source,
    right,
    criteria,
    outputs: [...outputsOf(left), ...outputsOf(right)],
    distribution: "PARTITIONED",
  };
}

interface Extremes {
  readonly columns: readonly Assignment[];
  readonly aggregates: readonly AggregateCall[];
  /** Over the enclosing row and the extremes. */
  readonly condition: RowExpression;
}

/** Some inner value compares so with the outer one exactly when the smallest or the largest does. */
function groupExtremes(analysis: Analysis, condition: RowExpression, puller: Puller, at: Placed): Extremes {
  const sides =
    condition.kind === "call" && ["$ne", "$lt", "$le", "$gt", "$ge"].includes(condition.name) ? puller.sides(condition) : undefined;
  if (sides === undefined || condition.kind !== "call") throw failed(at);
  const { ids } = analysis;
  const inner = ids.variable("value", sides.inner.type);
  const aggregates = ["min", "max"].map((name): AggregateCall => {
    const resolved = resolveAggregate(name, [inner.type]);
    if ("error" in resolved) throw failed(at);
    return { output: ids.variable(name, resolved.returnType), name, argumentTypes: resolved.argTypes, args: [inner] };
  });
  const innerIsFirst = condition.args[0] === sides.inner;
  const compare = (extreme: Variable) => callOperator(condition.name, innerIsFirst ? [extreme, sides.outer] : [sides.outer, extreme], at);
  return {
    columns: [{ output: inner, expression: sides.inner }],
    aggregates,
    condition: or(aggregates.map((aggregate) => compare(aggregate.output))),
  };
}

export function joinCorrelatedScalar(
  analysis: Analysis,
  plan: PlanNode,
  value: RowExpression,
  output: Variable,
  correlated: readonly Variable[],
  scope: Scope,
  at: Placed,
): PendingSubquery["apply"] {
  return carriedOr(
    () => carryScalar(analysis, plan, value, output, makeScalarPuller(analysis, plan, correlated, scope, at)),
    () => scalarOverDomain(analysis, plan, value, output, ownOf(correlated, scope), at),
  );
}

function makeScalarPuller(analysis: Analysis, plan: PlanNode, correlated: readonly Variable[], scope: Scope, at: Placed): Puller {
  return makePuller(analysis, correlated, scope, at, peelProjections(plan).below);
}

/** What the projections on top of a plan compute, as expressions over what is below them: they may use columns of the enclosing row. */
export function peelProjections(plan: PlanNode): { readonly below: PlanNode; readonly expressions: ReadonlyMap<string, RowExpression> } {
  let below = plan;
  let expressions: ReadonlyMap<string, RowExpression> | undefined;
  while (below.kind === "Project") {
    const own = new Map(below.assignments.map(({ output, expression }) => [output.name, expression]));
    expressions =
      expressions === undefined ? own : new Map([...expressions].map(([name, expression]) => [name, substitute(expression, own)] as const));
    below = below.source;
  }
  return { below, expressions: expressions ?? new Map() };
}

function carryScalar(analysis: Analysis, plan: PlanNode, value: RowExpression, output: Variable, puller: Puller): PendingSubquery["apply"] {
  const { ids } = analysis;
  const { below, expressions } = peelProjections(plan);
  if (below.kind !== "Aggregation" || below.keys.length > 0) return carryRows(analysis, plan, value, output, puller);
  const expression = substitute(value, expressions);
  const { node, conditions } = puller.pull(below);
  const keyed = keyColumns(analysis, node, puller.equalities(conditions));
  // Where no row matched the join gives NULL: right for every aggregate but a count, which is 0.
  const counts = new Map<string, RowExpression>(
    below.aggregates
      .filter(isZeroOfNothing)
      .map(({ output: count }) => [count.name, special("COALESCE", BIGINT, [count, constant(BIGINT, "0")])]),
  );
  return (source, rewrite) => {
    const joined = leftJoin(analysis, source, keyed.node, keyed, rewrite);
    const mended = rewrite(substitute(expression, counts));
    return projectNode(ids, joined, [...outputsOf(source).map(identity), { output, expression: mended }]);
  };
}

/** Rows of a subquery that may have more than one for a row of the enclosing query: one a group of keys, and how many there were. */
interface CountedRows {
  readonly aggregates: readonly AggregateCall[];
  /** The value of the only row; an error where there were more. */
  readonly value: RowExpression;
}

function makeAggregate(analysis: Analysis, name: string, args: readonly Variable[], at: Placed): AggregateCall {
  const chosen = chooseAggregate(name, args, at);
  return { output: analysis.ids.variable(name, chosen.returnType), name: chosen.name, argumentTypes: chosen.argumentTypes, args };
}

function countRows(analysis: Analysis, value: Variable, at: Placed): CountedRows {
  const [first, rows] = [makeAggregate(analysis, "arbitrary", [value], at), makeAggregate(analysis, "count", [], at)];
  const several = callOperator("$gt", [rows.output, constant(BIGINT, "1")], at);
  const checked = special("IF", value.type, [callFunction("$single_row", [rows.output], at), first.output, constant(value.type, null)]);
  return { aggregates: [first, rows], value: special("IF", value.type, [several, checked, first.output]) };
}

function carryRows(analysis: Analysis, plan: PlanNode, value: RowExpression, output: Variable, puller: Puller): PendingSubquery["apply"] {
  const { ids } = analysis;
  const { node, conditions } = puller.pull(plan);
  const single = asVariable(analysis, node, value, "value");
  const keyed = keyColumns(analysis, single.node, puller.equalities(conditions));
  const counted = countRows(analysis, single.variable, puller.at);
  const keys = distinctVariables(keyed.pairs.map((pair) => pair.key));
  const groups: PlanNode = {
    kind: "Aggregation",
    id: ids.node(),
    source: keyed.node,
    step: "SINGLE",
    keys,
    aggregates: counted.aggregates,
  };
  return (source, rewrite) => {
    const joined = leftJoin(analysis, source, groups, keyed, rewrite);
    return projectNode(ids, joined, [...outputsOf(source).map(identity), { output, expression: counted.value }]);
  };
}

function scalarOverDomain(
  analysis: Analysis,
  plan: PlanNode,
  value: RowExpression,
  output: Variable,
  outer: readonly Variable[],
  at: Placed,
): PendingSubquery["apply"] {
  const { ids } = analysis;
  // A value over the enclosing row and the plan's only one (a quantified comparison) is computed where both are.
  const above = isOneRow(plan) && !usesOnly(value, outputNames(plan));
  const single = above ? undefined : asVariable(analysis, plan, value, "value");
  const one = isOneRow(plan) || isSingleRow(plan);
  const counted = one || single === undefined ? undefined : countRows(analysis, single.variable, at);
  const finish = (node: PlanNode, keys: readonly Variable[]): PlanNode =>
    counted === undefined
      ? node
      : { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys, aggregates: counted.aggregates };
  return (source, rewrite) => {
    if (!mayCopy(source, { outer, rewrite })) {
      const marked = markRows(source, { analysis, plan: single?.node ?? plan, outer, rewrite, at });
      const rows = single === undefined || isOneRow(plan) ? undefined : countRows(analysis, single.variable, at);
      const node = rows === undefined ? marked.node : groupMarked(analysis, marked, rows.aggregates);
      const result = rows?.value ?? single?.variable ?? rewrite(value);
      return projectNode(ids, node, [...outputsOf(source).map(identity), { output, expression: result }]);
    }
    const joined = joinOverDomain(source, { analysis, plan: single?.node ?? plan, outer, rewrite, at, finish, type: "LEFT" });
    const result = counted?.value ?? single?.variable ?? rewrite(value);
    return projectNode(ids, joined, [...outputsOf(source).map(identity), { output, expression: result }]);
  };
}

/** At most one row by its form. */
function isSingleRow(node: PlanNode): boolean {
  if (node.kind === "Project" || node.kind === "Filter" || node.kind === "Sort") return isSingleRow(node.source);
  return (
    isOneRow(node) || (node.kind === "Limit" && node.count <= 1) || (node.kind === "TopN" && node.count <= 1 && node.withTies !== true)
  );
}
