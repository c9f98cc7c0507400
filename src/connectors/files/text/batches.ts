/**
 * Reads records of the usual form by kernels, many at a time: first the cells of all records, then column by column their values. What the
 * kernels do not take is left to the scanner and to TextColumn.set, whose results these are.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import type { CellFinder, ColumnCells } from "./cells.ts";
import type { TextColumn } from "./column.ts";
import type { TextKernels } from "./kernels/kernels.ts";
import { constantsBytes, writeConstants } from "./kernels/values.ts";
import { cell, type RecordScanner } from "./records.ts";

/** A batch and its text should fit into a core's second cache. */
const batchRowsMax = 512;
const batchRowsMin = 16;
/** Records that are read one by one before a batch is tried again. */
const restMax = 64;

export interface BatchOptions {
  readonly kernels: TextKernels;
  readonly cells: CellFinder;
  readonly columns: readonly TextColumn[];
  readonly scanner: RecordScanner;
  readonly nullText: Uint8Array | undefined;
  readonly memory: MemoryContext;
  /** Rows of a page, at most. */
  readonly pageRows: number;
}

export class RecordBatches {
  readonly #options: BatchOptions;
  readonly #capacity: number;
  /** Cells of texts are the values of their columns, from the first row of the batch on. */
  readonly #targets: readonly { -readonly [Key in keyof ColumnCells]: ColumnCells[Key] }[];
  readonly #kinds: Address;
  readonly #ends: Address;
  readonly #constants: Address;
  readonly #nullText: Address;
  #rowsMax: number;
  #misses = 0;
  #rest = 0;
  /** Address after the records of the last batch. */
  behind: Address = 0;

  constructor(options: BatchOptions) {
    this.#options = options;
    const { memory, columns, nullText, pageRows } = options;
    this.#capacity = Math.min(batchRowsMax, pageRows);
    this.#rowsMax = this.#capacity;
    const cells = memory.allocate(Math.max(1, columns.length * this.#capacity * 8));
    // A column that the file does not have keeps kind none.
    this.#kinds = memory.allocateZeroed(Math.max(1, columns.length * this.#capacity));
    this.#targets = columns.map(({ isText }, index) => ({
      cells: cells + index * this.#capacity * 8,
      kinds: this.#kinds + index * this.#capacity,
      isText,
    }));
    this.#ends = memory.allocate(this.#capacity * 4);
    this.#constants = memory.allocate(constantsBytes);
    writeConstants(memory.linear.view, this.#constants);
    this.#nullText = nullText === undefined ? 0 : memory.allocate(Math.max(1, nullText.length));
    if (nullText !== undefined) {
      memory.linear.u8.set(nullText, this.#nullText);
    }
  }

  /** Reads records from `start` on into the rows from `row` on. Returns their number; 0 if the next record must be read by the scanner. */
  read(start: Address, end: Address, row: number, rowsMax: number): number {
    if (this.#rest > 0) {
      this.#rest--;
      return 0;
    }
    // A kernel that passes blank lines and finds no record does not tell how far it came: it would pass them again and again.
    if (this.#options.cells.isBlankLine(start, end)) {
      return 0;
    }
    const found = this.#find(start, end, row, Math.min(rowsMax, this.#rowsMax));
    const rows = found === 0 ? 0 : this.#readColumns(row, found);
    if (rows === 0) {
      this.#misses++;
      this.#rest = Math.min(restMax, 2 ** this.#misses) - 1;
    } else {
      this.#misses = 0;
      this.behind = this.#options.memory.linear.u32[(this.#ends >>> 2) + rows - 1] as number;
    }
    // Records after a wrong value are searched again, so that fewer are searched where there are many.
    this.#rowsMax = rows < found ? Math.max(batchRowsMin, rows) : Math.min(this.#capacity, this.#rowsMax * 2);
    return rows;
  }

  #find(start: Address, end: Address, row: number, rowsMax: number): number {
    const { cells, columns } = this.#options;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as TextColumn;
      const target = this.#targets[index];
      if (target?.isText === true) {
        target.cells = column.valueAt(row);
      }
    }
    return cells.find(start, end, {
      columns: this.#targets,
      kinds: this.#kinds,
      kindsBytes: columns.length * this.#capacity,
      ends: this.#ends,
      rowsMax,
    });
  }

  /** Returns the number of rows before the first with a wrong value. */
  #readColumns(row: number, found: number): number {
    const { kernels, columns, nullText } = this.#options;
    let rows = found;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as TextColumn;
      const cells = this.#targets[index] as ColumnCells;
      if (nullText !== undefined) {
        kernels.markNullTexts(cells, rows, { start: this.#nullText, length: nullText.length });
      }
      rows = column.isText ? rows : this.#readValues(column, cells, row, rows);
    }
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as TextColumn;
      if (column.isText) {
        this.#finishTexts(column, this.#targets[index] as ColumnCells, row, rows);
      } else if (rows < found) {
        column.clear(row + rows, row + found);
      }
      if (rows > 0 && kernels.hasAny(column.nullAt(row), rows)) {
        column.noteNulls();
      }
    }
    return rows;
  }

  #readValues(column: TextColumn, { cells, kinds }: ColumnCells, row: number, to: number): number {
    const { kernels, memory } = this.#options;
    const { u8, u32 } = memory.linear;
    const { reader } = column;
    const target = { to, values: column.valueAt(row), nulls: column.nullAt(row), constants: this.#constants };
    for (let from = 0; ; from++) {
      const at = reader === undefined ? from : kernels.readValues(reader, { cells, kinds }, { ...target, from });
      if (at === to) {
        return to;
      }
      const start = u32[(cells >>> 2) + at * 2] as number;
      const length = u32[(cells >>> 2) + at * 2 + 1] as number;
      try {
        column.set(row + at, u8[kinds + at] as number, start, start + length);
      } catch (error) {
        if (error instanceof BadData) {
          return at;
        }
        throw error;
      }
      from = at;
    }
  }

  #finishTexts(column: TextColumn, cells: ColumnCells, row: number, rows: number): void {
    const { kernels, memory, scanner } = this.#options;
    const { u8, u32 } = memory.linear;
    if (!kernels.finishTexts(cells, column.nullAt(row), rows)) {
      return;
    }
    for (let index = 0; index < rows; index++) {
      if (u8[cells.kinds + index] === cell.escaped) {
        const word = (cells.cells >>> 2) + index * 2;
        const start = u32[word] as number;
        u32[word + 1] = scanner.unescape(start, start + (u32[word + 1] as number)) - start;
      }
    }
  }
}
