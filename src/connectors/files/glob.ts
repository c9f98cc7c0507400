/**
 * Patterns of paths, as shells have them: `*` and `?` match within a name, `[a-z]` and `[!a-z]` one character, `{a,b}` either text, `**`
 * any number of folders. Names are compared without regard to case.
 */
import { QueryError } from "../../protocol/errors.ts";

/** Texts that braces may stand for. */
const alternativesMax = 1000;
const patternLengthMax = 4096;

function invalid(pattern: string, problem: string): QueryError {
  return new QueryError("INVALID_PATH", `Path '${pattern}' ${problem}`);
}

/** A pattern without braces: the names on the way. `**` stands alone. */
export type Segments = readonly string[];

/** Throws INVALID_PATH for a path that may lead out of its folder. */
export function parsePattern(pattern: string): readonly Segments[] {
  if (pattern.length > patternLengthMax) {
    throw invalid(`${pattern.slice(0, 100)}...`, `is longer than ${patternLengthMax} characters`);
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(pattern)) {
    throw invalid(pattern, "is an address: only files below the folder of the catalog can be read");
  }
  if (/^[/\\~]|^[a-z]:/i.test(pattern)) {
    throw invalid(pattern, "is absolute: paths are relative to the folder of the catalog");
  }
  if (/[\\\0]/.test(pattern)) {
    throw invalid(pattern, "has a backslash or a zero character");
  }
  return alternatives(pattern, pattern).map((text) => {
    const segments = text.split("/").filter((segment, index, all) => segment !== "." && !(segment === "" && index === all.length - 1));
    if (segments.includes("..")) {
      throw invalid(pattern, "leaves its folder: '..' is not allowed");
    }
    if (segments.length === 0 || segments.includes("")) {
      throw invalid(pattern, "has an empty name");
    }
    return segments;
  });
}

/** The texts that braces stand for; braces may be nested. */
function alternatives(text: string, pattern: string): readonly string[] {
  const open = text.indexOf("{");
  if (open < 0) {
    return [text];
  }
  const options: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    depth += char === "{" ? 1 : char === "}" ? -1 : 0;
    if ((char === "," && depth === 1) || depth === 0) {
      options.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth === 0) {
      const found = options.flatMap((option) => alternatives(`${text.slice(0, open)}${option}${text.slice(at + 1)}`, pattern));
      if (found.length > alternativesMax) {
        throw invalid(pattern, `stands for more than ${alternativesMax} texts`);
      }
      return found;
    }
  }
  throw invalid(pattern, "has a brace that is not closed");
}

export function hasWildcard(segment: string): boolean {
  return /[*?[]/.test(segment);
}

/** Whether the name matches one segment. Time is bounded by the product of the lengths. */
export function matches(segment: string, name: string): boolean {
  const pattern = Array.from(segment.toLowerCase());
  const text = Array.from(name.toLowerCase());
  let at = 0;
  let star = -1;
  let after = 0;
  let from = 0;
  while (at < text.length) {
    const width = matchOne(pattern, from, text[at] as string);
    if (width > 0) {
      from += width;
      at++;
    } else if (pattern[from] === "*") {
      star = from++;
      after = at;
    } else if (star >= 0) {
      from = star + 1;
      at = ++after;
    } else {
      return false;
    }
  }
  while (pattern[from] === "*") {
    from++;
  }
  return from === pattern.length;
}

/** Characters of the pattern that match the character; 0 if they do not. */
function matchOne(pattern: readonly string[], from: number, char: string): number {
  switch (pattern[from]) {
    case undefined:
    case "*":
      return 0;
    case "?":
      return 1;
    case "[":
      return matchClass(pattern, from, char);
    default:
      return pattern[from] === char ? 1 : 0;
  }
}

/** `[` without an end stands for itself. */
function matchClass(pattern: readonly string[], from: number, char: string): number {
  const isNegated = pattern[from + 1] === "!" || pattern[from + 1] === "^";
  const first = from + (isNegated ? 2 : 1);
  const end = pattern.indexOf("]", first + 1);
  if (end < 0) {
    return char === "[" ? 1 : 0;
  }
  let isIn = false;
  for (let at = first; at < end; at++) {
    const low = pattern[at] as string;
    if (pattern[at + 1] === "-" && at + 2 < end) {
      isIn ||= low <= char && char <= (pattern[at + 2] as string);
      at += 2;
    } else {
      isIn ||= low === char;
    }
  }
  return isIn === isNegated ? 0 : end - from + 1;
}
