/**
 * Reads records of a text file. Bytes come in chunks, and records are scanned in place: many at once by batches.ts, others one by one. The
 * requested columns become a page whose strings lie in the chunk itself. For a bad record the line number is computed before the error is
 * thrown.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import type { ColumnMetadata, PageSource } from "../../spi.ts";
import type { ByteStream } from "../byte-stream.ts";
import { BadData, badFile } from "../../shared/file-errors.ts";
import { type BatchOptions, RecordBatches } from "./batches.ts";
import { BadRecord, cell, isText, type RecordScanner } from "./records.ts";
import { rowBytesOf, TextColumn } from "./column.ts";
import type { DateOrder } from "./moments.ts";
import { TextWindow } from "./window.ts";

/** Maximum size of a record, in bytes. A record must fit into memory as a whole. */
export const recordBytesMax = 67_108_864;
/** Of the columns of a page, without what their texts refer to: pages of more than about fifty columns have fewer rows. */
const columnsBytesMax = 8_388_608;

export interface TextSourceOptions {
  readonly path: string;
  readonly stream: ByteStream;
  /** Offset of the stream's first byte in the (decompressed) file. */
  readonly startOffset: number;
  /** The last byte of a line. */
  readonly lineEnd: number;
  readonly scanner: RecordScanner;
  /** Slot of each column; -1 for a column that this file does not have. */
  readonly slots: readonly number[];
  readonly columns: readonly (Pick<ColumnMetadata, "name" | "type"> & {
    readonly order?: DateOrder | undefined;
    readonly isJson?: boolean;
  })[];
  /** Text of NULL besides an empty field. */
  readonly nullText: Uint8Array | undefined;
  /** Takes the bad records, which are then passed over; without it they are errors. */
  readonly bad: BadRecords | undefined;
  readonly memory: MemoryContext;
  /** Finds the cells of many records at once; absent if they are read one by one. */
  readonly batches?: Pick<BatchOptions, "kernels" | "cells"> | undefined;
  /** The line of a byte of the (decompressed) file, from 1. */
  readonly lineOf: (offset: number) => Promise<number>;
}

/** What is done with records that are passed over. */
export interface BadRecords {
  /** Every wrong value of a record is an error of its own; otherwise the first ends the record. */
  readonly isThorough: boolean;
  /** The page ends, because there is no place for more. */
  readonly isFull: boolean;
  add(record: SkippedRecord): void;
  /** After the last record; resolves when the source has ended. */
  end(): Promise<void> | undefined;
}

/** Addresses are valid during the call. */
export interface SkippedRecord {
  readonly start: Address;
  readonly end: Address;
  readonly errors: readonly RecordError[];
  readonly offsetOf: (address: Address) => number;
  /** Bytes of the record as written, if its values were changed in place. */
  readonly written: Uint8Array | undefined;
}

export interface RecordError {
  readonly error: BadData;
  /** Of a wrong value: its column. */
  readonly column: number | undefined;
  readonly at: Address;
}

export class TextPageSource implements PageSource {
  readonly #options: TextSourceOptions;
  readonly #window: TextWindow;
  readonly #columns: readonly TextColumn[];
  readonly #pageRows: number;
  readonly #batches: RecordBatches | undefined;
  #waiting: Promise<void> | undefined;
  /** The next bytes are read while records of those before are scanned. */
  #reading: Promise<void> | undefined;
  #readFailure: { readonly error: unknown } | undefined;
  /** The window holds no whole record. */
  #needsBytes = true;
  /** Bytes that were read and are not yet in the window; `end` if there are no more. */
  #arrived: Uint8Array | "end" | undefined;
  #reservedBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #rows = 0;
  #closed = false;
  #done = false;
  #completedBytes = 0;
  /** A record that is not whole is scanned again from its start when twice as many bytes are there. */
  #wantedBytes = 0;

  constructor(options: TextSourceOptions) {
    this.#options = options;
    this.#window = new TextWindow(options.memory, options.startOffset);
    const { columns, memory } = options;
    const rowsMax = Math.max(1, Math.floor(columnsBytesMax / Math.max(1, rowBytesOf(columns))));
    this.#pageRows = Math.min(memory.knobs.value("page-rows"), rowsMax);
    this.#columns = columns.map((column, index) => new TextColumn({ ...column, index, memory, rowsMax: this.#pageRows }));
    this.#batches =
      options.batches && new RecordBatches({ ...options, ...options.batches, columns: this.#columns, pageRows: this.#pageRows });
    this.#request();
  }

  get finished(): boolean {
    return this.#closed || this.#done;
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#waiting ?? (this.#needsBytes ? this.#reading : undefined);
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.finished || this.blocked() !== undefined) {
      return undefined;
    }
    this.#reset();
    if (this.#needsBytes) {
      this.#fill();
    }
    try {
      this.#scan();
    } catch (error) {
      if (!(error instanceof BadData)) {
        throw error;
      }
      this.#locate(error);
      return undefined;
    }
    const { isLast, start, end } = this.#window;
    if (isLast && start === end) {
      this.#end();
    }
    if (this.#rows === 0) {
      return undefined;
    }
    return { positionCount: this.#rows, selection: 0, columns: this.#columns.map((column) => column.column(this.#rows)) };
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#waiting = undefined;
      this.#reading = undefined;
      this.#options.memory.close();
    }
  }

  #reset(): void {
    for (const column of this.#columns) {
      column.reset(this.#rows);
    }
    this.#rows = 0;
  }

  /** The window takes new bytes only when it holds no whole record: then no page refers to it. */
  #fill(): void {
    if (this.#readFailure !== undefined) {
      throw this.#readFailure.error;
    }
    const arrived = this.#arrived;
    if (arrived === undefined) {
      return;
    }
    this.#arrived = undefined;
    this.#needsBytes = false;
    if (arrived === "end") {
      this.#window.isLast = true;
      return;
    }
    this.#window.append(arrived);
    this.#completedBytes += arrived.length;
    this.#options.memory.release(this.#reservedBytes);
    this.#reservedBytes = 0;
    this.#request();
  }

  #scan(): void {
    const window = this.#window;
    const { scanner, slots, bad } = this.#options;
    while (this.#hasRoom && window.start < window.end && (window.isLast || window.end - window.start >= this.#wantedBytes)) {
      this.#wantedBytes = 0;
      if (this.#readBatch()) {
        continue;
      }
      const behind = bad === undefined ? this.#record(scanner, slots) : this.#recordOrNone(scanner, slots, bad);
      if (behind === 0) {
        this.#wantedBytes = 2 * (window.end - window.start);
        break;
      }
      window.start = behind;
    }
    const isDrained = this.#hasRoom || window.start === window.end;
    if (isDrained && !window.isLast) {
      if (window.end - window.start > recordBytesMax) {
        throw new BadData(`a record is longer than ${recordBytesMax} bytes`);
      }
      this.#needsBytes = true;
    }
  }

  #readBatch(): boolean {
    const { start, end } = this.#window;
    const rows = this.#batches?.read(start, end, this.#rows, this.#pageRows - this.#rows) ?? 0;
    if (rows > 0) {
      this.#rows += rows;
      this.#window.start = this.#batches?.behind ?? start;
    }
    return rows > 0;
  }

  get #hasRoom(): boolean {
    return this.#rows < this.#pageRows && this.#options.bad?.isFull !== true;
  }

  /** Returns the address after the record, or 0. */
  #record(scanner: RecordScanner, slots: readonly number[]): Address {
    const { start, end, isLast } = this.#window;
    const behind = scanner.scan(start, end, isLast);
    if (behind !== 0 && scanner.isRecord) {
      this.#append(scanner, slots, 0);
      this.#rows++;
    }
    return behind;
  }

  /** Where the end of a bad record cannot be found, it ends with its line. Returns the address after the record, or 0. */
  #recordOrNone(scanner: RecordScanner, slots: readonly number[], bad: BadRecords): Address {
    const { start, end, isLast } = this.#window;
    const errors: RecordError[] = [];
    let behind = 0;
    let written: Uint8Array | undefined;
    for (let next = 0; next < slots.length || behind === 0; ) {
      try {
        if (behind === 0) {
          behind = scanner.scan(start, end, isLast);
          if (behind === 0) {
            this.#requireBound(start, end);
            return 0;
          }
          if (!scanner.isRecord) {
            return behind;
          }
          written = bad.isThorough && scanner.kinds.includes(cell.escaped) ? this.#window.linear.u8.slice(start, behind) : undefined;
        }
        this.#append(scanner, slots, next);
        next = slots.length;
      } catch (error) {
        if (!(error instanceof BadData)) {
          throw error;
        }
        const column = behind === 0 ? undefined : (error as BadRecord).field;
        errors.push({ error, column, at: this.#placeOf(error, column) });
        next = bad.isThorough && column !== undefined ? column + 1 : slots.length;
        behind ||= this.#behindBad(error, start, end);
        if (behind === 0) {
          return 0;
        }
      }
    }
    if (errors.length === 0) {
      this.#rows++;
      return behind;
    }
    for (const column of this.#columns) {
      column.clear(this.#rows, this.#rows + 1);
    }
    bad.add({ start, end: behind, errors, offsetOf: (address) => this.#window.offsetOf(address), written });
    return behind;
  }

  /** A record that begins with an open quote may go on to the end of the file. */
  #requireBound(start: Address, end: Address): void {
    if (end - start > recordBytesMax) {
      throw new BadRecord(`a record is longer than ${recordBytesMax} bytes`, { kind: "LINE SIZE OVER MAXIMUM", at: start });
    }
  }

  #placeOf(error: BadData, column: number | undefined): Address {
    const { scanner, slots } = this.#options;
    if (column !== undefined) {
      const slot = slots[column] as number;
      return (scanner.starts[slot] as number) - (scanner.kinds[slot] === cell.quoted ? 1 : 0);
    }
    return error instanceof BadRecord ? error.at : (scanner.recordStart ?? this.#window.start);
  }

  #behindBad(error: BadData, start: Address, end: Address): Address {
    if (error instanceof BadRecord && error.behind !== 0) {
      return Math.min(error.behind, end);
    }
    const length = this.#window.linear.u8.subarray(start, end).indexOf(this.#options.lineEnd);
    return length >= 0 ? start + length + 1 : this.#window.isLast ? end : 0;
  }

  #end(): void {
    const ending = this.#options.bad?.end();
    this.#done = ending === undefined;
    if (ending !== undefined) {
      this.#wait(
        ending.then(() => {
          this.#done = true;
        }),
      );
    }
  }

  /** From the column `first` on. */
  #append(scanner: RecordScanner, slots: readonly number[], first: number): void {
    const row = this.#rows;
    const { kinds, starts, ends } = scanner;
    const { nullText } = this.#options;
    for (let i = first; i < slots.length; i++) {
      const slot = slots[i] as number;
      const column = this.#columns[i] as TextColumn;
      let kind = slot < 0 ? cell.none : (kinds[slot] as number);
      const start = starts[slot] as number;
      let end = ends[slot] as number;
      if (kind === cell.escaped) {
        end = scanner.unescape(start, end);
        // Another column may read the same slot.
        kinds[slot] = cell.quoted;
        ends[slot] = end;
      }
      if (nullText !== undefined && kind === cell.bare && isText(this.#window.linear.u8, start, end, nullText)) {
        kind = cell.none;
      }
      column.set(row, kind, start, end);
    }
  }

  #request(): void {
    const reading = this.#options.stream
      .next()
      .then((bytes) => {
        if (bytes === undefined || this.#closed) {
          this.#arrived = "end";
          return;
        }
        this.#options.memory.reserve(bytes.length);
        this.#reservedBytes = bytes.length;
        this.#arrived = bytes;
      })
      .catch((error: unknown) => {
        this.#readFailure = { error };
      })
      .then(() => {
        this.#reading = undefined;
      });
    this.#reading = reading;
  }

  #locate(error: BadData): void {
    const { path, lineOf, scanner } = this.#options;
    this.#wait(
      lineOf(this.#window.offsetOf(scanner.recordStart ?? this.#window.start)).then((line) => {
        throw badFile(path, `line ${line}`, error.message);
      }),
    );
  }

  #wait(work: Promise<void>): void {
    const waiting = work
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .then(() => {
        if (this.#waiting === waiting) {
          this.#waiting = undefined;
        }
      });
    this.#waiting = waiting;
  }
}
