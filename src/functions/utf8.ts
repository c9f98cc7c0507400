/**
 * UTF-8 between linear memory and JavaScript strings, for host functions, constants and messages. Broken sequences decode to U+FFFD.
 */

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    let point = text.charCodeAt(index);
    if (point < 0x80) {
      bytes[length++] = point;
      continue;
    }
    if (point >= 0xd800 && point < 0xe000) {
      const next = text.charCodeAt(index + 1);
      if (point < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (next - 0xdc00);
        index++;
      } else {
        point = 0xfffd;
      }
    }
    if (point < 0x800) {
      bytes[length++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        bytes[length++] = 0xe0 | (point >> 12);
      } else {
        bytes[length++] = 0xf0 | (point >> 18);
        bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
    }
    bytes[length++] = 0x80 | (point & 0x3f);
  }
  return bytes.subarray(0, length);
}

export interface DecodedPoint {
  /** -1 for a broken sequence. */
  readonly point: number;
  readonly length: number;
}

/** The code point at `at`; a broken byte is one unit of length 1. */
export function decodePoint(bytes: Uint8Array, at: number, end: number): DecodedPoint {
  const first = bytes[at] as number;
  if (first < 0x80) {
    return { point: first, length: 1 };
  }
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > end) {
    return { point: -1, length: 1 };
  }
  let point = first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index] as number;
    if ((next & 0xc0) !== 0x80) {
      return { point: -1, length: 1 };
    }
    point = (point << 6) | (next & 0x3f);
  }
  const tooShort = point < (length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000);
  const broken = tooShort || point > 0x10ffff || (point >= 0xd800 && point < 0xe000);
  return broken ? { point: -1, length: 1 } : { point, length };
}

/** Arguments of one call. */
const asciiRunMax = 4096;

export function decodeUtf8(bytes: Uint8Array, address: number, length: number): string {
  const end = address + length;
  let text = "";
  let at = address;
  while (at < end) {
    const start = at;
    while (at < end && (bytes[at] as number) < 0x80) {
      at++;
    }
    for (let from = start; from < at; from += asciiRunMax) {
      text += String.fromCharCode.apply(undefined, bytes.subarray(from, Math.min(at, from + asciiRunMax)) as unknown as number[]);
    }
    if (at < end) {
      const decoded = decodePoint(bytes, at, end);
      text += String.fromCodePoint(decoded.point < 0 ? 0xfffd : decoded.point);
      at += decoded.length;
    }
  }
  return text;
}
