/**
 * Generator expressions in the syntax of Datafaker: text with `#{Provider.method 'argument','argument'}` in it. Names are compared without
 * case, underscores and blanks. They are parsed once; an expression that is not valid is known when its table is created.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { Draws } from "./draws.ts";
import * as words from "./words.ts";
import { parsePattern } from "./patterns.ts";

export type Generator = (draws: Draws) => string;

const lettersLower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const lengthMax = 10_000;

function repeated(count: number, one: (index: number) => string, separator = ""): string {
  return Array.from({ length: count }, (_, index) => one(index)).join(separator);
}

function digitsOf(draws: Draws, count: number): string {
  return repeated(count, () => digits.charAt(draws.below(10)));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function sentence(draws: Draws, least = 3, most = 40): string {
  const text = repeated(least + draws.below(most - least + 1), () => draws.pick(words.lorem), " ");
  return `${capital(text)}.`;
}

function firstName(draws: Draws): string {
  return draws.pick(words.firstNames);
}

function lastName(draws: Draws): string {
  return draws.pick(words.lastNames);
}

function street(draws: Draws): string {
  return `${draws.pick(words.streets)} ${draws.pick(words.streetKinds)}`;
}

function streetAddress(draws: Draws): string {
  return `${1 + draws.below(999)} ${street(draws)}`;
}

function userName(draws: Draws): string {
  return `${firstName(draws)}.${lastName(draws)}`.toLowerCase();
}

function country(draws: Draws): (typeof words.countries)[number] {
  return draws.pick(words.countries);
}

/** `?` is a letter, `#` a digit. */
function filled(template: string, letters: string, marks: string): Generator {
  return (draws) =>
    template.replace(/[?#]/g, (mark) =>
      !marks.includes(mark) ? mark : mark === "#" ? digitsOf(draws, 1) : letters.charAt(draws.below(letters.length)),
    );
}

const plain: Readonly<Record<string, Generator>> = Object.freeze({
  "name.firstname": firstName,
  "name.lastname": lastName,
  "name.fullname": (draws: Draws) => `${firstName(draws)} ${lastName(draws)}`,
  "name.name": (draws: Draws) => `${firstName(draws)} ${lastName(draws)}`,
  "name.username": userName,
  "name.title": (draws: Draws) => draws.pick(words.jobs),
  "address.city": (draws: Draws) => draws.pick(words.cities),
  "address.country": (draws: Draws) => country(draws)[1],
  "address.countrycode": (draws: Draws) => country(draws)[0],
  "address.state": (draws: Draws) => draws.pick(words.states),
  "address.streetname": street,
  "address.streetaddress": streetAddress,
  "address.zipcode": (draws: Draws) => digitsOf(draws, 5),
  "address.fulladdress": (draws: Draws) =>
    `${streetAddress(draws)}, ${draws.pick(words.cities)}, ${draws.pick(words.states)} ${digitsOf(draws, 5)}`,
  "company.name": (draws: Draws) => `${lastName(draws)} ${draws.pick(words.companyKinds)}`,
  "company.industry": (draws: Draws) => draws.pick(words.industries),
  "job.title": (draws: Draws) => draws.pick(words.jobs),
  "color.name": (draws: Draws) => draws.pick(words.colors),
  "color.hex": (draws: Draws) => `#${draws.below(0x1_00_00_00).toString(16).padStart(6, "0").toUpperCase()}`,
  "commerce.productname": (draws: Draws) => `${draws.pick(words.materials)} ${draws.pick(words.products)}`,
  "commerce.material": (draws: Draws) => draws.pick(words.materials),
  "commerce.price": (draws: Draws) => (draws.below(100_000) / 100).toFixed(2),
  "currency.code": (draws: Draws) => country(draws)[2],
  "internet.emailaddress": (draws: Draws) => `${userName(draws)}@${draws.pick(words.domains)}`,
  "internet.domainname": (draws: Draws) => draws.pick(words.domains),
  "internet.url": (draws: Draws) => `https://www.${draws.pick(words.domains)}/${draws.pick(words.lorem)}`,
  "internet.ipv4address": (draws: Draws) => repeated(4, () => String(draws.below(256)), "."),
  "internet.uuid": (draws: Draws) => repeated(5, (index) => hex(draws, [8, 4, 4, 4, 12][index] ?? 0), "-"),
  "phonenumber.phonenumber": (draws: Draws) => `${digitsOf(draws, 3)}-555-${digitsOf(draws, 4)}`,
  "lorem.word": (draws: Draws) => draws.pick(words.lorem),
  "lorem.sentence": (draws: Draws) => sentence(draws),
  "lorem.paragraph": (draws: Draws) => repeated(3, () => sentence(draws, 3, 12), " "),
  "number.digit": (draws: Draws) => digitsOf(draws, 1),
  "number.randomdigit": (draws: Draws) => digitsOf(draws, 1),
  "bool.bool": (draws: Draws) => String(draws.below(2) === 1),
});

function hex(draws: Draws, count: number): string {
  return repeated(count, () => draws.below(16).toString(16));
}

type Maker = (args: readonly string[]) => Generator | undefined;

const makers: Readonly<Record<string, Maker>> = Object.freeze({
  regexify: ([pattern, ...rest]) => (pattern === undefined || rest.length > 0 ? undefined : parsePattern(pattern)),
  bothify: ([template, upper]) => (template === undefined ? undefined : filled(template, lettersOf(upper), "?#")),
  letterify: ([template, upper]) => (template === undefined ? undefined : filled(template, lettersOf(upper), "?")),
  numerify: ([template]) => (template === undefined ? undefined : filled(template, "", "#")),
  "number.numberbetween": ([low, high]) => {
    if (!/^-?\d{1,18}$/.test(low ?? "") || !/^-?\d{1,18}$/.test(high ?? "") || BigInt(low ?? "") >= BigInt(high ?? "")) {
      return undefined;
    }
    // As in Datafaker, the upper end is excluded.
    const [from, to] = [BigInt(low ?? ""), BigInt(high ?? "") - 1n];
    return (draws) => String(draws.between(from, to));
  },
  "options.option": (args) => (args.length === 0 ? undefined : (draws) => draws.pick(args)),
  "lorem.words": ([count = "3"]) => {
    const number = /^\d{1,3}$/.test(count) ? Number(count) : 0;
    return number === 0 ? undefined : (draws) => repeated(number, () => draws.pick(words.lorem), " ");
  },
});

function lettersOf(upper: string | undefined): string {
  return upper === "true" ? lettersLower.toUpperCase() : lettersLower;
}

function invalid(expression: string, why: string): QueryError {
  return new QueryError("INVALID_COLUMN_PROPERTY", `Invalid generator expression '${expression.slice(0, 200)}': ${why}`);
}

/** Throws INVALID_COLUMN_PROPERTY. */
export function parseExpression(expression: string): Generator {
  const parts: Generator[] = [];
  let at = 0;
  while (at < expression.length) {
    const start = expression.indexOf("#{", at);
    const text = expression.slice(at, start < 0 ? undefined : start);
    if (text !== "") {
      parts.push(() => text);
    }
    if (start < 0) {
      break;
    }
    const { generator, end } = parseCall(expression, start);
    parts.push(generator);
    at = end;
  }
  return (draws) =>
    parts
      .map((part) => part(draws))
      .join("")
      .slice(0, lengthMax);
}

/** From `#{` to its `}`, which may be part of an argument. */
function parseCall(expression: string, start: number): { readonly generator: Generator; readonly end: number } {
  const rest = expression.slice(start);
  const match = /^#\{\s*([A-Za-z][\w.]*)\s*((?:\s*,?\s*'(?:[^'])*')*)\s*\}/.exec(rest);
  if (match === null) {
    throw invalid(expression, "it has no valid call");
  }
  const [whole, name = "", list = ""] = match;
  const args = [...list.matchAll(/'([^']*)'/g)].map(([, one = ""]) => one);
  const key = name.replaceAll("_", "").toLowerCase();
  if (Object.hasOwn(makers, key)) {
    const generator = makers[key]?.(args);
    if (generator === undefined) {
      throw invalid(expression, `the arguments of ${name} are not valid`);
    }
    return { generator, end: start + whole.length };
  }
  const generator = Object.hasOwn(plain, key) ? plain[key] : undefined;
  if (generator === undefined || args.length > 0) {
    throw invalid(expression, generator === undefined ? `generator ${name} does not exist` : `${name} has no arguments`);
  }
  return { generator, end: start + whole.length };
}
