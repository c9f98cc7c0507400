/**
 * `npm run sim -- hunt`: searches for failing runs, and writes the plan of each kind of failure to a file.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { exitCodes } from "../checkers/violation.ts";
import { readPlan } from "../commands/plan-source.ts";
import { BranchWorkshop } from "../coverage/branches/program.ts";
import type { BranchAnswer, BranchQuestion } from "../coverage/branches/subject.ts";
import { projectRoot } from "../mutants/bank.ts";
import type { RunPlan } from "../plan.ts";
import { Pool } from "../pool.ts";
import { StatusLine } from "../status-line.ts";
import { compareStrategies } from "./compare.ts";
import type { Kept } from "./corpus.ts";
import { countedIn, type Failure, Hunt, type Strategy, strategies } from "./hunt.ts";

export interface HuntCommandOptions {
  readonly minutes?: number;
  readonly runs?: number;
  readonly huntSeed: string;
  readonly jobs: number;
  readonly corpus?: string;
  readonly out: string;
  readonly strategy: Strategy;
  readonly json?: string;
  readonly compare?: boolean;
  readonly mutants: number;
  readonly mutationSeed?: number;
}

/** Real-time limit for one run, in milliseconds. */
const runGuardMs = 300_000;
const interruptedCode = 130;

function parseMinutes(text: string): number {
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError("expected minutes, such as 10 or 0.5");
  }
  return Number(text);
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 1 on");
  }
  return Number(text);
}

function parseStrategy(text: string): Strategy {
  const found = strategies.find((name) => name === text);
  if (found === undefined) {
    throw new InvalidArgumentError(`expected one of ${strategies.join(", ")}`);
  }
  return found;
}

export function addHuntCommand(program: Command): void {
  program
    .command("hunt")
    .description(
      "search for failing runs: keep plans whose runs reach new branches or pairs, change them, and write the plan of each failure",
    )
    .option("--minutes <N>", "start no run after N minutes", parseMinutes)
    .option("--runs <N>", "end after N runs; the same number and seed give the same hunt", parseCount)
    .option("--hunt-seed <seed>", "seed of the hunt", "1")
    .option("--jobs <N>", "number of processes, at most 8 (default: number of cores)", parseCount, availableParallelism())
    .option("--corpus <dir>", "start from the plans in this folder, and write the kept plans to it")
    .option("--out <dir>", "folder for the plans of failures", "var/hunt")
    .option(
      "--strategy <name>",
      `${strategies.join(", ")}: search, drawn seeds alone, or drawn seeds with a schedule each`,
      parseStrategy,
      "hunt",
    )
    .option("--json <file>", "write the result as JSON")
    .option("--compare", "plant bugs and compare the strategies: found within --minutes (default 1) of each")
    .option("--mutants <N>", "with --compare: number of planted bugs", parseCount, 12)
    .option("--mutation-seed <S>", "with --compare: generated mutants of this seed, instead of those of the bank", parseCount)
    .action(async (options: HuntCommandOptions) => {
      process.exitCode = await act(options);
    });
}

async function act(options: HuntCommandOptions): Promise<number> {
  if (options.compare === true) {
    return compareStrategies({ ...options, minutes: options.minutes ?? 1 });
  }
  if (options.minutes === undefined && options.runs === undefined) {
    process.stderr.write("Give --minutes N or --runs N\n");
    return exitCodes.usage;
  }
  return hunt(options);
}

async function hunt({ minutes, runs, huntSeed, jobs, corpus, out, strategy, json }: HuntCommandOptions): Promise<number> {
  const plans = corpus === undefined ? [] : plansIn(corpus);
  const workshop = new BranchWorkshop();
  const { file, branches } = await workshop.build({ root: projectRoot() });
  const pool = new Pool<BranchQuestion, BranchAnswer>({ program: file, flags: [], size: jobs, guardMs: runGuardMs });
  const status = new StatusLine();
  let stopped = false;
  const interrupt = (): void => {
    stopped = true;
    pool.close();
  };
  process.once("SIGINT", interrupt);
  const found = new Map<Failure, string>();
  const hunted = new Hunt({
    seed: huntSeed,
    strategy,
    runsMax: runs,
    width: pool.size,
    ask: (question) => pool.ask(question),
    isCounted: countedIn(branches),
    plans,
    isOver: () => stopped || (minutes !== undefined && status.seconds >= minutes * 60),
    onRun: (one) => status.show(() => describeProgress(one, status.seconds)),
    onKept: (kept) => (corpus === undefined ? undefined : save(corpus, kept)),
    onFailure: (failure) => {
      if (stopped) {
        return;
      }
      const path = writePlan(out, failure);
      found.set(failure, path);
      status.clear();
      const { violation, origin, run } = failure;
      process.stdout.write(
        `run ${run} (${origin}): FAIL ${violation.kind} [${violation.oracle}] ${violation.sentence}\n  ${commandOf(path)}\n`,
      );
    },
  });
  try {
    await hunted.run();
  } finally {
    process.off("SIGINT", interrupt);
    pool.close();
    workshop.close();
    status.clear();
  }
  process.stdout.write(`${describeHunt(hunted, { seconds: status.seconds, found }).join("\n")}\n`);
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify(dataOf(hunted, { seconds: status.seconds, found }), null, 1)}\n`);
  }
  const [first] = found.keys();
  return stopped ? interruptedCode : first === undefined ? exitCodes.pass : exitCodes[first.violation.kind];
}

/** Throws an Error that names a file without a plan. */
function plansIn(folder: string): readonly RunPlan[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.filter((name) => name.endsWith(".json")).map((name) => readPlan(join(folder, name)));
}

function save(folder: string, { id, plan }: Kept): void {
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(plan)}\n`;
  const path = join(folder, `${String(id).padStart(5, "0")}-${hashOf(text)}.json`);
  writeFileSync(path, text);
}

function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

function writePlan(folder: string, { plan, violation }: Failure): string {
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(plan, null, 1)}\n`;
  const path = join(folder, `${violation.oracle}-${hashOf(text)}.json`);
  writeFileSync(path, text);
  return path;
}

function commandOf(path: string): string {
  return `npm run sim -- shrink --plan ${path}`;
}

function describeProgress({ runs, corpus, failures }: Hunt, seconds: number): string {
  const rate = seconds === 0 ? 0 : Math.round((runs * 60) / seconds);
  return `${runs} runs, ${rate} a minute; ${corpus.branches} branches, ${corpus.names} goals and pairs; ${corpus.size} plans kept; ${failures.size} kinds of failures`;
}

function describeHunt(
  hunted: Hunt,
  { seconds, found }: { readonly seconds: number; readonly found: ReadonlyMap<Failure, string> },
): readonly string[] {
  const { tries, vacuous } = hunted;
  const rates = Object.entries(tries)
    .filter(([, { tried }]) => tried > 0)
    .sort(([, a], [, b]) => b.kept / b.tried - a.kept / a.tried)
    .map(([name, { tried, kept }]) => `${name} ${kept}/${tried}`);
  return [
    describeProgress(hunted, seconds),
    ...(rates.length === 0 ? [] : [`changes that reached something new, of those tried: ${rates.join(", ")}`]),
    ...(vacuous === 0 ? [] : [`${vacuous} runs gave no row and prove nothing`]),
    ...[...found].flatMap(([{ violation, runs }, path]) => [
      `${runs} x ${violation.kind} [${violation.oracle}] ${violation.sentence.split("\n")[0]?.slice(0, 300) ?? ""}`,
      `    npm run sim -- --plan ${path}`,
      `    ${commandOf(path)}`,
    ]),
    found.size === 0 ? "PASS" : `FAIL ${found.size} kind${found.size === 1 ? "" : "s"} of failures`,
  ];
}

function dataOf(
  { runs, vacuous, corpus, tries }: Hunt,
  { seconds, found }: { readonly seconds: number; readonly found: ReadonlyMap<Failure, string> },
): object {
  return {
    orreryHunt: 1,
    runs,
    vacuous,
    seconds: Math.round(seconds),
    branches: corpus.branches,
    goalsAndPairs: corpus.names,
    kept: corpus.size,
    tries,
    failures: [...found].map(([{ violation, runs: count, run, origin }, plan]) => ({
      ...violation,
      runs: count,
      firstRun: run,
      origin,
      plan,
    })),
  };
}
