/**
 * The instrumented program, as a child process: runs seeds and plans, and answers with the result and the counters of the branches.
 */
import { KernelModuleCache } from "../../../src/codegen/runtime.ts";
import { drawRun } from "../../draw/draw.ts";
import type { Violation } from "../../checkers/violation.ts";
import type { RunPlan } from "../../plan.ts";
import { serveQuestions } from "../../pool.ts";
import { runPlan } from "../../run.ts";
import { SharedState } from "../../shared.ts";
import { principal } from "../../shrink/signature.ts";
import { Causes } from "../../trace/causes.ts";
import { type Race, someRaces } from "../../trace/races.ts";
import { StreamTree } from "../../world/streams.ts";
import { Traps } from "../../world/traps.ts";
import type { TraceEntry } from "../../world/world.ts";

export interface BranchQuestion {
  /** A seed, or a plan. */
  readonly run: string | RunPlan;
  /** A run with more events ends there. */
  readonly eventsMax?: number;
  /** Computes every reference anew: those of a mutant may depend on the runs before. */
  readonly forgetsReferences?: boolean;
  /** Looks for this many races of the run. */
  readonly racesMax?: number;
}

export interface BranchAnswer {
  readonly seed: string;
  readonly fingerprint: string;
  /** The violation that explains the run's failure. */
  readonly violation: Violation | undefined;
  readonly events: number;
  readonly realMs: number;
  /** Coverage goals and pairs of the run, sorted. */
  readonly coverage: readonly string[];
  /** Numbers of the branches that ran in the run itself, and how often. */
  readonly own: Uint32Array;
  /** Numbers of the branches that ran, be it in the run or in its reference runs. */
  readonly all: Uint32Array;
  readonly races: readonly Race[];
}

/**
 * The branches that generate a kernel run once a process. They are taken out of the counters, so that what a run reaches does not depend on
 * the runs before it.
 */
class UncountedModules extends KernelModuleCache {
  /** Counters when the generation of a kernel began, by the kernel's key: one may need another. */
  readonly #before = new Map<string, Uint32Array>();

  override get(key: string): ReturnType<KernelModuleCache["get"]> {
    const known = super.get(key);
    if (known === undefined) {
      this.#before.set(key, counters.slice());
    }
    return known;
  }

  override set(...entry: Parameters<KernelModuleCache["set"]>): void {
    super.set(...entry);
    const before = this.#before.get(entry[0]);
    this.#before.delete(entry[0]);
    if (before !== undefined) {
      for (const [number, value] of counters.entries()) {
        generated[number] = (generated[number] ?? 0) + value - (before[number] ?? 0);
      }
      counters.set(before);
    }
  }
}

const counters = (globalThis as unknown as { readonly orreryBranches?: Uint32Array }).orreryBranches ?? new Uint32Array(0);
/** Counts of the branches that generated kernels. */
const generated = new Uint32Array(counters.length);

/** Two numbers for each counter that is not 0: its number and its value. */
function packed(values: Uint32Array, before?: Uint32Array): Uint32Array {
  const pairs: number[] = [];
  for (const [number, value] of values.entries()) {
    const count = value - (before?.[number] ?? 0);
    if (count > 0) {
      pairs.push(number, count);
    }
  }
  return Uint32Array.from(pairs);
}

async function answer({ run, eventsMax, forgetsReferences, racesMax = 0 }: BranchQuestion, shared: SharedState): Promise<BranchAnswer> {
  if (forgetsReferences === true) {
    shared.forgetReferences();
  }
  const plan = typeof run === "string" ? drawRun(run) : run;
  let own = new Uint32Array(0);
  const around = async (itself: () => Promise<void>): Promise<void> => {
    const before = counters.slice();
    await itself();
    own = packed(counters, before) as Uint32Array<ArrayBuffer>;
  };
  const entries: TraceEntry[] = [];
  const trace = racesMax === 0 ? undefined : (entry: TraceEntry): number => entries.push(entry);
  const result = await runPlan(plan, { shared, eventsMax, around, trace });
  const { fingerprint, violations, events, realMs, coverage } = result;
  const stream = StreamTree.root(plan.seed).stream("races");
  const races = racesMax === 0 ? [] : someRaces(new Causes(entries), { racesMax, shuffle: (items) => stream.shuffle(items) });
  const all = packed(counters.map((count, number) => count + (generated[number] ?? 0)));
  return { seed: plan.seed, fingerprint, violation: principal(violations), events, realMs, coverage, own, all, races };
}

if (process.send !== undefined) {
  const shared = new SharedState((modulesMax) => new UncountedModules(modulesMax));
  // Installed once for all runs of this process.
  const traps = new Traps();
  await serveQuestions<BranchQuestion, BranchAnswer>((question) => answer(question, shared)).finally(() => traps.release());
}
