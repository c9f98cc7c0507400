/** `npm run sim -- verify SEED`: the seed again in hostile surroundings; exit code 15 where it is not the same run. */
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
  /** Hostile runs; one of each kind otherwise. */
  readonly runs?: number | undefined;
  /** Paths of other Nodes. */
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

/** What a seed, a scenario's name or a trace's file mean together. Throws what a person can mend. */
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
    .description(
      "run a seed in fresh processes with everything different that it must not notice, and find the first event that is not the same",
    )
    .argument("[seed]")
    .option("--scenario <name>", "a story from scenarios/ instead; the seed varies it")
    .option("--trace <file>", "the plan of a recorded trace instead")
    .option("--runs <N>", "so many hostile runs; one of each kind otherwise, past them mixtures", parseWhole)
    .option(
      "--node <path>",
      "another Node to run it on (repeatable; also ORRERY_NODES=PATH:PATH, and node20, node22, node24 on the PATH)",
      gather,
    )
    .option("--jobs <N>", "runs at a time; as many as there are cores otherwise", parseWhole)
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
    say(`not run: ${missing}, which was not found; put ${name} on the PATH, name it in ORRERY_NODES or give --node PATH`);
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
  say(`PASS ${runs.length} runs, all the same`);
  return exitCodes.pass;
}
