/**
 * Cell writers of arrays, maps and rows: JSON arrays, objects, and arrays of fields. The writer of the element type writes each element.
 * Values inside a nested value are not aligned, so each element is first copied to an aligned slot.
 */
import type { LinearMemory, Address } from "../../../memory/memory.ts";
import { elementWidth, nestedCountBytes, type NestedType, rowLayout } from "../../../types/nested/nested.ts";
import { physicalType, type Type } from "../../../types/type.ts";
import { JsonBytes } from "./json-bytes.ts";

type CellWriter = (values: Address, index: number) => void;

/** The views of linear memory that cell writers read. */
export type CellMemory = Pick<LinearMemory, "u8" | "i8" | "i16" | "i32" | "u32" | "i64" | "f32" | "f64">;
type MakeWriter = (type: Type, memory: CellMemory, json: JsonBytes) => CellWriter;

const slotBytes = 16;
const scratchBytes = 256;

/** Scratch memory for one value: the fixed part at address 0, the variable bytes behind it. */
class Scratch implements CellMemory {
  u8 = new Uint8Array(0);
  i8 = new Int8Array(0);
  i16 = new Int16Array(0);
  i32 = new Int32Array(0);
  u32 = new Uint32Array(0);
  i64 = new BigInt64Array(0);
  f32 = new Float32Array(0);
  f64 = new Float64Array(0);

  constructor() {
    this.#grow(scratchBytes);
  }

  putFixed(source: Uint8Array, at: number, width: number): void {
    this.u8.set(source.subarray(at, at + width), 0);
  }

  putBytes(source: Uint8Array, at: number, length: number): void {
    if (this.u8.length < slotBytes + length) {
      this.#grow(2 ** Math.ceil(Math.log2(slotBytes + length)));
    }
    this.u8.set(source.subarray(at, at + length), slotBytes);
    this.u32[0] = slotBytes;
    this.u32[1] = length;
  }

  #grow(bytes: number): void {
    const buffer = new ArrayBuffer(bytes);
    this.u8 = new Uint8Array(buffer);
    this.i8 = new Int8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}

const nullText = "null";

/** Writes one element of a nested value, fixed-width or variable-width. */
class ElementWriter {
  readonly isBytes: boolean;
  readonly width: number;
  readonly #scratch = new Scratch();
  readonly #write: CellWriter;

  readonly #json: JsonBytes;

  constructor(type: Type, json: JsonBytes, make: MakeWriter) {
    this.#json = json;

    this.isBytes = physicalType(type) === "bytes";
    this.width = elementWidth(type);
    this.#write = make(type, this.#scratch, json);
  }

  null(): void {
    this.#json.ascii(nullText);
  }

  fixed(source: Uint8Array, at: number): void {
    this.#scratch.putFixed(source, at, this.width);
    this.#write(0, 0);
  }

  bytes(source: Uint8Array, at: number, length: number): void {
    this.#scratch.putBytes(source, at, length);
    this.#write(0, 0);
  }
}

function readCount(u8: Uint8Array, at: number): number {
  return ((u8[at] as number) | ((u8[at + 1] as number) << 8) | ((u8[at + 2] as number) << 16) | ((u8[at + 3] as number) << 24)) >>> 0;
}

/** Writes all elements; calls `visit` before each. */
function writeElements(u8: Uint8Array, start: number, writer: ElementWriter, visit: (index: number) => void): void {
  const count = readCount(u8, start);
  const fixed = start + nestedCountBytes + count;
  const data = fixed + count * writer.width;
  let from = 0;
  for (let index = 0; index < count; index++) {
    visit(index);
    const at = fixed + index * writer.width;
    const end = writer.isBytes ? readCount(u8, at) : 0;
    if (u8[start + nestedCountBytes + index] === 1) {
      writer.null();
    } else if (writer.isBytes) {
      writer.bytes(u8, data + from, end - from);
    } else {
      writer.fixed(u8, at);
    }
    from = end;
  }
}

export function nestedWriter(type: NestedType, memory: CellMemory, json: JsonBytes, make: MakeWriter): CellWriter {
  const write = valueWriter(type, json, make);
  return (values, index) => write(memory.u8, memory.u32[(values >>> 2) + index * 2] as number);
}

type ValueWriter = (u8: Uint8Array, start: number) => void;

function valueWriter(type: NestedType, json: JsonBytes, make: MakeWriter): ValueWriter {
  switch (type.kind) {
    case "array":
      return arrayWriter(type.element, json, make);
    case "row":
      return rowWriter(
        type.fields.map((field) => field.type),
        json,
        make,
      );
    case "map":
      return mapWriter(type.key, type.value, json, make);
  }
}

function arrayWriter(type: Type, json: JsonBytes, make: MakeWriter): ValueWriter {
  const element = new ElementWriter(type, json, make);
  return (u8, start) => {
    json.ascii("[");
    writeElements(u8, start, element, (index) => index > 0 && json.ascii(","));
    json.ascii("]");
  };
}

function rowWriter(types: readonly Type[], json: JsonBytes, make: MakeWriter): ValueWriter {
  const { offsets, tail } = rowLayout(types);
  const fields = types.map((type) => new ElementWriter(type, json, make));
  return (u8, start) => {
    let from = 0;
    json.ascii("[");
    for (const [index, field] of fields.entries()) {
      const at = start + (offsets[index] as number);
      const end = field.isBytes ? readCount(u8, at) : from;
      if (index > 0) {
        json.ascii(",");
      }
      if (u8[start + index] === 1) {
        field.null();
      } else if (field.isBytes) {
        field.bytes(u8, start + tail + from, end - from);
      } else {
        field.fixed(u8, at);
      }
      from = end;
    }
    json.ascii("]");
  };
}

/** JSON keys are strings: a key of another type is written as the text of its JSON form. */
function mapWriter(keyType: Type, valueType: Type, json: JsonBytes, make: MakeWriter): ValueWriter {
  const keyJson = new JsonBytes();
  const key = new ElementWriter(keyType, keyJson, make);
  const value = new ElementWriter(valueType, json, make);
  return (u8, start) => {
    const count = readCount(u8, start);
    const keysStart = start + nestedCountBytes * (count + 2);
    const ends: number[] = [];
    writeElements(u8, keysStart, key, () => ends.push(keyJson.length));
    ends.push(keyJson.length);
    const keys = keyJson.take();
    json.ascii("{");
    writeElements(u8, keysStart + readCount(u8, keysStart - nestedCountBytes), value, (index) => {
      if (index > 0) {
        json.ascii(",");
      }
      const text = keys.subarray(ends[index] as number, ends[index + 1] as number);
      if (text[0] === 0x22) {
        json.raw(text);
      } else {
        json.string(text, 0, text.length, 0);
      }
      json.ascii(":");
    });
    json.ascii("}");
  };
}
