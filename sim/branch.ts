/**
 * Branches a run: runs to an event, then continues several times with different draws. Faults that the plan lists stay; message fates,
 * latencies, disks and identifiers are drawn anew. Reports how likely a failure is from that event on, and what else may happen.
 */
import { goals } from "./coverage/goals.ts";
import { Traps } from "./world/traps.ts";
import { Pool, serveQuestions } from "./pool.ts";
import type { Violation } from "./checkers/violation.ts";
import type { RunResult } from "./result.ts";
import { type RunOptions, runPlan } from "./run.ts";
import type { ScenarioRegistry } from "./scenario.ts";
import { SharedState } from "./shared.ts";
import { planOf, type Subject } from "./subject.ts";

/** Flag that makes the program run tails for a parent process. */
export const branchWorkerFlag = "--branch-worker";

/** Real-time limit for one tail, far beyond its usual duration. */
const guardMs = 15 * 60_000;
/** Number of tails after which a child process is replaced. */
const answersMax = 200;

export interface TailQuestion {
  readonly subject: Subject;
  readonly atEvent: number;
  /** Number of the tail, from 1; 0 is the original run. */
  readonly tail: number;
}

export interface Tail {
  readonly tail: number;
  /** Fingerprint of everything before the event; undefined if the run ended before it. */
  readonly prefix: string | undefined;
  readonly fingerprint: string;
  readonly events: number;
  readonly violation: Pick<Violation, "kind" | "oracle" | "sentence"> | undefined;
  /** Rare situations that the tail reached: coverage goals as sentences, fault points that fired, faults that landed. */
  readonly reached: readonly string[];
}

export async function runTail(
  { subject, atEvent, tail }: TailQuestion,
  scenarios: ScenarioRegistry,
  options: RunOptions = {},
): Promise<Tail> {
  let prefix: string | undefined;
  const result = await runPlan(planOf(subject, scenarios), {
    ...options,
    ...(tail === 0 ? {} : { branch: { atEvent, seed: String(tail) } }),
    checkpoints: {
      everyEvents: Math.max(1, atEvent - 1),
      reached: (_event, digest) => {
        prefix ??= digest;
      },
    },
  });
  const [violation] = result.violations;
  return {
    tail,
    prefix: atEvent === 1 ? "" : result.events < atEvent ? undefined : prefix,
    fingerprint: result.fingerprint,
    events: result.events,
    violation: violation === undefined ? undefined : { kind: violation.kind, oracle: violation.oracle, sentence: violation.sentence },
    reached: reachedBy(result),
  };
}

function reachedBy({ coverage, faults, points }: RunResult): readonly string[] {
  const covered = new Set(coverage);
  const names = new Set(goals.filter(({ id }) => covered.has(id)).map(({ sentence }) => sentence));
  for (const [point, count] of Object.entries(points)) {
    if (count > 0) {
      names.add(`point ${point}`);
    }
  }
  for (const { kind, landed } of faults) {
    if (landed) {
      names.add(`landed ${kind}`);
    }
  }
  return [...names].sort((a, b) => (a < b ? -1 : 1));
}

export interface BranchOptions {
  readonly subject: Subject;
  readonly atEvent: number;
  /** Number of tails, numbered from 1. */
  readonly tails: number;
  readonly jobs: number;
  readonly program: string;
  /** Aborts the work; completed tails are reported. */
  readonly signal?: AbortSignal;
  readonly onTail?: (done: number) => void;
}

export interface BranchReport {
  /** The end of the original run. */
  readonly own: Tail;
  /** Tails by number, without those that were lost. */
  readonly tails: readonly Tail[];
  readonly lost: readonly { readonly tail: number; readonly reason: string }[];
}

/** Runs tail 0, then the others, `jobs` at a time. Throws if tail 0 does not end. */
export async function branchRun({ subject, atEvent, tails, jobs, program, signal, onTail }: BranchOptions): Promise<BranchReport> {
  const pool = new Pool<TailQuestion, Tail>({ program, flags: [branchWorkerFlag], size: jobs, guardMs, answersMax });
  const stop = (): void => pool.close();
  signal?.addEventListener("abort", stop);
  try {
    const first = await pool.ask({ subject, atEvent, tail: 0 });
    if (first.kind === "lost") {
      throw new Error(`the run itself did not end: ${first.reason}`);
    }
    const done: Tail[] = [];
    const lost: { tail: number; reason: string }[] = [];
    const numbers = first.answer.prefix === undefined ? [] : Array.from({ length: tails }, (_, index) => index + 1);
    await Promise.all(
      numbers.map(async (tail) => {
        const answered = await pool.ask({ subject, atEvent, tail });
        if (answered.kind === "answer") {
          done.push(answered.answer);
        } else if (signal?.aborted !== true) {
          lost.push({ tail, reason: answered.reason });
        }
        onTail?.(done.length + lost.length);
      }),
    );
    return { own: first.answer, tails: done.sort((a, b) => a.tail - b.tail), lost: lost.sort((a, b) => a.tail - b.tail) };
  } finally {
    signal?.removeEventListener("abort", stop);
    pool.close();
  }
}

/** Main function of a child process. */
export function serveBranch(scenarios: ScenarioRegistry): Promise<void> {
  const shared = new SharedState();
  // Installed once for all tails of this process.
  const traps = new Traps();
  return serveQuestions<TailQuestion, Tail>((question) => runTail(question, scenarios, { shared })).finally(() => traps.release());
}

/** Failures of one kind. */
export interface TailGroup {
  /** Kind and oracle: `wrong-result [results]`. */
  readonly name: string;
  readonly kind: Violation["kind"];
  /** Sentence of the first failure. */
  readonly sentence: string;
  readonly tails: readonly number[];
}

/** Groups failures, most frequent first. */
export function groupTails(tails: readonly Tail[]): readonly TailGroup[] {
  const groups = new Map<string, { kind: Violation["kind"]; sentence: string; tails: number[] }>();
  for (const { tail, violation } of tails) {
    if (violation !== undefined) {
      const name = `${violation.kind} [${violation.oracle}]`;
      const group = groups.get(name) ?? { kind: violation.kind, sentence: violation.sentence, tails: [] };
      group.tails.push(tail);
      groups.set(name, group);
    }
  }
  return [...groups]
    .map(([name, group]) => ({ name, ...group }))
    .sort((a, b) => b.tails.length - a.tails.length || (a.name < b.name ? -1 : 1));
}

/** Situations that some tails reach and others do not, rarest first. */
export function rareThings(tails: readonly Tail[]): readonly { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const name of tails.flatMap(({ reached }) => reached)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count < tails.length)
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => a.count - b.count || (a.name < b.name ? -1 : 1));
}
