/**
 * The functions of regular expressions. Patterns are compiled once a node and kept while they are used; matching is linear (regexp/match.ts).
 */
import { arrayType, type Type, unboundedVarcharLength, VARCHAR, varcharType } from "../../../types/type.ts";
import { textLength } from "../../registry/coercion.ts";
import type { HostLambda, HostImplementation, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { type RegexpMatch, Regexp } from "./match.ts";
import { invalid } from "../string/implementations.ts";

const patternsMax = 32;
/** Of what a replacement may make of little. */
const resultUnitsMax = 16_777_216;

/** Patterns that were compiled, the oldest forgotten first. */
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

/** A meaning that gets its pattern, the second argument, compiled. */
function withPattern(implementation: (regexp: Regexp, args: readonly HostValue[]) => HostValue): () => HostImplementation {
  return () => {
    const patterns = new CompiledPatterns();
    return (args) => implementation(patterns.get(args[1] as string), args);
  };
}

/** NULL where the lambda gives NULL: a text of which a part is unknown is unknown. */
function replaceBy(regexp: Regexp, text: string, replacement: HostLambda): string | null {
  let [result, behind] = ["", 0];
  for (const match of regexp.matches(text)) {
    const groups = Array.from({ length: regexp.program.groupCount }, (_value, index) => groupOf(text, match, index + 1));
    const replaced = replacement(groups) as string | null;
    if (replaced === null) {
      return null;
    }
    result += text.slice(behind, match.start) + replaced;
    if (result.length > resultUnitsMax) {
      return invalid("The result of regexp_replace is too large");
    }
    behind = match.end;
  }
  return result + text.slice(behind);
}

function groupOf(text: string, match: RegexpMatch, group: number): string | null {
  const [start, end] = [match.slots[2 * group] as number, match.slots[2 * group + 1] as number];
  return start < 0 || end < 0 ? null : text.slice(start, end);
}

function extract(regexp: Regexp, text: string, group: bigint): string | null {
  const { groupCount } = regexp.program;
  if (group < 0n) {
    return invalid("Group cannot be negative");
  }
  if (group > BigInt(groupCount)) {
    return invalid(`Pattern has ${groupCount} groups. Cannot access group ${group}`);
  }
  const match = regexp.find(text);
  return match === undefined ? null : groupOf(text, match, Number(group));
}

/** A replacement text as pieces of text and numbers of groups: `$1`, `${name}`, and `\` before what stands for itself. */
function replacementPieces({ program }: Regexp, replacement: string): readonly (string | number)[] {
  const illegal = (): never => invalid(`Illegal replacement sequence: ${replacement}`);
  const pieces: (string | number)[] = [];
  for (let at = 0; at < replacement.length; at++) {
    const unit = replacement[at] as string;
    if (unit === "\\") {
      at++;
      pieces.push(replacement[at] ?? illegal());
    } else if (unit !== "$") {
      pieces.push(unit);
    } else if (replacement[at + 1] === "{") {
      const end = replacement.indexOf("}", at);
      const name = replacement.slice(at + 2, end < 0 ? undefined : end);
      pieces.push(program.groupNames.get(name) ?? invalid(`Illegal replacement sequence: unknown group { ${name} }`));
      at = end < 0 ? replacement.length : end;
    } else {
      const digits = /^\d+/.exec(replacement.slice(at + 1, at + 5))?.[0] ?? illegal();
      // As many digits as still name a group; the others are text.
      let length = digits.length;
      while (length > 1 && Number(digits.slice(0, length)) > program.groupCount) {
        length--;
      }
      const group = Number(digits.slice(0, length));
      pieces.push(group > program.groupCount ? invalid(`Illegal replacement sequence: unknown group ${group}`) : group);
      at += length;
    }
  }
  return pieces;
}

function replaceAll(regexp: Regexp, text: string, replacement: string): string {
  const pieces = replacementPieces(regexp, replacement);
  let [result, behind] = ["", 0];
  for (const match of regexp.matches(text)) {
    result += text.slice(behind, match.start);
    for (const piece of pieces) {
      result += typeof piece === "string" ? piece : (groupOf(text, match, piece) ?? "");
    }
    if (result.length > resultUnitsMax) {
      return invalid("The result of regexp_replace is too large");
    }
    behind = match.end;
  }
  return result + text.slice(behind);
}

function countOf(regexp: Regexp, text: string): bigint {
  let count = 0n;
  for (const _ of regexp.matches(text)) {
    count++;
  }
  return count;
}

function pointsBefore(text: string, units: number): number {
  let points = 0;
  for (let at = 0; at < units; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) {
    points++;
  }
  return points;
}

/** From 1; -1 when there are not so many. */
function positionOf(regexp: Regexp, text: string, start: number, occurrence: number): number {
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
  let count = 0;
  for (const match of regexp.matches(text, from)) {
    if (++count === occurrence) {
      return pointsBefore(text, match.start) + 1;
    }
  }
  return -1;
}

function checkedGroup(regexp: Regexp, group: bigint): number {
  const { groupCount } = regexp.program;
  if (group < 0n) {
    return invalid("Group cannot be negative");
  }
  return group > BigInt(groupCount) ? invalid(`Pattern has ${groupCount} groups. Cannot access group ${group}`) : Number(group);
}

function extractAll(regexp: Regexp, text: string, group: number): HostValue {
  return [...regexp.matches(text)].map((match) => groupOf(text, match, group));
}

function splitBy(regexp: Regexp, text: string): HostValue {
  const pieces: string[] = [];
  let behind = 0;
  for (const match of regexp.matches(text)) {
    pieces.push(text.slice(behind, match.start));
    behind = match.end;
  }
  return [...pieces, text.slice(behind)];
}

/** Trino's bound, `min(2147483647, x + max(x * y / 2, y) * (x + 1))`: a group of two letters, `$1`, may be the whole text. */
function replacedType([text, , replacement]: readonly Type[]): Type {
  const [x, y] = [textLength(text as Type), textLength(replacement as Type)];
  return varcharType(Math.min(unboundedVarcharLength, x + Math.max(Math.floor((x * y) / 2), y) * (x + 1)));
}

export const regexpDefinitions: readonly ScalarDefinition[] = [
  {
    name: "regexp_extract_all",
    args: ["varchar(x)", "varchar"],
    returns: "array(varchar(x))",
    description: "All parts of a text that match a regular expression",
    returnType: ([text]) => arrayType(text as Type),
    makeHost: withPattern((regexp, [text]) => extractAll(regexp, text as string, 0)),
    example: { sql: "regexp_extract_all('1a 2b 14m', '\\d+')", result: "[1, 2, 14]" },
  },
  {
    name: "regexp_extract_all",
    args: ["varchar(x)", "varchar", "bigint"],
    returns: "array(varchar(x))",
    description: "What a group of a regular expression is in each part of a text that matches",
    returnType: ([text]) => arrayType(text as Type),
    makeHost: withPattern((regexp, [text, , group]) => extractAll(regexp, text as string, checkedGroup(regexp, group as bigint))),
    example: { sql: "regexp_extract_all('1a 2b', '(\\d+)([a-z]+)', 2)", result: "[a, b]" },
  },
  {
    name: "regexp_split",
    args: ["varchar(x)", "varchar"],
    returns: "array(varchar(x))",
    description: "The parts of a text between the matches of a regular expression",
    returnType: ([text]) => arrayType(text as Type),
    makeHost: withPattern((regexp, [text]) => splitBy(regexp, text as string)),
    example: { sql: "regexp_split('1a 2b', '\\s*[a-z]+\\s*')", result: "[1, 2, ]" },
  },
  {
    name: "regexp_like",
    args: ["varchar", "varchar"],
    returns: "boolean",
    description: "Whether a part of a text matches a regular expression",
    makeHost: withPattern((regexp, [text]) => regexp.test(text as string)),
    example: { sql: "regexp_like('1a 2b 14m', '[0-9]+b')", result: "true" },
  },
  {
    name: "regexp_extract",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: "The first part of a text that matches a regular expression; NULL when none does",
    givesNull: true,
    makeHost: withPattern((regexp, [text]) => extract(regexp, text as string, 0n)),
    example: { sql: "regexp_extract('1a 2b 14m', '[0-9]+')", result: "1" },
  },
  {
    name: "regexp_extract",
    args: ["varchar(x)", "varchar", "bigint"],
    returns: "varchar(x)",
    description: "A group of the first part of a text that matches a regular expression; NULL when none does",
    givesNull: true,
    makeHost: withPattern((regexp, [text, , group]) => extract(regexp, text as string, group as bigint)),
    example: { sql: "regexp_extract('1a 2b 14m', '([0-9]+)([a-z]+)', 2)", result: "a" },
  },
  {
    name: "regexp_replace",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: "Text without the parts that match a regular expression",
    makeHost: withPattern((regexp, [text]) => replaceAll(regexp, text as string, "")),
    example: { sql: "regexp_replace('1a 2b 14m', '[0-9]+[ab] ')", result: "14m" },
  },
  {
    name: "regexp_replace",
    args: ["varchar", "varchar", "varchar"],
    returns: "varchar",
    returnType: replacedType,
    description: "Text with the parts that match a regular expression replaced; $1 and ${name} stand for groups",
    makeHost: withPattern((regexp, [text, , replacement]) => replaceAll(regexp, text as string, replacement as string)),
    example: { sql: "regexp_replace('1a 2b 14m', '([0-9]+)([ab]) ', '3c$2 ')", result: "3ca 3cb 14m" },
  },
  {
    name: "regexp_replace",
    args: ["varchar", "varchar", "function(array(varchar),varchar)"],
    returns: "varchar",
    returnType: () => VARCHAR,
    givesNull: true,
    description:
      "Text with the parts that match a regular expression replaced by what a lambda makes of the groups of each; NULL where it gives NULL",
    makeWithLambdas: () => {
      const patterns = new CompiledPatterns();
      return ([text, pattern], [lambda]) => replaceBy(patterns.get(pattern as string), text as string, lambda as HostLambda);
    },
    example: { sql: "regexp_replace('new york', '(\\w)(\\w*)', x -> upper(x[1]) || lower(x[2]))", result: "New York" },
  },
  {
    name: "regexp_count",
    args: ["varchar", "varchar"],
    returns: "bigint",
    description: "Number of parts of a text that match a regular expression",
    makeHost: withPattern((regexp, [text]) => countOf(regexp, text as string)),
    example: { sql: "regexp_count('1a 2b 14m', '[a-z]+')", result: "3" },
  },
  {
    name: "regexp_position",
    args: ["varchar", "varchar"],
    returns: "integer",
    description: "Position of the first part of a text that matches a regular expression, from 1; -1 when none does",
    makeHost: withPattern((regexp, [text]) => positionOf(regexp, text as string, 1, 1)),
    example: { sql: "regexp_position('I have 23 apples', '[0-9]')", result: "8" },
  },
  {
    name: "regexp_position",
    args: ["varchar", "varchar", "integer"],
    returns: "integer",
    description: "Position of the first match of a regular expression at or behind a position, from 1; -1 when there is none",
    makeHost: withPattern((regexp, [text, , start]) => positionOf(regexp, text as string, start as number, 1)),
    example: { sql: "regexp_position('I have 23 apples, 5 pears', '[0-9]', 12)", result: "19" },
  },
  {
    name: "regexp_position",
    args: ["varchar", "varchar", "integer", "integer"],
    returns: "integer",
    description: "Position of a match of a regular expression by number, at or behind a position, from 1; -1 when there is none",
    makeHost: withPattern((regexp, [text, , start, occurrence]) =>
      positionOf(regexp, text as string, start as number, occurrence as number),
    ),
    example: { sql: "regexp_position('I have 23 apples, 5 pears', '[0-9]', 1, 2)", result: "9" },
  },
];
