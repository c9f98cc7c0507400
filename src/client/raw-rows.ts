/**
 * The rows of a results document as its server wrote them: who passes rows on changes nothing in them, and does not pay for reading them.
 */
import { decodeUtf8 } from "../types/utf8.ts";

export interface RawRows {
  /** JSON arrays, separated by commas, without the outer brackets. */
  readonly rows: Uint8Array;
  readonly rowCount: number;
  /** Position of the last row. */
  readonly lastRowAt: number;
}

/** The rows at the start of others, and the bytes behind the comma that follows them. */
export interface DividedRows {
  readonly rows: Uint8Array;
  readonly rowCount: number;
  readonly rest: Uint8Array;
}

export interface DividedDocument {
  /** The document with `null` in the place of the rows. */
  readonly text: string;
  /** Undefined if the document has no rows. */
  readonly data: RawRows | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Divides a document at its member `data`. Undefined if the brackets of the document do not match or its data is no array of arrays; the
 * cells themselves are not checked.
 */
export function divideDocument(body: Uint8Array): DividedDocument | undefined {
  const found = dataIn(body);
  if (found === undefined) {
    return undefined;
  }
  const { start, end, lastRowAt, rowCount } = found;
  if (start === end) {
    return { text: decodeUtf8(body), data: undefined };
  }
  const text = `${decodeUtf8(body.subarray(0, start))}null${decodeUtf8(body.subarray(end))}`;
  return {
    text,
    data: rowCount === 0 ? undefined : { rows: body.subarray(start + 1, end - 1), rowCount, lastRowAt: lastRowAt - start - 1 },
  };
}

/** Takes whole rows until at least so many bytes, or so many rows, are taken. The brackets of the rows match. */
export function divideRows(rows: Uint8Array, until: { readonly bytes?: number; readonly rowCount?: number }): DividedRows {
  const { bytes = rows.length, rowCount: rowsMax = rows.length } = until;
  let depth = 0;
  let rowCount = 0;
  for (let at = 0; at < rows.length; at++) {
    const byte = rows[at];
    if (byte === quote) {
      at = endOfString(rows, at) ?? rows.length;
    } else if (byte === openBracket || byte === openBrace) {
      depth++;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth--;
      rowCount += depth === 0 ? 1 : 0;
    } else if (byte === comma && depth === 0 && (at >= bytes || rowCount >= rowsMax)) {
      return { rows: rows.subarray(0, at), rowCount, rest: rows.subarray(at + 1) };
    }
  }
  return { rows, rowCount, rest: rows.subarray(rows.length) };
}

interface DataPlace {
  /** Equal to `end` if the document has no data. */
  readonly start: number;
  readonly end: number;
  readonly rowCount: number;
  readonly lastRowAt: number;
}

function dataIn(body: Uint8Array): DataPlace | undefined {
  const closers: number[] = [];
  let place: DataPlace = { start: 0, end: 0, rowCount: 0, lastRowAt: 0 };
  /** Start of the data while the walk is inside of it. */
  let start = -1;
  let rowCount = 0;
  let lastRowAt = 0;
  let key = "";
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case quote: {
        const end = endOfString(body, at);
        if (end === undefined) {
          return undefined;
        }
        // Only the names of members of the document itself count, and no cell of the first level stands in the data.
        key = closers.length === 1 && start < 0 ? decodeUtf8(body.subarray(at + 1, end)) : "";
        at = end;
        break;
      }
      case colon:
        if (closers.length === 1 && key === "data") {
          const first = afterSpace(body, at + 1);
          if (body[first] === openBracket) {
            start = first;
            rowCount = 0;
          } else if (body[first] === openBrace) {
            return undefined;
          }
        }
        break;
      case openBrace:
        closers.push(closeBrace);
        break;
      case openBracket:
        closers.push(closeBracket);
        if (start >= 0 && closers.length === 3) {
          rowCount++;
          lastRowAt = at;
        }
        break;
      case closeBrace:
      case closeBracket:
        if (closers.pop() !== body[at]) {
          return undefined;
        }
        if (start >= 0 && closers.length === 1) {
          place = { start, end: at + 1, rowCount, lastRowAt };
          start = -1;
        }
        break;
    }
    if (start >= 0 && closers.length === 2 && !isBetweenRows(body[at] as number) && at !== start) {
      return undefined;
    }
  }
  return closers.length === 0 && start < 0 ? place : undefined;
}

/** Of the bytes outside of all rows, after the opening bracket of the data: the end of a row, a comma, white space. */
function isBetweenRows(byte: number): boolean {
  return byte === closeBracket || byte === comma || isSpace(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function afterSpace(body: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(body[at])) {
    at++;
  }
  return at;
}

/** Position of the closing quote. */
function endOfString(body: Uint8Array, from: number): number | undefined {
  for (let at = body.indexOf(quote, from + 1); at >= 0; at = body.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (body[at - 1 - escapes] === backslash) {
      escapes++;
    }
    if (escapes % 2 === 0) {
      return at;
    }
  }
  return undefined;
}
