/**
 * Reads FlatBuffers, in which Arrow writes its metadata: tables with a vtable of offsets, vectors and strings behind offsets. Every read is
 * checked against the bytes; BadData says that they are damaged.
 */
import { viewOf } from "../../../types/bytes.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData } from "../../shared/file-errors.ts";

const damaged = "its metadata are damaged";

/** A table. Fields are named by their ordinals in the schema of the format. */
export class FlatTable {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  private constructor(bytes: Uint8Array, view: DataView, at: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#at = at;
    this.#vtable = at - this.#within(at, 4, () => view.getInt32(at, true));
    this.#vtableBytes = this.#within(this.#vtable, 4, () => view.getUint16(this.#vtable, true));
    this.#within(this.#vtable, this.#vtableBytes, () => 0);
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = viewOf(bytes);
    if (bytes.length < 8) {
      throw new BadData(damaged);
    }
    return new FlatTable(bytes, view, view.getUint32(0, true));
  }

  integer(field: number, bits: 8 | 16 | 32, absent: number): number {
    return this.#value(field, bits / 8, absent, (at) =>
      bits === 8 ? this.#view.getUint8(at) : bits === 16 ? this.#view.getInt16(at, true) : this.#view.getInt32(at, true),
    );
  }

  /** 64 bits; a number that no double holds exactly is damage. */
  long(field: number): number {
    return this.#value(field, 8, 0, (at) => safe(this.#view.getBigInt64(at, true)));
  }

  bigint(field: number): bigint {
    return this.#value(field, 8, 0n, (at) => this.#view.getBigInt64(at, true));
  }

  boolean(field: number): boolean {
    return this.integer(field, 8, 0) !== 0;
  }

  table(field: number): FlatTable | undefined {
    const at = this.#target(field);
    return at === undefined ? undefined : new FlatTable(this.#bytes, this.#view, at);
  }

  text(field: number): string | undefined {
    const at = this.#target(field);
    if (at === undefined) {
      return undefined;
    }
    const length = this.#within(at, 4, () => this.#view.getUint32(at, true));
    return this.#within(at + 4, length, () => decodeUtf8(this.#bytes, at + 4, at + 4 + length));
  }

  tables(field: number): readonly FlatTable[] {
    const { at, count } = this.#vector(field, 4);
    return Array.from({ length: count }, (_, index) => {
      const element = at + index * 4;
      return new FlatTable(this.#bytes, this.#view, element + this.#view.getUint32(element, true));
    });
  }

  /** Structs of `size` bytes, of which `read` gets the 64-bit words and 32-bit words at offsets. */
  structs<T>(field: number, size: number, read: (struct: FlatStruct) => T): readonly T[] {
    const { at, count } = this.#vector(field, size);
    const struct = new FlatStruct(this.#view);
    return Array.from({ length: count }, (_, index) => {
      struct.at = at + index * size;
      return read(struct);
    });
  }

  longs(field: number): readonly number[] {
    return this.structs(field, 8, (struct) => struct.long(0));
  }

  integers(field: number): readonly number[] {
    return this.structs(field, 4, (struct) => struct.integer(0));
  }

  #vector(field: number, size: number): { readonly at: number; readonly count: number } {
    const at = this.#target(field);
    if (at === undefined) {
      return { at: 0, count: 0 };
    }
    const count = this.#within(at, 4, () => this.#view.getUint32(at, true));
    return this.#within(at + 4, count * size, () => ({ at: at + 4, count }));
  }

  /** Where the offset of a field leads. */
  #target(field: number): number | undefined {
    return this.#value<number | undefined>(field, 4, undefined, (at) => at + this.#view.getUint32(at, true));
  }

  #value<T>(field: number, bytes: number, absent: T, read: (at: number) => T): T {
    const slot = 4 + field * 2;
    const offset = slot + 2 > this.#vtableBytes ? 0 : this.#view.getUint16(this.#vtable + slot, true);
    return offset === 0 ? absent : this.#within(this.#at + offset, bytes, () => read(this.#at + offset));
  }

  #within<T>(at: number, length: number, read: () => T): T {
    if (at < 0 || at + length > this.#bytes.length) {
      throw new BadData(damaged);
    }
    return read();
  }
}

/** A struct of a vector, whose bytes are known to be there. */
class FlatStruct {
  at = 0;
  readonly #view: DataView;

  constructor(view: DataView) {
    this.#view = view;
  }

  long(offset: number): number {
    return safe(this.#view.getBigInt64(this.at + offset, true));
  }

  integer(offset: number): number {
    return this.#view.getInt32(this.at + offset, true);
  }
}

function safe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw new BadData(damaged);
  }
  return number;
}
