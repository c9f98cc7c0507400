/**
 * A sweep over many seeds. Child processes on all cores each run one seed after the other; results are reported in the order of the seeds.
 * Every seed is a world of its own, so the assignment to processes changes nothing.
 */
import { drawnKinds, drawRun } from "./draw/draw.ts";
import { LearnedReferences, type Reference } from "./learned.ts";
import type { FailureKind, Violation } from "./checkers/violation.ts";
import { Pool, type PoolOptions, serveQuestions } from "./pool.ts";
import { Traps } from "./world/traps.ts";
import type { RunResult } from "./result.ts";
import { runPlan } from "./run.ts";
import { SharedState } from "./shared.ts";
import { shapeOf } from "./shrink/signature.ts";

/** Flag that starts this program as such a child. */
export const sweepWorkerFlag = "--sweep-worker";
/** Resident memory at which a child is replaced, so that it cannot grow over a night. A new one has to compile everything again. */
const residentBytesMax = 1_500_000_000;
/** Real-time limit for one seed, in milliseconds. A run that takes longer hangs. */
const seedGuardMs = 600_000;

/** Counters by name, for example `fault landed crash`; they add up over seeds. */
export type Tally = Readonly<Record<string, number>>;

export interface SeedSummary {
  readonly seed: string;
  readonly fingerprint: string;
  readonly violation: Violation | undefined;
  readonly tally: Tally;
}

function summarize(result: RunResult): SeedSummary {
  const tally: Record<string, number> = {};
  const add = (name: string, count: number): void => {
    tally[name] = (tally[name] ?? 0) + count;
  };
  const { work } = result;
  add("simulatedMs", Math.round(result.simulatedNanos / 1e6));
  add("events", result.events);
  add("statements", work.submitted);
  add("finished", work.finished);
  add("cancelled", work.canceled);
  add("abandoned", work.vanished);
  add("unanswered", work.unanswered);
  add("rows", work.rows);
  add("tasks", work.tasks);
  add("pages", work.pages);
  add("spills", result.spills);
  for (const [error, count] of Object.entries(work.failed)) {
    add(`error ${error}`, count);
  }
  for (const [kind, count] of Object.entries(work.kinds)) {
    add(`statement ${kind}`, count);
  }
  for (const fault of result.faults) {
    add(`struck ${fault.kind}`, 1);
    add(`landed ${fault.kind}`, fault.landed ? 1 : 0);
  }
  for (const [point, count] of Object.entries(result.points)) {
    add(`point ${point}`, count);
  }
  for (const [oracle, count] of Object.entries(result.checks)) {
    add(`checked ${oracle}`, count);
  }
  for (const name of result.coverage) {
    add(`${coveredPrefix}${name}`, 1);
  }
  return { seed: result.plan.seed, fingerprint: result.fingerprint, violation: result.violations[0], tally };
}

const coveredPrefix = "covered ";

/** Coverage goals and pairs that the seeds reached. */
export function coveredIn(tally: Tally): readonly string[] {
  return Object.keys(tally).flatMap((name) => (name.startsWith(coveredPrefix) ? [name.slice(coveredPrefix.length)] : []));
}

export interface SweepOptions {
  readonly from: number;
  readonly to: number;
  readonly jobs: number;
  /** Called in the order of the seeds. */
  readonly onSummary: (summary: SeedSummary) => void;
  /** Called whenever any seed is done. */
  readonly onProgress: (done: number) => void;
  /** Called before each seed; if it returns true, seeds in progress are still completed. */
  readonly isOver?: () => boolean;
  /** Aborts at once; seeds in progress are discarded. */
  readonly signal?: AbortSignal;
  /** Program that answers like `serveSweep`; this program if absent. */
  readonly program?: string;
  /** Time-out for a child that hangs; a timer of ten minutes if absent. */
  readonly guard?: PoolOptions["guard"];
  readonly seedsPerChild?: number;
}

interface Question {
  readonly seed: number;
  /** References that other children computed. */
  readonly learned: readonly Reference[];
}

interface Answer extends SeedSummary {
  /** References that the child computed for the seed. */
  readonly learned?: readonly Reference[];
  /** Memory of the child. */
  readonly residentBytes?: number;
}

export async function sweepSeeds(options: SweepOptions): Promise<void> {
  const { from, to, jobs, onSummary, onProgress, signal } = options;
  const done = new Map<number, SeedSummary>();
  let next = from;
  let told = from;
  let count = 0;
  const take = (summary: SeedSummary): void => {
    done.set(Number(summary.seed), summary);
    onProgress(++count);
    for (let ready = done.get(told); ready !== undefined; ready = done.get(told)) {
      done.delete(told++);
      onSummary(ready);
    }
  };
  const references = new LearnedReferences();
  const pool = new Pool<Question, Answer>({
    program: options.program ?? process.argv[1] ?? "",
    flags: [sweepWorkerFlag],
    size: Math.min(jobs, to - from + 1),
    guardMs: seedGuardMs,
    ...(options.guard === undefined ? {} : { guard: options.guard }),
    ...(options.seedsPerChild === undefined ? {} : { answersMax: options.seedsPerChild }),
    isWorn: ({ residentBytes = 0 }) => residentBytes > residentBytesMax,
  });
  const called = (): void => pool.close();
  signal?.addEventListener("abort", called);
  const isStopped = (): boolean => signal?.aborted === true;
  const supervise = async (): Promise<void> => {
    while (next <= to && !isStopped() && options.isOver?.() !== true) {
      const seed = next++;
      let asked: object | undefined;
      const answered = await pool.ask((child) => {
        asked = child;
        return { seed, learned: references.takeFor(child) };
      });
      if (answered.kind === "answer") {
        const { learned = [], residentBytes: _, ...summary } = answered.answer;
        if (asked !== undefined) {
          references.add(asked, learned);
        }
        take(summary);
      } else if (!isStopped()) {
        take(lostSeed(seed, answered.reason));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: pool.size }, supervise));
  } finally {
    signal?.removeEventListener("abort", called);
    pool.close();
  }
  // Discarded seeds leave gaps; later seeds are still reported in order.
  for (const seed of [...done.keys()].sort((a, b) => a - b)) {
    onSummary(done.get(seed) as SeedSummary);
  }
}

function lostSeed(seed: number, reason: string): SeedSummary {
  const sentence = `the run did not end: ${reason}`;
  return { seed: String(seed), fingerprint: "", violation: { kind: "crash", oracle: "process", sentence, atNanos: 0 }, tally: {} };
}

/** Main function of a child process. */
export function serveSweep(): Promise<void> {
  const shared = new SharedState();
  // Installed once for all seeds of this process.
  const traps = new Traps();
  let worked: Reference[] = [];
  shared.onReference = (reference) => worked.push(reference);
  return serveQuestions<Question, Answer>(async ({ seed, learned }) => {
    worked = [];
    shared.learn(learned);
    return { ...summarize(await runPlan(drawRun(String(seed)), { shared })), learned: worked, residentBytes: process.memoryUsage.rss() };
  }).finally(() => traps.release());
}

export function addTally(sums: Record<string, number>, tally: Tally): void {
  for (const [name, count] of Object.entries(tally)) {
    sums[name] = (sums[name] ?? 0) + count;
  }
}

/** Failures with the same kind, oracle and shape of sentence. */
export interface FailureGroup {
  readonly kind: FailureKind;
  readonly oracle: string;
  /** The sentence without the parts that differ between runs: numbers, statements, rows. */
  readonly shape: string;
  /** The sentence of the smallest seed. */
  readonly sentence: string;
  readonly seeds: string[];
}

/** Seeds arrive in order, so the first of a group is the smallest. */
export class FailureGroups {
  readonly #groups = new Map<string, FailureGroup>();

  add(seed: string, { kind, oracle, sentence }: Violation): void {
    const shape = shapeOf(sentence);
    const key = `${kind}\n${oracle}\n${shape}`;
    const known = this.#groups.get(key);
    if (known === undefined) {
      this.#groups.set(key, { kind, oracle, shape, sentence, seeds: [seed] });
    } else {
      known.seeds.push(seed);
    }
  }

  /** All groups, most frequent first. */
  get all(): readonly FailureGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.seeds.length - a.seeds.length || Number(a.seeds[0]) - Number(b.seeds[0]));
  }
}

const sentenceCharsMax = 300;

/** Two lines of facts and two commands for each group. */
export function describeGroups(groups: readonly FailureGroup[]): readonly string[] {
  return groups.flatMap(({ kind, oracle, sentence, seeds }) => {
    const shown = seeds.slice(0, 8).join(", ");
    return [
      `${seeds.length} x ${kind} [${oracle}] ${sentence.split("\n")[0]?.slice(0, sentenceCharsMax) ?? ""}`,
      `    seed${seeds.length === 1 ? "" : "s"} ${shown}${seeds.length > 8 ? ", ..." : ""}`,
      `    npm run sim -- --seed ${seeds[0] ?? ""}`,
      `    npm run sim -- shrink ${seeds[0] ?? ""}`,
    ];
  });
}

/** Summary of the seeds as text. */
export function describeTally(sums: Tally): readonly string[] {
  const count = (name: string): number => sums[name] ?? 0;
  const withPrefix = (prefix: string): string =>
    Object.keys(sums)
      .filter((name) => name.startsWith(prefix))
      .sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))
      .map((name) => `${name.slice(prefix.length)} ${count(name)}`)
      .join(", ");
  const faults = drawnKinds.map((kind) => `${kind} ${count(`landed ${kind}`)}/${count(`struck ${kind}`)}`).join(", ");
  return [
    `work: ${count("statements")} statements, ${count("finished")} finished, ${count("cancelled")} cancelled, ${count("abandoned")} abandoned, ${count("unanswered")} unanswered; ${count("rows")} rows, ${count("tasks")} tasks, ${count("pages")} pages, ${count("spills")} of them spilled`,
    `statements: ${withPrefix("statement ")}`,
    `declared errors: ${withPrefix("error ")}`,
    `faults that landed on work, of those that struck: ${faults}`,
    `points fired: ${withPrefix("point ")}`,
    `checked: ${withPrefix("checked ")}`,
  ];
}
