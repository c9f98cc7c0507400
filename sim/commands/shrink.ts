/**
 * `npm run sim -- shrink SEED`: shrinks a failing run, prints its story, and writes it as a scenario with a regression test.
 */
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { exitCodes } from "../checkers/violation.ts";
import type { ScenarioRegistry } from "../scenario.ts";
import { writeScenario } from "../shrink/scenario-file.ts";
import { describeShrunk, tellStory } from "../shrink/report.ts";
import { ChildLaboratory } from "../shrink/trial.ts";
import { addPlanSource, parseBudget, parseSeconds, planOrComplaint, type PlanSourceOptions } from "./plan-source.ts";
import { shrinkWithin } from "./shrink-within.ts";

interface Options extends PlanSourceOptions {
  /** Time budget in seconds. */
  readonly budget: number;
  readonly jobs?: number;
  readonly out?: string;
  readonly write: boolean;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function addShrinkCommand(program: Command, scenarios: ScenarioRegistry): void {
  addPlanSource(
    program
      .command("shrink")
      .description("shrink a failing run to a story of a few events, and write it as a scenario with a regression test"),
  )
    .option("--budget <time>", "time budget; keeps the smallest run so far: 55s, 2m", parseBudget, 55)
    .option("--jobs <N>", "number of processes (default: number of cores)", parseSeconds)
    .option("--out <file>", "file of the scenario (default: scenarios/found/NAME.json)")
    .option("--no-write", "only print the story")
    .action(async (seed: string | undefined, options: Options, command: Command) => {
      process.exitCode = await act(seed, command.optsWithGlobals(), scenarios);
      void options;
    });
}

async function act(seed: string | undefined, options: Options, scenarios: ScenarioRegistry): Promise<number> {
  const source = planOrComplaint(seed, options, scenarios);
  if (source === undefined) {
    return exitCodes.usage;
  }
  const started = performance.now();
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const laboratory = new ChildLaboratory(options.jobs ?? availableParallelism());
  const shrunk = await shrinkWithin(source, { budgetSeconds: options.budget, laboratory, stop: stop.signal }).finally(() => {
    process.off("SIGINT", interrupt);
    laboratory.close();
  });
  if (shrunk.kind === "passes") {
    say(
      `${source.title} passes (${shrunk.events} events): there is nothing to shrink. Give a failing run, for example one that a sweep reports.`,
    );
    return exitCodes.pass;
  }
  if (shrunk.kind === "lost") {
    process.stderr.write(`${source.title} cannot be shrunk: ${shrunk.reason}\n`);
    return exitCodes.crash;
  }
  say(describeShrunk(shrunk, { seconds: (performance.now() - started) / 1000, budgetSeconds: options.budget }));
  const story = await tellStory(shrunk.plan, shrunk.signature);
  say(story.join("\n"));
  if (options.write) {
    for (const line of writeScenario(shrunk, { from: source, ...(options.out === undefined ? {} : { file: options.out }) })) {
      say(line);
    }
  }
  return exitCodes[shrunk.violation.kind];
}
