/**
 * `npm run sim -- explain SEED`: the path to a violation as a story, and the faults, messages and orders that it needs.
 */
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { describeCounterfactuals } from "../explain/counterfactuals.ts";
import { explain } from "../explain/explain.ts";
import { describeStory } from "../explain/story.ts";
import { exitCodes } from "../checkers/violation.ts";
import type { RunPlan } from "../plan.ts";
import type { ScenarioRegistry } from "../scenario.ts";
import { describeShrunk } from "../shrink/report.ts";
import { type Signature, signatureOf } from "../shrink/signature.ts";
import { ChildLaboratory, type Laboratory } from "../shrink/trial.ts";
import { addPlanSource, parseBudget, parseSeconds, type PlanSource, planOrComplaint, type PlanSourceOptions } from "./plan-source.ts";
import { Deadline } from "./deadline.ts";
import { shrinkWithin } from "./shrink-within.ts";
import { StatusLine } from "../status-line.ts";

interface Options extends PlanSourceOptions {
  /** Time budget in seconds. */
  readonly budget: number;
  readonly redraws: number;
  readonly jobs?: number;
  /** False with --no-shrink. */
  readonly shrink: boolean;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function addExplainCommand(program: Command, scenarios: ScenarioRegistry): void {
  addPlanSource(
    program.command("explain").description("explain how a run led to its violation, and which parts of the run the violation needs"),
  )
    .option("--no-shrink", "explain the run without shrinking it first")
    .option("--budget <time>", "time budget for shrinking, and again for the counterfactual runs: 55s, 2m", parseBudget, 55)
    .option("--redraws <N>", "runs of each alternative with redrawn latencies", parseSeconds, 40)
    .option("--jobs <N>", "number of processes (default: number of cores)", parseSeconds)
    .action(async (seed: string | undefined, _: Options, command: Command) => {
      process.exitCode = await act(seed, command.optsWithGlobals(), scenarios);
    });
}

async function act(seed: string | undefined, options: Options, scenarios: ScenarioRegistry): Promise<number> {
  const source = planOrComplaint(seed, options, scenarios);
  if (source === undefined) {
    return exitCodes.usage;
  }
  const laboratory = new ChildLaboratory(options.jobs ?? availableParallelism());
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    const found = await findFailure(source, options, { laboratory, stop: stop.signal });
    return typeof found === "number" ? found : await tell(found, options, { laboratory, stop: stop.signal });
  } finally {
    process.off("SIGINT", interrupt);
    laboratory.close();
  }
}

interface Means {
  readonly laboratory: Laboratory;
  readonly stop: AbortSignal;
}

interface Failure {
  readonly plan: RunPlan;
  readonly signature: Signature;
}

/** Returns an exit code if there is nothing to explain. */
async function findFailure(source: PlanSource, options: Options, { laboratory, stop }: Means): Promise<Failure | number> {
  if (!options.shrink) {
    const { violation, lost } = await laboratory.try({ plan: source.plan });
    if (lost !== undefined) {
      return cannot(source, lost);
    }
    return violation === undefined ? passes(source) : { plan: source.plan, signature: signatureOf(violation) };
  }
  const started = performance.now();
  const shrunk = await shrinkWithin(source, { budgetSeconds: options.budget, laboratory, stop });
  if (shrunk.kind === "passes") {
    return passes(source);
  }
  if (shrunk.kind === "lost") {
    return cannot(source, shrunk.reason);
  }
  say(describeShrunk(shrunk, { seconds: (performance.now() - started) / 1000, budgetSeconds: options.budget }));
  return shrunk;
}

function passes({ title }: PlanSource): number {
  say(`${title} passes: there is no violation to explain. Give a failing run, for example one that a sweep reports.`);
  return exitCodes.pass;
}

function cannot({ title }: PlanSource, reason: string): number {
  process.stderr.write(`${title} cannot be explained: ${reason}\n`);
  return exitCodes.crash;
}

async function tell({ plan, signature }: Failure, options: Options, { laboratory, stop }: Means): Promise<number> {
  const deadline = new Deadline(options.budget, stop);
  const status = new StatusLine();
  const explanation = await explain(plan, {
    laboratory,
    signature,
    redrawsMax: options.redraws,
    signal: deadline.signal,
    onRun: (done, all) => {
      status.show(() => `${done} of ${all} counterfactual runs`);
    },
  }).finally(() => deadline.clear());
  status.clear();
  if (explanation === undefined) {
    process.stderr.write("The run failed in another process and does not fail in this one: try --verify\n");
    return exitCodes.nondeterminism;
  }
  const { story, counterfactuals: rows, violation } = explanation;
  say(`Path to the violation (${story.events} events precede it):`);
  say(describeStory(story).join("\n"));
  say("\nCounterfactual runs:");
  say(describeCounterfactuals(rows).join("\n"));
  return exitCodes[violation.kind];
}
