/**
 * The fuzzer with a planted mutant, as a child process: receives the number of a slice, runs its statements, and returns the first
 * difference. The number is the only input, so that a slice is repeated by its number.
 */
import { Marks } from "../../../../sim/mutants/marks.ts";
import type { SeedRun } from "../../../../sim/mutants/subject.ts";
import { LoadedTables, runFuzz } from "./run.ts";
import { Worlds } from "./worlds.ts";

const statementsPerSlice = 50;
/** Slices with the same tables take longest with the first; a seed of its own draws other tables for each. */
const slicesPerSeed = 2;

const marks = new Marks();
const counters = globalThis as unknown as { orreryReached?: number };
let loaded: LoadedTables | undefined;

async function run(slice: number): Promise<SeedRun> {
  marks.begin();
  const before = counters.orreryReached ?? 0;
  const started = performance.now();
  loaded ??= new LoadedTables(await Worlds.open());
  const seed = Math.floor((slice - 1) / slicesPerSeed) + 1;
  let violation: SeedRun["violation"];
  const { statements } = await runFuzz(loaded, {
    seed,
    from: ((slice - 1) % slicesPerSeed) * statementsPerSlice,
    count: statementsPerSlice,
    shrink: false,
    failuresMax: 1,
    everyRule: false,
    stopped: () => false,
    onFailure: ({ report, verdict }) => {
      violation = { kind: "wrong result", oracle: "fuzz", sentence: `${verdict.kind}: ${report}`.slice(0, 500) };
    },
  });
  return {
    seed: String(slice),
    fingerprint: violation === undefined ? "" : violation.sentence,
    digests: [],
    reached: (counters.orreryReached ?? 0) - before,
    events: statements,
    ...(marks.isUsed ? { blocks: marks.end() } : {}),
    realMs: performance.now() - started,
    violation,
  };
}

if (process.send !== undefined) {
  process.on("SIGINT", () => undefined);
  process.on("message", (slice) => {
    void run(Number(slice)).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}
