/**
 * Values of one node of a nested column, for every place where its parent has one: a column without ids. Values in bytes are references.
 */
import type { Address, LinearMemory } from "../../../memory/memory.ts";
import { elementWidth, nestedCountBytes } from "../../../types/nested/nested.ts";
import { physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { valueBytesMax } from "../../../types/value-size.ts";
import { BadData } from "../../shared/file-errors.ts";

export interface Vector {
  readonly type: Type;
  readonly count: number;
  readonly values: Address;
  /** One byte per value; 0 if no value is NULL. The value under a NULL is zero. */
  readonly nulls: Address;
}

export function isBytes(vector: Vector): boolean {
  return physicalType(vector.type) === "bytes";
}

/** Bytes of the value if it has a variable width. */
export function lengthAt(linear: LinearMemory, { values }: Vector, index: number): number {
  return linear.u32[(values >>> 2) + index * 2 + 1] as number;
}

/** Below this length a loop copies faster than the engine's function. */
const shortBytes = 24;

/** Returns the address after the copy. */
function copyBytes(u8: Uint8Array, to: Address, from: Address, length: number): Address {
  if (length > shortBytes) {
    u8.copyWithin(to, from, from + length);
  } else {
    for (let index = 0; index < length; index++) {
      u8[to + index] = u8[from + index] as number;
    }
  }
  return to + length;
}

/** Copies value `index`; returns the address after it. */
export function copyValue(linear: LinearMemory, vector: Vector, index: number, to: Address): Address {
  const { u8, u32 } = linear;
  const { values } = vector;
  if (isBytes(vector)) {
    const word = (values >>> 2) + index * 2;
    return copyBytes(u8, to, u32[word] as number, u32[word + 1] as number);
  }
  const width = physicalWidth(physicalType(vector.type));
  return copyBytes(u8, to, values + index * width, width);
}

/** Elements [first, first + count) of a vector, or those of a list of indexes. */
export interface Elements {
  readonly first: number;
  readonly count: number;
  readonly picked?: readonly number[];
}

function indexOf({ first, picked }: Elements, position: number): number {
  return picked === undefined ? first + position : (picked[position] as number);
}

/** Size of the elements as an array in the encoding of types/nested. */
export function arrayBytes(linear: LinearMemory, vector: Vector, elements: Elements): number {
  let bytes = nestedCountBytes + elements.count * (1 + elementWidth(vector.type));
  if (isBytes(vector)) {
    for (let position = 0; position < elements.count; position++) {
      bytes += lengthAt(linear, vector, indexOf(elements, position));
    }
  }
  return bytes;
}

/** Writes the elements as an array; returns the address after it. */
export function writeArray(linear: LinearMemory, vector: Vector, elements: Elements, to: Address): Address {
  const { u8, view } = linear;
  const { count, first, picked } = elements;
  view.setUint32(to, count, true);
  const nulls = to + nestedCountBytes;
  if (vector.nulls === 0) {
    u8.fill(0, nulls, nulls + count);
  } else {
    for (let position = 0; position < count; position++) {
      u8[nulls + position] = u8[vector.nulls + indexOf(elements, position)] as number;
    }
  }
  const fixed = nulls + count;
  if (!isBytes(vector)) {
    const width = elementWidth(vector.type);
    if (picked === undefined) {
      return copyBytes(u8, fixed, vector.values + first * width, count * width);
    }
    picked.forEach((index, position) => copyValue(linear, vector, index, fixed + position * width));
    return fixed + count * width;
  }
  const data = fixed + count * nestedCountBytes;
  let at = data;
  for (let position = 0; position < count; position++) {
    at = copyValue(linear, vector, indexOf(elements, position), at);
    view.setUint32(fixed + position * nestedCountBytes, at - data, true);
  }
  return at;
}

export function requireValueSize(bytes: number): void {
  if (bytes > valueBytesMax) {
    throw new BadData(`a value is larger than the maximum of ${valueBytesMax} bytes`);
  }
}
