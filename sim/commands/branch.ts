/**
 * `npm run sim -- branch SEED --at EVENT --n N`: possible continuations of a run from an event on.
 */
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { branchRun, type BranchReport, groupTails, rareThings } from "../branch.ts";
import { exitCodes } from "../checkers/violation.ts";
import type { ScenarioRegistry } from "../scenario.ts";
import { optionsOf, planOf, type Subject } from "../subject.ts";
import { parseWhole, subjectOf } from "./verify.ts";
import { StatusLine } from "../status-line.ts";

interface Options {
  readonly at: number;
  readonly n: number;
  readonly scenario?: string;
  readonly jobs?: number;
}

/** Exit code that a shell reports for a program ended by Ctrl-C. */
const interruptedCode = 130;
/** Maximum number of printed commands for each kind of failure; `rareMax` limits the rare situations. */
const commandsMax = 3;
const rareMax = 24;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function addBranchCommand(program: Command, scenarios: ScenarioRegistry): void {
  program
    .command("branch")
    .description("run a seed up to an event, then continue several times with different draws; report how often and how it fails")
    .argument("[seed]", "the seed to branch")
    .requiredOption("--at <event>", "number of the first event with different draws", parseWhole)
    .option("--n <N>", "number of continuations", parseWhole, 100)
    .option("--scenario <name>", "a scenario from scenarios/; the seed varies its timing")
    .option("--jobs <N>", "number of parallel runs (default: number of cores)", parseWhole)
    .action(async (seed: string | undefined, { scenario, ...options }: Options) => {
      let subject: Subject;
      try {
        subject = subjectOf({ ...(scenario === undefined ? {} : { scenario }), ...(seed === undefined ? {} : { seed }) });
        planOf(subject, scenarios);
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        process.exitCode = exitCodes.usage;
        return;
      }
      process.exitCode = await runBranch(subject, options);
    });
}

async function runBranch(subject: Subject, { at, n, jobs = availableParallelism() }: Options): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const status = new StatusLine();
  try {
    const report = await branchRun({
      subject,
      atEvent: at,
      tails: n,
      jobs,
      program: process.argv[1] ?? "",
      signal: stop.signal,
      onTail: (done) => status.show(() => `${done}/${n} tails, ${status.secondsLeft(done, n)} s left`),
    });
    status.clear();
    const code = describe(report, subject, at);
    return stop.signal.aborted ? interruptedCode : code;
  } catch (error) {
    status.clear();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return stop.signal.aborted ? interruptedCode : exitCodes.crash;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function describe({ own, tails, lost }: BranchReport, subject: Subject, at: number): number {
  if (own.prefix === undefined) {
    process.stderr.write(`The run has ${own.events} events; --at must be one of them\n`);
    return exitCodes.usage;
  }
  say(
    `original run: ${own.violation === undefined ? "PASS" : `FAIL ${own.violation.kind} [${own.violation.oracle}]`}, ${own.events} events`,
  );
  const strayed = tails.filter(({ prefix }) => prefix !== own.prefix);
  if (strayed.length > 0) {
    say(`NONDETERMINISTIC before event ${at} in tails ${strayed.map(({ tail }) => tail).join(", ")}; see: npm run sim -- verify`);
    return exitCodes.nondeterminism;
  }
  say(
    `${at - 1} events are equal in all tails; ${new Set(tails.map(({ fingerprint }) => fingerprint)).size} of ${tails.length} tails are distinct`,
  );
  const rare = rareThings(tails);
  for (const { name, count } of rare.slice(0, rareMax)) {
    say(`  ${name}: in ${count} of ${tails.length}`);
  }
  if (rare.length > rareMax) {
    say(`  and ${rare.length - rareMax} less rare situations`);
  }
  for (const { tail, reason } of lost) {
    say(`tail ${tail}: FAIL crash: ${reason}\n  ${commandOf(subject, at, tail)}`);
  }
  const groups = groupTails(tails);
  for (const group of groups) {
    say(`${group.name}: ${group.tails.length} of ${tails.length} tails; the first: ${group.sentence}`);
    for (const tail of group.tails.slice(0, commandsMax)) {
      say(`  ${commandOf(subject, at, tail)}`);
    }
    if (group.tails.length > commandsMax) {
      say(`  and tails ${group.tails.slice(commandsMax).join(", ")}`);
    }
  }
  const failed = groups.reduce((sum, group) => sum + group.tails.length, 0) + lost.length;
  const all = tails.length + lost.length;
  say(failed === 0 ? `PASS ${all} tails` : `FAIL ${failed} of ${all} tails (${((100 * failed) / all).toFixed(1)} %)`);
  return lost.length > 0 && groups[0] === undefined
    ? exitCodes.crash
    : groups[0] === undefined
      ? exitCodes.pass
      : exitCodes[groups[0].kind];
}

function commandOf(subject: Subject, at: number, tail: number): string {
  return `npm run sim -- ${optionsOf(subject)} --branch ${at}:${tail}`;
}
