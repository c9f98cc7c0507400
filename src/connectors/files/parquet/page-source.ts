/**
 * Reads a row group of a Parquet file: the chunks of the requested columns, each with one ranged read, then page after page.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { Storage } from "../../../ports/storage.ts";
import { type DoubleRange, doubleRangeOf, doubleRangesMeet } from "../../../types/domain/double-range.ts";
import { domainValueOf } from "../../../types/domain/texts.ts";
import { ValueSet } from "../../../types/domain/value-set.ts";
import { ownMember } from "../../../types/own.ts";
import { physicalType, physicalWidth } from "../../../types/type.ts";
import { alwaysTrue, type ColumnMetadata, type Constraint, type PageSource } from "../../spi.ts";
import { requireSize } from "../byte-stream.ts";
import { BadData, badFile, reading } from "../errors.ts";
import { ColumnReader } from "./column-reader.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import type { ColumnEncoding } from "./schema.ts";

/** A column of the split, as JSON. The split omits columns that the file does not have. */
export interface StoredColumn {
  readonly encoding: ColumnEncoding;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly codec: number;
}

export interface ParquetSplit {
  readonly path: string;
  readonly sizeBytes: number;
  readonly format: "parquet";
  readonly rowGroup: number;
  readonly rows: number;
  readonly columns: Readonly<Record<string, StoredColumn>>;
  /** Per column, the only values that can match. If the dictionary contains none of them, no row of the group is read. */
  readonly wanted?: Readonly<Record<string, readonly string[]>>;
  /**
   * Per column, the bounds from the group's statistics. Present for columns with a constraint that becomes known only when the split is
   * read.
   */
  readonly bounds?: Readonly<Record<string, DoubleRange>>;
}

export class ParquetPageSource implements PageSource {
  readonly #split: ParquetSplit;
  readonly #columns: readonly ColumnMetadata[];
  readonly #constraint: Constraint;
  /** By column: the only values that are wanted of it, where they are known one by one. */
  readonly #wanted: readonly (ValueSet | undefined)[];
  readonly #memory: MemoryContext;
  readonly #kernels: ParquetKernels;
  #waiting: Promise<void> | undefined;
  #chunks: readonly (Uint8Array | undefined)[] = [];
  /** Readers of columns whose dictionary was checked before anything was read. */
  readonly #opened = new Map<number, ColumnReader>();
  #readers: readonly (ColumnReader | undefined)[] | undefined;
  #failure: { readonly error: unknown } | undefined;
  #rowsLeft: number;
  #nulls: Address = 0;
  #zeros: Address = 0;
  #closed = false;
  #completedBytes = 0;

  constructor(
    storage: Storage,
    options: {
      readonly split: ParquetSplit;
      readonly columns: readonly ColumnMetadata[];
      readonly memory: MemoryContext;
      readonly kernels: ParquetKernels;
      /** Constraint that became known after the split was made. */
      readonly constraint?: Constraint;
    },
  ) {
    this.#split = options.split;
    this.#columns = options.columns;
    this.#memory = options.memory.child("files");
    this.#kernels = options.kernels;
    this.#constraint = options.constraint ?? alwaysTrue;
    this.#wanted = options.columns.map((column) => this.#wantedOf(column));
    this.#rowsLeft = this.#isOutside() ? 0 : options.split.rows;
    const waiting = this.#load(storage)
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .then(() => {
        this.#waiting = undefined;
      });
    this.#waiting = waiting;
  }

  get finished(): boolean {
    return this.#closed || (this.#rowsLeft === 0 && this.#failure === undefined);
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#closed ? undefined : this.#waiting;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.#waiting !== undefined || this.finished) {
      return undefined;
    }
    const positionCount = Math.min(this.#memory.knobs.value("page-rows"), this.#rowsLeft);
    const readers = (this.#readers ??= this.#columns.map((column, index) =>
      this.#within(column, () => this.#opened.get(index) ?? this.#open(column, this.#chunks[index])),
    ));
    const columns = this.#columns.map((column, index) => {
      const reader = readers[index];
      return reader === undefined ? this.#nullColumn(column) : this.#within(column, () => reader.read(positionCount));
    });
    this.#rowsLeft -= positionCount;
    return { positionCount, selection: 0, columns };
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#chunks = [];
      this.#memory.close();
    }
  }

  async #load(storage: Storage): Promise<void> {
    const { path, sizeBytes, columns } = this.#split;
    if (this.#columns.length === 0 || this.#rowsLeft === 0) {
      return;
    }
    await requireSize(storage, path, sizeBytes);
    const chunks: (Uint8Array | undefined)[] = this.#columns.map(() => undefined);
    // Columns that may exclude the whole group are read first.
    const order = [...this.#columns.keys()].sort((a, b) => Number(this.#wanted[b] !== undefined) - Number(this.#wanted[a] !== undefined));
    for (const index of order) {
      const column = this.#columns[index] as ColumnMetadata;
      const stored = ownMember(columns, column.name);
      if (this.#closed) {
        return;
      }
      if (stored !== undefined) {
        this.#memory.reserve(stored.sizeBytes);
      }
      const bytes = stored === undefined ? undefined : await reading(path, storage.read(path, stored.offset, stored.sizeBytes));
      chunks[index] = bytes;
      this.#completedBytes += stored?.sizeBytes ?? 0;
      if (!this.#closed && this.#dictionaryLacks(index, bytes)) {
        this.#rowsLeft = 0;
        return;
      }
    }
    this.#chunks = chunks;
  }

  /** True if no row of the group can match. */
  #isOutside(): boolean {
    const { bounds = {}, columns } = this.#split;
    return [...this.#constraint.summary.domains].some(([name, { values }]) => {
      // In a file without the column it is NULL, which never matches.
      if (!Object.hasOwn(columns, name)) {
        return true;
      }
      const known = ownMember(bounds, name);
      const range = doubleRangeOf(values);
      return known !== undefined && (range === undefined || !doubleRangesMeet(known, range));
    });
  }

  #wantedOf({ name, type }: ColumnMetadata): ValueSet | undefined {
    const texts = ownMember(this.#split.wanted ?? {}, name);
    const listed =
      texts &&
      ValueSet.of(
        type,
        texts.map((text) => domainValueOf(type, text)),
      );
    const known = this.#constraint.summary.domainOf(name)?.values;
    const read = known?.discreteValues === undefined ? undefined : known;
    return listed === undefined || read === undefined ? (listed ?? read) : listed.intersect(read);
  }

  #dictionaryLacks(index: number, bytes: Uint8Array | undefined): boolean {
    const wanted = this.#wanted[index];
    const column = this.#columns[index] as ColumnMetadata;
    if (wanted === undefined || bytes === undefined) {
      return false;
    }
    return this.#within(column, () => {
      const reader = this.#open(column, bytes);
      if (reader === undefined) {
        return false;
      }
      this.#opened.set(index, reader);
      return reader.dictionaryLacks(wanted);
    });
  }

  #open({ name }: ColumnMetadata, bytes: Uint8Array | undefined): ColumnReader | undefined {
    const stored = ownMember(this.#split.columns, name);
    if (stored === undefined || bytes === undefined) {
      return undefined;
    }
    if (bytes.length !== stored.sizeBytes) {
      throw new BadData("the file changed while it was read");
    }
    const { encoding, codec } = stored;
    return new ColumnReader({ encoding, codec, bytes, rows: this.#split.rows, memory: this.#memory, kernels: this.#kernels });
  }

  /** The file does not have the column: all NULL. */
  #nullColumn({ type }: ColumnMetadata): Column {
    if (this.#nulls === 0) {
      this.#nulls = this.#memory.allocate(pageRowsMax);
      this.#memory.linear.u8.fill(1, this.#nulls, this.#nulls + pageRowsMax);
      this.#zeros = this.#memory.allocateZeroed(pageRowsMax * 16);
    }
    const width = physicalWidth(physicalType(type));
    return { type, values: this.#zeros, nulls: this.#nulls, ids: 0, length: Math.floor((pageRowsMax * 16) / width) };
  }

  #within<T>({ name }: ColumnMetadata, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof BadData) {
        throw badFile(this.#split.path, `row group ${this.#split.rowGroup} column ${name}`, error.message);
      }
      throw error;
    }
  }
}
