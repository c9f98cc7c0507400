/**
 * `coverage`: the goals that the seeds of a range, or of saved sweeps, have reached, and those that none has reached.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { type Coverages, describeEstimate, readCoverages, writeCoverages } from "../coverage/estimate.ts";
import { measureBranches } from "../coverage/branches/measure.ts";
import { exitCodes } from "../checkers/violation.ts";
import { coveredIn, sweepSeeds } from "../sweep.ts";
import { StatusLine } from "../status-line.ts";

interface Options {
  readonly seeds?: { readonly from: number; readonly to: number };
  readonly jobs: number;
  readonly save?: string;
  readonly read?: readonly string[];
  readonly branches?: boolean;
  readonly list?: readonly string[];
  readonly json?: string;
  readonly fuzz: number;
  readonly reasons?: boolean;
}

/** Seeds of --branches without --seeds. */
const branchSeeds = { from: 1, to: 300 };

function parseSeeds(text: string): { readonly from: number; readonly to: number } {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined || Number(from) > Number(to)) {
    throw new InvalidArgumentError("expected A..B with A <= B, as in 1..200");
  }
  return { from: Number(from), to: Number(to) };
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new InvalidArgumentError("expected a number from 0");
  }
  return Number(text);
}

function parseJobs(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new InvalidArgumentError("expected a number from 1");
  }
  return Number(text);
}

export function addCoverageCommand(program: Command): void {
  program
    .command("coverage")
    .description(
      "report which rare situations and pairs (message and state, fault and phase, operator and loss) runs have reached, and which none has",
    )
    .option("--seeds <A..B>", "seeds to run", parseSeeds)
    .option("--jobs <N>", "number of processes for --seeds", parseJobs, availableParallelism())
    .option("--save <file>", "write the coverage, merged with the content of the file")
    .option("--read <files...>", "read coverage that earlier runs saved")
    .option("--branches", "count the branches of src that the seeds reach, by room (default: seeds 1..300)")
    .option(
      "--list <rooms...>",
      "with --branches: list the unreached branches of these rooms, such as coordinator or execution; all for all",
    )
    .option("--fuzz <slices>", "with --branches: also count what so many slices of the fuzzer reach", parseCount, 0)
    .option("--reasons", "with --branches: fail if an unreached branch of coordinator, worker, monitor or execution has no reason")
    .option("--json <file>", "with --branches: write every room with its unreached branches")
    .action(async (options: Options) => {
      process.exitCode = await act(options);
    });
}

async function act({ seeds, jobs, save, read = [], branches, list = [], json, fuzz, reasons = false }: Options): Promise<number> {
  if (branches === true) {
    return measureBranches({ seeds: seeds ?? branchSeeds, jobs, list, json, fuzz, reasons });
  }
  if (seeds === undefined && read.length === 0) {
    process.stderr.write("Nothing to report: give --seeds A..B, or --read FILE with saved coverage\n");
    return exitCodes.usage;
  }
  const covered = new Map<string, readonly string[]>();
  for (const file of [...read, ...(save !== undefined && existsSync(save) ? [save] : [])]) {
    for (const [seed, names] of load(file).seeds) {
      covered.set(seed, names);
    }
  }
  let failed = 0;
  if (seeds !== undefined) {
    const status = new StatusLine();
    const stop = new AbortController();
    const interrupt = (): void => stop.abort();
    process.once("SIGINT", interrupt);
    await sweepSeeds({
      ...seeds,
      jobs,
      signal: stop.signal,
      onSummary: ({ seed, tally, violation }) => {
        covered.set(seed, coveredIn(tally));
        failed += violation === undefined ? 0 : 1;
      },
      onProgress: (done) => status.show(() => `${done}/${seeds.to - seeds.from + 1} seeds`),
    });
    process.off("SIGINT", interrupt);
    status.clear();
  }
  process.stdout.write(`${describeEstimate({ seeds: covered }).join("\n")}\n`);
  if (failed > 0) {
    process.stdout.write(`${failed} of these seeds failed: npm run sim -- --seeds ${seeds?.from ?? 0}..${seeds?.to ?? 0}\n`);
  }
  if (save !== undefined) {
    writeFileSync(save, writeCoverages({ seeds: covered }));
  }
  return exitCodes.pass;
}

function load(file: string): Coverages {
  try {
    return readCoverages(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
