/**
 * `like_regex` of JSON paths: searches for a regular expression with XQuery flags. Matching takes linear time (regexp/match.ts).
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { Regexp } from "../../regexp/match.ts";

const flagsKnown = /^[imsx]*$/;

/** Flag x: removes white space outside brackets that is not escaped. */
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

/** Compiled expressions of one path. */
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
