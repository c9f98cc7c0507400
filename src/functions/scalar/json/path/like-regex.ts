/** `like_regex` of JSON paths: a regular expression found anywhere in a text, with the flags of XQuery. Matching is linear (../regexp-match.ts). */
import { QueryError } from "../../../../protocol/errors.ts";
import { Regexp } from "../../regexp/match.ts";

const flagsKnown = /^[imsx]*$/;

/** With x white space is left out, but for what is in brackets or behind a backslash. */
function withoutSpace(pattern: string): string {
  let [result, inBrackets] = ["", 0];
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern[at] as string;
    if (unit === "\\") {
      result += unit + (pattern[++at] ?? "");
      continue;
    }
    inBrackets += unit === "[" ? 1 : unit === "]" && inBrackets > 0 ? -1 : 0;
    result += inBrackets === 0 && /[ \t\r\n]/.test(unit) ? "" : unit;
  }
  return result;
}

/** Throws QueryError INVALID_FUNCTION_ARGUMENT. */
export function compileLikeRegex(pattern: string, flags: string): Regexp {
  if (!flagsKnown.test(flags)) {
    throw new QueryError("INVALID_FUNCTION_ARGUMENT", `Invalid flags of like_regex: ${flags}`);
  }
  const given = ["i", "m", "s"].filter((flag) => flags.includes(flag)).join("");
  return new Regexp((given === "" ? "" : `(?${given})`) + (flags.includes("x") ? withoutSpace(pattern) : pattern));
}

/** Those of one path: compiled once. */
export class CompiledRegexps {
  readonly #compiled = new Map<string, Regexp>();

  get(pattern: string, flags: string): Regexp {
    const key = `${flags}/${pattern}`;
    let regexp = this.#compiled.get(key);
    if (regexp === undefined) {
      regexp = compileLikeRegex(pattern, flags);
      this.#compiled.set(key, regexp);
    }
    return regexp;
  }
}

export function likeRegex(regexps: CompiledRegexps, text: string, pattern: string, flags: string): boolean {
  return regexps.get(pattern, flags).find(text) !== undefined;
}
