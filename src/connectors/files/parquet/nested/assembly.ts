/**
 * Builds the values of a nested column from the entries of its leaves, node by node from the leaves up: what a node holds is written as
 * bytes in the encoding of types/nested. The method is that of Dremel (Melnik et al., 2010) without its automaton: an array ends where the
 * repetition level falls below its own.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../../memory/memory.ts";
import { physicalType, physicalWidth, type Type } from "../../../../types/type.ts";
import { nestedCountBytes, rowLayout } from "../../../../types/nested/nested.ts";
import { BadData } from "../../../shared/file-errors.ts";
import { widenValues } from "../../widening.ts";
import type { ParquetKernels } from "../kernels/kernels.ts";
import { leavesOf, type ParquetLeaf, type ParquetNode, type Repeated } from "../tree.ts";
import { valueWidth } from "../values.ts";
import type { LeafBatch } from "./leaf-reader.ts";
import { type DistinctEntries, MapKeys } from "./map-keys.ts";
import { arrayBytes, copyValue, type Elements, isBytes, lengthAt, requireValueSize, type Vector, writeArray } from "./vector.ts";

type ArrayNode = Extract<ParquetNode, { kind: "array" }>;
type MapNode = Extract<ParquetNode, { kind: "map" }>;
type RowNode = Extract<ParquetNode, { kind: "row" }>;

/** The places of a node: entries with at most this repetition level and at least this definition level. */
interface Places {
  readonly repetition: number;
  readonly definition: number;
}

const damaged = "its levels are damaged";
const canonicalNaN32 = 0x7fc00000;
const canonicalNaN64 = 0x7ff8000000000000n;
/** Above every definition level. */
const levelMax = 256;
/** Address and length. */
const referenceBytes = 8;
/** Number of elements. */
const sizeBytes = 4;
/** About what a key takes outside of linear memory while maps are sorted. */
const heldKeyBytes = 64;

interface Shape {
  readonly count: number;
  readonly nulls: Address;
  /** u32 per place. */
  readonly sizes: Address;
}

export class Assembly {
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #kernels: ParquetKernels;
  /** By leaf. */
  readonly #batches: ReadonlyMap<number, LeafBatch>;
  /** All that was allocated; the caller frees it. */
  readonly blocks: Address[] = [];

  constructor(batches: ReadonlyMap<number, LeafBatch>, memory: MemoryContext, kernels: ParquetKernels) {
    this.#batches = batches;
    this.#memory = memory;
    this.#linear = memory.linear;
    this.#kernels = kernels;
  }

  /** One value for each row. */
  column(node: ParquetNode): Vector {
    return this.#vector(node, { repetition: 0, definition: 0 });
  }

  #vector(node: ParquetNode, places: Places): Vector {
    switch (node.kind) {
      case "leaf":
        return this.#leaf(node, places);
      case "missing":
        return this.#missing(node.type, this.#places(node, 0, places).count);
      case "row":
        return this.#row(node, places);
      case "array":
        return this.#array(node, places);
      case "map":
        return this.#map(node, places);
    }
  }

  #allocate(bytes: number): Address {
    const address = this.#memory.allocate(Math.max(1, bytes));
    this.blocks.push(address);
    return address;
  }

  #batchOf(leaf: number): LeafBatch {
    const batch = this.#batches.get(leaf);
    if (batch === undefined) {
      throw new BadData(damaged);
    }
    return batch;
  }

  #leaf(node: ParquetLeaf, places: Places): Vector {
    const { entries, definitions, values } = this.#batchOf(node.leaf);
    const { type } = node.encoding;
    const width = valueWidth(node.encoding);
    let vector: Vector = { type, count: entries, values, nulls: 0 };
    if (definitions !== 0) {
      const levels = places.definition === 0 ? { address: definitions, rows: entries } : this.#placesOf(definitions, entries, places);
      const to = this.#allocate(levels.rows * width);
      const nulls = this.#allocate(levels.rows);
      this.#kernels.spread({ ...levels, present: node.definition }, width, { from: values, to, nulls });
      vector = { type, count: levels.rows, values: to, nulls };
    }
    const widened = node.widened === undefined ? vector : this.#widened(vector, node.widened);
    this.#makeCanonical(widened);
    return widened;
  }

  #widened({ type: from, count, values, nulls }: Vector, type: Type): Vector {
    const to = this.#allocate(count * physicalWidth(physicalType(type)));
    widenValues(this.#linear, { type: from, values, length: count }, { type, values: to });
    return { type, count, values: to, nulls };
  }

  #missing(type: Type, count: number): Vector {
    const nulls = this.#allocate(count);
    const values = this.#allocate(count * physicalWidth(physicalType(type)));
    const { u8 } = this.#linear;
    u8.fill(1, nulls, nulls + count);
    u8.fill(0, values, values + count * physicalWidth(physicalType(type)));
    return { type, count, values, nulls };
  }

  /** Levels of the entries that are places, without the empty arrays above. */
  #placesOf(definitions: Address, entries: number, { definition }: Places): { readonly address: Address; readonly rows: number } {
    const { u8 } = this.#linear;
    const address = this.#allocate(entries);
    let rows = 0;
    for (let entry = 0; entry < entries; entry++) {
      const level = u8[definitions + entry] as number;
      if (level >= definition) {
        u8[address + rows++] = level;
      }
    }
    return { address, rows };
  }

  /** A NaN inside of a value has one form. */
  #makeCanonical({ type, count, values }: Vector): void {
    const { f32, u32, f64, i64 } = this.#linear;
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

  /** Whether the node is NULL, for each place in order. The first leaf below the node tells. */
  #places(node: ParquetNode, definition: number, places: Places): { readonly count: number; readonly nulls: Address } {
    const { count, nulls } = this.#shape(node, { definition, elementDefinition: levelMax, repetition: 0 }, places);
    return { count, nulls };
  }

  /** The same, and the number of elements of each place. */
  #shape(node: ParquetNode, levels: Repeated, places: Places): Shape {
    const [leaf] = leavesOf(node);
    const { entries, repetitions, definitions } = this.#batchOf(leaf?.leaf ?? -1);
    const { u8, u32 } = this.#linear;
    const nulls = this.#allocate(entries);
    const sizes = this.#allocate(entries * sizeBytes);
    let last = (sizes >>> 2) - 1;
    let count = 0;
    for (let entry = 0; entry < entries; entry++) {
      const repetition = repetitions === 0 ? 0 : (u8[repetitions + entry] as number);
      const definition = definitions === 0 ? (leaf?.definition ?? 0) : (u8[definitions + entry] as number);
      if (repetition <= places.repetition && definition >= places.definition) {
        u8[nulls + count++] = definition < levels.definition ? 1 : 0;
        u32[++last] = 0;
      }
      if (repetition <= levels.repetition && definition >= levels.elementDefinition) {
        if (count === 0) {
          throw new BadData(damaged);
        }
        u32[last] = (u32[last] as number) + 1;
      }
    }
    return { count, nulls, sizes };
  }

  #elementsAt({ sizes }: Shape, place: number, first: number): Elements {
    return { first, count: this.#linear.u32[(sizes >>> 2) + place] as number };
  }

  #array(node: ArrayNode, places: Places): Vector {
    const shape = this.#shape(node, node, places);
    const { count, nulls } = shape;
    const element = this.#vector(node.element, { repetition: node.repetition, definition: node.elementDefinition });
    const write = new References(this.#linear, this.#allocate(count * referenceBytes), count);
    let first = 0;
    for (let place = 0; place < count; place++) {
      const elements = this.#elementsAt(shape, place, first);
      first += elements.count;
      if (first > element.count) {
        throw new BadData(damaged);
      }
      write.expect(place, this.#linear.u8[nulls + place] === 1 ? 0 : arrayBytes(this.#linear, element, elements));
    }
    if (first !== element.count) {
      throw new BadData(damaged);
    }
    write.place(this.#allocate(write.bytes));
    first = 0;
    for (let place = 0; place < count; place++) {
      const elements = this.#elementsAt(shape, place, first);
      first += elements.count;
      if (write.lengthOf(place) > 0) {
        writeArray(this.#linear, element, elements, write.addressOf(place));
      }
    }
    return { type: node.type, count, values: write.values, nulls };
  }

  #map(node: MapNode, places: Places): Vector {
    const shape = this.#shape(node, node, places);
    const { count, nulls } = shape;
    const below = { repetition: node.repetition, definition: node.elementDefinition };
    const keys = this.#vector(node.key, below);
    const values = this.#vector(node.value, below);
    if (keys.count !== values.count) {
      throw new BadData(damaged);
    }
    if (keys.nulls !== 0 && this.#linear.u8.subarray(keys.nulls, keys.nulls + keys.count).includes(1)) {
      throw new BadData("a key of a map is NULL");
    }
    this.#memory.reserve(keys.count * heldKeyBytes);
    try {
      const sorted = this.#sortedMaps(shape, keys);
      const write = new References(this.#linear, this.#allocate(count * referenceBytes), count);
      let first = 0;
      for (let place = 0; place < count; place++) {
        const elements = sorted.elementsAt(place, this.#elementsAt(shape, place, first));
        const bytes =
          nestedCountBytes * (elements.count + 2) + arrayBytes(this.#linear, keys, elements) + arrayBytes(this.#linear, values, elements);
        write.expect(place, this.#linear.u8[nulls + place] === 1 ? 0 : bytes);
        first += this.#elementsAt(shape, place, first).count;
      }
      write.place(this.#allocate(write.bytes));
      first = 0;
      for (let place = 0; place < count; place++) {
        const all = this.#elementsAt(shape, place, first);
        if (write.lengthOf(place) > 0) {
          const elements = sorted.elementsAt(place, all);
          this.#writeMap(write.addressOf(place), sorted.orderAt(place, all), elements, { keys, values });
        }
        first += all.count;
      }
      return { type: node.type, count, values: write.values, nulls };
    } finally {
      this.#memory.release(keys.count * heldKeyBytes);
    }
  }

  #sortedMaps(shape: Shape, keys: Vector): SortedMaps {
    const order = new MapKeys(this.#linear, keys);
    const distinct = new Map<number, DistinctEntries>();
    let first = 0;
    for (let place = 0; place < shape.count; place++) {
      const { count } = this.#elementsAt(shape, place, first);
      if (first + count > keys.count) {
        throw new BadData(damaged);
      }
      const found = order.sort(first, count);
      if (found !== undefined) {
        distinct.set(place, found);
      }
      first += count;
    }
    if (first !== keys.count) {
      throw new BadData(damaged);
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

  #row(node: RowNode, places: Places): Vector {
    const { count, nulls } = this.#places(node, node.definition, places);
    const fields = node.fields.map((field) => {
      return field.kind === "missing" ? this.#missing(field.type, count) : this.#vector(field, places);
    });
    if (fields.some((field) => field.count !== count)) {
      throw new BadData(damaged);
    }
    const layout = rowLayout(fields.map(({ type }) => type));
    const write = new References(this.#linear, this.#allocate(count * referenceBytes), count);
    const inBytes = fields.filter(isBytes);
    for (let place = 0; place < count; place++) {
      let bytes = layout.tail;
      for (const field of inBytes) {
        bytes += lengthAt(this.#linear, field, place);
      }
      write.expect(place, this.#linear.u8[nulls + place] === 1 ? 0 : bytes);
    }
    write.place(this.#allocate(write.bytes));
    for (let place = 0; place < count; place++) {
      if (write.lengthOf(place) > 0) {
        this.#writeRow(write.addressOf(place), fields, layout, place);
      }
    }
    return { type: node.type, count, values: write.values, nulls };
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
