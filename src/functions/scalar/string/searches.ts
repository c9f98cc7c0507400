/**
 * Functions of text beyond the common ones: ends, last occurrences, how words sound. As Presto's documentation has them (functions/string.rst and
 * plugin-loaded-functions.rst); soundex as in Trino, whose rules are those of the American census.
 */
import { i32, i64 } from "../../../codegen/builder.ts";
import { memEquals } from "../../../codegen/library.ts";
import { BIGINT, BOOLEAN, VARCHAR } from "../../../types/type.ts";
import { codePoints } from "../../../types/utf8.ts";
import type { ScalarDefinition } from "../../registry/definition.ts";
import type { EmitScalar } from "../../runtime/emit.ts";
import { nthPosition } from "./rarer-functions.ts";
import { invalid } from "./implementations.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";

const endsWith: EmitScalar = ({ b }, args) => {
  const [text, suffix] = args as readonly [Value, Value];
  const [bytes, suffixBytes] = [part(text, 1), part(suffix, 1)];
  const result = b.local("i32", i32.geU(bytes, suffixBytes));
  const end = () => i32.add(part(text, 0), i32.sub(bytes, suffixBytes));
  b.if_(result, () => b.set(result, b.call(memEquals(b.kernel), end(), part(suffix, 0), suffixBytes)));
  return valueOf(BOOLEAN, result);
};

function lastPosition(text: string, wanted: string, instance: bigint): bigint {
  return instance <= 0n ? invalid("'instance' must be a positive number.") : nthPosition(text, wanted, -instance);
}

function replaceFirst(text: string, search: string, replacement: string): string {
  const at = text.indexOf(search);
  return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + search.length);
}

function commonPrefix(left: string, right: string): string {
  const [p, q] = [codePoints(left), codePoints(right)];
  const differs = p.findIndex((point, index) => point !== q[index]);
  return differs < 0 ? left : p.slice(0, differs).join("");
}

/** Digits of A to Z: vowels are 0 and part equal digits, H and W are `-` and do not. */
const soundDigits = "01230120022455012623010202";
const silent = "HW";

/** The first letter and three digits of the consonants behind it; nothing of a text without letters. */
function soundex(text: string): string {
  const letters = Array.from(text.toUpperCase()).filter((letter) => /\p{L}/u.test(letter));
  const digitOf = (letter: string): string => {
    const index = letter.charCodeAt(0) - 65;
    return soundDigits[index] ?? invalid(`The character is not mapped: ${letter} (index=${index})`);
  };
  const [first, ...rest] = letters;
  if (first === undefined) {
    return "";
  }
  let code = first;
  let last = digitOf(first);
  for (const letter of rest) {
    if (code.length === 4) {
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
  return code.padEnd(4, "0");
}

export const textSearchDefinitions: readonly ScalarDefinition[] = [
  {
    name: "ends_with",
    args: ["varchar", "varchar"],
    returns: "boolean",
    description: "Whether a text ends with another",
    emit: endsWith,
    total: true,
    example: { sql: "ends_with('abc', 'bc')", result: "true" },
  },
  {
    name: "strrpos",
    args: ["varchar", "varchar"],
    returns: "bigint",
    description: "Position of the last occurrence of a text in another, 0 where it is not",
    host: ([text, wanted]) => lastPosition(text as string, wanted as string, 1n),
    example: { sql: "strrpos('abcabc', 'b')", result: "5" },
  },
  {
    name: "strrpos",
    args: ["varchar", "varchar", "bigint"],
    returns: "bigint",
    description: "Position of an occurrence of a text in another, counted from the end, 0 where it is not",
    host: ([text, wanted, instance]) => lastPosition(text as string, wanted as string, instance as bigint),
    example: { sql: "strrpos('abcabc', 'b', 2)", result: "2" },
  },
  {
    name: "replace_first",
    args: ["varchar", "varchar", "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "Text with the first occurrence of a text replaced",
    host: ([text, search, replacement]) => replaceFirst(text as string, search as string, replacement as string),
    example: { sql: "replace_first('abcabc', 'b', 'x')", result: "axcabc" },
  },
  {
    name: "trail",
    args: ["varchar", "integer"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "The last characters of a text",
    host: ([text, count]) =>
      (count as number) <= 0
        ? ""
        : codePoints(text as string)
            .slice(-(count as number))
            .join(""),
    example: { sql: "trail('hello', 3)", result: "llo" },
  },
  {
    name: "longest_common_prefix",
    args: ["varchar", "varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "The text with which both texts start",
    host: ([left, right]) => commonPrefix(left as string, right as string),
    example: { sql: "longest_common_prefix('abcd', 'abxy')", result: "ab" },
  },
  {
    name: "bit_length",
    args: ["varchar"],
    returns: "bigint",
    description: "Number of bits of a text in UTF-8",
    emit: (_context, [text]) => valueOf(BIGINT, i64.extendI32U(i32.shl(part(text as Value, 1), i32.const(3)))),
    total: true,
    example: { sql: "bit_length('é')", result: "16" },
  },
  {
    name: "soundex",
    args: ["varchar"],
    returns: "varchar",
    returnType: () => VARCHAR,
    description: "A letter and three digits that are the same for words that sound alike",
    host: ([text]) => soundex(text as string),
    example: { sql: "soundex('Pfister')", result: "P236" },
  },
];
