/**
 * Estimates from many runs what is covered, what is missing, and how likely the next run finds something new. The input is a sweep: the
 * names that each seed reached.
 */
import { excludedGoals, goals } from "./goals.ts";
import { excludedPairs, possiblePairs } from "./pairs.ts";

export interface Coverages {
  /** Reached names, by seed. */
  readonly seeds: ReadonlyMap<string, readonly string[]>;
}

export interface Estimate {
  /** Number of goals and pairs that at least one run reached. */
  readonly covered: number;
  readonly known: number;
  /**
   * Number of seeds that alone reached something. `chance` is the probability that the next seed is such a seed, `chanceMost` its upper 95
   * % bound (Wilson).
   */
  readonly lonely: number;
  readonly chance: number;
  readonly chanceMost: number;
  readonly holes: readonly string[];
  /** Reached names that the universe excludes or does not contain. */
  readonly strangers: readonly string[];
}

const excluded: readonly { readonly id: string; readonly reason: string }[] = [...excludedGoals, ...excludedPairs];
const everything: ReadonlyMap<string, string> = new Map([...goals, ...possiblePairs].map(({ id, sentence }) => [id, sentence]));

export function estimate({ seeds }: Coverages): Estimate {
  const counts = new Map<string, number>();
  for (const names of seeds.values()) {
    for (const name of names) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  // Good-Turing estimate: a seed that alone reached something would, as the last one, have found something new.
  const lonely = [...seeds.values()].filter((names) => names.some((name) => counts.get(name) === 1)).length;
  const holes = [...everything].filter(([id]) => !counts.has(id)).map(([, sentence]) => `no run yet in which ${sentence}`);
  const reasons = new Map(excluded.map(({ id, reason }) => [id, reason]));
  const strangers = [...counts.keys()]
    .filter((name) => !everything.has(name))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => (reasons.has(name) ? `${name}: excluded because ${reasons.get(name) ?? ""}` : `${name}: not in the universe`));
  return {
    covered: everything.size - holes.length,
    known: everything.size,
    lonely,
    chance: seeds.size === 0 ? 1 : lonely / seeds.size,
    chanceMost: upperBound(lonely, seeds.size),
    holes,
    strangers,
  };
}

/** Wilson's upper bound of a ratio, one-sided 95 %. */
export function upperBound(hits: number, trials: number): number {
  if (trials === 0) {
    return 1;
  }
  const z = 1.645;
  const ratio = hits / trials;
  const centre = ratio + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((ratio * (1 - ratio)) / trials + (z * z) / (4 * trials * trials));
  return Math.min(1, (centre + spread) / (1 + (z * z) / trials));
}

export function describeEstimate(coverages: Coverages): readonly string[] {
  const { covered, known, lonely, chance, chanceMost, holes, strangers } = estimate(coverages);
  const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;
  return [
    ...holes,
    ...strangers.map((stranger) => `SURPRISE ${stranger}`),
    `${covered} of ${known} goals and pairs covered by ${coverages.seeds.size} seeds (${goals.length} goals, ${possiblePairs.length} pairs; ${excluded.length} more are impossible), ${holes.length} holes`,
    `chance that the next seed finds something new: ${percent(chance)} (${lonely} of ${coverages.seeds.size} seeds reached something that no other did; 95 % <= ${percent(chanceMost)})`,
  ];
}

interface SavedCoverages {
  readonly orreryCoverage: 1;
  readonly names: readonly string[];
  /** Indexes into `names`, by seed. */
  readonly seeds: Readonly<Record<string, readonly number[]>>;
}

export function writeCoverages({ seeds }: Coverages): string {
  const names = [...new Set([...seeds.values()].flat())].sort((a, b) => (a < b ? -1 : 1));
  const places = new Map(names.map((name, place) => [name, place]));
  const saved: SavedCoverages = {
    orreryCoverage: 1,
    names,
    seeds: Object.fromEntries([...seeds].map(([seed, hits]) => [seed, hits.map((name) => places.get(name) ?? 0)])),
  };
  return `${JSON.stringify(saved)}\n`;
}

/** Throws an Error with a sentence if the text is invalid. */
export function readCoverages(text: string): Coverages {
  let saved: Partial<SavedCoverages>;
  try {
    saved = JSON.parse(text) as Partial<SavedCoverages>;
  } catch {
    throw new Error("the coverage file is not JSON");
  }
  if (saved.orreryCoverage !== 1 || saved.names === undefined || saved.seeds === undefined) {
    throw new Error("not a coverage file of version 1");
  }
  const { names } = saved;
  return { seeds: new Map(Object.entries(saved.seeds).map(([seed, places]) => [seed, places.flatMap((place) => names[place] ?? [])])) };
}
