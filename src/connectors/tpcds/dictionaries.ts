/**
 * The long lists of dsdgen. They are parsed when a column first needs them; the connector then keeps them.
 */
import { lazily } from "../shared/scaled-tables.ts";
import {
  articles,
  auxiliaries,
  oddSentence,
  secondStreetWeights,
  sentenceHeads,
  sentenceTails,
  splitOffsets,
  stateOffsets,
  streetNames,
  terminators,
  zipPrefixes,
} from "./data/lists.ts";
import {
  adjectiveText,
  adverbText,
  cityText,
  countyText,
  firstNameText,
  lastNameText,
  nounText,
  prepositionText,
  verbText,
} from "./data/texts.ts";
import { cumulativeWeights, parseGroups, parsePairs, type WeightedWords, type Weights } from "./distributions.ts";

export interface FirstNames {
  readonly names: readonly string[];
  readonly male: Weights;
  readonly general: Weights;
  /** Per name: true if its weight among women is 0. */
  readonly isMale: readonly boolean[];
}

export interface County {
  readonly name: string;
  readonly state: string;
  /** The first digit of its zip codes. */
  readonly zipPrefix: number;
  readonly gmtOffset: number;
}

export interface Streets {
  readonly names: readonly string[];
  readonly first: Weights;
  readonly second: Weights;
}

/** Words to draw from, by kind of word in a sentence form. */
export type Vocabulary = ReadonlyMap<string, WeightedWords>;

export class Dictionaries {
  readonly firstNames: () => FirstNames;
  readonly lastNames: () => WeightedWords;
  readonly cities: () => WeightedWords;
  readonly counties: () => readonly County[];
  readonly streets: () => Streets;
  readonly sentences: () => readonly string[];
  readonly vocabulary: () => Vocabulary;

  /** `reserve` is charged for the parsed lists. */
  constructor(reserve: (bytes: number) => void) {
    const kept = <T extends object>(text: string, parse: (text: string) => T): (() => T) =>
      lazily(() => {
        // Approximate size of the strings and their weights.
        reserve(text.length * 8);
        return parse(text);
      });
    this.firstNames = kept(firstNameText, parseFirstNames);
    this.lastNames = kept(lastNameText, parseGroups);
    this.cities = kept(cityText, parseGroups);
    this.counties = kept(countyText, parseCounties);
    this.streets = kept(streetNames, parseStreets);
    this.sentences = lazily(sentenceForms);
    this.vocabulary = kept(nounText + verbText + adjectiveText + adverbText + prepositionText, vocabulary);
  }
}

function parseFirstNames(text: string): FirstNames {
  const entries = text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [, name = "", male = "0", female = "0"] = /^([A-Za-z]+)(?:\.(\d+))?:?(\d+)?$/.exec(entry) ?? [];
      return { name, male: Number(male), female: Number(female) };
    });
  return {
    names: entries.map(({ name }) => name),
    male: cumulativeWeights(entries.map(({ male }) => male)),
    general: cumulativeWeights(entries.map(({ male, female }) => male + female)),
    isMale: entries.map(({ female }) => female === 0),
  };
}

/** `TN3 SD5` and `AL-6 AK-9`: numbers by state. */
function byState(text: string): ReadonlyMap<string, number> {
  return new Map(
    text
      .trim()
      .split(/\s+/)
      .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
  );
}

const kinds: Readonly<Record<string, string>> = { "*": " city", "+": " Borough", "=": " Census Area", "!": "" };

function parseCounties(text: string): readonly County[] {
  const prefixes = byState(zipPrefixes);
  const offsets = byState(stateOffsets);
  return text
    .trim()
    .split(/[,\n]/)
    .map((entry) => {
      const state = entry.slice(-2);
      const marked = entry.slice(0, -3);
      const kind = kinds[marked.slice(-1)];
      const place = kind === undefined ? marked : marked.slice(0, -1);
      const split = splitOffsets[state];
      return {
        name: place + (kind ?? (state === "LA" ? " Parish" : " County")),
        state,
        zipPrefix: prefixes.get(state) ?? 0,
        gmtOffset:
          split === undefined ? (offsets.get(state) ?? 0) : (split.odd[place] ?? (place < split.bound ? split.below : split.above)),
      };
    });
}

function parseStreets(text: string): Streets {
  const tokens = text.trim().split(/\s+/);
  const names = tokens.filter((_, index) => index % 2 === 0).map((name) => (name === "_" ? "" : name));
  const weights = tokens.filter((_, index) => index % 2 === 1).map(Number);
  return {
    names,
    first: cumulativeWeights(weights),
    second: cumulativeWeights(names.map((name, index) => secondStreetWeights[name] ?? (weights[index] as number))),
  };
}

function sentenceForms(): readonly string[] {
  const forms = sentenceTails.flatMap((tail) => sentenceHeads.map((head) => head + tail));
  forms[oddSentence.index] = oddSentence.form;
  return forms;
}

function vocabulary(): Vocabulary {
  return new Map([
    ["N", parseGroups(nounText)],
    ["V", parseGroups(verbText)],
    ["J", parseGroups(adjectiveText)],
    ["D", parseGroups(adverbText)],
    ["P", parseGroups(prepositionText)],
    ["X", parsePairs(auxiliaries)],
    ["A", parsePairs(articles)],
    ["T", parsePairs(terminators)],
  ]);
}
