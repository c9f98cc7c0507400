/**
 * Runs a candidate plan up to the failure in question, in this process or in child processes on all cores.
 */
import type { MessageFate } from "../world/fates.ts";
import type { Sabotage } from "../world/network.ts";
import type { Violation } from "../checkers/violation.ts";
import type { RunPlan } from "../plan.ts";
import { Pool, serveQuestions } from "../pool.ts";
import { runPlan } from "../run.ts";
import { SharedState } from "../shared.ts";
import { type Facts, FactFinder } from "./facts.ts";
import { failsTheSame, isSame, principal, type Signature } from "./signature.ts";

export interface Question {
  readonly plan: RunPlan;
  /** The failure in question; any failure if absent. */
  readonly signature?: Signature;
  /** A run with more events does not count. */
  readonly eventsMax?: number;
}

export interface Trial {
  /** The failure in question; undefined if the run does not have it. */
  readonly violation: Violation | undefined;
  readonly events: number;
  readonly fates: readonly MessageFate[];
  readonly facts: Facts;
  /** The process of the run did not end normally. */
  readonly lost?: string;
}

export interface Laboratory {
  /** Number of plans that can be tried in parallel. */
  readonly width: number;
  /** Deterministic: the same question has the same answer. */
  try(question: Question): Promise<Trial>;
  close(): void;
}

export async function tryPlan(
  { plan, signature, eventsMax }: Question,
  options: { readonly shared: SharedState; readonly sabotage?: Sabotage | undefined },
): Promise<Trial> {
  const finder = new FactFinder();
  const result = await runPlan(plan, {
    ...options,
    trace: finder.take,
    stopAt: signature === undefined ? undefined : (violation) => isSame(signature, violation),
    eventsMax,
  });
  const givenUp = eventsMax !== undefined && result.events >= eventsMax;
  const violation = signature === undefined ? principal(result.violations) : failsTheSame(signature, result.violations);
  return { violation: givenUp ? undefined : violation, events: result.events, fates: result.fates, facts: finder.facts(result.fates) };
}

/** Flag that starts this program as a child that tries plans. */
export const trialWorkerFlag = "--trial-worker";
/** Time limit for one trial, in milliseconds. Some changes make a statement compute for minutes, which is no simplification. */
const trialGuardMs = 30_000;
const trialsPerChild = 2_000;

/** Runs trials in children of this program on all cores. */
export class ChildLaboratory implements Laboratory {
  readonly width: number;
  readonly #pool: Pool<Question, Trial>;

  constructor(width: number, program = process.argv[1] ?? "") {
    this.width = width;
    this.#pool = new Pool({ program, flags: [trialWorkerFlag], size: width, guardMs: trialGuardMs, answersMax: trialsPerChild });
  }

  async try(question: Question): Promise<Trial> {
    const answered = await this.#pool.ask(question);
    if (answered.kind === "answer") {
      return answered.answer;
    }
    return { violation: undefined, events: 0, fates: [], facts: { submitted: [], positions: {} }, lost: answered.reason };
  }

  close(): void {
    this.#pool.close();
  }
}

/** Main function of such a child. */
export function serveTrials(): Promise<void> {
  const shared = new SharedState();
  return serveQuestions<Question, Trial>((question) => tryPlan(question, { shared }));
}
