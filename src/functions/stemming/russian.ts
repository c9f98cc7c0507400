/** The Russian stemmer of Snowball, as it is published: endings of gerunds, adjectives, verbs and nouns behind the first vowel, then those of derivation. */
import { endingOf, regionAfterVowel } from "./regions.ts";

const vowels = "аеиоуыэюя";

/** Endings that stand behind а or я only, and others. */
interface Endings {
  readonly bound: readonly string[];
  readonly free: readonly string[];
}

function endings(bound: string, free: string): Endings {
  return { bound: bound.split(" ").filter((ending) => ending !== ""), free: free.split(" ") };
}

const gerund = endings("в вши вшись", "ив ивши ившись ыв ывши ывшись");
const reflexive = endings("", "ся сь");
const adjective = endings("", "ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею");
const participle = endings("ем нн вш ющ щ", "ивш ывш ующ");
const verb = endings(
  "ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно",
  "ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю",
);
const noun = endings("", "а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я");

/** The word without the longest ending of the kind behind `from`; undefined when there is none that may go. */
function without(word: string, from: number, { bound, free }: Endings): string | undefined {
  const region = word.slice(from);
  const ending = endingOf(region, [...bound, ...free]);
  if (ending === undefined) {
    return undefined;
  }
  const before = region.slice(0, -ending.length);
  return bound.includes(ending) && !/[ая]$/.test(before) ? undefined : word.slice(0, -ending.length);
}

function withoutEnding(word: string, from: number): string {
  const first = without(word, from, gerund);
  if (first !== undefined) {
    return first;
  }
  const rest = without(word, from, reflexive) ?? word;
  const plain = without(rest, from, adjective);
  if (plain !== undefined) {
    return without(plain, from, participle) ?? plain;
  }
  return without(rest, from, verb) ?? without(rest, from, noun) ?? rest;
}

function tidied(word: string, from: number): string {
  const region = word.slice(from);
  const ending = endingOf(region, ["ейш", "ейше", "н", "ь"]);
  switch (ending) {
    case "н":
      return region.endsWith("нн") ? word.slice(0, -1) : word;
    case "ь":
      return word.slice(0, -1);
    case "ейш":
    case "ейше": {
      const stem = word.slice(0, -ending.length);
      return stem.slice(from).endsWith("нн") ? stem.slice(0, -1) : stem;
    }
    default:
      return word;
  }
}

export function stemRussian(given: string): string {
  let word = given.replaceAll("ё", "е");
  const firstVowel = Array.from(word).findIndex((letter) => vowels.includes(letter));
  if (firstVowel < 0) {
    return word;
  }
  const from = firstVowel + 1;
  const r2 = regionAfterVowel(word, vowels, regionAfterVowel(word, vowels, 0));
  word = withoutEnding(word, from);
  word = word.slice(from).endsWith("и") ? word.slice(0, -1) : word;
  // Of what stands in the region of the word as it was.
  const derivation = endingOf(word.slice(Math.max(r2, from)), ["ост", "ость"]);
  word = derivation === undefined ? word : word.slice(0, -derivation.length);
  return tidied(word, from);
}
