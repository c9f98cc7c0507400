/**
 * Explains why a run fails: its story, and the parts that the failure needs.
 */
import type { TraceEntry } from "../world/world.ts";
import type { Violation } from "../checkers/violation.ts";
import type { RunPlan } from "../plan.ts";
import { runPlan } from "../run.ts";
import { withListedFates } from "../shrink/messages.ts";
import { failsTheSame, isSame, type Signature } from "../shrink/signature.ts";
import type { Laboratory } from "../shrink/trial.ts";
import type { Sabotage } from "../world/network.ts";
import { Causes } from "../trace/causes.ts";
import { alternativesTo } from "./alternatives.ts";
import { type Counterfactual, counterfactuals } from "./counterfactuals.ts";
import { type Story, storyOf } from "./story.ts";

export interface ExplainOptions {
  readonly laboratory: Laboratory;
  readonly signature: Signature;
  readonly redrawsMax: number;
  readonly signal?: AbortSignal;
  readonly onRun?: (done: number, all: number) => void;
  readonly sabotage?: Sabotage;
}

export interface Explanation {
  /** The plan with every message's fate listed. */
  readonly plan: RunPlan;
  readonly violation: Violation;
  readonly story: Story;
  readonly counterfactuals: readonly Counterfactual[];
}

/** Returns undefined if the plan does not fail in this way. */
export async function explain(given: RunPlan, options: ExplainOptions): Promise<Explanation | undefined> {
  const { laboratory, signature, redrawsMax, signal, onRun, sabotage } = options;
  const entries: TraceEntry[] = [];
  const result = await runPlan(given, {
    sabotage,
    trace: (entry) => entries.push(entry),
    stopAt: (violation) => isSame(signature, violation),
  });
  const violation = failsTheSame(signature, result.violations);
  const story = storyOf(entries, signature.oracle);
  if (violation === undefined || story === undefined) {
    return undefined;
  }
  const plan = given.fates === undefined ? withListedFates(given, result.fates) : given;
  const alternatives = alternativesTo(plan, new Causes(entries), signature.oracle);
  const rows = await counterfactuals(plan, alternatives, {
    laboratory,
    signature,
    redrawsMax,
    eventsMax: 2 * result.events + 5_000,
    signal,
    onRun,
  });
  return { plan, violation, story, counterfactuals: rows };
}
