/**
 * Records of a JSON file: one object per line, or objects one after the other, also in an array (RFC 8259). Keys are matched to slots
 * without regard to case. If a key occurs twice, the last one wins. A record may be null. Records of other values have one slot.
 */
import type { LinearMemory, Address } from "../../../memory/memory.ts";
import { decodeUtf8, encodeUtf8Into } from "../../../types/utf8.ts";
import { BadData } from "../../shared/file-errors.ts";
import { BadRecord, cell, isUtf8, type RecordScanner } from "./records.ts";

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
const depthMax = 500;
const keysMax = 10_000;
/** Keys that are compared byte by byte; the others are found by their names. */
const searchedMax = 64;

const escapes: Readonly<Record<number, number>> = Object.freeze({
  0x22: 0x22,
  0x5c: 0x5c,
  0x2f: 0x2f,
  0x62: 0x08,
  0x66: 0x0c,
  0x6e: 0x0a,
  0x72: 0x0d,
  0x74: 0x09,
});

export interface JsonLinesOptions {
  readonly keys: readonly string[];
  /** True if new keys get slots; otherwise they are ignored. */
  readonly collect: boolean;
  /** Objects may take several lines, and may be in an array. */
  readonly isFree: boolean;
  /** Records are values of any type, in slot 0. */
  readonly isPlain?: boolean;
  /** A key without escapes in a form that it did not have before, and its slot or -1. */
  readonly onKey?: (written: Uint8Array, slot: number) => void;
}

/** Another value stands where an object was expected. */
export class NoObject extends BadData {}

export class JsonLinesScanner implements RecordScanner {
  kinds = new Uint8Array(64);
  starts = new Uint32Array(64);
  ends = new Uint32Array(64);
  isRecord = false;
  /** Lower-case keys in the order of their slots. */
  readonly keys: string[];
  readonly #linear: LinearMemory;
  /** Memory view of the current call. */
  #u8: Uint8Array;
  readonly #slots = new Map<string, number>();
  /** Bytes of each key as last read, to find its slot without making a string. */
  readonly #written: (Uint8Array | undefined)[] = [];
  readonly #collect: boolean;
  readonly #isFree: boolean;
  readonly #isPlain: boolean;
  readonly #onKey: ((written: Uint8Array, slot: number) => void) | undefined;
  #start: Address = 0;
  #end: Address = 0;
  /** Address of the last record that was tried. */
  recordStart: Address = 0;
  #lastStringEscaped = false;
  #bits = 0;

  constructor(linear: LinearMemory, options: JsonLinesOptions) {
    this.#isFree = options.isFree;
    this.#isPlain = options.isPlain ?? false;
    this.#onKey = options.onKey;
    this.#linear = linear;
    this.#u8 = linear.u8;
    this.#collect = options.collect;
    this.keys = [];
    for (const key of options.keys) {
      this.#addKey(key);
    }
  }

  get slotCount(): number {
    return this.keys.length;
  }

  scan(start: Address, end: Address, isLast: boolean): Address {
    this.#start = start;
    this.recordStart = start;
    return this.#isFree ? this.#scanFree(start, end, isLast) : this.#scanLine(start, end, isLast);
  }

  /** What is before an object: a bracket of the array, or a comma after another object. */
  #scanFree(start: Address, end: Address, isLast: boolean): Address {
    const { u8 } = this.#linear;
    this.#u8 = u8;
    this.#end = end;
    this.kinds.fill(cell.none, 0, this.keys.length);
    let first = this.#skipSpace(start);
    if (first < end && (u8[first] === openBracket || u8[first] === comma || u8[first] === closeBracket)) {
      first = this.#skipSpace(first + 1);
    }
    if (first < end && u8[first] === closeBracket) {
      first = this.#skipSpace(first + 1);
    }
    this.recordStart = first;
    const behind = first < end && (this.#isPlain || isObjectOrNull(u8, first)) ? valueEnd(u8, first, end, isLast) : first;
    if (behind < 0 || (first === end && !isLast)) {
      if (isLast && behind < 0) {
        throw new BadData(this.#isPlain ? "a value is not closed" : "an object is not closed");
      }
      return 0;
    }
    this.isRecord = first < end;
    if (this.isRecord) {
      this.#end = behind === first ? end : behind;
      this.#readRecord(first, "expected a JSON object");
    }
    return behind;
  }

  #scanLine(start: Address, end: Address, isLast: boolean): Address {
    const { u8 } = this.#linear;
    this.#u8 = u8;
    const length = u8.subarray(start, end).indexOf(newline);
    if (length < 0 && !isLast) {
      return 0;
    }
    this.#end = length < 0 ? end : start + length;
    this.kinds.fill(cell.none, 0, this.keys.length);
    const first = this.#skipSpace(start);
    this.isRecord = first < this.#end;
    if (this.isRecord) {
      this.#readRecord(first, "expected one JSON object a line");
    }
    return Math.min(this.#end + 1, end);
  }

  /** The object from `first` to `#end`. */
  #readRecord(first: Address, expected: string): void {
    this.#bits = 0;
    if (!this.#isPlain && !isObjectOrNull(this.#u8, first)) {
      throw beginsPlain(this.#u8, first) ? new NoObject(expected) : new BadData(expected);
    }
    const isObject = !this.#isPlain && this.#u8[first] === openBrace;
    const behind = isObject ? this.#object(first) : this.#member(first, this.#isPlain ? 0 : -1);
    if (this.#skipSpace(behind) < this.#end) {
      throw new BadData(`the ${isObject ? "object" : "value"} is followed by more text`);
    }
    if (this.#bits >= 0x80 && !isUtf8(this.#u8, first, behind)) {
      throw new BadRecord("the text is not UTF-8", { kind: "INVALID ENCODING", at: first });
    }
  }

  unescape(start: Address, end: Address): Address {
    this.#u8 = this.#linear.u8;
    const u8 = this.#u8;
    let to = start;
    for (let at = start; at < end; ) {
      const byte = u8[at] as number;
      if (byte !== backslash) {
        u8[to++] = byte;
        at++;
        continue;
      }
      const kind = u8[at + 1] as number;
      if (kind !== 0x75) {
        u8[to++] = escapes[kind] as number;
        at += 2;
        continue;
      }
      let text = String.fromCharCode(this.#hex(at + 2));
      at += 6;
      const isHigh = text >= "\ud800" && text < "\udc00";
      if (isHigh && u8[at] === backslash && u8[at + 1] === 0x75 && at + 6 <= end) {
        const next = this.#hex(at + 2);
        if (next >= 0xdc00 && next < 0xe000) {
          text += String.fromCharCode(next);
          at += 6;
        }
      }
      to = encodeUtf8Into(text, u8, to);
    }
    return to;
  }

  #hex(at: Address): number {
    let value = 0;
    for (let index = at; index < at + 4; index++) {
      const byte = this.#u8[index] as number;
      const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66 ? (byte | 0x20) - 0x57 : -1;
      if (digit < 0) {
        throw new BadData("a \\u escape is not followed by four hexadecimal digits");
      }
      value = value * 16 + digit;
    }
    return value;
  }

  #object(start: Address): Address {
    const u8 = this.#u8;
    let at = this.#skipSpace(start + 1);
    if (u8[at] === closeBrace && at < this.#end) {
      return at + 1;
    }
    for (let expected = 0; ; expected++) {
      const keyStart = at;
      at = this.#string(at);
      const slot = this.#slotOf({ start: keyStart + 1, end: at - 1, expected, escaped: this.#lastStringEscaped });
      if (slot >= 0) {
        expected = slot;
      }
      at = this.#skipSpace(this.#expect(this.#skipSpace(at), colon, "':'"));
      at = this.#skipSpace(this.#member(at, slot));
      if (at < this.#end && u8[at] === closeBrace) {
        return at + 1;
      }
      at = this.#skipSpace(this.#expect(at, comma, "',' or '}'"));
    }
  }

  /** Reads a value of the record itself into its slot, or skips it if the slot is -1. */
  #member(start: Address, slot: number): Address {
    const first = start < this.#end ? (this.#u8[start] as number) : 0;
    let kind: number = cell.literal;
    const behind = this.#value(start, 1);
    let from = start;
    let to = behind;
    if (first === quote) {
      kind = this.#lastStringEscaped ? cell.escaped : cell.quoted;
      from++;
      to--;
    } else if (first === openBrace || first === openBracket) {
      kind = cell.nested;
    } else if (first === 0x6e) {
      kind = cell.none;
    }
    if (slot >= 0) {
      this.kinds[slot] = kind;
      this.starts[slot] = from;
      this.ends[slot] = to;
    }
    return behind;
  }

  #value(at: Address, depth: number): Address {
    switch (at < this.#end ? this.#u8[at] : 0) {
      case quote:
        return this.#string(at);
      case openBrace:
      case openBracket:
        return this.#nested(at, depth);
      case 0x74:
        return this.#word(at, "true");
      case 0x66:
        return this.#word(at, "false");
      case 0x6e:
        return this.#word(at, "null");
      default:
        return this.#number(at);
    }
  }

  #nested(start: Address, depth: number): Address {
    if (depth > depthMax) {
      throw new BadData(`a value is nested deeper than ${depthMax}`);
    }
    const isObject = this.#u8[start] === openBrace;
    const close = isObject ? closeBrace : closeBracket;
    let at = this.#skipSpace(start + 1);
    if (at < this.#end && this.#u8[at] === close) {
      return at + 1;
    }
    for (;;) {
      if (isObject) {
        at = this.#skipSpace(this.#expect(this.#skipSpace(this.#string(at)), colon, "':'"));
      }
      at = this.#skipSpace(this.#value(at, depth + 1));
      if (at < this.#end && this.#u8[at] === close) {
        return at + 1;
      }
      at = this.#skipSpace(this.#expect(at, comma, isObject ? "',' or '}'" : "',' or ']'"));
    }
  }

  #string(start: Address): Address {
    const u8 = this.#u8;
    const end = this.#end;
    let at = this.#expect(start, quote, "'\"'");
    let bits = 0;
    this.#lastStringEscaped = false;
    for (; at < end; at++) {
      const byte = u8[at] as number;
      if (byte === quote) {
        this.#bits |= bits;
        return at + 1;
      }
      if (byte < 0x20) {
        throw new BadData("a string holds a control character");
      }
      if (byte === backslash) {
        this.#lastStringEscaped = true;
        at++;
        if (at < end && u8[at] === 0x75) {
          this.#hex(at + 1);
          at += 4;
        } else if (at < end && escapes[u8[at] as number] === undefined) {
          throw new BadData("a string holds an unknown escape");
        }
      }
      bits |= byte;
    }
    throw new BadData("a string is not closed");
  }

  #number(start: Address): Address {
    let at = start + (this.#byte(start) === 0x2d ? 1 : 0);
    const first = this.#byte(at);
    const digits = this.#digits(at);
    if (digits === at || (first === 0x30 && digits > at + 1)) {
      throw new BadData("a value is no JSON");
    }
    at = digits;
    if (this.#byte(at) === 0x2e) {
      const fraction = this.#digits(at + 1);
      if (fraction === at + 1) {
        throw new BadData("a number is no JSON");
      }
      at = fraction;
    }
    if ((this.#byte(at) | 0x20) === 0x65) {
      const sign = this.#byte(at + 1);
      const exponent = at + (sign === 0x2b || sign === 0x2d ? 2 : 1);
      at = this.#digits(exponent);
      if (at === exponent) {
        throw new BadData("a number is no JSON");
      }
    }
    return at;
  }

  #digits(start: Address): Address {
    let at = start;
    for (let byte = this.#byte(at); byte >= 0x30 && byte <= 0x39; byte = this.#byte(at)) {
      at++;
    }
    return at;
  }

  #byte(at: Address): number {
    return at < this.#end ? (this.#u8[at] as number) : 0;
  }

  #word(at: Address, word: string): Address {
    for (let index = 0; index < word.length; index++) {
      if (this.#byte(at + index) !== word.charCodeAt(index)) {
        throw new BadData("a value is no JSON");
      }
    }
    return at + word.length;
  }

  #expect(at: Address, byte: number, name: string): Address {
    if (at >= this.#end || this.#u8[at] !== byte) {
      throw new BadData(`expected ${name} at character ${at - this.#lineStart(at) + 1}`);
    }
    return at + 1;
  }

  #lineStart(at: Address): Address {
    let start = at;
    while (start > this.#start && this.#u8[start - 1] !== newline) {
      start--;
    }
    return start;
  }

  #skipSpace(start: Address): Address {
    const u8 = this.#u8;
    let at = start;
    while (at < this.#end) {
      const byte = u8[at];
      // Within a line there is no line end.
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== newline) {
        break;
      }
      at++;
    }
    return at;
  }

  #slotOf(key: { readonly start: Address; readonly end: Address; readonly expected: number; readonly escaped: boolean }): number {
    if (this.#isWritten(key.expected, key.start, key.end)) {
      return key.expected;
    }
    const near = Math.min(this.#written.length, searchedMax);
    for (let slot = 0; slot < near; slot++) {
      if (this.#isWritten(slot, key.start, key.end)) {
        return slot;
      }
    }
    const bytes = this.#u8.slice(key.start, key.end);
    const text = key.escaped ? (JSON.parse(`"${decodeUtf8(bytes)}"`) as string) : decodeUtf8(bytes);
    const name = text.toLowerCase();
    const slot = this.#slots.get(name) ?? (this.#collect ? this.#addKey(name) : -1);
    if (slot >= near && this.#isWritten(slot, key.start, key.end)) {
      return slot;
    }
    if (slot >= 0) {
      this.#written[slot] = bytes;
    }
    if (!key.escaped) {
      this.#onKey?.(bytes, slot);
    }
    return slot;
  }

  #isWritten(slot: number, start: Address, end: Address): boolean {
    const written = this.#written[slot];
    if (written === undefined || written.length !== end - start) {
      return false;
    }
    const u8 = this.#u8;
    for (let index = 0; index < written.length; index++) {
      if (u8[start + index] !== written[index]) {
        return false;
      }
    }
    return true;
  }

  #addKey(key: string): number {
    const slot = this.keys.length;
    if (slot === keysMax) {
      throw new BadData(`more than ${keysMax} keys`);
    }
    this.keys.push(key);
    this.#slots.set(key, slot);
    this.#written.push(undefined);
    if (slot >= this.kinds.length) {
      this.kinds = grown(this.kinds, new Uint8Array(slot * 2));
      this.starts = grown(this.starts, new Uint32Array(slot * 2));
      this.ends = grown(this.ends, new Uint32Array(slot * 2));
    }
    return slot;
  }
}

function isObjectOrNull(u8: Uint8Array, at: Address): boolean {
  return u8[at] === openBrace || isNull(u8, at);
}

function isNull(u8: Uint8Array, at: Address): boolean {
  return u8[at] === 0x6e && u8[at + 1] === 0x75 && u8[at + 2] === 0x6c && u8[at + 3] === 0x6c;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline;
}

/** The address after the value that begins at `start`; -1 if it may go on after `end`. */
function valueEnd(u8: Uint8Array, start: Address, end: Address, isLast: boolean): Address {
  const first = u8[start];
  if (first === openBrace || first === openBracket || first === quote) {
    return closedEnd(u8, start, end);
  }
  let at = start;
  while (at < end && !isSpace(u8[at]) && u8[at] !== comma && u8[at] !== closeBracket) {
    at++;
  }
  return at === end && !isLast ? -1 : at;
}

/** Of an object, an array or a string. */
function closedEnd(u8: Uint8Array, start: Address, end: Address): Address {
  let depth = 0;
  let inString = false;
  for (let at = start; at < end; at++) {
    const byte = u8[at] as number;
    if (inString) {
      if (byte === backslash) {
        at++;
      } else if (byte === quote) {
        inString = false;
      }
    } else if (byte === quote) {
      inString = true;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
    }
    if (depth === 0 && !inString) {
      return at + 1;
    }
  }
  return -1;
}

/** The column of records that are no objects. */
export const plainColumn = "json";

export interface JsonForm {
  /** There is not one record a line: the text is one array, or its first object takes several lines. */
  readonly isFree: boolean;
  /** The first record that is not null is no object. */
  readonly isPlain: boolean;
}

/** Of the text at the beginning of a file. */
export function jsonFormOf(u8: Uint8Array, start: Address, end: Address): JsonForm {
  const first = behindSpace(u8, start, end);
  if (u8[first] === openBracket && first < end) {
    const behind = closedEnd(u8, first, end);
    const isOne = behind < 0 || behindSpace(u8, behind, end) === end;
    return isOne ? { isFree: true, isPlain: isPlain(u8, first + 1, end) } : { isFree: false, isPlain: true };
  }
  const line = u8.subarray(first, end).indexOf(newline);
  const isObject = first < end && u8[first] === openBrace;
  const isFree = isObject && line >= 0 && closedEnd(u8, first, first + line) < 0 && closedEnd(u8, first, end) > 0;
  return { isFree, isPlain: !isObject && isPlain(u8, first, end) };
}

function isPlain(u8: Uint8Array, start: Address, end: Address): boolean {
  let at = behindSpace(u8, start, end);
  let nulls = 0;
  for (; isNull(u8, at) && at + 4 <= end; nulls++) {
    at = behindSpace(u8, at + 4, end);
    at = u8[at] === comma ? behindSpace(u8, at + 1, end) : at;
  }
  const isEnd = at >= end || u8[at] === closeBracket;
  return isEnd ? nulls > 0 : beginsPlain(u8, at);
}

/** Whether a value begins that is no object, and not NULL. */
function beginsPlain(u8: Uint8Array, at: Address): boolean {
  return /["[\-0-9tf]/.test(String.fromCharCode(u8[at] as number));
}

function behindSpace(u8: Uint8Array, start: Address, end: Address): Address {
  let at = start;
  while (at < end && isSpace(u8[at])) {
    at++;
  }
  return at;
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
