/**
 * Rewrites IN and EXISTS as joins if that is cheaper:
 *
 * - If the filtering side has unique keys, an inner join replaces the semi-join and takes part in join reordering.
 * - If the filtering side is much larger, the small source becomes the build side and the filtering side probes it.
 * - For NOT EXISTS with a large filtering side, the source rows without any match are kept.
 */
import { BOOLEAN, isNested } from "../../../../types/type.ts";
import type { RowExpression } from "../../../plan/typed-expression.ts";
import { and, conjunctsOf, constant, isConstant, special, usesAny } from "../../../plan/expression-tree.ts";
import { isUnique } from "../../stats/keys.ts";
import { outputsOf, type JoinNode, type PlanNode, type SemiJoinNode } from "../../../plan/node.ts";
import { filterNode, identity, outputNames, projectNode, rewritePlan, visitPlan } from "../../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** Minimum ratio of rows of the filtering side to rows of the source for swapping the sides. */
const turnFactor = 4;

export const turnSemiJoins: Rule = {
  name: "turn_semi_joins",
  apply: (plan, context) =>
    rewritePlan(plan, (node) => (node.kind === "Filter" && node.source.kind === "SemiJoin" ? turn(node, node.source, context) : node)),
};

function turn(node: PlanNode & { kind: "Filter" }, semi: SemiJoinNode, context: RuleContext): PlanNode {
  const conjuncts = conjunctsOf(node.predicate);
  const name = semi.output.name;
  const asked = conjuncts.filter((conjunct) => usesAny(conjunct, new Set([name])));
  const [test] = asked;
  if (test === undefined || asked.length > 1) {
    return node;
  }
  const rest = conjuncts.filter((conjunct) => conjunct !== test);
  const isOutput = (e: RowExpression | undefined) => e?.kind === "variable" && e.name === name;
  const turned = isOutput(test) ? joinFound(semi, context) : isNotFound(test, isOutput) ? joinMissing(semi, context) : undefined;
  return turned === undefined ? node : filterNode(context.ids, turned, rest);
}

/** Matches NOT COALESCE(output, false). */
function isNotFound(test: RowExpression, isOutput: (e: RowExpression | undefined) => boolean): boolean {
  if (test.kind !== "call" || test.name !== "$not") {
    return false;
  }
  const [inner] = test.args;
  if (inner?.kind !== "special" || inner.form !== "COALESCE") {
    return false;
  }
  return isOutput(inner.args[0]) && inner.args[1] !== undefined && isConstant(inner.args[1], false);
}

function joinFound(semi: SemiJoinNode, context: RuleContext): PlanNode | undefined {
  const { estimator, ids } = context;
  const { source, filtering, sourceKey, filteringKey, output } = semi;
  const join: JoinNode = {
    kind: "Join",
    id: semi.id,
    type: "INNER",
    left: filtering,
    right: source,
    criteria: [{ left: filteringKey, right: sourceKey }],
    outputs: [...outputsOf(filtering), ...outputsOf(source)],
    distribution: "PARTITIONED",
  };
  const found = { output, expression: constant(BOOLEAN, true) };
  const columns = outputsOf(source);
  if (isUnique(estimator.estimate(filtering).keys, new Set([filteringKey.name]))) {
    return projectNode(ids, join, [...columns.map(identity), found]);
  }
  if (
    !isMuchLarger(semi, context) ||
    (buildsSource(semi, context) && !hasJoin(filtering)) ||
    !isUnique(estimator.estimate(source).keys, outputNames(source))
  ) {
    return undefined;
  }
  const once: PlanNode = { kind: "Aggregation", id: ids.node(), source: join, step: "SINGLE", keys: columns, aggregates: [] };
  return projectNode(ids, once, [...columns.map(identity), found]);
}

function joinMissing(semi: SemiJoinNode, context: RuleContext): PlanNode | undefined {
  const { source, filtering, sourceKey, filteringKey, output } = semi;
  if (!isMuchLarger(semi, context) || buildsSource(semi, context)) {
    return undefined;
  }
  const join: JoinNode = {
    kind: "Join",
    id: semi.id,
    type: "RIGHT",
    left: filtering,
    right: source,
    criteria: [{ left: filteringKey, right: sourceKey }],
    outputs: [...outputsOf(filtering), ...outputsOf(source)],
    distribution: "PARTITIONED",
  };
  const missing = filterNode(context.ids, join, [and([special("IS_NULL", BOOLEAN, [filteringKey])])]);
  return projectNode(context.ids, missing, [...outputsOf(source).map(identity), { output, expression: constant(BOOLEAN, false) }]);
}

/** Whether the semi-join itself can build its source, at less cost (choose_semi_join_side). */
function buildsSource({ sourceKey }: SemiJoinNode, { rulesOff }: RuleContext): boolean {
  return !rulesOff.has("choose_semi_join_side") && !isNested(sourceKey.type);
}

/** The joins of the filtering side can be reordered with the source. */
function hasJoin(filtering: PlanNode): boolean {
  let found = false;
  visitPlan(filtering, ({ kind }) => {
    found ||= kind === "Join";
  });
  return found;
}

function isMuchLarger({ source, filtering }: SemiJoinNode, { estimator }: RuleContext): boolean {
  const [small, large] = [estimator.estimate(source), estimator.estimate(filtering)];
  return small.known && large.known && small.rows * turnFactor < large.rows;
}
