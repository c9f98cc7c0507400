/**
 * UTF-8 encoding and decoding. As the Encoding Standard requires, lone surrogates are encoded as U+FFFD, and each maximal part of an
 * invalid sequence is decoded as one U+FFFD.
 */

/** Declarations of the platform's codec that the engine uses: pure functions that the ES2023 library does not declare. */
interface PlatformCodec {
  readonly TextDecoder: new (label: "utf-8", options: { readonly ignoreBOM: boolean }) => { decode(bytes: Uint8Array): string };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
}

const platform = globalThis as unknown as PlatformCodec;
const decoder = new platform.TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new platform.TextEncoder();
/** Up to this number of code units, a loop is faster than a call of the platform's encoder. */
export const shortUnits = 64;

export function utf8Length(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      length += 1;
    } else if (unit < 0x800) {
      length += 2;
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) {
      length += 4;
      index += 1;
    } else {
      length += 3;
    }
  }
  return length;
}

export function encodeUtf8(text: string): Uint8Array {
  if (text.length > shortUnits) {
    return encoder.encode(text);
  }
  const bytes = new Uint8Array(utf8Length(text));
  encodeUtf8Into(text, bytes, 0);
  return bytes;
}

/** Writes from `offset` on; `target` must have room for `utf8Length(text)` bytes. Returns the offset after the text. */
export function encodeUtf8Into(text: string, target: Uint8Array, offset: number): number {
  let at = offset;
  for (let index = 0; index < text.length; index++) {
    let point = text.charCodeAt(index);
    if (point < 0x80) {
      target[at++] = point;
      continue;
    }
    if (point < 0x800) {
      target[at++] = 0xc0 | (point >> 6);
      target[at++] = 0x80 | (point & 0x3f);
      continue;
    }
    if (isHighSurrogate(point) && isLowSurrogate(text.charCodeAt(index + 1))) {
      index += 1;
      point = 0x10000 + ((point - 0xd800) << 10) + (text.charCodeAt(index) - 0xdc00);
      target[at++] = 0xf0 | (point >> 18);
      target[at++] = 0x80 | ((point >> 12) & 0x3f);
    } else {
      point = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
      target[at++] = 0xe0 | (point >> 12);
    }
    target[at++] = 0x80 | ((point >> 6) & 0x3f);
    target[at++] = 0x80 | (point & 0x3f);
  }
  return at;
}

/** Decodes the bytes [start, end). */
export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return decoder.decode(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
}

/** Code points of the text, one string each; SQL counts them as characters. */
export function codePoints(text: string): string[] {
  return Array.from(text);
}

/**
 * The text without the occurrences of a character at its end. A pattern such as `/ +$/` takes quadratic time where they are not at the end.
 */
export function withoutTrailing(text: string, character: string): string {
  const unit = character.charCodeAt(0);
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === unit) {
    end--;
  }
  return end === text.length ? text : text.slice(0, end);
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
