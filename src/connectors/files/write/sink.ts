/**
 * Takes the rows of one task and stages them as files: one at a time for each partition, each of a bounded size. Files become visible when
 * the write is committed (commit.ts).
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import { Flattener } from "../../../page/gather.ts";
import type { Column, Page } from "../../../page/page.ts";
import { Widener } from "../../../page/widener.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import type { ColumnMetadata, Json, PageSink } from "../../spi.ts";
import { ArrowWriter } from "./arrow/arrow-writer.ts";
import { compressorOf } from "./compress/compressors.ts";
import { extensionOf } from "./description.ts";
import type { FileStage, StagedUpload } from "./file-stage.ts";
import { type FileWriter, type RowIndex, SomeRows } from "./file-writer.ts";
import { ParquetWriter } from "./parquet/parquet-writer.ts";
import { writing } from "./staging.ts";
import { partitionFolder, type TableOptions } from "./table-options.ts";
import { dateText } from "./text/moments.ts";
import { TextWriter } from "./text/text-writer.ts";

/** Bytes of a file that are written at once. */
const pieceBytesMin = 1_048_576;
/** Rows after which the size of a file is looked at. */
const sliceRows = 1024;
/** Bytes that wait for the storage before the sink takes no more rows. */
const waitingBytesMax = 8_388_608;
/** Bytes that the open files of a task hold together, before they end their row groups. */
const heldBytesMax = 134_217_728;

export interface WrittenFile {
  /** Where it is staged, below the folder of the catalog. */
  readonly staged: string;
  /** Folders `key=value`; "" without partitions. */
  readonly partition: string;
  readonly rows: number;
  readonly sizeBytes: number;
  /** In an object store: the parts that become the file, whose path is `staged`. */
  readonly upload?: StagedUpload;
}

/** The result of a sink. */
export interface FilesFragment {
  readonly nodeId: string;
  readonly files: readonly WrittenFile[];
}

export interface SinkOptions {
  readonly stage: FileStage;
  readonly nodeId: string;
  readonly table: TableOptions;
  /** Of the pages, in their order. */
  readonly columns: readonly ColumnMetadata[];
  readonly targetFileBytes: number;
  readonly rowGroupBytes: number;
  readonly partitionsMax: number;
  readonly memory: MemoryContext;
}

interface OpenFile {
  readonly partition: string;
  readonly path: string;
  readonly writer: FileWriter;
  sizeBytes: number;
}

/** A file without rows, which says what columns a table has. */
export function emptyFile(options: Pick<SinkOptions, "table" | "columns" | "memory" | "rowGroupBytes">): Uint8Array {
  const writer = createWriter(options);
  writer.finish();
  return writer.take();
}

export class FilesSink implements PageSink {
  readonly #options: SinkOptions;
  /** Places of the columns that files hold, and of those that folders hold. */
  readonly #stored: readonly number[];
  readonly #keys: readonly number[];
  readonly #widener: Widener;
  readonly #open = new Map<string, OpenFile>();
  readonly #written: WrittenFile[] = [];
  #files = 0;
  /** The end of the operations of the storage, one after the other. */
  #tail: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #aborted = false;

  constructor(options: SinkOptions) {
    this.#options = options;
    const { columns, memory, table } = options;
    this.#widener = new Widener(memory);
    const places = columns.map((_column, place) => place);
    this.#stored = places.filter((place) => !table.partitionedBy.includes(columns[place]?.name ?? ""));
    this.#keys = table.partitionedBy.map((key) => columns.findIndex(({ name }) => name === key));
  }

  append(page: Page): void {
    this.#throwFailure();
    try {
      this.#append(this.#widener.widen(page));
    } finally {
      this.#widener.free();
    }
    this.#limitHeld();
  }

  #append(page: Page): void {
    const all = new Flattener(this.#options.memory.linear, page);
    const stored: Page = { ...page, columns: this.#stored.map((place) => page.columns[place] as Column) };
    if (this.#keys.length === 0) {
      this.#write("", stored, { rows: all, count: page.positionCount });
    } else {
      for (const [partition, positions] of this.#partitions(page, all)) {
        const isAll = positions.length === page.positionCount;
        this.#write(partition, stored, { rows: isAll ? all : new SomeRows(all, positions), count: positions.length });
      }
    }
  }

  blocked(): Promise<void> | undefined {
    return this.#waitingBytes > waitingBytesMax ? this.#tail : undefined;
  }

  async finish(): Promise<Json> {
    for (const file of this.#open.values()) {
      this.#end(file);
    }
    this.#open.clear();
    await this.#tail;
    this.#throwFailure();
    const fragment: FilesFragment = { nodeId: this.#options.nodeId, files: this.#written };
    return fragment as unknown as Json;
  }

  abort(): void {
    if (this.#aborted) {
      return;
    }
    this.#aborted = true;
    for (const { writer } of this.#open.values()) {
      writer.close();
    }
    this.#open.clear();
    const { stage } = this.#options;
    stage.stop?.();
    // What cannot be removed now is removed with the write, or swept.
    this.#tail = this.#tail.then(() => stage.abort()).catch(() => {});
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
  }

  #write(partition: string, page: Page, { rows, count }: { readonly rows: RowIndex; readonly count: number }): void {
    for (let from = 0; from < count; from += sliceRows) {
      const file = this.#open.get(partition) ?? this.#openFile(partition);
      const { writer } = file;
      writer.append(page, rows, from, Math.min(count, from + sliceRows));
      if (writer.fileBytes >= this.#options.targetFileBytes) {
        this.#open.delete(partition);
        this.#end(file);
      } else if (writer.takenBytes >= pieceBytesMin) {
        this.#store(file);
      }
    }
  }

  #openFile(partition: string): OpenFile {
    const { stage, table, partitionsMax } = this.#options;
    if (this.#open.size >= partitionsMax) {
      throw new QueryError("GENERIC_USER_ERROR", `Exceeded limit of ${partitionsMax} open writers for partitions`);
    }
    const path = stage.pathOf(partition, `${this.#files++}${extensionOf(table)}`);
    const columns = this.#stored.map((place) => this.#options.columns[place] as ColumnMetadata);
    const file = { partition, path, writer: createWriter({ ...this.#options, columns }), sizeBytes: 0 };
    this.#open.set(partition, file);
    return file;
  }

  /** Files with the most buffered rows first. */
  #limitHeld(): void {
    const files = [...this.#open.values()].toSorted((a, b) => b.writer.heldBytes - a.writer.heldBytes);
    let held = files.reduce((sum, { writer }) => sum + writer.heldBytes, 0);
    for (const file of files) {
      if (held <= heldBytesMax) {
        return;
      }
      held -= file.writer.heldBytes;
      file.writer.flush();
      this.#store(file);
    }
  }

  #end(file: OpenFile): void {
    const { stage } = this.#options;
    const { path, partition, writer } = file;
    writer.finish();
    this.#store(file);
    this.#then(async () => {
      const upload = await writing(path, stage.end(path));
      this.#written.push({
        staged: path,
        partition,
        rows: writer.rows,
        sizeBytes: file.sizeBytes,
        ...(upload !== undefined && { upload }),
      });
    });
  }

  #store(file: OpenFile): void {
    const bytes = file.writer.take();
    const { stage, memory } = this.#options;
    const { path } = file;
    file.sizeBytes += bytes.length;
    memory.reserve(bytes.length);
    this.#waitingBytes += bytes.length;
    this.#then(async () => {
      await writing(path, stage.append(path, bytes));
      this.#waitingBytes -= bytes.length;
      if (!this.#aborted) {
        memory.release(bytes.length);
      }
    });
  }

  /** Runs after what was begun before; nothing is run after a failure. */
  #then(work: () => Promise<void>): void {
    this.#tail = this.#tail.then(async () => {
      if (this.#failure !== undefined || this.#aborted) {
        return;
      }
      try {
        await work();
      } catch (error) {
        this.#failure = { error };
        this.#waitingBytes = 0;
      }
    });
  }

  /** Positions of the rows of each partition, by its folders. */
  #partitions(page: Page, rows: RowIndex): ReadonlyMap<string, Uint32Array> {
    const found = new Map<string, number[]>();
    const names = this.#keys.map((place) => this.#folderNames(page, rows, place));
    for (let position = 0; position < page.positionCount; position++) {
      const partition = names.map((nameOf) => nameOf(position)).join("/");
      const positions = found.get(partition);
      if (positions === undefined) {
        found.set(partition, [position]);
      } else {
        positions.push(position);
      }
    }
    return new Map([...found].map(([partition, positions]) => [partition, Uint32Array.from(positions)]));
  }

  /** By position: the folder of the value of a partition column. */
  #folderNames(page: Page, rows: RowIndex, place: number): (position: number) => string {
    const { linear } = this.#options.memory;
    const { name } = this.#options.columns[place] as ColumnMetadata;
    const column = page.columns[place] as Column;
    const index = rows.index(column.ids);
    const text = textOfKey(column, linear);
    const known = new Map<number, string>();
    return (position) => {
      const row = index === undefined ? position : (index[position] as number);
      let folder = known.get(row);
      if (folder === undefined) {
        folder = partitionFolder(name, column.nulls !== 0 && linear.u8[column.nulls + row] === 1 ? null : text(row));
        known.set(row, folder);
      }
      return folder;
    };
  }
}

function textOfKey({ type, values }: Column, linear: MemoryContext["linear"]): (row: number) => string {
  switch (type.kind) {
    case "bigint":
      return (row) => String(linear.i64[(values >>> 3) + row]);
    case "integer":
      return (row) => String(linear.i32[(values >>> 2) + row]);
    case "date":
      return (row) => dateText(linear.i32[(values >>> 2) + row] as number);
    default:
      return (row) => {
        const start = linear.u32[(values >>> 2) + row * 2] as number;
        return decodeUtf8(linear.u8, start, start + (linear.u32[(values >>> 2) + row * 2 + 1] as number));
      };
  }
}

function createWriter({
  table,
  columns,
  memory,
  rowGroupBytes,
}: Pick<SinkOptions, "table" | "columns" | "memory" | "rowGroupBytes">): FileWriter {
  const compressor = compressorOf(table.compression);
  if (table.format === "PARQUET") {
    return new ParquetWriter({ columns, compressor, sortedBy: table.sortedBy, rowGroupBytes, memory });
  }
  if (table.format === "ARROW") {
    const codec = table.compression === "NONE" ? undefined : compressor;
    return new ArrowWriter({ columns, compressor: codec, batchBytes: rowGroupBytes, memory });
  }
  return new TextWriter({ columns, format: table.format, compress: (bytes) => compressor.compress(bytes), memory });
}
