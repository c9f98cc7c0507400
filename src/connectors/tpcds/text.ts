/**
 * Texts of dsdgen: sentences of random words, names from syllables, random characters, business keys.
 */
import type { Dictionaries } from "./dictionaries.ts";
import { pick, pickWord } from "./distributions.ts";
import type { RowStream } from "./streams.ts";

const letters = "abcdefghijklmnopqrstuvxyzABCDEFGHIJKLMNOPQRSTUVXYZ0123456789";
const digits = "0123456789";

/** Sentences up to a random length in [min, max]; the last one is truncated. */
export function sentences(dictionaries: Dictionaries, stream: RowStream, length: { readonly min: number; readonly max: number }): string {
  let rest = stream.uniform(length.min, length.max);
  let text = "";
  let isStart = true;
  while (rest > 0) {
    const sentence = oneSentence(dictionaries, stream);
    const shown = (isStart ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence).slice(0, rest);
    isStart = sentence.endsWith(".");
    text += shown;
    rest -= sentence.length;
    if (rest > 0) {
      text += " ";
      rest--;
    }
  }
  return text;
}

function oneSentence(dictionaries: Dictionaries, stream: RowStream): string {
  const forms = dictionaries.sentences();
  const vocabulary = dictionaries.vocabulary();
  const form = forms[stream.uniform(1, forms.length) - 1] as string;
  let sentence = "";
  for (const letter of form) {
    const words = vocabulary.get(letter);
    sentence += words === undefined ? letter : pickWord(words, stream);
  }
  return sentence;
}

/** The digits of a number in the base of the list's length, lowest first, as syllables. The name ends at a syllable that does not fit. */
export function syllableName(syllables: readonly string[], number: number, lengthMax: number): string {
  let name = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / syllables.length)) {
    const syllable = syllables[rest % syllables.length] as string;
    if (name.length + syllable.length > lengthMax) {
      break;
    }
    name += syllable;
  }
  return name;
}

/** Random characters of a random length in [min, max]. The stream always draws `max` characters. */
export function characters(
  stream: RowStream,
  length: { readonly min: number; readonly max: number },
  alphabet: "letters" | "digits",
): string {
  const set = alphabet === "letters" ? letters : digits;
  const end = stream.uniform(length.min, length.max);
  let text = "";
  for (let i = 0; i < length.max; i++) {
    const character = set.charAt(stream.uniform(0, set.length - 1));
    text += i < end ? character : "";
  }
  return text;
}

/** Sixteen letters from A to P: the upper 32 bits of a key before the lower, each half with its lowest four bits first. */
export function businessKey(key: number): string {
  return eightLetters(Math.floor(key / 4294967296)) + eightLetters(key % 4294967296);
}

function eightLetters(half: number): string {
  let text = "";
  let rest = half;
  for (let i = 0; i < 8; i++) {
    text += String.fromCharCode(65 + (rest % 16));
    rest = Math.floor(rest / 16);
  }
  return text;
}

/** Manager names: a male first name and a last name. */
export function managerName(dictionaries: Dictionaries, stream: RowStream): string {
  const { names, male } = dictionaries.firstNames();
  const first = names[pick(male, stream)] as string;
  return `${first} ${pickWord(dictionaries.lastNames(), stream)}`;
}
