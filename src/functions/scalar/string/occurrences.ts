/**
 * Occurrences of a text in another one in time that grows with their lengths alone, without memory (two-way string matching: Crochemore and
 * Perrin, 1991). The platform's own search compares texts of one letter again and again: minutes for a text of 16 MB and a part of 4 MB.
 */

import { unitsAtOnce } from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";

/** Code units of a part up to which the platform's search is used, which is faster in all but such cases. */
export const shortPartMax = 64;

/** A pause of a search, with the steps since the last one. */
interface Pause {
  readonly steps: number;
}

type Search = Generator<number | Pause, void, void>;

/** After a piece that the platform has searched, and after as many comparisons. */
const searched: Pause = Object.freeze({ steps: 256 });
const compared: Pause = Object.freeze({ steps: 1_024 });

/**
 * Positions in code units where `part`, which is not empty, occurs, with pauses in between. Occurrences may overlap;
 * `backwards` begins with the last one.
 */
export function occurrencesInSteps(text: string, part: string, backwards = false): Search {
  if (part.length > shortPartMax) {
    return longOccurrences(text, part, backwards);
  }
  return backwards ? shortFromEnd(text, part) : shortFromStart(text, part);
}

/** The units of a piece and those of an occurrence that begins with its last one. */
function pieceAt(text: string, from: number, part: string): string {
  return text.slice(from, from + unitsAtOnce + part.length - 1);
}

function* shortFromStart(text: string, part: string): Search {
  for (let from = 0; from < text.length; from += unitsAtOnce) {
    if (from > 0) {
      yield searched;
    }
    const piece = pieceAt(text, from, part);
    for (let at = piece.indexOf(part); at >= 0; at = piece.indexOf(part, at + 1)) {
      yield from + at;
    }
  }
}

function* shortFromEnd(text: string, part: string): Search {
  const last = unitsAtOnce * Math.floor(text.length / unitsAtOnce);
  for (let from = last; from >= 0; from -= unitsAtOnce) {
    if (from < last) {
      yield searched;
    }
    const piece = pieceAt(text, from, part);
    for (let at = piece.lastIndexOf(part); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf(part, at - 1)) {
      yield from + at;
    }
  }
}

/** A suffix of a text, by the position before it, and its period. */
interface Suffix {
  readonly before: number;
  readonly period: number;
}

type UnitAt = (index: number) => number;

/** The suffix that is the greatest one if `sign` is 1, and if it is -1 the one that is by the opposite order of units. */
function* maximalSuffix(unitAt: UnitAt, length: number, sign: 1 | -1): Generator<Pause, Suffix, void> {
  let [before, start, offset, period] = [-1, 0, 1, 1];
  for (let steps = 1; start + offset < length; steps++) {
    if (steps % unitsAtOnce === 0) {
      yield compared;
    }
    const order = sign * (unitAt(start + offset) - unitAt(before + offset));
    if (order < 0) {
      start += offset;
      offset = 1;
      period = start - before;
    } else if (order > 0) {
      before = start;
      start = before + 1;
      offset = 1;
      period = 1;
    } else if (offset === period) {
      start += period;
      offset = 1;
    } else {
      offset++;
    }
  }
  return { before, period };
}

/** Whether the part repeats after its period: then what is known of the text is kept after an occurrence. */
function* isPeriodic(unitAt: UnitAt, { before, period }: Suffix): Generator<Pause, boolean, void> {
  for (let index = 0; index <= before; index++) {
    if (index % unitsAtOnce === unitsAtOnce - 1) {
      yield compared;
    }
    if (unitAt(index) !== unitAt(index + period)) {
      return false;
    }
  }
  return true;
}

/** The part is cut at a critical position: the right side is compared first, and a mismatch there shifts by all that was equal. */
function* longOccurrences(text: string, part: string, backwards: boolean): Search {
  const [length, partLength] = [text.length, part.length];
  if (partLength > length) {
    return;
  }
  const partUnit = (index: number): number => part.charCodeAt(backwards ? partLength - 1 - index : index);
  const textUnit = (index: number): number => text.charCodeAt(backwards ? length - 1 - index : index);
  const [one, other] = [yield* maximalSuffix(partUnit, partLength, 1), yield* maximalSuffix(partUnit, partLength, -1)];
  const cut = one.before > other.before ? one : other;
  const repeats = yield* isPeriodic(partUnit, cut);
  const shift = repeats ? cut.period : Math.max(cut.before + 1, partLength - cut.before - 1) + 1;
  /** The last position of the part that is known to be equal, because it was before the last shift. */
  let known = -1;
  let steps = 0;
  for (let at = 0; at <= length - partLength; ) {
    let index = Math.max(cut.before, known) + 1;
    while (index < partLength && partUnit(index) === textUnit(at + index)) {
      index++;
      if (++steps % unitsAtOnce === 0) {
        yield compared;
      }
    }
    if (++steps % unitsAtOnce === 0) {
      yield compared;
    }
    if (index < partLength) {
      at += index - cut.before;
      known = -1;
      continue;
    }
    index = cut.before;
    while (index > known && partUnit(index) === textUnit(at + index)) {
      index--;
      if (++steps % unitsAtOnce === 0) {
        yield compared;
      }
    }
    if (index <= known) {
      yield backwards ? length - at - partLength : at;
    }
    at += shift;
    known = repeats ? partLength - shift - 1 : -1;
  }
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
