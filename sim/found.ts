/**
 * Scenarios that `shrink` wrote: JSON files of a folder, read when a scenario is looked for. A file that cannot be read is reported and
 * left out, so that it breaks nothing else.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { planProblem } from "./plan-document.ts";
import type { RunPlan } from "./plan.ts";
import type { Scenario, ScenarioRegistry } from "./scenario.ts";

/** Below the folder in which the program runs. */
export const foundFolder = "scenarios/found";

/** Content of a file. */
export interface FoundScenario {
  readonly name: string;
  readonly story: string;
  /** What it was shrunk from: `seed 24`. */
  readonly shrunkFrom: string;
  readonly plan: RunPlan;
}

/** Throws an Error that says what is wrong with the file. */
export function readFoundScenario(file: string): Scenario {
  const value = JSON.parse(readFileSync(file, "utf8")) as Partial<FoundScenario> | null;
  const { name, story, plan } = value ?? {};
  const problem = typeof name !== "string" || typeof story !== "string" ? "it has no name and story" : planProblem(plan);
  if (problem !== undefined) {
    throw new Error(problem);
  }
  return { name: name as string, story: story as string, plan: () => plan as RunPlan };
}

/** The registry with the scenarios of the folder behind its own. `warn` receives a sentence for each file that cannot be read. */
export function withFound(registry: ScenarioRegistry, folder: string, warn: (sentence: string) => void): ScenarioRegistry {
  return {
    names: registry.names,
    find: (name) => registry.find(name) ?? foundIn(folder, warn).find((scenario) => scenario.name === name),
  };
}

function foundIn(folder: string, warn: (sentence: string) => void): readonly Scenario[] {
  return fileNames(folder).flatMap((name) => {
    try {
      return [readFoundScenario(join(folder, name))];
    } catch (error) {
      warn(`Left out ${join(folder, name)}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
}

function fileNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    // Without the folder nothing was found yet.
    return [];
  }
}
