/**
 * Writes cells of a text file into the column of a page, from bytes to bytes. Strings stay where they were read; numbers are parsed into
 * the column.
 */
import type { LinearMemory, MemoryContext, Address } from "../../../memory/memory.ts";
import { Arena } from "../../../memory/arena.ts";
import type { NestedValue } from "../../../types/nested/nested-order.ts";
import { encodeNested, type NestedType } from "../../../types/nested/nested.ts";
import type { Column } from "../../../page/page.ts";
import { writeI128 } from "../../../page/reader.ts";
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import { assert } from "../../../protocol/errors.ts";
import {
  displayType,
  isNested,
  microsPrecision,
  physicalType,
  physicalWidth,
  shortDecimalPrecisionMax,
  type Type,
} from "../../../types/type.ts";
import { zonedMoment } from "../../../types/time/zones.ts";
import { BadData } from "../../shared/file-errors.ts";
import { documentText } from "../../shared/documents.ts";
import { trimEnd, trimStart } from "./inference.ts";
import { valuesKernel, type ValuesKernel } from "./kernels/values.ts";
import { fitsBigint, parseBoolean, parseDecimal, parseDouble, parseInteger } from "./literals.ts";
import { type DateOrder, parseDate, parseOrdered, type ParsedTimestamp, parseTime, parseTimestamp, parseZoned } from "./moments.ts";
import { jsonValue } from "./json-values.ts";
import { BadRecord, cell, type CellKind } from "./records.ts";

/** Maximum bytes of a value that an error message shows. */
const shownBytesMax = 100;
/** Maximum size of a nested value as text. Its values are objects of the platform for a moment. */
const nestedBytesMax = 8_388_608;
/** About what a byte of `[1,1]` takes then. */
const heldBytesPerByte = 20;
/** Below this number of seconds a double holds microseconds exactly. */
const exactSeconds = 9e9;

export class TextColumn {
  readonly #name: string;
  /** Of the column in its page. */
  readonly #index: number;
  readonly #type: Type;
  readonly #linear: LinearMemory;
  readonly #values: Address;
  readonly #nulls: Address;
  /** Order of dates; undefined for that of ISO 8601. */
  readonly #order: DateOrder | undefined;
  readonly #memory: MemoryContext;
  readonly #isJson: boolean;
  /** Of nested values and documents. */
  readonly #arena: Arena | undefined;
  /** The kernel that reads values; undefined if they are read one by one. */
  readonly reader: ValuesKernel | undefined;
  readonly isText: boolean;
  #hasNulls = false;

  constructor(options: {
    readonly name: string;
    readonly index: number;
    readonly type: Type;
    readonly memory: MemoryContext;
    /** Rows of a page, at most. */
    readonly rowsMax: number;
    readonly order?: DateOrder | undefined;
    /** The cells are values of JSON. */
    readonly isJson?: boolean;
  }) {
    const { name, type, memory } = options;
    this.#order = options.order;
    this.#memory = memory;
    this.#arena = isNested(type) || type.kind === "json" ? new Arena(memory) : undefined;
    this.#isJson = options.isJson ?? false;
    this.#name = name;
    this.#index = options.index;
    this.#type = type;
    this.isText = type.kind === "varchar";
    this.reader = options.order === undefined ? valuesKernel(type) : undefined;
    this.#linear = memory.linear;
    this.#values = memory.allocate(options.rowsMax * physicalWidth(physicalType(type)));
    this.#nulls = memory.allocateZeroed(options.rowsMax);
  }

  /** The escapes of a text cell must have been removed. */
  set(row: number, kind: CellKind, start: Address, end: Address): void {
    if (kind === cell.none) {
      return this.#setNull(row);
    }
    if (this.isText) {
      return this.#setReference(row, start, end);
    }
    if (this.#type.kind === "json") {
      return this.#setDocument(row, kind, start, end);
    }
    if (this.#arena !== undefined) {
      return this.#setNested(row, kind, start, end);
    }
    const from = trimStart(this.#linear.u8, start, end);
    const to = trimEnd(this.#linear.u8, from, end);
    if (from === to) {
      return this.#setNull(row);
    }
    if (!this.#parse(row, from, to)) {
      throw this.#wrongType(start, end);
    }
  }

  column(rows: number): Column {
    return { type: this.#type, values: this.#values, nulls: this.#hasNulls ? this.#nulls : 0, ids: 0, length: rows };
  }

  reset(rows: number): void {
    this.#arena?.reset();
    if (this.#hasNulls) {
      this.#linear.u8.fill(0, this.#nulls, this.#nulls + rows);
      this.#hasNulls = false;
    }
  }

  /** Takes back what was set in rows that are passed over. */
  clear(row: number, end: number): void {
    this.#linear.u8.fill(0, this.#nulls + row, this.#nulls + end);
  }

  /** Address of a value. */
  valueAt(row: number): Address {
    return this.#values + row * physicalWidth(physicalType(this.#type));
  }

  /** Address of the byte that says that a value is NULL. */
  nullAt(row: number): Address {
    return this.#nulls + row;
  }

  /** A kernel has written NULLs. */
  noteNulls(): void {
    this.#hasNulls = true;
  }

  #setNull(row: number): void {
    const width = physicalWidth(physicalType(this.#type));
    this.#linear.u8[this.#nulls + row] = 1;
    this.#linear.u8.fill(0, this.#values + row * width, this.#values + (row + 1) * width);
    this.#hasNulls = true;
  }

  #setNested(row: number, kind: CellKind, start: Address, end: Address): void {
    const { u8 } = this.#linear;
    const arena = this.#arena as Arena;
    if (end - start > nestedBytesMax) {
      throw this.#wrongValue(start, `a nested value is longer than ${nestedBytesMax} bytes`);
    }
    const heldBytes = (end - start) * heldBytesPerByte;
    this.#memory.reserve(heldBytes);
    try {
      if (kind !== cell.nested) {
        throw new BadData("it has another type");
      }
      // Decoding needs bytes that are not shared between threads.
      const value = jsonValue(this.#type, u8.slice(start, end), 0, end - start) as readonly NestedValue[];
      const bytes = encodeNested(this.#type as NestedType, value);
      const address = arena.allocate(Math.max(1, bytes.length));
      u8.set(bytes, address);
      this.#setReference(row, address, address + bytes.length);
    } catch (error) {
      throw error instanceof BadData ? this.#wrongType(start, end) : error;
    } finally {
      this.#memory.release(heldBytes);
    }
  }

  /** A text in quotes is a document of JSON; in other files it is the text of one. */
  #setDocument(row: number, kind: CellKind, start: Address, end: Address): void {
    const { u8 } = this.#linear;
    if (end - start > nestedBytesMax) {
      throw this.#wrongValue(start, `a document is longer than ${nestedBytesMax} bytes`);
    }
    const written = decodeUtf8(u8, start, end);
    const isText = this.#isJson && (kind === cell.quoted || kind === cell.escaped);
    const document = documentText(isText ? JSON.stringify(written) : written);
    if (document === undefined) {
      throw this.#wrongType(start, end);
    }
    if (document === written) {
      return this.#setReference(row, start, end);
    }
    const bytes = encodeUtf8(document);
    const address = (this.#arena as Arena).allocate(Math.max(1, bytes.length));
    u8.set(bytes, address);
    this.#setReference(row, address, address + bytes.length);
  }

  #wrongType(start: Address, end: Address): BadRecord {
    const shown = decodeUtf8(this.#linear.u8, start, Math.min(end, start + shownBytesMax));
    return this.#wrongValue(start, `'${shown}' is no ${displayType(this.#type)}`);
  }

  #wrongValue(at: Address, message: string): BadRecord {
    return new BadRecord(`column ${this.#name}: ${message}`, { kind: "CAST", at, field: this.#index });
  }

  #setReference(row: number, start: Address, end: Address): void {
    const reference = (this.#values >>> 2) + row * 2;
    this.#linear.u32[reference] = start;
    this.#linear.u32[reference + 1] = end - start;
  }

  #parse(row: number, start: Address, end: Address): boolean {
    const { u8, f64, f32, i32 } = this.#linear;
    switch (this.#type.kind) {
      case "bigint": {
        const value = parseInteger(u8, start, end);
        return value !== undefined && fitsBigint(value) && this.#setBigint(row, value);
      }
      case "double": {
        const value = parseDouble(u8, start, end);
        f64[(this.#values >>> 3) + row] = value ?? 0;
        return value !== undefined;
      }
      case "real": {
        const value = parseDouble(u8, start, end);
        f32[(this.#values >>> 2) + row] = value ?? 0;
        return value !== undefined;
      }
      case "boolean": {
        const value = parseBoolean(u8, start, end);
        u8[this.#values + row] = value === true ? 1 : 0;
        return value !== undefined;
      }
      case "date": {
        const days = this.#parseDays(start, end);
        i32[(this.#values >>> 2) + row] = days ?? 0;
        return days !== undefined;
      }
      case "tinyint":
      case "smallint":
      case "integer":
        return this.#parseSmall(row, start, end);
      case "decimal": {
        const value = parseDecimal(u8, start, end, this.#type);
        return value !== undefined && this.#setWide(row, value, this.#type.precision > shortDecimalPrecisionMax);
      }
      case "time": {
        const found = parseTime(u8, start, end);
        return isWithin(found, this.#type.precision) && this.#setBigint(row, BigInt(found.seconds * 1e6 + found.micros) * 1_000_000n);
      }
      case "timestamp":
        return this.#setMicros(row, this.#parseTimestamp(start, end), this.#type.precision);
      case "timestamp with time zone": {
        const found = parseZoned(u8, start, end);
        return isWithin(found, this.#type.precision) && this.#setWide(row, zonedMoment(microsOf(found), found.zone), true);
      }
      default:
        assert(false, `text files have no ${this.#type.kind}`);
    }
  }

  #parseDays(start: Address, end: Address): number | undefined {
    const { u8 } = this.#linear;
    if (this.#order === undefined) {
      return parseDate(u8, start, end);
    }
    const found = parseOrdered(u8, start, end, this.#order);
    return found === undefined || found.hasTime ? undefined : found.seconds / 86400;
  }

  #parseSmall(row: number, start: Address, end: Address): boolean {
    const { view, u8 } = this.#linear;
    const width = physicalWidth(physicalType(this.#type));
    const value = parseInteger(u8, start, end);
    const limit = 2 ** (8 * width - 1);
    if (typeof value !== "number" || value < -limit || value >= limit) {
      return false;
    }
    const at = this.#values + row * width;
    if (width === 1) {
      view.setInt8(at, value);
    } else if (width === 2) {
      view.setInt16(at, value, true);
    } else {
      view.setInt32(at, value, true);
    }
    return true;
  }

  #parseTimestamp(start: Address, end: Address): ParsedTimestamp | undefined {
    const { u8 } = this.#linear;
    if (this.#order !== undefined) {
      return parseOrdered(u8, start, end, this.#order);
    }
    const days = parseDate(u8, start, end);
    return days === undefined ? parseTimestamp(u8, start, end) : { seconds: days * 86400, micros: 0, precision: 0 };
  }

  #setMicros(row: number, found: ParsedTimestamp | undefined, precision: number): boolean {
    if (!isWithin(found, precision)) {
      return false;
    }
    const { seconds, micros } = found;
    return this.#setBigint(row, Math.abs(seconds) < exactSeconds ? seconds * 1e6 + micros : microsOf(found));
  }

  #setWide(row: number, value: bigint, isWide: boolean): true {
    if (isWide) {
      writeI128(this.#linear, this.#values + row * 16, value);
      return true;
    }
    return this.#setBigint(row, value);
  }

  #setBigint(row: number, value: number | bigint): true {
    const { i32, i64 } = this.#linear;
    if (typeof value === "bigint") {
      i64[(this.#values >>> 3) + row] = value;
    } else {
      const word = (this.#values >>> 2) + row * 2;
      i32[word] = value | 0;
      i32[word + 1] = Math.floor(value / 4294967296);
    }
    return true;
  }
}

function isWithin<T extends ParsedTimestamp>(found: T | undefined, precision: number): found is T {
  return found !== undefined && found.precision <= precision;
}

function microsOf({ seconds, micros }: ParsedTimestamp): bigint {
  return BigInt(seconds) * 1_000_000n + BigInt(micros);
}

/** Bytes of a row in these columns, without what its texts refer to. */
export function rowBytesOf(columns: readonly { readonly type: Type }[]): number {
  return columns.reduce((sum, { type }) => sum + physicalWidth(physicalType(type)) + 1, 0);
}

/** Types of columns that a user may ask for. */
export function isTextType(type: Type): boolean {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "real":
    case "double":
    case "decimal":
    case "date":
      return true;
    case "varchar":
      return type.length === undefined;
    case "time":
    case "timestamp":
    case "timestamp with time zone":
      return type.precision <= microsPrecision;
    default:
      return false;
  }
}
