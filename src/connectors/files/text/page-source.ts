/**
 * Reads records of a text file. Bytes come in chunks, and records are scanned in place. The requested columns become a page whose strings
 * lie in the chunk itself. For a bad record the line number is computed before the error is thrown.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import type { ColumnMetadata, PageSource } from "../../spi.ts";
import type { ByteStream } from "../byte-stream.ts";
import { BadData, badFile } from "../../shared/file-errors.ts";
import { cell, isText, type RecordScanner } from "./records.ts";
import { TextColumn } from "./column.ts";
import type { DateOrder } from "./moments.ts";
import { newline } from "./streams.ts";
import { TextWindow } from "./window.ts";

/** Maximum size of a record, in bytes. A record must fit into memory as a whole. */
export const recordBytesMax = 67_108_864;

export interface TextSourceOptions {
  readonly path: string;
  readonly stream: ByteStream;
  /** Offset of the stream's first byte in the (decompressed) file. */
  readonly startOffset: number;
  readonly scanner: RecordScanner;
  /** Slot of each column; -1 for a column that this file does not have. */
  readonly slots: readonly number[];
  readonly columns: readonly (Pick<ColumnMetadata, "name" | "type"> & { readonly order?: DateOrder | undefined })[];
  /** Text of NULL besides an empty field. */
  readonly nullText: Uint8Array | undefined;
  /** Gets a message about the bad records, which are then passed over; without it they are errors. */
  readonly onBadRecord: ((message: string) => void) | undefined;
  readonly memory: MemoryContext;
  /** The line of a byte of the (decompressed) file, from 1. */
  readonly lineOf: (offset: number) => Promise<number>;
}

export class TextPageSource implements PageSource {
  readonly #options: TextSourceOptions;
  readonly #window: TextWindow;
  readonly #columns: readonly TextColumn[];
  readonly #pageRows: number;
  #waiting: Promise<void> | undefined;
  /** Bytes that were read and are not yet in the window; `end` if there are no more. */
  #arrived: Uint8Array | "end" | undefined;
  #reservedBytes = 0;
  #failure: { readonly error: unknown } | undefined;
  #rows = 0;
  #closed = false;
  #done = false;
  #bad: { readonly count: number; readonly offset: number; readonly message: string } | undefined;
  #completedBytes = 0;

  constructor(options: TextSourceOptions) {
    this.#options = options;
    this.#window = new TextWindow(options.memory, options.startOffset);
    this.#pageRows = options.memory.knobs.value("page-rows");
    this.#columns = options.columns.map(({ name, type, order }) => new TextColumn({ name, type, order, memory: options.memory }));
    this.#request();
  }

  get finished(): boolean {
    return this.#closed || this.#done;
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#waiting;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.finished || this.#waiting !== undefined) {
      return undefined;
    }
    this.#fill();
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
      this.#options.memory.close();
    }
  }

  /** The window takes new bytes only when it holds no whole record: then no page refers to it. */
  #fill(): void {
    for (const column of this.#columns) {
      column.reset(this.#rows);
    }
    this.#rows = 0;
    const arrived = this.#arrived;
    if (arrived === undefined) {
      return;
    }
    this.#arrived = undefined;
    if (arrived === "end") {
      this.#window.isLast = true;
      return;
    }
    this.#window.append(arrived);
    this.#completedBytes += arrived.length;
    this.#options.memory.release(this.#reservedBytes);
    this.#reservedBytes = 0;
  }

  #scan(): void {
    const window = this.#window;
    const { scanner, slots } = this.#options;
    while (this.#rows < this.#pageRows && window.start < window.end) {
      const behind = this.#options.onBadRecord === undefined ? this.#record(scanner, slots) : this.#recordOrNone(scanner, slots);
      if (behind === 0) {
        break;
      }
      window.start = behind;
    }
    const isDrained = this.#rows < this.#pageRows || window.start === window.end;
    if (isDrained && !window.isLast) {
      if (window.end - window.start > recordBytesMax) {
        throw new BadData(`a record is longer than ${recordBytesMax} bytes`);
      }
      this.#request();
    }
  }

  /** Returns the address after the record, or 0. */
  #record(scanner: RecordScanner, slots: readonly number[]): Address {
    const { start, end, isLast } = this.#window;
    const behind = scanner.scan(start, end, isLast);
    if (behind !== 0 && scanner.isRecord) {
      this.#append(scanner, slots);
    }
    return behind;
  }

  /** A bad record ends with its line. */
  #recordOrNone(scanner: RecordScanner, slots: readonly number[]): Address {
    try {
      return this.#record(scanner, slots);
    } catch (error) {
      if (!(error instanceof BadData)) {
        throw error;
      }
      const { start, end, isLast } = this.#window;
      const length = this.#window.linear.u8.subarray(start, end).indexOf(newline);
      if (length < 0 && !isLast) {
        return 0;
      }
      for (const column of this.#columns) {
        column.clear(this.#rows);
      }
      this.#bad ??= { count: 0, offset: this.#window.offsetOf(start), message: error.message };
      this.#bad = { ...this.#bad, count: this.#bad.count + 1 };
      return length < 0 ? end : start + length + 1;
    }
  }

  /** Bad records are reported once, with the line of the first. */
  #end(): void {
    const { path, lineOf, onBadRecord } = this.#options;
    const bad = this.#bad;
    this.#bad = undefined;
    this.#done = bad === undefined;
    if (bad !== undefined) {
      const what = bad.count === 1 ? "a bad record was skipped, on" : `${bad.count} bad records were skipped, the first on`;
      this.#wait(
        lineOf(bad.offset).then((line) => {
          onBadRecord?.(`${path}: ${what} line ${line}: ${bad.message}`);
          this.#done = true;
        }),
      );
    }
  }

  #append(scanner: RecordScanner, slots: readonly number[]): void {
    const row = this.#rows;
    const { kinds, starts, ends } = scanner;
    const { nullText } = this.#options;
    for (let i = 0; i < slots.length; i++) {
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
    this.#rows++;
  }

  #request(): void {
    this.#wait(
      this.#options.stream.next().then((bytes) => {
        if (bytes === undefined || this.#closed) {
          this.#arrived = "end";
          return;
        }
        this.#options.memory.reserve(bytes.length);
        this.#reservedBytes = bytes.length;
        this.#arrived = bytes;
      }),
    );
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
