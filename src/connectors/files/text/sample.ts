/**
 * The columns of a CSV or JSON lines file, found from a sample at its start.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { Storage } from "../../../ports/storage.ts";
import { sameType } from "../../../types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import { type ByteStream, CompressedStream } from "../byte-stream.ts";
import { BadData, badFile } from "../../shared/file-errors.ts";
import { Slices, type Turns } from "../../shared/slices.ts";
import type { TableFile } from "../folder.ts";
import { distinctNames } from "../names.ts";
import { type CsvDialect, CsvScanner, lineEndOf } from "./csv.ts";
import { detectDialect, lineEndsOf, type TextOptions } from "./dialect.ts";
import { kindOfNumber, kindOfText, kindOfTime, seen, type Seen, typeOf } from "./inference.ts";
import { JsonLinesScanner, jsonFormOf, plainColumn, NoObject } from "./json-lines.ts";
import { type JsonShape, nothingSeen, shapeOf, unite } from "./json-shape.ts";
import { recordBytesMax } from "./page-source.ts";
import { BadRecord, cell, isText, type RecordScanner } from "./records.ts";
import { chunkBytes, lineOf, openStream } from "./streams.ts";
import { TextWindow } from "./window.ts";

const sampleChunkBytesMin = 4096;
const byteOrderMarkBytes = 3;
/** Of a record at the cost of a row. */
const unitBytes = 64;
const unitSlots = 8;

export interface TextDescription {
  /** Names of the fields in the file's order: all fields of CSV, the keys seen in the sample of JSON. */
  readonly fields: readonly string[];
  readonly kinds: readonly Seen[];
  /** Of JSON: what nested values hold, by field. */
  readonly shapes?: readonly JsonShape[];
  /** Of JSON: there is not one object a line. */
  readonly isFree?: boolean;
  /** Of JSON: records are values of one column. */
  readonly isPlain?: boolean;
  /** Of CSV. */
  readonly dialect?: CsvDialect;
  /** Lines before the first record that are skipped. */
  readonly titleLines?: number;
  readonly hasHeader: boolean;
  /** Offset of the first record. */
  readonly dataStart: number;
  /** An estimate unless the sample is the whole file. */
  readonly rows: number;
}

interface FirstRecord {
  readonly texts: readonly string[];
  readonly kinds: readonly Seen[];
  readonly offset: number;
}

/** Whether the first record names the columns: all columns are text, or one of its values does not fit the others of its column. */
function isHeader(first: readonly Seen[], others: readonly Seen[], rows: number): boolean {
  if (rows === 0) {
    return first.some((kind) => typeOf(kind).kind === "varchar");
  }
  const types = others.map(typeOf);
  return (
    types.every(({ kind }) => kind === "varchar") ||
    types.some((type, slot) => !sameType(type, typeOf((others[slot] ?? 0) | (first[slot] ?? 0))))
  );
}

/** Reads up to `sampleBytes` of the file. */
export async function describeTextFile(storage: Storage, file: TableFile, options: DescribeOptions): Promise<TextDescription> {
  return (await describedAs(storage, file, { ...options, isPlain: false })) as TextDescription;
}

interface DescribeOptions {
  readonly sampleBytes: number;
  readonly memory: MemoryContext;
  readonly text: TextOptions;
  /** A sample is read in slices, which it ends. */
  readonly clock: Turns;
}

/** `isPlain`: all records of a JSON file are values of one column. undefined if that does not help. */
async function describedAs(
  storage: Storage,
  file: TableFile,
  options: DescribeOptions & { readonly isPlain: boolean },
): Promise<TextDescription | undefined> {
  const memory = options.memory.child("files sample");
  const sample = new Sample(storage, file, {
    memory,
    clock: options.clock,
    text: options.text,
    isPlain: options.isPlain,
    chunkBytes: Math.min(chunkBytes, Math.max(sampleChunkBytesMin, options.sampleBytes)),
  });
  try {
    return await sample.describe(options.sampleBytes);
  } catch (error) {
    if (error instanceof BadData && options.isPlain) {
      return undefined;
    }
    // As in DuckDB: objects that are followed by other values are values as well.
    const plain = error instanceof NoObject ? await describedAs(storage, file, { ...options, isPlain: true }) : undefined;
    if (plain !== undefined) {
      return plain;
    }
    if (error instanceof BadData) {
      throw badFile(
        file.path,
        `line ${await lineOf(storage, { ...file, dialect: sample.lines }, sample.triedOffset, options.memory)}`,
        error.message,
      );
    }
    throw error;
  } finally {
    memory.close();
  }
}

function linesOf(bytes: Uint8Array, lineEnd: number): number {
  return bytes.reduce((sum, byte) => sum + (byte === lineEnd ? 1 : 0), 0);
}

class Sample {
  readonly #file: TableFile;
  readonly #stream: ByteStream;
  readonly #window: TextWindow;
  readonly #memory: MemoryContext;
  #readBytes = 0;

  readonly #options: TextOptions;
  readonly #isPlain: boolean;
  readonly #clock: Turns;
  #scanner: RecordScanner | undefined;
  /** Of CSV. */
  lines: Pick<CsvDialect, "hasReturns"> = {};
  /** Of nested values, by slot. */
  readonly #shapes: (JsonShape | undefined)[] = [];
  /** Bytes of the text of NULL. */
  readonly #nullText: Uint8Array | undefined;

  constructor(
    storage: Storage,
    file: TableFile,
    options: Omit<DescribeOptions, "sampleBytes"> & { readonly chunkBytes: number; readonly isPlain: boolean },
  ) {
    this.#clock = options.clock;
    const { memory, chunkBytes: bytes, isPlain, text } = options;
    this.#options = text;
    this.#isPlain = isPlain;
    this.#nullText = text.nullText === undefined ? undefined : encodeUtf8(text.nullText);
    this.#file = file;
    this.#stream = openStream(storage, file, { start: 0, end: file.sizeBytes, chunkBytes: bytes, memory });
    this.#memory = memory;
    this.#window = new TextWindow(memory, 0);
  }

  /** Offset of the current record. */
  get offset(): number {
    return this.#window.offsetOf(this.#window.start);
  }

  /** Offset of the record that was tried last. */
  get triedOffset(): number {
    return this.#window.offsetOf(this.#scanner?.recordStart ?? this.#window.start);
  }

  async describe(sampleBytes: number): Promise<TextDescription> {
    await this.#more();
    this.#skipByteOrderMark();
    if (this.#file.format === "json") {
      const form = jsonFormOf(this.#memory.linear.u8, this.#window.start, this.#window.end);
      const { isFree, isPlain } = { ...form, ...(this.#isPlain && { isPlain: true }) };
      const keys = isPlain ? [plainColumn] : [];
      const scanner = new JsonLinesScanner(this.#memory.linear, { keys, collect: !isPlain, isFree, isPlain });
      this.#scanner = scanner;
      const { dataStart, kinds, rows } = await this.#kinds(scanner, sampleBytes);
      return {
        fields: scanner.keys,
        kinds: scanner.keys.map((_, slot) => kinds[slot] ?? seen.nothing),
        shapes: scanner.keys.map((_, slot) => this.#shapes[slot] ?? nothingSeen),
        isFree,
        isPlain,
        dataStart,
        rows,
        hasHeader: false,
      };
    }
    this.lines = lineEndsOf(this.#memory.linear.u8.subarray(this.#window.start, this.#window.end));
    await this.#skipLines(this.#options.skip ?? 0);
    const { dialect, start } = detectDialect(this.#memory.linear, this.#window, this.#file.format === "tsv", this.#options);
    const titleLines = linesOf(this.#memory.linear.u8.subarray(this.#window.start, start), lineEndOf(dialect));
    this.#window.start = start;
    const first = await this.#first(dialect);
    if (first === undefined) {
      return { fields: [], kinds: [], dialect, dataStart: this.offset, rows: 0, hasHeader: false };
    }
    const scanner = new CsvScanner(this.#memory.linear, { dialect, fieldCount: first.texts.length });
    const { dataStart, kinds, rows } = await this.#kinds(scanner, sampleBytes);
    const found = first.texts.map((_, slot) => kinds[slot] ?? seen.nothing);
    if (this.#options.header ?? isHeader(first.kinds, found, rows)) {
      return { fields: distinctNames(first.texts), kinds: found, dialect, titleLines, dataStart, rows, hasHeader: true };
    }
    return {
      fields: first.texts.map((_, slot) => `column${slot}`),
      kinds: found.map((kind, slot) => kind | (first.kinds[slot] ?? seen.nothing)),
      dialect,
      titleLines,
      dataStart: first.offset,
      rows: rows + 1,
      hasHeader: false,
    };
  }

  async #skipLines(lines: number): Promise<void> {
    for (let line = 0; line < lines; line++) {
      await this.#skipLine();
    }
  }

  async #skipLine(): Promise<void> {
    const window = this.#window;
    for (;;) {
      const at = this.#memory.linear.u8.subarray(window.start, window.end).indexOf(lineEndOf(this.lines));
      if (at >= 0 || window.isLast) {
        window.start = at < 0 ? window.end : window.start + at + 1;
        return;
      }
      this.#requireBound();
      await this.#more();
    }
  }

  #requireBound(): void {
    const { start, end } = this.#window;
    if (end - start > recordBytesMax) {
      throw new BadData(`a record is longer than ${recordBytesMax} bytes`);
    }
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
    // A record is scanned again from its start when twice as many bytes are there.
    let wantedBytes = 1;
    for (;;) {
      const bytes = window.end - window.start;
      if (bytes > 0 && (bytes >= wantedBytes || window.isLast)) {
        const behind = scanner.scan(window.start, window.end, window.isLast);
        if (behind !== 0) {
          this.#behind = behind;
          return true;
        }
        wantedBytes = 2 * bytes;
      }
      if (window.isLast) {
        return false;
      }
      this.#requireBound();
      await this.#more();
    }
  }

  #behind = 0;

  /** Records that are none are passed over where that is asked for. */
  async #nextGood(scanner: RecordScanner): Promise<boolean> {
    for (;;) {
      try {
        return await this.#next(scanner);
      } catch (error) {
        if (this.#options.ignoresErrors !== true || !(error instanceof BadData)) {
          throw error;
        }
        await this.#skipRecord(error);
      }
    }
  }

  async #skipRecord(error: BadData): Promise<void> {
    const behind = error instanceof BadRecord ? error.behind : 0;
    if (behind === 0) {
      await this.#skipLine();
    } else {
      this.#window.start = Math.min(behind, this.#window.end);
    }
  }

  #isWhole(scanner: RecordScanner): boolean {
    const { start, end, isLast } = this.#window;
    try {
      return scanner.scan(start, end, isLast) !== 0;
    } catch (error) {
      if (error instanceof BadData) {
        return true;
      }
      throw error;
    }
  }

  /** The first line that is not blank; undefined if there is none. */
  async #first(dialect: CsvDialect): Promise<FirstRecord | undefined> {
    const scanner = new CsvScanner(this.#memory.linear, { dialect, fieldCount: 0 });
    for (;;) {
      if (!(await this.#next(scanner))) {
        return undefined;
      }
      const { offset } = this;
      if (scanner.isRecord) {
        const texts = this.#names(scanner);
        const kinds: Seen[] = [];
        this.#learn(scanner, kinds);
        this.#window.start = this.#behind;
        return { texts, kinds, offset };
      }
      this.#window.start = this.#behind;
    }
  }

  #names(scanner: CsvScanner): readonly string[] {
    const { u8 } = this.#memory.linear;
    const written: string[] = [];
    for (let slot = 0; slot < scanner.fieldCount; slot++) {
      const text = decodeUtf8(u8, scanner.starts[slot] as number, scanner.ends[slot] as number);
      written.push(scanner.kinds[slot] === cell.escaped ? this.#unescaped(scanner, slot) : text);
    }
    return written;
  }

  /** On a copy: the record is read again. */
  #unescaped(scanner: CsvScanner, slot: number): string {
    const { linear } = this.#memory;
    const [start, end] = [scanner.starts[slot] as number, scanner.ends[slot] as number];
    const copy = this.#memory.allocate(Math.max(1, end - start));
    linear.u8.copyWithin(copy, start, end);
    const text = decodeUtf8(linear.u8, copy, scanner.unescape(copy, copy + end - start));
    this.#memory.free(copy);
    return text;
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
    const slices = new Slices(this.#clock);
    while (window.start < window.end || this.#readBytes < sampleBytes) {
      if (this.#readBytes >= sampleBytes && !this.#isWhole(scanner)) {
        break;
      }
      if (!(await this.#nextGood(scanner))) {
        isAll = true;
        break;
      }
      if (scanner.isRecord) {
        rows++;
        this.#learn(scanner, kinds);
      }
      const turned = slices.after(Math.ceil((this.#behind - window.start) / unitBytes + scanner.slotCount / unitSlots));
      window.start = this.#behind;
      if (turned !== undefined) {
        await turned;
      }
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
      if (kind === cell.bare && isText(u8, start, end, this.#nullText)) {
        continue;
      }
      if (kind === cell.nested && this.#file.format === "json") {
        const shape = shapeOf(u8.slice(start, end), 0, end - start);
        this.#shapes[slot] = unite(this.#shapes[slot] ?? nothingSeen, shape);
        continue;
      }
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
