/**
 * Snowball's English stemmer (Porter2, as published by M. F. Porter): removes suffixes by region, step by step.
 */
const vowels = "aeiouy";
const doubles = ["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"];

/** Words that the rules would stem incorrectly. */
const exceptions: Readonly<Record<string, string>> = Object.freeze({
  skis: "ski",
  skies: "sky",
  dying: "die",
  lying: "lie",
  tying: "tie",
  idly: "idl",
  gently: "gentl",
  ugly: "ugli",
  early: "earli",
  only: "onli",
  singly: "singl",
  sky: "sky",
  news: "news",
  howe: "howe",
  atlas: "atlas",
  cosmos: "cosmos",
  bias: "bias",
  andes: "andes",
});
/** Words that do not change after the plural is removed. */
const fixed: ReadonlySet<string> = new Set(["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"]);

const step2: Readonly<Record<string, string>> = Object.freeze({
  tional: "tion",
  enci: "ence",
  anci: "ance",
  abli: "able",
  entli: "ent",
  izer: "ize",
  ization: "ize",
  ational: "ate",
  ation: "ate",
  ator: "ate",
  alism: "al",
  aliti: "al",
  alli: "al",
  fulness: "ful",
  ousli: "ous",
  ousness: "ous",
  iveness: "ive",
  iviti: "ive",
  biliti: "ble",
  bli: "ble",
  ogi: "og",
  fulli: "ful",
  lessli: "less",
  li: "",
});
const step3: Readonly<Record<string, string>> = Object.freeze({
  tional: "tion",
  ational: "ate",
  alize: "al",
  icate: "ic",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
  ative: "",
});
const step4 = "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(" ");

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && vowels.includes(letter);
}

/** A vowel between two non-vowels, the last of which is not w, x or Y; or a vowel at the start of the word followed by a non-vowel. */
function endsInShortSyllable(word: string): boolean {
  const [before, vowel, last] = [word.at(-3), word.at(-2), word.at(-1)];
  if (!isVowel(vowel) || isVowel(last)) {
    return false;
  }
  return word.length === 2 || (!isVowel(before) && !"wxY".includes(last as string));
}

function withoutPlural(word: string): string {
  const ending = endingOf(word, ["sses", "ied", "ies", "us", "ss", "s"]);
  switch (ending) {
    case "sses":
      return word.slice(0, -2);
    case "ied":
    case "ies":
      return word.slice(0, word.length > 4 ? -2 : -1);
    case "s":
      return isAfterVowel(word.slice(0, -2), vowels) ? word.slice(0, -1) : word;
    default:
      return word;
  }
}

/** Removes past and progressive endings. */
function withoutTense(word: string, r1: number): string {
  const ending = endingOf(word, ["eed", "eedly", "ed", "edly", "ing", "ingly"]);
  if (ending === undefined) {
    return word;
  }
  const stem = word.slice(0, -ending.length);
  if (ending === "eed" || ending === "eedly") {
    return stem.length >= r1 ? `${stem}ee` : word;
  }
  if (!isAfterVowel(stem, vowels)) {
    return word;
  }
  if (endingOf(stem, ["at", "bl", "iz"]) !== undefined) {
    return `${stem}e`;
  }
  if (endingOf(stem, doubles) !== undefined) {
    return stem.slice(0, -1);
  }
  return stem.length <= r1 && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

function withShorterEnding(word: string, r1: number): string {
  const ending = endingOf(word, Object.keys(step2));
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  if (ending === undefined || stem.length < r1) {
    return word;
  }
  const last = stem.at(-1) ?? "";
  const fits = ending === "ogi" ? last === "l" : ending === "li" ? "cdeghkmnrt".includes(last) : true;
  return fits ? stem + (step2[ending] as string) : word;
}

function withoutNominalEnding(word: string, r1: number, r2: number): string {
  const ending = endingOf(word, Object.keys(step3));
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  return ending === undefined || stem.length < (ending === "ative" ? r2 : r1) ? word : stem + (step3[ending] as string);
}

function withoutDerivation(word: string, r2: number): string {
  const ending = endingOf(word, step4);
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  const fits = ending !== "ion" || stem.endsWith("s") || stem.endsWith("t");
  return ending !== undefined && stem.length >= r2 && fits ? stem : word;
}

function withoutLast(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith("e")) {
    return stem.length >= r2 || (stem.length >= r1 && !endsInShortSyllable(stem)) ? stem : word;
  }
  return word.endsWith("ll") && stem.length >= r2 ? stem : word;
}

export function stemEnglish(given: string): string {
  const exception = Object.hasOwn(exceptions, given) ? exceptions[given] : undefined;
  if (exception !== undefined || given.length <= 2) {
    return exception ?? given;
  }
  let word = (given.startsWith("'") ? given.slice(1) : given).replace(/^y/, "Y").replace(/(?<=[aeiouy])y/g, "Y");
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  const r1 = prefix === undefined ? regionAfterVowel(word, vowels, 0) : prefix.length;
  const r2 = regionAfterVowel(word, vowels, r1);
  word = withoutPlural(word.replace(/(?:'s'|'s|')$/, ""));
  if (!fixed.has(word)) {
    word = withoutTense(word, r1).replace(/(?<=.[^aeiouy])[yY]$/, "i");
    word = withoutNominalEnding(withShorterEnding(word, r1), r1, r2);
    word = withoutLast(withoutDerivation(word, r2), r1, r2);
  }
  return word.replaceAll("Y", "y");
}

/** Position after the first non-vowel that follows a vowel, from `from` on; the end of the word if there is none. */
function regionAfterVowel(word: string, vowels: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (!vowels.includes(word[at] as string) && vowels.includes(word[at - 1] as string)) {
      return at + 1;
    }
  }
  return word.length;
}

/** The longest ending of the list that the word has. */
function endingOf(word: string, endings: readonly string[]): string | undefined {
  let longest: string | undefined;
  for (const ending of endings) {
    if (word.endsWith(ending) && (longest === undefined || ending.length > longest.length)) {
      longest = ending;
    }
  }
  return longest;
}

/** Whether the text contains a vowel. */
function isAfterVowel(text: string, vowels: string): boolean {
  return Array.from(text).some((letter) => vowels.includes(letter));
}
