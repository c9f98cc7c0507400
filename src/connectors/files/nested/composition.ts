/**
 * Values of nested types as bytes in the encoding of types/nested, composed of the values below them: rows of fields, arrays of elements,
 * maps of keys and values.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
import { nestedCountBytes, rowLayout } from "../../../types/nested/nested.ts";
import type { Type } from "../../../types/type.ts";
import { BadData } from "../../shared/file-errors.ts";
import { type DistinctEntries, MapKeys } from "./map-keys.ts";
import { arrayBytes, copyValue, type Elements, isBytes, lengthAt, requireValueSize, type Vector, writeArray } from "./vector.ts";

/** Address and length. */
const referenceBytes = 8;
/** About what a key takes outside of linear memory while maps are sorted. */
const heldKeyBytes = 64;
const canonicalNaN32 = 0x7fc00000;
const canonicalNaN64 = 0x7ff8000000000000n;

/** The places of arrays or maps: whether each is NULL, one byte each, and its elements. */
export interface Shape {
  readonly count: number;
  /** 0 if none is NULL. */
  readonly nulls: Address;
  elementsAt(place: number): Elements;
}

export class Composition {
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  /** All that was allocated; the caller frees it. */
  readonly blocks: Address[] = [];

  constructor(memory: MemoryContext) {
    this.#memory = memory;
    this.#linear = memory.linear;
  }

  allocate(bytes: number): Address {
    const address = this.#memory.allocate(Math.max(1, bytes));
    this.blocks.push(address);
    return address;
  }

  free(): void {
    for (const address of this.blocks) {
      this.#memory.free(address);
    }
    this.blocks.length = 0;
  }

  /** The elements must lie within the vector. */
  array(type: Type, element: Vector, shape: Shape): Vector {
    const { count, nulls } = shape;
    const write = new References(this.#linear, this.allocate(count * referenceBytes), count);
    for (let place = 0; place < count; place++) {
      write.expect(place, this.#isNull(nulls, place) ? 0 : arrayBytes(this.#linear, element, shape.elementsAt(place)));
    }
    write.place(this.allocate(write.bytes));
    for (let place = 0; place < count; place++) {
      if (write.lengthOf(place) > 0) {
        writeArray(this.#linear, element, shape.elementsAt(place), write.addressOf(place));
      }
    }
    return { type, count, values: write.values, nulls };
  }

  /**
   * The elements of the places must follow each other without gaps and be all entries. Of a key that occurs twice, the last value counts.
   * Throws BadData if a key is NULL.
   */
  map(type: Type, entries: { readonly keys: Vector; readonly values: Vector }, shape: Shape): Vector {
    const { count, nulls } = shape;
    const { keys, values } = entries;
    if (keys.nulls !== 0 && this.#linear.u8.subarray(keys.nulls, keys.nulls + keys.count).includes(1)) {
      throw new BadData("a key of a map is NULL");
    }
    this.#memory.reserve(keys.count * heldKeyBytes);
    try {
      const sorted = this.#sortedMaps(shape, keys);
      const write = new References(this.#linear, this.allocate(count * referenceBytes), count);
      for (let place = 0; place < count; place++) {
        const elements = sorted.elementsAt(place, shape.elementsAt(place));
        const bytes =
          nestedCountBytes * (elements.count + 2) + arrayBytes(this.#linear, keys, elements) + arrayBytes(this.#linear, values, elements);
        write.expect(place, this.#isNull(nulls, place) ? 0 : bytes);
      }
      write.place(this.allocate(write.bytes));
      for (let place = 0; place < count; place++) {
        if (write.lengthOf(place) > 0) {
          const all = shape.elementsAt(place);
          this.#writeMap(write.addressOf(place), sorted.orderAt(place, all), sorted.elementsAt(place, all), entries);
        }
      }
      return { type, count, values: write.values, nulls };
    } finally {
      this.#memory.release(keys.count * heldKeyBytes);
    }
  }

  /** Every field has a value for each row. */
  row(type: Type, fields: readonly Vector[], { count, nulls }: Pick<Shape, "count" | "nulls">): Vector {
    const layout = rowLayout(fields.map((field) => field.type));
    const write = new References(this.#linear, this.allocate(count * referenceBytes), count);
    const inBytes = fields.filter(isBytes);
    for (let place = 0; place < count; place++) {
      let bytes = layout.tail;
      for (const field of inBytes) {
        bytes += lengthAt(this.#linear, field, place);
      }
      write.expect(place, this.#isNull(nulls, place) ? 0 : bytes);
    }
    write.place(this.allocate(write.bytes));
    for (let place = 0; place < count; place++) {
      if (write.lengthOf(place) > 0) {
        this.#writeRow(write.addressOf(place), fields, layout, place);
      }
    }
    return { type, count, values: write.values, nulls };
  }

  #isNull(nulls: Address, place: number): boolean {
    return nulls !== 0 && this.#linear.u8[nulls + place] === 1;
  }

  #sortedMaps(shape: Shape, keys: Vector): SortedMaps {
    const order = new MapKeys(this.#linear, keys);
    const distinct = new Map<number, DistinctEntries>();
    for (let place = 0; place < shape.count; place++) {
      const { first, count } = shape.elementsAt(place);
      const found = order.sort(first, count);
      if (found !== undefined) {
        distinct.set(place, found);
      }
    }
    return new SortedMaps(order.order, distinct);
  }

  #writeMap(
    to: Address,
    order: { readonly length: number; readonly [index: number]: number },
    elements: Elements,
    { keys, values }: { readonly keys: Vector; readonly values: Vector },
  ): void {
    const { view } = this.#linear;
    const { count } = elements;
    view.setUint32(to, count, true);
    for (let index = 0; index < count; index++) {
      view.setUint32(to + nestedCountBytes * (index + 1), order[index] as number, true);
    }
    const keysLength = to + nestedCountBytes * (count + 1);
    const behind = writeArray(this.#linear, keys, elements, keysLength + nestedCountBytes);
    view.setUint32(keysLength, behind - keysLength - nestedCountBytes, true);
    writeArray(this.#linear, values, elements, behind);
  }

  #writeRow(to: Address, fields: readonly Vector[], { offsets, tail }: ReturnType<typeof rowLayout>, place: number): void {
    const { u8, view } = this.#linear;
    let end = to + tail;
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index] as Vector;
      const at = to + (offsets[index] as number);
      u8[to + index] = field.nulls === 0 ? 0 : (u8[field.nulls + place] as number);
      if (isBytes(field)) {
        end = copyValue(this.#linear, field, place, end);
        view.setUint32(at, end - to - tail, true);
      } else {
        copyValue(this.#linear, field, place, at);
      }
    }
  }
}

/** A NaN inside of a value has one form. */
export function makeCanonical({ f32, u32, f64, i64 }: LinearMemory, { type, count, values }: Vector): void {
  if (type.kind === "real") {
    for (let index = values >>> 2; index < (values >>> 2) + count; index++) {
      u32[index] = Number.isNaN(f32[index]) ? canonicalNaN32 : (u32[index] as number);
    }
  } else if (type.kind === "double") {
    for (let index = values >>> 3; index < (values >>> 3) + count; index++) {
      if (Number.isNaN(f64[index])) {
        i64[index] = canonicalNaN64;
      }
    }
  }
}

/** The entries of each map, and their numbers in the order of the keys. */
class SortedMaps {
  readonly #order: Uint32Array;
  readonly #distinct: ReadonlyMap<number, DistinctEntries>;

  constructor(order: Uint32Array, distinct: ReadonlyMap<number, DistinctEntries>) {
    this.#order = order;
    this.#distinct = distinct;
  }

  elementsAt(place: number, all: Elements): Elements {
    const distinct = this.#distinct.get(place);
    return distinct === undefined ? all : { first: 0, count: distinct.picked.length, picked: distinct.picked };
  }

  orderAt(place: number, { first, count }: Elements): { readonly length: number; readonly [index: number]: number } {
    return this.#distinct.get(place)?.order ?? this.#order.subarray(first, first + count);
  }
}

/** Values of one size after the other in one block: first their sizes, then where they lie. */
class References {
  readonly values: Address;
  bytes = 0;
  readonly #u32: Uint32Array;
  readonly #count: number;

  constructor(linear: LinearMemory, values: Address, count: number) {
    this.values = values;
    this.#u32 = linear.u32;
    this.#count = count;
  }

  expect(index: number, bytes: number): void {
    requireValueSize(bytes);
    this.#u32[(this.values >>> 2) + index * 2 + 1] = bytes;
    this.bytes += bytes;
  }

  place(block: Address): void {
    let at = block;
    for (let index = 0; index < this.#count; index++) {
      this.#u32[(this.values >>> 2) + index * 2] = at;
      at += this.lengthOf(index);
    }
  }

  addressOf(index: number): Address {
    return this.#u32[(this.values >>> 2) + index * 2] as number;
  }

  lengthOf(index: number): number {
    return this.#u32[(this.values >>> 2) + index * 2 + 1] as number;
  }
}
