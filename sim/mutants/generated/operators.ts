/**
 * The mutation operators. Each has a weight for one of its sites: sites of frequent syntax weigh less, so that a sample holds all kinds of
 * bugs.
 */
import type { Operator } from "./edit.ts";
import { combineConditions, dropCondition, dropElse, moveBoundary, negateCondition, takeOneBranch } from "./operators/conditions.ts";
import { changeArithmetic, changeUnit, flipBoolean, offByOne, otherEndOfList } from "./operators/numbers.ts";
import {
  changeJump,
  dropCase,
  dropConditional,
  dropGuard,
  dropMember,
  dropStatement,
  emptyCatch,
  forgetCleanup,
  forgetSort,
  returnEarly,
  skipAwait,
} from "./operators/statements.ts";
import { reuseStaleValue, swapArguments } from "./operators/values.ts";

interface NamedOperator {
  readonly name: string;
  readonly weight: number;
  readonly propose: Operator;
}

export const operators: readonly NamedOperator[] = [
  { name: "negate-condition", weight: 1, propose: negateCondition },
  { name: "move-boundary", weight: 3, propose: moveBoundary },
  { name: "combine-conditions", weight: 1, propose: combineConditions },
  { name: "take-one-branch", weight: 0.6, propose: takeOneBranch },
  { name: "drop-else", weight: 3, propose: dropElse },
  { name: "drop-condition", weight: 1, propose: dropCondition },
  { name: "drop-guard", weight: 2, propose: dropGuard },
  { name: "drop-conditional", weight: 2, propose: dropConditional },
  { name: "off-by-one", weight: 0.4, propose: offByOne },
  { name: "change-unit", weight: 0.6, propose: changeUnit },
  { name: "change-arithmetic", weight: 0.6, propose: changeArithmetic },
  { name: "flip-boolean", weight: 1, propose: flipBoolean },
  { name: "other-end", weight: 1, propose: otherEndOfList },
  { name: "forget-cleanup", weight: 4, propose: forgetCleanup },
  { name: "drop-statement", weight: 1, propose: dropStatement },
  { name: "forget-sort", weight: 6, propose: forgetSort },
  { name: "skip-await", weight: 3, propose: skipAwait },
  { name: "return-early", weight: 0.6, propose: returnEarly },
  { name: "change-jump", weight: 3, propose: changeJump },
  { name: "drop-case", weight: 1, propose: dropCase },
  { name: "empty-catch", weight: 6, propose: emptyCatch },
  { name: "drop-member", weight: 0.4, propose: dropMember },
  { name: "swap-arguments", weight: 0.5, propose: swapArguments },
  { name: "reuse-stale-value", weight: 4, propose: reuseStaleValue },
];
