/**
 * Writes a Parquet file: row groups of bounded size, with statistics, then page indexes and the footer.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import type { Column, Page } from "../../../../page/page.ts";
import { decodeNested, type NestedType } from "../../../../types/nested/nested.ts";
import { isNested, physicalType, physicalWidth } from "../../../../types/type.ts";
import { viewOf } from "../../../../types/bytes.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import type { ColumnMetadata, SortedColumn } from "../../../spi.ts";
import { FileBytes } from "../file-bytes.ts";
import type { Compressor } from "../compress/compressors.ts";
import type { FileWriter, RowIndex } from "../file-writer.ts";
import type { LeafWriter, WrittenChunk, WrittenPage } from "./leaf-writer.ts";
import { describeLine, type NodeWriter, SchemaTree } from "./schema-tree.ts";
import { thrift, ThriftWriter } from "./thrift-writer.ts";

const magic = "PAR1";
const createdBy = "orrery version 0.1.0";
const rowGroupRowsMax = 131_072;
/** Boundary order of a column index: the pages need not be in order. */
const unordered = 0;

interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly WrittenChunk[];
}

interface IndexPlace {
  readonly offset: number;
  readonly length: number;
}

export interface ParquetWriterOptions {
  readonly columns: readonly ColumnMetadata[];
  readonly compressor: Compressor;
  /** Order of the rows that are given. */
  readonly sortedBy: readonly SortedColumn[];
  /** Row groups are at most about this large, before they are compressed. */
  readonly rowGroupBytes: number;
  readonly memory: MemoryContext;
}

export class ParquetWriter implements FileWriter {
  readonly #options: ParquetWriterOptions;
  readonly #tree: SchemaTree;
  readonly #groups: RowGroup[] = [];
  readonly #out: FileBytes;
  #groupRows = 0;
  rows = 0;

  constructor(options: ParquetWriterOptions) {
    this.#options = options;
    this.#out = new FileBytes(options.memory);
    this.#tree = new SchemaTree(options.columns);
    this.#out.text(magic);
  }

  get fileBytes(): number {
    return this.#out.offset + this.#usedBytes;
  }

  get heldBytes(): number {
    return this.#usedBytes;
  }

  get #usedBytes(): number {
    return this.#tree.leaves.reduce((sum, leaf) => sum + leaf.usedBytes, 0);
  }

  /** As in FileWriter. */
  append(page: Page, rows: RowIndex, from: number, to: number): void {
    for (let start = from; start < to; ) {
      const end = Math.min(to, start + rowGroupRowsMax - this.#groupRows);
      this.#tree.columns.forEach((node, index) => {
        const column = page.columns[index] as Column;
        appendColumn(this.#options.memory, node, column, { index: rows.index(column.ids), from: start, to: end });
      });
      this.#groupRows += end - start;
      this.rows += end - start;
      this.#account();
      if (this.#groupRows === rowGroupRowsMax || this.#usedBytes >= this.#options.rowGroupBytes) {
        this.flush();
      }
      start = end;
    }
  }

  /** Ends the row group. */
  flush(): void {
    if (this.#groupRows === 0) {
      return;
    }
    const chunks = this.#tree.leaves.map((leaf) => leaf.flush(this.#out, this.#out.writtenBytes, this.#options.compressor));
    this.#groups.push({ rows: this.#groupRows, chunks });
    this.#groupRows = 0;
    this.#account();
  }

  finish(): void {
    this.flush();
    const columnIndexes = this.#groups.map(({ chunks }) => chunks.map((chunk) => this.#place(columnIndexOf(chunk))));
    const offsetIndexes = this.#groups.map(({ chunks }) => chunks.map((chunk) => this.#place(offsetIndexOf(chunk))));
    const footer = this.#footer(columnIndexes, offsetIndexes);
    this.#out.bytes(footer);
    this.#out.u32(footer.length);
    this.#out.text(magic);
    this.close();
  }

  take(): Uint8Array {
    return this.#out.take();
  }

  get takenBytes(): number {
    return this.#out.length;
  }

  close(): void {
    this.#out.close();
  }

  #account(): void {
    this.#out.account(this.#tree.leaves.reduce((sum, leaf) => sum + leaf.heldBytes, 0));
  }

  #place(index: Uint8Array | undefined): IndexPlace | undefined {
    if (index === undefined) {
      return undefined;
    }
    const offset = this.#out.offset;
    this.#out.bytes(index);
    return { offset, length: index.length };
  }

  #footer(columnIndexes: readonly Places[], offsetIndexes: readonly Places[]): Uint8Array {
    const { lines, leaves } = this.#tree;
    return new ThriftWriter()
      .i32(1, 1)
      .structs(2, lines, describeLine)
      .i64(3, this.rows)
      .structs(4, this.#groups, (writer, group, number) => {
        const bytes = (of: (chunk: WrittenChunk) => number): number => group.chunks.reduce((sum, chunk) => sum + of(chunk), 0);
        writer.structs(1, group.chunks, (one, chunk, leaf) =>
          describeChunk(one, chunk, { column: columnIndexes[number]?.[leaf], offset: offsetIndexes[number]?.[leaf] }),
        );
        writer.i64(
          2,
          bytes((chunk) => chunk.uncompressedBytes),
        );
        writer.i64(3, group.rows);
        this.#describeOrder(writer);
        writer.i64(5, startOf(group.chunks[0]));
        writer.i64(
          6,
          bytes((chunk) => chunk.compressedBytes),
        );
        writer.i16(7, Math.min(number, 32_767));
      })
      .binary(6, createdBy)
      .structs(7, leaves, (writer) => writer.struct(1, () => {}))
      .end();
  }

  /** Sorting columns are leaves; nested columns are not sorted by. */
  #describeOrder(writer: ThriftWriter): void {
    const { sortedBy, columns } = this.#options;
    const { leaves } = this.#tree;
    if (sortedBy.length === 0) {
      return;
    }
    writer.structs(4, sortedBy, (one, { column, descending, nullsFirst }) => {
      const node = this.#tree.columns[columns.findIndex(({ name }) => name === column)];
      one
        .i32(1, leaves.indexOf(node?.leaves[0] as LeafWriter))
        .boolean(2, descending)
        .boolean(3, nullsFirst);
    });
  }
}

type Places = readonly (IndexPlace | undefined)[];

function startOf(chunk: WrittenChunk | undefined): number {
  return chunk?.dictionaryOffset ?? chunk?.dataOffset ?? 0;
}

interface Range {
  /** Row numbers of the column's values; undefined for row k itself. */
  readonly index: Uint32Array | undefined;
  readonly from: number;
  readonly to: number;
}

function appendColumn(memory: MemoryContext, node: NodeWriter, column: Column, range: Range): void {
  if (isNested(column.type)) {
    appendNested(memory, node, column, range);
    return;
  }
  const { linear } = memory;
  const { u8, u32 } = linear;
  const { index, from, to } = range;
  const [leaf] = node.leaves as [LeafWriter];
  const { values } = leaf;
  const { fromPage, words: wordCount } = leaf.schema.type;
  const width = physicalWidth(physicalType(column.type));
  for (let position = from; position < to; position++) {
    const row = index === undefined ? position : (index[position] as number);
    if (column.nulls !== 0 && u8[column.nulls + row] === 1) {
      leaf.level(0, 0);
      continue;
    }
    leaf.level(1, 0);
    const address = column.values + row * width;
    if (wordCount === 0) {
      const start = u32[address >>> 2] as number;
      values.addBytes(u8, start, start + (u32[(address >>> 2) + 1] as number));
    } else {
      fromPage(linear, address, values.words);
      values.addWords();
    }
  }
}

function appendNested({ linear }: MemoryContext, node: NodeWriter, column: Column, { index, from, to }: Range): void {
  const { u8, u32 } = linear;
  for (let position = from; position < to; position++) {
    const row = index === undefined ? position : (index[position] as number);
    if (column.nulls !== 0 && u8[column.nulls + row] === 1) {
      node.write(null, 0, 0);
      continue;
    }
    const address = u32[(column.values >>> 2) + row * 2] as number;
    const bytes = u8.slice(address, address + (u32[(column.values >>> 2) + row * 2 + 1] as number));
    node.write(decodeNested(column.type as NestedType, { u8: bytes, view: viewOf(bytes) }), 0, 0);
  }
}

/** None for a column of which a page has values without bounds. */
function columnIndexOf({ pages }: WrittenChunk): Uint8Array | undefined {
  const isNullPage = ({ valueCount }: WrittenPage): boolean => valueCount === 0;
  if (pages.some((page) => page.bounds === undefined && !isNullPage(page))) {
    return undefined;
  }
  const empty = encodeUtf8("");
  return new ThriftWriter()
    .booleans(1, pages.map(isNullPage))
    .binaries(
      2,
      pages.map(({ bounds }) => bounds?.low.bytes ?? empty),
    )
    .binaries(
      3,
      pages.map(({ bounds }) => bounds?.high.bytes ?? empty),
    )
    .i32(4, unordered)
    .integers(
      5,
      thrift.i64,
      pages.map(({ nullCount }) => nullCount),
    )
    .end();
}

function offsetIndexOf({ pages }: WrittenChunk): Uint8Array {
  return new ThriftWriter()
    .structs(1, pages, (writer, { offset, sizeBytes, firstRow }) => writer.i64(1, offset).i32(2, sizeBytes).i64(3, firstRow))
    .end();
}

function describeChunk(
  writer: ThriftWriter,
  chunk: WrittenChunk,
  indexes: { readonly column: IndexPlace | undefined; readonly offset: IndexPlace | undefined },
): void {
  const { leaf, bounds } = chunk;
  writer.i64(2, 0);
  writer.struct(3, (metadata) =>
    metadata
      .i32(1, leaf.type.physical)
      .integers(2, thrift.i32, chunk.encodings)
      .binaries(3, leaf.path)
      .i32(4, chunk.codec)
      .i64(5, chunk.entryCount)
      .i64(6, chunk.uncompressedBytes)
      .i64(7, chunk.compressedBytes)
      .i64(9, chunk.dataOffset)
      .i64(11, chunk.dictionaryOffset)
      .struct(12, (statistics) =>
        statistics
          .i64(3, chunk.nullCount)
          .i64(4, chunk.distinctCount)
          .binary(5, bounds?.high.bytes)
          .binary(6, bounds?.low.bytes)
          .boolean(7, bounds?.high.isExact)
          .boolean(8, bounds?.low.isExact),
      ),
  );
  writer.i64(4, indexes.offset?.offset).i32(5, indexes.offset?.length);
  writer.i64(6, indexes.column?.offset).i32(7, indexes.column?.length);
}
