/**
 * CSV and JSON lines files as parts of a table. Columns are inferred from a sample at the start of the file. This module also finds where
 * the file may be cut into splits, and reads a split.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { Storage } from "../../../ports/storage.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import type { ColumnMetadata, Json, PageSource, Split } from "../../spi.ts";
import { type ByteStream, CompressedStream, RangeStream } from "../byte-stream.ts";
import { CsvScanner } from "./csv.ts";
import { BadData, badFile } from "../errors.ts";
import type { Compression, TableFile } from "../folder.ts";
import { kindOfNumber, kindOfText, kindOfTime, seen, type Seen } from "./inference.ts";
import { Inflater } from "../inflate.ts";
import { JsonLinesScanner } from "./json-lines.ts";
import { distinctNames } from "../names.ts";
import { cell, type RecordScanner } from "./records.ts";
import { recordBytesMax, TextPageSource } from "./page-source.ts";
import { ZstdInflater } from "../zstd.ts";
import { TextWindow } from "./window.ts";

const chunkBytes = 1_048_576;
const compressedChunkBytes = 131_072;
const sampleChunkBytesMin = 4096;
const delimiters: readonly string[] = [",", ";", "\t", "|"];
const quote = 0x22;
const newline = 0x0a;
const byteOrderMarkBytes = 3;
/** Bytes read at a time in search of a line end; mostly enough for a line. */
const lineChunkBytes = 16_384;

export interface TextDescription {
  /** Names of the fields in the file's order: all fields of CSV, the keys seen in the sample of JSON. */
  readonly fields: readonly string[];
  readonly kinds: readonly Seen[];
  /** Code of the field delimiter; 0 for JSON. */
  readonly delimiter: number;
  /** Offset of the first record. */
  readonly dataStart: number;
  /** An estimate unless the sample is the whole file. */
  readonly rows: number;
}

type StoredText = Pick<TableFile, "path" | "sizeBytes" | "compression">;

/** A compressed file is read as a whole. The memory is charged with what its decompression takes. */
function openStream(
  storage: Storage,
  file: StoredText,
  range: { readonly start: number; readonly end: number; readonly chunkBytes: number; readonly memory: MemoryContext },
): ByteStream {
  const { path, sizeBytes, compression } = file;
  if (compression === "none") {
    return new RangeStream(storage, { path, sizeBytes, ...range });
  }
  const whole = { path, sizeBytes, start: 0, end: sizeBytes, chunkBytes: compressedChunkBytes };
  return new CompressedStream(storage, whole, compression === "gzip" ? new Inflater() : new ZstdInflater(range.memory));
}

/** Line of a byte, from 1. */
async function lineOf(storage: Storage, file: StoredText, offset: number, parent: MemoryContext): Promise<number> {
  const memory = parent.child("files lines");
  try {
    return await lineWithin(openStream(storage, file, { start: 0, end: file.sizeBytes, chunkBytes, memory }), offset);
  } finally {
    memory.close();
  }
}

async function lineWithin(stream: ByteStream, offset: number): Promise<number> {
  let line = 1;
  let passed = 0;
  while (passed < offset) {
    const bytes = await stream.next();
    if (bytes === undefined) {
      break;
    }
    const part = bytes.subarray(0, offset - passed);
    for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) {
      line++;
    }
    passed += bytes.length;
  }
  return line;
}

/** Reads up to `sampleBytes` of the file. */
export async function describeTextFile(
  storage: Storage,
  file: TableFile,
  options: { readonly sampleBytes: number; readonly memory: MemoryContext },
): Promise<TextDescription> {
  const memory = options.memory.child("files sample");
  const sample = new Sample(storage, file, {
    memory,
    chunkBytes: Math.min(chunkBytes, Math.max(sampleChunkBytesMin, options.sampleBytes)),
  });
  try {
    return await sample.describe(options.sampleBytes);
  } catch (error) {
    if (error instanceof BadData) {
      throw badFile(file.path, `line ${await lineOf(storage, file, sample.offset, options.memory)}`, error.message);
    }
    throw error;
  } finally {
    memory.close();
  }
}

class Sample {
  readonly #file: TableFile;
  readonly #stream: ByteStream;
  readonly #window: TextWindow;
  readonly #memory: MemoryContext;
  #readBytes = 0;

  constructor(storage: Storage, file: TableFile, options: { readonly memory: MemoryContext; readonly chunkBytes: number }) {
    const { memory, chunkBytes: bytes } = options;
    this.#file = file;
    this.#stream = openStream(storage, file, { start: 0, end: file.sizeBytes, chunkBytes: bytes, memory });
    this.#memory = memory;
    this.#window = new TextWindow(memory, 0);
  }

  /** Offset of the current record. */
  get offset(): number {
    return this.#window.offsetOf(this.#window.start);
  }

  async describe(sampleBytes: number): Promise<TextDescription> {
    await this.#more();
    this.#skipByteOrderMark();
    if (this.#file.format === "json") {
      const scanner = new JsonLinesScanner(this.#memory.linear, { keys: [], collect: true });
      const { dataStart, kinds, rows } = await this.#kinds(scanner, sampleBytes);
      return { fields: scanner.keys, kinds: scanner.keys.map((_, slot) => kinds[slot] ?? seen.nothing), delimiter: 0, dataStart, rows };
    }
    const { fields, delimiter } = await this.#header();
    const scanner = new CsvScanner(this.#memory.linear, { delimiter, fieldCount: fields.length });
    const { dataStart, kinds, rows } = await this.#kinds(scanner, sampleBytes);
    return { fields, kinds: fields.map((_, slot) => kinds[slot] ?? seen.nothing), delimiter, dataStart, rows };
  }

  async #more(): Promise<void> {
    const bytes = await this.#stream.next();
    if (bytes === undefined) {
      this.#window.isLast = true;
      return;
    }
    this.#readBytes += bytes.length;
    this.#window.append(bytes);
  }

  #skipByteOrderMark(): void {
    const { u8 } = this.#memory.linear;
    const { start, end } = this.#window;
    if (end - start >= byteOrderMarkBytes && u8[start] === 0xef && u8[start + 1] === 0xbb && u8[start + 2] === 0xbf) {
      this.#window.start += byteOrderMarkBytes;
    }
  }

  /** Scans the next record; returns false at the end of the file. */
  async #next(scanner: RecordScanner): Promise<boolean> {
    const window = this.#window;
    for (;;) {
      if (window.start < window.end) {
        const behind = scanner.scan(window.start, window.end, window.isLast);
        if (behind !== 0) {
          this.#behind = behind;
          return true;
        }
      }
      if (window.isLast) {
        return false;
      }
      if (window.end - window.start > recordBytesMax) {
        throw new BadData(`a record is longer than ${recordBytesMax} bytes`);
      }
      await this.#more();
    }
  }

  #behind = 0;

  /** The first line that is not blank. The delimiter is the one that splits it. */
  async #header(): Promise<{ readonly fields: readonly string[]; readonly delimiter: number }> {
    const candidates = this.#file.format === "tsv" ? ["\t"] : delimiters;
    let failure: BadData | undefined;
    let single: { readonly fields: readonly string[]; readonly delimiter: number } | undefined;
    for (const candidate of candidates) {
      const delimiter = candidate.charCodeAt(0);
      const scanner = new CsvScanner(this.#memory.linear, { delimiter, fieldCount: 0 });
      try {
        let found = await this.#next(scanner);
        while (found && !scanner.isRecord) {
          this.#window.start = this.#behind;
          found = await this.#next(scanner);
        }
        if (!found) {
          throw new BadData("the file has no header line");
        }
        const header = { fields: this.#names(scanner), delimiter };
        if (header.fields.length > 1) {
          this.#window.start = this.#behind;
          return header;
        }
        single ??= header;
      } catch (error) {
        if (!(error instanceof BadData)) {
          throw error;
        }
        failure ??= error;
      }
    }
    if (single === undefined) {
      throw failure ?? new BadData("the file has no header line");
    }
    await this.#next(new CsvScanner(this.#memory.linear, { delimiter: single.delimiter, fieldCount: 0 }));
    this.#window.start = this.#behind;
    return single;
  }

  #names(scanner: CsvScanner): readonly string[] {
    const { u8 } = this.#memory.linear;
    const written: string[] = [];
    for (let slot = 0; slot < scanner.fieldCount; slot++) {
      const text = decodeUtf8(u8, scanner.starts[slot] as number, scanner.ends[slot] as number);
      written.push(scanner.kinds[slot] === cell.none ? "" : scanner.kinds[slot] === cell.escaped ? text.replaceAll('""', '"') : text);
    }
    return distinctNames(written);
  }

  async #kinds(
    scanner: RecordScanner,
    sampleBytes: number,
  ): Promise<{ readonly dataStart: number; readonly kinds: readonly Seen[]; readonly rows: number }> {
    const window = this.#window;
    const dataStart = this.offset;
    const kinds: Seen[] = [];
    let rows = 0;
    let isAll = false;
    while (window.start < window.end || this.#readBytes < sampleBytes) {
      if (this.#readBytes >= sampleBytes && scanner.scan(window.start, window.end, window.isLast) === 0) {
        break;
      }
      if (!(await this.#next(scanner))) {
        isAll = true;
        break;
      }
      if (scanner.isRecord) {
        rows++;
        this.#learn(scanner, kinds);
      }
      window.start = this.#behind;
    }
    const sampled = this.offset - dataStart;
    return { dataStart, kinds, rows: isAll || sampled === 0 ? rows : Math.round((rows * (this.#wholeBytes() - dataStart)) / sampled) };
  }

  /** Size of the decompressed file; an estimate if it is compressed. */
  #wholeBytes(): number {
    const { sizeBytes } = this.#file;
    return this.#stream instanceof CompressedStream ? (sizeBytes * this.#readBytes) / Math.max(1, this.#stream.readBytes) : sizeBytes;
  }

  #learn(scanner: RecordScanner, kinds: Seen[]): void {
    const { u8 } = this.#memory.linear;
    for (let slot = 0; slot < scanner.slotCount; slot++) {
      kinds[slot] ??= seen.nothing;
      const kind = scanner.kinds[slot] as number;
      if (kind === cell.none || kinds[slot] === seen.text) {
        continue;
      }
      const start = scanner.starts[slot] as number;
      const end = scanner.ends[slot] as number;
      kinds[slot] = (kinds[slot] as number) | this.#kindOf(u8, kind, start, end);
    }
  }

  #kindOf(u8: Uint8Array, kind: number, start: number, end: number): Seen {
    if (this.#file.format === "json") {
      switch (kind) {
        case cell.literal:
          return u8[start] === 0x74 || u8[start] === 0x66 ? seen.boolean : kindOfNumber(u8, start, end);
        case cell.quoted:
          return kindOfTime(u8, start, end);
        default:
          return seen.text;
      }
    }
    // An empty pair of quotes gives no type: it is NULL in numeric columns and the empty text otherwise.
    return start === end ? seen.nothing : kind === cell.escaped ? seen.text : kindOfText(u8, start, end);
  }
}

/**
 * Offsets at which splits begin: the first record at or after every multiple of `splitBytes`. Quoted line ends do not end a record, so a
 * CSV file is scanned for its quotes.
 */
export async function textSplitStarts(storage: Storage, file: TableFile, options: SplitOptions): Promise<readonly number[]> {
  const { dataStart } = options.description;
  if (file.compression !== "none" || file.sizeBytes - dataStart <= options.splitBytes) {
    return [dataStart];
  }
  return file.format === "json" ? jsonSplitStarts(storage, file, options) : csvSplitStarts(storage, file, options);
}

interface SplitOptions {
  readonly description: TextDescription;
  readonly splitBytes: number;
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

async function csvSplitStarts(storage: Storage, file: TableFile, { description, splitBytes }: SplitOptions): Promise<readonly number[]> {
  const { dataStart } = description;
  const starts = [dataStart];
  const stream = new RangeStream(storage, {
    path: file.path,
    start: dataStart,
    end: file.sizeBytes,
    sizeBytes: file.sizeBytes,
    chunkBytes,
  });
  let target = dataStart + splitBytes;
  let inQuotes = false;
  let base = dataStart;
  for (let bytes = await stream.next(); bytes !== undefined; bytes = await stream.next()) {
    for (let from = 0; from < bytes.length; ) {
      const nextQuote = bytes.indexOf(quote, from);
      const to = nextQuote < 0 ? bytes.length : nextQuote;
      while (!inQuotes && base + to > target - 1) {
        const end = bytes.indexOf(newline, Math.max(from, target - 1 - base));
        if (end < 0 || end >= to) {
          break;
        }
        const start = base + end + 1;
        if (start < file.sizeBytes) {
          starts.push(start);
        }
        target = nextTarget(target, start, splitBytes);
      }
      inQuotes = nextQuote < 0 ? inQuotes : !inQuotes;
      from = to + 1;
    }
    base += bytes.length;
  }
  return starts;
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
  readonly delimiter: number;
}

export function textSplits(file: TableFile, description: TextDescription, starts: readonly number[]): readonly Split[] {
  const { fields, delimiter, dataStart, rows } = description;
  const { path, sizeBytes, compression } = file;
  const format = file.format as TextSplit["format"];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? sizeBytes;
    const payload: TextSplit = { path, sizeBytes, format, compression, start, end, fields, delimiter };
    const part = compression !== "none" ? 1 : (end - start) / Math.max(1, sizeBytes - dataStart);
    return { payload: payload as unknown as Json, rows: Math.round(rows * part) };
  });
}

export function openTextSplit(
  storage: Storage,
  split: TextSplit,
  request: { readonly columns: readonly ColumnMetadata[]; readonly memory: MemoryContext },
): PageSource {
  const memory = request.memory.child("files");
  const { linear } = memory;
  const { fields, delimiter } = split;
  const scanner =
    split.format === "json"
      ? new JsonLinesScanner(linear, { keys: fields, collect: false })
      : new CsvScanner(linear, { delimiter, fieldCount: fields.length });
  const stream = openStream(storage, split, { start: split.start, end: split.end, chunkBytes, memory });
  return new TextPageSource({
    path: split.path,
    stream: split.compression !== "none" ? new SkippingStream(stream, split.start) : stream,
    startOffset: split.start,
    scanner,
    slots: request.columns.map(({ name }) => fields.indexOf(name)),
    columns: request.columns,
    memory,
    lineOf: (offset) => lineOf(storage, split, offset, memory),
  });
}

/** Skips the first bytes: the header of a compressed file. */
class SkippingStream implements ByteStream {
  readonly #stream: ByteStream;
  #skipBytes: number;

  constructor(stream: ByteStream, skipBytes: number) {
    this.#stream = stream;
    this.#skipBytes = skipBytes;
  }

  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const bytes = await this.#stream.next();
      if (bytes === undefined || this.#skipBytes === 0) {
        return bytes;
      }
      const skipped = Math.min(this.#skipBytes, bytes.length);
      this.#skipBytes -= skipped;
      if (skipped < bytes.length) {
        return bytes.subarray(skipped);
      }
    }
  }
}
