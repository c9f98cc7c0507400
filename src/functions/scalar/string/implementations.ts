/**
 * Host implementations of string functions, for the rows that kernel code does not handle.
 */
import { countBytes } from "../../runtime/counted.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { codePoints, isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import { requireValueBytes, valueBytesMax } from "../../../types/value-size.ts";
import type { HostImplementation, HostSteps, HostValue } from "../../registry/definition.ts";
import { eachPoint, mapTextInSteps, placeAfter } from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { eachOccurrence, replaceAll } from "./occurrences.ts";

export function invalid(message: string): never {
  throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
}

/** Code points whose simple case mapping differs from JavaScript's: JavaScript applies the mappings to several code points. */
function simpleUpper(point: string): string {
  const code = point.codePointAt(0) as number;
  const hasTitle = (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) || code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3;
  return hasTitle ? String.fromCodePoint(code + (code < 0x1fb0 ? 8 : 9)) : point;
}

/** Java's simple case mapping, one code point to one: ß stays, and so does the length of the text. */
export function upperCase(text: string): string {
  const all = codePoints(text).map((point) => {
    const upper = point.toUpperCase();
    return codePoints(upper).length === 1 ? upper : simpleUpper(point);
  });
  return all.join("");
}

export function lowerCase(text: string): string {
  return codePoints(text)
    .map((point) => (point === "\u0130" ? "i" : point.toLowerCase()))
    .join("");
}

const paddedPointsMax = 2_147_483_647n;
/** Maximum length of results that can be much larger than the arguments. A code point takes up to four bytes. */
const textPointsMax: number = valueBytesMax / 4;

export function pad(side: "left" | "right"): HostSteps {
  return function* ([given, size, padding], call) {
    const [text, fill, wanted] = [given as string, padding as string, size as bigint];
    if (wanted < 0n || wanted > paddedPointsMax) {
      return invalid(`Target length must be in the range [0..${paddedPointsMax}]`);
    }
    if (fill === "") {
      return invalid("Padding string must not be empty");
    }
    const count = Number(wanted);
    const { end, points } = yield* placeAfter(text, count);
    if (points === count) {
      return text.slice(0, end);
    }
    if (count > textPointsMax) {
      return invalid("Padded string is too large");
    }
    countBytes(call, count);
    const missing = count - points;
    const once = yield* placeAfter(fill, missing);
    const rest = (yield* placeAfter(fill, missing % once.points)).end;
    const added = fill.slice(0, once.end).repeat(Math.floor(missing / once.points)) + fill.slice(0, rest);
    return side === "left" ? added + text : text + added;
  };
}

const space = 0x20;
/** Code units between two yields, and those that take as long as a step. */
const unitsAtOnce = 65_536;
const unitsPerStep = 64;

export const fitting: HostSteps = function* ([given, size, message]) {
  const [text, wanted] = [given as string, Number(size)];
  let end = 0;
  for (let taken = 0; taken < wanted && end < text.length; taken++) {
    end += isHighSurrogate(text.charCodeAt(end)) && isLowSurrogate(text.charCodeAt(end + 1)) ? 2 : 1;
    if (taken % unitsAtOnce === unitsAtOnce - 1) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  // Only spaces may be left out.
  for (let rest = end; rest < text.length; rest++) {
    if (text.charCodeAt(rest) !== space) {
      throw new QueryError("INVALID_CAST_ARGUMENT", message as string);
    }
    if (rest % unitsAtOnce === unitsAtOnce - 1) {
      yield unitsAtOnce / unitsPerStep;
    }
  }
  return text.slice(0, end);
};

export const splitPart: HostSteps = function* ([text, delimiter, index]) {
  const [value, separator, wanted] = [text as string, delimiter as string, index as bigint];
  if (wanted <= 0n) {
    return invalid("Index must be greater than zero");
  }
  if (separator === "") {
    const before = yield* placeAfter(value, Number(wanted - 1n));
    return before.end === value.length ? null : String.fromCodePoint(value.codePointAt(before.end) as number);
  }
  let [from, left] = [0, wanted - 1n];
  let part: string | undefined;
  yield* eachOccurrence(value, separator, (at) => {
    if (left === 0n) {
      part = value.slice(from, at);
      return true;
    }
    left--;
    from = at + separator.length;
    return false;
  });
  return part ?? (left === 0n ? value.slice(from) : null);
};

export const replace: HostSteps = function* ([text, search, replacement = ""], call) {
  const [value, wanted, other] = [text as string, search as string, replacement as string];
  let replacements = 0;
  const count = (found: number): void => {
    replacements += found;
    if (value.length + replacements * other.length > textPointsMax) {
      invalid("Inputs to replace function are too large");
    }
  };
  count(0);
  if (wanted === "") {
    count(1);
    yield* eachPoint(value, () => {
      count(1);
      return false;
    });
    countBytes(call, value.length + replacements * other.length);
    // The piece of an empty text has no character.
    const spread = (piece: string): string =>
      codePoints(piece)
        .map((point) => point + other)
        .join("");
    return other + (yield* mapTextInSteps(value, spread));
  }
  yield* eachOccurrence(value, wanted, () => {
    count(1);
    return false;
  });
  if (replacements === 0) {
    return value;
  }
  countBytes(call, value.length + replacements * other.length);
  return yield* replaceAll(value, wanted, other);
};

const hammingMessage = "The input strings to hamming_distance function must have the same length";

export const hammingDistance: HostSteps = function* ([left, right]) {
  const [a, b] = [left as string, right as string];
  let [at, distance] = [0, 0];
  yield* eachPoint(a, (point) => {
    const other = b.codePointAt(at);
    if (other === undefined) {
      return invalid(hammingMessage);
    }
    distance += point.codePointAt(0) === other ? 0 : 1;
    at += other > 0xffff ? 2 : 1;
    return false;
  });
  return at < b.length ? invalid(hammingMessage) : BigInt(distance);
};

const levenshteinPointsMax = 1_000_000;

export const levenshteinDistance: HostSteps = function* ([left, right]) {
  const [a, b] = [left as string, right as string];
  const { points: rows } = yield* placeAfter(a, a.length);
  const { points: columns } = yield* placeAfter(b, b.length);
  if (rows * columns > levenshteinPointsMax) {
    return invalid("The combined inputs for Levenshtein distance are too large");
  }
  if (rows === 0 || columns === 0) {
    return BigInt(rows + columns);
  }
  const others = codePoints(b);
  let row = Array.from({ length: columns + 1 }, (_, index) => index);
  let cells = 0;
  for (const [i, point] of codePoints(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of others.entries()) {
      next.push(Math.min((row[j] as number) + (point === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
    cells += columns;
    if (cells >= cellsAtOnce) {
      yield Math.ceil(cells / cellsPerStep);
      cells = 0;
    }
  }
  return BigInt(row[columns] as number);
};

/** Cells of the table of distances between two yields, and those that take as long as a step. */
const cellsAtOnce = 32_768;
const cellsPerStep = 32;

export const translate: HostSteps = function* ([text, from, to]) {
  const targets = to as string;
  const table = new Map<string, string>();
  let at = 0;
  yield* eachPoint(from as string, (point) => {
    const target = targets.codePointAt(at);
    const other = target === undefined ? "" : String.fromCodePoint(target);
    at += other.length;
    if (!table.has(point)) {
      table.set(point, other);
    }
    return false;
  });
  return yield* mapTextInSteps(text as string, (piece) => {
    const mapped = codePoints(piece).map((point) => table.get(point) ?? point);
    return mapped.join("");
  });
};

export const concatWithSeparator: HostImplementation = ([separator, ...values]) => {
  if (separator === null) {
    return null;
  }
  const texts = values.filter((value) => value !== null) as readonly string[];
  // Each code unit is at least one byte.
  requireValueBytes(texts.reduce((sum, text) => sum + text.length + (separator as string).length, 0) - (separator as string).length);
  return texts.join(separator as string);
};

/** Texts that are joined at once, and those that take as long as a step. */
const joinedAtOnce = 2_048;
const joinedPerStep = 8;

/** Without NULLs. Throws ValueTooLargeError. */
export function* joinedTexts(given: readonly HostValue[], separator: string): InSteps<string> {
  const parts: string[] = [];
  let units = 0;
  for (let first = 0; first < given.length; first += joinedAtOnce) {
    const texts = given.slice(first, first + joinedAtOnce).filter((text) => text !== null) as readonly string[];
    units += texts.reduce((sum, text) => sum + text.length + separator.length, 0);
    // Each code unit is at least one byte.
    requireValueBytes(units - separator.length);
    if (texts.length > 0) {
      parts.push(texts.join(separator));
    }
    if (first + joinedAtOnce < given.length) {
      yield joinedAtOnce / joinedPerStep;
    }
  }
  return parts.join(separator);
}

export const codepoint: HostImplementation = ([given]) => {
  const text = given as string;
  const point = text.codePointAt(0);
  const isOne = point !== undefined && text.length === (point > 0xffff ? 2 : 1);
  return isOne ? point : invalid(`Input string must be a single character string`);
};

export const chr: HostImplementation = ([point]) => {
  const value = point as bigint;
  const valid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value < 0xe000n);
  return valid ? String.fromCodePoint(Number(value)) : invalid(`Not a valid Unicode code point: ${value}`);
};
