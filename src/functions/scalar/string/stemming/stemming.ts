/**
 * word_stem: stemming with Snowball's algorithms. The library has Porter's first English algorithm, Presto uses the second; the library
 * lacks Basque and Catalan. These three are implemented here.
 */
import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as irish } from "@orama/stemmers/irish";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { QueryError } from "../../../../protocol/errors.ts";
import type { ScalarDefinition } from "../../../registry/definition.ts";
import { stemBasque } from "./basque.ts";
import { stemCatalan } from "./catalan.ts";
import { stemEnglish } from "./english.ts";

/** Stemmers by Presto's language code. */
const stemmers: ReadonlyMap<string, (word: string) => string> = new Map([
  ["ca", stemCatalan],
  ["da", danish],
  ["de", german],
  ["en", stemEnglish],
  ["es", spanish],
  ["eu", stemBasque],
  ["fi", finnish],
  ["fr", french],
  ["hu", hungarian],
  ["hy", armenian],
  ["ir", irish],
  ["it", italian],
  ["lt", lithuanian],
  ["nl", dutch],
  ["no", norwegian],
  ["pt", portuguese],
  ["ro", romanian],
  ["ru", russian],
  ["sv", swedish],
  ["tr", turkish],
]);

/** These stemmers take time linear in the length of the word. */
const ownStemmers: ReadonlySet<(word: string) => string> = new Set([stemBasque, stemCatalan, stemEnglish]);

/**
 * Maximum length for the library's stemmers, in UTF-16 units. They copy the word for each letter: ten thousand letters take milliseconds, a
 * million take an hour.
 */
const unitsMax = 10_000;

/** Languages that word_stem supports. */
export const stemmedLanguages: readonly string[] = [...stemmers.keys()];

/** Throws INVALID_FUNCTION_ARGUMENT for an unknown language or a word that is too long. */
export function stem(word: string, language: string): string {
  const stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Unknown stemmer language: ${language}`);
  }
  if (word.length > unitsMax && !ownStemmers.has(stemmer)) {
    throw new QueryError(
      "INVALID_FUNCTION_ARGUMENT",
      `A word of ${word.length} characters is too long to be stemmed; the most is ${unitsMax}`,
    );
  }
  return stemmer(word);
}

export const stemmingDefinitions: readonly ScalarDefinition[] = [
  {
    name: "word_stem",
    args: ["varchar(x)"],
    returns: "varchar(x)",
    description: "Stem of the English word",
    host: ([word]) => stem(word as string, "en"),
    example: { sql: "word_stem('generalizations')", result: "general" },
  },
  {
    name: "word_stem",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: `Stem of the word in a language: ${stemmedLanguages.join(", ")}`,
    host: ([word, language]) => stem(word as string, language as string),
    example: { sql: "word_stem('maisons', 'fr')", result: "maison" },
  },
];
