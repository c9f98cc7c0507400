/** What the bug base keeps of a bug. */
import type { FailureKind } from "../../sim/checkers/violation.ts";
import type { Scenario } from "../scenario.ts";

export interface Bug {
  readonly scenario: Scenario;
  /** How it was noticed: the oracle and its sentence, before it was fixed. */
  readonly noticed: { readonly kind: FailureKind; readonly oracle: string; readonly sentence: string };
  /** What was wrong, and where. */
  readonly cause: string;
  /** The day it was fixed, as 2026-11-22. */
  readonly fixed: string;
}
