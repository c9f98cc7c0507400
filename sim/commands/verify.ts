/**
 * `npm run sim -- verify SEED`: repeats the seed in different environments; exit code 15 if a run differs.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { exitCodes } from "../checkers/violation.ts";
import type { ScenarioRegistry } from "../scenario.ts";
import { planOf, type Subject } from "../subject.ts";
import { parseTrace } from "../trace/trace.ts";
import { verifyChildFlag } from "../verify/child.ts";
import { findNodes, type FoundNode, missingNodes } from "../verify/nodes.ts";
import { VerifyProcessError } from "../verify/process.ts";
import { hostileSurroundings, notVaried } from "../verify/surroundings.ts";
import { describeDifference, type VerifiedRun, verify, type VerifyReport } from "../verify/verify.ts";
import { StatusLine } from "../status-line.ts";

export interface VerifyRequest {
  readonly scenarios: ScenarioRegistry;
  readonly subject: Subject;
  /** Number of runs in other environments; one of each kind if absent. */
  readonly runs?: number | undefined;
  /** Paths of other Node executables. */
  readonly nodes?: readonly string[] | undefined;
  readonly jobs?: number | undefined;
}

interface Options {
  readonly seed?: string;
  readonly scenario?: string;
  readonly trace?: string;
  readonly runs?: number;
  readonly node?: readonly string[];
  readonly jobs?: number;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function parseWhole(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 1 on");
  }
  return Number(text);
}

export function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** The subject that a seed, a scenario's name or a trace file define. Throws errors that the user can correct. */
export function subjectOf(options: { readonly seed?: string; readonly scenario?: string; readonly trace?: string }): Subject {
  if (options.trace !== undefined) {
    return { kind: "plan", plan: parseTrace(readFileSync(options.trace, "utf8")).plan };
  }
  if (options.scenario !== undefined) {
    return { kind: "scenario", name: options.scenario, seed: options.seed ?? "1" };
  }
  if (options.seed === undefined) {
    throw new Error("Nothing to run: give a seed, --scenario or --trace");
  }
  return { kind: "seed", seed: options.seed };
}

export function addVerifyCommand(program: Command, scenarios: ScenarioRegistry): void {
  program
    .command("verify")
    .description("repeat a seed in new processes with different environments, and find the first event that differs")
    .argument("[seed]", "the seed to repeat")
    .option("--scenario <name>", "a scenario from scenarios/; the seed varies its timing")
    .option("--trace <file>", "use the plan of a recorded trace")
    .option("--runs <N>", "number of runs (default: one of each kind of environment); further ones are mixtures", parseWhole)
    .option(
      "--node <path>",
      "another Node executable (repeatable; also ORRERY_NODES=PATH:PATH, and node20, node22, node24 on the PATH)",
      gather,
    )
    .option("--jobs <N>", "number of parallel runs (default: number of cores)", parseWhole)
    .action(async (seed: string | undefined, { node, runs, jobs, ...options }: Options) => {
      let subject: Subject;
      try {
        subject = subjectOf({ ...options, ...(seed === undefined ? {} : { seed }) });
        planOf(subject, scenarios);
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        process.exitCode = exitCodes.usage;
        return;
      }
      process.exitCode = await runVerify({ scenarios, subject, runs, jobs, nodes: node });
    });
}

/** Returns the exit code. */
export async function runVerify(request: VerifyRequest): Promise<number> {
  let nodes: readonly FoundNode[];
  try {
    nodes = findNodes(request.nodes ?? [], process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.usage;
  }
  const surroundings = hostileSurroundings({ nodes, runs: request.runs });
  const { scenarios, subject } = request;
  say(
    `verify ${subject.kind === "scenario" ? `${subject.name}, ` : ""}seed ${planOf(subject, scenarios).seed}, ${surroundings.length} times against a plain run on Node ${process.version}`,
  );
  const status = new StatusLine();
  let done = 0;
  const showProgress = (): void => status.show(() => `${done}/${surroundings.length} runs`);
  showProgress();
  try {
    const report = await verify({
      program: { file: process.argv[1] ?? "", args: [verifyChildFlag] },
      subject,
      surroundings,
      jobs: request.jobs ?? availableParallelism(),
      onRun: (run) => {
        status.clear();
        describeRun(run).forEach(say);
        done++;
        showProgress();
      },
    });
    status.clear();
    return summarize(report, nodes);
  } catch (error) {
    status.clear();
    if (error instanceof VerifyProcessError) {
      process.stderr.write(`The plain run did not end: ${error.message}\n`);
      return exitCodes.crash;
    }
    throw error;
  }
}

function describeRun({ surroundings, verdict }: VerifiedRun): readonly string[] {
  switch (verdict.kind) {
    case "same":
      return [`  same       ${surroundings.name}`];
    case "lost":
      return [`  NO ANSWER  ${surroundings.name}: ${verdict.reason}`];
    case "different":
      return [`  DIFFERENT  ${surroundings.name}`, ...describeDifference(verdict.difference, surroundings)];
  }
}

function summarize({ plain, runs }: VerifyReport, nodes: readonly FoundNode[]): number {
  for (const missing of missingNodes(nodes)) {
    const name = missing.toLowerCase().replace(" ", "");
    say(`not run: ${missing}: it was not found. Put ${name} on the PATH, list it in ORRERY_NODES, or give --node PATH`);
  }
  notVaried.forEach((what) => say(`not varied: ${what}`));
  const { violations } = JSON.parse(plain.outcome) as {
    readonly violations: readonly { readonly kind: string; readonly sentence: string }[];
  };
  const [violation] = violations;
  if (violation !== undefined) {
    say(`the run itself fails: ${violation.kind}: ${violation.sentence}`);
  }
  const count = (kind: string): number => runs.filter(({ verdict }) => verdict.kind === kind).length;
  say(`${plain.events} events, ${plain.checkpoints.length} checkpoints, fingerprint ${plain.fingerprint}`);
  if (count("different") > 0 || violation?.kind === "nondeterminism") {
    say(`FAIL nondeterminism: ${count("different")} of ${runs.length} runs differ`);
    return exitCodes.nondeterminism;
  }
  if (count("lost") > 0) {
    say(`FAIL crash: ${count("lost")} of ${runs.length} runs gave no answer`);
    return exitCodes.crash;
  }
  say(`PASS ${runs.length} runs, all equal`);
  return exitCodes.pass;
}
