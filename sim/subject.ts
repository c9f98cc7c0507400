/**
 * The smallest description of a run: a seed or scenario from which the plan is drawn, or the plan itself.
 */
import { drawRun } from "./draw/draw.ts";
import type { RunPlan } from "./plan.ts";
import { type ScenarioRegistry, unknownScenario } from "./scenario.ts";

export type Subject =
  | { readonly kind: "seed"; readonly seed: string }
  | { readonly kind: "scenario"; readonly name: string; readonly seed: string }
  | { readonly kind: "plan"; readonly plan: RunPlan };

/** Throws if the scenario does not exist. */
export function planOf(subject: Subject, scenarios: ScenarioRegistry): RunPlan {
  switch (subject.kind) {
    case "seed":
      return drawRun(subject.seed);
    case "scenario": {
      const scenario = scenarios.find(subject.name);
      if (scenario === undefined) {
        throw new Error(unknownScenario(subject.name, scenarios));
      }
      return scenario.plan(subject.seed);
    }
    case "plan":
      return subject.plan;
  }
}

/** Command-line options of the subject: `--scenario worker-crash --seed 7`. */
export function optionsOf(subject: Subject): string {
  switch (subject.kind) {
    case "seed":
      return `--seed ${subject.seed}`;
    case "scenario":
      return `--scenario ${subject.name} --seed ${subject.seed}`;
    case "plan":
      return `--seed ${subject.plan.seed}`;
  }
}
