/**
 * Builds pages from TypeScript value by value, column by column, for system tables, VALUES and CSV. Kernels write pages directly.
 */
import { assert } from "../protocol/errors.ts";
import { type PhysicalType, physicalType, physicalWidth, type Type } from "../types/type.ts";
import { encodeUtf8Into, utf8Length, withoutTrailing } from "../types/utf8.ts";
import { Arena } from "../memory/arena.ts";
import type { LinearMemory, MemoryContext, Address } from "../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "./page.ts";
import { writeI128 } from "./reader.ts";

const space = 0x20;

/** Inclusive bounds for appendInt. */
const intRanges: Readonly<Partial<Record<PhysicalType, number>>> = Object.freeze({ i8: 0x80, i16: 0x8000, i32: 0x8000_0000 });

export class PageBuilder {
  readonly #columns: readonly ColumnBuilder[];
  readonly #strings: Arena;
  readonly #rowsMax: number;
  #rowsWithoutColumns = 0;

  constructor(types: readonly Type[], context: MemoryContext, rowsMax: number = pageRowsMax) {
    this.#rowsMax = rowsMax;
    this.#strings = new Arena(context);
    this.#columns = types.map((type) => new ColumnBuilder(type, context, this.#strings));
  }

  /** Rows of the first column: complete rows if columns are appended in order. */
  get rowCount(): number {
    return this.#columns[0]?.rows ?? this.#rowsWithoutColumns;
  }

  /** No more rows fit: build and reset. */
  get isFull(): boolean {
    return (this.#columns.at(-1)?.rows ?? this.#rowsWithoutColumns) >= this.#rowsMax;
  }

  appendNull(column: number): void {
    this.#column(column).appendNull();
  }

  appendBoolean(column: number, value: boolean): void {
    this.#column(column).appendInt(value ? 1 : 0);
  }

  /** Appends a safe integer to a column of any integer layout: also dates, short and long decimals (unscaled), timestamps. */
  appendInt(column: number, value: number): void {
    this.#column(column).appendInt(value);
  }

  appendBigint(column: number, value: bigint): void {
    this.#column(column).appendBigint(value);
  }

  appendDouble(column: number, value: number): void {
    this.#column(column).appendDouble(value);
  }

  /** The bytes are copied. */
  appendBytes(column: number, bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    this.#column(column).appendBytes(bytes, start, end);
  }

  appendString(column: number, value: string): void {
    this.#column(column).appendString(value);
  }

  /** Adds rows to a page without columns. */
  appendRows(rows: number): void {
    assert(this.#columns.length === 0, "rows of a page with columns come from its values");
    this.#rowsWithoutColumns += rows;
  }

  /** The rows so far; valid until reset or close. */
  build(): Page {
    const positionCount = this.rowCount;
    for (const column of this.#columns) {
      assert(column.rows === positionCount, `columns of a page have the same rows, not ${column.rows} and ${positionCount}`);
    }
    return { positionCount, selection: 0, columns: this.#columns.map((column) => column.build()) };
  }

  /** Starts an empty page in the same memory. */
  reset(): void {
    this.#rowsWithoutColumns = 0;
    this.#strings.reset();
    for (const column of this.#columns) {
      column.reset();
    }
  }

  /** Frees everything. Idempotent; must be called before the context closes. */
  close(): void {
    this.#strings.close();
    for (const column of this.#columns) {
      column.close();
    }
  }

  #column(index: number): ColumnBuilder {
    const column = this.#columns[index];
    assert(column !== undefined, `page has no column ${index}`);
    assert(column.rows < this.#rowsMax, `page is full at ${this.#rowsMax} rows`);
    return column;
  }
}

class ColumnBuilder {
  rows = 0;
  readonly #type: Type;
  readonly #physical: PhysicalType;
  readonly #width: number;
  readonly #context: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #strings: Arena;
  #capacityRows = 0;
  #values: Address = 0;
  #nulls: Address = 0;
  #hasNulls = false;

  constructor(type: Type, context: MemoryContext, strings: Arena) {
    this.#type = type;
    this.#physical = physicalType(type);
    this.#width = physicalWidth(this.#physical);
    this.#context = context;
    this.#linear = context.linear;
    this.#strings = strings;
  }

  appendNull(): void {
    const address = this.#next();
    this.#linear.u8.fill(0, address, address + this.#width);
    this.#linear.u8[this.#nulls + this.rows - 1] = 1;
    this.#hasNulls = true;
  }

  appendInt(value: number): void {
    assert(Number.isSafeInteger(value), `${value} is no integer`);
    const address = this.#next();
    const { view } = this.#linear;
    const range = intRanges[this.#physical];
    assert(range === undefined || (value >= -range && value < range), `${value} is out of range of ${this.#type.kind}`);
    switch (this.#physical) {
      case "i8":
        return view.setInt8(address, value);
      case "i16":
        return view.setInt16(address, value, true);
      case "i32":
        return view.setInt32(address, value, true);
      case "i64":
      case "i128":
        view.setInt32(address, value | 0, true);
        view.setInt32(address + 4, Math.floor(value / 0x1_0000_0000), true);
        if (this.#physical === "i128") {
          view.setBigInt64(address + 8, value < 0 ? -1n : 0n, true);
        }
        return;
      default:
        assert(false, `${this.#type.kind} is no integer`);
    }
  }

  appendBigint(value: bigint): void {
    const bits = this.#physical === "i128" ? 128 : 64;
    assert(BigInt.asIntN(bits, value) === value, `${value} is out of range of ${this.#type.kind}`);
    if (this.#physical === "i128") {
      writeI128(this.#linear, this.#next(), value);
    } else if (this.#physical === "i64") {
      this.#linear.view.setBigInt64(this.#next(), value, true);
    } else {
      this.appendInt(Number(value));
    }
  }

  appendDouble(value: number): void {
    const address = this.#next();
    if (this.#physical === "f64") {
      this.#linear.view.setFloat64(address, value, true);
    } else {
      assert(this.#physical === "f32", `${this.#type.kind} is no floating point number`);
      this.#linear.view.setFloat32(address, value, true);
    }
  }

  appendBytes(bytes: Uint8Array, start: number, end: number): void {
    let length = end - start;
    if (this.#type.kind === "char") {
      while (length > 0 && bytes[start + length - 1] === space) {
        length--;
      }
    }
    const address = this.#strings.allocate(length);
    this.#linear.u8.set(bytes.subarray(start, start + length), address);
    this.#appendReference(address, length);
  }

  appendString(value: string): void {
    const text = this.#type.kind === "char" ? withoutTrailing(value, " ") : value;
    const length = utf8Length(text);
    const address = this.#strings.allocate(length);
    encodeUtf8Into(text, this.#linear.u8, address);
    this.#appendReference(address, length);
  }

  build(): Column {
    if (this.#capacityRows === 0) {
      this.#grow();
    }
    return { type: this.#type, values: this.#values, nulls: this.#hasNulls ? this.#nulls : 0, ids: 0, length: this.rows };
  }

  reset(): void {
    if (this.#hasNulls) {
      this.#linear.u8.fill(0, this.#nulls, this.#nulls + this.rows);
    }
    this.#hasNulls = false;
    this.rows = 0;
  }

  close(): void {
    if (this.#capacityRows > 0) {
      this.#context.free(this.#values);
      this.#context.free(this.#nulls);
      this.#capacityRows = 0;
    }
  }

  #appendReference(address: Address, length: number): void {
    assert(this.#physical === "bytes", `${this.#type.kind} holds no bytes`);
    const at = this.#next() >>> 2;
    this.#linear.u32[at] = address;
    this.#linear.u32[at + 1] = length;
  }

  /** Address of the next row's value. */
  #next(): Address {
    if (this.rows === this.#capacityRows) {
      this.#grow();
    }
    return this.#values + this.rows++ * this.#width;
  }

  #grow(): void {
    const rows = Math.max(this.#context.knobs.value("page-builder-rows"), this.#capacityRows * 2);
    if (this.#capacityRows === 0) {
      this.#values = this.#context.allocate(rows * this.#width);
      this.#nulls = this.#context.allocateZeroed(rows);
    } else {
      this.#values = this.#context.reallocate(this.#values, rows * this.#width);
      this.#nulls = this.#context.reallocate(this.#nulls, rows);
      this.#linear.u8.fill(0, this.#nulls + this.#capacityRows, this.#nulls + rows);
    }
    this.#capacityRows = rows;
  }
}
