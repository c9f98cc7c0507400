/** The Danish stemmer of Snowball, as it is published: inflections, then endings of derivation, behind the first syllable. */
import { endingOf, regionAfterVowel } from "./regions.ts";

const vowels = "aeiouyæåø";
const regionMin = 3;
/** An s goes only behind one of them. */
const beforeS = "abcdfghjklmnoprtvyzå";
const inflections =
  "hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes enes ernes eres ens hedens erens ers ets erets et eret s".split(
    " ",
  );
const pairs = ["gd", "dt", "gt", "kt"];
const derivations = ["ig", "lig", "elig", "els", "løst"];

function endingBehind(word: string, from: number, endings: readonly string[]): string | undefined {
  return endingOf(word.slice(from), endings);
}

function withoutInflection(word: string, from: number): string {
  const ending = endingBehind(word, from, inflections);
  if (ending === undefined || (ending === "s" && !beforeS.includes(word.at(-2) ?? " "))) {
    return word;
  }
  return word.slice(0, -ending.length);
}

function withoutPair(word: string, from: number): string {
  return endingBehind(word, from, pairs) === undefined ? word : word.slice(0, -1);
}

function withoutDerivation(word: string, from: number): string {
  const plain = word.endsWith("igst") ? word.slice(0, -2) : word;
  const ending = endingBehind(plain, from, derivations);
  if (ending === undefined) {
    return plain;
  }
  return ending === "løst" ? plain.slice(0, -1) : withoutPair(plain.slice(0, -ending.length), from);
}

export function stemDanish(given: string): string {
  if (given.length < regionMin) {
    return given;
  }
  const from = Math.max(regionMin, regionAfterVowel(given, vowels, 0));
  const word = withoutDerivation(withoutPair(withoutInflection(given, from), from), from);
  const [before, last] = [word.at(-2), word.at(-1)];
  const isDouble = word.length > from && before === last && /^[bcdfghjklmnpqrstvwxz]$/.test(last as string);
  return isDouble ? word.slice(0, -1) : word;
}
