/**
 * One run at the terminal: its plan, its result, its trace, and the token that identifies it.
 */
import { writeFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Branch, TraceEntry } from "../world/world.ts";
import { exitCodes } from "../checkers/violation.ts";
import { describePlan, describeResult, exitCodeOf, type RunResult } from "../result.ts";
import { runPlan } from "../run.ts";
import type { ScenarioRegistry } from "../scenario.ts";
import { planOf, type Subject } from "../subject.ts";
import { paintFor } from "../terminal/paint.ts";
import { type RunSummary, summarizeRun } from "../terminal/summary.ts";
import { configOf, configRefusal, identifyProgram, parseToken, programRefusal, type Token, writeToken } from "../token.ts";
import { entryLine, footerLine, headerLine } from "../trace/trace.ts";

export interface RunOneOptions {
  readonly scenarios: ScenarioRegistry;
  /** Prints only the verdict and the token. */
  readonly quiet?: boolean;
  /** Prints the plan and all counters. */
  readonly verbose?: boolean;
  /** File name of the trace. */
  readonly trace?: string;
  /** Whether the trace contains every random draw. */
  readonly traceDraws?: boolean;
  readonly branch?: Branch;
  /** Prints the trace entries of this event and of those shortly before it. */
  readonly lookAt?: number | undefined;
}

/** Number of entries printed before the event of a token. */
const entriesBefore = 8;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Parses `118204:3`: event and seed. */
export function parseBranch(text: string): Branch {
  const match = /^([1-9]\d{0,11}):([^:/]+)$/.exec(text);
  if (match === null) {
    throw new InvalidArgumentError("expected EVENT:K, as in 700:3");
  }
  return { atEvent: Number(match[1]), seed: match[2] ?? "" };
}

/** Returns the exit code. */
export async function runOne(subject: Subject, options: RunOneOptions): Promise<number> {
  const plan = planOf(subject, options.scenarios);
  const { branch, trace, lookAt } = options;
  if (options.verbose === true) {
    say(describePlan(plan));
    if (branch !== undefined) {
      say(`branch: different draws from event ${branch.atEvent} on, number ${branch.seed}`);
    }
  }
  const lines: string[] = [];
  const seen: TraceEntry[] = [];
  const look = (entry: TraceEntry): void => {
    if (lookAt !== undefined && entry.event <= lookAt) {
      seen.push(entry);
    }
    if (trace !== undefined) {
      lines.push(entryLine(entry));
    }
  };
  const result = await runPlan(plan, {
    branch,
    ...(trace === undefined && lookAt === undefined ? {} : { trace: look }),
    traceExtras: { draws: options.traceDraws === true },
  });
  const token = tokenOf(subject, result, branch);
  say(summaryOf({ subject, result, token }, options).join("\n"));
  if (lookAt !== undefined) {
    describeEvent(seen, lookAt).forEach(say);
  }
  if (trace !== undefined) {
    writeFileSync(trace, `${[headerLine(plan, branch), ...lines, footerLine(result)].join("\n")}\n`);
    say(`trace of ${lines.length} entries written to ${trace}`);
  }
  if (options.verbose === true) {
    say(`token ${token}`);
  }
  return exitCodeOf(result);
}

function summaryOf(summary: RunSummary, { verbose, quiet }: Pick<RunOneOptions, "verbose" | "quiet">): readonly string[] {
  if (verbose === true) {
    return [describeResult(summary.result)];
  }
  const lines = summarizeRun({ ...summary, paint: paintFor(process.stdout.isTTY, process.env) });
  return quiet === true ? [lines[0] ?? "", lines.at(-1) ?? ""] : lines;
}

function describeEvent(entries: readonly TraceEntry[], event: number): readonly string[] {
  const before = entries.filter((entry) => entry.event < event).slice(-entriesBefore);
  const within = entries.filter((entry) => entry.event === event);
  const line = ({ atNanos, event: number, place, kind, detail }: TraceEntry): string =>
    `  ${number === event ? ">" : " "} event ${number} t=${(atNanos / 1e9).toFixed(9)} ${place} ${kind} ${detail}`;
  return [`event ${event}:`, ...[...before, ...within].map(line), ...(within.length === 0 ? ["  > the event wrote no entry"] : [])];
}

/** Token of a run of this program. Points to the first violation, if there is one. */
function tokenOf(subject: Subject, { plan, violations }: RunResult, branch?: Branch): string {
  if (subject.kind === "plan") {
    return "none, because the plan is in its file";
  }
  const program = identifyProgram(process.argv[1] ?? "");
  return writeToken({ program, subject, config: configOf(plan, branch), event: violations[0]?.event });
}

/** The run that a token identifies, or an exit code if this program cannot reproduce it. */
export function readToken(
  text: string,
  options: { readonly scenarios: ScenarioRegistry; readonly force?: boolean; readonly branch?: Branch },
): Token | number {
  const refuse = (reason: string): number => {
    process.stderr.write(`${reason}\n`);
    return exitCodes.usage;
  };
  let token: Token;
  try {
    token = parseToken(text);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (options.force === true) {
    return token;
  }
  const refusal = programRefusal(token, identifyProgram(process.argv[1] ?? ""));
  if (refusal !== undefined) {
    return refuse(refusal);
  }
  const other = configRefusal(token, planOf(token.subject, options.scenarios), options.branch);
  return other === undefined ? token : refuse(other);
}
