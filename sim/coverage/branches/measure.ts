/**
 * `coverage --branches`: runs seeds with the instrumented program in several processes and reports the reached branches by room.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../../checkers/violation.ts";
import { projectRoot } from "../../mutants/bank.ts";
import { Pool } from "../../pool.ts";
import { StatusLine } from "../../status-line.ts";
import { SubjectProcess } from "../../mutants/subject-process.ts";
import type { Branch } from "./instrument.ts";
import { BranchWorkshop, fuzzerEntry, type InstrumentedProgram } from "./program.ts";
import {
  type BranchCoverage,
  coverageOf,
  describeRooms,
  describeUnreached,
  type Excuses,
  keyOf,
  parseExcuses,
  reasonProblems,
} from "./rooms.ts";
import type { BranchAnswer, BranchQuestion } from "./subject.ts";

export interface BranchOptions {
  readonly seeds: { readonly from: number; readonly to: number };
  readonly jobs: number;
  /** Rooms whose unreached branches are listed. */
  readonly list: readonly string[];
  /** File for the whole result. */
  readonly json?: string | undefined;
  /** Number of slices of the fuzzer's work that run beside the seeds. */
  readonly fuzz: number;
  /** Whether a branch without a reason, and a reason without a branch, is an error. */
  readonly reasons: boolean;
}

/** File with the branches that cannot be reached. */
export const excusesFile = "sim/coverage/branches/unreachable.txt";
/** File with the branches that seeds 1..300 do not reach, each with its reason. */
export const reasonsFile = "sim/coverage/branches/unreached.txt";
/** The fuzzer reaches some of the branches that no run of the simulator can reach. */
const noExcuses: Excuses = new Map();
/** A branch that fewer seeds reach is rare: whether a few of them do changes with every change of the draws. */
const rareMax = 4;
/** Seeds that reach a branch are counted up to this. */
const countMax = 255;
/** Real-time limit for one seed, in milliseconds. */
const seedGuardMs = 600_000;

/** Returns the exit code. */
export async function measureBranches(options: BranchOptions): Promise<number> {
  const root = projectRoot();
  const workshop = new BranchWorkshop();
  try {
    const program = await workshop.build({ root });
    const excuses = readExcuses(root);
    const { reached, runs, failed, lost } = await runSeeds(program, options);
    const coverage = coverageOf(program, (number) => (reached[number] ?? 0) > 0, excuses);
    process.stdout.write(`branches of src that ${runs} seeds reached\n${describeRooms(coverage).join("\n")}\n`);
    const fuzzed = options.fuzz === 0 ? undefined : await fuzzedBranches(workshop, root, options.fuzz);
    if (fuzzed !== undefined) {
      const both = coverageOf(program, (number) => (reached[number] ?? 0) > 0 || fuzzed.has(number), noExcuses);
      process.stdout.write(`\nbranches of src that ${runs} seeds and ${options.fuzz} slices of the fuzzer reached\n`);
      process.stdout.write(`${describeRooms(both).join("\n")}\n`);
    }
    const listed = options.list.flatMap((room) => describeUnreached(coverage, room));
    process.stdout.write(listed.length === 0 ? "" : `${listed.join("\n")}\n`);
    if (options.list.length > 0 && listed.length === 0) {
      process.stderr.write(`No room is called ${options.list.join(" or ")}\n`);
      return exitCodes.usage;
    }
    for (const line of [...failed.toSorted((a, b) => a - b).map((seed) => `seed ${seed} failed: npm run sim -- --seed ${seed}`), ...lost]) {
      process.stdout.write(`${line}\n`);
    }
    const numbers = new Map(program.branches.map((branch, number) => [branch, number]));
    const isFuzzed = (branch: Branch): boolean => fuzzed?.has(numbers.get(branch) ?? -1) === true;
    const problems = options.reasons
      ? reasonProblems(coverage, {
          reasons: readExcuses(root, reasonsFile),
          isFuzzed,
          isRare: (branch) => (reached[numbers.get(branch) ?? -1] ?? 0) < rareMax,
          branches: program.branches,
        })
      : [];
    process.stdout.write(problems.map((line) => `${line}\n`).join(""));
    if (options.json !== undefined) {
      const found = { seeds: runs, ...coverage, fuzzed: program.branches.filter(isFuzzed).map(keyOf) };
      writeFileSync(options.json, `${JSON.stringify(found, null, 1)}\n`);
    }
    const isWrong = isStale(coverage, excuses) || problems.length > 0;
    return lost.length > 0 ? exitCodes.crash : isWrong ? exitCodes.usage : exitCodes.pass;
  } finally {
    workshop.close();
  }
}

function isStale({ staleExcuses }: BranchCoverage, excuses: Excuses): boolean {
  return excuses.size > 0 && staleExcuses.length > 0;
}

/** Branches that slices of the fuzzer's work reach, by number. A slice that finds a difference counts, too. */
async function fuzzedBranches(workshop: BranchWorkshop, root: string, slices: number): Promise<ReadonlySet<number>> {
  const { file } = await workshop.build({ root, name: "fuzzer", entry: fuzzerEntry });
  const subject = new SubjectProcess(file);
  const status = new StatusLine();
  const reached = new Set<number>();
  try {
    for (let slice = 1; slice <= slices; slice++) {
      const asked = await subject.ask({ seed: String(slice) }, seedGuardMs);
      if (asked.kind === "died") {
        throw new Error(`slice ${slice} of the fuzzer did not end: ${asked.reason}`);
      }
      for (const number of asked.run.branches ?? []) {
        reached.add(number);
      }
      status.show(() => `${slice}/${slices} slices of the fuzzer, ${reached.size} branches`);
    }
  } finally {
    subject.close();
    status.clear();
  }
  return reached;
}

export function readExcuses(root: string, path = excusesFile): Excuses {
  try {
    return parseExcuses(readFileSync(join(root, path), "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function runSeeds(
  { file, branches }: InstrumentedProgram,
  { seeds: { from, to }, jobs }: BranchOptions,
): Promise<{ readonly reached: Uint8Array; readonly runs: number; readonly failed: readonly number[]; readonly lost: readonly string[] }> {
  const reached = new Uint8Array(branches.length);
  const pool = new Pool<BranchQuestion, BranchAnswer>({
    program: file,
    flags: [],
    size: Math.min(jobs, to - from + 1),
    guardMs: seedGuardMs,
  });
  const status = new StatusLine();
  let [next, runs, stopped] = [from, 0, false];
  const failed: number[] = [];
  const lost: string[] = [];
  const interrupt = (): void => {
    stopped = true;
    pool.close();
  };
  process.once("SIGINT", interrupt);
  const work = async (): Promise<void> => {
    while (next <= to && !stopped) {
      const seed = next++;
      const answered = await pool.ask({ run: String(seed) });
      if (answered.kind === "lost") {
        if (!stopped) {
          lost.push(`seed ${seed} did not end: ${answered.reason}`);
        }
        continue;
      }
      const { all, violation } = answered.answer;
      for (let place = 0; place < all.length; place += 2) {
        const number = all[place] as number;
        reached[number] = Math.min(countMax, (reached[number] ?? 0) + 1);
      }
      runs++;
      if (violation !== undefined) {
        failed.push(seed);
      }
      status.show(
        () => `${runs}/${to - from + 1} seeds, ${reached.reduce((sum, one) => sum + Math.sign(one), 0)} of ${branches.length} branches`,
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: pool.size }, work));
  } finally {
    process.off("SIGINT", interrupt);
    pool.close();
    status.clear();
  }
  return { reached, runs, failed, lost };
}
