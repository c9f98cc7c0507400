/**
 * The program of a planted mutant, as a child process: receives a seed, draws and runs it, and returns the result.
 */
import { drawRun } from "../draw/draw.ts";
import { runPlan } from "../run.ts";
import { Marks } from "./marks.ts";
import { SharedState } from "../shared.ts";

/** Result of a run of one seed. */
export interface SeedRun {
  readonly seed: string;
  readonly fingerprint: string;
  /** Beginnings of the fingerprints after every `digestEveryEvents` events. */
  readonly digests: readonly string[];
  /** Number of times the marked code ran. */
  readonly reached: number;
  readonly events: number;
  readonly realMs: number;
  /** Bits of the marked blocks that ran, base64, if the program has marks (`generated/blocks.ts`). */
  readonly blocks?: string;
  /** Numbers of the branches that have run in the process, if the program counts them (`sim/coverage/branches`). */
  readonly branches?: readonly number[];
  /** First violation of the run. */
  readonly violation: { readonly kind: string; readonly oracle: string; readonly sentence: string } | undefined;
}

/** What a child process is asked: a seed, or the number of a slice. */
export interface Question {
  readonly seed: string;
  /** The run is judged after this many events. Absent: the simulator's own bound. */
  readonly eventsMax?: number | undefined;
}

const digestEveryEvents = 64;
const digestChars = 8;

const counters = globalThis as unknown as { orreryReached?: number };
const marks = new Marks();
let shared = new SharedState();

async function run({ seed, eventsMax }: Question): Promise<SeedRun> {
  const plan = drawRun(seed);
  // References that another seed computed with the mutant must not affect this one.
  shared.forgetReferences();
  if (marks.isUsed) {
    // Kernels that an earlier seed compiled would hide code that this seed needs.
    shared = new SharedState();
  }
  marks.begin();
  const before = counters.orreryReached ?? 0;
  const started = performance.now();
  const digests: string[] = [];
  const checkpoints = {
    everyEvents: digestEveryEvents,
    reached: (_: number, digest: string) => digests.push(digest.slice(0, digestChars)),
  };
  // Only the first violation counts, and what a broken cluster does after it may take long.
  const { fingerprint, events, violations } = await runPlan(plan, { shared, checkpoints, eventsMax, stopAt: () => true });
  const [first] = violations;
  return {
    seed,
    fingerprint,
    digests,
    reached: (counters.orreryReached ?? 0) - before,
    events,
    ...(marks.isUsed ? { blocks: marks.end() } : {}),
    realMs: performance.now() - started,
    violation: first === undefined ? undefined : { kind: first.kind, oracle: first.oracle, sentence: first.sentence.slice(0, 500) },
  };
}

if (process.send !== undefined) {
  // The parent decides what an interrupt ends.
  process.on("SIGINT", () => undefined);
  process.on("message", (question) => {
    void run(question as Question).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}
