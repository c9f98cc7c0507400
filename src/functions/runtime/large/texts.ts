/**
 * Texts and bytes that may be long, as generators that yield the steps since the last time. A short one is one piece.
 */
import { joinBytes } from "../../../types/bytes.ts";
import { decodeUtf8, isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import { requireValueBytes } from "../../../types/value-size.ts";
import type { InSteps } from "../steps.ts";

/** Code units or bytes of a piece. */
export const unitsAtOnce = 65_536;
/** Code units that are looked at one by one in the time of a step. */
const unitsPerStep = 64;
/** Code units that are mapped, or bytes that are, in the time of a step. */
const mappedPerStep = 32;

/** The end of a piece that begins at `from` and splits no pair of surrogates. */
function pieceEnd(text: string, from: number): number {
  const to = Math.min(text.length, from + unitsAtOnce);
  return to < text.length && isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
}

/** Calls `take` for pieces of a text that split no pair of surrogates. */
export function* eachPiece(text: string, take: (piece: string, from: number) => void): InSteps<void> {
  if (text.length <= unitsAtOnce) {
    take(text, 0);
    return;
  }
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from);
    take(text.slice(from, to), from);
    yield Math.ceil((to - from) / mappedPerStep);
    from = to;
  }
}

/** Maps pieces of a text that do not split a pair of surrogates, and joins the results. Throws ValueTooLargeError. */
export function* mapTextInSteps(text: string, map: (piece: string) => string): InSteps<string> {
  if (text.length <= unitsAtOnce) {
    return map(text);
  }
  const parts: string[] = [];
  let units = 0;
  yield* eachPiece(text, (piece) => {
    const part = map(piece);
    units += part.length;
    // Each code unit is at least one byte.
    requireValueBytes(units);
    parts.push(part);
  });
  return parts.join("");
}

/** As mapTextInSteps, from pieces of bytes, whose lengths are multiples of `multiple` except the last one's. */
export function* textOfBytes(bytes: Uint8Array, multiple: number, map: (piece: Uint8Array) => string): InSteps<string> {
  const atOnce = multiple * Math.floor(unitsAtOnce / multiple);
  if (bytes.length <= atOnce) {
    return map(bytes);
  }
  const parts: string[] = [];
  let units = 0;
  for (let from = 0; from < bytes.length; from += atOnce) {
    const part = map(bytes.subarray(from, from + atOnce));
    units += part.length;
    requireValueBytes(units);
    parts.push(part);
    yield atOnce / mappedPerStep;
  }
  return parts.join("");
}

/** Bytes of pieces of a text, whose lengths are multiples of `multiple` code units except the last one's. */
export function* bytesOfText(text: string, multiple: number, map: (piece: string, isLast: boolean) => Uint8Array): InSteps<Uint8Array> {
  const atOnce = multiple * Math.floor(unitsAtOnce / multiple);
  if (text.length <= atOnce) {
    return map(text, true);
  }
  const parts: Uint8Array[] = [];
  for (let from = 0; from < text.length; from += atOnce) {
    parts.push(map(text.slice(from, from + atOnce), from + atOnce >= text.length));
    yield atOnce / mappedPerStep;
  }
  return joinBytes(parts);
}

/** Calls `take` for pieces of the bytes. */
export function* eachBytesPiece(bytes: Uint8Array, bytesPerStep: number, take: (piece: Uint8Array) => void): InSteps<void> {
  for (let from = 0; from < bytes.length; from += unitsAtOnce) {
    if (from > 0) {
      yield unitsAtOnce / bytesPerStep;
    }
    take(bytes.subarray(from, from + unitsAtOnce));
  }
}

/** As decodeUtf8. */
export function* decodeInSteps(bytes: Uint8Array): InSteps<string> {
  let text = "";
  for (let from = 0; ; ) {
    let to = Math.min(bytes.length, from + unitsAtOnce);
    // Pieces end before a byte that begins a code point, so that invalid sequences are decoded as in one piece.
    for (let back = 0; back < 3 && to < bytes.length && ((bytes[to] as number) & 0xc0) === 0x80; back++) {
      to--;
    }
    const piece = decodeUtf8(bytes, from, to);
    if (to === bytes.length) {
      return from === 0 ? piece : text + piece;
    }
    text += piece;
    yield (to - from) / unitsPerStep;
    from = to;
  }
}

export interface TextPlace {
  /** In code units. */
  readonly end: number;
  /** Code points before it. */
  readonly points: number;
}

/** Units of a code point at a place. */
function widthAt(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
}

/** The place after so many code points, or the end of the text. */
export function* placeAfter(text: string, points: number): InSteps<TextPlace> {
  let [end, seen] = [0, 0];
  while (seen < points && end < text.length) {
    end += widthAt(text, end);
    if (++seen % unitsAtOnce === 0) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  return { end, points: seen };
}

/** Calls `take` for each code point of the text until it returns true. */
export function* eachPoint(text: string, take: (point: string) => boolean | undefined): InSteps<void> {
  let seen = 0;
  for (let at = 0; at < text.length; ) {
    const end = at + widthAt(text, at);
    if (take(text.slice(at, end)) === true) {
      return;
    }
    at = end;
    if (++seen % unitsAtOnce === 0) {
      yield unitsAtOnce / mappedPerStep;
    }
  }
}

export function* reversedText(text: string): InSteps<string> {
  const parts: string[] = [];
  yield* eachPiece(text, (piece) => void parts.push(Array.from(piece).reverse().join("")));
  return parts.length === 1 ? (parts[0] as string) : parts.reverse().join("");
}
