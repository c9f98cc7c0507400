/**
 * Occurrences of a text in another one in time that grows with their lengths alone (Knuth, Morris and Pratt, 1977). The platform's own
 * search compares texts of one letter again and again: minutes for a text of 16 MB and a part of 4 MB.
 */

import { unitsAtOnce } from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";

/** Code units of a part up to which the platform's search is used, which is faster in all but such cases. */
export const shortPartMax = 64;

/** A pause of a search, with the steps since the last one. */
interface Pause {
  readonly steps: number;
}

const pause: Pause = Object.freeze({ steps: 1_024 });

/**
 * Positions in code units where `part`, which is not empty, occurs, with pauses in between. Occurrences may overlap;
 * `backwards` begins with the last one.
 */
export function* occurrencesInSteps(text: string, part: string, backwards = false): Generator<number | Pause, void, void> {
  if (part.length <= shortPartMax) {
    let at = backwards ? text.lastIndexOf(part) : text.indexOf(part);
    while (at >= 0) {
      yield at;
      at = backwards ? (at === 0 ? -1 : text.lastIndexOf(part, at - 1)) : text.indexOf(part, at + 1);
    }
    return;
  }
  const [length, partLength] = [text.length, part.length];
  const partUnit = (index: number): number => part.charCodeAt(backwards ? partLength - 1 - index : index);
  const borders = yield* bordersOf(partUnit, partLength);
  let matched = 0;
  for (let index = 0; index < length; index++) {
    if (index % unitsAtOnce === unitsAtOnce - 1) {
      yield pause;
    }
    const unit = text.charCodeAt(backwards ? length - 1 - index : index);
    while (matched > 0 && unit !== partUnit(matched)) {
      matched = borders[matched - 1] as number;
    }
    matched += unit === partUnit(matched) ? 1 : 0;
    if (matched === partLength) {
      yield backwards ? length - 1 - index : index - partLength + 1;
      matched = borders[matched - 1] as number;
    }
  }
}

/** For each prefix the length of its longest border: a proper prefix that is its suffix too. */
function* bordersOf(unitAt: (index: number) => number, length: number): Generator<Pause, Int32Array, void> {
  const borders = new Int32Array(length);
  let border = 0;
  for (let index = 1; index < length; index++) {
    if (index % unitsAtOnce === 0) {
      yield pause;
    }
    const unit = unitAt(index);
    while (border > 0 && unit !== unitAt(border)) {
      border = borders[border - 1] as number;
    }
    border += unit === unitAt(border) ? 1 : 0;
    borders[index] = border;
  }
  return borders;
}

/** Occurrences between two yields, and those that take as long as a step. */
const foundAtOnce = 8_192;
const foundPerStep = 8;
const unitsPerStep = 256;

/** Calls `take` with the position of each occurrence that does not overlap the one before, until it returns true. */
export function* eachOccurrence(text: string, part: string, take: (at: number) => boolean): InSteps<void> {
  if (part.length > shortPartMax) {
    let [next, found] = [0, 0];
    for (const at of occurrencesInSteps(text, part)) {
      if (typeof at === "object") {
        yield at.steps;
      } else if (at >= next) {
        if (take(at)) {
          return;
        }
        next = at + part.length;
        if (++found % foundAtOnce === 0) {
          yield foundAtOnce / foundPerStep;
        }
      }
    }
    return;
  }
  for (let from = 0; ; ) {
    const piece = text.length <= unitsAtOnce ? text : text.slice(from, from + unitsAtOnce);
    let [next, found] = [0, 0];
    for (let at = piece.indexOf(part); at >= 0; at = piece.indexOf(part, next)) {
      next = at + part.length;
      found++;
      if (take(from + at)) {
        return;
      }
    }
    if (from + piece.length === text.length) {
      return;
    }
    // An occurrence may begin in this piece and end in the next one.
    from += Math.max(next, piece.length - part.length + 1);
    yield Math.ceil(piece.length / unitsPerStep + found / foundPerStep);
  }
}

/** As `text.split(separator)`, for a separator that is not empty; at most `most` pieces, of which the last one is all that is left. */
export function* splitInSteps(text: string, separator: string, most = Number.POSITIVE_INFINITY): InSteps<readonly string[]> {
  if (text.length <= unitsAtOnce && separator.length <= shortPartMax && most === Number.POSITIVE_INFINITY) {
    return text.split(separator);
  }
  const pieces: string[] = [];
  let from = 0;
  if (most > 1) {
    yield* eachOccurrence(text, separator, (at) => {
      pieces.push(text.slice(from, at));
      from = at + separator.length;
      return pieces.length === most - 1;
    });
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** As `text.replaceAll(part, other)`, for a part that is not empty. */
export function* replaceAll(text: string, part: string, other: string): InSteps<string> {
  if (text.length <= unitsAtOnce && part.length <= shortPartMax) {
    return text.split(part).join(other);
  }
  const joined: string[] = [];
  // Joined now and then: each piece of a text is an object.
  let pieces: string[] = [];
  let [from, units] = [0, 0];
  yield* eachOccurrence(text, part, (at) => {
    pieces.push(text.slice(from, at), other);
    units += at - from + other.length;
    from = at + part.length;
    if (units >= unitsAtOnce || pieces.length >= foundAtOnce) {
      joined.push(pieces.join(""));
      pieces = [];
      units = 0;
    }
    return false;
  });
  joined.push(...pieces, text.slice(from));
  return joined.join("");
}
