/**
 * A run in several processes, which get slices of statements, one set of tables after the other. The process does not affect a statement's
 * result. If a process dies, the slice is repeated statement by statement, and the statement that kills it has failed.
 */
import { Pool, serveQuestions } from "../../../../sim/pool.ts";
import { LoadedTables, oracleLines, type Progress, runFuzz, statementsPerTables } from "./run.ts";
import { Worlds } from "./worlds.ts";

export const fuzzWorkerFlag = "--fuzz-worker";

const statementsPerSlice = 50;
/** A child is replaced after this many slices, to release the memory that it has accumulated. */
const slicesPerChild = 200;
/** Far more than a slice takes, including the shrinking of failures. */
const sliceGuardMs = 600_000;

export interface FailureReport {
  readonly index: number;
  /** For users. */
  readonly report: string;
  /** For the oracle's file. */
  readonly lines: string;
}

/** Consecutive statement numbers. */
interface Slice {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly shrink: boolean;
  readonly failuresMax: number;
  readonly everyRule: boolean;
  /** Epoch milliseconds after which the rest is abandoned. */
  readonly deadline: number;
}

interface Asked extends Progress {
  readonly reports: readonly FailureReport[];
}

export interface JobsOptions extends Slice {
  readonly jobs: number;
  readonly onProgress: (progress: Progress) => void;
  readonly onFailure: (failure: FailureReport) => void;
  /** Ends the run at once; slices in progress are abandoned. */
  readonly signal: AbortSignal;
}

export async function runJobs(options: JobsOptions): Promise<Progress> {
  const { seed, from, count, deadline, shrink, failuresMax, everyRule, signal } = options;
  const total = { statements: 0, failures: 0, ...noCounts() };
  const pool = new Pool<Slice, Asked>({
    program: process.argv[1] ?? "",
    flags: [fuzzWorkerFlag],
    size: options.jobs,
    guardMs: sliceGuardMs,
    answersMax: slicesPerChild,
  });
  const called = (): void => pool.close();
  signal.addEventListener("abort", called);
  const isOver = (): boolean => signal.aborted || total.failures >= failuresMax || Date.now() >= deadline;
  const take = (asked: Asked): void => {
    total.statements += asked.statements;
    total.failures += asked.failures;
    addCounts(total.skipped, asked.skipped);
    addCounts(total.agreed, asked.agreed);
    addCounts(total.fired, asked.fired);
    for (const report of asked.reports) {
      options.onFailure(report);
    }
    options.onProgress(total);
  };
  const ask = async (slice: Slice): Promise<void> => {
    const answered = await pool.ask(slice);
    if (answered.kind === "answer") {
      take(answered.answer);
    } else if (slice.count > 1) {
      for (let index = slice.from; index < slice.from + slice.count && !isOver(); index++) {
        await ask({ ...slice, from: index, count: 1 });
      }
    } else if (!signal.aborted) {
      take(lost(slice, answered.reason));
    }
  };
  const end = from + count;
  let next = from;
  // Each process gets the statements of one set of tables in sequence, so that only one process loads them.
  const supervise = async (): Promise<void> => {
    while (next < end && !isOver()) {
      let start = next;
      next = Math.min(end, (Math.floor(start / statementsPerTables) + 1) * statementsPerTables);
      for (const stop = next; start < stop && !isOver(); start += statementsPerSlice) {
        await ask({ seed, from: start, count: Math.min(statementsPerSlice, stop - start), shrink, failuresMax, everyRule, deadline });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs }, supervise));
  } finally {
    signal.removeEventListener("abort", called);
    pool.close();
  }
  return total;
}

function noCounts(): Record<"skipped" | "agreed" | "fired", Map<string, number>> {
  return { skipped: new Map(), agreed: new Map(), fired: new Map() };
}

function addCounts(into: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) {
    into.set(name, (into.get(name) ?? 0) + count);
  }
}

function lost({ seed, from }: Slice, reason: string): Asked {
  const report = `${reason}\n  again: npm run fuzz -- --seed ${seed} --from ${from} --statements 1`;
  return {
    statements: 1,
    failures: 1,
    ...noCounts(),
    reports: [{ index: from, report, lines: `-- Seed ${seed}, statement ${from}: ${reason}\n` }],
  };
}

/** The main loop of a child process. */
export async function serveJobs(): Promise<void> {
  // Created with the first request, so that a child notices that its parent has exited before.
  let loaded: LoadedTables | undefined;
  await serveQuestions<Slice, Asked>(async ({ deadline, ...slice }) => {
    loaded ??= new LoadedTables(await Worlds.open());
    const reports: FailureReport[] = [];
    const progress = await runFuzz(loaded, {
      ...slice,
      stopped: () => Date.now() >= deadline,
      onFailure: (failure) => reports.push({ index: failure.index, report: failure.report, lines: oracleLines(failure, slice.seed) }),
    });
    return { ...progress, reports };
  });
  await loaded?.worlds.close();
}
