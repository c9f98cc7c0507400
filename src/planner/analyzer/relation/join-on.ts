/**
 * JOIN ... ON: a condition over both sides, with subqueries over one or both of them. The right side may also be a LATERAL.
 */
import type { Expression, Join } from "../../../sql/ast/ast.ts";
import { BIGINT } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { and, collectVariables, conjunctsOf, isConstant, substitute } from "../../plan/expression-tree.ts";
import { type JoinCriterion, type JoinNode, outputsOf, type PlanNode } from "../../plan/node.ts";
import { shareRows } from "../../fragmenter/shared-plans.ts";
import { distinctVariables, filterNode, identity, namesOf, outputNames, projectNode } from "../../plan/plan-tree.ts";
import type { Analysis, Environment, OuterColumn, PendingSubquery, QueryContext } from "../analysis.ts";
import { requireScalar } from "../aggregation/calls-inside.ts";
import { copyPlan } from "../subquery/copy.ts";
import { crossJoin } from "../subquery/joins.ts";
import { outerVariables } from "../subquery/pull.ts";
import { notSupported, semanticError } from "../errors.ts";
import { analyzePredicate } from "../expression/analyze-expression.ts";
import { joinLateral } from "./lateral.ts";
import type { RelationPlan, Scope } from "../scope/scope.ts";
import { applySubqueries } from "../subquery/subqueries.ts";

export interface OnJoin {
  readonly type: Join["type"];
  readonly condition: Expression;
  readonly left: RelationPlan;
  readonly right: RelationPlan;
}

export interface JoinContext {
  readonly analysis: Analysis;
  readonly queries: QueryContext;
}

export function planJoinOn(join: OnJoin, context: JoinContext): RelationPlan {
  const { type, condition, left, right } = join;
  const { analysis } = context;
  const fields = [...left.fields, ...right.fields];
  const subqueries: PendingSubquery[] = [];
  const predicate = analyzeCondition(condition, environment({ fields }, context, subqueries));
  const sides = planOnSides(subqueries, left.node, right.node);
  const overBoth = sides.overBoth.filter(({ computed }) => computed === undefined);
  if (overBoth.length === 0) {
    return { node: joinOn(type, sides.left, sides.right, withComputed(predicate, sides.overBoth), analysis), fields };
  }
  switch (type) {
    case "LEFT":
      return joinFiltered(join, context);
    case "RIGHT": {
      const swapped = joinFiltered({ ...join, left: right, right: left }, context);
      const [ofRight, ofLeft] = [swapped.fields.slice(0, right.fields.length), swapped.fields.slice(right.fields.length)];
      return { node: swapped.node, fields: [...ofLeft, ...ofRight] };
    }
    case "FULL":
      return joinMatches(join, context);
    default: {
      const crossed = applySubqueries(crossJoin(analysis, sides.left, sides.right), sides.overBoth);
      return { node: filterNode(analysis.ids, crossed, conjunctsOf(predicate)), fields };
    }
  }
}

/** LATERAL on the right side. If it depends on the left side, the condition is evaluated for each row of the left side. */
export function planLateralOn(join: OnJoin, context: JoinContext): RelationPlan {
  const { type, condition, left, right } = join;
  if (!usesColumns(right, left.node)) {
    return planJoinOn(join, context);
  }
  if (type === "LEFT") {
    return joinFiltered(join, context);
  }
  const { node, fields } = joinLateral(left, right, false, condition, context.analysis);
  return { node: filterOn(condition, node, { fields }, context), fields };
}

/** A LATERAL in a RIGHT or FULL join cannot reference the left side, because a right row without a match has no left columns. */
export function requireNoneOf(left: RelationPlan, mentions: readonly OuterColumn[], { type }: Join): void {
  if (type !== "RIGHT" && type !== "FULL") {
    return;
  }
  const names = namesOf(left.fields.flatMap(({ expression }) => (expression.kind === "variable" ? [expression] : [])));
  const mention = mentions.find(({ name }) => names.has(name));
  if (mention === undefined) {
    return;
  }
  throw semanticError("INVALID_COLUMN_REFERENCE", mention.syntax, `LATERAL reference not allowed in ${type} JOIN`);
}

/** Returns whether `right` has outer references to columns of `left`. */
function usesColumns({ node, fields }: RelationPlan, left: PlanNode): boolean {
  const names = outputNames(left);
  const read = [...outerVariables(node), ...fields.flatMap(({ expression }) => [...collectVariables(expression).values()])];
  return read.some(({ name }) => names.has(name));
}

function environment(
  { fields, parent }: Pick<Scope, "fields" | "parent">,
  { analysis, queries }: JoinContext,
  subqueries: PendingSubquery[],
): Environment {
  const enclosing = parent ?? queries.outer;
  const scope: Scope = { fields, queryBoundary: true, ...(enclosing && { parent: enclosing }) };
  return { analysis, scope, queries, clause: "JOIN ON clause", subqueries };
}

function analyzeCondition(condition: Expression, env: Environment): RowExpression {
  requireScalar(condition, "JOIN clause");
  return analyzePredicate(condition, env);
}

/** Filters `source` by the condition. */
function filterOn(condition: Expression, source: PlanNode, scope: Pick<Scope, "fields" | "parent">, context: JoinContext): PlanNode {
  const subqueries: PendingSubquery[] = [];
  const predicate = analyzeCondition(condition, environment(scope, context, subqueries));
  return filterNode(context.analysis.ids, applySubqueries(source, subqueries), conjunctsOf(predicate));
}

/**
 * LEFT JOIN with a condition that must be evaluated below the join for each pair of rows. Planned as a LATERAL over the right side with the
 * condition as its WHERE.
 */
function joinFiltered({ condition, left, right }: OnJoin, context: JoinContext): RelationPlan {
  const { outer } = context.queries;
  const around: Scope = { fields: left.fields, queryBoundary: true, ...(outer && { parent: outer }) };
  const node = filterOn(condition, right.node, { fields: right.fields, parent: around }, context);
  return joinLateral(left, { node, fields: right.fields }, true, condition, context.analysis);
}

/**
 * FULL JOIN with such a condition. Both sides get row numbers. An inner join finds the matching pairs of numbers, and the sides are joined
 * by these pairs.
 */
function joinMatches({ condition, left, right }: OnJoin, context: JoinContext): RelationPlan {
  const { analysis } = context;
  const { ids } = analysis;
  if ([left, right].some(({ node }) => outerVariables(node).length > 0)) {
    throw notSupported(condition, "Subqueries over both sides in the condition of a FULL JOIN over correlated relations are not supported");
  }
  const [first, second] = [numberedTwice(left, analysis), numberedTwice(right, analysis)];
  const pairs = planJoinOn({ type: "INNER", condition, left: first.copy, right: second.copy }, context);
  const matches = projectNode(ids, pairs.node, [first.copied, second.copied].map(identity));
  const withLeft = joinNode("LEFT", first.node, matches, [{ left: first.number, right: first.copied }], analysis);
  const node = joinNode("FULL", withLeft, second.node, [{ left: second.copied, right: second.number }], analysis);
  return { node, fields: [...left.fields, ...right.fields] };
}

/** Numbers the rows of a relation. Returns two readers of one shared plan; the second has fresh variables. */
function numberedTwice({ node, fields }: RelationPlan, { ids }: Analysis) {
  const number = ids.variable("row", BIGINT);
  const shared = shareRows({ kind: "AssignUniqueId", id: ids.node(), source: node, idVariable: number }, ids);
  const copy = copyPlan(shared, ids);
  const copiedFields = fields.map((field) => ({ ...field, expression: copy.moved(field.expression) }));
  return { node: shared, number, copy: { node: copy.node, fields: copiedFields }, copied: copy.renamed(number) };
}

function joinNode(
  type: JoinNode["type"],
  left: PlanNode,
  right: PlanNode,
  criteria: readonly JoinCriterion[],
  { ids }: Analysis,
): JoinNode {
  const outputs = distinctVariables([...outputsOf(left), ...outputsOf(right)]);
  return { kind: "Join", id: ids.node(), type, left, right, criteria, outputs, distribution: "PARTITIONED" };
}

interface JoinSides {
  readonly left: PlanNode;
  readonly right: PlanNode;
  /** Subqueries that use columns of both sides, directly or through other subqueries. */
  readonly overBoth: readonly PendingSubquery[];
}

/**
 * Plans each subquery below the join on the side whose columns it uses. There are two reasons: an outer join also keeps rows for which its
 * condition never holds, and an equality with a subquery's result can become a join key.
 */
function planOnSides(subqueries: readonly PendingSubquery[], left: PlanNode, right: PlanNode): JoinSides {
  let sides: JoinSides = { left, right, overBoth: [] };
  for (const subquery of subqueries) {
    const waits = usesAny(subquery, new Set(sides.overBoth.map(({ output }) => output.name)));
    const isOver = (side: PlanNode) => waits || usesAny(subquery, outputNames(side));
    if (!isOver(sides.right)) {
      sides = { ...sides, left: applySubqueries(sides.left, [subquery]) };
    } else if (!isOver(sides.left)) {
      sides = { ...sides, right: applySubqueries(sides.right, [subquery]) };
    } else {
      sides = { ...sides, overBoth: [...sides.overBoth, subquery] };
    }
  }
  return sides;
}

function usesAny({ uses }: PendingSubquery, names: ReadonlySet<string>): boolean {
  return uses.some(({ name }) => names.has(name));
}

/** Substitutes subqueries that are computed as expressions into the condition. */
function withComputed(predicate: RowExpression, subqueries: readonly PendingSubquery[]): RowExpression {
  const values = new Map<string, RowExpression>();
  for (const { output, computed } of subqueries) {
    if (computed !== undefined) {
      values.set(output.name, substitute(computed, values));
    }
  }
  return substitute(predicate, values);
}

/** The whole condition becomes the filter; optimizer rules extract the join keys. RIGHT becomes LEFT with the sides exchanged. */
export function joinOn(type: Join["type"], left: PlanNode, right: PlanNode, predicate: RowExpression, analysis: Analysis): JoinNode {
  const [probe, build] = type === "RIGHT" ? [right, left] : [left, right];
  return {
    kind: "Join",
    id: analysis.ids.node(),
    type: type === "RIGHT" || type === "LEFT" ? "LEFT" : type === "FULL" ? "FULL" : "INNER",
    left: probe,
    right: build,
    criteria: [],
    ...(!isConstant(predicate, true) && { filter: and(conjunctsOf(predicate)) }),
    outputs: distinctVariables([...outputsOf(probe), ...outputsOf(build)]),
    distribution: "PARTITIONED",
  };
}
