/**
 * Writes cells of a text file into the column of a page, from bytes to bytes. Strings stay where they were read; numbers are parsed into
 * the column.
 */
import type { LinearMemory, MemoryContext, Address } from "../../../memory/memory.ts";
import type { Column } from "../../../page/page.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { assert } from "../../../protocol/errors.ts";
import { displayType, physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { BadData } from "../errors.ts";
import { trimEnd, trimStart } from "./inference.ts";
import { fitsBigint, parseBoolean, parseDate, parseDouble, parseInteger, parseTimestamp } from "./literals.ts";
import { cell, type CellKind } from "./records.ts";

/** Maximum bytes of a value that an error message shows. */
const shownBytesMax = 100;
/** Below this number of seconds a double holds microseconds exactly. */
const exactSeconds = 9e9;

export class TextColumn {
  readonly #name: string;
  readonly #type: Type;
  readonly #linear: LinearMemory;
  readonly #values: Address;
  readonly #nulls: Address;
  #hasNulls = false;

  constructor(options: { readonly name: string; readonly type: Type; readonly memory: MemoryContext }) {
    const { name, type, memory } = options;
    this.#name = name;
    this.#type = type;
    this.#linear = memory.linear;
    const rows = memory.knobs.value("page-rows");
    this.#values = memory.allocate(rows * physicalWidth(physicalType(type)));
    this.#nulls = memory.allocateZeroed(rows);
  }

  get isText(): boolean {
    return this.#type.kind === "varchar";
  }

  /** The escapes of a text cell must have been removed. */
  set(row: number, kind: CellKind, start: Address, end: Address): void {
    if (kind === cell.none) {
      return this.#setNull(row);
    }
    if (this.isText) {
      return this.#setReference(row, start, end);
    }
    const from = trimStart(this.#linear.u8, start, end);
    const to = trimEnd(this.#linear.u8, from, end);
    if (from === to) {
      return this.#setNull(row);
    }
    if (!this.#parse(row, from, to)) {
      const shown = decodeUtf8(this.#linear.u8, start, Math.min(end, start + shownBytesMax));
      throw new BadData(`column ${this.#name}: '${shown}' is no ${displayType(this.#type)}`);
    }
  }

  column(rows: number): Column {
    return { type: this.#type, values: this.#values, nulls: this.#hasNulls ? this.#nulls : 0, ids: 0, length: rows };
  }

  reset(rows: number): void {
    if (this.#hasNulls) {
      this.#linear.u8.fill(0, this.#nulls, this.#nulls + rows);
      this.#hasNulls = false;
    }
  }

  #setNull(row: number): void {
    const width = physicalWidth(physicalType(this.#type));
    this.#linear.u8[this.#nulls + row] = 1;
    this.#linear.u8.fill(0, this.#values + row * width, this.#values + (row + 1) * width);
    this.#hasNulls = true;
  }

  #setReference(row: number, start: Address, end: Address): void {
    const reference = (this.#values >>> 2) + row * 2;
    this.#linear.u32[reference] = start;
    this.#linear.u32[reference + 1] = end - start;
  }

  #parse(row: number, start: Address, end: Address): boolean {
    const { u8, f64, i32 } = this.#linear;
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
      case "boolean": {
        const value = parseBoolean(u8, start, end);
        u8[this.#values + row] = value === true ? 1 : 0;
        return value !== undefined;
      }
      case "date": {
        const days = parseDate(u8, start, end);
        i32[(this.#values >>> 2) + row] = days ?? 0;
        return days !== undefined;
      }
      case "timestamp":
        return this.#parseTimestamp(row, start, end, this.#type.precision);
      default:
        assert(false, `text files have no ${this.#type.kind}`);
    }
  }

  #parseTimestamp(row: number, start: Address, end: Address, precision: number): boolean {
    const { u8 } = this.#linear;
    const days = parseDate(u8, start, end);
    const found = days === undefined ? parseTimestamp(u8, start, end) : { seconds: days * 86400, micros: 0, precision: 0 };
    if (found === undefined || found.precision > precision) {
      return false;
    }
    const { seconds, micros } = found;
    const isExact = Math.abs(seconds) < exactSeconds;
    return this.#setBigint(row, isExact ? seconds * 1e6 + micros : BigInt(seconds) * 1_000_000n + BigInt(micros));
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
