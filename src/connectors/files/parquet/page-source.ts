/**
 * Reads a row group of a Parquet file: the chunks of the requested columns, each with one ranged read, then page after page.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { Storage } from "../../../ports/storage.ts";
import { type DoubleRange, mayLieWithin } from "../../../types/domain/double-range.ts";
import { domainValueOf } from "../../../types/domain/texts.ts";
import { ValueSet } from "../../../types/domain/value-set.ts";
import { ownMember } from "../../../types/own.ts";
import { isZoned, physicalType, physicalWidth, sameType } from "../../../types/type.ts";
import { alwaysTrue, type ColumnMetadata, type Constraint, type PageSource } from "../../spi.ts";
import { requireSize } from "../byte-stream.ts";
import { BadData, badFile, reading } from "../../shared/file-errors.ts";
import { Widening } from "../widening.ts";
import type { ReadBuffers } from "../read-buffers.ts";
import { ColumnReader } from "./column-reader.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import { NestedColumnReader, type StoredLeaf } from "./nested/nested-column.ts";
import type { ColumnEncoding } from "./schema.ts";
import type { ParquetNode } from "./tree.ts";

/** A column of the split, as JSON. The split omits columns that the file does not have. */
export type StoredColumn = FlatColumn | NestedColumn;

/** A leaf without levels but for NULL. */
interface FlatColumn extends StoredLeaf {
  readonly encoding: ColumnEncoding;
  readonly optional: boolean;
}

interface NestedColumn {
  readonly node: ParquetNode;
  readonly leaves: readonly StoredLeaf[];
  /** Mean bytes of a row, decompressed. */
  readonly rowBytes: number;
}

type Reader = ColumnReader | NestedColumnReader;

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

/** Bytes between two chunks that are read with them. */
const gapBytesMax = 65_536;
/** Of chunks that are read at once. */
const rangeBytesMax = 8_388_608;

/** Decompressed bytes of the nested columns of a page. */
const nestedPageBytes = 8_388_608;

export class ParquetPageSource implements PageSource {
  readonly #split: ParquetSplit;
  readonly #columns: readonly ColumnMetadata[];
  readonly #constraint: Constraint;
  /** By column: the only values that are wanted of it, where they are known one by one. */
  readonly #wanted: readonly (ValueSet | undefined)[];
  readonly #memory: MemoryContext;
  readonly #kernels: ParquetKernels;
  readonly #buffers: ReadBuffers | undefined;
  /** Buffers that hold the chunks, until the source is closed. */
  #taken: Uint8Array[] = [];
  #waiting: Promise<void> | undefined;
  /** Per column, the chunks of its leaves. */
  #chunks: readonly (readonly Uint8Array[] | undefined)[] = [];
  /** Readers of columns whose dictionary was checked before anything was read. */
  readonly #opened = new Map<number, ColumnReader>();
  #readers: readonly (Reader | undefined)[] | undefined;
  readonly #pageRows: number;
  readonly #widenings = new Map<number, Widening>();
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
      readonly buffers?: ReadBuffers | undefined;
      /** Constraint that became known after the split was made. */
      readonly constraint?: Constraint;
    },
  ) {
    this.#split = options.split;
    this.#columns = options.columns;
    this.#memory = options.memory.child("files");
    this.#kernels = options.kernels;
    this.#buffers = options.buffers;
    this.#constraint = options.constraint ?? alwaysTrue;
    this.#pageRows = pageRowsOf(options);
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
    const positionCount = Math.min(this.#pageRows, this.#rowsLeft);
    const readers = (this.#readers ??= this.#columns.map((column, index) =>
      this.#within(column, () => this.#opened.get(index) ?? this.#open(column, this.#chunks[index])),
    ));
    const columns = this.#columns.map((column, index) => {
      const reader = readers[index];
      return reader === undefined ? this.#nullColumn(column) : this.#within(column, () => this.#widened(index, reader.read(positionCount)));
    });
    this.#rowsLeft -= positionCount;
    return { positionCount, selection: 0, columns };
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#chunks = [];
      this.#memory.close();
      this.#giveBack();
    }
  }

  async #load(storage: Storage): Promise<void> {
    const { path, sizeBytes } = this.#split;
    if (this.#columns.length === 0 || this.#rowsLeft === 0) {
      return;
    }
    await requireSize(storage, path, sizeBytes);
    const chunks: (readonly Uint8Array[] | undefined)[] = this.#columns.map(() => undefined);
    const indexes = [...this.#columns.keys()];
    // Columns that may exclude the whole group are read first, one by one; the others at once.
    for (const index of indexes.filter((index) => this.#wanted[index] !== undefined)) {
      chunks[index] = (await this.#read(storage, [index]))[0];
      if (!this.#closed && this.#dictionaryLacks(index, chunks[index])) {
        this.#rowsLeft = 0;
        return;
      }
    }
    const rest = indexes.filter((index) => this.#wanted[index] === undefined);
    const read = await this.#read(storage, rest);
    for (const [place, index] of rest.entries()) {
      chunks[index] = read[place];
    }
    if (!this.#closed) {
      this.#chunks = chunks;
    }
  }

  /** By column, the chunks of its leaves; undefined if the file does not have it, or the source was closed. */
  async #read(storage: Storage, indexes: readonly number[]): Promise<readonly (readonly Uint8Array[] | undefined)[]> {
    if (this.#closed) {
      return [];
    }
    const { columns } = this.#split;
    const asked = indexes.map((index) => ownMember(columns, (this.#columns[index] as ColumnMetadata).name));
    const leaves = asked.flatMap((stored) => (stored === undefined ? [] : leavesStored(stored)));
    const found = new Map<StoredLeaf, Uint8Array>();
    const ranges = commonRanges(leaves);
    for (const { sizeBytes } of ranges) {
      this.#memory.reserve(sizeBytes);
    }
    const read = await Promise.allSettled(
      ranges.map(async ({ offset, sizeBytes, leaves: within }) => {
        const bytes = await this.#readRange(storage, offset, sizeBytes);
        for (const leaf of within) {
          found.set(leaf, bytes.subarray(leaf.offset - offset, leaf.offset - offset + leaf.sizeBytes));
          this.#completedBytes += leaf.sizeBytes;
        }
      }),
    );
    // Of several errors that of the first range, whichever came first.
    const failed = read.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") {
      throw failed.reason;
    }
    return asked.map((stored) => stored && leavesStored(stored).map((leaf) => found.get(leaf) ?? new Uint8Array(0)));
  }

  /** Until the storage has answered, nobody else may have the buffer. */
  async #readRange(storage: Storage, offset: number, sizeBytes: number): Promise<Uint8Array> {
    const { path } = this.#split;
    const buffer = this.#buffers?.take(sizeBytes);
    try {
      return await reading(path, storage.read(path, offset, sizeBytes, buffer));
    } finally {
      if (buffer !== undefined) {
        this.#taken.push(buffer);
      }
      if (this.#closed) {
        this.#giveBack();
      }
    }
  }

  #giveBack(): void {
    for (const buffer of this.#taken) {
      this.#buffers?.give(buffer);
    }
    this.#taken = [];
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
      return known !== undefined && !mayLieWithin(values, known);
    });
  }

  /** Values are sought as they are stored. A value with a time zone equals others of other bytes. */
  #wantedOf({ name, type }: ColumnMetadata): ValueSet | undefined {
    const stored = ownMember(this.#split.columns, name);
    if (isZoned(type) || (stored !== undefined && (!("encoding" in stored) || !sameType(stored.encoding.type, type)))) {
      return undefined;
    }
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

  #dictionaryLacks(index: number, bytes: readonly Uint8Array[] | undefined): boolean {
    const wanted = this.#wanted[index];
    const column = this.#columns[index] as ColumnMetadata;
    if (wanted === undefined || bytes === undefined) {
      return false;
    }
    return this.#within(column, () => {
      const reader = this.#open(column, bytes);
      if (!(reader instanceof ColumnReader)) {
        return false;
      }
      this.#opened.set(index, reader);
      return reader.dictionaryLacks(wanted);
    });
  }

  #open({ name }: ColumnMetadata, bytes: readonly Uint8Array[] | undefined): Reader | undefined {
    const stored = ownMember(this.#split.columns, name);
    if (stored === undefined || bytes === undefined) {
      return undefined;
    }
    const leaves = leavesStored(stored).map((leaf, index) => ({ stored: leaf, bytes: bytes[index] ?? new Uint8Array(0) }));
    if (leaves.some((leaf) => leaf.bytes.length !== leaf.stored.sizeBytes)) {
      throw new BadData("the file changed while it was read");
    }
    const common = { memory: this.#memory, kernels: this.#kernels };
    if ("node" in stored) {
      return new NestedColumnReader({ node: stored.node, leaves, rows: this.#split.rows, ...common });
    }
    const { encoding, codec, optional } = stored;
    const levels = { entries: this.#split.rows, definitionMax: optional ? 1 : 0, repetitionMax: 0 };
    return new ColumnReader({ encoding, codec, bytes: bytes[0] ?? new Uint8Array(0), ...levels, ...common });
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

  /** The table's type may be wider than that of the file. */
  #widened(index: number, column: Column): Column {
    const { type } = this.#columns[index] as ColumnMetadata;
    if (column.type === type || sameType(column.type, type)) {
      return column;
    }
    let widening = this.#widenings.get(index);
    if (widening === undefined) {
      widening = new Widening(this.#memory, type);
      this.#widenings.set(index, widening);
    }
    return widening.widen(column);
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

/** Bytes of a file that hold chunks of leaves. */
interface Range {
  readonly offset: number;
  sizeBytes: number;
  readonly leaves: StoredLeaf[];
}

/** Chunks that lie near each other are read at once: a read costs as much as some ten thousand bytes of another column. */
function commonRanges(leaves: readonly StoredLeaf[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const leaf of leaves.toSorted((a, b) => a.offset - b.offset)) {
    const last = ranges.at(-1);
    const end = leaf.offset + leaf.sizeBytes;
    if (last !== undefined && leaf.offset - (last.offset + last.sizeBytes) <= gapBytesMax && end - last.offset <= rangeBytesMax) {
      last.sizeBytes = Math.max(last.sizeBytes, end - last.offset);
      last.leaves.push(leaf);
    } else {
      ranges.push({ offset: leaf.offset, sizeBytes: leaf.sizeBytes, leaves: [leaf] });
    }
  }
  return ranges;
}

function leavesStored(stored: StoredColumn): readonly StoredLeaf[] {
  return "node" in stored ? stored.leaves : [stored];
}

/** Fewer rows where nested values are large: their leaves are all in memory for a page, and the values that are made of them. */
function pageRowsOf({
  split,
  columns,
  memory,
}: {
  split: ParquetSplit;
  columns: readonly ColumnMetadata[];
  memory: MemoryContext;
}): number {
  const rowBytes = columns.reduce((sum, { name }) => {
    const stored = ownMember(split.columns, name);
    return sum + (stored !== undefined && "node" in stored ? stored.rowBytes : 0);
  }, 0);
  const rows = memory.knobs.value("page-rows");
  return rowBytes === 0 ? rows : Math.max(1, Math.min(rows, Math.floor(nestedPageBytes / rowBytes)));
}
