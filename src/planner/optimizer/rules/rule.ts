/** What a rule of the optimiser is: a pure function from plan to plan that keeps the rows. The optimiser runs them in order and validates after each. */
import type { ConstantValue, RowExpression } from "../../plan/typed-expression.ts";
import type { PlanIds } from "../../plan/ids.ts";
import type { PlanNode } from "../../plan/node.ts";
import type { Estimator } from "../stats/stats-calculator.ts";

export interface RuleContext {
  readonly ids: PlanIds;
  readonly estimator: Estimator;
  readonly session: JoinOptions;
  /** Throws QueryError. */
  readonly evaluateConstant: (expression: RowExpression) => ConstantValue;
}

export interface JoinOptions {
  /** Whether joins tell scans on their probe side what they have built. */
  readonly dynamicFiltering: boolean;
  readonly joinDistribution: "AUTOMATIC" | "PARTITIONED" | "BROADCAST";
  /** NONE: as the statement says. ELIMINATE_CROSS_JOINS: that, without the products that its order makes and another does not. AUTOMATIC: by estimates. */
  readonly joinReordering: "NONE" | "ELIMINATE_CROSS_JOINS" | "AUTOMATIC";
}

export interface Rule {
  readonly name: string;
  apply(plan: PlanNode, context: RuleContext): PlanNode;
}
