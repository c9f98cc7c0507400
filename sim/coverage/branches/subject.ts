/**
 * The instrumented program, as a child process: runs seeds and plans, and answers with the result and the counters of the branches.
 */
import { Traps } from "../../world/traps.ts";
import { drawRun } from "../../draw/draw.ts";
import type { Violation } from "../../checkers/violation.ts";
import type { RunPlan } from "../../plan.ts";
import { serveQuestions } from "../../pool.ts";
import { runPlan } from "../../run.ts";
import { SharedState } from "../../shared.ts";

export interface BranchQuestion {
  /** A seed, or a plan. */
  readonly run: string | RunPlan;
  /** A run with more events ends there. */
  readonly eventsMax?: number;
  /** Computes every reference anew: those of a mutant may depend on the runs before. */
  readonly forgetsReferences?: boolean;
}

export interface BranchAnswer {
  readonly seed: string;
  readonly fingerprint: string;
  /** First violation of the run. */
  readonly violation: Violation | undefined;
  readonly events: number;
  readonly realMs: number;
  /** Coverage goals and pairs of the run, sorted. */
  readonly coverage: readonly string[];
  /** Numbers of the branches that ran in the run itself, and how often. */
  readonly own: Uint32Array;
  /** Numbers of the branches that ran, be it in the run or in its reference runs. */
  readonly all: Uint32Array;
}

const counters = (globalThis as unknown as { readonly orreryBranches?: Uint32Array }).orreryBranches ?? new Uint32Array(0);

/** Two numbers for each counter that is not 0: its number and its value. */
function packed(values: Uint32Array, before?: Uint32Array): Uint32Array {
  const pairs: number[] = [];
  for (const [number, value] of values.entries()) {
    const count = value - (before?.[number] ?? 0);
    if (count > 0) {
      pairs.push(number, count);
    }
  }
  return Uint32Array.from(pairs);
}

async function answer({ run, eventsMax, forgetsReferences }: BranchQuestion, shared: SharedState): Promise<BranchAnswer> {
  if (forgetsReferences === true) {
    shared.forgetReferences();
  }
  const plan = typeof run === "string" ? drawRun(run) : run;
  let own = new Uint32Array(0);
  const around = async (itself: () => Promise<void>): Promise<void> => {
    const before = counters.slice();
    await itself();
    own = packed(counters, before) as Uint32Array<ArrayBuffer>;
  };
  const result = await runPlan(plan, { shared, eventsMax, around });
  const { fingerprint, violations, events, realMs, coverage } = result;
  return { seed: plan.seed, fingerprint, violation: violations[0], events, realMs, coverage, own, all: packed(counters) };
}

if (process.send !== undefined) {
  const shared = new SharedState();
  // Installed once for all runs of this process.
  const traps = new Traps();
  await serveQuestions<BranchQuestion, BranchAnswer>((question) => answer(question, shared)).finally(() => traps.release());
}
