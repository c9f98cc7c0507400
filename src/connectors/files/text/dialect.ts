/**
 * The dialect of a CSV file: found by trying which delimiter and quote split its first records into the same number of fields.
 */
import type { Address, LinearMemory } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import { type CsvDialect, CsvScanner, lineEndOf, noQuote } from "./csv.ts";
import { kindOfText, seen } from "./inference.ts";
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
const newline = 0x0a;
const carriageReturn = 0x0d;
const comment = 0x23;
/** Lines before the header that are taken for a title. */
const titleLinesMax = 100;
/** Records, with the header, that must follow a title. */
const titledRecords = 2;
/** Bytes and records that are tried. */
const triedBytesMax = 131_072;
const triedRecordsMax = 1000;

function codeOf(text: string): number {
  return text === "" ? noQuote : text.charCodeAt(0);
}

/** In order of preference. */
function candidates(isTabs: boolean, options: TextOptions, lines: Pick<CsvDialect, "hasReturns">): readonly CsvDialect[] {
  const separators = options.delimiter !== undefined ? [options.delimiter] : isTabs ? ["\t"] : delimiters;
  const quotes = options.quote !== undefined ? [options.quote] : [doubleQuote, "'", ""];
  return separators.flatMap((delimiter) =>
    quotes.flatMap((quote) =>
      (options.escape !== undefined ? [options.escape] : quote === "" ? [""] : [quote, backslash]).map((escape) => ({
        delimiter: codeOf(delimiter),
        quote: codeOf(quote),
        escape: quote === "" ? noQuote : codeOf(escape),
        ...lines,
      })),
    ),
  );
}

interface Trial {
  readonly dialect: CsvDialect;
  readonly fields: number;
  /** Fields between quotes. */
  readonly quoted: number;
  readonly records: number;
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

export interface FoundDialect {
  readonly dialect: CsvDialect;
  /** Of the first record, or a blank line. */
  readonly start: Address;
}

/** Lines end with \r alone where no \n is in so much text. */
export function lineEndsOf(u8: Uint8Array): Pick<CsvDialect, "hasReturns"> {
  return u8.includes(carriageReturn) && !u8.includes(newline) ? { hasReturns: true } : {};
}

/**
 * The dialect of the text in the window: that in which all records have the same number of fields, quotes are used, and there are most
 * fields. Lines of a title or of comments may come before them. If there is none, the first that splits the first record: its errors are
 * those of the file.
 */
export function detectDialect(linear: LinearMemory, window: TextWindow, isTabs: boolean, options: TextOptions): FoundDialect {
  const end = Math.min(window.end, window.start + triedBytesMax);
  const isLast = window.isLast && end === window.end;
  const text = linear.u8.subarray(window.start, end);
  const all = candidates(isTabs, options, lineEndsOf(text));
  const used = all.filter(
    ({ delimiter, quote, escape }) =>
      (options.quote !== undefined || isPossible(text, quote)) &&
      (escape === quote || text.includes(escape)) &&
      (options.delimiter !== undefined || text.includes(delimiter)),
  );
  const whole = { start: window.start, end, isLast };
  const best = bestOf(used.map((dialect) => tryDialect(linear, whole, dialect)));
  if (best?.isConsistent === true) {
    return { dialect: best.dialect, start: window.start };
  }
  return (
    (options.skip === undefined ? titled(linear, whole, used) : undefined) ?? {
      dialect: firstSplitting(linear, whole, used) ?? (all[0] as CsvDialect),
      start: window.start,
    }
  );
}

function bestOf<T extends Trial>(trials: readonly T[]): T | undefined {
  return trials.reduce<T | undefined>((best, trial) => (best === undefined || isBetter(trial, best) ? trial : best), undefined);
}

/** Records of several fields after a title; undefined if no dialect splits them all alike. */
function titled(linear: LinearMemory, text: TriedText, dialects: readonly CsvDialect[]): FoundDialect | undefined {
  const trials = dialects.flatMap((dialect) => {
    const { start, isMarked } = titleEnd(linear, text, dialect);
    const trial = start === text.start ? undefined : tryDialect(linear, { ...text, start }, dialect);
    const isTable = trial?.isConsistent === true && trial.fields > 1 && trial.records >= titledRecords;
    return isTable && (isMarked || beginsWithHeader(linear, { ...text, start }, dialect)) ? [{ ...trial, start }] : [];
  });
  return bestOf(trials);
}

/**
 * Behind the lines that have no delimiter, or begin with `#`. They are marked as a title if the last one is a comment or blank; the name of
 * a single column is not.
 */
function titleEnd(linear: LinearMemory, { start, end }: TriedText, dialect: CsvDialect): { start: Address; isMarked: boolean } {
  const { delimiter } = dialect;
  const lineEnd = lineEndOf(dialect);
  const { u8 } = linear;
  let at = start;
  let isMarked = false;
  for (let lines = 0; lines < titleLinesMax && at < end; lines++) {
    const line = u8.subarray(at, end);
    const length = line.indexOf(lineEnd);
    if (length < 0 || (line[0] !== comment && line.subarray(0, length).includes(delimiter))) {
      break;
    }
    isMarked = line[0] === comment || length === 0 || (length === 1 && line[0] === carriageReturn);
    at += length + 1;
  }
  return { start: at, isMarked };
}

/** Whether the first record is text alone, and the second is not. */
function beginsWithHeader(linear: LinearMemory, { start, end, isLast }: TriedText, dialect: CsvDialect): boolean {
  const scanner = new CsvScanner(linear, { dialect, fieldCount: 0 });
  const records: (readonly boolean[])[] = [];
  for (let at = start; at < end && records.length < titledRecords; ) {
    const behind = scanner.scan(at, end, isLast);
    if (behind === 0) {
      break;
    }
    at = behind;
    if (scanner.isRecord) {
      const slots = [...scanner.kinds.subarray(0, scanner.fieldCount).keys()];
      records.push(slots.map((slot) => kindOfText(linear.u8, scanner.starts[slot] as number, scanner.ends[slot] as number) === seen.text));
    }
  }
  const [header, first] = records;
  return header?.every(Boolean) === true && first?.includes(false) === true;
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
  let records = 0;
  const trial = (isConsistent: boolean): Trial => ({ dialect, fields, quoted, records, isConsistent });
  try {
    let at = start;
    for (let tried = 0; at < end && tried < triedRecordsMax; tried++) {
      const behind = scanner.scan(at, end, isLast);
      if (behind === 0) {
        // A quote that is not closed within so much text is none.
        return trial(fields > 0);
      }
      at = behind;
      if (!scanner.isRecord) {
        continue;
      }
      records++;
      fields ||= scanner.fieldCount;
      if (scanner.fieldCount !== fields) {
        return trial(false);
      }
      for (let slot = 0; slot < fields; slot++) {
        quoted += scanner.kinds[slot] === cell.quoted || scanner.kinds[slot] === cell.escaped ? 1 : 0;
        // A quote at the beginning of a field is meant as one.
        if (dialect.quote === noQuote && linear.u8[scanner.starts[slot] as number] === codeOf(doubleQuote)) {
          return trial(false);
        }
      }
    }
    return trial(fields > 0);
  } catch (error) {
    if (error instanceof BadData) {
      return trial(false);
    }
    throw error;
  }
}

/** Only the first record must be well-formed. */
function firstSplitting(linear: LinearMemory, text: TriedText, dialects: readonly CsvDialect[]): CsvDialect | undefined {
  return dialects.find((dialect) => tryDialect(linear, text, dialect).fields > 1) ?? dialects[0];
}
