/** The program without a subcommand: one seed, many seeds, a scenario, or a recorded trace again. */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { findScenario, scenarioNames } from "../../scenarios/index.ts";
import { drawRun } from "../draw/draw.ts";
import type { RunPlan } from "../plan.ts";
import { Fingerprint } from "../kernel/fingerprint.ts";
import { exitCodes } from "../oracles/violation.ts";
import { describePlan, describeResult, exitCodeOf } from "../result.ts";
import { runPlan } from "../run.ts";
import { addTally, describeTally, sweepSeeds } from "../sweep.ts";
import { entryLine, firstDifference, headerLine, parseTrace, type RecordedTrace } from "../trace/trace.ts";

interface Options {
  readonly seed?: string;
  readonly seeds?: { readonly from: number; readonly to: number };
  readonly scenario?: string;
  readonly trace?: string;
  readonly replay?: string;
  readonly jobs?: number;
  readonly list?: boolean;
  readonly quiet?: boolean;
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

function parseJobs(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) {
    throw new InvalidArgumentError("expected a whole number from 1 on");
  }
  return Number(text);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function runOne(plan: RunPlan, options: Options): Promise<number> {
  if (options.quiet !== true) {
    say(describePlan(plan));
  }
  const lines: string[] = [];
  const result = await runPlan(plan, options.trace === undefined ? {} : { trace: (entry) => lines.push(entryLine(entry)) });
  say(describeResult(result));
  if (options.trace !== undefined) {
    const footer = JSON.stringify({ fingerprint: result.fingerprint, events: result.events });
    writeFileSync(options.trace, `${[headerLine(plan), ...lines, footer].join("\n")}\n`);
    say(`trace of ${lines.length} entries written to ${options.trace}`);
  }
  return exitCodeOf(result);
}

async function replay(file: string): Promise<number> {
  let recorded: RecordedTrace;
  try {
    recorded = parseTrace(readFileSync(file, "utf8"));
  } catch (error) {
    process.stderr.write(`Cannot replay ${file}: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.usage;
  }
  const lines: string[] = [];
  const result = await runPlan(recorded.plan, { trace: (entry) => lines.push(entryLine(entry)) });
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
  say(`replayed ${lines.length} entries, all as recorded`);
  return exitCodeOf(result);
}

async function sweep(seeds: { readonly from: number; readonly to: number }, jobs: number): Promise<number> {
  const started = performance.now();
  const count = seeds.to - seeds.from + 1;
  const sums: Record<string, number> = {};
  const fingerprints = new Fingerprint();
  let failed = 0;
  let exitCode: number = exitCodes.pass;
  await sweepSeeds({
    ...seeds,
    jobs,
    onSummary: ({ seed, violation, tally, fingerprint }) => {
      fingerprints.text(fingerprint);
      addTally(sums, tally);
      if (violation !== undefined) {
        failed++;
        exitCode = exitCode === exitCodes.pass ? exitCodes[violation.kind] : exitCode;
        clearProgress();
        say(`seed ${seed}: FAIL ${violation.kind} [${violation.oracle}] ${violation.sentence}\n  npm run sim -- --seed ${seed}`);
      }
    },
    onProgress: (done) => progress(done, count, failed, started),
  });
  clearProgress();
  const realMs = performance.now() - started;
  const simulatedMs = sums["simulatedMs"] ?? 0;
  say(describeTally(sums).join("\n"));
  say(
    `time: ${(simulatedMs / 1000).toFixed(0)} s simulated in ${(realMs / 1000).toFixed(1)} s (${Math.round(simulatedMs / realMs)}x), ${sums["events"] ?? 0} events; ${Math.round((count / realMs) * 60_000)} seeds a minute on ${jobs} ${jobs === 1 ? "process" : "processes"}`,
  );
  say(`fingerprint ${fingerprints.digest()}`);
  say(failed === 0 ? `PASS ${count} seeds` : `FAIL ${failed} of ${count} seeds`);
  return exitCode;
}

function progress(done: number, count: number, failed: number, started: number): void {
  if (!process.stderr.isTTY) {
    return;
  }
  const elapsed = (performance.now() - started) / 1000;
  const left = (elapsed / done) * (count - done);
  process.stderr.write(`\r${done}/${count} seeds, ${failed} failed, ${left.toFixed(0)} s left \u001b[K`);
}

function clearProgress(): void {
  if (process.stderr.isTTY) {
    process.stderr.write("\r\u001b[K");
  }
}

export function addRunCommand(program: Command): void {
  program
    .option("--seed <seed>", "draw cluster, workload and faults from this seed and run them")
    .option("--seeds <A..B>", "run every seed of the range and sum up", parseSeeds)
    .option("--scenario <name>", "run a story from scenarios/ (--seed varies it)")
    .option("--jobs <N>", "processes for --seeds; as many as there are cores otherwise", parseJobs)
    .option("--list", "name the scenarios")
    .option("--trace <file>", "write everything that happened, as lines of JSON")
    .option("--replay <file>", "run a recorded trace again and compare")
    .option("--quiet", "do not print the draw")
    .action(async (options: Options) => {
      process.exitCode = await act(options);
    });
}

async function act(options: Options): Promise<number> {
  if (options.list === true) {
    for (const name of scenarioNames()) {
      say(`${name}\n  ${findScenario(name)?.story ?? ""}`);
    }
    return exitCodes.pass;
  }
  if (options.replay !== undefined) {
    return replay(options.replay);
  }
  if (options.seeds !== undefined) {
    return sweep(options.seeds, options.jobs ?? availableParallelism());
  }
  if (options.scenario !== undefined) {
    const scenario = findScenario(options.scenario);
    if (scenario === undefined) {
      process.stderr.write(`Unknown scenario '${options.scenario}'; one of: ${scenarioNames().join(", ")}\n`);
      return exitCodes.usage;
    }
    say(`${scenario.name}: ${scenario.story}`);
    return runOne(scenario.plan(options.seed ?? "1"), options);
  }
  if (options.seed !== undefined) {
    return runOne(drawRun(options.seed), options);
  }
  process.stderr.write("Nothing to run: give --seed, --seeds, --scenario or --replay or a command (see --help)\n");
  return exitCodes.usage;
}
