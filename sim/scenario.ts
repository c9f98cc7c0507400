/**
 * A scenario as data: cluster, users, faults, and expectations in addition to the invariants of every run.
 */
import type { RunPlan } from "./plan.ts";

export interface Scenario {
  readonly name: string;
  /** What happens and why it is difficult, in a sentence or two. */
  readonly story: string;
  /** The seed varies the timing within the scenario. */
  readonly plan: (seed: string) => RunPlan;
}

/** The scenarios that the program knows, handed in where it begins: the simulator imports none of them. */
export interface ScenarioRegistry {
  /** Names of scenarios and past bugs, which must hold. */
  names(): readonly string[];
  /** Finds a scenario by name, including found failures that are not yet analysed. */
  find(name: string): Scenario | undefined;
}

/** For people. */
export function unknownScenario(name: string, scenarios: ScenarioRegistry): string {
  return `Unknown scenario '${name}'; one of: ${scenarios.names().join(", ")}`;
}
