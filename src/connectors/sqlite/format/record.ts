/** Records: a row as a list of typed values (https://www.sqlite.org/fileformat2.html, section 2.1). */
import { BadData } from "../../shared/file-errors.ts";
import type { TextEncoding } from "./database-header.ts";
import { type Rowid, signed, varint, varintEnd } from "./numbers.ts";
import { decodeText } from "./texts.ts";

/** Serial types of integers, by their bytes, and what else has a number of its own. */
const serialNull = 0;
export const serialReal = 7;
const serialZero = 8;
const serialOne = 9;
/** Even ones are BLOBs, odd ones texts. */
const serialBlob = 12;
const serialText = 13;
const sizes: readonly number[] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

export function serialSize(serial: number): number {
  return serial >= serialBlob ? Math.floor((serial - serialBlob) / 2) : (sizes[serial] ?? 0);
}

export function isText(serial: number): boolean {
  return serial >= serialText && serial % 2 === 1;
}

export function isBlob(serial: number): boolean {
  return serial >= serialBlob && serial % 2 === 0;
}

export function isInteger(serial: number): boolean {
  return (serial > serialNull && serial < serialReal) || serial === serialZero || serial === serialOne;
}

/** The value of an integer. */
export function integerAt(bytes: Uint8Array, at: number, serial: number): Rowid {
  return serial === serialZero ? 0 : serial === serialOne ? 1 : signed(bytes, at, sizes[serial] ?? 0);
}

export function realAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(at);
}

/** SQLite reads a NaN as NULL, whoever wrote it. */
export function isNull(bytes: Uint8Array, at: number, serial: number): boolean {
  return serial === serialNull || (serial === serialReal && Number.isNaN(realAt(bytes, at)));
}

/** The fields of a record, as far as they were asked for; reused from row to row. */
export class RecordFields {
  readonly serials: Float64Array;
  readonly offsets: Float64Array;
  /** Fields that the record has; later ones have their default values. */
  count = 0;

  constructor(fields: number) {
    this.serials = new Float64Array(fields);
    this.offsets = new Float64Array(fields);
  }

  /**
   * Finds the fields of a record of `size` bytes, of which those from `at` to `end` are there. Returns the offset behind the last field.
   * Throws BadData.
   */
  parse(bytes: Uint8Array, at: number, { size, end }: { readonly size: number; readonly end: number }): number {
    const headerSize = varint(bytes, at);
    let next = varintEnd(bytes, at);
    const headerEnd = at + headerSize;
    if (headerSize > size || headerEnd > end || next > headerEnd) {
      throw new BadData(`a record of ${size} bytes cannot have a header of ${headerSize}`);
    }
    let offset = headerEnd;
    this.count = 0;
    while (next < headerEnd && this.count < this.serials.length) {
      const serial = varint(bytes, next);
      next = varintEnd(bytes, next);
      if (serial === 10 || serial === 11 || next > headerEnd) {
        throw new BadData("the header of a record is damaged");
      }
      this.serials[this.count] = serial;
      this.offsets[this.count] = offset;
      this.count++;
      offset += serialSize(serial);
    }
    if (offset - at > size) {
      throw new BadData(`the values of a record have more than its ${size} bytes`);
    }
    return offset;
  }
}

export type StoredValue = null | Rowid | { readonly real: number } | string | Uint8Array;

/** The value of a field; NULL if the record does not have it. */
export function valueAt(fields: RecordFields, index: number, bytes: Uint8Array, encoding: TextEncoding): StoredValue {
  const [serial, at] = [fields.serials[index] ?? 0, fields.offsets[index] ?? 0];
  if (index >= fields.count || isNull(bytes, at, serial)) {
    return null;
  }
  if (serial === serialReal) {
    return { real: realAt(bytes, at) };
  }
  if (isInteger(serial)) {
    return integerAt(bytes, at, serial);
  }
  const end = at + serialSize(serial);
  return isText(serial) ? decodeText(bytes, at, { end, encoding }) : bytes.slice(at, end);
}
