/**
 * UTF-8 for the engine, which has no TextEncoder. Lone surrogates and invalid bytes become U+FFFD, as the Encoding standard has it.
 */

const replacement = 0xfffd;
/** Characters turned into a string at once. */
const decodeChunk = 4096;

export function utf8ByteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      bytes++;
    } else if (unit < 0x800) {
      bytes += 2;
    } else if (isPair(text, index, unit)) {
      bytes += 4;
      index++;
    } else {
      bytes += 3;
    }
  }
  return bytes;
}

/** Writes at `offset`, which has room for `utf8ByteLength(text)`; returns the offset behind. */
export function utf8EncodeInto(text: string, target: Uint8Array, offset: number): number {
  let at = offset;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      target[at++] = unit;
    } else if (unit < 0x800) {
      target[at++] = 0xc0 | (unit >> 6);
      target[at++] = 0x80 | (unit & 0x3f);
    } else if (isPair(text, index, unit)) {
      index++;
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (text.charCodeAt(index) & 0x3ff);
      target[at++] = 0xf0 | (point >> 18);
      target[at++] = 0x80 | ((point >> 12) & 0x3f);
      target[at++] = 0x80 | ((point >> 6) & 0x3f);
      target[at++] = 0x80 | (point & 0x3f);
    } else {
      const point = unit >= 0xd800 && unit <= 0xdfff ? replacement : unit;
      target[at++] = 0xe0 | (point >> 12);
      target[at++] = 0x80 | ((point >> 6) & 0x3f);
      target[at++] = 0x80 | (point & 0x3f);
    }
  }
  return at;
}

export function utf8Encode(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8ByteLength(text));
  utf8EncodeInto(text, bytes, 0);
  return bytes;
}

export function utf8Decode(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  let text = "";
  const units: number[] = [];
  let at = start;
  while (at < end) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      units.push(first);
      at++;
    } else {
      at = decodeSequence(bytes, at, end, units);
    }
    if (units.length >= decodeChunk) {
      text += String.fromCharCode(...units);
      units.length = 0;
    }
  }
  return text + String.fromCharCode(...units);
}

function isPair(text: string, index: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdbff || index + 1 >= text.length) {
    return false;
  }
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** One character of more than one byte; an ill-formed one is replaced up to where it stops being a prefix of a character. */
function decodeSequence(bytes: Uint8Array, at: number, end: number, units: number[]): number {
  const first = bytes[at] as number;
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2 || first > 0xf4) {
    units.push(replacement);
    return at + 1;
  }
  let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  let point = first & (0x3f >> more);
  for (let step = 1; step <= more; step++) {
    const byte = at + step < end ? (bytes[at + step] as number) : 0;
    if (byte < low || byte > high) {
      units.push(replacement);
      return at + step;
    }
    point = (point << 6) | (byte & 0x3f);
    low = 0x80;
    high = 0xbf;
  }
  if (point >= 0x10000) {
    units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
  } else {
    units.push(point);
  }
  return at + more + 1;
}
