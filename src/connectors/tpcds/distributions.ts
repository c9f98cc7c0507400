/**
 * Weighted lists of values and dsdgen's ways to draw from them.
 */
import type { RowStream } from "./streams.ts";

/** Cumulative weights. */
export type Weights = Float64Array;

export function cumulativeWeights(weights: readonly number[]): Weights {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  weights.forEach((weight, index) => {
    sum += weight;
    sums[index] = sum;
  });
  return sums;
}

/** Index of a random value. */
export function pick(weights: Weights, stream: RowStream): number {
  return indexOfLevel(weights, stream.uniform(1, weights[weights.length - 1] as number));
}

/** First index whose cumulative weight reaches `level`. */
function indexOfLevel(weights: Weights, level: number): number {
  let low = 0;
  let high = weights.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((weights[middle] as number) < level) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

export interface WeightedWords {
  readonly words: readonly string[];
  readonly weights: Weights;
}

/**
 * Groups are lines, or parts between semicolons. A leading number is the weight of the group's words; a group without one has the weight of
 * the group before. Commas separate words.
 */
export function parseGroups(text: string): WeightedWords {
  const words: string[] = [];
  const weights: number[] = [];
  let weight = 1;
  for (const line of text.trim().split(/[;\n]/)) {
    const group = /^(\d+) (.*)$/.exec(line);
    weight = group === null ? weight : Number(group[1]);
    for (const word of (group?.[2] ?? line).split(",")) {
      words.push(word);
      weights.push(weight);
    }
  }
  return { words, weights: cumulativeWeights(weights) };
}

/** `word weight word weight`; underscores stand for spaces. */
export function parsePairs(text: string): WeightedWords {
  const tokens = text.trim().split(/\s+/);
  const words = tokens.filter((_, index) => index % 2 === 0).map((token) => token.replaceAll("_", " "));
  return { words, weights: cumulativeWeights(tokens.filter((_, index) => index % 2 === 1).map(Number)) };
}

export function pickWord({ words, weights }: WeightedWords, stream: RowStream): string {
  return words[pick(weights, stream)] as string;
}
