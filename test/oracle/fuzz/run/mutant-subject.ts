/**
 * What tests the data plane with a planted mutant, as a child process: receives the number of a slice, runs it, and returns the first
 * difference. The number is the only input, so that a slice is repeated by its number.
 */
import { projectRoot } from "../../../../sim/mutants/bank.ts";
import { firstSlices, type PlaneSlice, statementsPerSlice } from "../../../../sim/mutants/generated/plane-slices.ts";
import { Marks } from "../../../../sim/mutants/marks.ts";
import type { Question, SeedRun } from "../../../../sim/mutants/subject.ts";
import { allKinds, checkKind } from "../../../plane/program.ts";
import { drawKnobs, type KnownFile, knownFiles, quickPart } from "../known/known.ts";
import { KnownAnswers } from "../known/known-answers.ts";
import { Random } from "../random.ts";

import { LoadedTables, runFuzz } from "./run.ts";
import { Worlds } from "./worlds.ts";

type Violation = NonNullable<SeedRun["violation"]>;

const marks = new Marks();
const counters = globalThis as unknown as { orreryBranches?: Uint32Array; orreryReached?: number; orreryRoot?: string };

/** The program of a mutant is in a temporary folder, and knows the project's by the planter. */
const root = counters.orreryRoot ?? projectRoot();
let known = new KnownAnswers(root);
let files: readonly KnownFile[] | undefined;
let loaded: LoadedTables | undefined;

interface Checked {
  readonly cases: number;
  readonly violation: Violation | undefined;
}

function wrong(oracle: string, sentence: string): Violation {
  return { kind: "wrong result", oracle, sentence: sentence.slice(0, 500) };
}

async function checkOperators({ only, from, cases }: PlaneSlice & { readonly kind: "operators" }): Promise<Checked> {
  let count = 0;
  for (let number = from; number < from + cases; number++) {
    for (const kind of only === undefined ? allKinds : [only]) {
      count++;
      const found = await checkKind(kind, 1, number);
      if (found !== undefined) {
        return { cases: count, violation: wrong("operators", found) };
      }
    }
  }
  return { cases: count, violation: undefined };
}

async function checkKnown({ files: kind, part, parts, seed }: PlaneSlice & { readonly kind: "known" }): Promise<Checked> {
  files ??= knownFiles(root);
  let count = 0;
  let violation: Violation | undefined;
  for (const [index, file] of quickPart(files, kind, { part, parts }).entries()) {
    const knobs = seed === undefined ? {} : drawKnobs(new Random(seed, part * 100 + index));
    count += await known.check(file, {
      knobs,
      isOver: () => violation !== undefined,
      onWrong: ({ place, sql, wrong: sentence }) => {
        violation = wrong(kind, `${place} ${sentence}: ${sql}`);
        return false;
      },
    });
  }
  return { cases: count, violation };
}

async function checkStatements({ seed, from, count, everyRule }: PlaneSlice & { readonly kind: "statements" }): Promise<Checked> {
  loaded ??= new LoadedTables(await Worlds.open());
  let violation: Violation | undefined;
  const { statements } = await runFuzz(loaded, {
    seed,
    from,
    count,
    shrink: false,
    failuresMax: 1,
    everyRule,
    stopped: () => false,
    onFailure: ({ report, verdict }) => {
      violation = wrong(everyRule ? "rules" : "fuzz", `${verdict.kind}: ${report}`);
    },
  });
  return { cases: statements, violation };
}

function check(slice: PlaneSlice): Promise<Checked> {
  switch (slice.kind) {
    case "operators":
      return checkOperators(slice);
    case "known":
      return checkKnown(slice);
    case "statements":
      return checkStatements(slice);
  }
}

/** Slices with the same tables take longest with the first; a seed of its own draws other tables for each. */
const slicesPerSeed = 2;

/** The slice with this number, from 1. */
function sliceOf(number: number): PlaneSlice {
  const first = firstSlices[number - 1];
  if (first !== undefined) {
    return first;
  }
  const place = number - firstSlices.length - 1;
  const from = (place % slicesPerSeed) * statementsPerSlice;
  return { kind: "statements", seed: Math.floor(place / slicesPerSeed) + 1, from, count: statementsPerSlice, everyRule: false };
}

/** Kernels that an earlier slice compiled would hide code that this slice needs, so that a slice is marked without them. */
async function forgetKernels(): Promise<void> {
  known.close();
  known = new KnownAnswers(root);
  await loaded?.worlds.close();
  loaded = undefined;
}

async function run(number: number): Promise<SeedRun> {
  if (marks.isUsed) {
    await forgetKernels();
  }
  marks.begin();
  const before = counters.orreryReached ?? 0;
  const started = performance.now();
  const { cases, violation } = await check(sliceOf(number));
  return {
    seed: String(number),
    fingerprint: violation === undefined ? "" : violation.sentence,
    digests: [],
    reached: (counters.orreryReached ?? 0) - before,
    events: cases,
    ...(marks.isUsed ? { blocks: marks.end() } : {}),
    ...(counters.orreryBranches === undefined ? {} : { branches: reachedBranches(counters.orreryBranches) }),
    realMs: performance.now() - started,
    violation,
  };
}

/** Numbers of the branches that ran since the process began. */
function reachedBranches(counts: Uint32Array): readonly number[] {
  return [...counts.keys()].filter((number) => (counts[number] ?? 0) > 0);
}

if (process.send !== undefined) {
  process.on("SIGINT", () => undefined);
  process.on("message", (question) => {
    void run(Number((question as Question).seed)).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}
