/**
 * Decorrelates subqueries into joins. Correlated filter conditions are pulled up and become the join condition.
 *
 * Equalities suffice for EXISTS and for scalar aggregates. EXISTS also supports one additional comparison, by means of each group's minimum
 * and maximum.
 */
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import { commonSuperType } from "../../../functions/registry/coercion.ts";
import { BIGINT, BOOLEAN, isNested, type Type } from "../../../types/type.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { and, constant, not, or, special, substitute, TRUE, usesOnly } from "../../plan/expression-tree.ts";
import { outputsOf, type AggregateCall, type Assignment, type PlanNode } from "../../plan/node.ts";
import { distinctVariables, extendProject, identity, namesOf, outputNames, projectNode } from "../../plan/plan-tree.ts";
import type { Analysis, PendingSubquery } from "../analysis.ts";
import { asVariable, crossJoin, planExists, semiJoin } from "./joins.ts";
import { isOneRow, isSingleRow } from "./one-row.ts";
import { ownColumns } from "./own-columns.ts";
import { carriedOr, type Equality, notCarried, Puller } from "./pull.ts";
import { isZeroOfNothing, joinOverDomain, readableTwice } from "./outer-domain.ts";
import type { Placed } from "../errors.ts";
import { callFunction, callOperator, chooseAggregate } from "../expression/functions.ts";
import { coerce } from "../expression/functions.ts";
import { groupMarked, markRows } from "./marked.ts";
import type { Scope } from "../scope/scope.ts";

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
  const own = ownColumns(correlated, scope);
  // The result is the same for all rows of the outer query. Outer references to queries further out stay free, for those queries to
  // resolve.
  if (own.length === 0) {
    return (source) => crossJoin(analysis, source, planExists(analysis, withoutLimit(plan), output, at));
  }
  return carriedOr(
    () => carryExists(analysis, plan, output, correlated, at),
    () => existsOverDomain(analysis, plan, output, own, at),
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
    const readable = readableTwice(source, { analysis, outer, rewrite });
    if (readable === undefined) {
      const rows = makeAggregate(analysis, "count", [], at);
      const groups = groupMarked(analysis, markRows(source, { analysis, plan, outer, rewrite, at }), [rows]);
      const some = callOperator("$gt", [rows.output, constant(BIGINT, "0")], at);
      return projectNode(ids, groups, [...outputsOf(source).map(identity), { output, expression: some }]);
    }
    const joined = joinOverDomain(readable, { analysis, plan, outer, rewrite, at, finish, type: "LEFT" });
    const found = not(special("IS_NULL", BOOLEAN, [marker]));
    return projectNode(ids, joined, [...outputsOf(source).map(identity), { output, expression: found }]);
  };
}

function carryExists(
  analysis: Analysis,
  plan: PlanNode,
  output: Variable,
  correlated: readonly Variable[],
  at: Placed,
): PendingSubquery["apply"] {
  const puller = new Puller({ analysis, outer: namesOf(correlated), at });
  const { node, conditions } = puller.pull(withoutLimit(plan));
  const equalities: Equality[] = [];
  const others: RowExpression[] = [];
  for (const condition of conditions) {
    const equality = puller.equality(condition);
    if (equality === undefined) {
      others.push(condition);
    } else {
      equalities.push(equality);
    }
  }
  if (equalities.length === 0 || others.length > 1) {
    throw notCarried();
  }
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

/**
 * Turns each equality's inner side into a column of the same type as the outer side. Varchars of different lengths may be equal, but join
 * keys need one type.
 */
function keyColumns(analysis: Analysis, node: PlanNode, equalities: readonly Equality[]): KeyedPlan {
  const outputs = outputNames(node);
  const added: Assignment[] = [];
  const pairs = equalities.map((equality) => {
    const type = commonSuperType(equality.outer.type, equality.inner.type) ?? equality.outer.type;
    const [outer, inner] = [coerce(equality.outer, type), coerce(equality.inner, type)];
    if (inner.kind === "variable" && outputs.has(inner.name)) {
      return { outer, key: inner };
    }
    const key = analysis.ids.variable("key", type);
    added.push({ output: key, expression: inner });
    return { outer, key };
  });
  return { node: extendProject(analysis.ids, node, added), pairs };
}

/**
 * EXISTS with several correlated columns: a LEFT join with one row for each group of keys. The additional comparison `other` is decided by
 * the group's minimum and maximum.
 */
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
    if (value.kind === "variable" && outputs.has(value.name)) {
      return { left: value, right: key };
    }
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
  /** Condition over the outer row and the minimum and maximum. */
  readonly condition: RowExpression;
}

/** Some inner value satisfies the comparison with the outer value exactly if the minimum or the maximum does. */
function groupExtremes(analysis: Analysis, condition: RowExpression, puller: Puller, at: Placed): Extremes {
  const sides =
    condition.kind === "call" && ["$ne", "$lt", "$le", "$gt", "$ge"].includes(condition.name) ? puller.sides(condition) : undefined;
  if (sides === undefined || condition.kind !== "call" || !hasExtremes(sides.inner.type)) {
    throw notCarried();
  }
  const { ids } = analysis;
  const inner = ids.variable("value", sides.inner.type);
  const aggregates = ["min", "max"].map((name): AggregateCall => {
    const resolved = resolveAggregate(name, [inner.type]);
    if ("error" in resolved) {
      throw notCarried();
    }
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

/** The extremes do not represent NaN or nested values that contain NULL, because such values are not ordered among the others. */
function hasExtremes(type: Type): boolean {
  return type.kind !== "double" && type.kind !== "real" && !isNested(type);
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
  const own = ownColumns(correlated, scope);
  if (own.length === 0) {
    return scalarOverDomain(analysis, plan, value, output, own, at);
  }
  const puller = new Puller({ analysis, outer: namesOf(correlated), at, mended: peelProjections(plan).below });
  return carriedOr(
    () => carryScalar(analysis, plan, value, output, puller),
    () => scalarOverDomain(analysis, plan, value, output, own, at),
  );
}

/** Removes the top projections of a plan. Returns their results as expressions over the plan below; these may contain outer references. */
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
  if (below.kind !== "Aggregation" || below.keys.length > 0) {
    return carryRows(analysis, plan, value, output, puller);
  }
  const expression = substitute(value, expressions);
  const { node, conditions } = puller.pull(below);
  const keyed = keyColumns(analysis, node, puller.equalities(conditions));
  // Without a match, the LEFT join returns NULL. That is correct for every aggregate except counts, which are 0.
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

/**
 * For a subquery that may return several rows for one outer row: aggregates that reduce each group of keys to one row and count its rows.
 */
interface CountedRows {
  readonly aggregates: readonly AggregateCall[];
  /** Value of the only row; raises an error if there are several. */
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
  // A value over both the outer row and the plan's only row (a quantified comparison) is computed above the join.
  const above = isOneRow(plan) && !usesOnly(value, outputNames(plan));
  const single = above ? undefined : asVariable(analysis, plan, value, "value");
  const one = isOneRow(plan) || isSingleRow(plan);
  const counted = one || single === undefined ? undefined : countRows(analysis, single.variable, at);
  const finish = (node: PlanNode, keys: readonly Variable[]): PlanNode =>
    counted === undefined
      ? node
      : { kind: "Aggregation", id: ids.node(), source: node, step: "SINGLE", keys, aggregates: counted.aggregates };
  return (source, rewrite) => {
    const readable = readableTwice(source, { analysis, outer, rewrite });
    if (readable === undefined) {
      const marked = markRows(source, { analysis, plan: single?.node ?? plan, outer, rewrite, at });
      const rows = single === undefined || isOneRow(plan) ? undefined : countRows(analysis, single.variable, at);
      const node = rows === undefined ? marked.node : groupMarked(analysis, marked, rows.aggregates);
      const result = rows?.value ?? single?.variable ?? rewrite(value);
      return projectNode(ids, node, [...outputsOf(source).map(identity), { output, expression: result }]);
    }
    const joined = joinOverDomain(readable, { analysis, plan: single?.node ?? plan, outer, rewrite, at, finish, type: "LEFT" });
    const result = counted?.value ?? single?.variable ?? rewrite(value);
    return projectNode(ids, joined, [...outputsOf(source).map(identity), { output, expression: result }]);
  };
}
