/**
 * Draws generated mutants and measures each: those of the data plane with the slices of plane-slices.ts, then all that were not found with
 * seeds of the simulator until an oracle speaks.
 */
import { measureEach, type Measured, type Measurement } from "../measure.ts";
import { drawSample, type GeneratedMutant, type Sample, type SampleOptions } from "./generate.ts";
import { rooms } from "./rooms.ts";

export interface GeneratedOptions extends SampleOptions {
  readonly firstSeed: number;
  readonly seedsMax: number;
  /** Slices for a mutant of the data plane. */
  readonly slicesMax: number;
  readonly jobs: number;
  readonly isStopped: () => boolean;
  readonly onDrawn: (sample: Sample) => void;
  readonly onMeasured: (measurement: Measurement<GeneratedMutant>, done: number) => void;
  readonly onSeed: (mutant: GeneratedMutant, seeds: number) => void;
  readonly onSlice: (mutant: GeneratedMutant, slices: number) => void;
  readonly onGroup: (result: GeneratedResult) => void;
  /** The slices have measured `done` of the group's `all` mutants of the data plane. */
  readonly onFuzzed: (measurement: Measurement<GeneratedMutant>, done: number, all: number) => void;
}

export interface GeneratedResult extends Sample {
  readonly measurements: readonly Measurement<GeneratedMutant>[];
  readonly unusableSeeds: readonly number[];
}

/** Mutants that are measured with one kind of program before the other; for each job. */
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

/** Mutants of the data plane first run in what tests it alone, which is cheaper than seeds; the seeds are for what that missed. */
async function measureGroup(sample: Sample, options: GeneratedOptions, before: number): Promise<Measured<GeneratedMutant>> {
  const common = {
    root: options.root,
    jobs: options.jobs,
    isStopped: options.isStopped,
    marked: sample.marked,
    blockOf: sample.blockOf,
    detectionsMax: 1,
    sourcesOf: ({ site, source }: GeneratedMutant): ReadonlyMap<string, string> => new Map([[site.path, source]]),
  };
  const inPlane = new Set(rooms.filter(({ isFuzzed }) => isFuzzed).map(({ name }) => name));
  const planeMutants = options.slicesMax === 0 ? [] : sample.mutants.filter(({ room }) => inPlane.has(room));
  const plane = await measureEach(planeMutants, {
    ...common,
    program: "test/oracle/fuzz/run/mutant-subject.ts",
    firstSeed: 1,
    seedsMax: options.slicesMax,
    onSeed: options.onSlice,
    onMeasured: (measurement, done) => options.onFuzzed(measurement, done, planeMutants.length),
  });
  const byName = new Map(plane.measurements.map((one) => [one.mutant.name, one]));
  const isFound = ({ name }: GeneratedMutant): boolean => (byName.get(name)?.detections.length ?? 0) > 0;
  const found = sample.mutants.filter(isFound).length;
  const simulated = await measureEach(
    sample.mutants.filter((mutant) => !isFound(mutant)),
    {
      ...common,
      firstSeed: options.firstSeed,
      seedsMax: options.seedsMax,
      onSeed: options.onSeed,
      onMeasured: (measurement, done) => options.onMeasured(measurement, before + found + done),
    },
  );
  const seeds = new Map(simulated.measurements.map((one) => [one.mutant.name, one]));
  const measurements = sample.mutants.flatMap(({ name }) => together(byName.get(name), seeds.get(name)) ?? []);
  return { unusableSeeds: simulated.unusableSeeds, measurements };
}

/** A mutant that was interrupted before its seeds is left out, unless it was found. */
function together(
  plane: Measurement<GeneratedMutant> | undefined,
  seeds: Measurement<GeneratedMutant> | undefined,
): Measurement<GeneratedMutant> | undefined {
  if (plane === undefined || seeds === undefined) {
    return seeds ?? (plane !== undefined && plane.detections.length > 0 ? plane : undefined);
  }
  return { ...seeds, reached: seeds.reached + plane.reached, realMs: seeds.realMs + plane.realMs };
}
