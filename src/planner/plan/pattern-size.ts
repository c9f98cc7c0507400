/**
 * Size of a row pattern: its number of steps once repetitions and permutations are expanded.
 */
import type { RowPattern } from "./pattern-nodes.ts";

/** The analyzer rejects larger patterns. */
export const patternSizeMax = 100_000;

export function patternSize(pattern: RowPattern): number {
  switch (pattern.kind) {
    case "CONCATENATION":
      return pattern.terms.reduce((sum, term) => sum + patternSize(term), 0);
    case "ALTERNATION":
      return pattern.terms.reduce((sum, term) => sum + patternSize(term) + 2, 0);
    case "PERMUTATION": {
      const orders = pattern.terms.reduce((product, _term, index) => product * (index + 1), 1);
      return orders * (pattern.terms.reduce((sum, term) => sum + patternSize(term), 0) + 2);
    }
    case "QUANTIFIED": {
      const size = patternSize(pattern.pattern);
      const { min, max } = pattern;
      return max === undefined ? (min + 1) * size + 3 : max * (size + 1);
    }
    case "EXCLUSION":
      return patternSize(pattern.pattern);
    default:
      return 1;
  }
}
