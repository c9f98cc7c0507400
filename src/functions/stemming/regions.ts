/** What the stemmers of Snowball share: the regions of a word and its endings. Positions count UTF-16 units. */

/** Behind the first letter that is no vowel and follows one, from `from` on; the word's end when there is none. */
export function regionAfterVowel(word: string, vowels: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (!vowels.includes(word[at] as string) && vowels.includes(word[at - 1] as string)) {
      return at + 1;
    }
  }
  return word.length;
}

/** The longest of the endings that the word has. */
export function endingOf(word: string, endings: readonly string[]): string | undefined {
  let longest: string | undefined;
  for (const ending of endings) {
    if (word.endsWith(ending) && (longest === undefined || ending.length > longest.length)) {
      longest = ending;
    }
  }
  return longest;
}

/** Whether a vowel is in the text. */
export function isAfterVowel(text: string, vowels: string): boolean {
  return Array.from(text).some((letter) => vowels.includes(letter));
}
