/**
 * Chooses the build side and the distribution of a join. The smaller side is the build side. A small build side is broadcast; otherwise
 * both sides are hash partitioned by the join keys. The session property join_distribution_type overrides the choice of distribution.
 */
import { knobOf } from "../../../../ports/knobs.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import { childrenOf, conjunctsOf, isConstant } from "../../../plan/expression-tree.ts";
import type { JoinNode, PlanNode, SemiJoinNode } from "../../../plan/node.ts";
import { rewritePlan } from "../../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { isNested } from "../../../../types/type.ts";

/** Largest build side that is always broadcast, in estimated rows and bytes. */
/**
 * A larger build side is broadcast if this many copies of it are still smaller than the probe side. The constant stands for the number of
 * workers, so that the plan does not depend on the size of the cluster.
 */
const broadcastCopies = 8;

/** Cost of keeping a row of the source with its columns, relative to keeping a key of the filtering side. */
const sourceRowFactor = 2;

export const chooseDistribution: Rule = {
  name: "choose_distribution",
  apply: (plan, context) => rewritePlan(plan, (node) => chooseFor(node, context)),
};

function chooseFor(node: PlanNode, context: RuleContext): PlanNode {
  if (node.kind === "Join") {
    return chooseJoin(node, context);
  }
  // If a NULL result of the IN is treated as false, NULL keys do not matter, and both sides may be hash partitioned.
  if (node.kind === "Filter" && node.source.kind === "SemiJoin" && takesNullAsFalse(node.predicate, node.source.output)) {
    return { ...node, source: chooseSemiJoin(node.source, context) };
  }
  return node;
}

/**
 * Returns whether every use of `output` is a whole conjunct or inside COALESCE(output, false). Each IN has its own variable, which is read
 * in one place.
 */
function takesNullAsFalse(predicate: RowExpression, output: Variable): boolean {
  const isOutput = (e: RowExpression | undefined) => e?.kind === "variable" && e.name === output.name;
  const hidden = (e: RowExpression): boolean => {
    if (isOutput(e)) {
      return false;
    }
    if (e.kind === "special" && e.form === "COALESCE" && isOutput(e.args[0]) && e.args[1] !== undefined && isConstant(e.args[1], false)) {
      return true;
    }
    return childrenOf(e).every(hidden);
  };
  return conjunctsOf(predicate).every((conjunct) => isOutput(conjunct) || hidden(conjunct));
}

function chooseJoin(join: JoinNode, context: RuleContext): JoinNode {
  const flipped = shouldFlip(join, context) ? flip(join) : join;
  return { ...flipped, distribution: distributionOf(flipped, context) };
}

function shouldFlip(join: JoinNode, context: RuleContext): boolean {
  const { estimator, session, rulesOff } = context;
  if (rulesOff.has("choose_build_side")) {
    return false;
  }
  // If both properties disable cost-based choices, the right side of the statement is the build side, as in Presto.
  if (session.joinReordering !== "AUTOMATIC" && session.joinDistribution !== "AUTOMATIC") {
    return false;
  }
  const [left, right] = [estimator.estimate(join.left), estimator.estimate(join.right)];
  if (!left.known || !right.known) {
    return false;
  }
  if (join.type === "INNER") {
    return left.rows < right.rows;
  }
  // A RIGHT join cannot broadcast its build side, so the flip only pays if the other side were too large to broadcast anyway.
  return join.type === "LEFT" && join.criteria.length > 0 && right.rows > knobOf(context, "broadcast-rows") && left.rows * 2 < right.rows;
}

function flip(join: JoinNode): JoinNode {
  return {
    ...join,
    type: join.type === "LEFT" ? "RIGHT" : join.type,
    left: join.right,
    right: join.left,
    criteria: join.criteria.map((c) => ({ left: c.right, right: c.left })),
  };
}

function distributionOf(join: JoinNode, context: RuleContext): JoinNode["distribution"] {
  if (join.criteria.length === 0) {
    return "REPLICATED";
  }
  if (join.type === "RIGHT" || join.type === "FULL") {
    return "PARTITIONED";
  }
  switch (context.session.joinDistribution) {
    case "BROADCAST":
      return "REPLICATED";
    case "PARTITIONED":
      return "PARTITIONED";
    case "AUTOMATIC":
      return isSmall(join.right, context) || isCheaperWhole(join, context) ? "REPLICATED" : "PARTITIONED";
  }
}

function chooseSemiJoin(node: SemiJoinNode, context: RuleContext): SemiJoinNode {
  const { joinDistribution } = context.session;
  const replicated = joinDistribution === "BROADCAST" || (joinDistribution === "AUTOMATIC" && isSmall(node.filtering, context));
  return replicated || !isSourceSmaller(node, context)
    ? { ...node, distribution: replicated ? "REPLICATED" : "PARTITIONED" }
    : { ...node, distribution: "PARTITIONED", build: "SOURCE" };
}

/**
 * Whether the rows of the source are fewer than the filtering side has, so that they become the build side. Arrays, maps and rows may hold
 * NULLs, and are compared by an operator of their own.
 */
function isSourceSmaller({ source, filtering, sourceKey }: SemiJoinNode, { estimator, rulesOff }: RuleContext): boolean {
  const [small, large] = [estimator.estimate(source), estimator.estimate(filtering)];
  return (
    !rulesOff.has("choose_semi_join_side") &&
    !isNested(sourceKey.type) &&
    small.known &&
    large.known &&
    small.rows * sourceRowFactor < large.rows
  );
}

function isSmall(node: PlanNode, context: RuleContext): boolean {
  const { estimator } = context;
  const { rows, known } = estimator.estimate(node);
  return known && rows <= knobOf(context, "broadcast-rows") && estimator.bytes(node) <= knobOf(context, "broadcast-bytes");
}

function isCheaperWhole({ left, right }: JoinNode, context: RuleContext): boolean {
  const { estimator } = context;
  const buildBytes = estimator.bytes(right);
  const known = estimator.estimate(left).known && estimator.estimate(right).known;
  return known && buildBytes <= knobOf(context, "broadcast-table-bytes") && buildBytes * broadcastCopies <= estimator.bytes(left);
}
