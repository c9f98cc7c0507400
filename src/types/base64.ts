/**
 * Base64 (RFC 4648): written with padding, read with or without it.
 */
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const alphabet = encodeUtf8("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const padding = 0x3d;
/** Marks bytes that are no digit; a digit has six bits. */
const noDigit = 0x80;
/** Value of a digit by its byte. */
const digits: Uint8Array = digitTable();

function digitTable(): Uint8Array {
  const table = new Uint8Array(256).fill(noDigit);
  for (const [value, byte] of alphabet.entries()) {
    table[byte] = value;
  }
  return table;
}

export function encodeBase64(bytes: Uint8Array): string {
  const { length } = bytes;
  const text = new Uint8Array(4 * Math.ceil(length / 3));
  let to = 0;
  for (let at = 0; at < length; at += 3) {
    const group = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text[to] = alphabet[group >> 18] as number;
    text[to + 1] = alphabet[(group >> 12) & 63] as number;
    text[to + 2] = at + 1 < length ? (alphabet[(group >> 6) & 63] as number) : padding;
    text[to + 3] = at + 2 < length ? (alphabet[group & 63] as number) : padding;
    to += 4;
  }
  return decodeUtf8(text);
}

/** Undefined if the text is not base64; padding is optional. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const encoded = encodeUtf8(text);
  const length = digitsOf(encoded);
  if (length % 4 === 1) {
    return undefined;
  }
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  const whole = length - (length % 4);
  let seen = 0;
  let to = 0;
  for (let at = 0; at < whole; at += 4) {
    const a = digits[encoded[at] as number] as number;
    const b = digits[encoded[at + 1] as number] as number;
    const c = digits[encoded[at + 2] as number] as number;
    const d = digits[encoded[at + 3] as number] as number;
    seen |= a | b | c | d;
    bytes[to] = (a << 2) | (b >> 4);
    bytes[to + 1] = (b << 4) | (c >> 2);
    bytes[to + 2] = (c << 6) | d;
    to += 3;
  }
  if (whole < length) {
    const a = digits[encoded[whole] as number] as number;
    const b = digits[encoded[whole + 1] as number] as number;
    seen |= a | b;
    bytes[to] = (a << 2) | (b >> 4);
    if (whole + 2 < length) {
      const c = digits[encoded[whole + 2] as number] as number;
      seen |= c;
      bytes[to + 1] = (b << 4) | (c >> 2);
    }
  }
  return seen < noDigit ? bytes : undefined;
}

/** Length without one or two bytes of padding. */
function digitsOf(encoded: Uint8Array): number {
  const { length } = encoded;
  const last = length > 0 && encoded[length - 1] === padding ? 1 : 0;
  return length - last - (last === 1 && length > 1 && encoded[length - 2] === padding ? 1 : 0);
}
