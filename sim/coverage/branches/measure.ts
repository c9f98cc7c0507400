/**
 * `coverage --branches`: runs seeds with the instrumented program in several processes and reports the reached branches by room.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../../checkers/violation.ts";
import { projectRoot } from "../../mutants/bank.ts";
import { Pool } from "../../pool.ts";
import { StatusLine } from "../../status-line.ts";
import { BranchWorkshop, type InstrumentedProgram } from "./program.ts";
import { type BranchCoverage, coverageOf, describeRooms, describeUnreached, type Excuses, parseExcuses } from "./rooms.ts";
import type { BranchAnswer, BranchQuestion } from "./subject.ts";

export interface BranchOptions {
  readonly seeds: { readonly from: number; readonly to: number };
  readonly jobs: number;
  /** Rooms whose unreached branches are listed. */
  readonly list: readonly string[];
  /** File for the whole result. */
  readonly json?: string | undefined;
}

/** File with the branches that cannot be reached. */
export const excusesFile = "sim/coverage/branches/unreachable.txt";
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
    const listed = options.list.flatMap((room) => describeUnreached(coverage, room));
    process.stdout.write(listed.length === 0 ? "" : `${listed.join("\n")}\n`);
    if (options.list.length > 0 && listed.length === 0) {
      process.stderr.write(`No room is called ${options.list.join(" or ")}\n`);
      return exitCodes.usage;
    }
    for (const line of [...(failed === 0 ? [] : [`${failed} of these seeds failed: npm run sim -- --seeds N..M`]), ...lost]) {
      process.stdout.write(`${line}\n`);
    }
    if (options.json !== undefined) {
      writeFileSync(options.json, `${JSON.stringify({ seeds: runs, ...coverage }, null, 1)}\n`);
    }
    return lost.length > 0 ? exitCodes.crash : isStale(coverage, excuses) ? exitCodes.usage : exitCodes.pass;
  } finally {
    workshop.close();
  }
}

function isStale({ staleExcuses }: BranchCoverage, excuses: Excuses): boolean {
  return excuses.size > 0 && staleExcuses.length > 0;
}

export function readExcuses(root: string): Excuses {
  try {
    return parseExcuses(readFileSync(join(root, excusesFile), "utf8"));
  } catch (error) {
    throw new Error(`${excusesFile}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function runSeeds(
  { file, branches }: InstrumentedProgram,
  { seeds: { from, to }, jobs }: BranchOptions,
): Promise<{ readonly reached: Uint8Array; readonly runs: number; readonly failed: number; readonly lost: readonly string[] }> {
  const reached = new Uint8Array(branches.length);
  const pool = new Pool<BranchQuestion, BranchAnswer>({
    program: file,
    flags: [],
    size: Math.min(jobs, to - from + 1),
    guardMs: seedGuardMs,
  });
  const status = new StatusLine();
  let [next, runs, failed, stopped] = [from, 0, 0, false];
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
        reached[all[place] as number] = 1;
      }
      runs++;
      failed += violation === undefined ? 0 : 1;
      status.show(() => `${runs}/${to - from + 1} seeds, ${reached.reduce((sum, one) => sum + one, 0)} of ${branches.length} branches`);
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
