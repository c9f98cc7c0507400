/**
 * Thrift's compact protocol, limited to what Parquet's footers and page headers use.
 */
import { BadData } from "../../shared/file-errors.ts";

export type ThriftValue = boolean | number | bigint | Uint8Array | readonly ThriftValue[] | ThriftStruct;

const depthMax = 32;
const damaged = "its metadata is damaged";

/** Fields by number. A field that is missing or of another kind is undefined. */
export class ThriftStruct {
  readonly #fields = new Map<number, ThriftValue>();

  set(field: number, value: ThriftValue): void {
    this.#fields.set(field, value);
  }

  has(field: number): boolean {
    return this.#fields.has(field);
  }

  /** Numbers of the fields that are present. */
  get fields(): readonly number[] {
    return [...this.#fields.keys()];
  }

  boolean(field: number): boolean | undefined {
    const value = this.#fields.get(field);
    return typeof value === "boolean" ? value : undefined;
  }

  /** An integer that a double holds exactly. */
  integer(field: number): number | undefined {
    const value = this.#fields.get(field);
    return typeof value === "number" ? value : undefined;
  }

  bytes(field: number): Uint8Array | undefined {
    const value = this.#fields.get(field);
    return value instanceof Uint8Array ? value : undefined;
  }

  struct(field: number): ThriftStruct | undefined {
    const value = this.#fields.get(field);
    return value instanceof ThriftStruct ? value : undefined;
  }

  structs(field: number): readonly ThriftStruct[] {
    const value = this.#fields.get(field);
    return Array.isArray(value) ? (value as readonly ThriftValue[]).filter((item) => item instanceof ThriftStruct) : [];
  }
}

export class ThriftReader {
  readonly #bytes: Uint8Array;
  /** Offset after the bytes read so far. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  struct(depth = 0): ThriftStruct {
    if (depth > depthMax) {
      throw new BadData(damaged);
    }
    const struct = new ThriftStruct();
    let field = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      const delta = head >> 4;
      field = delta === 0 ? Number(this.#zigzag()) : field + delta;
      struct.set(field, this.#value(head & 15, depth));
    }
    return struct;
  }

  /**
   * As `struct`. The structs of the list in `field` are not kept: each is given to `take` once it is read, and the next one is read when
   * what `take` returns is there.
   */
  async structByParts(field: number, take: (item: ThriftStruct) => Promise<void> | undefined): Promise<ThriftStruct> {
    const struct = new ThriftStruct();
    let number = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      const delta = head >> 4;
      number = delta === 0 ? Number(this.#zigzag()) : number + delta;
      if (number !== field || (head & 15) !== 9) {
        struct.set(number, this.#value(head & 15, 0));
        continue;
      }
      const { type, count } = this.#listHead();
      for (let index = 0; index < count; index++) {
        const item = this.#value(type, 1);
        if (item instanceof ThriftStruct) {
          await take(item);
        }
      }
    }
    return struct;
  }

  #value(type: number, depth: number): ThriftValue {
    switch (type) {
      case 1:
        return true;
      case 2:
        return false;
      case 3:
        return (this.#byte() << 24) >> 24;
      case 4:
      case 5:
      case 6:
        return this.#zigzag();
      case 7:
        return this.#take(8);
      case 8:
        return this.#take(this.#length());
      case 9:
      case 10:
        return this.#list(depth);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new BadData(damaged);
    }
  }

  #list(depth: number): readonly ThriftValue[] {
    if (depth > depthMax) {
      throw new BadData(damaged);
    }
    const { type, count } = this.#listHead();
    const values: ThriftValue[] = [];
    for (let index = 0; index < count; index++) {
      values.push(type === 1 || type === 2 ? this.#byte() === 1 : this.#value(type, depth + 1));
    }
    return values;
  }

  #listHead(): { readonly type: number; readonly count: number } {
    const head = this.#byte();
    return { type: head & 15, count: head >> 4 === 15 ? this.#length() : head >> 4 };
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) {
      throw new BadData(damaged);
    }
    return byte;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.at) {
      throw new BadData(damaged);
    }
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #length(): number {
    return this.#shortVarint() ?? Number(this.#varint());
  }

  /** Most numbers of a footer, without the cost of a bigint. Undefined, and nothing is read, if it has more than 28 bits. */
  #shortVarint(): number | undefined {
    let value = 0;
    for (let length = 0; length < 4; length++) {
      const byte = this.#bytes[this.at + length];
      if (byte === undefined) {
        throw new BadData(damaged);
      }
      value |= (byte & 0x7f) << (7 * length);
      if (byte < 0x80) {
        this.at += length + 1;
        return value;
      }
    }
    return undefined;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw new BadData(damaged);
  }

  #zigzag(): number | bigint {
    const short = this.#shortVarint();
    if (short !== undefined) {
      return (short >>> 1) ^ -(short & 1);
    }
    const raw = this.#varint();
    const value = (raw >> 1n) ^ -(raw & 1n);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
}
