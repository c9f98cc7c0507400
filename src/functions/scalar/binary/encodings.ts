/**
 * Binary functions: conversion to and from text and numbers, and substrings.
 */
import { decodeBase64, encodeBase64 } from "../../../types/base64.ts";
import { joinBytes, viewOf } from "../../../types/bytes.ts";
import { DOUBLE, REAL, VARBINARY } from "../../../types/type.ts";
import { decodeUtf8, utf8Length, withoutTrailing } from "../../../types/utf8.ts";
import { requireValueBytes } from "../../../types/value-size.ts";
import type { HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { parseHex } from "../../runtime/formats.ts";
import {
  bytesOfText,
  decodeInSteps,
  eachBytesPiece,
  eachPiece,
  mapTextInSteps,
  placeAfter,
  textOfBytes,
} from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { invalid } from "../string/implementations.ts";

function toBase64(bytes: Uint8Array): InSteps<string> {
  return textOfBytes(bytes, 3, encodeBase64);
}

function toBase64Url(bytes: Uint8Array): InSteps<string> {
  return textOfBytes(bytes, 3, (piece) => encodeBase64(piece).replaceAll("+", "-").replaceAll("/", "_"));
}

function fromBase64(text: string): InSteps<Uint8Array> {
  return bytesOfText(text, 4, (piece, isLast) => {
    const bytes = decodeBase64(piece);
    // Only the last piece may be padded.
    return bytes === undefined || !(isLast || 4 * bytes.length === 3 * piece.length) ? invalid("Illegal base64 text") : bytes;
  });
}

function* fromBase64Url(text: string): InSteps<Uint8Array> {
  const standard = yield* mapTextInSteps(text, (piece) =>
    /[+/]/.test(piece) ? invalid("Illegal base64 text") : piece.replaceAll("-", "+").replaceAll("_", "/"),
  );
  return yield* fromBase64(standard);
}

const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 with padding (RFC 4648, section 6). Five bytes are eight digits. */
function toBase32(bytes: Uint8Array): InSteps<string> {
  return textOfBytes(bytes, 5, (piece) => {
    const digits: string[] = [];
    let [rest, bits] = [0, 0];
    for (const byte of piece) {
      rest = ((rest << 8) | byte) & 0xfff;
      for (bits += 8; bits >= 5; bits -= 5) {
        digits.push(base32Digits[(rest >>> (bits - 5)) & 31] as string);
      }
    }
    if (bits > 0) {
      digits.push(base32Digits[(rest << (5 - bits)) & 31] as string);
    }
    return digits.join("").padEnd(Math.ceil(digits.length / 8) * 8, "=");
  });
}

/** The padding is optional. */
function* fromBase32(text: string): InSteps<Uint8Array> {
  const digits = withoutTrailing(text, "=");
  const isWhole = ![1, 3, 6].includes(digits.length % 8) && (digits === text || text.length % 8 === 0);
  return yield* bytesOfText(isWhole ? digits : invalid("Illegal base32 text"), 8, (piece) => {
    const bytes = new Uint8Array(Math.floor((piece.length * 5) / 8));
    let [at, rest, bits] = [0, 0, 0];
    for (const digit of piece) {
      const value = base32Digits.indexOf(digit);
      rest = value < 0 ? invalid("Illegal base32 text") : ((rest << 5) | value) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes[at++] = (rest >>> bits) & 0xff;
      }
    }
    return bytes;
  });
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
export function* bytesOfHex(text: string): InSteps<Uint8Array> {
  let length = 0;
  yield* eachPiece(text, (piece) => void (length += utf8Length(piece)));
  if (length % 2 !== 0) {
    return invalid(`invalid input length ${length}`);
  }
  const bad = (): never => invalid(`invalid hex character: ${/[^0-9A-Fa-f]/u.exec(text)?.[0] ?? ""}`);
  return yield* bytesOfText(text, 2, (piece) => parseHex(piece) ?? bad());
}

export function hexOfBytes(bytes: Uint8Array): InSteps<string> {
  return textOfBytes(bytes, 1, (piece) => {
    const digits: string[] = [];
    for (const byte of piece) {
      digits.push(upperHex[byte] as string);
    }
    return digits.join("");
  });
}

const upperHex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));

export function* reversedBytes(bytes: Uint8Array): InSteps<Uint8Array> {
  const parts: Uint8Array[] = [];
  yield* eachBytesPiece(bytes, reversedPerStep, (piece) => void parts.push(piece.toReversed()));
  return joinBytes(parts.reverse());
}

/** Bytes that are reversed, or characters that are decoded, in the time of a step. */
const reversedPerStep = 256;
const charactersPerStep = 8;
const charactersAtOnce = 4_096;

/** Replaces invalid UTF-8 with the third argument: one character or the empty string. */
function* fromUtf8Replacing(bytes: Uint8Array, replacement: string): InSteps<string> {
  const { end } = yield* placeAfter(replacement, 1);
  if (end < replacement.length) {
    return invalid("Replacement character string must empty or a single character");
  }
  // A U+FFFD in valid input is text and must stay, so such input is split at the invalid sequences.
  const parts: string[] = [];
  let [units, at] = [0, 0];
  while (at < bytes.length) {
    const characters: string[] = [];
    while (at < bytes.length && characters.length < charactersAtOnce) {
      const length = sequenceLength(bytes, at);
      characters.push(length > 0 ? decodeUtf8(bytes, at, at + length) : replacement);
      at += length > 0 ? length : brokenLength(bytes, at);
    }
    const part = characters.join("");
    units += part.length;
    requireValueBytes(units);
    if (at < bytes.length) {
      yield charactersAtOnce / charactersPerStep;
    }
    parts.push(part);
  }
  return parts.length === 1 ? (parts[0] as string) : parts.join("");
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

/** Repeats the bytes until the target is full. */
function fillWith(target: Uint8Array, fill: Uint8Array): void {
  target.set(fill.subarray(0, target.length));
  for (let filled = fill.length; filled < target.length; filled *= 2) {
    target.copyWithin(filled, 0, Math.min(filled, target.length - filled));
  }
}

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
    const result = new Uint8Array(Number(wanted));
    const kept = bytes.subarray(0, result.length);
    const missing = result.length - kept.length;
    result.set(kept, side === "left" ? missing : 0);
    fillWith(side === "left" ? result.subarray(0, missing) : result.subarray(kept.length), fill);
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
  implementation: HostImplementation | { readonly steps: HostSteps },
  sql: string,
  result: string,
): ScalarDefinition {
  const how = typeof implementation === "function" ? { host: implementation } : implementation;
  return { name, args, returns, description, ...how, example: { sql, result } };
}

function ofText(work: (text: string) => InSteps<HostValue>): { readonly steps: HostSteps } {
  return { steps: ([text]) => work(text as string) };
}

function ofBytes(work: (bytes: Uint8Array) => InSteps<HostValue>): { readonly steps: HostSteps } {
  return { steps: ([bytes]) => work(bytes as Uint8Array) };
}

/** The bytes are those of a text. */
function ofTextBytes(work: (text: string) => InSteps<HostValue>): { readonly steps: HostSteps } {
  return ofBytes(function* (bytes) {
    return yield* work(yield* decodeInSteps(bytes));
  });
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
  define("to_base64", ["varbinary"], "varchar", "Base64 encoding of the binary", ofBytes(toBase64), "to_base64(X'616263FF')", "YWJj/w=="),
  define(
    "from_base64",
    ["varchar"],
    "varbinary",
    "Binary decoded from base64",
    ofText(fromBase64),
    "to_hex(from_base64('YWJj/w=='))",
    "616263FF",
  ),
  define(
    "from_base64",
    ["varbinary"],
    "varbinary",
    "Binary decoded from base64",
    ofTextBytes(fromBase64),
    "to_hex(from_base64(to_utf8('YWJj/w==')))",
    "616263FF",
  ),
  define(
    "to_base32",
    ["varbinary"],
    "varchar",
    "Base32 encoding of the binary",
    ofBytes(toBase32),
    "to_base32(to_utf8('foob'))",
    "MZXW6YQ=",
  ),
  ...[
    { type: "varchar", how: ofText(fromBase32), sql: "from_utf8(from_base32('MZXW6YQ='))" },
    { type: "varbinary", how: ofTextBytes(fromBase32), sql: "from_utf8(from_base32(to_utf8('MZXW6YQ=')))" },
  ].map(({ type, how, sql }) => define("from_base32", [type], "varbinary", "Binary decoded from base32", how, sql, "foob")),
  define(
    "to_base64url",
    ["varbinary"],
    "varchar",
    "Base64 encoding of the binary in the URL-safe alphabet",
    ofBytes(toBase64Url),
    "to_base64url(X'616263FF')",
    "YWJj_w==",
  ),
  define(
    "from_base64url",
    ["varchar"],
    "varbinary",
    "Binary decoded from base64 in the URL-safe alphabet",
    ofText(fromBase64Url),
    "to_hex(from_base64url('YWJj_w=='))",
    "616263FF",
  ),
  define(
    "from_base64url",
    ["varbinary"],
    "varbinary",
    "Binary decoded from base64 in the URL-safe alphabet",
    ofTextBytes(fromBase64Url),
    "to_hex(from_base64url(to_utf8('YWJj_w==')))",
    "616263FF",
  ),
  define(
    "from_utf8",
    ["varbinary", "varchar"],
    "varchar",
    "String decoded from UTF-8, with a replacement string for invalid sequences",
    { steps: ([bytes, replacement]) => fromUtf8Replacing(bytes as Uint8Array, replacement as string) },
    "from_utf8(X'61FF62', '?')",
    "a?b",
  ),
  define(
    "from_utf8",
    ["varbinary", "bigint"],
    "varchar",
    "String decoded from UTF-8, with a replacement code point for invalid sequences",
    { steps: ([bytes, code]) => fromUtf8Replacing(bytes as Uint8Array, replacementOf(code as bigint)) },
    "from_utf8(X'61FF62', 63)",
    "a?b",
  ),
  define(
    "from_hex",
    ["varbinary"],
    "varbinary",
    "Binary decoded from hexadecimal digits",
    ofTextBytes(bytesOfHex),
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
