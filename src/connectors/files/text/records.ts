/**
 * The common interface of csv.ts and json-lines.ts: records split into cells, in place.
 */
import type { Address } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";

/** Kind of a cell. */
export const cell = Object.freeze({
  /** No value: a JSON null, a missing key, an empty field. */
  none: 0,
  /** A CSV field without quotes. */
  bare: 1,
  /** Text between quotes. */
  quoted: 2,
  /** Text between quotes that needs `unescape`. */
  escaped: 3,
  /** A JSON number, true or false. */
  literal: 4,
  /** A JSON object or array, as written. */
  nested: 5,
});
export type CellKind = number;

/** DuckDB's names for errors in CSV files, and one for JSON. */
export type RejectKind =
  | "CAST"
  | "MISSING COLUMNS"
  | "TOO MANY COLUMNS"
  | "UNQUOTED VALUE"
  | "INVALID ENCODING"
  | "LINE SIZE OVER MAXIMUM"
  | "INVALID JSON";

/** A record that is not one of the table. */
export class BadRecord extends BadData {
  readonly kind: RejectKind;
  /** Address of the value, or of what is wrong. */
  readonly at: Address;
  /** Index of the field from 0, of a wrong value that of the column in its page; undefined if it is not one of the table, or not known. */
  readonly field: number | undefined;
  /** Address after the record; 0 if its end cannot be found, so that it ends with its line. */
  readonly behind: Address;

  constructor(
    message: string,
    place: { readonly kind: RejectKind; readonly at: Address; readonly field?: number; readonly behind?: Address },
  ) {
    super(message);
    this.kind = place.kind;
    this.at = place.at;
    this.field = place.field;
    this.behind = place.behind ?? 0;
  }
}

export interface RecordScanner {
  /**
   * Finds the cells of the record at `start`. Returns the address after the record, or 0 if it does not end before `end` and more may
   * follow. Throws BadData.
   */
  scan(start: Address, end: Address, isLast: boolean): Address;
  /** Address of the last record that was tried, if something may be before it. */
  readonly recordStart?: Address;
  /** False for a blank line. */
  readonly isRecord: boolean;
  /** Cells by slot (the index of a CSV field, the slot of a JSON key). */
  readonly kinds: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Number of slots that the record may have. */
  readonly slotCount: number;
  /** Removes the escapes of an escaped cell, in place; returns its new end. */
  unescape(start: Address, end: Address): Address;
}

/** Well-formed UTF-8: no overlong forms, no surrogates. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const lead = bytes[at++] as number;
    if (lead < 0x80) {
      continue;
    }
    const more = lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    if (more === 0 || at + more > end) {
      return false;
    }
    const second = bytes[at] as number;
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) {
      return false;
    }
    for (let index = 1; index < more; index++) {
      if (((bytes[at + index] as number) & 0xc0) !== 0x80) {
        return false;
      }
    }
    at += more;
  }
  return true;
}

/** Whether the bytes are those of a text. */
export function isText(bytes: Uint8Array, start: number, end: number, text: Uint8Array | undefined): boolean {
  if (text === undefined || text.length !== end - start) {
    return false;
  }
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text[index]) {
      return false;
    }
  }
  return true;
}
