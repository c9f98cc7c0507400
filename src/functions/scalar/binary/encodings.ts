/**
 * Binary functions: conversion to and from text and numbers, and substrings.
 */
import { decodeBase64, encodeBase64 } from "../../../types/base64.ts";
import { viewOf } from "../../../types/bytes.ts";
import { DOUBLE, REAL, VARBINARY } from "../../../types/type.ts";
import { codePoints, decodeUtf8, utf8Length } from "../../../types/utf8.ts";
import type { HostImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { parseHex } from "../../runtime/formats.ts";
import { invalid } from "../string/implementations.ts";

function toBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

function fromBase64(text: string): Uint8Array {
  return decodeBase64(text) ?? invalid("Illegal base64 text");
}

function fromBase64Url(text: string): Uint8Array {
  return /[+/]/.test(text) ? invalid("Illegal base64 text") : fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 with padding (RFC 4648, section 6). */
function toBase32(bytes: Uint8Array): string {
  let [text, rest, bits] = ["", 0, 0];
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) {
      text += base32Digits[(rest >>> (bits - 5)) & 31];
    }
  }
  if (bits > 0) {
    text += base32Digits[(rest << (5 - bits)) & 31];
  }
  return text.padEnd(Math.ceil(text.length / 8) * 8, "=");
}

/** The padding is optional. */
function fromBase32(text: string): Uint8Array {
  const digits = text.replace(/=+$/, "");
  const isWhole = /^[A-Z2-7]*$/.test(digits) && ![1, 3, 6].includes(digits.length % 8) && (digits === text || text.length % 8 === 0);
  if (!isWhole) {
    return invalid("Illegal base32 text");
  }
  const bytes: number[] = [];
  let [rest, bits] = [0, 0];
  for (const digit of digits) {
    rest = ((rest << 5) | base32Digits.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((rest >>> bits) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
}

/** New bytes, filled by `write`. */
function written(length: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  write(viewOf(bytes));
  return bytes;
}

function sized(bytes: Uint8Array, length: number): DataView {
  return bytes.length === length ? viewOf(bytes) : invalid(`expected ${length}-byte input, but got instead: ${bytes.length}`);
}

function sizedFloat(bytes: Uint8Array, length: number): DataView {
  return bytes.length === length ? viewOf(bytes) : invalid(`Input floating-point value must be exactly ${length} bytes long`);
}

/** Decodes the argument of from_hex. */
export function bytesOfHex(text: string): Uint8Array {
  const length = utf8Length(text);
  if (length % 2 !== 0) {
    return invalid(`invalid input length ${length}`);
  }
  return parseHex(text) ?? invalid(`invalid hex character: ${/[^0-9A-Fa-f]/u.exec(text)?.[0] ?? ""}`);
}

/** Replaces invalid UTF-8 with the third argument: one character or the empty string. */
function fromUtf8Replacing(bytes: Uint8Array, replacement: string): string {
  if (codePoints(replacement).length > 1) {
    return invalid("Replacement character string must empty or a single character");
  }
  // A U+FFFD in valid input is text and must stay, so such input is split at the invalid sequences.
  let [text, at] = ["", 0];
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    text += length > 0 ? decodeUtf8(bytes, at, at + length) : replacement;
    at += length > 0 ? length : brokenLength(bytes, at);
  }
  return text;
}

function replacementOf(code: bigint): string {
  const isCharacter = code >= 0n && code <= 0x10ffffn && (code < 0xd800n || code > 0xdfffn);
  return isCharacter ? String.fromCodePoint(Number(code)) : invalid("Invalid replacement character");
}

/** Length in bytes of the character at a position; 0 if it is invalid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length < 2) {
    return length;
  }
  const isWhole = at + length <= bytes.length && bytes.subarray(at + 1, at + length).every((byte) => (byte & 0xc0) === 0x80);
  const second = bytes[at + 1] ?? 0;
  const isBad =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f);
  return isWhole && !isBad ? length : 0;
}

/** Length in bytes of the invalid sequence that the decoder replaces with one U+FFFD. */
function brokenLength(bytes: Uint8Array, at: number): number {
  for (let length = 2; length < 4 && at + length <= bytes.length; length++) {
    if (Array.from(decodeUtf8(bytes, at, at + length)).length > 1) {
      return length - 1;
    }
  }
  return Math.min(3, bytes.length - at);
}

const paddedBytesMax = 16_777_216n;

function padBytes(side: "left" | "right"): HostImplementation {
  return ([value, size, padding]) => {
    const [bytes, wanted, fill] = [value as Uint8Array, size as bigint, padding as Uint8Array];
    if (wanted < 0n || wanted > 2_147_483_647n) {
      return invalid("Target length must be in the range [0..2147483647]");
    }
    if (fill.length === 0) {
      return invalid("Padding bytes must not be empty");
    }
    if (wanted > paddedBytesMax) {
      return invalid("Padded bytes are too large");
    }
    const length = Number(wanted);
    const kept = bytes.subarray(0, length);
    const added = Uint8Array.from({ length: length - kept.length }, (_, index) => fill[index % fill.length] as number);
    const result = new Uint8Array(length);
    result.set(kept, side === "left" ? added.length : 0);
    result.set(added, side === "left" ? 0 : kept.length);
    return result;
  };
}

/** `start` counts from 1, or from the end if negative. */
const partOfBytes: HostImplementation = ([value, start, count]) => {
  const bytes = value as Uint8Array;
  const from = (start as bigint) < 0n ? BigInt(bytes.length) + (start as bigint) : (start as bigint) - 1n;
  if (start === 0n || from < 0n || from >= BigInt(bytes.length)) {
    return new Uint8Array(0);
  }
  const length = count === undefined ? BigInt(bytes.length) : (count as bigint) < 0n ? 0n : (count as bigint);
  const end = from + length;
  return bytes.slice(Number(from), end > BigInt(bytes.length) ? bytes.length : Number(end));
};

function define(
  name: string,
  args: readonly string[],
  returns: string,
  description: string,
  host: HostImplementation,
  sql: string,
  result: string,
): ScalarDefinition {
  return { name, args, returns, description, host, example: { sql, result } };
}

const numbers: readonly ScalarDefinition[] = [
  define(
    "to_big_endian_32",
    ["integer"],
    "varbinary",
    "Encoding of the integer in big-endian binary",
    ([value]) => written(4, (view) => view.setInt32(0, value as number)),
    "to_hex(to_big_endian_32(258))",
    "00000102",
  ),
  define(
    "from_big_endian_32",
    ["varbinary"],
    "integer",
    "Integer decoded from big-endian binary",
    ([bytes]) => sized(bytes as Uint8Array, 4).getInt32(0),
    "from_big_endian_32(X'FFFFFFFE')",
    "-2",
  ),
  define(
    "to_big_endian_64",
    ["bigint"],
    "varbinary",
    "Encoding of the bigint in big-endian binary",
    ([value]) => written(8, (view) => view.setBigInt64(0, value as bigint)),
    "to_hex(to_big_endian_64(258))",
    "0000000000000102",
  ),
  define(
    "from_big_endian_64",
    ["varbinary"],
    "bigint",
    "Bigint decoded from big-endian binary",
    ([bytes]) => sized(bytes as Uint8Array, 8).getBigInt64(0),
    "from_big_endian_64(X'00000000000000FF')",
    "255",
  ),
  {
    ...define(
      "to_ieee754_32",
      ["real"],
      "varbinary",
      "Encoding of the real in big-endian IEEE 754 binary",
      ([value]) => written(4, (view) => view.setFloat32(0, value as number)),
      "to_hex(to_ieee754_32(CAST(1 AS real)))",
      "3F800000",
    ),
    returnType: () => VARBINARY,
  },
  {
    ...define(
      "from_ieee754_32",
      ["varbinary"],
      "real",
      "Real decoded from big-endian IEEE 754 binary",
      ([bytes]) => sizedFloat(bytes as Uint8Array, 4).getFloat32(0),
      "from_ieee754_32(X'3F800000')",
      "1.0",
    ),
    returnType: () => REAL,
  },
  define(
    "to_ieee754_64",
    ["double"],
    "varbinary",
    "Encoding of the double in big-endian IEEE 754 binary",
    ([value]) => written(8, (view) => view.setFloat64(0, value as number)),
    "to_hex(to_ieee754_64(1))",
    "3FF0000000000000",
  ),
  {
    ...define(
      "from_ieee754_64",
      ["varbinary"],
      "double",
      "Double decoded from big-endian IEEE 754 binary",
      ([bytes]) => sizedFloat(bytes as Uint8Array, 8).getFloat64(0),
      "from_ieee754_64(X'3FF0000000000000')",
      "1.0",
    ),
    returnType: () => DOUBLE,
  },
];

const partDescription = "Substring of the binary from a position, from the end if negative";

export const encodingDefinitions: readonly ScalarDefinition[] = [
  ...numbers,
  define(
    "to_base64",
    ["varbinary"],
    "varchar",
    "Base64 encoding of the binary",
    ([b]) => encodeBase64(b as Uint8Array),
    "to_base64(X'616263FF')",
    "YWJj/w==",
  ),
  define(
    "from_base64",
    ["varchar"],
    "varbinary",
    "Binary decoded from base64",
    ([t]) => fromBase64(t as string),
    "to_hex(from_base64('YWJj/w=='))",
    "616263FF",
  ),
  define(
    "from_base64",
    ["varbinary"],
    "varbinary",
    "Binary decoded from base64",
    ([bytes]) => fromBase64(decodeUtf8(bytes as Uint8Array)),
    "to_hex(from_base64(to_utf8('YWJj/w==')))",
    "616263FF",
  ),
  define(
    "to_base32",
    ["varbinary"],
    "varchar",
    "Base32 encoding of the binary",
    ([bytes]) => toBase32(bytes as Uint8Array),
    "to_base32(to_utf8('foob'))",
    "MZXW6YQ=",
  ),
  ...[
    { type: "varchar", textOf: (given: unknown) => given as string, sql: "from_utf8(from_base32('MZXW6YQ='))" },
    { type: "varbinary", textOf: (given: unknown) => decodeUtf8(given as Uint8Array), sql: "from_utf8(from_base32(to_utf8('MZXW6YQ=')))" },
  ].map(({ type, textOf, sql }) =>
    define("from_base32", [type], "varbinary", "Binary decoded from base32", ([given]) => fromBase32(textOf(given)), sql, "foob"),
  ),
  define(
    "to_base64url",
    ["varbinary"],
    "varchar",
    "Base64 encoding of the binary in the URL-safe alphabet",
    ([bytes]) => toBase64Url(bytes as Uint8Array),
    "to_base64url(X'616263FF')",
    "YWJj_w==",
  ),
  define(
    "from_base64url",
    ["varchar"],
    "varbinary",
    "Binary decoded from base64 in the URL-safe alphabet",
    ([text]) => fromBase64Url(text as string),
    "to_hex(from_base64url('YWJj_w=='))",
    "616263FF",
  ),
  define(
    "from_base64url",
    ["varbinary"],
    "varbinary",
    "Binary decoded from base64 in the URL-safe alphabet",
    ([bytes]) => fromBase64Url(decodeUtf8(bytes as Uint8Array)),
    "to_hex(from_base64url(to_utf8('YWJj_w==')))",
    "616263FF",
  ),
  define(
    "from_utf8",
    ["varbinary", "varchar"],
    "varchar",
    "String decoded from UTF-8, with a replacement string for invalid sequences",
    ([bytes, replacement]) => fromUtf8Replacing(bytes as Uint8Array, replacement as string),
    "from_utf8(X'61FF62', '?')",
    "a?b",
  ),
  define(
    "from_utf8",
    ["varbinary", "bigint"],
    "varchar",
    "String decoded from UTF-8, with a replacement code point for invalid sequences",
    ([bytes, code]) => fromUtf8Replacing(bytes as Uint8Array, replacementOf(code as bigint)),
    "from_utf8(X'61FF62', 63)",
    "a?b",
  ),
  define(
    "from_hex",
    ["varbinary"],
    "varbinary",
    "Binary decoded from hexadecimal digits",
    ([bytes]) => bytesOfHex(decodeUtf8(bytes as Uint8Array)),
    "to_hex(from_hex(to_utf8('ab')))",
    "AB",
  ),
  define("substr", ["varbinary", "bigint"], "varbinary", partDescription, partOfBytes, "to_hex(substr(X'01020304', 3))", "0304"),
  define(
    "substr",
    ["varbinary", "bigint", "bigint"],
    "varbinary",
    partDescription,
    partOfBytes,
    "to_hex(substr(X'01020304', -3, 2))",
    "0203",
  ),
  define(
    "lpad",
    ["varbinary", "bigint", "varbinary"],
    "varbinary",
    "Binary padded on the left to a length",
    padBytes("left"),
    "to_hex(lpad(X'01', 4, X'0A0B'))",
    "0A0B0A01",
  ),
  define(
    "rpad",
    ["varbinary", "bigint", "varbinary"],
    "varbinary",
    "Binary padded on the right to a length",
    padBytes("right"),
    "to_hex(rpad(X'01', 4, X'0A0B'))",
    "010A0B0A",
  ),
];
