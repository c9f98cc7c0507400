/**
 * Orders the keys of maps, which the encoding of types/nested holds beside the entries, and finds keys that occur twice.
 */
import type { LinearMemory } from "../../../memory/memory.ts";
import { readValue } from "../../../page/reader.ts";
import { compareNested, type NestedValue } from "../../../types/nested/nested-order.ts";
import { decodeBytes, nestedSource } from "../../../types/nested/nested.ts";
import { isBytes, lengthAt, type Vector } from "./vector.ts";

/** Negative, 0 or positive for two indexes of keys. */
type Compare = (a: number, b: number) => number;

/** Up to this number of entries insertion is faster than the platform's sort. */
const insertedMax = 24;

/** The entries of a map whose keys are not distinct: the last entry of a key is its value, as the specification says. */
export interface DistinctEntries {
  /** Indexes of the entries. */
  readonly picked: readonly number[];
  /** Numbers of the picked entries in the order of their keys. */
  readonly order: readonly number[];
}

export class MapKeys {
  readonly #compare: Compare;
  /** For each entry of a map from its first index on: numbers of the entries in the order of their keys. */
  readonly order: Uint32Array;

  constructor(linear: LinearMemory, keys: Vector) {
    this.#compare = compareOf(linear, keys);
    this.order = new Uint32Array(keys.count);
  }

  /** Orders the entries [first, first + count); returns those that count if keys are not distinct. */
  sort(first: number, count: number): DistinctEntries | undefined {
    const { order } = this;
    const compare = this.#compare;
    if (count > insertedMax) {
      const sorted = Array.from({ length: count }, (_, entry) => entry).sort((a, b) => compare(first + a, first + b) || a - b);
      order.set(sorted, first);
    } else {
      for (let entry = 0; entry < count; entry++) {
        let at = first + entry;
        for (; at > first && compare(first + (order[at - 1] as number), first + entry) > 0; at--) {
          order[at] = order[at - 1] as number;
        }
        order[at] = entry;
      }
    }
    for (let at = first + 1; at < first + count; at++) {
      if (compare(first + (order[at - 1] as number), first + (order[at] as number)) === 0) {
        return this.#distinct(first, count);
      }
    }
    return undefined;
  }

  #distinct(first: number, count: number): DistinctEntries {
    const sorted = [...this.order.subarray(first, first + count)];
    const kept = sorted.filter((entry, at) => at === count - 1 || this.#compare(first + entry, first + (sorted[at + 1] as number)) !== 0);
    const inOrder = kept.toSorted((a, b) => a - b);
    const numbers = new Map(inOrder.map((entry, number) => [entry, number]));
    return { picked: inOrder.map((entry) => first + entry), order: kept.map((entry) => numbers.get(entry) as number) };
  }
}

function compareOf(linear: LinearMemory, keys: Vector): Compare {
  const { type, values } = keys;
  switch (type.kind) {
    case "varchar":
    case "varbinary":
    case "uuid":
      return (a, b) => compareTexts(linear, values, a, b);
    case "integer":
    case "date":
      return (a, b) => (linear.i32[(values >>> 2) + a] as number) - (linear.i32[(values >>> 2) + b] as number);
    case "bigint":
      return (a, b) => {
        const [x, y] = [linear.i64[(values >>> 3) + a] as bigint, linear.i64[(values >>> 3) + b] as bigint];
        return x < y ? -1 : x > y ? 1 : 0;
      };
    default: {
      const read = readerOf(linear, keys);
      return (a, b) => compareNested(type, read(a), read(b));
    }
  }
}

/** The order of the bytes is that of the code points. */
function compareTexts({ u8, u32 }: LinearMemory, values: number, a: number, b: number): number {
  const [one, two] = [(values >>> 2) + a * 2, (values >>> 2) + b * 2];
  const [from, to] = [u32[one] as number, u32[two] as number];
  const [length, other] = [u32[one + 1] as number, u32[two + 1] as number];
  const shared = length < other ? length : other;
  for (let index = 0; index < shared; index++) {
    const difference = (u8[from + index] as number) - (u8[to + index] as number);
    if (difference !== 0) {
      return difference;
    }
  }
  return length - other;
}

function readerOf(linear: LinearMemory, keys: Vector): (index: number) => NestedValue {
  const { type, count, values } = keys;
  if (isBytes(keys)) {
    return (index) => {
      const address = linear.u32[(values >>> 2) + index * 2] as number;
      const length = lengthAt(linear, keys, index);
      return decodeBytes(type, nestedSource(linear.u8.slice(address, address + length)), 0, length);
    };
  }
  const page = { positionCount: count, selection: 0, columns: [{ type, values, nulls: 0, ids: 0, length: count }] };
  return (index) => readValue(linear, page, 0, index);
}
