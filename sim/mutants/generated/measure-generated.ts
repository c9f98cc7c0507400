/**
 * Draws generated mutants and measures each: with seeds of the simulator until an oracle speaks, then with the fuzzer's statements, if its
 * room is one of those that the fuzzer tests.
 */
import { measureEach, type Measured, type Measurement } from "../measure.ts";
import { drawSample, type GeneratedMutant, type Sample, type SampleOptions } from "./generate.ts";
import { rooms } from "./rooms.ts";

export interface GeneratedOptions extends SampleOptions {
  readonly firstSeed: number;
  readonly seedsMax: number;
  /** Slices of the fuzzer's statements for a mutant that no seed found. */
  readonly slicesMax: number;
  readonly jobs: number;
  readonly isStopped: () => boolean;
  readonly onDrawn: (sample: Sample) => void;
  readonly onMeasured: (measurement: Measurement<GeneratedMutant>, done: number) => void;
  readonly onSeed: (mutant: GeneratedMutant, seeds: number) => void;
  readonly onGroup: (result: GeneratedResult) => void;
  /** The fuzzer has measured `done` of `all` mutants. */
  readonly onFuzzed: (measurement: Measurement<GeneratedMutant>, done: number, all: number) => void;
}

export interface GeneratedResult extends Sample {
  readonly measurements: readonly Measurement<GeneratedMutant>[];
  readonly unusableSeeds: readonly number[];
}

/** Statements of a slice, as in the fuzzer's program for mutants. */
export const statementsPerSlice = 50;

/** Mutants that are measured with the simulator before those that it missed are measured with the fuzzer; for each job. */
const groupPerJob = 6;

/** The result so far is passed to `onGroup` after each group of mutants. */
export async function measureGenerated(options: GeneratedOptions): Promise<GeneratedResult> {
  const sample = drawSample(options);
  options.onDrawn(sample);
  const measurements: Measurement<GeneratedMutant>[] = [];
  const unusable = new Set<number>();
  const size = groupPerJob * options.jobs;
  const resultSoFar = (): GeneratedResult => ({ ...sample, measurements, unusableSeeds: [...unusable].sort((a, b) => a - b) });
  for (let from = 0; from < sample.mutants.length && !options.isStopped(); from += size) {
    const group = await measureGroup({ ...sample, mutants: sample.mutants.slice(from, from + size) }, options, from);
    measurements.push(...group.measurements);
    for (const seed of group.unusableSeeds) {
      unusable.add(seed);
    }
    options.onGroup(resultSoFar());
  }
  return resultSoFar();
}

async function measureGroup(sample: Sample, options: GeneratedOptions, before: number): Promise<Measured<GeneratedMutant>> {
  const sourcesOf = ({ site, source }: GeneratedMutant): ReadonlyMap<string, string> => new Map([[site.path, source]]);
  const { marked, blockOf } = sample;
  const simulated = await measureEach(sample.mutants, {
    ...options,
    marked,
    blockOf,
    detectionsMax: 1,
    sourcesOf,
    onMeasured: (measurement, done) => options.onMeasured(measurement, before + done),
  });
  const { measurements, unusableSeeds } = simulated;
  const fuzzed = new Set(rooms.filter(({ isFuzzed }) => isFuzzed).map(({ name }) => name));
  const missed = measurements.filter(({ mutant, detections }) => detections.length === 0 && fuzzed.has(mutant.room));
  if (missed.length === 0 || options.slicesMax === 0 || options.isStopped()) {
    return simulated;
  }
  const again = await measureEach(
    missed.map(({ mutant }) => mutant),
    {
      root: options.root,
      jobs: options.jobs,
      isStopped: options.isStopped,
      marked,
      blockOf,
      keepsState: true,
      program: "test/oracle/fuzz/run/mutant-subject.ts",
      firstSeed: 1,
      seedsMax: options.slicesMax,
      detectionsMax: 1,
      sourcesOf,
      onMeasured: (measurement, done) => options.onFuzzed(measurement, done, missed.length),
    },
  );
  const byName = new Map(again.measurements.map((one) => [one.mutant.name, one]));
  return { unusableSeeds, measurements: measurements.map((one) => withFuzzed(one, byName.get(one.mutant.name))) };
}

/** The fuzzer's slices count as found by it after the seeds; they are not seeds. */
function withFuzzed(one: Measurement<GeneratedMutant>, fuzzed: Measurement<GeneratedMutant> | undefined): Measurement<GeneratedMutant> {
  if (fuzzed === undefined) {
    return one;
  }
  const detections = fuzzed.detections.map((detection) => ({ ...detection, oracle: "fuzz", place: one.seeds + detection.place }));
  const seeds = detections.length === 0 ? one.seeds : one.seeds + fuzzed.seeds;
  return { ...one, seeds, reached: one.reached + fuzzed.reached, detections, realMs: one.realMs + fuzzed.realMs };
}
