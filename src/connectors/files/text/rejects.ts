/**
 * Bad records of text files: counted for a warning, or as the rows of a table whose columns are those of DuckDB's `reject_errors`.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import { PageBuilder } from "../../../page/builder.ts";
import type { Page } from "../../../page/page.ts";
import { assert } from "../../../protocol/errors.ts";
import { BIGINT, VARCHAR } from "../../../types/type.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import type { ColumnMetadata, PageSource } from "../../spi.ts";
import { type Cell, appendCell } from "../../shared/row-page-source.ts";
import type { BadRecords, RecordError, SkippedRecord } from "./page-source.ts";
import { BadRecord } from "./records.ts";
import type { LineCounter } from "./streams.ts";

/** Bytes of a record that are shown. */
const shownBytesMax = 8192;
/** Errors of a page, and bytes of their records. */
const pageErrorsMax = 1000;
const pageBytesMax = 1_048_576;

export const rejectColumns: readonly ColumnMetadata[] = Object.freeze([
  { name: "path", type: VARCHAR },
  { name: "line", type: BIGINT },
  { name: "line_byte_position", type: BIGINT },
  { name: "byte_position", type: BIGINT },
  { name: "column_idx", type: BIGINT },
  { name: "column_name", type: VARCHAR },
  { name: "error_type", type: VARCHAR },
  { name: "csv_line", type: VARCHAR },
  { name: "error_message", type: VARCHAR },
]);

/** Warns once, with the number of bad records and the line of the first. */
export class CountedRecords implements BadRecords {
  readonly isThorough = false;
  readonly isFull = false;
  readonly #lineOf: (offset: number) => Promise<number>;
  readonly #warn: (message: string) => void;
  #count = 0;
  #first: { readonly offset: number; readonly message: string } | undefined;

  constructor(lineOf: (offset: number) => Promise<number>, warn: (message: string) => void) {
    this.#lineOf = lineOf;
    this.#warn = warn;
  }

  add({ start, errors, offsetOf }: SkippedRecord): void {
    this.#count++;
    this.#first ??= { offset: offsetOf(start), message: (errors[0] as RecordError).error.message };
  }

  end(): Promise<void> | undefined {
    const first = this.#first;
    this.#first = undefined;
    const what = this.#count === 1 ? "a bad record was skipped, on" : `${this.#count} bad records were skipped, the first on`;
    return first && this.#lineOf(first.offset).then((line) => this.#warn(`${what} line ${line}: ${first.message}`));
  }
}

/** The record of an error, and the error. */
interface Reject {
  readonly recordOffset: number;
  readonly offset: number;
  readonly text: string;
  readonly error: RecordError;
}

class KeptRecords implements BadRecords {
  readonly isThorough = true;
  readonly #memory: MemoryContext;
  #rejects: Reject[] = [];
  #bytes = 0;

  constructor(memory: MemoryContext) {
    this.#memory = memory;
  }

  get isFull(): boolean {
    return this.#rejects.length >= pageErrorsMax || this.#bytes >= pageBytesMax;
  }

  add({ start, end, errors, offsetOf, written }: SkippedRecord): void {
    const { u8 } = this.#memory.linear;
    const text = withoutLineEnd(written ?? u8.slice(start, Math.min(end, start + shownBytesMax)), end - start);
    this.#bytes += text.length;
    for (const error of errors) {
      this.#rejects.push({ recordOffset: offsetOf(start), offset: offsetOf(error.at), text, error });
    }
  }

  end(): undefined {
    return undefined;
  }

  take(): readonly Reject[] {
    const taken = this.#rejects;
    this.#rejects = [];
    this.#bytes = 0;
    return taken;
  }
}

function withoutLineEnd(bytes: Uint8Array, length: number): string {
  const text = decodeUtf8(bytes, 0, Math.min(bytes.length, shownBytesMax));
  return length <= shownBytesMax ? text.replace(/\r?\n$/, "") : text;
}

export interface RejectsOptions {
  readonly path: string;
  /** Reads the records, all columns of them. */
  readonly open: (bad: BadRecords) => PageSource;
  /** Names of the fields in the file's order, and of the columns that are read. */
  readonly fields: readonly string[];
  readonly names: readonly string[];
  readonly lines: LineCounter;
  readonly columns: readonly ColumnMetadata[];
  readonly memory: MemoryContext;
}

/** One row for each error. The good records are read and dropped. */
export class RejectsPageSource implements PageSource {
  readonly #options: RejectsOptions;
  readonly #kept: KeptRecords;
  readonly #records: PageSource;
  readonly #builder: PageBuilder;
  #ready: readonly (readonly Cell[])[] = [];
  #waiting: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #closed = false;

  constructor(options: RejectsOptions) {
    this.#options = options;
    this.#kept = new KeptRecords(options.memory);
    this.#records = options.open(this.#kept);
    this.#builder = new PageBuilder(
      options.columns.map(({ type }) => type),
      options.memory,
    );
  }

  get finished(): boolean {
    return (
      this.#closed || (this.#records.finished && this.#waiting === undefined && this.#ready.length === 0 && this.#failure === undefined)
    );
  }

  get completedBytes(): number {
    return this.#records.completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#waiting ?? (this.#records.finished ? undefined : this.#records.blocked());
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.finished || this.#waiting !== undefined) {
      return undefined;
    }
    if (this.#ready.length > 0) {
      const rows = this.#ready;
      this.#ready = [];
      return this.#build(rows);
    }
    this.#records.nextPage();
    const found = this.#kept.take();
    if (found.length > 0) {
      this.#waiting = this.#number(found)
        .catch((error: unknown) => {
          this.#failure = { error };
        })
        .then(() => {
          this.#waiting = undefined;
        });
    }
    return undefined;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#records.close();
      this.#builder.close();
      this.#options.memory.close();
    }
  }

  async #number(found: readonly Reject[]): Promise<void> {
    const rows: (readonly Cell[])[] = [];
    for (const { recordOffset, offset, text, error } of found) {
      const line = await this.#options.lines.lineOf(recordOffset);
      const field = this.#fieldOf(error);
      rows.push([
        this.#options.path,
        line,
        recordOffset + 1,
        offset + 1,
        field === undefined ? null : field + 1,
        field === undefined ? null : (this.#options.fields[field] ?? null),
        error.error instanceof BadRecord ? error.error.kind : "INVALID JSON",
        text,
        error.error.message,
      ]);
    }
    this.#ready = rows;
  }

  #fieldOf({ error, column }: RecordError): number | undefined {
    if (column !== undefined) {
      const name = this.#options.names[column];
      assert(name !== undefined, "an error is of a column that is read");
      return this.#options.fields.indexOf(name);
    }
    return error instanceof BadRecord ? error.field : undefined;
  }

  #build(rows: readonly (readonly Cell[])[]): Page {
    const builder = this.#builder;
    const { columns } = this.#options;
    builder.reset();
    const positions = columns.map(({ name }) => rejectColumns.findIndex((column) => column.name === name));
    for (const row of rows) {
      if (columns.length === 0) {
        builder.appendRows(1);
      }
      columns.forEach(({ type }, index) => {
        appendCell(builder, index, type, row[positions[index] as number] ?? null);
      });
    }
    return builder.build();
  }
}
