/**
 * The commands of `npm run fuzz` that give altered inputs to a part of the program, in child processes. If a process dies or does not
 * answer, its slice is repeated input by input, and the input that ends it has failed.
 */
import { Pool, serveQuestions } from "../../../../sim/pool.ts";
import { StatusLine } from "../../../../sim/status-line.ts";
import { fuzzInputs, type InputFailure, type InputsResult } from "./runner.ts";
import type { FuzzTarget } from "./target.ts";
import { targets, type TargetEntry } from "./targets.ts";

export const inputsWorkerFlag = "--fuzz-inputs-worker";

/** Far more than a slice takes, including the shrinking of failures. */
const sliceGuardMs = 120_000;
/** A child is replaced after this many slices, to release the memory that it has accumulated. */
const slicesPerChild = 20;
const sliceMsMax = 1000;

export interface InputsProgramOptions {
  readonly seed: number;
  readonly from: number;
  readonly inputs?: number;
  readonly minutes?: number;
  readonly failures: number;
  readonly jobs: number;
  readonly shrink: boolean;
}

interface Slice {
  readonly name: string;
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly shrink: boolean;
  readonly failuresMax: number;
  /** Epoch milliseconds after which the rest is abandoned. */
  readonly deadline: number;
}

type Sliced = Omit<InputsResult, "outcomes"> & { readonly outcomes: readonly (readonly [string, number])[] };

class Totals {
  inputs = 0;
  repeated = 0;
  longestSliceMs = 0;
  longestSliceOf = 0;
  readonly failures: InputFailure[] = [];
  readonly outcomes = new Map<string, number>();

  add(sliced: Sliced): void {
    this.inputs += sliced.inputs;
    this.repeated += sliced.repeated;
    this.failures.push(...sliced.failures);
    if (sliced.longestSliceMs > this.longestSliceMs) {
      this.longestSliceMs = sliced.longestSliceMs;
      this.longestSliceOf = sliced.longestSliceOf;
    }
    for (const [name, count] of sliced.outcomes) {
      this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + count);
    }
  }
}

function lost({ from }: Slice, reason: string): Sliced {
  const failure = { number: from, fault: { kind: "the process ended", detail: reason }, input: "" };
  return { inputs: 1, repeated: 0, longestSliceMs: 0, longestSliceOf: from, failures: [failure], outcomes: [["lost", 1]] };
}

export async function runInputs(name: string, options: InputsProgramOptions): Promise<"clean" | "wrong" | "interrupted"> {
  const entry = targets.get(name) as TargetEntry;
  const { from, seed, shrink } = options;
  const status = new StatusLine();
  const totals = new Totals();
  const pool = new Pool<Slice, Sliced>({
    program: process.argv[1] ?? "",
    flags: [inputsWorkerFlag],
    size: options.jobs,
    guardMs: sliceGuardMs,
    answersMax: slicesPerChild,
  });
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    pool.close();
  };
  process.on("SIGINT", interrupt);
  const end = from + (options.inputs ?? (options.minutes === undefined ? entry.count : Number.MAX_SAFE_INTEGER));
  const deadline = options.minutes === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + options.minutes * 60_000;
  const isOver = (): boolean => isInterrupted || totals.failures.length >= options.failures || Date.now() >= deadline;
  const take = (sliced: Sliced): void => {
    totals.add(sliced);
    status.clear();
    for (const { number, fault, input } of sliced.failures) {
      const again = `npm run fuzz -- ${name} --seed ${seed} --from ${number} --inputs 1`;
      process.stdout.write(`${entry.inputs} ${number}: ${fault.kind}: ${fault.detail}\n${input}\n  again: ${again}\n\n`);
    }
    status.show(() => `${totals.inputs} ${entry.inputs}, ${totals.failures.length} failures, ${rate(totals, status)} a second`);
  };
  const ask = async (slice: Slice): Promise<void> => {
    const answered = await pool.ask(slice);
    if (answered.kind === "answer") {
      take(answered.answer);
    } else if (slice.count > 1) {
      for (let number = slice.from; number < slice.from + slice.count && !isOver(); number++) {
        await ask({ ...slice, from: number, count: 1 });
      }
    } else if (!isInterrupted) {
      take(lost(slice, answered.reason));
    }
  };
  let next = from;
  const supervise = async (): Promise<void> => {
    while (next < end && !isOver()) {
      const count = Math.min(entry.slice, end - next);
      next += count;
      await ask({ name, seed, from: next - count, count, shrink, failuresMax: options.failures, deadline });
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs }, supervise));
  } finally {
    process.off("SIGINT", interrupt);
    pool.close();
  }
  status.clear();
  process.stdout.write(`${summary(entry, options, totals)}, ${rate(totals, status)} a second\n`);
  return totals.failures.length > 0 ? "wrong" : isInterrupted ? "interrupted" : "clean";
}

function rate({ inputs }: Totals, { seconds }: StatusLine): string {
  return (inputs / seconds).toFixed(0);
}

function summary({ inputs: noun }: TargetEntry, { from, seed }: InputsProgramOptions, totals: Totals): string {
  const { failures, inputs, longestSliceMs, longestSliceOf, outcomes, repeated } = totals;
  const counts = [...outcomes].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return (
    `seed ${seed}, from ${from}: ${inputs} ${noun}, ${failures.length} failures${repeated === 0 ? "" : ` and ${repeated} like them`}` +
    `; outcomes: ${counts.map(([name, count]) => `${count} ${name}`).join(", ")}` +
    `; longest slice: ${longestSliceMs.toFixed(0)} ms (${longestSliceOf})`
  );
}

/** The main loop of a child process. */
export async function serveInputs(): Promise<void> {
  const opened = new Map<string, FuzzTarget<unknown>>();
  await serveQuestions<Slice, Sliced>(async ({ name, deadline, ...slice }) => {
    const target = opened.get(name) ?? (await (targets.get(name) as TargetEntry).open());
    opened.set(name, target);
    const result = await fuzzInputs(target, { ...slice, sliceMsMax, isOver: () => Date.now() >= deadline });
    return { ...result, outcomes: [...result.outcomes] };
  });
  for (const target of opened.values()) {
    await target.close?.();
  }
}
