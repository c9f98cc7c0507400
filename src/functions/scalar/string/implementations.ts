/**
 * Host implementations of string functions, for the rows that kernel code does not handle.
 */
import { countBytes } from "../../runtime/counted.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { codePoints, isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import { valueBytesMax } from "../../../types/value-size.ts";
import type { HostImplementation, HostSteps } from "../../registry/definition.ts";
import { splitAt } from "./occurrences.ts";

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

export function pad(side: "left" | "right"): HostImplementation {
  return ([text, size, padding], call) => {
    const [points, fill, wanted] = [codePoints(text as string), codePoints(padding as string), size as bigint];
    if (wanted < 0n || wanted > paddedPointsMax) {
      return invalid(`Target length must be in the range [0..${paddedPointsMax}]`);
    }
    if (fill.length === 0) {
      return invalid("Padding string must not be empty");
    }
    const count = Number(wanted);
    if (points.length >= count) {
      return points.slice(0, count).join("");
    }
    if (count > textPointsMax) {
      return invalid("Padded string is too large");
    }
    countBytes(call, count);
    const missing = count - points.length;
    const whole = (padding as string).repeat(Math.floor(missing / fill.length));
    const added = whole + fill.slice(0, missing % fill.length).join("");
    return side === "left" ? added + (text as string) : (text as string) + added;
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

export const splitPart: HostImplementation = ([text, delimiter, index]) => {
  const [value, separator, wanted] = [text as string, delimiter as string, index as bigint];
  if (wanted <= 0n) {
    return invalid("Index must be greater than zero");
  }
  const parts = separator === "" ? codePoints(value) : splitAt(value, separator);
  return parts[Number(wanted) - 1] ?? null;
};

export const replace: HostImplementation = ([text, search, replacement = ""], call) => {
  const [value, wanted, other] = [text as string, search as string, replacement as string];
  const everywhere = wanted === "";
  const pieces = everywhere ? codePoints(value) : splitAt(value, wanted);
  const replacements = everywhere ? pieces.length + 1 : pieces.length - 1;
  if (value.length + replacements * other.length > textPointsMax) {
    return invalid("Inputs to replace function are too large");
  }
  countBytes(call, value.length + replacements * other.length);
  return everywhere ? other + pieces.map((point) => point + other).join("") : pieces.join(other);
};

export const hammingDistance: HostImplementation = ([left, right]) => {
  const [a, b] = [codePoints(left as string), codePoints(right as string)];
  if (a.length !== b.length) {
    return invalid("The input strings to hamming_distance function must have the same length");
  }
  return BigInt(a.filter((point, index) => point !== b[index]).length);
};

const levenshteinPointsMax = 1_000_000;

export const levenshteinDistance: HostImplementation = ([left, right]) => {
  const [a, b] = [codePoints(left as string), codePoints(right as string)];
  if (a.length * b.length > levenshteinPointsMax) {
    return invalid("The combined inputs for Levenshtein distance are too large");
  }
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, point] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      next.push(Math.min((row[j] as number) + (point === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return BigInt(row[b.length] as number);
};

export const translate: HostImplementation = ([text, from, to]) => {
  const [sources, targets] = [codePoints(from as string), codePoints(to as string)];
  const table = new Map<string, string>();
  sources.forEach((point, index) => {
    if (!table.has(point)) {
      table.set(point, targets[index] ?? "");
    }
  });
  return codePoints(text as string)
    .map((point) => table.get(point) ?? point)
    .join("");
};

export const concatWithSeparator: HostImplementation = ([separator, ...values]) =>
  separator === null ? null : values.filter((value) => value !== null).join(separator as string);

export const codepoint: HostImplementation = ([text]) => {
  const points = codePoints(text as string);
  return points.length === 1 ? ((points[0] as string).codePointAt(0) as number) : invalid(`Input string must be a single character string`);
};

export const chr: HostImplementation = ([point]) => {
  const value = point as bigint;
  const valid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value < 0xe000n);
  return valid ? String.fromCodePoint(Number(value)) : invalid(`Not a valid Unicode code point: ${value}`);
};
