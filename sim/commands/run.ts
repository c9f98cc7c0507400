/**
 * The program without a subcommand: runs one seed, many seeds or a scenario, or repeats a trace.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import type { Branch } from "../world/world.ts";
import { describeInvariants } from "../checkers/invariants.ts";
import { exitCodes } from "../checkers/violation.ts";
import { describeResult, exitCodeOf } from "../result.ts";
import { runPlan } from "../run.ts";
import { type ScenarioRegistry, unknownScenario } from "../scenario.ts";
import { optionsOf, type Subject } from "../subject.ts";
import { readPlan } from "./plan-source.ts";
import { parseBranch, readToken, runOne } from "./run-one.ts";
import { sweep } from "./run-sweep.ts";
import { gather, runVerify } from "./verify.ts";
import { entryLine, firstDifference, hasDraws, parseTrace, type RecordedTrace } from "../trace/trace.ts";

interface Options {
  readonly seed?: string;
  readonly seeds?: { readonly from: number; readonly to: number };
  readonly scenario?: string;
  readonly plan?: string;
  readonly trace?: string;
  readonly replay?: string;
  readonly jobs?: number;
  readonly list?: boolean;
  readonly listOracles?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly keepGoing?: boolean;
  readonly failFast?: number;
  readonly minutes?: number;
  readonly json?: string;
  readonly token?: string;
  readonly force?: boolean;
  readonly branch?: Branch;
  readonly traceDraws?: boolean;
  readonly verify?: boolean;
  readonly runs?: number;
  readonly node?: readonly string[];
}

function parseSeeds(text: string): { from: number; to: number } {
  const match = /^(\d+)\.\.(\d+)$/.exec(text);
  const from = Number(match?.[1]);
  const to = Number(match?.[2]);
  if (match === null || from > to) {
    throw new InvalidArgumentError("expected A..B with A <= B, as in 1..200");
  }
  return { from, to };
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 1 on");
  }
  return Number(text);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export async function replayTrace(file: string): Promise<number> {
  let recorded: RecordedTrace;
  try {
    recorded = parseTrace(readFileSync(file, "utf8"));
  } catch (error) {
    process.stderr.write(`Cannot replay ${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.usage;
  }
  const lines: string[] = [];
  const result = await runPlan(recorded.plan, {
    branch: recorded.branch,
    trace: (entry) => lines.push(entryLine(entry)),
    traceExtras: { draws: hasDraws(recorded) },
  });
  say(describeResult(result));
  const difference = firstDifference(recorded.entries, lines);
  if (difference !== undefined) {
    say(`DIFFERS at entry ${difference.index}\n  recorded: ${difference.recorded}\n  replayed: ${difference.replayed}`);
    return exitCodes.nondeterminism;
  }
  if (result.fingerprint !== recorded.footer.fingerprint) {
    say(`DIFFERS in fingerprint: recorded ${recorded.footer.fingerprint}, replayed ${result.fingerprint}`);
    return exitCodes.nondeterminism;
  }
  say(`replayed ${lines.length} entries, all equal`);
  return exitCodeOf(result);
}

export function addRunCommand(program: Command, scenarios: ScenarioRegistry): void {
  program
    .option("--seed <seed>", "draw cluster, workload and faults from this seed and run them")
    .option("--seeds <A..B>", "run every seed of the range and print totals", parseSeeds)
    .option("--scenario <name>", "run a scenario from scenarios/ (--seed varies its timing)")
    .option("--plan <file>", "run a plan from a JSON file, such as a hunt writes")
    .option("--jobs <N>", "number of processes for --seeds (default: number of cores)", parseCount)
    .option("--keep-going", "with --seeds: run all seeds, however many fail (default)")
    .option("--fail-fast <N>", "with --seeds: stop after N failures", parseCount)
    .option("--minutes <N>", "with --seeds: start no seed after N minutes", parseCount)
    .option("--json <file>", "with --seeds: write the totals as JSON")
    .option("--list", "list the scenarios")
    .option("--list-oracles", "list the invariants that every run is checked against, and the errors that a cluster may declare")
    .option("--trace <file>", "write a trace of everything that happens, as JSON lines")
    .option("--trace-draws", "with --trace: include every random draw with its site and reason")
    .option("--branch <EVENT:K>", "different draws from event EVENT on; K selects them (see branch)", parseBranch)
    .option("--token <token>", "run what a token identifies; fails if this program would give another run")
    .option("--force", "with --token: run it nevertheless")
    .option("--verify", "repeat the run in different environments and compare (see verify)")
    .option("--runs <N>", "with --verify: number of runs", parseCount)
    .option("--node <path>", "with --verify: another Node executable (repeatable)", gather)
    .option("--replay <file>", "replay a recorded trace and compare")
    .option("--quiet", "print only the verdict and the token of a run")
    .option("--verbose", "print the plan and all counters")
    .action(async (options: Options) => {
      process.exitCode = await act(options, scenarios);
    });
}

async function act(options: Options, scenarios: ScenarioRegistry): Promise<number> {
  if (options.list === true) {
    for (const name of scenarios.names()) {
      say(`${name}\n  ${scenarios.find(name)?.story ?? ""}`);
    }
    return exitCodes.pass;
  }
  if (options.listOracles === true) {
    say(describeInvariants().join("\n"));
    return exitCodes.pass;
  }
  if (options.token !== undefined) {
    const token = readToken(options.token, { ...options, scenarios });
    if (typeof token === "number") {
      return token;
    }
    say(`${optionsOf(token.subject)}${token.event === undefined ? "" : `, event ${token.event}`}`);
    return runOne(token.subject, { ...options, scenarios, lookAt: token.event });
  }
  if (options.replay !== undefined) {
    return replayTrace(options.replay);
  }
  if (options.seeds !== undefined) {
    if (options.keepGoing === true && options.failFast !== undefined) {
      process.stderr.write("Give either --keep-going or --fail-fast\n");
      return exitCodes.usage;
    }
    const other = [
      ["--scenario", options.scenario],
      ["--plan", options.plan],
      ["--seed", options.seed],
    ].find(([, value]) => value !== undefined);
    if (other !== undefined) {
      process.stderr.write(`--seeds draws the plans of its seeds; give ${other[0] ?? ""} without it\n`);
      return exitCodes.usage;
    }
    return sweep({ ...options, seeds: options.seeds, jobs: options.jobs ?? availableParallelism() });
  }
  const subject = chooseSubject(options, scenarios);
  if (typeof subject === "number") {
    return subject;
  }
  return options.verify === true
    ? runVerify({ ...options, scenarios, subject, nodes: options.node })
    : runOne(subject, { ...options, scenarios });
}

/** The subject of --seed and --scenario, or an exit code if there is none. */
function chooseSubject({ seed, scenario: name, plan }: Options, scenarios: ScenarioRegistry): Subject | number {
  if (name !== undefined) {
    const scenario = scenarios.find(name);
    if (scenario === undefined) {
      process.stderr.write(`${unknownScenario(name, scenarios)}\n`);
      return exitCodes.usage;
    }
    say(`${scenario.name}: ${scenario.story}`);
    return { kind: "scenario", name, seed: seed ?? "1" };
  }
  if (plan !== undefined) {
    return { kind: "plan", plan: readPlan(plan) };
  }
  if (seed !== undefined) {
    return { kind: "seed", seed };
  }
  process.stderr.write("Nothing to run: give --seed, --seeds, --scenario, --plan, --token, --replay, or a command (see --help)\n");
  return exitCodes.usage;
}
