/**
 * UTF-8 both ways; the engine has no TextEncoder. Lone surrogates become U+FFFD going out, malformed bytes become U+FFFD coming in, one for each
 * maximal part of a sequence, as the Encoding Standard says. Called for everything that is text on the wire, in a literal, in a page that is built row
 * by row and in functions whose meaning is not kernel code.
 */

const replacement = 0xfffd;
/** Code units given to one String.fromCharCode; more would overflow the stack of some platforms. */
const chunkUnits = 4096;

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
  const bytes = new Uint8Array(utf8Length(text));
  encodeUtf8Into(text, bytes, 0);
  return bytes;
}

/** Writes from `offset` on, where there is room for `utf8Length(text)`; returns the offset behind. */
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
      point = point >= 0xd800 && point < 0xe000 ? replacement : point;
      target[at++] = 0xe0 | (point >> 12);
    }
    target[at++] = 0x80 | ((point >> 6) & 0x3f);
    target[at++] = 0x80 | (point & 0x3f);
  }
  return at;
}

/** Bytes [start, end) as text. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return isShortAscii(bytes, start, end) ? fromUnits(bytes.subarray(start, end)) : decodePoints(bytes, start, end);
}

/** The text's code points, one string each: what SQL counts as characters. */
export function codePoints(text: string): string[] {
  return Array.from(text);
}

/** Most values are, and they need no buffer in between. */
function isShortAscii(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > chunkUnits) {
    return false;
  }
  for (let at = start; at < end; at++) {
    if ((bytes[at] as number) >= 0x80) {
      return false;
    }
  }
  return true;
}

function decodePoints(bytes: Uint8Array, start: number, end: number): string {
  const units = new Uint16Array(Math.min(chunkUnits, end - start) + 2);
  const parts: string[] = [];
  let count = 0;
  let at = start;
  while (at < end) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      units[count++] = lead;
      at += 1;
    } else {
      const length = sequenceLength(bytes, at, end);
      const point = length > 0 ? codePoint(bytes, at, length) : replacement;
      at += Math.abs(length);
      if (point < 0x10000) {
        units[count++] = point;
      } else {
        units[count++] = 0xd800 + ((point - 0x10000) >> 10);
        units[count++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
      }
    }
    if (count >= chunkUnits) {
      parts.push(fromUnits(units.subarray(0, count)));
      count = 0;
    }
  }
  parts.push(fromUnits(units.subarray(0, count)));
  return parts.length === 1 ? (parts[0] as string) : parts.join("");
}

function fromUnits(units: Uint8Array | Uint16Array): string {
  return String.fromCharCode.apply(undefined, units as unknown as number[]);
}

/** Bytes of the well-formed sequence at `at`, or minus the length of the malformed part to be replaced. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] as number;
  const needed = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (needed === 0) {
    return -1;
  }
  // The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF.
  let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let taken = 1; taken < needed; taken++) {
    const next = at + taken < end ? (bytes[at + taken] as number) : 0;
    if (next < low || next > high) {
      return -taken;
    }
    low = 0x80;
    high = 0xbf;
  }
  return needed;
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] as number) & (0x7f >> length);
  for (let taken = 1; taken < length; taken++) {
    point = (point << 6) | ((bytes[at + taken] as number) & 0x3f);
  }
  return point;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
