/** A run as the page shows it: its entries, and facts about it. */
import type { RunPlan } from "../plan.ts";
import { describePlan } from "../result.ts";
import type { Entry, RunFacts } from "./page/model/format.ts";

export interface ViewedRun {
  readonly facts: RunFacts;
  readonly entries: readonly Entry[];
}

export function factsOf(
  plan: RunPlan,
  known: { readonly name: string; readonly resultText: string; readonly fingerprint: string; readonly events: number },
): RunFacts {
  return {
    name: known.name,
    planText: describePlan(plan),
    resultText: known.resultText,
    fingerprint: known.fingerprint,
    events: known.events,
    users: plan.users.map(({ name }) => name),
    coordinators: [plan.coordinator.name],
    workers: plan.workers.map(({ name }) => name),
  };
}
