/**
 * Less common string functions: prefix and suffix tests, last occurrences, phonetic codes. Semantics follow Presto's documentation
 * (functions/string.rst and plugin-loaded-functions.rst). soundex follows Trino, which uses the rules of the American census.
 */
import { i32, i64 } from "../../../codegen/builder.ts";
import { memEquals } from "../../../codegen/library.ts";
import { BIGINT, BOOLEAN, VARCHAR } from "../../../types/type.ts";
import { isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import type { ScalarDefinition } from "../../registry/definition.ts";
import type { EmitScalar } from "../../runtime/emit.ts";
import { nthPosition } from "./rarer-functions.ts";
import { invalid } from "./implementations.ts";
import { occurrencesInSteps } from "./occurrences.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";

/** Code units between two yields, and those that take as long as a step. */
const unitsAtOnce = 65_536;
const unitsPerStep = 64;

const endsWith: EmitScalar = ({ b }, args) => {
  const [text, suffix] = args as readonly [Value, Value];
  const [bytes, suffixBytes] = [part(text, 1), part(suffix, 1)];
  const result = b.local("i32", i32.geU(bytes, suffixBytes));
  const end = () => i32.add(part(text, 0), i32.sub(bytes, suffixBytes));
  b.if_(result, () => b.set(result, b.call(memEquals(b.kernel), end(), part(suffix, 0), suffixBytes)));
  return valueOf(BOOLEAN, result);
};

function lastPosition(text: string, wanted: string, instance: bigint): InSteps<bigint> {
  return instance <= 0n ? invalid("'instance' must be a positive number.") : nthPosition(text, wanted, -instance);
}

function* replaceFirst(text: string, search: string, replacement: string): InSteps<string> {
  if (search === "") {
    return replacement + text;
  }
  for (const found of occurrencesInSteps(text, search)) {
    if (typeof found === "number") {
      return text.slice(0, found) + replacement + text.slice(found + search.length);
    }
    yield found.steps;
  }
  return text;
}

function* commonPrefix(left: string, right: string): InSteps<string> {
  let same = 0;
  while (same < left.length && left.charCodeAt(same) === right.charCodeAt(same)) {
    same++;
    if (same % unitsAtOnce === 0) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  // A pair of surrogates is one character.
  const splitsPair = same > 0 && isHighSurrogate(left.charCodeAt(same - 1)) && (isLow(left, same) || isLow(right, same));
  return left.slice(0, splitsPair ? same - 1 : same);
}

function* lastCharacters(text: string, count: number): InSteps<string> {
  let at = text.length;
  for (let left = count; left > 0 && at > 0; left--) {
    at -= at > 1 && isLow(text, at - 1) && isHighSurrogate(text.charCodeAt(at - 2)) ? 2 : 1;
    if (left % unitsAtOnce === 0) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  return text.slice(at);
}

function isLow(text: string, index: number): boolean {
  return isLowSurrogate(text.charCodeAt(index));
}

/** Codes of A to Z. Vowels are 0 and separate equal codes; H and W are `-` and do not. */
const soundDigits = "01230120022455012623010202";
const silent = "HW";
const soundexLength = 4;

/** The first letter and the codes of the next three consonants; empty for a text without letters. */
function* soundex(text: string): InSteps<string> {
  const digitOf = (letter: string): string => {
    const index = letter.charCodeAt(0) - 65;
    return soundDigits[index] ?? invalid(`The character is not mapped: ${letter} (index=${index})`);
  };
  let [code, last, seen] = ["", "", 0];
  for (const letter of text.toUpperCase()) {
    seen++;
    if (seen % unitsAtOnce === 0) {
      yield unitsAtOnce / unitsPerStep;
    }
    if (!/\p{L}/u.test(letter)) {
      continue;
    }
    if (code === "") {
      code = letter;
      last = digitOf(letter);
      continue;
    }
    if (code.length === soundexLength) {
      break;
    }
    if (silent.includes(letter)) {
      continue;
    }
    const digit = digitOf(letter);
    if (digit !== "0" && digit !== last) {
      code += digit;
    }
    last = digit;
  }
  return code === "" ? "" : code.padEnd(soundexLength, "0");
}

export const textSearchDefinitions: readonly ScalarDefinition[] = [
  {
    name: "ends_with",
    args: ["varchar", "varchar"],
    returns: "boolean",
    description: "Whether the string ends with the suffix",
    emit: endsWith,
    total: true,
    example: { sql: "ends_with('abc', 'bc')", result: "true" },
  },
  {
    name: "strrpos",
    args: ["varchar", "varchar"],
    returns: "bigint",
    description: "Position of the last occurrence of the substring, or 0",
    *steps([text, wanted]) {
      return yield* lastPosition(text as string, wanted as string, 1n);
    },
    example: { sql: "strrpos('abcabc', 'b')", result: "5" },
  },
  {
    name: "strrpos",
    args: ["varchar", "varchar", "bigint"],
    returns: "bigint",
    description: "Position of the nth occurrence of the substring from the end, or 0",
    *steps([text, wanted, instance]) {
      return yield* lastPosition(text as string, wanted as string, instance as bigint);
    },
    example: { sql: "strrpos('abcabc', 'b', 2)", result: "2" },
  },
  {
    name: "replace_first",
    args: ["varchar", "varchar", "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "String with the first occurrence of the substring replaced",
    *steps([text, search, replacement]) {
      return yield* replaceFirst(text as string, search as string, replacement as string);
    },
    example: { sql: "replace_first('abcabc', 'b', 'x')", result: "axcabc" },
  },
  {
    name: "trail",
    args: ["varchar", "integer"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Last n characters of the string",
    *steps([text, count]) {
      return yield* lastCharacters(text as string, count as number);
    },
    example: { sql: "trail('hello', 3)", result: "llo" },
  },
  {
    name: "longest_common_prefix",
    args: ["varchar", "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Longest common prefix of the strings",
    *steps([left, right]) {
      return yield* commonPrefix(left as string, right as string);
    },
    example: { sql: "longest_common_prefix('abcd', 'abxy')", result: "ab" },
  },
  {
    name: "bit_length",
    args: ["varchar"],
    returns: "bigint",
    description: "Number of bits in the UTF-8 encoding of the string",
    emit: (_context, [text]) => valueOf(BIGINT, i64.extendI32U(i32.shl(part(text as Value, 1), i32.const(3)))),
    total: true,
    example: { sql: "bit_length('é')", result: "16" },
  },
  {
    name: "soundex",
    args: ["varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Soundex code of the string",
    *steps([text]) {
      return yield* soundex(text as string);
    },
    example: { sql: "soundex('Pfister')", result: "P236" },
  },
];
