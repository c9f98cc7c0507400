/**
 * Arrays of Arrow as vectors of SQL values: a range of an array at a time, in the type of the file or in a wider one.
 */
import type { Address, LinearMemory, MemoryContext } from "../../../memory/memory.ts";
import { physicalType, physicalWidth, sameType, TINYINT, type RowType, type Type } from "../../../types/type.ts";
import { BadData } from "../../shared/file-errors.ts";
import { Composition, makeCanonical, type Shape } from "../nested/composition.ts";
import type { Elements, Vector } from "../nested/vector.ts";
import { fieldOf, widenValues } from "../widening.ts";
import { type ArrowArray, type Region, viewBytes } from "./arrays.ts";
import { convertFixed } from "./conversions.ts";
import type { ArrowNode } from "./schema.ts";

/** The dictionary of an array in a type, with one entry more, which is NULL. */
export type DictionaryOf = (node: ArrowNode, type: Type) => Vector;

interface Range {
  readonly from: number;
  readonly count: number;
}

const outside = "a value lies outside of its buffer";
/** In the place of the number of a member: the union is NULL. */
const noMember = 255;
/** Bytes of a string that lies in its view. */
const inlineBytes = 12;

export class ArrowDecoder {
  readonly #memory: MemoryContext;
  readonly #linear: LinearMemory;
  readonly #composition: Composition;
  readonly #dictionaryOf: DictionaryOf;

  constructor(memory: MemoryContext, dictionaryOf: DictionaryOf) {
    this.#memory = memory;
    this.#linear = memory.linear;
    this.#composition = new Composition(memory);
    this.#dictionaryOf = dictionaryOf;
  }

  /** What was decoded is no more valid. */
  free(): void {
    this.#composition.free();
  }

  /** The numbers of the values in the dictionary, u32 each. */
  ids(array: ArrowArray, range: Range, dictionary: Vector): Address {
    const { u8, u16, u32, i64 } = this.#linear;
    const { width = 4, isSigned = true } = array.node.dictionary ?? {};
    const [{ address }] = array.buffers as readonly [Region];
    const { from, count } = range;
    const nulls = this.#nulls(array, range);
    const ids = this.#allocate(count * 4);
    // A negative number is a large one without its sign.
    const top = isSigned ? 2 ** (8 * width - 1) : Number.POSITIVE_INFINITY;
    const entries = Math.min(dictionary.count - 1, top);
    for (let index = 0; index < count; index++) {
      const at = from + index;
      const id =
        width === 1
          ? (u8[address + at] as number)
          : width === 2
            ? (u16[(address >>> 1) + at] as number)
            : width === 4
              ? (u32[(address >>> 2) + at] as number)
              : Number(BigInt.asUintN(64, i64[(address >>> 3) + at] as bigint));
      if (nulls !== 0 && u8[nulls + index] === 1) {
        u32[(ids >>> 2) + index] = dictionary.count - 1;
      } else if (id < entries) {
        u32[(ids >>> 2) + index] = id;
      } else {
        throw new BadData("a value is not in its dictionary");
      }
    }
    return ids;
  }

  vector(array: ArrowArray, range: Range, type: Type): Vector {
    const { node } = array;
    if (node.dictionary !== undefined) {
      const dictionary = this.#dictionaryOf(node, type);
      const ids = this.ids(array, range, dictionary) >>> 2;
      return this.gathered(dictionary, range.count, (index) => this.#linear.u32[ids + index] as number);
    }
    switch (node.layout) {
      case "null":
        return this.missing(type, range.count);
      case "list":
      case "large list":
      case "list view":
      case "large list view":
      case "fixed list":
        return type.kind === "map" ? this.#map(array, range, type) : this.#list(array, range, type);
      case "struct":
        return this.#struct(array, range, type);
      case "run-end encoded":
        return this.#runs(array, range, type);
      case "sparse union":
      case "dense union":
        return this.#union(array, range, type);
      default: {
        const leaf = this.#leaf(array, range);
        return sameType(leaf.type, type) ? leaf : this.#widened(leaf, type);
      }
    }
  }

  /** NULL everywhere. */
  missing(type: Type, count: number): Vector {
    const bytes = count * physicalWidth(physicalType(type));
    const nulls = this.#allocate(count);
    const values = this.#allocate(bytes);
    this.#linear.u8.fill(1, nulls, nulls + count);
    this.#linear.u8.fill(0, values, values + bytes);
    return { type, count, values, nulls };
  }

  /** One after the other. */
  joined(parts: readonly Vector[], type: Type): Vector {
    const { u8 } = this.#linear;
    const width = physicalWidth(physicalType(type));
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const values = this.#allocate(count * width);
    const nulls = this.#allocate(count);
    u8.fill(0, nulls, nulls + count);
    let at = 0;
    for (const part of parts) {
      u8.copyWithin(values + at * width, part.values, part.values + part.count * width);
      if (part.nulls !== 0) {
        u8.copyWithin(nulls + at, part.nulls, part.nulls + part.count);
      }
      at += part.count;
    }
    return { type, count, values, nulls };
  }

  /** Of each number the value. */
  gathered({ type, values, nulls }: Vector, count: number, indexOf: (index: number) => number): Vector {
    const { u8, u16, u32, i64 } = this.#linear;
    const width = physicalWidth(physicalType(type));
    const to = this.#allocate(count * width);
    const toNulls = nulls === 0 ? 0 : this.#allocate(count);
    for (let index = 0; index < count; index++) {
      const from = indexOf(index);
      switch (width) {
        case 1:
          u8[to + index] = u8[values + from] as number;
          break;
        case 2:
          u16[(to >>> 1) + index] = u16[(values >>> 1) + from] as number;
          break;
        case 4:
          u32[(to >>> 2) + index] = u32[(values >>> 2) + from] as number;
          break;
        default:
          for (let word = 0; word < width / 8; word++) {
            i64[(to >>> 3) + index * (width / 8) + word] = i64[(values >>> 3) + from * (width / 8) + word] as bigint;
          }
      }
      if (toNulls !== 0) {
        u8[toNulls + index] = u8[nulls + from] as number;
      }
    }
    return { type, count, values: to, nulls: toNulls };
  }

  #allocate(bytes: number): Address {
    return this.#composition.allocate(bytes);
  }

  /** One byte a value: whether it is NULL; 0 if none is. */
  #nulls({ validity }: ArrowArray, { from, count }: Range): Address {
    if (validity === undefined) {
      return 0;
    }
    const nulls = this.#allocate(count);
    this.#readBits(validity.address, { from, count }, nulls, 1);
    return nulls;
  }

  #readBits(bits: Address, { from, count }: Range, to: Address, inverted: 0 | 1): void {
    const { u8 } = this.#linear;
    for (let index = 0; index < count; index++) {
      const bit = from + index;
      u8[to + index] = (((u8[bits + (bit >>> 3)] as number) >>> (bit & 7)) & 1) ^ inverted;
    }
  }

  #leaf(array: ArrowArray, range: Range): Vector {
    const { node, buffers } = array;
    const { from, count } = range;
    const { type } = node;
    const nulls = this.#nulls(array, range);
    const width = physicalWidth(physicalType(type));
    const [data] = buffers as readonly [Region];
    const isReference = physicalType(type) === "bytes";
    if (node.layout === "fixed" && node.conversion === "none" && nulls === 0 && !isReference) {
      const vector = { type, count, values: data.address + from * width, nulls };
      makeCanonical(this.#linear, vector);
      return vector;
    }
    const values = this.#allocate(count * width);
    switch (node.layout) {
      case "bits":
        this.#readBits(data.address, range, values, 0);
        break;
      case "fixed":
        if (isReference && node.conversion === "none") {
          this.#referToFixed(node.width, { data, range, values });
        } else {
          this.#composition.blocks.push(
            ...convertFixed(this.#memory, { node, from: data.address + from * node.width, count, values, nulls }),
          );
        }
        break;
      case "view":
        this.#referToViews(buffers, { range, values, nulls });
        break;
      default:
        this.#referToStrings(array, { range, values, nulls });
    }
    const vector = { type, count, values, nulls };
    this.#clearNulls(vector, width);
    makeCanonical(this.#linear, vector);
    return vector;
  }

  /** The value under a NULL is zero. */
  #clearNulls({ count, values, nulls }: Vector, width: number): void {
    const { u8 } = this.#linear;
    for (let index = 0; nulls !== 0 && index < count; index++) {
      if (u8[nulls + index] === 1) {
        u8.fill(0, values + index * width, values + (index + 1) * width);
      }
    }
  }

  #referToFixed(bytes: number, { data, range, values }: { readonly data: Region; readonly range: Range; readonly values: Address }): void {
    const { u32 } = this.#linear;
    for (let index = 0, word = values >>> 2; index < range.count; index++) {
      u32[word++] = data.address + (range.from + index) * bytes;
      u32[word++] = bytes;
    }
  }

  #referToStrings(array: ArrowArray, to: { readonly range: Range; readonly values: Address; readonly nulls: Address }): void {
    const { u8, u32 } = this.#linear;
    const { range, values, nulls } = to;
    const data = array.buffers[1] as Region;
    const offsetAt = this.#offsets(array);
    for (let index = 0, word = values >>> 2; index < range.count; index++, word += 2) {
      if (nulls === 0 || u8[nulls + index] === 0) {
        const start = offsetAt(range.from + index);
        const end = offsetAt(range.from + index + 1);
        if (start < 0 || end < start || end > data.length) {
          throw new BadData(outside);
        }
        u32[word] = data.address + start;
        u32[word + 1] = end - start;
      }
    }
  }

  #referToViews(
    [views, ...data]: readonly Region[],
    { range, values, nulls }: { readonly range: Range; readonly values: Address; readonly nulls: Address },
  ): void {
    const { u8, u32, i32 } = this.#linear;
    for (let index = 0, word = values >>> 2; index < range.count; index++, word += 2) {
      if (nulls !== 0 && u8[nulls + index] === 1) {
        continue;
      }
      const at = (views as Region).address + (range.from + index) * viewBytes;
      const length = i32[at >>> 2] as number;
      const buffer = data[i32[(at >>> 2) + 2] as number];
      const offset = i32[(at >>> 2) + 3] as number;
      const isInline = length <= inlineBytes;
      if (length < 0 || (!isInline && (buffer === undefined || offset < 0 || offset + length > buffer.length))) {
        throw new BadData(outside);
      }
      u32[word] = isInline ? at + 4 : (buffer as Region).address + offset;
      u32[word + 1] = length;
    }
  }

  #widened({ type: from, count, values, nulls }: Vector, type: Type): Vector {
    const to = this.#allocate(count * physicalWidth(physicalType(type)));
    widenValues(this.#linear, { type: from, values, length: count }, { type, values: to });
    return { type, count, values: to, nulls };
  }

  /** Reads an offset of a list or a string. */
  #offsets({ node, buffers }: ArrowArray, buffer = 0): (index: number) => number {
    const { i32, i64 } = this.#linear;
    const { address, length } = buffers[buffer] as Region;
    if (length === 0) {
      return () => 0;
    }
    return node.layout.startsWith("large")
      ? (index) => Number(i64[(address >>> 3) + index] as bigint)
      : (index) => i32[(address >>> 2) + index] as number;
  }

  /** The elements of each place, in the child array. */
  #elementsOf(array: ArrowArray): (index: number) => Elements {
    const { layout, width } = array.node;
    if (layout === "fixed list") {
      return (index) => ({ first: index * width, count: width });
    }
    const offsetAt = this.#offsets(array);
    if (layout === "list" || layout === "large list") {
      return (index) => {
        const first = offsetAt(index);
        return { first, count: offsetAt(index + 1) - first };
      };
    }
    const sizeAt = this.#offsets(array, 1);
    return (index) => ({ first: offsetAt(index), count: sizeAt(index) });
  }

  /** The part of the child array in which all elements lie, and where they lie in it. */
  #shape(array: ArrowArray, { from, count }: Range): { readonly shape: Shape; readonly below: Range } {
    const { u8 } = this.#linear;
    const nulls = this.#nulls(array, { from, count });
    const elementsAt = this.#elementsOf(array);
    const length = array.children[0]?.length ?? 0;
    const isList = array.node.layout === "list" || array.node.layout === "large list";
    let first = Number.POSITIVE_INFINITY;
    let end = 0;
    for (let index = 0; index < count; index++) {
      if (nulls !== 0 && u8[nulls + index] === 1 && !isList) {
        continue;
      }
      const elements = elementsAt(from + index);
      if (elements.first < 0 || elements.count < 0 || elements.first + elements.count > length) {
        throw new BadData("the elements of a list lie outside of its values");
      }
      if (elements.count > 0) {
        first = Math.min(first, elements.first);
        end = Math.max(end, elements.first + elements.count);
      }
    }
    const start = Math.min(first, end);
    const shape: Shape = {
      count,
      nulls,
      elementsAt: (index) => {
        const elements = elementsAt(from + index);
        return { first: elements.count === 0 ? 0 : elements.first - start, count: elements.count };
      },
    };
    return { shape, below: { from: start, count: end - start } };
  }

  #list(array: ArrowArray, range: Range, type: Type): Vector {
    const [child] = array.children as readonly [ArrowArray];
    const { shape, below } = this.#shape(array, range);
    const element = this.vector(child, below, type.kind === "array" ? type.element : child.node.type);
    return this.#composition.array(type, element, shape);
  }

  #map(array: ArrowArray, range: Range, type: Extract<Type, { readonly kind: "map" }>): Vector {
    const [entries] = array.children as readonly [ArrowArray];
    const [keyArray, valueArray] = entries.children as readonly [ArrowArray, ArrowArray];
    const { shape, below } = this.#shape(array, range);
    const keys = this.vector(keyArray, below, type.key);
    const values = this.vector(valueArray, below, type.value);
    return this.#composition.map(type, { keys, values }, shape);
  }

  /** Fields are found by their names, as those of the table. */
  #struct(array: ArrowArray, range: Range, type: Type): Vector {
    const stored = (array.node.type as RowType).fields;
    const isSame = sameType(array.node.type, type);
    const fields = (type as RowType).fields.map((field, index) => {
      const child = array.children[isSame ? index : fieldOf(stored, field.name)];
      return child === undefined ? this.missing(field.type, range.count) : this.vector(child, range, field.type);
    });
    return this.#composition.row(type, fields, { count: range.count, nulls: this.#nulls(array, range) });
  }

  /** A row of the number of the member and its value; the other members are NULL. */
  #union(array: ArrowArray, range: Range, type: Type): Vector {
    const { node, buffers } = array;
    const { u8 } = this.#linear;
    const { from, count } = range;
    const members = new Map((node.typeIds ?? []).map((id, member) => [id, member]));
    const nulls = this.#nulls(array, range);
    const tags = this.#allocate(count);
    const types = (buffers[0] as Region).address + from;
    for (let index = 0; index < count; index++) {
      const member = members.get(u8[types + index] as number);
      const isNull = nulls !== 0 && u8[nulls + index] === 1;
      if (member === undefined && !isNull) {
        throw new BadData("a value of a union has a type that the union does not have");
      }
      u8[tags + index] = isNull ? noMember : (member as number);
    }
    const stored = (node.type as RowType).fields;
    const isSame = sameType(node.type, type);
    const fields = (type as RowType).fields.map((field, index) => {
      const number = isSame ? index : fieldOf(stored, field.name);
      if (number === 0) {
        const tag = { type: TINYINT, count, values: tags, nulls: 0 };
        return sameType(field.type, TINYINT) ? tag : this.#widened(tag, field.type);
      }
      const child = array.children[number - 1];
      return child === undefined
        ? this.missing(field.type, count)
        : this.#member(array, child, { range, tags, number: number - 1 }, field.type);
    });
    return this.#composition.row(type, fields, { count, nulls });
  }

  /** Values of a member; NULL where the union has another one. */
  #member(
    { node, buffers }: ArrowArray,
    child: ArrowArray,
    { range, tags, number }: { readonly range: Range; readonly tags: Address; readonly number: number },
    type: Type,
  ): Vector {
    const { u8, i32 } = this.#linear;
    const { from, count } = range;
    const offsets = node.layout === "dense union" ? ((buffers[1] as Region).address >>> 2) + from : undefined;
    const placeOf = (index: number): number => (offsets === undefined ? from + index : (i32[offsets + index] as number));
    let first = Number.POSITIVE_INFINITY;
    let end = 0;
    for (let index = 0; index < count; index++) {
      if (u8[tags + index] === number) {
        first = Math.min(first, placeOf(index));
        end = Math.max(end, placeOf(index) + 1);
      }
    }
    const picked = this.missing(type, count);
    if (end === 0 && first === Number.POSITIVE_INFINITY) {
      return picked;
    }
    if (first < 0 || end > child.length) {
      throw new BadData(outside);
    }
    const values = this.vector(child, { from: first, count: end - first }, type);
    const width = physicalWidth(physicalType(type));
    for (let index = 0; index < count; index++) {
      if (u8[tags + index] === number) {
        const place = placeOf(index) - first;
        u8.copyWithin(picked.values + index * width, values.values + place * width, values.values + (place + 1) * width);
        u8[picked.nulls + index] = values.nulls === 0 ? 0 : (u8[values.nulls + place] as number);
      }
    }
    return picked;
  }

  #runs(array: ArrowArray, { from, count }: Range, type: Type): Vector {
    const [ends, values] = array.children as readonly [ArrowArray, ArrowArray];
    const { i16, i32, i64 } = this.#linear;
    const { address } = ends.buffers[0] as Region;
    const endAt = (run: number): number =>
      ends.node.width === 2
        ? (i16[(address >>> 1) + run] as number)
        : ends.node.width === 4
          ? (i32[(address >>> 2) + run] as number)
          : Number(i64[(address >>> 3) + run] as bigint);
    // The first run that ends after `from`: ends ascend.
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (endAt(middle) > from) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const first = low;
    const runs = this.#allocate(count * 4) >>> 2;
    let run = first;
    for (let index = 0; index < count; index++) {
      while (run < ends.length && endAt(run) <= from + index) {
        run++;
      }
      if (run >= ends.length || run >= values.length) {
        throw new BadData("the runs of an array end before it");
      }
      this.#linear.u32[runs + index] = run - first;
    }
    const decoded = this.vector(values, { from: first, count: count === 0 ? 0 : run - first + 1 }, type);
    return this.gathered(decoded, count, (index) => this.#linear.u32[runs + index] as number);
  }
}
