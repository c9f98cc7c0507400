/**
 * Attacks determinism: runs a seed in new processes whose environments differ in everything that must not matter, and compares digests
 * along the run. If two runs diverge, both are repeated with complete recording around that point, until the first different entry is
 * found.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subject } from "../subject.ts";
import type { VerifyAnswer } from "./child.ts";
import {
  describeEntry,
  type EntryDifference,
  firstEntryDifference,
  firstTextDifference,
  partedBetween,
  type TextDifference,
} from "./compare.ts";
import { askFresh, type ChildProgram, VerifyProcessError } from "./process.ts";
import { plainSurroundings, type Surroundings } from "./surroundings.ts";

/** Events between two digests, few enough to record all of them. */
const everyEvents = 100;
/** Maximum searches if the runs diverge at another point each time. */
const searchesMax = 4;

/** Where a run in another environment diverged from the plain one. */
export type Difference =
  | { readonly kind: "plan"; readonly difference: TextDifference }
  | {
      readonly kind: "event";
      /** Number of the first different event. */
      readonly event: number;
      readonly lastSame: { readonly event: number; readonly digest: string | undefined };
      readonly entries: EntryDifference;
    }
  /** The runs diverge at a different point each time. */
  | { readonly kind: "wandering"; readonly events: readonly number[] }
  /** The runs are equal, but their results differ. */
  | { readonly kind: "outcome"; readonly difference: TextDifference };

export type Verdict =
  | { readonly kind: "same" }
  | { readonly kind: "different"; readonly difference: Difference }
  | { readonly kind: "lost"; readonly reason: string };

export interface VerifiedRun {
  readonly surroundings: Surroundings;
  readonly verdict: Verdict;
}

export interface VerifyReport {
  /** The run in the plain environment. */
  readonly plain: VerifyAnswer;
  readonly runs: readonly VerifiedRun[];
}

export interface VerifyOptions {
  readonly program: ChildProgram;
  readonly subject: Subject;
  readonly surroundings: readonly Surroundings[];
  /** Number of parallel processes. */
  readonly jobs: number;
  readonly onRun?: (run: VerifiedRun) => void;
}

/** Throws VerifyProcessError if the plain run does not end. */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { program, subject } = options;
  const plain = await askFresh(program, { subject, everyEvents }, plainSurroundings);
  const waiting = [...options.surroundings];
  const runs: VerifiedRun[] = [];
  const work = async (): Promise<void> => {
    for (let surroundings = waiting.shift(); surroundings !== undefined; surroundings = waiting.shift()) {
      const run = { surroundings, verdict: await verdictOn(options, plain, surroundings) };
      runs.push(run);
      options.onRun?.(run);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, work));
  const order = (run: VerifiedRun): number => options.surroundings.indexOf(run.surroundings);
  return { plain, runs: runs.sort((a, b) => order(a) - order(b)) };
}

async function verdictOn(options: VerifyOptions, plain: VerifyAnswer, surroundings: Surroundings): Promise<Verdict> {
  try {
    const answer = await askFresh(options.program, { subject: options.subject, everyEvents }, surroundings);
    const planDifference = firstTextDifference(plain.plan, answer.plan);
    if (planDifference !== undefined) {
      return { kind: "different", difference: { kind: "plan", difference: planDifference } };
    }
    const apart = partedBetween(plain, answer);
    if (apart !== undefined) {
      const window = { fromEvent: apart.lastSameEvent, toEvent: apart.firstDifferentEvent };
      return { kind: "different", difference: await findEvent(options, surroundings, window) };
    }
    const outcomeDifference = firstTextDifference(plain.outcome, answer.outcome);
    return outcomeDifference === undefined
      ? { kind: "same" }
      : { kind: "different", difference: { kind: "outcome", difference: outcomeDifference } };
  } catch (error) {
    if (error instanceof VerifyProcessError) {
      return { kind: "lost", reason: error.message };
    }
    throw error;
  }
}

/** Repeats both runs with a digest after every event and complete recording within the window, until they diverge within it. */
async function findEvent(
  options: VerifyOptions,
  surroundings: Surroundings,
  start: { readonly fromEvent: number; readonly toEvent: number },
): Promise<Difference> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-verify-"));
  try {
    const partedAt: number[] = [];
    let range = start;
    for (let search = 0; search < searchesMax; search++) {
      const files = [join(folder, "a"), join(folder, "b")] as const;
      const ask = (file: string, where: Surroundings): Promise<VerifyAnswer> =>
        askFresh(options.program, { subject: options.subject, everyEvents: 1, window: { ...range, file } }, where);
      const a = await ask(files[0], plainSurroundings);
      const b = await ask(files[1], surroundings);
      const apart = partedBetween(a, b);
      if (apart === undefined) {
        // The runs did not diverge this time.
        continue;
      }
      const [linesOfA, linesOfB] = files.map((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== ""),
      );
      const entries = firstEntryDifference(linesOfA ?? [], linesOfB ?? []);
      if (apart.firstDifferentEvent >= range.fromEvent && apart.lastSameEvent < range.toEvent && entries !== undefined) {
        const events = [entries.a?.event, entries.b?.event].filter((event) => event !== undefined);
        const lastSame = { event: apart.lastSameEvent, digest: apart.lastSameDigest };
        return { kind: "event", event: Math.min(...events), lastSame, entries };
      }
      partedAt.push(apart.firstDifferentEvent);
      range = { fromEvent: Math.max(0, apart.lastSameEvent - everyEvents), toEvent: apart.firstDifferentEvent + everyEvents };
    }
    return { kind: "wandering", events: partedAt };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function describeDifference(difference: Difference, surroundings: Surroundings): readonly string[] {
  const sides = (a: string, b: string): readonly string[] => [`  A (${plainSurroundings.name}): ${a}`, `  B (${surroundings.name}): ${b}`];
  switch (difference.kind) {
    case "plan": {
      const { index, a, b } = difference.difference;
      return [`NONDETERMINISTIC plan, from character ${index} on`, ...sides(a, b)];
    }
    case "outcome": {
      const { index, a, b } = difference.difference;
      return [`NONDETERMINISTIC result of equal runs, from character ${index} on`, ...sides(a, b)];
    }
    case "wandering":
      return [
        `NONDETERMINISTIC, at a different event each time: ${difference.events.length === 0 ? "not reproduced in several attempts" : `the runs diverged at events ${difference.events.join(", ")}`}`,
        ...sides("", ""),
      ];
    case "event":
      return describeEvent(difference, sides);
  }
}

function describeEvent(
  { event, lastSame, entries }: Extract<Difference, { readonly kind: "event" }>,
  sides: (a: string, b: string) => readonly string[],
): readonly string[] {
  const { a, b, before } = entries;
  const where = a ?? b;
  const text =
    a !== undefined && b !== undefined && a.kind === b.kind && a.place === b.place ? firstTextDifference(a.detail, b.detail) : undefined;
  const long = text !== undefined && (a?.detail.length ?? 0) > 200;
  const told = long ? sides(`${a?.kind} ${text.a}`, `${b?.kind} ${text.b}`) : sides(describeEntry(a), describeEntry(b));
  return [
    `NONDETERMINISTIC at event ${event} t=${((where?.atNanos ?? 0) / 1e9).toFixed(9)} ${where?.place ?? ""}${long ? ` (${where?.kind}, character ${text.index})` : ""}`,
    ...told,
    `  last common entry: ${before === undefined ? "none in the window" : shorten(describeEntry(before))}`,
    `  last common hash ${lastSame.digest ?? "none"} after event ${lastSame.event}`,
  ];
}

function shorten(text: string): string {
  return text.length > 240 ? `${text.slice(0, 240)}...` : text;
}
