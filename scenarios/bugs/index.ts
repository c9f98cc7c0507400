/**
 * The bug base: every true bug of the engine that the simulator found, as the smallest run that showed it. Each runs in the tests and must not fail again.
 * A new one is a file of its own and an entry here.
 */
import type { FailureKind } from "../../sim/oracles/violation.ts";
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

export const bugs: readonly Bug[] = [];
