/**
 * A leaf of the schema in a row group: levels and values as they come, then its pages. Pages are of version 1, with checksums.
 */
import { crc32 } from "../../../../types/crc32.ts";
import { ByteBuffer } from "../byte-buffer.ts";
import type { Compressor } from "../compress/compressors.ts";
import { type Bounds, boundsOf, uniteBounds } from "./bounds.ts";
import { growBytes } from "./grow.ts";
import type { LeafType } from "./leaf-types.ts";
import { LeafValues } from "./leaf-values.ts";
import { bitsOf, packBits, writeHybrid } from "./levels.ts";
import { ThriftWriter } from "./thrift-writer.ts";

const pageTypes = Object.freeze({ data: 0, dictionary: 2 });
const encodings = Object.freeze({ plain: 0, rle: 3, dictionary: 8 });
/** Of a data page, about. */
const pageBytes = 1_048_576;
const pageRows = 20_000;

export interface LeafSchema {
  /** Names from the root. */
  readonly path: readonly string[];
  readonly type: LeafType;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** A page as the offset index and the column index describe it. Offsets count from the start of the file. */
export interface WrittenPage {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly firstRow: number;
  readonly nullCount: number;
  readonly valueCount: number;
  readonly bounds: Bounds | undefined;
}

/** What the footer says of a leaf in a row group. */
export interface WrittenChunk {
  readonly leaf: LeafSchema;
  readonly encodings: readonly number[];
  readonly codec: number;
  /** Values and NULLs. */
  readonly entryCount: number;
  readonly nullCount: number;
  readonly distinctCount: number | undefined;
  readonly uncompressedBytes: number;
  readonly compressedBytes: number;
  readonly dictionaryOffset: number | undefined;
  readonly dataOffset: number;
  readonly bounds: Bounds | undefined;
  readonly pages: readonly WrittenPage[];
}

export class LeafWriter {
  readonly schema: LeafSchema;
  readonly values: LeafValues;
  #definitions = new Uint8Array(0);
  #repetitions = new Uint8Array(0);
  #entries = 0;

  constructor(schema: LeafSchema) {
    this.schema = schema;
    this.values = new LeafValues(schema.type);
  }

  get heldBytes(): number {
    return this.values.heldBytes + this.#definitions.length + this.#repetitions.length;
  }

  get usedBytes(): number {
    return this.values.usedBytes;
  }

  /** The levels of an entry; its value, if it has one, is added before or after. */
  level(definition: number, repetition: number): void {
    const { maxDefinition, maxRepetition } = this.schema;
    if (maxDefinition > 0) {
      this.#definitions = growBytes(this.#definitions, this.#entries + 1);
      this.#definitions[this.#entries] = definition;
    }
    if (maxRepetition > 0) {
      this.#repetitions = growBytes(this.#repetitions, this.#entries + 1);
      this.#repetitions[this.#entries] = repetition;
    }
    this.#entries++;
  }

  /** Writes the chunk to `out`, whose first byte is at `base` of the file, and is empty afterwards. */
  flush(out: ByteBuffer, base: number, compressor: Compressor): WrittenChunk {
    const { values, schema } = this;
    const start = out.length;
    let uncompressedBytes = 0;
    const writePage = (page: ThriftPage): number => {
      const written = writePageTo(out, page, compressor);
      uncompressedBytes += written.uncompressedBytes;
      return written.sizeBytes;
    };
    const dictionaryOffset = values.hasDictionary && values.count > 0 ? base + out.length : undefined;
    if (dictionaryOffset !== undefined) {
      writePage({ content: plainOf(values, 0, values.list.count), kind: "dictionary", values: values.list.count });
    }
    const isDictionary = dictionaryOffset !== undefined;
    const dataOffset = base + out.length;
    const pages: WrittenPage[] = [];
    let [value, row] = [0, 0];
    for (const { from, to } of this.#cuts()) {
      const counted = this.#count(from, to);
      const content = this.#content({ from, to, value, valueCount: counted.values, isDictionary });
      const offset = base + out.length;
      const sizeBytes = writePage({ content, kind: isDictionary ? "dictionary data" : "plain data", values: to - from });
      pages.push({
        offset,
        sizeBytes,
        firstRow: row,
        nullCount: to - from - counted.values,
        valueCount: counted.values,
        bounds: boundsOf(values, value, value + counted.values),
      });
      value += counted.values;
      row += counted.rows;
    }
    const chunk: WrittenChunk = {
      leaf: schema,
      encodings: isDictionary ? [encodings.plain, encodings.rle, encodings.dictionary] : [encodings.plain, encodings.rle],
      codec: compressor.codec,
      entryCount: this.#entries,
      nullCount: this.#entries - values.count,
      distinctCount: isDictionary ? values.list.count : undefined,
      uncompressedBytes,
      compressedBytes: out.length - start,
      dictionaryOffset,
      dataOffset,
      bounds: uniteBounds(values, pages),
      pages,
    };
    this.#entries = 0;
    values.clear();
    return chunk;
  }

  /** Entries of each page. A page begins with a row. There is at least one. */
  #cuts(): readonly { readonly from: number; readonly to: number }[] {
    const { values, schema } = this;
    const entryBytes = values.hasDictionary ? 2 : Math.max(1, values.list.usedBytes / Math.max(1, this.#entries));
    const most = Math.max(1, Math.min(pageRows, Math.floor(pageBytes / entryBytes)));
    const cuts: { from: number; to: number }[] = [];
    for (let from = 0; from < this.#entries || cuts.length === 0; ) {
      let to = Math.min(this.#entries, from + most);
      while (schema.maxRepetition > 0 && to < this.#entries && this.#repetitions[to] !== 0) {
        to++;
      }
      cuts.push({ from, to });
      from = to;
    }
    return cuts;
  }

  #count(from: number, to: number): { readonly values: number; readonly rows: number } {
    const { maxDefinition, maxRepetition } = this.schema;
    let values = maxDefinition === 0 ? to - from : 0;
    let rows = maxRepetition === 0 ? to - from : 0;
    for (let at = from; at < to; at++) {
      values += maxDefinition > 0 && this.#definitions[at] === maxDefinition ? 1 : 0;
      rows += maxRepetition > 0 && this.#repetitions[at] === 0 ? 1 : 0;
    }
    return { values, rows };
  }

  #content(page: { from: number; to: number; value: number; valueCount: number; isDictionary: boolean }): Uint8Array {
    const { from, to, value, valueCount, isDictionary } = page;
    const { maxDefinition, maxRepetition } = this.schema;
    const out = new ByteBuffer();
    writeLevels(out, this.#repetitions, { from, to, max: maxRepetition });
    writeLevels(out, this.#definitions, { from, to, max: maxDefinition });
    const { values } = this;
    if (isDictionary) {
      // A width of no bits is legal, but not every reader takes it.
      const bits = Math.max(1, bitsOf(values.list.count - 1));
      out.byte(bits);
      writeHybrid(out, values.indexes, { from: value, to: value + valueCount, bits });
    } else {
      out.bytes(plainOf(values, value, value + valueCount));
    }
    return out.take();
  }
}

function writeLevels(out: ByteBuffer, levels: Uint8Array, { from, to, max }: { from: number; to: number; max: number }): void {
  if (max > 0) {
    const packed = new ByteBuffer();
    writeHybrid(packed, levels, { from, to, bits: bitsOf(max) });
    out.u32(packed.length);
    out.bytes(packed.written());
  }
}

/** Entries [from, to) of the list. */
function plainOf({ list, type }: LeafValues, from: number, to: number): Uint8Array {
  if (type.order === "boolean") {
    const out = new ByteBuffer();
    packBits(out, list.fixed, { from, to, end: to, bits: 1 });
    return out.take();
  }
  if (type.words > 0) {
    return new Uint8Array(list.fixed.buffer).subarray(from * type.words * 4, to * type.words * 4);
  }
  const out = new ByteBuffer();
  out.reserve(list.startOf(to) - list.startOf(from) + 4 * (to - from));
  for (let entry = from; entry < to; entry++) {
    const start = list.startOf(entry);
    const end = list.ends[entry] as number;
    out.u32(end - start);
    out.bytes(list.bytes.subarray(start, end));
  }
  return out.take();
}

interface ThriftPage {
  readonly content: Uint8Array;
  readonly kind: "dictionary" | "dictionary data" | "plain data";
  readonly values: number;
}

/** The checksum is that of the bytes as they are stored. */
function writePageTo(
  out: ByteBuffer,
  { content, kind, values }: ThriftPage,
  compressor: Compressor,
): { readonly sizeBytes: number; readonly uncompressedBytes: number } {
  const stored = compressor.compress(content);
  const header = new ThriftWriter()
    .i32(1, kind === "dictionary" ? pageTypes.dictionary : pageTypes.data)
    .i32(2, content.length)
    .i32(3, stored.length)
    .i32(4, crc32(stored) | 0);
  if (kind === "dictionary") {
    header.struct(7, (page) => page.i32(1, values).i32(2, encodings.plain));
  } else {
    const encoding = kind === "plain data" ? encodings.plain : encodings.dictionary;
    header.struct(5, (page) => page.i32(1, values).i32(2, encoding).i32(3, encodings.rle).i32(4, encodings.rle));
  }
  const head = header.end();
  out.bytes(head);
  out.bytes(stored);
  return { sizeBytes: head.length + stored.length, uncompressedBytes: head.length + content.length };
}
