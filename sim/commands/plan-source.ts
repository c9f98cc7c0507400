/**
 * Sources of a plan on the command line: a seed, a scenario, a trace, or a file with the plan.
 */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { drawRun } from "../draw/draw.ts";
import { planProblem } from "../plan-document.ts";
import type { RunPlan } from "../plan.ts";
import { type ScenarioRegistry, unknownScenario } from "../scenario.ts";
import { readTrace } from "../trace/trace-file.ts";

export interface PlanSourceOptions {
  readonly scenario?: string;
  readonly seed?: string;
  readonly trace?: string;
  readonly plan?: string;
}

export interface PlanSource {
  readonly plan: RunPlan;
  /** Title: `seed 85`, `scenario worker-crash`. */
  readonly title: string;
  /** Options of `npm run sim --` that repeat the run. */
  readonly command: string;
}

export function addPlanSource(command: Command): Command {
  return command
    .argument("[seed]", "the failing seed")
    .option("--scenario <name>", "a scenario from scenarios/ (--seed varies its timing)")
    .option("--seed <seed>", "seed of the scenario")
    .option("--trace <file>", "use the plan of a recorded trace")
    .option("--plan <file>", "use a plan from a JSON file");
}

/** Returns the plan; undefined if the command line names none, after reporting the error. */
export function planOrComplaint(seed: string | undefined, options: PlanSourceOptions, scenarios: ScenarioRegistry): PlanSource | undefined {
  try {
    return planFrom(seed, options, scenarios);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

/** Throws Error with the problem and the expected form. */
function planFrom(seed: string | undefined, options: PlanSourceOptions, scenarios: ScenarioRegistry): PlanSource {
  const given = [seed, options.scenario, options.trace, options.plan].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw new Error(
      given.length === 0
        ? "Nothing to run: give a seed, --scenario, --trace or --plan (see --help)"
        : "Give one of: a seed, --scenario, --trace, --plan",
    );
  }
  if (options.scenario !== undefined) {
    const scenario = scenarios.find(options.scenario);
    if (scenario === undefined) {
      throw new Error(unknownScenario(options.scenario, scenarios));
    }
    const variant = options.seed ?? "1";
    return {
      plan: scenario.plan(variant),
      title: `scenario ${scenario.name}, seed ${variant}`,
      command: `--scenario ${scenario.name} --seed ${variant}`,
    };
  }
  if (options.trace !== undefined) {
    return { plan: readTrace(options.trace).plan, title: `trace ${options.trace}`, command: `--replay ${options.trace}` };
  }
  if (options.plan !== undefined) {
    return { plan: readPlan(options.plan), title: `plan ${options.plan}`, command: `--plan ${options.plan}` };
  }
  return { plan: drawRun(seed ?? ""), title: `seed ${seed ?? ""}`, command: `--seed ${seed ?? ""}` };
}

/** Throws Error with the file's name if it contains no plan. */
export function readPlan(file: string): RunPlan {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`cannot read the plan ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const problem = planProblem(value);
  if (problem !== undefined) {
    throw new Error(`cannot read the plan ${file}: ${problem}`);
  }
  return value as RunPlan;
}

/** Parses `55s`, `2m`, or a number of seconds. */
export function parseBudget(text: string): number {
  const [, count, unit] = /^(\d{1,6})(s|m|)$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0) {
    throw new InvalidArgumentError("expected a duration such as 55s or 2m");
  }
  return Number(count) * (unit === "m" ? 60 : 1);
}

export function parseSeconds(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError("expected a whole number of seconds from 1 on");
  }
  return Number(text);
}
