/**
 * Pages from rows that TypeScript computes: system tables and information_schema. The rows are computed when the split is read, so they
 * show the state at that time. They are produced in batches, so that not many more than a page of rows is held at once.
 */
import { PageBuilder } from "../../page/builder.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { physicalType, type Type } from "../../types/type.ts";
import type { ColumnMetadata, EndingQuery, PageSource } from "../spi.ts";

/** null, or a value of the column's type: integers, dates and timestamps (microseconds) as numbers, arrays as their bytes. */
export type Cell = null | boolean | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, Cell>>;
/** Batches of any size. */
export type Rows = AsyncIterable<readonly Row[]>;

/** Rows in a single batch. */
export async function* allAtOnce(rows: () => readonly Row[] | Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield await rows();
}

export interface RowPageSourceOptions {
  /** `reader` ends when the source is closed. */
  readonly rows: (reader: EndingQuery) => Rows;
  /** Their names are the keys of the rows. */
  readonly columns: readonly ColumnMetadata[];
  readonly memory: MemoryContext;
}

export class RowPageSource implements PageSource {
  readonly #columns: readonly ColumnMetadata[];
  readonly #memory: MemoryContext;
  readonly #batches: AsyncIterator<readonly Row[]>;
  readonly #pageRows: number;
  #builder: PageBuilder | undefined;
  /** Rows received and not yet in a page, from `#next` on. */
  #rows: Row[] = [];
  #next = 0;
  /** True if there are no more batches. */
  #ended = false;
  #loading: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #closed = false;
  readonly #onClose: (() => void)[] = [];
  #completedBytes = 0;

  constructor(options: RowPageSourceOptions) {
    this.#columns = options.columns;
    this.#memory = options.memory;
    this.#pageRows = options.memory.knobs.value("page-rows");
    this.#batches = options.rows({ onEnd: (callback) => this.#whenClosed(callback) })[Symbol.asyncIterator]();
    this.#loading = this.#load();
  }

  get finished(): boolean {
    return this.#closed || (this.#ended && this.#loading === undefined && this.#next >= this.#rows.length);
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#closed ? undefined : this.#loading;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.#loading !== undefined || this.finished) {
      return undefined;
    }
    this.#builder ??= new PageBuilder(
      this.#columns.map(({ type }) => type),
      this.#memory,
      this.#pageRows,
    );
    const builder = this.#builder;
    builder.reset();
    while (this.#next < this.#rows.length && !builder.isFull) {
      this.#append(builder, this.#rows[this.#next] as Row);
      this.#next++;
    }
    if (!this.#ended && !this.#isAhead()) {
      this.#loading = this.#load();
    }
    return builder.build();
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#builder?.close();
      for (const callback of this.#onClose.splice(0)) {
        callback();
      }
    }
  }

  #whenClosed(callback: () => void): void {
    if (this.#closed) {
      callback();
    } else {
      this.#onClose.push(callback);
    }
  }

  /** True if there are rows for a whole page. Page boundaries then depend on the rows alone and not on their batches. */
  #isAhead(): boolean {
    return this.#rows.length - this.#next >= this.#pageRows;
  }

  async #load(): Promise<void> {
    this.#rows = this.#rows.slice(this.#next);
    this.#next = 0;
    try {
      while (!this.#closed && !this.#ended && !this.#isAhead()) {
        const { done, value } = await this.#batches.next();
        if (done === true) {
          this.#ended = true;
        } else {
          for (const row of value) {
            this.#rows.push(row);
          }
        }
      }
      if (this.#closed) {
        await this.#batches.return?.();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#loading = undefined;
  }

  #append(builder: PageBuilder, row: Row): void {
    if (this.#columns.length === 0) {
      builder.appendRows(1);
    }
    this.#columns.forEach(({ name, type }, index) => {
      this.#completedBytes += appendCell(builder, index, type, row[name] ?? null);
    });
  }
}

/** Returns the bytes it adds. */
export function appendCell(builder: PageBuilder, column: number, type: Type, cell: Cell): number {
  if (cell === null) {
    builder.appendNull(column);
    return 1;
  }
  if (cell instanceof Uint8Array) {
    builder.appendBytes(column, cell);
    return cell.length;
  }
  switch (typeof cell) {
    case "boolean":
      builder.appendBoolean(column, cell);
      return 1;
    case "string":
      builder.appendString(column, cell);
      return cell.length;
    case "bigint":
      builder.appendBigint(column, cell);
      return 16;
    case "number": {
      const physical = physicalType(type);
      assert(physical !== "bytes", `a number is no ${type.kind}`);
      if (physical === "f64" || physical === "f32") {
        builder.appendDouble(column, cell);
      } else {
        builder.appendInt(column, cell);
      }
      return 8;
    }
  }
}
