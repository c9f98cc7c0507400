/**
 * Reads one split: pages of generated rows in its own buffers, which the next page overwrites.
 */
import { Arena } from "../../memory/arena.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";
import type { Type } from "../../types/type.ts";
import { encodeUtf8Into, utf8Length } from "../../types/utf8.ts";
import type { PageSource } from "../spi.ts";
import type { Cell } from "./table.ts";

/** A column of a scan: its cell, and whether the NULL rule makes the row at the cursor NULL in it. */
export interface ScannedColumn {
  readonly type: Type;
  readonly cell: Cell;
  readonly isNull: (() => boolean) | undefined;
}

interface ColumnWriter {
  /** Writes the value of the row at the cursor to row `row` of the page. */
  readonly write: (row: number) => void;
  readonly column: (rows: number) => Column;
  readonly bytesPerRow: number;
}

export class TpcdsPageSource implements PageSource {
  readonly #memory: MemoryContext;
  readonly #advance: () => boolean;
  readonly #writers: readonly ColumnWriter[];
  readonly #strings: Arena;
  readonly #pageRows: number;
  #finished = false;
  #completedBytes = 0;

  /** Takes ownership of `memory`, which `close` closes. */
  constructor(options: {
    readonly memory: MemoryContext;
    readonly rowsMax: number;
    readonly columns: readonly ScannedColumn[];
    readonly advance: () => boolean;
  }) {
    this.#memory = options.memory;
    this.#advance = options.advance;
    this.#pageRows = Math.min(options.memory.knobs.value("page-rows"), options.rowsMax);
    this.#strings = new Arena(options.memory);
    const place = { memory: options.memory, strings: this.#strings, rows: this.#pageRows };
    this.#writers = options.columns.map((column) => columnWriter(place, column));
  }

  get finished(): boolean {
    return this.#finished;
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  nextPage(): Page | undefined {
    if (this.#finished) {
      return undefined;
    }
    this.#strings.reset();
    let rows = 0;
    while (rows < this.#pageRows && this.#next()) {
      for (const { write } of this.#writers) {
        write(rows);
      }
      rows++;
    }
    if (rows === 0) {
      return undefined;
    }
    for (const { bytesPerRow } of this.#writers) {
      this.#completedBytes += rows * bytesPerRow;
    }
    return { positionCount: rows, selection: 0, columns: this.#writers.map(({ column }) => column(rows)) };
  }

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    this.#finished = true;
    this.#memory.close();
  }

  #next(): boolean {
    if (!this.#finished && !this.#advance()) {
      this.#finished = true;
    }
    return !this.#finished;
  }
}

interface Place {
  readonly memory: MemoryContext;
  readonly strings: Arena;
  readonly rows: number;
}

function columnWriter(place: Place, { type, cell, isNull }: ScannedColumn): ColumnWriter {
  switch (cell.kind) {
    case "number":
      return numberWriter(place, { type, value: cell.value, isNull });
    case "word":
      return wordWriter(place, { type, value: cell.value, isNull }, cell.words);
    case "text":
      return textWriter(place, { type, value: cell.value, isNull });
  }
}

interface Source<Value> {
  readonly type: Type;
  readonly value: () => Value | undefined;
  readonly isNull: (() => boolean) | undefined;
}

function int32Buffer({ memory }: Place, length: number): Int32Array {
  const start = memory.allocate(length * 4) / 4;
  return memory.linear.i32.subarray(start, start + length);
}

/** Returns the value of the row, or undefined if it is NULL, and sets the null flag. */
function nullable<Value>({ memory, rows }: Place, source: Source<Value>): { nulls: number; value: (row: number) => Value | undefined } {
  const nulls = memory.allocate(rows);
  const { u8 } = memory.linear;
  const { value, isNull } = source;
  return {
    nulls,
    value: (row) => {
      // The value is computed even if the row is NULL, because later rows may keep it.
      const found = value();
      const shown = isNull?.() === true ? undefined : found;
      u8[nulls + row] = shown === undefined ? 1 : 0;
      return shown;
    },
  };
}

function numberWriter(place: Place, source: Source<number>): ColumnWriter {
  const { nulls, value } = nullable(place, source);
  const { type } = source;
  const isWide = physicalType(type) === "i64";
  const out = int32Buffer(place, place.rows * (isWide ? 2 : 1));
  return {
    write: isWide
      ? (row) => {
          const found = value(row) ?? 0;
          out[2 * row] = found | 0;
          out[2 * row + 1] = Math.floor(found / 4294967296);
        }
      : (row) => {
          out[row] = value(row) ?? 0;
        },
    column: (rows) => ({ type, values: out.byteOffset, nulls, ids: 0, length: rows }),
    bytesPerRow: physicalWidth(physicalType(type)),
  };
}

/** A dictionary whose last entry is NULL. */
function wordWriter(place: Place, { type, value, isNull }: Source<number>, words: readonly string[]): ColumnWriter {
  const { memory, rows } = place;
  const { linear } = memory;
  const length = words.length + 1;
  const pairs = int32Buffer(place, length * 2);
  let at = memory.allocate(words.reduce((sum, word) => sum + utf8Length(word), 1));
  [...words, ""].forEach((word, index) => {
    const bytes = utf8Length(word);
    encodeUtf8Into(word, linear.u8, at);
    pairs[2 * index] = at;
    pairs[2 * index + 1] = bytes;
    at += bytes;
  });
  const nulls = memory.allocateZeroed(length);
  linear.u8[nulls + words.length] = 1;
  const ids = int32Buffer(place, rows);
  return {
    write: (row) => {
      const found = value() ?? words.length;
      ids[row] = isNull?.() === true ? words.length : found;
    },
    column: () => ({ type, values: pairs.byteOffset, nulls, ids: ids.byteOffset, length }),
    bytesPerRow: 4,
  };
}

function textWriter(place: Place, source: Source<string>): ColumnWriter {
  const { linear } = place.memory;
  const { nulls, value } = nullable(place, source);
  const { type } = source;
  const pairs = int32Buffer(place, place.rows * 2);
  return {
    write: (row) => {
      const found = value(row) ?? "";
      const bytes = utf8Length(found);
      const address = place.strings.allocate(bytes);
      encodeUtf8Into(found, linear.u8, address);
      pairs[2 * row] = address;
      pairs[2 * row + 1] = bytes;
    },
    column: (rows) => ({ type, values: pairs.byteOffset, nulls, ids: 0, length: rows }),
    bytesPerRow: 8,
  };
}
