/**
 * Names that are near to a misspelt one, by the number of letters to insert, remove, replace or swap.
 */

/** Names that are compared at most. */
const comparedMax = 20_000;
const namesMax = 3;

/** The nearest names first; none that has less than about two thirds of the letters in common. */
export function nearest(name: string, names: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored = [...new Set(names.slice(0, comparedMax))].flatMap((candidate) => {
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    return distance <= limit && candidate !== name ? [{ candidate, distance }] : [];
  });
  scored.sort((one, other) => one.distance - other.distance || (one.candidate < other.candidate ? -1 : 1));
  const best = scored[0]?.distance ?? 0;
  return scored
    .filter(({ distance }) => distance === best)
    .slice(0, namesMax)
    .map(({ candidate }) => candidate);
}

/** Optimal string alignment: Damerau's distance without edits of a swapped pair. Returns more than `limit` if it is more. */
export function editDistance(one: string, other: string, limit = Infinity): number {
  if (Math.abs(one.length - other.length) > limit) {
    return limit + 1;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      let distance = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + cost);
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
