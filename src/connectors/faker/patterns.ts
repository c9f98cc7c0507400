/** Texts that match a regular expression: literals, classes, groups, alternatives and repetitions up to a bound. */
import type { Draws } from "./draws.ts";

type Part = (draws: Draws) => string;

/** Of `*` and `+`. */
const repeatsMax = 10;
const repeatsGivenMax = 1000;
const depthMax = 20;
const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const classes: Readonly<Record<string, string>> = Object.freeze({
  d: digits,
  w: `${lower}${lower.toUpperCase()}${digits}_`,
  s: " ",
});
const anyCharacter = `${lower}${lower.toUpperCase()}${digits}`;

/** undefined if the pattern has something else. */
export function parsePattern(pattern: string): Part | undefined {
  const parser = new PatternParser(pattern);
  const part = parser.alternatives(0);
  return part === undefined || !parser.atEnd ? undefined : part;
}

class PatternParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  alternatives(depth: number): Part | undefined {
    const options: Part[] = [];
    do {
      const option = depth > depthMax ? undefined : this.#sequence(depth);
      if (option === undefined) {
        return undefined;
      }
      options.push(option);
    } while (this.#accept("|"));
    return options.length === 1 ? options[0] : (draws) => draws.pick(options)(draws);
  }

  #sequence(depth: number): Part | undefined {
    const parts: Part[] = [];
    while (!this.atEnd && !"|)".includes(this.#text.charAt(this.#at))) {
      const one = this.#one(depth);
      const repeated = one && this.#repeated(one);
      if (repeated === undefined) {
        return undefined;
      }
      parts.push(repeated);
    }
    return (draws) => parts.map((part) => part(draws)).join("");
  }

  #one(depth: number): Part | undefined {
    const char = this.#text.charAt(this.#at++);
    switch (char) {
      case "(": {
        const inside = this.alternatives(depth + 1);
        return inside !== undefined && this.#accept(")") ? inside : undefined;
      }
      case "[":
        return this.#set();
      case ".":
        return oneOf(anyCharacter);
      case "\\": {
        const escaped = this.#text.charAt(this.#at++);
        return escaped === "" ? undefined : oneOf(Object.hasOwn(classes, escaped) ? (classes[escaped] as string) : escaped);
      }
      case "*":
      case "+":
      case "?":
      case "{":
      case "^":
      case "$":
        return undefined;
      default:
        return oneOf(char);
    }
  }

  /** Ranges and single characters; not those that are excluded. */
  #set(): Part | undefined {
    const end = this.#text.indexOf("]", this.#at);
    const inside = this.#text.slice(this.#at, Math.max(this.#at, end));
    if (end < 0 || inside === "" || inside.startsWith("^") || inside.includes("\\")) {
      return undefined;
    }
    this.#at = end + 1;
    let chars = "";
    for (let at = 0; at < inside.length; at++) {
      const [from, to] = [inside.charCodeAt(at), inside.charAt(at + 1) === "-" ? inside.charCodeAt(at + 2) : Number.NaN];
      if (Number.isNaN(to)) {
        chars += inside.charAt(at);
      } else if (to < from) {
        return undefined;
      } else {
        chars += String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
        at += 2;
      }
    }
    return oneOf(chars);
  }

  #repeated(one: Part): Part | undefined {
    const [least, most] = this.#bounds();
    if (least > most || most > repeatsGivenMax) {
      return undefined;
    }
    return least === 1 && most === 1
      ? one
      : (draws) => Array.from({ length: least + draws.below(most - least + 1) }, () => one(draws)).join("");
  }

  #bounds(): readonly [least: number, most: number] {
    if (this.#accept("?")) {
      return [0, 1];
    }
    if (this.#accept("*")) {
      return [0, repeatsMax];
    }
    if (this.#accept("+")) {
      return [1, repeatsMax];
    }
    const match = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.#text.slice(this.#at));
    if (match === null) {
      return this.#text.charAt(this.#at) === "{" ? [1, 0] : [1, 1];
    }
    this.#at += match[0].length;
    const least = Number(match[1]);
    return [least, match[2] === undefined ? least : match[3] === undefined ? least + repeatsMax : Number(match[3])];
  }

  #accept(char: string): boolean {
    const found = this.#text.charAt(this.#at) === char;
    this.#at += found ? 1 : 0;
    return found;
  }
}

function oneOf(chars: string): Part {
  return chars.length === 1 ? () => chars : (draws) => chars.charAt(draws.below(chars.length));
}
