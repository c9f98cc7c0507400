/**
 * The dialect of a CSV file: found by trying which delimiter and quote split its first records into the same number of fields.
 */
import type { LinearMemory } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import { type CsvDialect, CsvScanner, noQuote } from "./csv.ts";
import { cell } from "./records.ts";
import type { TextWindow } from "./window.ts";

/** What a user says of a file; the rest is found. Plain JSON, because it is part of handles. */
export interface TextOptions {
  /** One character; the quote may be empty for none. */
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly header?: boolean;
  /** Lines before the header. */
  readonly skip?: number;
  /** Text of NULL besides an empty field. */
  readonly nullText?: string;
  readonly ignoresErrors?: boolean;
}

const delimiters: readonly string[] = [",", ";", "\t", "|"];
const doubleQuote = '"';
const backslash = "\\";
/** Bytes and records that are tried. */
const triedBytesMax = 131_072;
const triedRecordsMax = 1000;

function codeOf(text: string): number {
  return text === "" ? noQuote : text.charCodeAt(0);
}

/** In order of preference. */
function candidates(isTabs: boolean, options: TextOptions): readonly CsvDialect[] {
  const separators = options.delimiter !== undefined ? [options.delimiter] : isTabs ? ["\t"] : delimiters;
  const quotes = options.quote !== undefined ? [options.quote] : [doubleQuote, "'", ""];
  return separators.flatMap((delimiter) =>
    quotes.flatMap((quote) =>
      (options.escape !== undefined ? [options.escape] : quote === "" ? [""] : [quote, backslash]).map((escape) => ({
        delimiter: codeOf(delimiter),
        quote: codeOf(quote),
        escape: quote === "" ? noQuote : codeOf(escape),
      })),
    ),
  );
}

interface Trial {
  readonly dialect: CsvDialect;
  readonly fields: number;
  /** Fields between quotes. */
  readonly quoted: number;
  readonly isConsistent: boolean;
}

function score({ fields, quoted, isConsistent }: Trial): readonly number[] {
  return [isConsistent ? 1 : 0, fields > 1 ? 1 : 0, quoted > 0 ? 1 : 0, fields, quoted];
}

function isBetter(a: Trial, b: Trial): boolean {
  const other = score(b);
  const difference = score(a).map((value, index) => value - (other[index] as number));
  return (difference.find((value) => value !== 0) ?? 0) > 0;
}

/**
 * The dialect of the text in the window: that in which all records have the same number of fields, quotes are used, and there are most
 * fields. If there is none, the first that splits the first record: its errors are those of the file.
 */
export function detectDialect(linear: LinearMemory, window: TextWindow, isTabs: boolean, options: TextOptions): CsvDialect {
  const end = Math.min(window.end, window.start + triedBytesMax);
  const isLast = window.isLast && end === window.end;
  const text = linear.u8.subarray(window.start, end);
  const all = candidates(isTabs, options);
  const used = all.filter(
    ({ delimiter, quote, escape }) =>
      (options.quote !== undefined || isPossible(text, quote)) &&
      (escape === quote || text.includes(escape)) &&
      (options.delimiter !== undefined || text.includes(delimiter)),
  );
  let best: Trial | undefined;
  for (const dialect of used) {
    const trial = tryDialect(linear, { start: window.start, end, isLast }, dialect);
    if (best === undefined || isBetter(trial, best)) {
      best = trial;
    }
  }
  return (
    (best?.isConsistent === true ? best.dialect : firstSplitting(linear, { start: window.start, end, isLast }, used)) ??
    (all[0] as CsvDialect)
  );
}

/** Double quotes may begin later; their absence, and other quotes, must be seen. */
function isPossible(text: Uint8Array, quote: number): boolean {
  const usual = codeOf(doubleQuote);
  return quote === usual || text.includes(quote === noQuote ? usual : quote);
}

interface TriedText {
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
}

function tryDialect(linear: LinearMemory, { start, end, isLast }: TriedText, dialect: CsvDialect): Trial {
  const scanner = new CsvScanner(linear, { dialect, fieldCount: 0 });
  let fields = 0;
  let quoted = 0;
  try {
    let at = start;
    for (let records = 0; at < end && records < triedRecordsMax; records++) {
      const behind = scanner.scan(at, end, isLast);
      if (behind === 0) {
        // A quote that is not closed within so much text is none.
        return { dialect, fields, quoted, isConsistent: fields > 0 };
      }
      at = behind;
      if (!scanner.isRecord) {
        continue;
      }
      fields ||= scanner.fieldCount;
      if (scanner.fieldCount !== fields) {
        return { dialect, fields, quoted, isConsistent: false };
      }
      for (let slot = 0; slot < fields; slot++) {
        quoted += scanner.kinds[slot] === cell.quoted || scanner.kinds[slot] === cell.escaped ? 1 : 0;
        // A quote at the beginning of a field is meant as one.
        if (dialect.quote === noQuote && linear.u8[scanner.starts[slot] as number] === codeOf(doubleQuote)) {
          return { dialect, fields, quoted, isConsistent: false };
        }
      }
    }
    return { dialect, fields, quoted, isConsistent: fields > 0 };
  } catch (error) {
    if (error instanceof BadData) {
      return { dialect, fields, quoted, isConsistent: false };
    }
    throw error;
  }
}

/** Only the first record must be well-formed. */
function firstSplitting(linear: LinearMemory, text: TriedText, dialects: readonly CsvDialect[]): CsvDialect | undefined {
  return dialects.find((dialect) => tryDialect(linear, text, dialect).fields > 1) ?? dialects[0];
}
