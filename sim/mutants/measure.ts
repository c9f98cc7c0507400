/**
 * Measures mutants: runs the same seeds with the mutated engine and with the unmodified one (the twin). Reached: the marked code ran.
 * Triggered: the fingerprint differs from the twin's. Detected: an oracle reported a violation, or the process died, while the twin's run
 * is clean.
 */
import { type Mutant, mutatedSources } from "./bank.ts";
import { Nursery, type SubjectProgram } from "./plant.ts";
import { gapsOf, type Observation, type Spread, spreadOf } from "./detection-figures.ts";
import type { Question } from "./subject.ts";
import { type Asked, SubjectProcess } from "./subject-process.ts";
import { Twins } from "./twins.ts";

export interface Detection {
  readonly seed: string;
  /** Ordinal of the seed among those that count. */
  readonly place: number;
  readonly oracle: string;
  readonly kind: string;
  readonly sentence: string;
}

export interface Measurement<M = Mutant> {
  readonly mutant: M;
  /** Number of seeds that count: those on which the unmodified engine passes. */
  readonly seeds: number;
  readonly reached: number;
  readonly triggered: number;
  /** Mean share of events after the first that differs from the twin's, in the runs that differ. */
  readonly shareAfter: number;
  readonly detections: readonly Detection[];
  readonly gaps: readonly Observation[];
  readonly spread: Spread;
  readonly realMs: number;
}

export interface MeasureOptions<M = Mutant> {
  readonly root: string;
  readonly firstSeed: number;
  /** Maximum seeds for each mutant. */
  readonly seedsMax: number;
  /** Number of detections after which a mutant is not run further. */
  readonly detectionsMax: number;
  readonly jobs: number;
  readonly onMeasured?: (measurement: Measurement<M>, done: number) => void;
  readonly onSeed?: (mutant: M, seeds: number) => void;
  /** Called between two seeds. */
  readonly isStopped?: () => boolean;
}

/** A run counts as hung if it takes this many times as long as its twin's, and at least `guardMsMin`. */
const guardFactor = 25;
const guardMsMin = 30_000;
/**
 * A mutant that works without end is judged after this many times the events of its twin, not after real time. Few seeds have more than
 * 100,000 events, so that a bound of its own would take them for endless.
 */
const eventsFactor = 4;
const eventsMaxMin = 100_000;

export interface Measured<M = Mutant> {
  readonly measurements: readonly Measurement<M>[];
  /** Seeds on which the unmodified engine fails; they count for no mutant. */
  readonly unusableSeeds: readonly number[];
}

/** Results in the order of the mutants. Throws an Error that names the first mutant that does not apply or compile. */
export function measureAll(mutants: readonly Mutant[], options: MeasureOptions): Promise<Measured> {
  return measureEach(mutants, { ...options, sourcesOf: (mutant) => mutatedSources(mutant, options.root) });
}

interface EachOptions<M> extends MeasureOptions<M> {
  /** Changed sources by their paths from the root. */
  readonly sourcesOf: (mutant: M) => ReadonlyMap<string, string>;
  /** Sources of the unmodified engine with a mark in each block, to leave out runs that cannot reach a mutant. */
  readonly marked?: ReadonlyMap<string, string>;
  /** The mutant's block; negative if every run reaches it. */
  readonly blockOf?: (mutant: M) => number;
  /** The simulator if absent. */
  readonly program?: SubjectProgram;
}

/** The same for bugs from elsewhere. */
export async function measureEach<M extends { readonly name: string }>(
  mutants: readonly M[],
  options: EachOptions<M>,
): Promise<Measured<M>> {
  if (mutants.length === 0) {
    return { measurements: [], unusableSeeds: [] };
  }
  const nursery = new Nursery(options.root, options.program ?? "sim/mutants/subject.ts");
  let twins: Twins | undefined;
  try {
    twins = new Twins(await nursery.plant({ name: "as-it-is", sources: options.marked ?? new Map() }));
    const measurements: Measurement<M>[] = [];
    let next = 0;
    let done = 0;
    const work = async (known: Twins): Promise<void> => {
      for (let index = next++; index < mutants.length && options.isStopped?.() !== true; index = next++) {
        const measurement = await measure(mutants[index] as M, { nursery, twins: known, options });
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

interface MeasureContext<M> {
  readonly nursery: Nursery;
  readonly twins: Twins;
  readonly options: EachOptions<M>;
}

async function measure<M extends { readonly name: string }>(
  mutant: M,
  { nursery, twins, options }: MeasureContext<M>,
): Promise<Measurement<M>> {
  const started = performance.now();
  const block = options.blockOf?.(mutant) ?? -1;
  let file: string | undefined;
  let subject: SubjectProcess | undefined;
  const detections: Detection[] = [];
  let [seeds, reached, triggered, sharesAfter] = [0, 0, 0, 0];
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
      if (block >= 0 && !twin.reaches(block)) {
        continue;
      }
      file ??= await nursery.plant({ name: mutant.name, sources: options.sourcesOf(mutant) });
      subject ??= new SubjectProcess(file);
      const question = { seed: String(seed), eventsMax: Math.max(eventsMaxMin, eventsFactor * twin.events) };
      const asked = await askTwice(subject, question, Math.max(guardMsMin, guardFactor * twin.realMs));
      const differs = asked.kind === "died" || asked.run.fingerprint !== twin.fingerprint;
      // Code that generates kernels runs once a process, while the kernels run many times, so a different fingerprint also counts as
      // reached.
      reached += differs || asked.run.reached > 0 ? 1 : 0;
      triggered += differs ? 1 : 0;
      sharesAfter += differs && asked.kind === "run" ? shareAfter(asked.run.digests, twin.digests) : 0;
      const violation = asked.kind === "died" ? { kind: "crash", oracle: "process", sentence: asked.reason } : asked.run.violation;
      if (violation !== undefined) {
        detections.push({ seed: String(seed), place: seeds, ...violation });
      }
    }
  } finally {
    subject?.close();
    if (file !== undefined) {
      nursery.uproot(file);
    }
  }
  const gaps = gapsOf(
    detections.map(({ place }) => place),
    seeds,
  );
  const realMs = performance.now() - started;
  return {
    mutant,
    seeds,
    reached,
    triggered,
    shareAfter: sharesAfter / Math.max(1, triggered),
    detections,
    gaps,
    spread: spreadOf(gaps),
    realMs,
  };
}

/** Share of the twin's events after the first difference. */
function shareAfter(digests: readonly string[], twin: readonly string[]): number {
  const first = twin.findIndex((digest, index) => digest !== digests[index]);
  return first < 0 ? 0 : (twin.length - first) / twin.length;
}

/** A process may die because of earlier seeds, so the seed is repeated in a new one. */
async function askTwice(subject: SubjectProcess, question: Question, guardMs: number): Promise<Asked> {
  const first = await subject.ask(question, guardMs);
  return first.kind === "died" && !first.hangs ? subject.ask(question, guardMs) : first;
}
