/**
 * The program of a planted mutant, as a child process: receives a seed, draws and runs it, and returns the result.
 */
import { drawRun } from "../draw/draw.ts";
import { runPlan } from "../run.ts";
import { SharedState } from "../shared.ts";

/** Result of a run of one seed. */
export interface SeedRun {
  readonly seed: string;
  readonly fingerprint: string;
  /** Number of times the marked code ran. */
  readonly reached: number;
  readonly events: number;
  readonly realMs: number;
  /** First violation of the run. */
  readonly violation: { readonly kind: string; readonly oracle: string; readonly sentence: string } | undefined;
}

const counters = globalThis as unknown as { orreryReached?: number };
const shared = new SharedState();

async function run(seed: string): Promise<SeedRun> {
  const plan = drawRun(seed);
  // References that another seed computed with the mutant must not affect this one.
  shared.forgetReferences();
  const before = counters.orreryReached ?? 0;
  const started = performance.now();
  const { fingerprint, events, violations } = await runPlan(plan, { shared });
  const [first] = violations;
  return {
    seed,
    fingerprint,
    reached: (counters.orreryReached ?? 0) - before,
    events,
    realMs: performance.now() - started,
    violation: first === undefined ? undefined : { kind: first.kind, oracle: first.oracle, sentence: first.sentence.slice(0, 500) },
  };
}

if (process.send !== undefined) {
  // The parent decides what an interrupt ends.
  process.on("SIGINT", () => undefined);
  process.on("message", (seed) => {
    void run(String(seed)).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}
