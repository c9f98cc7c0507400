/**
 * Large values are read from pages and encoded for them in steps, as generators that yield the steps since the last time. The values and
 * the bytes are those of types/nested/nested.ts.
 */
import { joinBytes } from "../../../types/bytes.ts";
import { compareNested, type NestedValue } from "../../../types/nested/nested-order.ts";
import {
  arrayFixedBytes,
  arrayPlaces,
  assembleMap,
  assembleRow,
  decodeBytes,
  encodeBytes,
  endBefore,
  isBinary,
  type NestedSource,
  type Piece,
  pieceBytes,
  pieceOf,
  readElements,
  readFixed,
  rowShape,
  startArray,
  writeElements,
} from "../../../types/nested/nested.ts";
import { type MapType, physicalType, type RowType, type Type } from "../../../types/type.ts";
import { decodeUtf8, encodeUtf8, isHighSurrogate } from "../../../types/utf8.ts";
import { requireValueBytes } from "../../../types/value-size.ts";
import { type InSteps, sortInSteps } from "../steps.ts";
import { elementsAtOnce, elementsPerStep, isLarge, mapInSteps, nodesOf, textBytesAtOnce } from "./loops.ts";

/** Bytes of a value that is read at once, and of the elements that are. */
const bytesAtOnce = 65_536;

const bytesPerStep = 32;
const textBytesPerStep = 256;
const copiedBytesPerStep = 4_096;

/** Memory of an element as a value of TypeScript. */
const elementHeldBytes = 32;

/** Reports that so many bytes more are kept. */
export type Hold = (bytes: number) => void;

/** A value in memory that may be at another address when its reading goes on. */
export interface MovingValue {
  readonly source: NestedSource;
  address: number;
}

/** `offset` is that of the value from the address. Holds the memory of the value. */
export function* readInSteps(type: Type, from: MovingValue, place: Place, hold: Hold): InSteps<Exclude<NestedValue, null>> {
  if (place.length <= bytesAtOnce) {
    hold(place.length);
    return decodeBytes(type, from.source, from.address + place.offset, place.length);
  }
  switch (type.kind) {
    case "array":
      return yield* readArray(type.element, from, place.offset, hold);
    case "map":
      return yield* readMap(type, from, place.offset, hold);
    case "row":
      return yield* readRow(type, from, place.offset, hold);
    default:
      return isBinary(type) ? yield* readBinary(from, place, hold) : yield* readText(from, place, hold);
  }
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

function* readBinary({ address, source }: MovingValue, { length, offset }: Place, hold: Hold): InSteps<Uint8Array> {
  hold(length);
  const bytes = source.u8.slice(address + offset, address + offset + length);
  yield Math.ceil(length / copiedBytesPerStep);
  return bytes;
}

/** Pieces end before a byte that begins a code point, so that invalid sequences are decoded as in one piece. */
function* readText(from: MovingValue, { length, offset }: Place, hold: Hold): InSteps<string> {
  let text = "";
  for (let first = 0; first < length; ) {
    const { u8 } = from.source;
    const start = from.address + offset;
    let to = Math.min(length, first + textBytesAtOnce);
    for (let back = 0; back < 3 && to < length && isContinuation(u8[start + to] as number); back++) {
      to--;
    }
    text += decodeUtf8(u8, start + first, start + to);
    hold(2 * (to - first));
    yield Math.ceil((to - first) / textBytesPerStep);
    first = to;
  }
  return text;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function* readArray(element: Type, from: MovingValue, offset: number, hold: Hold): InSteps<NestedValue[]> {
  const { source } = from;
  const { count } = arrayPlaces(element, source, from.address + offset);
  const isBytes = physicalType(element) === "bytes";
  const result: NestedValue[] = [];
  while (result.length < count) {
    // Relative to the address that the value has now.
    const places = arrayPlaces(element, source, from.address + offset);
    const first = result.length;
    const start = isBytes ? endBefore(places, source, first) : 0;
    let to = Math.min(count, first + elementsAtOnce);
    let end = isBytes ? endBefore(places, source, to) : 0;
    while (end - start > bytesAtOnce && to - first > 1) {
      to = first + Math.ceil((to - first) / 2);
      end = endBefore(places, source, to);
    }
    const isLarge = end - start > bytesAtOnce && source.u8[places.nulls + first] !== 1;
    if (isLarge) {
      const place = { offset: places.data + start - from.address, length: end - start };
      result.push(yield* readInSteps(element, from, place, hold));
    } else {
      readElements(element, source, places, { first, to, result });
      hold(elementHeldBytes * (to - first) + end - start);
      yield Math.ceil((end - start) / bytesPerStep + (to - first) / elementsPerStep);
    }
  }
  return result;
}

function* readMap(type: MapType, from: MovingValue, offset: number, hold: Hold): InSteps<readonly NestedValue[]> {
  const { view } = from.source;
  const count = view.getUint32(from.address + offset, true);
  const keysOffset = offset + 4 * (count + 2);
  const keys = yield* readArray(type.key, from, keysOffset, hold);
  const keyBytes = from.source.view.getUint32(from.address + keysOffset - 4, true);
  const values = yield* readArray(type.value, from, keysOffset + keyBytes, hold);
  hold(elementHeldBytes * count);
  return yield* mapInSteps(keys, (key, index) => [key, values[index] as NestedValue]);
}

function* readRow(type: RowType, from: MovingValue, offset: number, hold: Hold): InSteps<readonly NestedValue[]> {
  const { offsets, tail, types } = rowShape(type);
  const result: NestedValue[] = [];
  let start = 0;
  for (const [index, field] of types.entries()) {
    const { u8, view } = from.source;
    const row = from.address + offset;
    const at = row + (offsets[index] as number);
    const isNull = u8[row + index] === 1;
    if (physicalType(field) !== "bytes") {
      result.push(isNull ? null : readFixed(view, at, field));
      continue;
    }
    const end = view.getUint32(at, true);
    result.push(isNull ? null : yield* readInSteps(field, from, { offset: offset + tail + start, length: end - start }, hold));
    start = end;
  }
  yield types.length;
  return result;
}

/** As encodeBytes. Holds the memory of the value and its bytes. Throws ValueTooLargeError. */
export function* encodeInSteps(type: Type, value: Exclude<NestedValue, null>, hold: Hold): InSteps<Uint8Array> {
  if (!isLarge(value)) {
    return encodeBytes(type, value);
  }
  if (typeof value === "string") {
    return yield* encodeText(value, hold);
  }
  const values = value as readonly NestedValue[];
  switch (type.kind) {
    case "array":
      return yield* encodeArray(type.element, values, hold);
    case "map":
      return yield* encodeMap(type, values as readonly (readonly NestedValue[])[], hold);
    default:
      return yield* encodeRow(type as RowType, values, hold);
  }
}

function* encodeText(text: string, hold: Hold): InSteps<Uint8Array> {
  requireValueBytes(text.length);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let first = 0; first < text.length; ) {
    let to = Math.min(text.length, first + textBytesAtOnce);
    to += to < text.length && isHighSurrogate(text.charCodeAt(to - 1)) ? 1 : 0;
    const part = encodeUtf8(text.slice(first, to));
    bytes += part.length;
    requireValueBytes(bytes);
    parts.push(part);
    hold(2 * (to - first) + part.length);
    yield Math.ceil((to - first) / textBytesPerStep);
    first = to;
  }
  return joinBytes(parts);
}

interface Pieces {
  readonly pieces: readonly Piece[];
  readonly bytes: number;
}

/** `fixedBytes`: of the value without its pieces. */
function* piecesInSteps(values: readonly NestedValue[], typeAt: (index: number) => Type, fixedBytes: number, hold: Hold): InSteps<Pieces> {
  const pieces: Piece[] = [];
  let [bytes, before] = [fixedBytes, fixedBytes];
  let elements = 0;
  requireValueBytes(bytes);
  for (const [index, value] of values.entries()) {
    const type = typeAt(index);
    if (value !== null && isLarge(value)) {
      const large = yield* encodeInSteps(type, value, hold);
      bytes += large.length;
      before += large.length;
      requireValueBytes(bytes);
      pieces.push(large);
      continue;
    }
    const piece = pieceOf(type, value);
    bytes += pieceBytes(piece);
    requireValueBytes(bytes);
    pieces.push(piece);
    elements++;
    if (elements === elementsAtOnce || bytes - before > bytesAtOnce) {
      hold(elementHeldBytes * elements + bytes - before);
      yield Math.ceil((bytes - before) / bytesPerStep + elements / elementsPerStep);
      before = bytes;
      elements = 0;
    }
  }
  return { pieces, bytes };
}

function* encodeArray(element: Type, values: readonly NestedValue[], hold: Hold): InSteps<Uint8Array> {
  const isBytes = physicalType(element) === "bytes";
  const { bytes, pieces } = yield* piecesInSteps(isBytes ? values : [], () => element, arrayFixedBytes(element, values.length), hold);
  const array = startArray(element, values, pieces, bytes);
  hold(bytes + elementHeldBytes * values.length);
  while (array.next < values.length) {
    const [first, start] = [array.next, array.end];
    // Pieces that were encoded by themselves only have to be copied.
    writeElements(array, Math.min(values.length, first + elementsAtOnce));
    yield Math.ceil((array.end - start) / copiedBytesPerStep + (array.next - first) / elementsPerStep);
  }
  return array.target;
}

function* encodeMap(type: MapType, entries: readonly (readonly NestedValue[])[], hold: Hold): InSteps<Uint8Array> {
  hold(elementHeldBytes * entries.length);
  const keys = yield* mapInSteps(entries, ([key]) => key ?? null);
  const encodedKeys = yield* encodeArray(type.key, keys, hold);
  const numbers = yield* mapInSteps(entries, (_entry, index) => index);
  const order = yield* sortInSteps(
    numbers,
    (a, b) => compareNested(type.key, keys[a] as NestedValue, keys[b] as NestedValue),
    (key) => nodesOf(keys[key] as NestedValue),
  );
  const values = yield* mapInSteps(entries, ([, value]) => value ?? null);
  return assembleMap(order, encodedKeys, yield* encodeArray(type.value, values, hold));
}

function* encodeRow(type: RowType, values: readonly NestedValue[], hold: Hold): InSteps<Uint8Array> {
  const shape = rowShape(type);
  const fields = shape.types.map((_field, index) => values[index] ?? null);
  const { bytes, pieces } = yield* piecesInSteps(fields, (index) => shape.types[index] as Type, shape.tail, hold);
  return assembleRow(shape, fields, pieces, bytes);
}
