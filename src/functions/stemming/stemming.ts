/** word_stem: a word without its endings, by the stemmers of Snowball. */
import { QueryError } from "../../protocol/errors.ts";
import type { ScalarDefinition } from "../definition.ts";
import { stemDanish } from "./danish.ts";
import { stemEnglish } from "./english.ts";
import { stemRussian } from "./russian.ts";

const stemmers: ReadonlyMap<string, (word: string) => string> = new Map([
  ["da", stemDanish],
  ["en", stemEnglish],
  ["ru", stemRussian],
]);

function stem(word: string, language: string): string {
  const stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Unknown stemmer language: ${language}`);
  }
  return stemmer(word);
}

export const stemmingDefinitions: readonly ScalarDefinition[] = [
  {
    name: "word_stem",
    args: ["varchar(x)"],
    returns: "varchar(x)",
    description: "The stem of an English word",
    host: ([word]) => stem(word as string, "en"),
    example: { sql: "word_stem('generalizations')", result: "general" },
  },
  {
    name: "word_stem",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: `The stem of a word of a language: ${[...stemmers.keys()].join(", ")}`,
    host: ([word, language]) => stem(word as string, language as string),
    example: { sql: "word_stem('running', 'en')", result: "run" },
  },
];
