/**
 * Encoding of arrays, maps and rows as self-contained byte strings, so that pages, exchanges, hash tables and files treat them like
 * varbinary. Equal values have equal bytes unless they contain a real, a double, a map or a value with a time zone;
 * functions/runtime/nested-kernels.ts compares those. All numbers are little-endian and unaligned.
 *
 * - array: u32 count; a null byte (0 or 1) per element; then fixed-width elements as they are (zero if NULL), or, for variable-width
 *   elements, the u32 end of each,
 *   counted from the start of the first, and the bytes.
 * - row: a null byte per field; then each fixed-width field in its width, or, for variable-width fields, the u32 end of the field, counted
 *   from the start of the tail; the tail.
 * - map: u32 count; u32 entry numbers in ascending order of their keys; u32 length of the keys; the keys as an array; the values as an
 *   array. The entries
 *   themselves keep the order in which they were given.
 */
import { viewOf } from "../bytes.ts";
import { compareNested, type NestedValue } from "./nested-order.ts";
import {
  type ArrayType,
  isOpaque,
  type MapType,
  physicalType,
  type PhysicalType,
  physicalWidth,
  type RowType,
  type Type,
  type TypeKind,
} from "../type.ts";
import { decodeUtf8, encodeUtf8, encodeUtf8Into, shortUnits, utf8Length } from "../utf8.ts";
import { requireValueBytes } from "../value-size.ts";

export type { NestedValue } from "./nested-order.ts";

export type NestedType = ArrayType | MapType | RowType;

/** Bytes of a count, an end or an entry number. */
export const nestedCountBytes = 4;

const binaryKinds: ReadonlySet<TypeKind> = new Set(["varbinary", "uuid", "ipaddress", "ipprefix"]);

/** Whether values of a variable-width type are bytes in TypeScript, not strings. */
export function isBinary(type: Type): boolean {
  return binaryKinds.has(type.kind) || isOpaque(type);
}

/** Bytes of an element besides its null byte: its width, or the width of its end. */
export function elementWidth(type: Type): number {
  const physical = physicalType(type);
  return physical === "bytes" ? nestedCountBytes : physicalWidth(physical);
}

/** Offsets of the fixed part of each field and of the tail, from the start of the row. */
export function rowLayout(types: readonly Type[]): { readonly offsets: readonly number[]; readonly tail: number } {
  const offsets: number[] = [];
  let at = types.length;
  for (const type of types) {
    offsets.push(at);
    at += elementWidth(type);
  }
  return { offsets, tail: at };
}

interface RowShape {
  readonly types: readonly Type[];
  readonly offsets: readonly number[];
  readonly tail: number;
}

/** Derived once for a type, because arrays have rows by the hundred thousand. */
const rowShapes = new WeakMap<RowType, RowShape>();

export function rowShape(type: RowType): RowShape {
  let shape = rowShapes.get(type);
  if (shape === undefined) {
    const types = type.fields.map((field) => field.type);
    shape = { types, ...rowLayout(types) };
    rowShapes.set(type, shape);
  }
  return shape;
}

/** Encodes a value of an array, map or row type. Throws ValueTooLargeError. */
export function encodeNested(type: NestedType, value: readonly NestedValue[]): Uint8Array {
  switch (type.kind) {
    case "array":
      return encodeArray(type.element, value);
    case "row":
      return encodeRow(rowShape(type), value);
    case "map":
      return encodeMap(type, value as readonly (readonly NestedValue[])[]);
  }
}

/** Encodes a value of a type that is stored as bytes. Throws ValueTooLargeError. */
export function encodeBytes(type: Type, value: Exclude<NestedValue, null>): Uint8Array {
  if (typeof value === "string") {
    requireValueBytes(value.length);
    return encodeUtf8(value);
  }
  return value instanceof Uint8Array ? value : encodeNested(type as NestedType, value as readonly NestedValue[]);
}

/** Variable-width content: bytes, or a text that is too short to need its own buffer. */
export type Piece = Uint8Array | string;

export function pieceOf(type: Type, value: NestedValue): Piece {
  if (value === null || physicalType(type) !== "bytes") {
    return noBytes;
  }
  return typeof value === "string" && value.length <= shortUnits ? value : encodeBytes(type, value);
}

export function pieceBytes(piece: Piece): number {
  return typeof piece === "string" ? utf8Length(piece) : piece.length;
}

/**
 * The piece of each value, and the total length including `fixedBytes`. The total is checked against the limit of a value, because one long
 * text may occur many times.
 */
function piecesOf(
  values: readonly NestedValue[],
  typeAt: (index: number) => Type,
  fixedBytes: number,
): { readonly pieces: readonly Piece[]; readonly bytes: number } {
  let bytes = fixedBytes;
  requireValueBytes(bytes);
  const pieces = values.map((value, index) => {
    const piece = pieceOf(typeAt(index), value);
    bytes += pieceBytes(piece);
    requireValueBytes(bytes);
    return piece;
  });
  return { pieces, bytes };
}

/** Returns the offset after the piece. */
function writePiece(piece: Piece, target: Uint8Array, offset: number): number {
  if (typeof piece === "string") {
    return encodeUtf8Into(piece, target, offset);
  }
  target.set(piece, offset);
  return offset + piece.length;
}

/** An array whose elements are being written. */
export interface ArrayWriting {
  readonly element: Type;
  readonly values: readonly NestedValue[];
  /** One for each value of variable width; empty otherwise. */
  readonly pieces: readonly Piece[];
  readonly target: Uint8Array;
  readonly view: DataView;
  /** Elements that are written, and the end of the last one from the start of the first. */
  next: number;
  end: number;
}

/** Bytes before the elements of variable width. */
export function arrayFixedBytes(element: Type, count: number): number {
  return nestedCountBytes + count * (1 + elementWidth(element));
}

/** `bytes`: of the array, with its pieces. */
export function startArray(element: Type, values: readonly NestedValue[], pieces: readonly Piece[], bytes: number): ArrayWriting {
  const target = new Uint8Array(bytes);
  const view = viewOf(target);
  view.setUint32(0, values.length, true);
  return { element, values, pieces, target, view, next: 0, end: 0 };
}

/** Writes the elements before `to`. */
export function writeElements(array: ArrayWriting, to: number): void {
  const { element, pieces, target, values, view } = array;
  const physical = physicalType(element);
  const width = elementWidth(element);
  const fixed = nestedCountBytes + values.length;
  const dataStart = fixed + values.length * width;
  let end = array.end;
  for (let index = array.next; index < to; index++) {
    const value = values[index] as NestedValue;
    const at = fixed + index * width;
    target[nestedCountBytes + index] = value === null ? 1 : 0;
    if (physical === "bytes") {
      end = writePiece(pieces[index] as Piece, target, dataStart + end) - dataStart;
      view.setUint32(at, end, true);
    } else if (value !== null) {
      writeFixed(view, at, physical, value);
    }
  }
  array.next = to;
  array.end = end;
}

function encodeArray(element: Type, values: readonly NestedValue[]): Uint8Array {
  const isBytes = physicalType(element) === "bytes";
  const { pieces, bytes } = piecesOf(isBytes ? values : [], () => element, arrayFixedBytes(element, values.length));
  const array = startArray(element, values, pieces, bytes);
  writeElements(array, values.length);
  return array.target;
}

function encodeRow(shape: RowShape, values: readonly NestedValue[]): Uint8Array {
  const { types, tail } = shape;
  const fields = types.map((_type, index) => values[index] ?? null);
  const { pieces, bytes } = piecesOf(fields, (index) => types[index] as Type, tail);
  return assembleRow(shape, fields, pieces, bytes);
}

/** The bytes of a row from the pieces of all its fields; `bytes` is their sum with the fixed part. */
export function assembleRow(
  { offsets, tail, types }: RowShape,
  fields: readonly NestedValue[],
  pieces: readonly Piece[],
  bytes: number,
): Uint8Array {
  const result = new Uint8Array(bytes);
  const view = viewOf(result);
  let end = 0;
  for (const [index, type] of types.entries()) {
    const value = fields[index] ?? null;
    const at = offsets[index] as number;
    const physical = physicalType(type);
    result[index] = value === null ? 1 : 0;
    if (physical === "bytes") {
      end = writePiece(pieces[index] as Piece, result, tail + end) - tail;
      view.setUint32(at, end, true);
    } else if (value !== null) {
      writeFixed(view, at, physical, value);
    }
  }
  return result;
}

function encodeMap(type: MapType, entries: readonly (readonly NestedValue[])[]): Uint8Array {
  const order = entries.map((_entry, index) => index);
  order.sort((a, b) => compareNested(type.key, entries[a]?.[0] ?? null, entries[b]?.[0] ?? null));
  const keys = encodeArray(
    type.key,
    entries.map(([key]) => key ?? null),
  );
  const values = encodeArray(
    type.value,
    entries.map(([, value]) => value ?? null),
  );
  return assembleMap(order, keys, values);
}

/** The bytes of a map from its entry numbers in the order of their keys, its encoded keys and its encoded values. */
export function assembleMap(order: readonly number[], keys: Uint8Array, values: Uint8Array): Uint8Array {
  const keysStart = nestedCountBytes * (order.length + 2);
  requireValueBytes(keysStart + keys.length + values.length);
  const result = new Uint8Array(keysStart + keys.length + values.length);
  const view = viewOf(result);
  view.setUint32(0, order.length, true);
  order.forEach((entry, index) => view.setUint32(nestedCountBytes * (index + 1), entry, true));
  view.setUint32(nestedCountBytes * (order.length + 1), keys.length, true);
  result.set(keys, keysStart);
  result.set(values, keysStart + keys.length);
  return result;
}

const noBytes = new Uint8Array(0);
const canonicalNaN = 0x7ff8000000000000n;
const canonicalNaN32 = 0x7fc00000;

function writeFixed(view: DataView, at: number, physical: PhysicalType, value: Exclude<NestedValue, null>): void {
  switch (physical) {
    case "i8":
      return view.setInt8(at, Number(value));
    case "i16":
      return view.setInt16(at, value as number, true);
    case "i32":
      return view.setInt32(at, value as number, true);
    case "i64":
      return view.setBigInt64(at, value as bigint, true);
    case "i128":
      view.setBigInt64(at, BigInt.asIntN(64, value as bigint), true);
      return view.setBigInt64(at + 8, BigInt.asIntN(64, (value as bigint) >> 64n), true);
    case "f32":
      return Number.isNaN(value) ? view.setUint32(at, canonicalNaN32, true) : view.setFloat32(at, value as number, true);
    case "f64":
      return Number.isNaN(value) ? view.setBigUint64(at, canonicalNaN, true) : view.setFloat64(at, value as number, true);
    case "bytes":
      throw new Error("bytes have no fixed width");
  }
}

export function readFixed(view: DataView, at: number, type: Type): NestedValue {
  switch (physicalType(type)) {
    case "i8":
      return type.kind === "boolean" ? view.getInt8(at) !== 0 : view.getInt8(at);
    case "i16":
      return view.getInt16(at, true);
    case "i32":
      return view.getInt32(at, true);
    case "i64":
      return view.getBigInt64(at, true);
    case "i128":
      return (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true);
    case "f32":
      return view.getFloat32(at, true);
    case "f64":
      return view.getFloat64(at, true);
    case "bytes":
      throw new Error("bytes have no fixed width");
  }
}

/** Bytes that contain encoded values, and a view of the same bytes. */
export interface NestedSource {
  readonly u8: Uint8Array;
  readonly view: DataView;
}

/** A source over its own bytes. */
export function nestedSource(bytes: Uint8Array): NestedSource {
  return { u8: bytes, view: viewOf(bytes) };
}

/** Decodes the value of `type` at `start`: arrays and rows as lists, maps as lists of [key, value]. */
export function decodeNested(type: NestedType, source: NestedSource, start = 0): readonly NestedValue[] {
  switch (type.kind) {
    case "array":
      return decodeArray(type.element, source, start);
    case "row":
      return decodeRow(rowShape(type), source, start);
    case "map": {
      const count = source.view.getUint32(start, true);
      const keysStart = start + nestedCountBytes * (count + 2);
      const keys = decodeArray(type.key, source, keysStart);
      const values = decodeArray(type.value, source, keysStart + source.view.getUint32(keysStart - nestedCountBytes, true));
      return keys.map((key, index) => [key, values[index] as NestedValue]);
    }
  }
}

/** Decodes a value that is stored as bytes in a page. */
export function decodeBytes(type: Type, source: NestedSource, start: number, length: number): Exclude<NestedValue, null> {
  if (type.kind === "array" || type.kind === "map" || type.kind === "row") {
    return decodeNested(type, source, start);
  }
  return isBinary(type) ? source.u8.slice(start, start + length) : decodeUtf8(source.u8, start, start + length);
}

/** Where the parts of an encoded array are. */
export interface ArrayPlaces {
  readonly count: number;
  readonly nulls: number;
  readonly fixed: number;
  readonly data: number;
}

export function arrayPlaces(element: Type, { view }: NestedSource, start: number): ArrayPlaces {
  const count = view.getUint32(start, true);
  const nulls = start + nestedCountBytes;
  const fixed = nulls + count;
  return { count, nulls, fixed, data: fixed + count * elementWidth(element) };
}

/** End of the element before `index` of variable width, from the start of the first. */
export function endBefore({ fixed }: ArrayPlaces, { view }: NestedSource, index: number): number {
  return index === 0 ? 0 : view.getUint32(fixed + (index - 1) * nestedCountBytes, true);
}

/** Appends the elements [first, to) to `result`. */
export function readElements(
  element: Type,
  source: NestedSource,
  places: ArrayPlaces,
  { first, to, result }: { readonly first: number; readonly to: number; readonly result: NestedValue[] },
): void {
  const { u8, view } = source;
  const { data, fixed, nulls } = places;
  const width = elementWidth(element);
  const isBytes = physicalType(element) === "bytes";
  let from = isBytes ? endBefore(places, source, first) : 0;
  for (let index = first; index < to; index++) {
    const at = fixed + index * width;
    const end = isBytes ? view.getUint32(at, true) : 0;
    if (u8[nulls + index] === 1) {
      result.push(null);
    } else {
      result.push(isBytes ? decodeBytes(element, source, data + from, end - from) : readFixed(view, at, element));
    }
    from = end;
  }
}

function decodeArray(element: Type, source: NestedSource, start: number): readonly NestedValue[] {
  const places = arrayPlaces(element, source, start);
  const result: NestedValue[] = [];
  readElements(element, source, places, { first: 0, to: places.count, result });
  return result;
}

function decodeRow({ offsets, tail, types }: RowShape, source: NestedSource, start: number): readonly NestedValue[] {
  let from = 0;
  return types.map((type, index) => {
    const at = start + (offsets[index] as number);
    const isNull = source.u8[start + index] === 1;
    if (physicalType(type) !== "bytes") {
      return isNull ? null : readFixed(source.view, at, type);
    }
    const end = source.view.getUint32(at, true);
    const value = isNull ? null : decodeBytes(type, source, start + tail + from, end - from);
    from = end;
    return value;
  });
}
