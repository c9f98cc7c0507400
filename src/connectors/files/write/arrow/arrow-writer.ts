/**
 * Writes an Arrow file in the IPC file format: the schema, record batches of bounded size, and the footer.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import type { Column, Page } from "../../../../page/page.ts";
import { decodeNested, type NestedType } from "../../../../types/nested/nested.ts";
import { isNested, physicalType, physicalWidth } from "../../../../types/type.ts";
import { viewOf } from "../../../../types/bytes.ts";
import type { ColumnMetadata } from "../../../spi.ts";
import { FileBytes } from "../file-bytes.ts";
import type { Compressor } from "../compress/compressors.ts";
import type { FileWriter, RowIndex } from "../file-writer.ts";
import { type ArrayBuilder, arrayBuilder, type BatchArrays, type Usage } from "./array-builders.ts";
import { arrowField } from "./arrow-types.ts";
import { flatBuffer, type FlatFields, flatStructs, flatTables, i16, i64, i8 } from "./flatbuffer-writer.ts";

const magic = "ARROW1";
const batchRowsMax = 131_072;
/** Offsets of strings have 32 bits, and a row at most some values of 64 MB. */
const batchBytesMax = 536_870_912;
/** MetadataVersion V5. */
const version = 4;
const headers = Object.freeze({ schema: 1, recordBatch: 3 });
const continuation = 0xffffffff;
const alignmentBytes = 8;
const zstd = 1;
const uncompressed = -1n;

export interface ArrowWriterOptions {
  readonly columns: readonly ColumnMetadata[];
  /** undefined for none. */
  readonly compressor: Compressor | undefined;
  /** Record batches are at most about this large, before they are compressed. */
  readonly batchBytes: number;
  readonly memory: MemoryContext;
}

interface WrittenBlock {
  readonly offset: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

export class ArrowWriter implements FileWriter {
  readonly #options: ArrowWriterOptions;
  readonly #usage: Usage = { bytes: 0 };
  readonly #builders: readonly ArrayBuilder[];
  readonly #batchBytes: number;
  readonly #blocks: WrittenBlock[] = [];
  readonly #out: FileBytes;
  #batchRows = 0;
  rows = 0;

  constructor(options: ArrowWriterOptions) {
    this.#options = options;
    this.#out = new FileBytes(options.memory);
    this.#batchBytes = Math.min(options.batchBytes, batchBytesMax);
    this.#builders = options.columns.map(({ type }) => arrayBuilder(type, this.#usage));
    this.#out.text(magic);
    this.#align();
    this.#message(headers.schema, this.#schema(), []);
  }

  get fileBytes(): number {
    return this.#out.offset + this.#usage.bytes;
  }

  get heldBytes(): number {
    return this.#usage.bytes;
  }

  get takenBytes(): number {
    return this.#out.length;
  }

  /** As in FileWriter. */
  append(page: Page, rows: RowIndex, from: number, to: number): void {
    const { memory } = this.#options;
    const cells = this.#builders.map((builder, index) => {
      const column = page.columns[index] as Column;
      return { append: appenderOf(memory, builder, column), index: rows.index(column.ids) };
    });
    for (let position = from; position < to; position++) {
      for (const { append, index } of cells) {
        append(index === undefined ? position : (index[position] as number));
      }
      this.#batchRows++;
      this.rows++;
      if (this.#batchRows === batchRowsMax || this.#usage.bytes >= this.#batchBytes) {
        this.flush();
      }
    }
    this.#account();
  }

  /** Ends the record batch. */
  flush(): void {
    if (this.#batchRows === 0) {
      return;
    }
    const arrays: BatchArrays = { nodes: [], buffers: [] };
    for (const builder of this.#builders) {
      builder.collect(arrays);
    }
    const { compressor } = this.#options;
    const buffers = compressor === undefined ? arrays.buffers : arrays.buffers.map((bytes) => compressed(bytes, compressor));
    const places: bigint[] = [];
    let offset = 0;
    for (const { length } of buffers) {
      places.push(BigInt(offset), BigInt(length));
      offset += Math.ceil(length / alignmentBytes) * alignmentBytes;
    }
    const batch: FlatFields = [
      i64(this.#batchRows),
      flatStructs(
        arrays.nodes.flatMap(([length, nullCount]) => [BigInt(length), BigInt(nullCount)]),
        2,
      ),
      flatStructs(places, 2),
      compressor === undefined ? undefined : [i8(zstd), i8(0)],
    ];
    this.#blocks.push(this.#message(headers.recordBatch, batch, buffers));
    for (const builder of this.#builders) {
      builder.clear();
    }
    this.#usage.bytes = 0;
    this.#batchRows = 0;
    this.#account();
  }

  finish(): void {
    this.flush();
    this.#out.u32(continuation);
    this.#out.u32(0);
    const blocks = this.#blocks.flatMap(({ offset, metadataBytes, bodyBytes }) => [
      BigInt(offset),
      BigInt(metadataBytes),
      BigInt(bodyBytes),
    ]);
    const footer = flatBuffer([i16(version), this.#schema(), flatStructs([], 3), flatStructs(blocks, 3)]);
    this.#out.bytes(footer);
    this.#out.u32(footer.length);
    this.#out.text(magic);
    this.close();
  }

  take(): Uint8Array {
    return this.#out.take();
  }

  close(): void {
    this.#out.close();
  }

  #account(): void {
    this.#out.account(this.#builders.reduce((sum, builder) => sum + builder.heldBytes, 0));
  }

  /** Numbers are little-endian. */
  #schema(): FlatFields {
    return [i16(0), flatTables(this.#options.columns.map(({ name, type }) => arrowField(name, type)))];
  }

  #message(header: number, fields: FlatFields, buffers: readonly Uint8Array[]): WrittenBlock {
    const bodyBytes = buffers.reduce((sum, { length }) => sum + Math.ceil(length / alignmentBytes) * alignmentBytes, 0);
    const metadata = flatBuffer([i16(version), i8(header), fields, i64(bodyBytes)]);
    const offset = this.#out.offset;
    this.#out.u32(continuation);
    this.#out.u32(metadata.length);
    this.#out.bytes(metadata);
    const metadataBytes = this.#out.offset - offset;
    for (const buffer of buffers) {
      this.#out.bytes(buffer);
      this.#align();
    }
    return { offset, metadataBytes, bodyBytes };
  }

  #align(): void {
    while (this.#out.offset % alignmentBytes !== 0) {
      this.#out.byte(0);
    }
  }
}

/** The length of the bytes, and the bytes, compressed if that makes them shorter. */
function compressed(bytes: Uint8Array, compressor: Compressor): Uint8Array {
  if (bytes.length === 0) {
    return bytes;
  }
  const short = compressor.compress(bytes);
  const isShorter = short.length < bytes.length;
  const content = isShorter ? short : bytes;
  const out = new Uint8Array(content.length + 8);
  viewOf(out).setBigInt64(0, isShorter ? BigInt(bytes.length) : uncompressed, true);
  out.set(content, 8);
  return out;
}

/** Appends the value of a row of the column. */
function appenderOf({ linear }: MemoryContext, builder: ArrayBuilder, column: Column): (row: number) => void {
  const { u8, u32 } = linear;
  const { type, values, nulls } = column;
  const isNull = (row: number): boolean => nulls !== 0 && u8[nulls + row] === 1;
  if (isNested(type)) {
    return (row) => {
      if (isNull(row)) {
        builder.append(null);
        return;
      }
      const address = u32[(values >>> 2) + row * 2] as number;
      const bytes = u8.slice(address, address + (u32[(values >>> 2) + row * 2 + 1] as number));
      builder.append(decodeNested(type as NestedType, { u8: bytes, view: viewOf(bytes) }));
    };
  }
  const width = physicalWidth(physicalType(type));
  return (row) => builder.appendCell(linear, isNull(row) ? 0 : values + row * width);
}
