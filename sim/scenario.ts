/** A story told as data: cluster, users, faults, and what must hold in addition to what every run is checked for. */
import type { RunPlan } from "./plan.ts";

export interface Scenario {
  readonly name: string;
  /** What happens and why it is hard, in a sentence or two. */
  readonly story: string;
  /** The seed varies the timing inside the story. */
  readonly plan: (seed: string) => RunPlan;
}

/** The scenarios that the program knows, handed in where it begins: the simulator imports none of them. */
export interface ScenarioRegistry {
  /** Stories and past bugs: what must hold. */
  names(): readonly string[];
  /** By name, among those that were found and not looked at yet as well. */
  find(name: string): Scenario | undefined;
}

/** For people. */
export function unknownScenario(name: string, scenarios: ScenarioRegistry): string {
  return `Unknown scenario '${name}'; one of: ${scenarios.names().join(", ")}`;
}
