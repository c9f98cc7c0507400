/**
 * Whether as many mutants of a sample are found as a record says. The answer is that of a measurement of all mutants with all seeds, but
 * what remains when enough are found is not run: first each mutant of the record with the seed that found it, then all others by rounds.
 */
import { measureEach } from "../measure.ts";
import type { GeneratedMutant, Sample } from "./generate.ts";

export interface FindEnoughOptions {
  readonly root: string;
  readonly seedsMax: number;
  readonly jobs: number;
  readonly enough: number;
  /** The seed that found a mutant, by the key of its site. Mutants that the sources no longer have are ignored. */
  readonly places: Readonly<Record<string, number>>;
  readonly isStopped: () => boolean;
  readonly onMeasured: (found: number, mutants: number) => void;
  readonly onFound?: (siteKey: string, seed: number) => void;
  /** `measureEach` if absent. */
  readonly measure?: typeof measureEach<GeneratedMutant>;
}

/** Last seeds of the rounds before the last one: most mutants are found by the first seeds or by none. */
const roundEnds = [2, 8];

/** Number of mutants found: at least `enough`, or all that the seeds find. */
export async function findEnough(sample: Sample, options: FindEnoughOptions): Promise<number> {
  const { enough, places, seedsMax, measure = measureEach } = options;
  const found = new Set<string>();
  const round = async (mutants: readonly GeneratedMutant[], firstSeed: number, lastSeed: number): Promise<void> => {
    await measure(
      mutants.filter(({ name }) => !found.has(name)),
      {
        root: options.root,
        jobs: options.jobs,
        isStopped: () => found.size >= enough || options.isStopped(),
        marked: sample.marked,
        blockOf: sample.blockOf,
        detectionsMax: 1,
        sourcesOf: ({ site, source }) => new Map([[site.path, source]]),
        firstSeed,
        seedsMax: lastSeed - firstSeed + 1,
        onMeasured: ({ mutant, detections }) => {
          const [first] = detections;
          if (first !== undefined) {
            found.add(mutant.name);
            options.onFound?.(mutant.site.key, Number(first.seed));
          }
          options.onMeasured(found.size, sample.mutants.length);
        },
      },
    );
  };
  const known = new Map<number, GeneratedMutant[]>();
  for (const mutant of sample.mutants) {
    const seed = places[mutant.site.key];
    if (seed !== undefined && seed <= seedsMax) {
      known.set(seed, [...(known.get(seed) ?? []), mutant]);
    }
  }
  for (const [seed, mutants] of known) {
    await round(mutants, seed, seed);
  }
  let first = 1;
  for (const last of [...roundEnds.filter((end) => end < seedsMax), seedsMax]) {
    if (found.size < enough && !options.isStopped()) {
      await round(sample.mutants, first, last);
    }
    first = last + 1;
  }
  return found.size;
}
