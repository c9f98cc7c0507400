/**
 * Reads Avro object container files ("Apache Avro 1.12.0 Specification"), as the manifests of Iceberg are written, in the writer's schema:
 * records as documents, long integers beyond 2^53 as bigint, bytes and fixed as bytes.
 */
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData } from "../../shared/file-errors.ts";
import { Slices, type Turns } from "../../shared/slices.ts";
import { asDocument, type Document, listAt, member, textAt } from "./json.ts";

export interface AvroFile {
  readonly metadata: ReadonlyMap<string, string>;
  readonly records: readonly Document[];
}

const magic = 0x4f626a01;
const syncBytes = 16;
const recordsMax = 5_000_000;
const depthMax = 64;
/** Work for a record of a manifest, which is some fifty values. */
const recordUnits = 16;
const noSchema = "the schema of the Avro file is damaged";

type Decompress = (codec: string, block: Uint8Array) => Uint8Array;

/** `decompress`: a block of a codec. A long file is read in slices, which the clock ends. */
export async function readAvro(bytes: Uint8Array, decompress: Decompress, clock: Turns): Promise<AvroFile> {
  try {
    return await readFile(new Cursor(bytes), decompress, new Slices(clock));
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) {
      throw new BadData("the Avro file is damaged");
    }
    throw error;
  }
}

async function readFile(cursor: Cursor, decompress: Decompress, slices: Slices): Promise<AvroFile> {
  if (cursor.length < 4 || cursor.u32() !== magic) {
    throw new BadData("this is not an Avro file");
  }
  const metadata = new Map<string, string>();
  cursor.blocks(() => {
    const name = cursor.text();
    metadata.set(name, decodeUtf8(cursor.bytes()));
  });
  cursor.skip(syncBytes);
  const codec = metadata.get("avro.codec") ?? "null";
  const read = readerOf(JSON.parse(metadata.get("avro.schema") ?? ""), new Map(), 0);
  const records: Document[] = [];
  while (!cursor.atEnd) {
    const count = cursor.size();
    const block = new Cursor(decompress(codec, cursor.bytes()));
    cursor.skip(syncBytes);
    if (records.length + count > recordsMax) {
      throw new BadData(`the Avro file has more than ${recordsMax} records`);
    }
    for (let index = 0; index < count; index++) {
      records.push(read(block) as Document);
      const turned = slices.after(recordUnits);
      if (turned !== undefined) {
        await turned;
      }
    }
  }
  return { metadata, records };
}

type Read = (cursor: Cursor) => unknown;

/** `named` has the readers of the types that have a name. */
function readerOf(schema: unknown, named: Map<string, Read>, depth: number): Read {
  if (depth > depthMax) {
    throw new BadData("the schema of the Avro file is nested too deep");
  }
  if (Array.isArray(schema)) {
    const options = schema.map((one: unknown) => readerOf(one, named, depth + 1));
    return (cursor) => {
      const option = options[cursor.size()];
      if (option === undefined) {
        throw new BadData("the Avro file is damaged");
      }
      return option(cursor);
    };
  }
  if (typeof schema === "string") {
    return primitive(schema) ?? laterReader(schema, named);
  }
  const document = asDocument(schema);
  if (document === undefined) {
    throw new BadData(noSchema);
  }
  const { type, name, items, values, size } = document;
  switch (type) {
    case "record": {
      const parts: (readonly [string, Read])[] = [];
      const read: Read = (cursor) => Object.fromEntries(parts.map(([part, reader]) => [part, reader(cursor)]));
      named.set(String(name), read);
      for (const field of listAt(document, "fields").map(asDocument)) {
        parts.push([textAt(field, "name") ?? "", readerOf(member(field, "type"), named, depth + 1)]);
      }
      return read;
    }
    case "array": {
      const item = readerOf(items, named, depth + 1);
      return (cursor) => {
        const found: unknown[] = [];
        cursor.blocks(() => found.push(item(cursor)));
        return found;
      };
    }
    case "map": {
      const value = readerOf(values, named, depth + 1);
      return (cursor) => {
        const found: (readonly [string, unknown])[] = [];
        cursor.blocks(() => found.push([cursor.text(), value(cursor)]));
        return Object.fromEntries(found);
      };
    }
    case "fixed": {
      if (typeof size !== "number" || !(size >= 0)) {
        throw new BadData(noSchema);
      }
      const read: Read = (cursor) => cursor.take(size);
      named.set(String(name), read);
      return read;
    }
    case "enum": {
      const symbols = listAt(document, "symbols");
      const read: Read = (cursor) => symbols[cursor.size()];
      named.set(String(name), read);
      return read;
    }
    default:
      return readerOf(type, named, depth + 1);
  }
}

/** A type may be named within itself, before its reader is complete. */
function laterReader(name: string, named: ReadonlyMap<string, Read>): Read {
  if (!named.has(name)) {
    throw new BadData(`the Avro file has the unknown type ${name.slice(0, 100)}`);
  }
  return (cursor) => named.get(name)?.(cursor);
}

function primitive(type: string): Read | undefined {
  switch (type) {
    case "null":
      return () => null;
    case "boolean":
      return (cursor) => cursor.take(1)[0] === 1;
    case "int":
    case "long":
      return (cursor) => cursor.long();
    case "float":
      return (cursor) => cursor.float();
    case "double":
      return (cursor) => cursor.double();
    case "bytes":
      return (cursor) => cursor.bytes();
    case "string":
      return (cursor) => cursor.text();
    default:
      return undefined;
  }
}

class Cursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4);
  }

  float(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  /** Zigzag, seven bits a byte, the lowest first. */
  long(): number | bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#view.getUint8(this.#at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        break;
      }
      if (shift > 63n) {
        throw new BadData("the Avro file is damaged");
      }
    }
    const signed = BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  /** A length or a number of things. */
  size(): number {
    const value = this.long();
    if (typeof value !== "number" || value < 0) {
      throw new BadData("the Avro file is damaged");
    }
    return value;
  }

  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) {
      throw new BadData("the Avro file is cut short");
    }
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  skip(length: number): void {
    this.take(length);
  }

  bytes(): Uint8Array {
    return this.take(this.size());
  }

  text(): string {
    return decodeUtf8(this.bytes());
  }

  /** Entries of an array or a map, in blocks; a negative count is followed by the size of the block. */
  blocks(entry: () => void): void {
    let entries = 0;
    for (;;) {
      const count = Number(this.long());
      if (count === 0) {
        return;
      }
      if (count < 0) {
        this.size();
      }
      entries += Math.abs(count);
      if (entries > recordsMax) {
        throw new BadData(`the Avro file has more than ${recordsMax} entries`);
      }
      for (let index = 0; index < Math.abs(count); index++) {
        entry();
      }
    }
  }
}
