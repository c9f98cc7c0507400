/**
 * The process in which `verify` runs a seed. It receives a question and returns the digests along the run. Each process answers one
 * question, so that no state of an earlier run can remain.
 */
import { writeFileSync } from "node:fs";
import { drawRun } from "../draw/draw.ts";
import { Fingerprint } from "../world/fingerprint.ts";
import type { TraceEntry } from "../world/world.ts";
import type { RunResult } from "../result.ts";
import { type RunOptions, runPlan } from "../run.ts";
import type { ScenarioRegistry } from "../scenario.ts";
import { SharedState } from "../shared.ts";
import { planOf, type Subject } from "../subject.ts";
import { entryLine } from "../trace/trace.ts";

/** Flag that starts the program as such a process. */
export const verifyChildFlag = "--verify-child";

/** A range of events that is recorded completely. */
export interface Window {
  readonly fromEvent: number;
  readonly toEvent: number;
  /** Output file with one entry a line: notes, every draw, and the bytes of every message. */
  readonly file: string;
}

export interface VerifyQuestion {
  readonly subject: Subject;
  /** A seed that runs before in the same process and shares its state. */
  readonly warmUpSeed?: string;
  /** Interval between digests, in events. */
  readonly everyEvents: number;
  readonly window?: Window;
}

export interface VerifyAnswer {
  /** The plan as JSON. */
  readonly plan: string;
  readonly checkpoints: readonly (readonly [event: number, digest: string])[];
  readonly events: number;
  readonly fingerprint: string;
  /** Everything else in the run's result, except real time, as JSON. */
  readonly outcome: string;
}

async function answerQuestion(question: VerifyQuestion, scenarios: ScenarioRegistry, options: RunOptions): Promise<VerifyAnswer> {
  const { subject, warmUpSeed, everyEvents, window } = question;
  const shared = new SharedState();
  if (warmUpSeed !== undefined) {
    await runPlan(drawRun(warmUpSeed), { ...options, shared });
  }
  const plan = planOf(subject, scenarios);
  const checkpoints: (readonly [number, string])[] = [];
  const lines: string[] = [];
  const inWindow = (event: number): boolean => window !== undefined && event >= window.fromEvent && event <= window.toEvent;
  const result = await runPlan(plan, {
    ...options,
    shared,
    checkpoints: { everyEvents, reached: (event, digest) => void checkpoints.push([event, digest]) },
    ...(window === undefined
      ? {}
      : {
          trace: (entry: TraceEntry) => void (inWindow(entry.event) && lines.push(entryLine(entry))),
          traceExtras: { draws: true, bytes: true },
        }),
  });
  if (window !== undefined) {
    writeFileSync(window.file, lines.join("\n"));
  }
  return {
    plan: JSON.stringify(plan),
    checkpoints,
    events: result.events,
    fingerprint: result.fingerprint,
    outcome: JSON.stringify(outcomeOf(result)),
  };
}

/** The results of oracles and counters, which must also be equal in addition to the fingerprint. */
function outcomeOf(result: RunResult): unknown {
  const { plan: _plan, realMs: _realMs, violations, fates, ...rest } = result;
  const digest = new Fingerprint();
  digest.text(JSON.stringify(fates));
  return { ...rest, fates: digest.digest(), violations: violations.map(({ stack: _stack, ...violation }) => violation) };
}

/** The whole life of the process. `options` is for tests, which let nodes misbehave. */
export function serveVerify(scenarios: ScenarioRegistry, options: RunOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    process.on("disconnect", () => process.exit(0));
    process.once("message", (question) => {
      answerQuestion(question as VerifyQuestion, scenarios, options).then(
        (answer) => {
          process.send?.(answer, () => resolve());
        },
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
          process.exit(1);
        },
      );
    });
  });
}
