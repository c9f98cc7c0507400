/**
 * Measures mutants: runs the same seeds with the mutated engine and with the unmodified one (the twin). Reached: the marked code ran.
 * Triggered: the fingerprint differs from the twin's. Detected: an oracle reported a violation, or the process died, while the twin's run
 * is clean.
 */
import type { Mutant } from "./bank.ts";
import { Nursery } from "./plant.ts";
import { gapsOf, type Observation, type Spread, spreadOf } from "./detection-figures.ts";
import type { SeedRun } from "./subject.ts";
import { type Asked, SubjectProcess } from "./subject-process.ts";

export interface Detection {
  readonly seed: string;
  /** Ordinal of the seed among those that count. */
  readonly place: number;
  readonly oracle: string;
  readonly kind: string;
  readonly sentence: string;
}

export interface Measurement {
  readonly mutant: Mutant;
  /** Number of seeds that count: those on which the unmodified engine passes. */
  readonly seeds: number;
  readonly reached: number;
  readonly triggered: number;
  readonly detections: readonly Detection[];
  readonly gaps: readonly Observation[];
  readonly spread: Spread;
  readonly realMs: number;
}

export interface MeasureOptions {
  readonly root: string;
  readonly firstSeed: number;
  /** Maximum seeds for each mutant. */
  readonly seedsMax: number;
  /** Number of detections after which a mutant is not run further. */
  readonly detectionsMax: number;
  readonly jobs: number;
  readonly onMeasured?: (measurement: Measurement, done: number) => void;
  readonly onSeed?: (mutant: Mutant, seeds: number) => void;
  /** Called between two seeds. */
  readonly isStopped?: () => boolean;
}

/** A run counts as hung if it takes this many times as long as its twin's, and at least `guardMsMin`. */
const guardFactor = 25;
const guardMsMin = 30_000;
const twinGuardMs = 600_000;

/** Runs of the unmodified engine: one for each seed, shared by all mutants. */
class Twins {
  readonly #runs = new Map<number, Promise<SeedRun | undefined>>();
  readonly #processes: SubjectProcess[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns undefined if the unmodified engine fails on the seed, which then says nothing about a mutant. */
  of(seed: number): Promise<SeedRun | undefined> {
    let run = this.#runs.get(seed);
    if (run === undefined) {
      run = this.#run(seed);
      this.#runs.set(seed, run);
    }
    return run;
  }

  async unusable(): Promise<readonly number[]> {
    const seeds = [...this.#runs.keys()];
    const runs = await Promise.all(this.#runs.values());
    return seeds.filter((_, index) => runs[index] === undefined).sort((a, b) => a - b);
  }

  close(): void {
    for (const process of this.#processes) {
      process.close();
    }
  }

  async #run(seed: number): Promise<SeedRun | undefined> {
    const process = this.#processes.pop() ?? new SubjectProcess(this.#file);
    const asked = await process.ask(String(seed), twinGuardMs);
    this.#processes.push(process);
    return asked.kind === "run" && asked.run.violation === undefined ? asked.run : undefined;
  }
}

export interface Measured {
  readonly measurements: readonly Measurement[];
  /** Seeds on which the unmodified engine fails; they count for no mutant. */
  readonly unusableSeeds: readonly number[];
}

/** Results in the order of the mutants. Throws an Error that names the first mutant that does not apply or compile. */
export async function measureAll(mutants: readonly Mutant[], options: MeasureOptions): Promise<Measured> {
  const nursery = new Nursery(options.root);
  let twins: Twins | undefined;
  try {
    twins = new Twins(await nursery.plant(undefined));
    const measurements: Measurement[] = [];
    let next = 0;
    let done = 0;
    const work = async (known: Twins): Promise<void> => {
      for (let index = next++; index < mutants.length && options.isStopped?.() !== true; index = next++) {
        const measurement = await measure(mutants[index] as Mutant, { nursery, twins: known, options });
        measurements[index] = measurement;
        options.onMeasured?.(measurement, ++done);
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.jobs, mutants.length) }, () => work(twins as Twins)));
    return { measurements: measurements.filter((one) => one !== undefined), unusableSeeds: await twins.unusable() };
  } finally {
    twins?.close();
    nursery.close();
  }
}

async function measure(
  mutant: Mutant,
  { nursery, twins, options }: { readonly nursery: Nursery; readonly twins: Twins; readonly options: MeasureOptions },
): Promise<Measurement> {
  const started = performance.now();
  const file = await nursery.plant(mutant);
  const subject = new SubjectProcess(file);
  const detections: Detection[] = [];
  let [seeds, reached, triggered] = [0, 0, 0];
  try {
    for (let seed = options.firstSeed; seed < options.firstSeed + options.seedsMax; seed++) {
      if (detections.length >= options.detectionsMax || options.isStopped?.() === true) {
        break;
      }
      const twin = await twins.of(seed);
      if (twin === undefined) {
        continue;
      }
      seeds++;
      options.onSeed?.(mutant, seeds);
      const asked = await askTwice(subject, String(seed), Math.max(guardMsMin, guardFactor * twin.realMs));
      const differs = asked.kind === "died" || asked.run.fingerprint !== twin.fingerprint;
      // Code that generates kernels runs once a process, while the kernels run many times, so a different fingerprint also counts as
      // reached.
      reached += differs || asked.run.reached > 0 ? 1 : 0;
      triggered += differs ? 1 : 0;
      const violation = asked.kind === "died" ? { kind: "crash", oracle: "process", sentence: asked.reason } : asked.run.violation;
      if (violation !== undefined) {
        detections.push({ seed: String(seed), place: seeds, ...violation });
      }
    }
  } finally {
    subject.close();
    nursery.uproot(file);
  }
  const gaps = gapsOf(
    detections.map(({ place }) => place),
    seeds,
  );
  return { mutant, seeds, reached, triggered, detections, gaps, spread: spreadOf(gaps), realMs: performance.now() - started };
}

/** A process may die because of earlier seeds, so the seed is repeated in a new one. */
async function askTwice(subject: SubjectProcess, seed: string, guardMs: number): Promise<Asked> {
  const first = await subject.ask(seed, guardMs);
  return first.kind === "died" && !first.hangs ? subject.ask(seed, guardMs) : first;
}
