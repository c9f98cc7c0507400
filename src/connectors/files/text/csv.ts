/**
 * Records of a CSV file (RFC 4180): fields between delimiters. A field with delimiters, line ends or quotes is between quotes, and its
 * quotes are doubled or escaped; spaces around the quotes are no part of it. A line ends with \n or \r\n, or, where a file has no \n,
 * with \r.
 */
import type { LinearMemory, Address } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import { BadRecord, cell, isUtf8, type RecordScanner } from "./records.ts";

const space = 0x20;
const newline = 0x0a;
const carriageReturn = 0x0d;
const fieldsMax = 10_000;

/** No byte: a dialect without quotes. */
export const noQuote = 256;

/** Codes of ASCII characters. Plain JSON, because it is part of splits. */
export interface CsvDialect {
  readonly delimiter: number;
  readonly quote: number;
  /** The quote itself where quotes are doubled. */
  readonly escape: number;
  /** True if lines end with \r alone, as in files of old Macs. */
  readonly hasReturns?: true;
}

/** The last byte of a line. */
export function lineEndOf(dialect: Pick<CsvDialect, "hasReturns"> | undefined): number {
  return dialect?.hasReturns === true ? carriageReturn : newline;
}

export class CsvScanner implements RecordScanner {
  readonly kinds: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  isRecord = false;
  /** Number of fields of the last record. */
  fieldCount = 0;
  readonly #linear: LinearMemory;
  /** Memory view of the current call. */
  #u8: Uint8Array;
  readonly #dialect: CsvDialect;
  readonly #lineEnd: number;
  /** 0: any number of fields. */
  readonly #fieldsExpected: number;

  constructor(linear: LinearMemory, options: { readonly dialect: CsvDialect; readonly fieldCount: number }) {
    this.#linear = linear;
    this.#u8 = linear.u8;
    this.#dialect = options.dialect;
    this.#lineEnd = lineEndOf(options.dialect);
    this.#fieldsExpected = options.fieldCount;
    const slots = options.fieldCount === 0 ? fieldsMax : options.fieldCount;
    this.kinds = new Uint8Array(slots);
    this.starts = new Uint32Array(slots);
    this.ends = new Uint32Array(slots);
  }

  get slotCount(): number {
    return this.fieldCount;
  }

  scan(start: Address, end: Address, isLast: boolean): Address {
    const { u8 } = this.#linear;
    this.#u8 = u8;
    const { delimiter, quote } = this.#dialect;
    const lineEnd = this.#lineEnd;
    const slots = this.kinds.length;
    let field = 0;
    let at = start;
    let bits = 0;
    for (;;) {
      const first = at;
      let kind: number = cell.bare;
      let fieldStart = at;
      let fieldEnd: number;
      const open = at < end && u8[at] === space ? behindSpaces(u8, at, end) : at;
      if (open < end && u8[open] === quote) {
        const close = this.#closingQuote(open + 1, end);
        if (close < 0) {
          return isLast ? unquoted("a quoted field is not closed", first, field) : 0;
        }
        kind = this.#sawEscape ? cell.escaped : cell.quoted;
        bits |= this.#sawBits;
        fieldStart = open + 1;
        fieldEnd = close;
        at = behindSpaces(u8, close + 1, end);
        // A carriage return belongs to the line end only before a newline.
        if (at < end && u8[at] === carriageReturn && (at + 1 < end ? u8[at + 1] === newline : true)) {
          at++;
        }
        if (at < end && u8[at] !== delimiter && u8[at] !== lineEnd) {
          unquoted("a quoted field is followed by more text", first, field);
        }
      } else {
        let byte = 0;
        while (at < end) {
          byte = u8[at] as number;
          if (byte === delimiter || byte === lineEnd) {
            break;
          }
          if (byte === quote) {
            unquoted("a field that does not begin with a quote has one inside", first, field);
          }
          bits |= byte;
          at++;
        }
        fieldEnd = at;
        if (at < end && byte === newline && at > first && u8[at - 1] === carriageReturn) {
          fieldEnd--;
        } else if (at === end && isLast && at > first && u8[at - 1] === carriageReturn) {
          fieldEnd--;
        }
        if (fieldEnd === fieldStart) {
          kind = cell.none;
        }
      }
      if (at >= end && !isLast) {
        return 0;
      }
      if (field < slots) {
        this.kinds[field] = kind;
        this.starts[field] = fieldStart;
        this.ends[field] = fieldEnd;
      } else if (field === slots) {
        this.#firstExtra = first;
      }
      field++;
      if (at >= end || u8[at] === lineEnd) {
        break;
      }
      at++;
    }
    this.#end(field, bits >= 0x80, start, at);
    return Math.min(at + 1, end);
  }

  unescape(start: Address, end: Address): Address {
    this.#u8 = this.#linear.u8;
    const u8 = this.#u8;
    const { escape } = this.#dialect;
    let to = start;
    for (let at = start; at < end; at++) {
      if (u8[at] === escape && at + 1 < end) {
        at++;
      }
      u8[to++] = u8[at] as number;
    }
    return to;
  }

  /** Address of the first field that has no slot. */
  #firstExtra: Address = 0;
  #sawEscape = false;
  #sawBits = 0;

  /** -1 if there is none. */
  #closingQuote(start: Address, end: Address): Address {
    const u8 = this.#u8;
    const { quote, escape } = this.#dialect;
    this.#sawEscape = false;
    let bits = 0;
    for (let at = start; at < end; at++) {
      const byte = u8[at] as number;
      bits |= byte;
      if (byte === escape && escape !== quote) {
        this.#sawEscape = true;
        at++;
        bits |= at < end ? (u8[at] as number) : 0;
      } else if (byte === quote) {
        if (at + 1 < end && u8[at + 1] === quote) {
          this.#sawEscape = true;
          at++;
        } else {
          this.#sawBits = bits;
          return at;
        }
      }
    }
    return -1;
  }

  #end(fields: number, hasHighBits: boolean, start: Address, end: Address): void {
    this.fieldCount = fields;
    const isBlank = fields === 1 && this.kinds[0] === cell.none;
    this.isRecord = !isBlank || this.#fieldsExpected === 1;
    if (!this.isRecord) {
      return;
    }
    const expected = this.#fieldsExpected;
    const behind = end + 1;
    if (expected > 0 && fields !== expected) {
      throw new BadRecord(`expected ${expected} ${expected === 1 ? "field" : "fields"}, found ${fields}`, {
        ...(fields < expected
          ? { kind: "MISSING COLUMNS", at: end, field: fields }
          : // The delimiter before the first field too many.
            { kind: "TOO MANY COLUMNS", at: this.#firstExtra - 1, field: expected }),
        behind,
      });
    }
    if (fields > fieldsMax) {
      throw new BadData(`more than ${fieldsMax} fields`);
    }
    if (hasHighBits && !isUtf8(this.#u8, start, end)) {
      const field = this.#firstNotUtf8(fields);
      throw new BadRecord("the text is not UTF-8", {
        kind: "INVALID ENCODING",
        at: this.starts[field] ?? start,
        field,
        behind,
      });
    }
  }

  #firstNotUtf8(fields: number): number {
    let field = 0;
    while (field < fields - 1 && isUtf8(this.#u8, this.starts[field] as number, this.ends[field] as number)) {
      field++;
    }
    return field;
  }
}

function behindSpaces(u8: Uint8Array, start: Address, end: Address): Address {
  let at = start;
  while (at < end && u8[at] === space) {
    at++;
  }
  return at;
}

function unquoted(message: string, at: Address, field: number): never {
  throw new BadRecord(message, { kind: "UNQUOTED VALUE", at, field });
}
