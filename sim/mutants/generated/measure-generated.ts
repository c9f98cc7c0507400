/**
 * Draws generated mutants and measures each with seeds until an oracle speaks.
 */
import { measureEach, type Measurement } from "../measure.ts";
import { drawSample, type GeneratedMutant, type Sample, type SampleOptions } from "./generate.ts";

export interface GeneratedOptions extends SampleOptions {
  readonly firstSeed: number;
  readonly seedsMax: number;
  readonly jobs: number;
  readonly isStopped: () => boolean;
  readonly onDrawn: (sample: Sample) => void;
  readonly onMeasured: (measurement: Measurement<GeneratedMutant>, done: number) => void;
  readonly onSeed: (mutant: GeneratedMutant, seeds: number) => void;
}

export interface GeneratedResult extends Sample {
  readonly measurements: readonly Measurement<GeneratedMutant>[];
  readonly unusableSeeds: readonly number[];
}

export async function measureGenerated(options: GeneratedOptions): Promise<GeneratedResult> {
  const sample = drawSample(options);
  options.onDrawn(sample);
  const measured = await measureEach(sample.mutants, {
    ...options,
    detectionsMax: 1,
    sourcesOf: ({ site, source }) => new Map([[site.path, source]]),
  });
  return { ...sample, ...measured };
}
