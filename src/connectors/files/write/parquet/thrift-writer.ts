/**
 * Writes Thrift's compact protocol, limited to what Parquet's footers and page headers use. Fields are written in ascending order.
 */
import { encodeUtf8 } from "../../../../types/utf8.ts";
import { ByteBuffer } from "../byte-buffer.ts";

/** Types of the compact protocol. */
export const thrift = Object.freeze({ true: 1, false: 2, i8: 3, i16: 4, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 });

export class ThriftWriter {
  readonly #out = new ByteBuffer();
  #last = 0;

  boolean(field: number, value: boolean | undefined): this {
    if (value !== undefined) {
      this.#head(field, value ? thrift.true : thrift.false);
    }
    return this;
  }

  i8(field: number, value: number): this {
    this.#head(field, thrift.i8);
    this.#out.byte(value);
    return this;
  }

  i16(field: number, value: number): this {
    return this.#integer(field, thrift.i16, value);
  }

  i32(field: number, value: number | undefined): this {
    return value === undefined ? this : this.#integer(field, thrift.i32, value);
  }

  i64(field: number, value: number | undefined): this {
    return value === undefined ? this : this.#integer(field, thrift.i64, value);
  }

  binary(field: number, value: Uint8Array | string | undefined): this {
    if (value !== undefined) {
      this.#head(field, thrift.binary);
      this.#binary(value);
    }
    return this;
  }

  struct(field: number, fill: ((writer: this) => void) | undefined): this {
    if (fill !== undefined) {
      this.#head(field, thrift.struct);
      this.#nested(fill);
    }
    return this;
  }

  structs<T>(field: number, items: readonly T[], fill: (writer: this, item: T, index: number) => void): this {
    this.#list(field, thrift.struct, items.length);
    items.forEach((item, index) => this.#nested((writer) => fill(writer, item, index)));
    return this;
  }

  integers(field: number, type: typeof thrift.i32 | typeof thrift.i64, items: readonly number[]): this {
    this.#list(field, type, items.length);
    items.forEach((item) => this.#zigzag(item));
    return this;
  }

  binaries(field: number, items: readonly (Uint8Array | string)[]): this {
    this.#list(field, thrift.binary, items.length);
    items.forEach((item) => this.#binary(item));
    return this;
  }

  booleans(field: number, items: readonly boolean[]): this {
    this.#list(field, thrift.true, items.length);
    items.forEach((item) => this.#out.byte(item ? thrift.true : thrift.false));
    return this;
  }

  /** Ends the outermost struct. */
  end(): Uint8Array {
    this.#out.byte(0);
    return this.#out.take();
  }

  #nested(fill: (writer: this) => void): void {
    const last = this.#last;
    this.#last = 0;
    fill(this);
    this.#out.byte(0);
    this.#last = last;
  }

  #head(field: number, type: number): void {
    this.#out.byte(((field - this.#last) << 4) | type);
    this.#last = field;
  }

  #list(field: number, type: number, count: number): void {
    this.#head(field, thrift.list);
    if (count < 15) {
      this.#out.byte((count << 4) | type);
    } else {
      this.#out.byte(0xf0 | type);
      this.#out.varint(count);
    }
  }

  #integer(field: number, type: number, value: number): this {
    this.#head(field, type);
    this.#zigzag(value);
    return this;
  }

  #zigzag(value: number): void {
    this.#out.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  #binary(value: Uint8Array | string): void {
    const bytes = typeof value === "string" ? encodeUtf8(value) : value;
    this.#out.varint(bytes.length);
    this.#out.bytes(bytes);
  }
}
