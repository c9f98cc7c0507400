/**
 * String and binary functions: kernel code for the common ones (length, substring, ASCII case, concatenation), host functions for the rest.
 */
import { type FunctionRef, i32, i64, type KernelBuilder, select } from "../../../codegen/builder.ts";
import type { Expr } from "../../../codegen/ir.ts";
import { memEquals, utf8Length, utf8Position } from "../../../codegen/library.ts";
import { BIGINT, BOOLEAN, charLengthMax, charType, type Type, unboundedVarcharLength, VARCHAR, varcharType } from "../../../types/type.ts";
import { valueBytesMax } from "../../../types/value-size.ts";
import { textLength } from "../../registry/coercion.ts";
import type { HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { decodeInSteps, mapTextInSteps, reversedText } from "../../runtime/large/texts.ts";
import type { EmitContext, EmitScalar } from "../../runtime/emit.ts";
import { bytesOfHex, hexOfBytes, reversedBytes } from "../binary/encodings.ts";
import {
  chr,
  codepoint,
  concatWithSeparator,
  fitting,
  hammingDistance,
  invalid,
  joinedTexts,
  levenshteinDistance,
  lowerCase,
  pad,
  replace,
  splitPart,
  translate,
  upperCase,
} from "./implementations.ts";
import { emitFind } from "./find-kernel.ts";
import { trimDefinitions } from "./trims.ts";
import { part, type Value, valueOf } from "../../runtime/value.ts";

function bytesOf(value: Value): readonly [address: Expr, bytes: Expr] {
  return [part(value, 0), part(value, 1)];
}

const length: EmitScalar = ({ b }, args) => {
  const [address, bytes] = bytesOf(args[0] as Value);
  return valueOf(BIGINT, i64.extendI32U(b.call(utf8Length(b.kernel), address, bytes)));
};

/**
 * Arguments: start (bigint, from 1, negative from the end) and an optional length in code points. The result is a view of the argument's
 * bytes.
 */
const substring: EmitScalar = ({ b }, args, type) => {
  const [address, bytes] = bytesOf(args[0] as Value);
  const start = part(args[1] as Value, 0);
  const from = b.local("i32", i32.const(0));
  const end = b.local("i32", i32.const(0));
  const position = utf8Position(b.kernel);
  const limit = i64.extendI32U(bytes);
  const clamp = (value: Expr) => i32.wrapI64(select(i64.gtS(value, limit), limit, value));
  const skip = b.local("i64", i64.sub(start, i64.const(1n)));
  b.if_(i64.ltS(start, i64.const(0n)), () => b.set(skip, i64.add(start, i64.extendI32U(b.call(utf8Length(b.kernel), address, bytes)))));
  b.if_(i32.and(i64.ne(start, i64.const(0n)), i64.geS(skip, i64.const(0n))), () => {
    b.if_(i64.ne(skip, i64.const(0n)), () => b.set(from, b.call(position, address, bytes, clamp(skip))));
    b.set(end, bytes);
    const count = args[2];
    if (count !== undefined) {
      const wanted = b.temp(part(count, 0));
      b.set(end, from);
      b.if_(i64.gtS(wanted, i64.const(0n)), () =>
        b.set(end, i32.add(from, b.call(position, i32.add(address, from), i32.sub(bytes, from), clamp(wanted)))),
      );
    }
  });
  return valueOf(type, b.temp(i32.add(address, from)), b.temp(i32.sub(end, from)));
};

/** Concatenates the bytes of all arguments. */
function emitConcat(context: EmitContext, args: readonly Value[], type: Type): Value {
  const { b } = context;
  const wide = b.temp(args.map((arg) => i64.extendI32U(part(arg, 1))).reduce((sum, bytes) => i64.add(sum, bytes)));
  b.if_(i64.gtU(wide, i64.const(BigInt(valueBytesMax))), () => context.raise("CONCATENATION_TOO_LARGE"));
  const total = b.temp(i32.wrapI64(wide));
  const target = b.temp(context.allocate(total));
  const at = b.local("i32", target);
  for (const arg of args) {
    const [address, bytes] = bytesOf(arg);
    b.copyBytes(at, address, bytes);
    b.set(at, i32.add(at, bytes));
  }
  return valueOf(type, target, total);
}

/** char(n) is stored without trailing spaces; the left side gets them back if text follows. */
function emitConcatChars(context: EmitContext, args: readonly Value[], type: Type): Value {
  const { b } = context;
  const [left, right] = args as readonly [Value, Value];
  const [[address, bytes], [other, more]] = [bytesOf(left), bytesOf(right)];
  const missing = b.local("i32", i32.const(0));
  b.if_(more, () => b.set(missing, i32.sub(i32.const(textLength(left.type)), b.call(utf8Length(b.kernel), address, bytes))));
  const behind = b.temp(i32.add(bytes, missing));
  const total = b.temp(i32.add(behind, more));
  const target = b.temp(context.allocate(total));
  b.copyBytes(target, address, bytes);
  b.fillBytes(i32.add(target, bytes), i32.const(32), missing);
  b.copyBytes(i32.add(target, behind), other, more);
  return valueOf(type, target, total);
}

function joinedChars(types: readonly Type[]): Type {
  const length = types.reduce((sum, type) => sum + textLength(type), 0);
  return length > charLengthMax ? invalid(`CHAR length must be in range [0, ${charLengthMax}], got ${length}`) : charType(length);
}

/** A replacement may occur at each character and at both ends: `min(2147483647, x + z * (x + 1))`, Trino's bound. */
function replacedType([text, , replacement]: readonly Type[]): Type {
  const [x, z] = [textLength(text as Type), textLength(replacement as Type)];
  return varcharType(Math.min(unboundedVarcharLength, x + z * (x + 1)));
}

const toUpper: HostSteps = ([text]) => mapTextInSteps(text as string, upperCase);
const toLower: HostSteps = ([text]) => mapTextInSteps(text as string, lowerCase);

/** (address, bytes) -> i32 0 or 1: whether all bytes are below 128. */
function isAscii(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("text.isAscii", { params: ["i32", "i32"], result: "i32" }, (b, params) => {
    const [address, bytes] = params as readonly [Expr, Expr];
    const seen = b.local("i32", i32.const(0));
    b.forRange(i32.const(0), bytes, (index) => b.set(seen, i32.or(seen, i32.load8u(i32.add(address, index)))));
    b.return_(i32.ltU(seen, i32.const(128)));
  });
}

/** (target, address, bytes, first letter): flips the case of the 26 letters from `first letter` on and copies the rest. */
function flipCase(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("text.flipCase", { params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
    const [target, address, bytes, first] = params as readonly [Expr, Expr, Expr, Expr];
    b.forRange(i32.const(0), bytes, (index) => {
      const byte = b.temp(i32.load8u(i32.add(address, index)));
      const isLetter = i32.ltU(i32.sub(byte, first), i32.const(26));
      b.store("i32.store8", i32.add(target, index), i32.xor(byte, i32.shl(isLetter, i32.const(5))));
    });
  });
}

/** Bytes of a text that a kernel, which cannot be left, maps: some milliseconds. */
const flippedBytesMax = 4_194_304;

/** ASCII in the kernel, other and long text in pieces in the host function. */
function changeCase(firstLetter: "A" | "a"): EmitScalar {
  return (context, args, type, callHost) => {
    const { b } = context;
    const [address, bytes] = bytesOf(args[0] as Value);
    const target = b.local("i32", i32.const(0));
    const length = b.local("i32", bytes);
    b.if_(
      i32.and(b.call(isAscii(b.kernel), address, bytes), i32.leU(bytes, i32.const(flippedBytesMax))),
      () => {
        b.set(target, context.allocate(bytes));
        b.do_(flipCase(b.kernel), target, address, bytes, i32.const(firstLetter.charCodeAt(0)));
      },
      () => {
        const value = (callHost as () => Value)();
        b.set(target, part(value, 0));
        b.set(length, part(value, 1));
      },
    );
    return valueOf(type, target, length);
  };
}

/** Position of `needle` in code points, from 1; 0 if absent. */
const strpos: EmitScalar = (context, args) => {
  const { b } = context;
  const [address, bytes] = bytesOf(args[0] as Value);
  const found = emitFind(context, { text: [address, bytes], needle: bytesOf(args[1] as Value) });
  const result = b.local("i64", i64.const(0n));
  b.if_(i32.geS(found, i32.const(0)), () =>
    b.set(result, i64.add(i64.extendI32U(b.call(utf8Length(b.kernel), address, found)), i64.const(1n))),
  );
  return valueOf(BIGINT, result);
};

const startsWith: EmitScalar = ({ b }, args) => {
  const [address, bytes] = bytesOf(args[0] as Value);
  const [prefix, prefixBytes] = bytesOf(args[1] as Value);
  const result = b.local("i32", i32.geU(bytes, prefixBytes));
  b.if_(result, () => b.set(result, b.call(memEquals(b.kernel), address, prefix, prefixBytes)));
  return valueOf(BOOLEAN, result);
};

function define(
  name: string,
  args: readonly string[],
  returns: string,
  description: string,
  implementation: Partial<ScalarDefinition>,
  sql: string,
  result: string | null,
): ScalarDefinition {
  return { name, args, returns, description, ...implementation, example: { sql, result } };
}

const substringDescription = "Substring from a position, from the end if negative";
const emptyText = { variadic: true, nulls: "seen", givesNull: true } as const;

export const stringDefinitions: readonly ScalarDefinition[] = [
  define("length", ["varchar"], "bigint", "Length of the string in code points", { emit: length, total: true }, "length('abc')", "3"),
  define(
    "length",
    ["varbinary"],
    "bigint",
    "Length of the binary in bytes",
    { emit: (_c, [value]) => valueOf(BIGINT, i64.extendI32U(part(value as Value, 1))), total: true },
    "length(X'6162')",
    "2",
  ),
  define("lower", ["varchar(x)"], "varchar(x)", "String in lower case", { emit: changeCase("A"), steps: toLower }, "lower('ABC')", "abc"),
  define("upper", ["varchar(x)"], "varchar(x)", "String in upper case", { emit: changeCase("a"), steps: toUpper }, "upper('abc')", "ABC"),
  define("lower", ["char(x)"], "char(x)", "Char in lower case", { emit: changeCase("A"), steps: toLower }, "lower(CHAR 'ABC')", "abc"),
  define("upper", ["char(x)"], "char(x)", "Char in upper case", { emit: changeCase("a"), steps: toUpper }, "upper(CHAR 'abc')", "ABC"),
  define(
    "substr",
    ["varchar(x)", "bigint"],
    "varchar(x)",
    substringDescription,
    { emit: substring, total: true },
    "substr('abcd', 3)",
    "cd",
  ),
  define(
    "substr",
    ["varchar(x)", "bigint", "bigint"],
    "varchar(x)",
    substringDescription,
    { emit: substring, total: true },
    "substr('abcd', -3, 2)",
    "bc",
  ),
  define(
    "substring",
    ["varchar(x)", "bigint"],
    "varchar(x)",
    substringDescription,
    { emit: substring, total: true },
    "substring('abcd', 3)",
    "cd",
  ),
  define(
    "substring",
    ["varchar(x)", "bigint", "bigint"],
    "varchar(x)",
    substringDescription,
    { emit: substring, total: true },
    "substring('abcd', 2, 2)",
    "bc",
  ),
  define(
    "concat",
    ["varchar", "varchar"],
    "varchar",
    "Concatenation of the strings",
    { variadic: true, returnType: () => VARCHAR, emit: emitConcat },
    "concat('a', 'b', 'c')",
    "abc",
  ),
  define(
    "concat",
    ["char(x)", "char(x)"],
    "char(x)",
    "Concatenation of the chars",
    { returnType: joinedChars, emit: emitConcatChars },
    "concat(CHAR 'ab', CHAR 'c')",
    "abc",
  ),
  define(
    "concat",
    ["varbinary", "varbinary"],
    "varbinary",
    "Concatenation of the binaries",
    { variadic: true, emit: emitConcat },
    "to_hex(concat(X'61', X'62'))",
    "6162",
  ),
  define(
    "strpos",
    ["varchar", "varchar"],
    "bigint",
    "Position of the first occurrence of the substring, or 0",
    { emit: strpos, total: true },
    "strpos('abc', 'c')",
    "3",
  ),
  define(
    "index",
    ["varchar", "varchar"],
    "bigint",
    "Position of the first occurrence of the substring, or 0, as in Teradata",
    { emit: strpos, total: true },
    "index('abc', 'c')",
    "3",
  ),
  define(
    "position",
    ["varchar", "varchar"],
    "bigint",
    "Position of the first occurrence of the substring, or 0",
    { emit: (context, [needle, text], type) => strpos(context, [text as Value, needle as Value], type), total: true },
    "position('c' IN 'abc')",
    "3",
  ),
  define(
    "starts_with",
    ["varchar", "varchar"],
    "boolean",
    "Whether the string starts with the prefix",
    { emit: startsWith, total: true },
    "starts_with('abc', 'ab')",
    "true",
  ),
  ...trimDefinitions,
  define(
    "replace",
    ["varchar(x)", "varchar"],
    "varchar(x)",
    "String without the occurrences of the substring",
    { steps: replace },
    "replace('abcb', 'b')",
    "ac",
  ),
  define(
    "replace",
    ["varchar", "varchar", "varchar"],
    "varchar",
    "String with the occurrences of the substring replaced",
    { steps: replace, returnType: replacedType },
    "replace('abcb', 'b', 'x')",
    "axcx",
  ),
  define(
    "reverse",
    ["varchar(x)"],
    "varchar(x)",
    "String in reverse order",
    { steps: ([text]) => reversedText(text as string) },
    "reverse('abc')",
    "cba",
  ),
  define(
    "reverse",
    ["varbinary"],
    "varbinary",
    "Binary in reverse order",
    { steps: ([bytes]) => reversedBytes(bytes as Uint8Array) },
    "to_hex(reverse(X'6162'))",
    "6261",
  ),
  define(
    "split_part",
    ["varchar(x)", "varchar", "bigint"],
    "varchar(x)",
    "Field of the delimited string at the index, from 1, or NULL",
    { steps: splitPart, givesNull: true },
    "split_part('a,b', ',', 2)",
    "b",
  ),
  define(
    "lpad",
    ["varchar", "bigint", "varchar"],
    "varchar",
    "String padded on the left to a length",
    { steps: pad("left"), returnType: () => VARCHAR },
    "lpad('a', 3, 'xy')",
    "xya",
  ),
  define(
    "rpad",
    ["varchar", "bigint", "varchar"],
    "varchar",
    "String padded on the right to a length",
    { steps: pad("right"), returnType: () => VARCHAR },
    "rpad('a', 3, 'xy')",
    "axy",
  ),
  define("chr", ["bigint"], "varchar", "Character of the code point", { host: chr, returnType: () => varcharType(1) }, "chr(65)", "A"),
  define("codepoint", ["varchar"], "integer", "Code point of the character", { host: codepoint }, "codepoint('A')", "65"),
  {
    name: "$fitting",
    args: ["varchar", "bigint", "varchar"],
    returns: "varchar",
    description: "String fitted to a column length by removing trailing spaces; fails with the third argument if it is still too long",
    steps: fitting,
  },
  define(
    "to_hex",
    ["varbinary"],
    "varchar",
    "Hexadecimal encoding of the binary",
    { steps: ([bytes]) => hexOfBytes(bytes as Uint8Array) },
    "to_hex(X'AB')",
    "AB",
  ),
  define(
    "from_hex",
    ["varchar"],
    "varbinary",
    "Binary decoded from hexadecimal digits",
    { steps: ([text]) => bytesOfHex(text as string) },
    "to_hex(from_hex('ab'))",
    "AB",
  ),
  define(
    "to_utf8",
    ["varchar"],
    "varbinary",
    "UTF-8 encoding of the string",
    { emit: (_c, [value], type) => ({ ...(value as Value), type }), total: true },
    "to_hex(to_utf8('a'))",
    "61",
  ),
  define(
    "from_utf8",
    ["varbinary"],
    "varchar",
    "String decoded from UTF-8, with U+FFFD for invalid sequences",
    { steps: ([bytes]) => decodeInSteps(bytes as Uint8Array) },
    "from_utf8(X'61')",
    "a",
  ),
  define(
    "hamming_distance",
    ["varchar", "varchar"],
    "bigint",
    "Hamming distance of the strings",
    { steps: hammingDistance },
    "hamming_distance('abc', 'axc')",
    "1",
  ),
  define(
    "levenshtein_distance",
    ["varchar", "varchar"],
    "bigint",
    "Levenshtein distance of the strings",
    { steps: levenshteinDistance },
    "levenshtein_distance('kitten', 'sitting')",
    "3",
  ),
  define(
    "translate",
    ["varchar", "varchar", "varchar"],
    "varchar",
    "String with characters translated",
    { steps: translate, returnType: () => VARCHAR },
    "translate('abc', 'ab', 'x')",
    "xc",
  ),
  define(
    "concat_ws",
    ["varchar", "varchar"],
    "varchar",
    "Strings concatenated with a separator, without NULLs",
    { ...emptyText, host: concatWithSeparator, returnType: () => VARCHAR },
    "concat_ws(',', 'a', NULL, 'b')",
    "a,b",
  ),
  define(
    "concat_ws",
    ["varchar", "array(varchar)"],
    "varchar",
    "Strings of the array concatenated with a separator, without NULLs",
    { steps: ([separator, texts]) => joinedTexts(texts as readonly HostValue[], separator as string) },
    "concat_ws(',', ARRAY['a', NULL, 'b'])",
    "a,b",
  ),
];
