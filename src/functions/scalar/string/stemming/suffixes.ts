/**
 * Shared by the Snowball stemmers in this folder: longest suffix match, and the regions of a word after its vowels and consonants.
 * Positions are UTF-16 units, as in the published stemmers.
 */

/** Suffixes of one step, each with its action. */
export interface SuffixStep<Action> {
  readonly actions: ReadonlyMap<string, Action>;
  readonly unitsMax: number;
}

/** `groups`: an action and its suffixes, separated by spaces. A suffix must be unique within a step. */
export function suffixStep<Action>(groups: readonly (readonly [action: Action, suffixes: string])[]): SuffixStep<Action> {
  const actions = new Map(
    groups.flatMap(([action, suffixes]) => suffixes.split(/\s+/).map((suffix): [string, Action] => [suffix, action])),
  );
  return { actions, unitsMax: Math.max(...[...actions.keys()].map(({ length }) => length)) };
}

export interface FoundSuffix<Action> {
  readonly start: number;
  readonly action: Action;
}

/** The longest suffix of the step that ends at `end`. */
export function longestSuffix<Action>(
  { actions, unitsMax }: SuffixStep<Action>,
  word: string,
  end: number,
): FoundSuffix<Action> | undefined {
  for (let start = Math.max(0, end - unitsMax); start < end; start++) {
    const action = actions.get(word.slice(start, end));
    if (action !== undefined) {
      return { start, action };
    }
  }
  return undefined;
}

/** Position after the first unit from `from` on that is a vowel (or a non-vowel); undefined if there is none. */
export function behindFirst(word: string, from: number, vowels: string, isVowel: boolean): number | undefined {
  for (let at = from; at < word.length; at++) {
    if (vowels.includes(word.charAt(at)) === isVowel) {
      return at + 1;
    }
  }
  return undefined;
}

/** Start of R1 and R2: each after the first consonant that follows a vowel, R2 within R1; the end of the word if there is none. */
export function regions(word: string, vowels: string): readonly [r1: number, r2: number] {
  const next = (from: number | undefined): number | undefined => {
    const vowel = from === undefined ? undefined : behindFirst(word, from, vowels, true);
    return vowel === undefined ? undefined : behindFirst(word, vowel, vowels, false);
  };
  const r1 = next(0);
  return [r1 ?? word.length, next(r1) ?? word.length];
}
