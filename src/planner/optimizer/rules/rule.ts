/**
 * An optimizer rule: a pure function from plan to plan that preserves the result rows.
 */
import type { Steps } from "../../pieces.ts";
import type { ConnectorMetadata } from "../../../connectors/spi.ts";
import type { Knobs } from "../../../ports/knobs.ts";
import type { ConstantValue, RowExpression } from "../../plan/typed-expression.ts";
import type { PlanIds } from "../../plan/ids.ts";
import type { PlanNode } from "../../plan/node.ts";
import type { RuleName, RulesOff } from "../rule-table.ts";
import type { Estimator } from "../stats/stats-calculator.ts";

export interface RuleContext {
  readonly ids: PlanIds;
  readonly estimator: Estimator;
  readonly session: JoinOptions;
  /** Rules that the session switched off. The optimizer skips them; rules ask here about choices of their own. */
  readonly rulesOff: RulesOff;
  /** The defaults if absent. */
  readonly knobs?: Knobs | undefined;
  /** Metadata of a catalog's connector; absent: no operation is pushed into connectors. */
  readonly metadataOf?: (catalog: string) => ConnectorMetadata | undefined;
  /** Throws QueryError if the evaluation fails. */
  readonly evaluateConstant: (expression: RowExpression) => ConstantValue;
}

export interface JoinOptions {
  /** Whether joins send dynamic filters to scans on their probe side. */
  readonly dynamicFiltering: boolean;
  readonly joinDistribution: "AUTOMATIC" | "PARTITIONED" | "BROADCAST";
  /**
   * The session property join_reordering_strategy. NONE keeps the order of the statement; ELIMINATE_CROSS_JOINS changes it only to avoid
   * cross joins; AUTOMATIC uses estimates.
   */
  readonly joinReordering: "NONE" | "ELIMINATE_CROSS_JOINS" | "AUTOMATIC";
}

export interface Rule {
  readonly name: RuleName;
  apply(plan: PlanNode, context: RuleContext): PlanNode;
  /** As `apply`, for the plans of long statements; yields where they may be left for a turn. Absent if the rule takes little time. */
  inPieces?(plan: PlanNode, context: RuleContext): Steps<PlanNode>;
}
