/** Plans that were read from a file. */
import type { RunPlan } from "./plan.ts";

/** Says why a value is no plan; undefined if it has what every plan needs. */
export function planProblem(value: unknown): string | undefined {
  const plan = value as Partial<RunPlan> | null | undefined;
  const isPlan =
    typeof plan === "object" &&
    plan !== null &&
    typeof plan.seed === "string" &&
    plan.coordinator !== undefined &&
    Array.isArray(plan.workers) &&
    Array.isArray(plan.users) &&
    Array.isArray(plan.faults) &&
    plan.link !== undefined;
  return isPlan ? undefined : "it contains no plan: it needs seed, coordinator, workers, link, users and faults";
}
