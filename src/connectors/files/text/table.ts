/**
 * CSV and JSON lines files as parts of a table: where a file may be cut into splits, and reading a split.
 */
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { Storage } from "../../../ports/storage.ts";
import { ownMember } from "../../../types/own.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import type { ColumnMetadata, Json, PageSource, Split } from "../../spi.ts";
import { RangeStream } from "../byte-stream.ts";
import { type CellFinder, CsvCells, JsonCells } from "./cells.ts";
import { type CsvDialect, CsvScanner, lineEndOf, noQuote } from "./csv.ts";
import type { TextOptions } from "./dialect.ts";
import type { Compression, TableFile } from "../folder.ts";
import { JsonLinesScanner } from "./json-lines.ts";
import { TextKernels } from "./kernels/kernels.ts";
import type { DateOrder } from "./moments.ts";
import { type BadRecords, TextPageSource } from "./page-source.ts";
import type { RecordScanner } from "./records.ts";
import { CountedRecords, RejectsPageSource } from "./rejects.ts";
import type { TextDescription } from "./sample.ts";
import { chunkBytes, lineCounter, lineOf, newline, openStream, SkippingStream } from "./streams.ts";

/** Bytes read at a time in search of a line end; mostly enough for a line. */
const lineChunkBytes = 16_384;

/**
 * Offsets at which splits begin: the first record at or after every multiple of `splitBytes`. Quoted line ends do not end a record, so a
 * CSV file is scanned for its quotes.
 */
export async function textSplitStarts(storage: Storage, file: TableFile, options: SplitOptions): Promise<readonly number[]> {
  const { dataStart } = options.description;
  if (
    file.compression !== "none" ||
    options.description.isFree === true ||
    hasEscapes(options.description) ||
    options.description.dialect?.hasReturns === true ||
    file.sizeBytes - dataStart <= options.splitBytes
  ) {
    return [dataStart];
  }
  return file.format === "json" ? jsonSplitStarts(storage, file, options) : csvSplitStarts(storage, file, options);
}

/** Quotes cannot be paired by counting where they are escaped by another character. */
function hasEscapes({ dialect }: TextDescription): boolean {
  return dialect !== undefined && dialect.escape !== dialect.quote;
}

export interface SplitOptions {
  readonly description: TextDescription;
  readonly splitBytes: number;
  readonly memory: MemoryContext;
  readonly runtime: KernelRuntime;
}

/** Reads only near the multiples, to find line ends. */
async function jsonSplitStarts(storage: Storage, file: TableFile, { description, splitBytes }: SplitOptions): Promise<readonly number[]> {
  const { path, sizeBytes } = file;
  const { dataStart } = description;
  const starts = [dataStart];
  for (let target = dataStart + splitBytes; target < sizeBytes; ) {
    const stream = new RangeStream(storage, { path, sizeBytes, start: target - 1, end: sizeBytes, chunkBytes: lineChunkBytes });
    let start = target - 1;
    for (let bytes = await stream.next(); bytes !== undefined; bytes = await stream.next()) {
      const end = bytes.indexOf(newline);
      start += end < 0 ? bytes.length : end + 1;
      if (end >= 0) {
        break;
      }
    }
    if (start < sizeBytes) {
      starts.push(start);
    }
    target = nextTarget(target, start, splitBytes);
  }
  return starts;
}

/** The first multiple after a split's start. */
function nextTarget(target: number, start: number, splitBytes: number): number {
  return Math.max(start + 1, target + splitBytes * Math.max(1, Math.ceil((start - target) / splitBytes)));
}

/** Between the multiples only the number of quotes counts. */
async function csvSplitStarts(storage: Storage, file: TableFile, options: SplitOptions): Promise<readonly number[]> {
  const { description, splitBytes } = options;
  const { dataStart, dialect } = description;
  const { path, sizeBytes } = file;
  const quotes = new QuoteCount(options, dialect?.quote ?? noQuote);
  const starts = [dataStart];
  const stream = new RangeStream(storage, { path, start: dataStart, end: sizeBytes, sizeBytes, chunkBytes, isReused: true });
  let target = dataStart + splitBytes;
  let base = dataStart;
  try {
    for (let bytes = await stream.next(); bytes !== undefined; bytes = await stream.next()) {
      for (let from = 0; from < bytes.length; ) {
        const near = Math.min(bytes.length, target - 1 - base);
        if (near > from) {
          quotes.count(bytes.subarray(from, near));
          from = near;
          continue;
        }
        const end = quotes.lineEnd(bytes, from);
        from = end + 1;
        const start = base + from;
        if (end < bytes.length && start < sizeBytes) {
          starts.push(start);
        }
        target = end < bytes.length ? nextTarget(target, start, splitBytes) : target;
      }
      base += bytes.length;
    }
  } finally {
    quotes.close();
  }
  return starts;
}

/** Whether the bytes after those that were seen are between quotes. */
class QuoteCount {
  readonly #quote: number;
  readonly #memory: MemoryContext;
  readonly #kernels: TextKernels;
  readonly #block: Address;
  #isOdd = false;

  constructor({ memory, runtime }: SplitOptions, quote: number) {
    this.#quote = quote;
    this.#memory = memory.child("files quotes");
    this.#kernels = new TextKernels(runtime);
    this.#block = this.#memory.allocate(chunkBytes);
  }

  /** At most `chunkBytes` bytes. */
  count(bytes: Uint8Array): void {
    if (this.#quote !== noQuote) {
      this.#memory.linear.u8.set(bytes, this.#block);
      const isOdd = this.#kernels.hasOddQuotes({ start: this.#block, end: this.#block + bytes.length }, this.#quote);
      this.#isOdd = isOdd !== this.#isOdd;
    }
  }

  /** The first line end from `from` on that is not between quotes; the number of bytes if there is none. Counts the bytes before it. */
  lineEnd(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] === this.#quote) {
        this.#isOdd = !this.#isOdd;
      } else if (bytes[at] === newline && !this.#isOdd) {
        return at;
      }
    }
    return bytes.length;
  }

  close(): void {
    this.#memory.close();
  }
}

/** Plain JSON. */
export interface TextSplit {
  readonly path: string;
  readonly sizeBytes: number;
  readonly format: "csv" | "tsv" | "json";
  readonly compression: Compression;
  readonly start: number;
  readonly end: number;
  readonly fields: readonly string[];
  /** Of CSV. */
  readonly dialect?: CsvDialect;
  /** Of JSON: there is not one object a line. */
  readonly isFree?: boolean;
  /** Of JSON: records are values of one column. */
  readonly isPlain?: boolean;
  /** By column: orders of dates other than that of ISO 8601. */
  readonly orders?: DateOrders;
  readonly nullText?: string;
  readonly ignoresErrors?: boolean;
  /** The rows are the errors of reading these columns. */
  readonly rejects?: readonly StoredColumn[];
}

type StoredColumn = Pick<ColumnMetadata, "name" | "type">;

export type DateOrders = Readonly<Record<string, DateOrder>>;

export function textSplits(
  file: TableFile,
  description: TextDescription,
  options: {
    readonly starts: readonly number[];
    readonly text: TextOptions;
    readonly orders: DateOrders | undefined;
    readonly rejects: readonly StoredColumn[] | undefined;
  },
): readonly Split[] {
  const { fields, dialect, dataStart, rows } = description;
  const { starts, orders, text, rejects } = options;
  const added = {
    ...(dialect !== undefined && { dialect }),
    ...(description.isFree === true && { isFree: true }),
    ...(description.isPlain === true && { isPlain: true }),
    ...(orders !== undefined && { orders }),
    ...(text.nullText !== undefined && { nullText: text.nullText }),
    ...(text.ignoresErrors === true && { ignoresErrors: true }),
    ...(rejects !== undefined && { rejects: rejects.filter(({ name }) => fields.includes(name)) }),
  };
  const { path, sizeBytes, compression } = file;
  const format = file.format as TextSplit["format"];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? sizeBytes;
    const payload: TextSplit = { path, sizeBytes, format, compression, start, end, fields, ...added };
    const part = compression !== "none" ? 1 : (end - start) / Math.max(1, sizeBytes - dataStart);
    return { payload: payload as unknown as Json, rows: Math.round(rows * part) };
  });
}

interface TextRequest {
  readonly kernels: TextKernels;
  readonly columns: readonly ColumnMetadata[];
  readonly memory: MemoryContext;
  readonly onWarning?: ((message: string) => void) | undefined;
}

export function openTextSplit(storage: Storage, split: TextSplit, request: TextRequest): PageSource {
  const { path, fields, rejects, ignoresErrors = false } = split;
  if (rejects !== undefined) {
    const memory = request.memory.child("files rejects");
    return new RejectsPageSource({
      path,
      open: (bad) => openRecords(storage, split, { kernels: request.kernels, columns: rejects, memory, bad: () => bad }),
      fields,
      names: rejects.map(({ name }) => name),
      lines: lineCounter(storage, split, memory),
      columns: request.columns,
      memory,
    });
  }
  const warn = (message: string): void => request.onWarning?.(`${path}: ${message}`);
  return openRecords(storage, split, { ...request, bad: (line) => (ignoresErrors ? new CountedRecords(line, warn) : undefined) });
}

interface ScannerRequest {
  readonly kernels: TextKernels;
  readonly memory: MemoryContext;
  readonly slots: readonly number[];
}

/** Without a finder of cells, records are read one by one. */
function scannerOf(
  { fields, dialect, isFree = false, isPlain = false }: TextSplit,
  request: ScannerRequest,
): { readonly scanner: RecordScanner; readonly cells?: CellFinder } {
  const { linear } = request.memory;
  const isShared = new Set(request.slots.filter((slot) => slot >= 0)).size < request.slots.filter((slot) => slot >= 0).length;
  if (dialect !== undefined) {
    const scanner = new CsvScanner(linear, { dialect, fieldCount: fields.length });
    return isShared || dialect.escape !== dialect.quote || dialect.hasReturns === true
      ? { scanner }
      : { scanner, cells: new CsvCells({ ...request, dialect, fieldCount: fields.length }) };
  }
  if (isShared || isFree || isPlain) {
    return { scanner: new JsonLinesScanner(linear, { keys: fields, collect: false, isFree, isPlain }) };
  }
  const cells = new JsonCells(request);
  const onKey = (written: Uint8Array, slot: number): void => cells.learn(written, slot);
  return { scanner: new JsonLinesScanner(linear, { keys: fields, collect: false, isFree, onKey }), cells };
}

interface RecordsRequest {
  readonly kernels: TextKernels;
  readonly columns: readonly StoredColumn[];
  readonly memory: MemoryContext;
  readonly bad: (lineOf: (offset: number) => Promise<number>) => BadRecords | undefined;
}

function openRecords(storage: Storage, split: TextSplit, request: RecordsRequest): PageSource {
  const memory = request.memory.child("files");
  const { fields, orders = {}, nullText } = split;
  const slots = request.columns.map(({ name }) => fields.indexOf(name));
  const { scanner, cells } = scannerOf(split, { kernels: request.kernels, memory, slots });
  const stream = openStream(storage, split, { start: split.start, end: split.end, chunkBytes, memory });
  const line = (offset: number): Promise<number> => lineOf(storage, split, offset, memory);
  return new TextPageSource({
    path: split.path,
    stream: split.compression !== "none" ? new SkippingStream(stream, split.start) : stream,
    startOffset: split.start,
    lineEnd: lineEndOf(split.dialect),
    scanner,
    slots,
    batches: cells && { kernels: request.kernels, cells },
    columns: request.columns.map(({ name, type }) => ({ name, type, order: ownMember(orders, name), isJson: split.format === "json" })),
    nullText: nullText === undefined ? undefined : encodeUtf8(nullText),
    bad: request.bad(line),
    memory,
    lineOf: line,
  });
}
