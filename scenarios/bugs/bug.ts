/**
 * An entry of the bug base.
 */
import type { FailureKind } from "../../sim/checkers/violation.ts";
import type { Scenario } from "../scenario.ts";

export interface Bug {
  readonly scenario: Scenario;
  /** How the bug was detected before it was fixed: the oracle and its sentence. */
  readonly noticed: { readonly kind: FailureKind; readonly oracle: string; readonly sentence: string };
  /** The fault and its place in the code. */
  readonly cause: string;
  /** Date of the fix, as 2026-11-22. */
  readonly fixed: string;
}
