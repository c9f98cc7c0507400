/**
 * Writes CSV files with a header, and JSON files of one object a line: UTF-8, lines that end with a newline.
 *
 * CSV: NULL is an empty field, the empty text is `""`; fields are quoted where they must be. JSON: every object has all keys.
 */
import { HeldMemory } from "../../../../memory/held-memory.ts";
import type { MemoryContext } from "../../../../memory/memory.ts";
import type { Column, Page } from "../../../../page/page.ts";
import { decodeBytes, type NestedValue } from "../../../../types/nested/nested.ts";
import { isNested, physicalType, physicalWidth, type Type } from "../../../../types/type.ts";
import { viewOf } from "../../../../types/bytes.ts";
import type { ColumnMetadata } from "../../../spi.ts";
import { ByteBuffer } from "../byte-buffer.ts";
import type { FileWriter, RowIndex } from "../file-writer.ts";
import { scalarText } from "./scalars.ts";

const codes = Object.freeze({ comma: 0x2c, quote: 0x22, newline: 0x0a, return: 0x0d, backslash: 0x5c, space: 0x20 });
/** Bytes that are compressed together. */
const pieceBytes = 1_048_576;

export interface TextWriterOptions {
  readonly columns: readonly ColumnMetadata[];
  readonly format: "CSV" | "JSON";
  /** Of a piece of the file; pieces follow each other. */
  readonly compress: (bytes: Uint8Array) => Uint8Array;
  readonly memory: MemoryContext;
}

export class TextWriter implements FileWriter {
  readonly #options: TextWriterOptions;
  readonly #lines = new ByteBuffer();
  readonly #out = new ByteBuffer();
  /** What precedes the value of each column in a record. */
  readonly #before: readonly string[];
  readonly #held: HeldMemory;
  #takenBytes = 0;
  rows = 0;

  constructor(options: TextWriterOptions) {
    this.#options = options;
    this.#held = new HeldMemory(options.memory);
    const { columns, format } = options;
    const isJson = format === "JSON";
    this.#before = columns.map(
      ({ name }, index) => `${isJson && index === 0 ? "{" : index > 0 ? "," : ""}${isJson ? `${JSON.stringify(name)}:` : ""}`,
    );
    if (!isJson) {
      columns.forEach(({ name }, index) => {
        this.#lines.text(index > 0 ? "," : "");
        const scratch = new ByteBuffer();
        scratch.text(name);
        writeField(this.#lines, scratch.written(), 0, scratch.length);
      });
      this.#lines.byte(codes.newline);
    }
  }

  get fileBytes(): number {
    return this.#takenBytes + this.#out.length + this.#lines.length;
  }

  get heldBytes(): number {
    return this.#lines.length;
  }

  get takenBytes(): number {
    return this.#out.length;
  }

  append(page: Page, rows: RowIndex, from: number, to: number): void {
    const { columns, memory, format } = this.#options;
    const cells = columns.map(({ type }, index) => {
      const column = page.columns[index] as Column;
      return { column, type, index: rows.index(column.ids), read: readerOf(memory, column, type) };
    });
    for (let position = from; position < to; position++) {
      cells.forEach(({ column, type, index, read }, number) => {
        const row = index === undefined ? position : (index[position] as number);
        this.#lines.text(this.#before[number] as string);
        this.#write(memory, { column, type, row, read });
      });
      this.#lines.text(format === "JSON" ? "}\n" : "\n");
      this.rows++;
      if (this.#lines.length >= pieceBytes) {
        this.flush();
      }
    }
    this.#account();
  }

  flush(): void {
    if (this.#lines.length > 0) {
      this.#out.bytes(this.#options.compress(this.#lines.written()));
      this.#lines.clear();
    }
  }

  finish(): void {
    this.flush();
    this.close();
  }

  take(): Uint8Array {
    const bytes = this.#out.take();
    this.#takenBytes += bytes.length;
    return bytes;
  }

  close(): void {
    this.#held.set(0);
  }

  #account(): void {
    this.#held.raiseTo(this.#lines.heldBytes + this.#out.heldBytes);
  }

  #write({ linear }: MemoryContext, cell: { column: Column; type: Type; row: number; read: (row: number) => NestedValue }): void {
    const { column, type, row, read } = cell;
    const isJson = this.#options.format === "JSON";
    if (column.nulls !== 0 && linear.u8[column.nulls + row] === 1) {
      this.#lines.text(isJson ? "null" : "");
      return;
    }
    if (type.kind === "varchar" || type.kind === "json") {
      const reference = (column.values >>> 2) + row * 2;
      const start = linear.u32[reference] as number;
      const end = start + (linear.u32[reference + 1] as number);
      if (isJson && type.kind === "json") {
        // A document is written as such. It has no line ends.
        this.#lines.bytes(linear.u8.subarray(start, end));
      } else if (isJson) {
        writeJsonText(this.#lines, linear.u8, start, end);
      } else {
        writeField(this.#lines, linear.u8, start, end);
      }
      return;
    }
    const value = read(row) as Exclude<NestedValue, null>;
    this.#lines.text(isJson ? jsonText(type, value) : scalarText(type, value));
  }
}

/** Values of a column as host functions see them. */
function readerOf({ linear }: MemoryContext, column: Column, type: Type): (row: number) => NestedValue {
  const { values } = column;
  const width = physicalWidth(physicalType(type));
  switch (physicalType(type)) {
    case "i8":
      return type.kind === "boolean" ? (row) => linear.u8[values + row] === 1 : (row) => linear.i8[values + row] as number;
    case "i16":
      return (row) => linear.view.getInt16(values + row * width, true);
    case "i32":
      return (row) => linear.view.getInt32(values + row * width, true);
    case "i64":
      return (row) => linear.view.getBigInt64(values + row * width, true);
    case "i128":
      return (row) =>
        (linear.view.getBigInt64(values + row * width + 8, true) << 64n) | linear.view.getBigUint64(values + row * width, true);
    case "f32":
      return (row) => linear.view.getFloat32(values + row * width, true);
    case "f64":
      return (row) => linear.view.getFloat64(values + row * width, true);
    case "bytes":
      return (row) => {
        const address = linear.u32[(values >>> 2) + row * 2] as number;
        const bytes = linear.u8.slice(address, address + (linear.u32[(values >>> 2) + row * 2 + 1] as number));
        return decodeBytes(type, { u8: bytes, view: viewOf(bytes) }, 0, bytes.length);
      };
  }
}

function writeField(out: ByteBuffer, u8: Uint8Array, start: number, end: number): void {
  if (!needsQuotes(u8, start, end)) {
    out.bytes(u8.subarray(start, end));
    return;
  }
  out.byte(codes.quote);
  for (let at = start; at < end; at++) {
    const byte = u8[at] as number;
    if (byte === codes.quote) {
      out.byte(codes.quote);
    }
    out.byte(byte);
  }
  out.byte(codes.quote);
}

function needsQuotes(u8: Uint8Array, start: number, end: number): boolean {
  if (start === end || u8[start] === codes.space || u8[end - 1] === codes.space) {
    return true;
  }
  for (let at = start; at < end; at++) {
    const byte = u8[at];
    if (byte === codes.comma || byte === codes.quote || byte === codes.newline || byte === codes.return) {
      return true;
    }
  }
  return false;
}

function writeJsonText(out: ByteBuffer, u8: Uint8Array, start: number, end: number): void {
  out.byte(codes.quote);
  for (let at = start; at < end; at++) {
    const byte = u8[at] as number;
    if (byte === codes.quote || byte === codes.backslash) {
      out.byte(codes.backslash);
      out.byte(byte);
    } else if (byte < codes.space) {
      out.text(`\\u${byte.toString(16).padStart(4, "0")}`);
    } else {
      out.byte(byte);
    }
  }
  out.byte(codes.quote);
}

function jsonText(type: Type, value: NestedValue): string {
  if (value === null) {
    return "null";
  }
  if (!isNested(type)) {
    return type.kind === "varchar" ? JSON.stringify(value) : jsonScalar(type, value);
  }
  const items = value as readonly NestedValue[];
  switch (type.kind) {
    case "array":
      return `[${items.map((item) => jsonText(type.element, item)).join(",")}]`;
    case "row":
      return `{${type.fields.map((field, index) => `${JSON.stringify(field.name)}:${jsonText(field.type, items[index] ?? null)}`).join(",")}}`;
    case "map":
      return `{${items.map((item) => mapEntry(type.value, item as readonly NestedValue[])).join(",")}}`;
  }
}

function mapEntry(type: Type, [key, value]: readonly NestedValue[]): string {
  return `${JSON.stringify(key)}:${jsonText(type, value ?? null)}`;
}

/** JSON has numbers and booleans; the rest is text. So are NaN and the infinities. */
function jsonScalar(type: Type, value: Exclude<NestedValue, null>): string {
  const text = scalarText(type, value);
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "decimal":
      return text;
    case "real":
    case "double":
      return Number.isFinite(value) ? text : JSON.stringify(text);
    default:
      return JSON.stringify(text);
  }
}
