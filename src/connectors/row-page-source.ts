/**
 * Pages from rows that TypeScript computes: system tables and information_schema. The rows are asked for when the split is read, so they show
 * that moment. Used by connectors for small tables only.
 */
import { PageBuilder } from "../page/builder.ts";
import type { MemoryContext } from "../page/memory.ts";
import type { Page } from "../page/page.ts";
import { assert } from "../protocol/errors.ts";
import { physicalType, type Type } from "../types/type.ts";
import type { ColumnMetadata, PageSource } from "./connector.ts";

/** null, or what the column's type holds: integers, dates, timestamps (microseconds) as numbers. */
export type Cell = null | boolean | number | string;
export type Row = Readonly<Record<string, Cell>>;

export interface RowPageSourceOptions {
  readonly rows: () => Promise<readonly Row[]>;
  /** Their names are the keys of the rows. */
  readonly columns: readonly ColumnMetadata[];
  readonly memory: MemoryContext;
}

export class RowPageSource implements PageSource {
  readonly #columns: readonly ColumnMetadata[];
  readonly #loaded: Promise<void>;
  readonly #memory: MemoryContext;
  #builder: PageBuilder | undefined;
  #rows: readonly Row[] | undefined;
  #failure: { readonly error: unknown } | undefined;
  #next = 0;
  #closed = false;
  #completedBytes = 0;

  constructor(options: RowPageSourceOptions) {
    this.#columns = options.columns;
    this.#memory = options.memory;
    this.#loaded = options.rows().then(
      (rows) => {
        this.#rows = rows;
      },
      (error: unknown) => {
        this.#failure = { error };
      },
    );
  }

  get finished(): boolean {
    return this.#closed || (this.#rows !== undefined && this.#next >= this.#rows.length);
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#closed || this.#rows !== undefined || this.#failure !== undefined ? undefined : this.#loaded;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.#rows === undefined || this.finished) {
      return undefined;
    }
    this.#builder ??= new PageBuilder(
      this.#columns.map(({ type }) => type),
      this.#memory,
    );
    const builder = this.#builder;
    builder.reset();
    while (this.#next < this.#rows.length && !builder.isFull) {
      this.#append(builder, this.#rows[this.#next] as Row);
      this.#next++;
    }
    return builder.build();
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#builder?.close();
    }
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

/** Returns the bytes it counts. */
function appendCell(builder: PageBuilder, column: number, type: Type, cell: Cell): number {
  if (cell === null) {
    builder.appendNull(column);
    return 1;
  }
  switch (typeof cell) {
    case "boolean":
      builder.appendBoolean(column, cell);
      return 1;
    case "string":
      builder.appendString(column, cell);
      return cell.length;
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
