/**
 * Occurrences of a text in another one in time that grows with their lengths alone (Knuth, Morris and Pratt, 1977). The platform's own
 * search compares texts of one letter again and again: minutes for a text of 16 MB and a part of 4 MB.
 */

/** Code units of a part up to which the platform's search is used, which is faster in all but such cases. */
export const shortPartMax = 64;

/** Positions in code units where `part`, which is not empty, occurs; occurrences may overlap. `backwards` begins with the last one. */
export function* occurrences(text: string, part: string, backwards = false): Generator<number, void, void> {
  for (const found of occurrencesInSteps(text, part, backwards)) {
    if (typeof found === "number") {
      yield found;
    }
  }
}

/** A pause of a search, with the steps since the last one. */
interface Pause {
  readonly steps: number;
}

const pause: Pause = Object.freeze({ steps: 1_024 });
const unitsAtOnce = 65_536;

/** As occurrences, with pauses between them. */
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

/** As `text.split(separator)`, for a separator that is not empty. */
export function splitAt(text: string, separator: string): readonly string[] {
  if (separator.length <= shortPartMax) {
    return text.split(separator);
  }
  const pieces: string[] = [];
  let from = 0;
  for (const at of occurrences(text, separator)) {
    if (at >= from) {
      pieces.push(text.slice(from, at));
      from = at + separator.length;
    }
  }
  pieces.push(text.slice(from));
  return pieces;
}
