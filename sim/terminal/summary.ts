/**
 * The result of a run or of a sweep in five lines: verdict, work, faults, what to do next, and what identifies it.
 */
import type { RunResult } from "../result.ts";
import type { Subject } from "../subject.ts";
import type { Tally } from "../sweep.ts";
import { type Paint, unpainted } from "./paint.ts";

export interface RunSummary {
  readonly subject: Subject;
  readonly result: RunResult;
  readonly token: string;
  readonly paint?: Paint;
}

export interface SweepSummary {
  readonly from: number;
  readonly to: number;
  /** Seeds that ran. */
  readonly count: number;
  readonly failed: number;
  /** The smallest seed that failed. */
  readonly firstFailed?: string | undefined;
  readonly sums: Tally;
  readonly realMs: number;
  readonly jobs: number;
  readonly fingerprint: string;
  readonly paint?: Paint;
}

const labelWidth = 7;
const msPerMinute = 60_000;
/** Fates of messages that tell something about a run; the others are counted with `--verbose`. */
const tellingFates = ["lost", "reset", "cut", "duplicated", "truncated", "overtaken", "timedOut", "turnedAway", "neverAnswered"] as const;

function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** `3 finished, 1 cancelled`; counts of zero are left out. */
function counted(counts: readonly (readonly [count: number, what: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${number(count)} ${what}`)
    .join(", ");
}

function many(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? "" : "s"}`;
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function line(paint: Paint, label: string, text: string): string {
  return `${paint("label", label.padEnd(labelWidth))} ${text}`;
}

/** Arguments that name a run: `42`, `--scenario worker-crash --seed 7`. */
function argumentsOf(subject: Subject): string {
  switch (subject.kind) {
    case "seed":
      return subject.seed;
    case "scenario":
      return `--scenario ${subject.name} --seed ${subject.seed}`;
    case "plan":
      return subject.plan.seed;
  }
}

function titleOf(subject: Subject): string {
  return subject.kind === "scenario" ? `${subject.name}, seed ${subject.seed}` : `seed ${argumentsOf(subject)}`;
}

/** Verdict of a run, in one line. */
function verdictOf({ subject, result, paint = unpainted }: Omit<RunSummary, "token">): string {
  const [violation, ...others] = result.violations;
  if (violation === undefined) {
    return `${paint("good", "PASS".padEnd(labelWidth))} ${titleOf(subject)}: every invariant held in ${many(sumOf(result.checks), "check")}`;
  }
  const { kind, oracle, sentence, atNanos } = violation;
  const more = others.length === 0 ? "" : `, and ${many(others.length, "other violation")}`;
  const what = sentence.split("\n")[0] ?? "";
  return `${paint("bad", "FAIL".padEnd(labelWidth))} ${titleOf(subject)}: ${kind} at ${(atNanos / 1e9).toFixed(3)} s [${oracle}] ${what}${more}`;
}

export function summarizeRun({ subject, result, token, paint = unpainted }: RunSummary): readonly string[] {
  const { work, plan, faults, messages } = result;
  const outcomes = counted([
    [work.finished, "finished"],
    [sumOf(work.failed), "failed with a declared error"],
    [work.canceled, "cancelled"],
    [work.vanished, "abandoned"],
    [work.unanswered, "unanswered"],
  ]);
  const seconds = result.simulatedNanos / 1e9;
  const ran = [
    `${many(work.submitted, "statement")} on ${many(plan.workers.length, "worker")}${outcomes === "" ? "" : `: ${outcomes}`}`,
    `${many(work.rows, "row")}, ${many(work.tasks, "task")}, ${many(work.pages, "page")}`,
    `${seconds.toFixed(1)} s simulated in ${(result.realMs / 1000).toFixed(2)} s (${Math.round((seconds * 1000) / Math.max(1, result.realMs))}x)`,
  ];
  const fates = counted(tellingFates.map((fate) => [messages[fate] ?? 0, wordsOf(fate)]));
  const argument = argumentsOf(subject);
  const run = "npm run sim --";
  const next =
    result.violations.length === 0
      ? `${run} view ${argument} shows the run; --verbose prints its plan and all counters`
      : `${run} shrink ${argument} finds the smallest run that fails; explain says why, view shows it`;
  return [
    verdictOf({ subject, result, paint }),
    line(paint, "ran", ran.join("; ")),
    line(paint, "faults", `${struck(faults)}; messages: ${fates === "" ? "none affected" : fates}`),
    line(paint, "next", next),
    line(paint, "token", `${token}  fingerprint ${result.fingerprint}`),
  ];
}

function wordsOf(fate: string): string {
  return fate.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `7 struck (clock-step 4, partition 2, wiped-restart 1), 5 on work in flight`. */
function struck(faults: RunResult["faults"]): string {
  if (faults.length === 0) {
    return "none struck";
  }
  const kinds = new Map<string, number>();
  for (const { kind } of faults) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const listed = [...kinds].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`);
  return `${faults.length} struck (${listed.join(", ")}), ${faults.filter(({ landed }) => landed).length} on work in flight`;
}

/** Verdict of a sweep, in one line. */
export function sweepVerdict({ from, to, count, failed, sums, paint = unpainted }: SweepSummary): string {
  const left = to - from + 1 - count;
  const stopped = left > 0 ? `, stopped before the other ${number(left)}` : "";
  const checks = sumWithPrefix(sums, "checked ");
  return failed === 0
    ? `${paint("good", "PASS".padEnd(labelWidth))} ${many(count, "seed")}${stopped}: every invariant held in ${many(checks, "check")}`
    : `${paint("bad", "FAIL".padEnd(labelWidth))} ${number(failed)} of ${many(count, "seed")}${stopped}`;
}

/** The four lines below the verdict. */
export function summarizeSweep(summary: SweepSummary): readonly string[] {
  const { from, to, count, failed, firstFailed, sums, realMs, jobs, fingerprint, paint = unpainted } = summary;
  const of = (name: string): number => sums[name] ?? 0;
  const outcomes = counted([
    [of("finished"), "finished"],
    [sumWithPrefix(sums, "error "), "failed with a declared error"],
    [of("cancelled"), "cancelled"],
    [of("abandoned"), "abandoned"],
    [of("unanswered"), "unanswered"],
  ]);
  const ran = [
    `${many(of("statements"), "statement")}${outcomes === "" ? "" : `: ${outcomes}`}`,
    `${many(of("rows"), "row")}, ${many(of("tasks"), "task")}, ${many(of("pages"), "page")}`,
    `${number(Math.round(of("simulatedMs") / 1000))} s simulated in ${(realMs / 1000).toFixed(1)} s`,
    `${number(Math.round((count / Math.max(1, realMs)) * msPerMinute))} seeds a minute on ${jobs} ${jobs === 1 ? "process" : "processes"}`,
  ];
  const kinds = Object.keys(sums).filter((name) => name.startsWith("struck ") && of(name) > 0).length;
  const next =
    failed > 0
      ? `npm run sim -- shrink ${firstFailed ?? from} finds the smallest run that fails; --seed ${firstFailed ?? from} repeats it`
      : `npm run sim -- coverage --seeds ${from}..${to} says what no run reached; --verbose prints all counters`;
  return [
    line(paint, "ran", ran.join("; ")),
    line(
      paint,
      "faults",
      `${number(sumWithPrefix(sums, "struck "))} struck of ${many(kinds, "kind")}, ${number(sumWithPrefix(sums, "landed "))} on work in flight; ${number(sumWithPrefix(sums, "point "))} fault points fired`,
    ),
    line(paint, "next", next),
    line(paint, "hash", `fingerprint ${fingerprint}`),
  ];
}

function sumWithPrefix(sums: Tally, prefix: string): number {
  return Object.entries(sums).reduce((sum, [name, count]) => (name.startsWith(prefix) ? sum + count : sum), 0);
}
