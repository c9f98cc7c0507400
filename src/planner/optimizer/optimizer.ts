/**
 * The optimizer's list of rules, in order. The plan is validated after each rule.
 */
import type { Steps } from "../pieces.ts";
import type { PlanNode } from "../plan/node.ts";
import { aggregateBeforeJoin } from "./rules/join/aggregate-before-join.ts";
import { chooseDistribution } from "./rules/join/choose-distribution.ts";
import { combineAggregations } from "./rules/join/combine-aggregations.ts";
import { dynamicFilters } from "./rules/dynamic-filters.ts";
import { eliminateCrossJoins } from "./rules/join/eliminate-cross-joins.ts";
import { foldConstants } from "./rules/fold-constants.ts";
import { groupDistinct } from "./rules/group-distinct.ts";
import { joinRowKeys } from "./rules/join/join-row-keys.ts";
import { mergeProjections } from "./rules/merge-projections.ts";
import { mergeWindows } from "./rules/merge-windows.ts";
import { pruneColumns } from "./rules/prune-columns.ts";
import { pushIntoConnectors } from "./rules/push-into-connectors.ts";
import { pushLimits } from "./rules/push-limits.ts";
import { pushPredicates } from "./rules/push-predicates.ts";
import { reduceGroupingKeys } from "./rules/reduce-grouping-keys.ts";
import { removeEmpty } from "./rules/remove-empty.ts";
import { reorderJoins } from "./rules/join/reorder-joins.ts";
import type { Rule, RuleContext } from "./rules/rule.ts";
import { turnSemiJoins } from "./rules/join/turn-semi-joins.ts";
import { useWindows } from "./rules/join/use-windows.ts";
import { validateInSteps } from "../plan/validate.ts";

export const optimizerRules: readonly Rule[] = Object.freeze([
  foldConstants,
  pushPredicates,
  foldConstants,
  removeEmpty,
  joinRowKeys,
  pruneColumns,
  turnSemiJoins,
  mergeProjections,
  combineAggregations,
  useWindows,
  eliminateCrossJoins,
  reorderJoins,
  groupDistinct,
  aggregateBeforeJoin,
  reduceGroupingKeys,
  pruneColumns,
  mergeProjections,
  pushLimits,
  mergeProjections,
  pruneColumns,
  mergeProjections,
  mergeWindows,
  pushIntoConnectors,
  chooseDistribution,
]);

/** Rules over a plan that contains its exchanges and therefore shows the fragments it will be cut into. */
export const distributedRules: readonly Rule[] = Object.freeze([dynamicFilters]);

/** Rule by rule. `inPieces`: long rules in pieces, as the plan of a long statement takes a second. */
export function* optimizeByRules(plan: PlanNode, context: RuleContext, inPieces: boolean): Steps<PlanNode> {
  const sound = new Set<PlanNode>();
  yield* validateInSteps(plan, "analysis", sound);
  return yield* applyRules(optimizerRules, plan, context, { sound, inPieces });
}

export function* optimizeDistributedInSteps(plan: PlanNode, context: RuleContext): Steps<PlanNode> {
  const sound = new Set<PlanNode>();
  yield* validateInSteps(plan, "adding exchanges", sound);
  return yield* applyRules(distributedRules, plan, context, { sound, inPieces: false });
}

function* applyRules(
  rules: readonly Rule[],
  plan: PlanNode,
  context: RuleContext,
  { sound, inPieces }: { readonly sound: Set<PlanNode>; readonly inPieces: boolean },
): Steps<PlanNode> {
  let current = plan;
  for (const rule of rules) {
    if (context.rulesOff.has(rule.name)) {
      continue;
    }
    yield;
    const next: PlanNode = inPieces && rule.inPieces !== undefined ? yield* rule.inPieces(current, context) : rule.apply(current, context);
    if (next !== current) {
      yield;
      yield* validateInSteps(next, rule.name, sound);
    }
    current = next;
  }
  return current;
}
