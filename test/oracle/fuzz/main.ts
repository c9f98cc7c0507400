/**
 * `npm run fuzz`: statements generated from a seed, run by the engine in several worlds and in equivalent forms, and by DuckDB. The exit
 * code says whether differences were found.
 */
import { appendFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Argument, Command, Option } from "commander";
import { StatusLine } from "../../../sim/status-line.ts";
import { endWithReader } from "../../../sim/terminal/closed-pipe.ts";
import { allKinds, type OperatorsProgramOptions, runOperators } from "../../plane/program.ts";
import { runCoverage } from "./coverage/program.ts";
import { record } from "./inputs/answers/record.ts";
import { recordCluster } from "./inputs/answers/web/record-cluster.ts";
import { type InputsProgramOptions, inputsWorkerFlag, runInputs, serveInputs } from "./inputs/program.ts";
import { targets } from "./inputs/targets.ts";
import { fuzzWorkerFlag, runJobs, serveJobs } from "./run/jobs.ts";
import { type KnownProgramOptions, runKnown } from "./known/program.ts";
import { jobsNumber, jobsOf, positive, wholeNumber } from "./run/options.ts";
import { rulesOfLargeTables, switchableRules } from "./run/rule-plans.ts";
import type { Progress } from "./run/run.ts";

const exitCodes = { clean: 0, usage: 2, crash: 10, disagreement: 12, uncovered: 13, interrupted: 130 } as const;

const codesOfCases = { clean: exitCodes.clean, wrong: exitCodes.disagreement, interrupted: exitCodes.interrupted } as const;

interface Options {
  readonly seed: number;
  readonly from: number;
  readonly statements?: number;
  readonly minutes?: number;
  readonly failures: number;
  readonly jobs: number;
  readonly shrink: boolean;
  readonly save?: string;
  /** Set: every query runs without each rule, and each rule must change this many plans. */
  readonly least?: number;
}

interface RulesOptions extends Pick<Options, "seed" | "from" | "jobs" | "shrink"> {
  readonly cases: number;
  readonly least: number;
}

const failuresOfRules = 20;

/** Each command calls `ended` with the exit code. */
function programOf(ended: (code: number) => void): Command {
  const program = new Command("npm run fuzz --")
    .description(
      "Random schemas, data and statements: the engine against DuckDB, against itself in other words (TLP, NoREC), on one node and on many.",
    )
    .option("--seed <n>", "which statements; the same seed asks the same ones", wholeNumber, 1)
    .option("--statements <n>", "how many (1000 unless --minutes says when to end)", wholeNumber)
    .option("--from <n>", "number of the first statement", wholeNumber, 0)
    .option("--minutes <n>", "end after so long", positive)
    .option("--failures <n>", "end after so many failures", wholeNumber, 20)
    .option("--jobs <n>", "how many processes ask; the statements are the same for any number", jobsNumber, jobsOf(availableParallelism()))
    .option("--no-shrink", "show failing statements as they were drawn")
    .option("--save <file>", "append failing statements to a file of the oracle, as in test/oracle/statements/found.sql")
    .addHelpText(
      "after",
      `\nExit codes: ${Object.entries(exitCodes)
        .map(([name, code]) => `${code} ${name}`)
        .join(", ")}`,
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCodes.clean : exitCodes.usage))
    .enablePositionalOptions()
    .action(async (options: Options) => ended(await fuzz(options)));
  program
    .command("rules")
    .description("every query without each optimizer rule that changes its plan; fails if a rule changed too few plans to be tested")
    .option("--seed <n>", "which statements", wholeNumber, 1)
    .option("--from <n>", "number of the first statement", wholeNumber, 0)
    .option("--cases <n>", "how many statements", wholeNumber, 400)
    .option("--least <n>", "how many plans each rule must change", wholeNumber, 1)
    .option("--jobs <n>", "how many processes ask", jobsNumber, jobsOf(availableParallelism()))
    .option("--no-shrink", "show failing statements as they were drawn")
    .action(async ({ cases, least, ...options }: RulesOptions) => {
      const rules = { ...options, statements: cases, failures: failuresOfRules, least };
      ended(await fuzz(rules));
    });
  program
    .command("operators")
    .description("each operator alone: random pages in random cuts, with random bounds, against a naive evaluation")
    .option("--seed <n>", "which cases", wholeNumber, 1)
    .option("--from <n>", "number of the first case", wholeNumber, 0)
    .option("--cases <n>", "how many of each kind", wholeNumber, 100)
    .addOption(new Option("--kind <kind>", "only this kind of operator").choices(allKinds))
    .action(async (options: OperatorsProgramOptions) => {
      ended(codesOfCases[await runOperators(options)]);
    });
  program
    .command("known")
    .description("statements whose rows or errors are known, under random bounds of the engine")
    .option("--seed <n>", "which bounds", wholeNumber, 1)
    .option("--file <text>", "only files whose names contain the text, such as errors/ or rows/joins", "")
    .action(async (options: KnownProgramOptions) => ended(codesOfCases[await runKnown(options)]));
  for (const [name, { count, description, inputs }] of targets) {
    program
      .command(name)
      .description(description)
      .option("--seed <n>", `which ${inputs}`, wholeNumber, 1)
      .option("--inputs <n>", `how many (${count} unless --minutes says when to end)`, wholeNumber)
      .option("--from <n>", "number of the first one", wholeNumber, 0)
      .option("--minutes <n>", "end after so long", positive)
      .option("--failures <n>", "end after so many failures", wholeNumber, 20)
      .option("--jobs <n>", "how many processes", jobsNumber, 1)
      .option("--no-shrink", `show failing ${inputs} as they were drawn`)
      .action(async (options: InputsProgramOptions) => ended(codesOfCases[await runInputs(name, options)]));
  }
  program
    .command("record")
    .description(
      "records the answers of a real server, which has to be installed (for `cluster`: of Orrery), for the fuzzers of the same names",
    )
    .addArgument(new Argument("<server>").choices(["postgresql", "mysql", "cluster"]))
    .action(async (server: "postgresql" | "mysql" | "cluster") => {
      process.stdout.write(`${await (server === "cluster" ? recordCluster() : record(server))} statements of ${server}\n`);
      ended(exitCodes.clean);
    });
  program
    .command("coverage")
    .description("what drawn statements are made of, and what none of them has; fails when something is neither drawn nor excused")
    .option("--seed <n>", "which statements", wholeNumber, 1)
    .option("--statements <n>", "how many", wholeNumber, 50_000)
    .action(async (options) => ended((await runCoverage(options)) ? exitCodes.clean : exitCodes.uncovered));
  return program;
}

async function fuzz(options: Options): Promise<number> {
  const status = new StatusLine();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on("SIGINT", interrupt);
  const show = ({ statements, failures }: Progress): void => {
    status.show(() => `${statements} statements, ${failures} failures, ${(statements / status.seconds).toFixed(1)} a second`);
  };
  try {
    const { statements, failures, skipped, agreed, fired } = await runJobs({
      seed: options.seed,
      from: options.from,
      count: options.statements ?? (options.minutes === undefined ? 1000 : Number.MAX_SAFE_INTEGER),
      jobs: options.jobs,
      shrink: options.shrink,
      failuresMax: options.failures,
      everyRule: options.least !== undefined,
      deadline: options.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.minutes * 60_000,
      signal: interruption.signal,
      onProgress: show,
      onFailure: ({ report, lines }) => {
        status.clear();
        process.stdout.write(`${report}\n\n`);
        if (options.save !== undefined) {
          appendFileSync(options.save, lines);
        }
      },
    });
    status.clear();
    const listed = (counts: ReadonlyMap<string, number>): readonly string[] =>
      [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`);
    const reasons = listed(skipped);
    process.stdout.write(
      `seed ${options.seed}, from ${options.from}: ${statements} statements, ${failures} failures, ${(statements / status.seconds).toFixed(1)} a second; agreed: ${listed(agreed).join("; ")}` +
        `${reasons.length === 0 ? "" : `; not compared with DuckDB: ${reasons.slice(0, 8).join("; ")}`}\n`,
    );
    const rare = options.least === undefined ? [] : rarelyFired(fired, options.least);
    if (options.least !== undefined) {
      process.stdout.write(`plans changed by each rule: ${listed(fired).join("; ")}\n`);
      process.stdout.write(rare.length === 0 ? "" : `rules that changed fewer than ${options.least} plans: ${rare.join(", ")}\n`);
    }
    if (failures === 0 && rare.length > 0 && !interruption.signal.aborted) {
      return exitCodes.uncovered;
    }
    return failures > 0 ? exitCodes.disagreement : interruption.signal.aborted ? exitCodes.interrupted : exitCodes.clean;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function rarelyFired(fired: ReadonlyMap<string, number>, least: number): readonly string[] {
  return switchableRules.filter((name) => (fired.get(name) ?? 0) < least && !rulesOfLargeTables.has(name));
}

async function main(): Promise<number> {
  endWithReader();
  let code: number = exitCodes.clean;
  await programOf((ended) => {
    code = ended;
  }).parseAsync();
  return code;
}

/** What a child process does, by its flag. */
const children = new Map<string | undefined, () => Promise<void>>([
  [fuzzWorkerFlag, serveJobs],
  [inputsWorkerFlag, serveInputs],
]);

await (
  children
    .get(process.argv[2])?.()
    .then(() => exitCodes.clean) ?? main()
).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = exitCodes.crash;
  },
);
