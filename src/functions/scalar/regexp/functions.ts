/**
 * Regular expression functions. Each node caches compiled patterns; matching takes linear time (regexp/match.ts).
 */
import { arrayType, type Type, unboundedVarcharLength, VARCHAR, varcharType } from "../../../types/type.ts";
import { textLength } from "../../registry/coercion.ts";
import { assert } from "../../../protocol/errors.ts";
import { requireElements } from "../../../types/value-size.ts";
import type { HostLambda, HostSteps, HostSurroundings, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { raising } from "../../runtime/kept-results.ts";
import { bytesOfValue } from "../../runtime/value-bytes.ts";
import { type Effort, type RegexpMatch, Regexp } from "./match.ts";
import { invalid } from "../string/implementations.ts";

const patternsMax = 32;
/** Maximum size of a result in UTF-16 units: a replacement can expand a short input. */
const resultUnitsMax = 16_777_216;

/** Cache of compiled patterns; evicts the oldest one. */
class CompiledPatterns {
  readonly #compiled = new Map<string, Regexp>();

  get(pattern: string): Regexp {
    let regexp = this.#compiled.get(pattern);
    if (regexp === undefined) {
      regexp = new Regexp(pattern);
      if (this.#compiled.size >= patternsMax) {
        this.#compiled.delete(this.#compiled.keys().next().value as string);
      }
      this.#compiled.set(pattern, regexp);
    }
    return regexp;
  }
}

/** Makes an implementation that gets its second argument as a compiled pattern. */
function withPattern(implementation: (regexp: Regexp, args: readonly HostValue[]) => ReturnType<HostSteps>): () => HostSteps {
  return () => {
    const patterns = new CompiledPatterns();
    return (args) => implementation(patterns.get(args[1] as string), args);
  };
}

/** Examined instructions that take about as long as a step of a function. */
const effortPerStep = 64;

/** Calls `visit` with each match from left to right, until it returns false. Yields steps now and then. */
function* eachMatch(
  { regexp, text, from = 0 }: { readonly regexp: Regexp; readonly text: string; readonly from?: number },
  visit: (match: RegexpMatch) => boolean | void,
): Generator<number, void, void> {
  const effort: Effort = { steps: 0 };
  let counted = 0;
  for (const match of regexp.search(text, from, effort)) {
    if (match !== undefined && visit(match) === false) {
      return;
    }
    if (effort.steps - counted >= pauseSteps * effortPerStep) {
      yield Math.floor((effort.steps - counted) / effortPerStep);
      counted = effort.steps;
    }
  }
}

/** Steps between two pauses. */
const pauseSteps = 256;

function* like(regexp: Regexp, text: string): Generator<number, boolean, void> {
  const effort: Effort = { steps: 0 };
  const testing = regexp.testing(text, effort);
  for (let counted = 0; ; counted = effort.steps) {
    const next = testing.next();
    if (next.done === true) {
      return next.value;
    }
    yield Math.floor((effort.steps - counted) / effortPerStep);
  }
}

function groupOf(text: string, match: RegexpMatch, group: number): string | null {
  const [start, end] = [match.slots[2 * group] as number, match.slots[2 * group + 1] as number];
  return start < 0 || end < 0 ? null : text.slice(start, end);
}

function* extract(regexp: Regexp, text: string, group: bigint): Generator<number, string | null, void> {
  const { groupCount } = regexp.program;
  if (group < 0n) {
    return invalid("Group cannot be negative");
  }
  if (group > BigInt(groupCount)) {
    return invalid(`Pattern has ${groupCount} groups. Cannot access group ${group}`);
  }
  let found: RegexpMatch | undefined;
  yield* eachMatch({ regexp, text }, (match) => {
    found = match;
    return false;
  });
  return found === undefined ? null : groupOf(text, found, Number(group));
}

/** Splits a replacement into text and group numbers: `$1`, `${name}`, and `\` to escape a character. */
function replacementPieces({ program }: Regexp, replacement: string): readonly (string | number)[] {
  const illegal = (): never => invalid(`Illegal replacement sequence: ${replacement}`);
  const pieces: (string | number)[] = [];
  let text = "";
  const putGroup = (group: number): void => {
    pieces.push(...(text === "" ? [] : [text]), group);
    text = "";
  };
  for (let at = 0; at < replacement.length; at++) {
    const unit = replacement[at] as string;
    if (unit === "\\") {
      at++;
      text += replacement[at] ?? illegal();
    } else if (unit !== "$") {
      text += unit;
    } else if (replacement[at + 1] === "{") {
      const end = replacement.indexOf("}", at);
      const name = replacement.slice(at + 2, end < 0 ? undefined : end);
      putGroup(program.groupNames.get(name) ?? invalid(`Illegal replacement sequence: unknown group { ${name} }`));
      at = end < 0 ? replacement.length : end;
    } else {
      const digits = /^\d+/.exec(replacement.slice(at + 1, at + 5))?.[0] ?? illegal();
      // Takes as many digits as still name a group; the rest is text.
      let length = digits.length;
      while (length > 1 && Number(digits.slice(0, length)) > program.groupCount) {
        length--;
      }
      const group = Number(digits.slice(0, length));
      putGroup(group > program.groupCount ? invalid(`Illegal replacement sequence: unknown group ${group}`) : group);
      at += length;
    }
  }
  return text === "" ? pieces : [...pieces, text];
}

function* replaceAll(regexp: Regexp, text: string, replacement: string): Generator<number, string, void> {
  const pieces = replacementPieces(regexp, replacement);
  let [result, behind] = ["", 0];
  yield* eachMatch({ regexp, text }, (match) => {
    // One flat text per match: a rope of its pieces would take many times the memory of the result.
    const replaced = pieces.map((piece) => (typeof piece === "string" ? piece : (groupOf(text, match, piece) ?? ""))).join("");
    result += text.slice(behind, match.start) + replaced;
    requireShort(result);
    behind = match.end;
  });
  return result + text.slice(behind);
}

function requireShort(result: string): void {
  if (result.length > resultUnitsMax) {
    invalid("The result of regexp_replace is too large");
  }
}

/** A replacement under way: the lambda is called between two steps of the search, where both can be left. */
interface Replacement {
  readonly steps: Generator<number | readonly (string | null)[], string, string>;
  /** Groups of the match whose replacement is next. */
  groups: readonly (string | null)[] | undefined;
  replaced: string;
}

/** Yields the groups of each match and takes its replacement; yields steps in between. */
function* replacing(regexp: Regexp, text: string): Replacement["steps"] {
  const effort: Effort = { steps: 0 };
  let [result, behind, counted] = ["", 0, 0];
  for (const match of regexp.search(text, 0, effort)) {
    if (match !== undefined) {
      const replaced = yield Array.from({ length: regexp.program.groupCount }, (_value, index) => groupOf(text, match, index + 1));
      result += text.slice(behind, match.start) + replaced;
      requireShort(result);
      behind = match.end;
    }
    if (effort.steps - counted >= pauseSteps * effortPerStep) {
      yield Math.floor((effort.steps - counted) / effortPerStep);
      counted = effort.steps;
    }
  }
  return result + text.slice(behind);
}

/** NULL if the lambda returns NULL for any match. */
function replaceBy(regexp: Regexp, text: string, replacement: HostLambda, surroundings: HostSurroundings): HostValue {
  const lambda = raising(replacement, surroundings);
  return surroundings.work.call<Replacement, HostValue>({
    begin: () => ({ steps: replacing(regexp, text), groups: undefined, replaced: "" }),
    run: (frame, watch) => {
      for (;;) {
        watch.step();
        if (frame.groups !== undefined) {
          const replaced = lambda(frame.groups) as string | null;
          if (replaced === null) {
            return null;
          }
          frame.replaced = replaced;
          frame.groups = undefined;
        }
        const next = frame.steps.next(frame.replaced);
        if (next.done === true) {
          return next.value;
        }
        if (typeof next.value === "number") {
          watch.work(next.value);
        } else {
          frame.groups = next.value;
        }
      }
    },
    draws: surroundings.draws,
    bytesOfFrame: () => bytesOfValue(text) * 2,
    bytesOf: bytesOfValue,
  });
}

function* countOf(regexp: Regexp, text: string): Generator<number, bigint, void> {
  let count = 0n;
  yield* eachMatch({ regexp, text }, () => {
    count++;
  });
  return count;
}

function pointsBefore(text: string, units: number): number {
  let points = 0;
  for (let at = 0; at < units; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) {
    points++;
  }
  return points;
}

/** Positions count from 1; -1 if there are fewer occurrences. */
function* positionOf(regexp: Regexp, text: string, start: number, occurrence: number): Generator<number, number, void> {
  if (start < 1) {
    return invalid("start position cannot be smaller than 1");
  }
  if (occurrence < 1) {
    return invalid("occurrence cannot be smaller than 1");
  }
  let from = 0;
  for (let point = 1; point < start; point++) {
    if (from >= text.length) {
      return -1;
    }
    from += (text.codePointAt(from) as number) > 0xffff ? 2 : 1;
  }
  if (from >= text.length) {
    return -1;
  }
  let [count, found] = [0, -1];
  yield* eachMatch({ regexp, text, from }, (match) => {
    if (++count < occurrence) {
      return true;
    }
    found = match.start;
    return false;
  });
  return found < 0 ? -1 : pointsBefore(text, found) + 1;
}

function checkedGroup(regexp: Regexp, group: bigint): number {
  const { groupCount } = regexp.program;
  if (group < 0n) {
    return invalid("Group cannot be negative");
  }
  return group > BigInt(groupCount) ? invalid(`Pattern has ${groupCount} groups. Cannot access group ${group}`) : Number(group);
}

function* extractAll(regexp: Regexp, text: string, group: number): Generator<number, HostValue, void> {
  const groups: (string | null)[] = [];
  yield* eachMatch({ regexp, text }, (match) => {
    requireElements(groups.push(groupOf(text, match, group)));
  });
  return groups;
}

function* splitBy(regexp: Regexp, text: string): Generator<number, HostValue, void> {
  const pieces: string[] = [];
  let behind = 0;
  yield* eachMatch({ regexp, text }, (match) => {
    requireElements(pieces.push(text.slice(behind, match.start)));
    behind = match.end;
  });
  pieces.push(text.slice(behind));
  return pieces;
}

/**
 * Trino's bound, `min(2147483647, x + max(x * y / 2, y) * (x + 1))`: a two-character group reference such as `$1` may stand for the whole
 * text.
 */
function replacedType([text, , replacement]: readonly Type[]): Type {
  const [x, y] = [textLength(text as Type), textLength(replacement as Type)];
  return varcharType(Math.min(unboundedVarcharLength, x + Math.max(Math.floor((x * y) / 2), y) * (x + 1)));
}

export const regexpDefinitions: readonly ScalarDefinition[] = [
  {
    name: "regexp_extract_all",
    args: ["varchar(x)", "varchar"],
    returns: "array(varchar(x))",
    description: "Array of the substrings that match the regular expression",
    returnType: ([text]) => arrayType(text as Type),
    makeSteps: withPattern((regexp, [text]) => extractAll(regexp, text as string, 0)),
    example: { sql: "regexp_extract_all('1a 2b 14m', '\\d+')", result: "[1, 2, 14]" },
  },
  {
    name: "regexp_extract_all",
    args: ["varchar(x)", "varchar", "bigint"],
    returns: "array(varchar(x))",
    description: "Array of the group's value in each match of the regular expression",
    returnType: ([text]) => arrayType(text as Type),
    makeSteps: withPattern((regexp, [text, , group]) => extractAll(regexp, text as string, checkedGroup(regexp, group as bigint))),
    example: { sql: "regexp_extract_all('1a 2b', '(\\d+)([a-z]+)', 2)", result: "[a, b]" },
  },
  {
    name: "regexp_split",
    args: ["varchar(x)", "varchar"],
    returns: "array(varchar(x))",
    description: "Array of the parts of the string between matches of the regular expression",
    returnType: ([text]) => arrayType(text as Type),
    makeSteps: withPattern((regexp, [text]) => splitBy(regexp, text as string)),
    example: { sql: "regexp_split('1a 2b', '\\s*[a-z]+\\s*')", result: "[1, 2, ]" },
  },
  {
    name: "regexp_like",
    args: ["varchar", "varchar"],
    returns: "boolean",
    description: "Whether the string contains a match of the regular expression",
    makeSteps: withPattern((regexp, [text]) => like(regexp, text as string)),
    example: { sql: "regexp_like('1a 2b 14m', '[0-9]+b')", result: "true" },
  },
  {
    name: "regexp_extract",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: "First match of the regular expression, or NULL",
    givesNull: true,
    makeSteps: withPattern((regexp, [text]) => extract(regexp, text as string, 0n)),
    example: { sql: "regexp_extract('1a 2b 14m', '[0-9]+')", result: "1" },
  },
  {
    name: "regexp_extract",
    args: ["varchar(x)", "varchar", "bigint"],
    returns: "varchar(x)",
    description: "Group of the first match of the regular expression, or NULL",
    givesNull: true,
    makeSteps: withPattern((regexp, [text, , group]) => extract(regexp, text as string, group as bigint)),
    example: { sql: "regexp_extract('1a 2b 14m', '([0-9]+)([a-z]+)', 2)", result: "a" },
  },
  {
    name: "regexp_replace",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: "String without the matches of the regular expression",
    makeSteps: withPattern((regexp, [text]) => replaceAll(regexp, text as string, "")),
    example: { sql: "regexp_replace('1a 2b 14m', '[0-9]+[ab] ')", result: "14m" },
  },
  {
    name: "regexp_replace",
    args: ["varchar", "varchar", "varchar"],
    returns: "varchar",
    returnType: replacedType,
    description: "String with the matches of the regular expression replaced; $1 and ${name} refer to groups",
    makeSteps: withPattern((regexp, [text, , replacement]) => replaceAll(regexp, text as string, replacement as string)),
    example: { sql: "regexp_replace('1a 2b 14m', '([0-9]+)([ab]) ', '3c$2 ')", result: "3ca 3cb 14m" },
  },
  {
    name: "regexp_replace",
    args: ["varchar", "varchar", "function(array(varchar),varchar)"],
    returns: "varchar",
    returnType: () => VARCHAR,
    givesNull: true,
    description: "String with the matches of the regular expression replaced by the lambda's result for their groups",
    suspends: true,
    makeWithLambdas: () => {
      const patterns = new CompiledPatterns();
      return ([text, pattern], [lambda], _call, surroundings) => {
        assert(surroundings !== undefined, "a call with a lambda has surroundings");
        return replaceBy(patterns.get(pattern as string), text as string, lambda as HostLambda, surroundings);
      };
    },
    example: { sql: "regexp_replace('new york', '(\\w)(\\w*)', x -> upper(x[1]) || lower(x[2]))", result: "New York" },
  },
  {
    name: "regexp_count",
    args: ["varchar", "varchar"],
    returns: "bigint",
    description: "Number of matches of the regular expression",
    makeSteps: withPattern((regexp, [text]) => countOf(regexp, text as string)),
    example: { sql: "regexp_count('1a 2b 14m', '[a-z]+')", result: "3" },
  },
  {
    name: "regexp_position",
    args: ["varchar", "varchar"],
    returns: "integer",
    description: "Position of the first match of the regular expression, from 1, or -1",
    makeSteps: withPattern((regexp, [text]) => positionOf(regexp, text as string, 1, 1)),
    example: { sql: "regexp_position('I have 23 apples', '[0-9]')", result: "8" },
  },
  {
    name: "regexp_position",
    args: ["varchar", "varchar", "integer"],
    returns: "integer",
    description: "Position of the first match of the regular expression from a start position, or -1",
    makeSteps: withPattern((regexp, [text, , start]) => positionOf(regexp, text as string, start as number, 1)),
    example: { sql: "regexp_position('I have 23 apples, 5 pears', '[0-9]', 12)", result: "19" },
  },
  {
    name: "regexp_position",
    args: ["varchar", "varchar", "integer", "integer"],
    returns: "integer",
    description: "Position of the nth match of the regular expression from a start position, or -1",
    makeSteps: withPattern((regexp, [text, , start, occurrence]) =>
      positionOf(regexp, text as string, start as number, occurrence as number),
    ),
    example: { sql: "regexp_position('I have 23 apples, 5 pears', '[0-9]', 1, 2)", result: "9" },
  },
];
