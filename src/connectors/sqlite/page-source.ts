/**
 * Reads a part of a table. Pages of the file are read in batches, one ahead of the rows that are decoded; a batch is used when nothing in
 * it can be of another state of the database. Fields of columns that are not asked for are passed over, and overflow pages behind the last
 * field that is asked for are not read.
 */
import type { PageBuilder } from "../../page/builder.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import type { Storage } from "../../ports/storage.ts";
import { BadData, badFile } from "../shared/file-errors.ts";
import { OpenPage } from "../shared/open-page.ts";
import type { ColumnMetadata, PageSource } from "../spi.ts";
import { type Cells, payloadBytes, requirePossible, type RowidRange, Walk } from "./format/b-tree.ts";
import { payloadOf, rowidOf } from "./format/b-tree-page.ts";
import { columnsOf, type HandleColumn, intersected, type SplitPayload, type TableHandle } from "./handle.ts";
import { narrowed, type Rowid } from "./format/numbers.ts";
import { Pager, pagerBytes } from "./format/pager.ts";
import { isNull, RecordFields } from "./format/record.ts";
import { Snapshot } from "./format/snapshot.ts";
import { appendInteger, appenderOf, type AppendStored, storedLiteral, Unfit } from "./values.ts";

/** Bytes of a batch; the first one is smaller, because a few rows may be enough. */
const batchBytes = 262_144;
const firstBatchBytes = 65_536;

/** Rows whose values are there. */
interface Ready extends Cells {
  /** Beginnings of payloads that have overflow pages, by cell. */
  readonly whole: ReadonlyMap<number, Uint8Array>;
  readonly bytes: number;
}

/** Appends the value of a column for the current row. Returns its bytes. */
type AppendColumn = (builder: PageBuilder, row: CurrentRow) => number;

interface CurrentRow {
  bytes: Uint8Array;
  rowid: Rowid;
}

export interface SqlitePageSourceOptions {
  readonly storage: Storage;
  readonly handle: TableHandle;
  readonly split: SplitPayload;
  readonly columns: readonly ColumnMetadata[];
  /** Row ids that are wanted; undefined if none are. */
  readonly rowids: RowidRange | undefined;
  readonly memory: MemoryContext;
}

export class SqlitePageSource implements PageSource {
  readonly #options: SqlitePageSourceOptions;
  readonly #memory: MemoryContext;
  readonly #columns: readonly HandleColumn[];
  readonly #fields: RecordFields;
  readonly #range: RowidRange;
  readonly #row: CurrentRow = { bytes: new Uint8Array(0), rowid: 0 };
  readonly #page: OpenPage;
  #append: readonly AppendColumn[] = [];
  #pager: Pager | undefined;
  #walk: Walk | undefined;
  /** Rows that are read, and the next of them. */
  #batch: readonly Ready[] = [];
  #item = 0;
  #cell = 0;
  /** The column that is being appended. */
  #channel = 0;
  #ahead: readonly Ready[] | undefined;
  #loading: Promise<void> | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #closed = false;
  #rowsLeft: number;
  #lastRowid: Rowid | undefined;
  /** Rows of the split so far: the place of a row of a table without row ids. */
  #rowCount = 0;

  constructor(options: SqlitePageSourceOptions) {
    const { handle, split, columns, rowids, memory } = options;
    this.#options = options;
    this.#memory = memory.child("sqlite");
    this.#columns = columnsOf(handle, columns);
    this.#fields = new RecordFields(Math.max(0, ...this.#columns.map(({ field }) => (typeof field === "number" ? field + 1 : 0))));
    this.#page = new OpenPage(
      columns.map(({ type }) => type),
      this.#memory,
      memory.knobs.value("page-rows"),
    );
    this.#rowsLeft = handle.limit ?? Number.POSITIVE_INFINITY;
    this.#range = intersected(rangeOf(split), rowids ?? {});
    if (rowids === undefined || this.#rowsLeft === 0) {
      this.#ended = true;
    } else {
      this.#memory.reserve(pagerBytes);
      this.#load();
    }
  }

  get finished(): boolean {
    return this.#closed || (this.#isExhausted() && !this.#page.hasRows);
  }

  get completedBytes(): number {
    return this.#pager?.readBytes ?? 0;
  }

  blocked(): Promise<void> | undefined {
    return this.#closed || this.#failure !== undefined || !this.#isDecoded() || this.#ahead !== undefined ? undefined : this.#loading;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.finished || this.blocked() !== undefined) {
      return undefined;
    }
    const builder = this.#page.start();
    while (!this.#page.isFull && this.#rowsLeft > 0) {
      if (this.#isDecoded() && !this.#nextBatch()) {
        break;
      }
      this.#decode(builder, this.#batch[this.#item] as Ready);
    }
    if (this.#rowsLeft === 0) {
      this.#stop();
    }
    const isWhole = this.#page.isFull || this.#isExhausted();
    return isWhole && this.#page.hasRows ? this.#page.build() : undefined;
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#stop();
      this.#page.close();
      this.#memory.close();
    }
  }

  #stop(): void {
    this.#ended = true;
    this.#batch = [];
    this.#item = 0;
    this.#ahead = undefined;
  }

  #isDecoded(): boolean {
    return this.#item >= this.#batch.length;
  }

  /** All rows are in pages. */
  #isExhausted(): boolean {
    return this.#ended && this.#failure === undefined && this.#ahead === undefined && this.#isDecoded();
  }

  /** False if the next batch is not there. */
  #nextBatch(): boolean {
    if (this.#ahead === undefined) {
      return false;
    }
    this.#memory.release(sizeOf(this.#batch));
    this.#batch = this.#ahead;
    this.#item = 0;
    this.#cell = this.#batch[0]?.first ?? 0;
    this.#ahead = undefined;
    this.#load();
    return this.#batch.length > 0;
  }

  /** Rows of the item, until the page is full. */
  #decode(builder: PageBuilder, ready: Ready): void {
    const { path } = this.#options.handle;
    try {
      while (this.#cell < ready.end && !this.#page.isFull && this.#rowsLeft > 0) {
        if (this.#parse(ready, this.#cell++)) {
          this.#appendRow(builder);
        }
      }
    } catch (error) {
      if (error instanceof Unfit || error instanceof BadData) {
        throw badFile(path, `page ${ready.page.number}`, `${error instanceof Unfit ? `${this.#place()}: ` : ""}${error.message}`);
      }
      throw error;
    }
    if (this.#cell >= ready.end) {
      this.#item++;
      this.#cell = this.#batch[this.#item]?.first ?? 0;
    }
  }

  /** False for a row outside of the range. */
  #parse({ page, whole, bounds }: Ready, cell: number): boolean {
    if (page.isTable) {
      const rowid = rowidOf(page, cell);
      const { above = rowid, upTo = rowid } = bounds;
      const isBehind = (this.#lastRowid === undefined || rowid > this.#lastRowid) && (bounds.above === undefined || rowid > above);
      if (!isBehind || rowid > upTo) {
        throw new BadData(`row id ${rowid} is not in the order of the table`);
      }
      this.#lastRowid = rowid;
      const { low = rowid, high = rowid } = this.#range;
      if (rowid < low || rowid > high) {
        return false;
      }
      this.#row.rowid = rowid;
    }
    this.#rowCount++;
    if (this.#fields.serials.length > 0) {
      const { at, size, local } = payloadOf(page, cell);
      const bytes = whole.get(cell);
      this.#row.bytes = bytes ?? page.bytes;
      this.#fields.parse(this.#row.bytes, bytes === undefined ? at : 0, { size, end: bytes === undefined ? at + local : bytes.length });
    }
    return true;
  }

  #appendRow(builder: PageBuilder): void {
    const append = this.#append;
    if (append.length === 0) {
      builder.appendRows(1);
    }
    for (this.#channel = 0; this.#channel < append.length; this.#channel++) {
      this.#page.bytes += (append[this.#channel] as AppendColumn)(builder, this.#row);
    }
    this.#rowsLeft--;
  }

  #place(): string {
    const { table, tree } = this.#options.handle;
    const row = tree.isTable ? `row id ${this.#row.rowid}` : `row ${this.#rowCount} of the split`;
    return `table ${table}, ${row}, column ${this.#columns[this.#channel]?.name}`;
  }

  /** Starts to read the next batch. */
  #load(): void {
    if (this.#ended || this.#loading !== undefined) {
      return;
    }
    this.#loading = this.#read()
      .then((batch) => {
        if (batch.length === 0) {
          this.#ended = true;
        } else if (!this.#ended) {
          this.#ahead = batch;
        }
      })
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .then(() => {
        this.#loading = undefined;
      });
  }

  async #read(): Promise<readonly Ready[]> {
    const { storage, handle, split, columns } = this.#options;
    let bytesWanted = batchBytes;
    if (this.#pager === undefined || this.#walk === undefined) {
      const snapshot = await Snapshot.open(storage, split.snapshot.path, split.snapshot);
      this.#pager = new Pager(snapshot);
      this.#walk = new Walk(this.#pager, handle.tree, { rowids: this.#range, children: split.children });
      this.#append = this.#columns.map((column, channel) =>
        this.#columnAppender(column, { channel, type: (columns[channel] as ColumnMetadata).type, snapshot }),
      );
      bytesWanted = firstBatchBytes;
    }
    const batch: Ready[] = [];
    for (let bytes = 0; bytes < bytesWanted && !this.#closed; ) {
      const cells = await this.#walk.next();
      if (cells === undefined) {
        break;
      }
      const ready = await this.#ready(this.#pager, cells);
      bytes += ready.bytes;
      batch.push(ready);
    }
    if (batch.length > 0 && !this.#closed) {
      await this.#pager.snapshot.requireUnchanged();
    }
    return this.#closed ? [] : batch;
  }

  /** Reads the overflow pages that the columns need. */
  async #ready(pager: Pager, cells: Cells): Promise<Ready> {
    const { page, first, end } = cells;
    const whole = new Map<number, Uint8Array>();
    let bytes = page.bytes.length;
    this.#reserve(bytes);
    for (let cell = first; cell < end && this.#fields.serials.length > 0 && !this.#closed; cell++) {
      const payload = pager.within(page.number, () => payloadOf(page, cell));
      if (payload.overflow !== 0) {
        pager.within(page.number, () => requirePossible(payload, pager));
        const wanted = await this.#wantedBytes(pager, cells, cell);
        if (wanted > payload.local) {
          this.#reserve(wanted);
          bytes += wanted;
          whole.set(cell, await payloadBytes(pager, page, { payload, wanted }));
        }
      }
    }
    return { ...cells, whole, bytes };
  }

  #reserve(bytes: number): void {
    if (!this.#closed) {
      this.#memory.reserve(bytes);
    }
  }

  /** Bytes of the payload up to the end of the last field that is asked for. */
  async #wantedBytes(pager: Pager, { page }: Cells, cell: number): Promise<number> {
    const fields = new RecordFields(this.#fields.serials.length);
    return pager.within(page.number, () => {
      const { at, size, local } = payloadOf(page, cell);
      try {
        return fields.parse(page.bytes, at, { size, end: at + local }) - at;
      } catch (error) {
        // The header of the record is longer than what lies here.
        if (error instanceof BadData && local < size) {
          return size;
        }
        throw error;
      }
    });
  }

  #columnAppender(
    { field, affinity, defaultValue }: HandleColumn,
    { channel, type, snapshot }: { readonly channel: number; readonly type: ColumnMetadata["type"]; readonly snapshot: Snapshot },
  ): AppendColumn {
    if (typeof field !== "number") {
      return (builder, { rowid }) => {
        appendInteger(builder, channel, rowid);
        return 8;
      };
    }
    const append = appenderOf(type, channel, snapshot.header.encoding);
    const missing = this.#missingAppender(defaultValue === undefined ? undefined : storedLiteral(defaultValue, affinity), channel, type);
    const { serials, offsets } = this.#fields;
    return (builder, { bytes }) => {
      if (field >= this.#fields.count) {
        return missing(builder);
      }
      const [serial, at] = [serials[field] as number, offsets[field] as number];
      if (isNull(bytes, at, serial)) {
        builder.appendNull(channel);
        return 1;
      }
      return append(builder, bytes, at, serial);
    };
  }

  /** For rows that are older than the column. */
  #missingAppender(
    stored: ReturnType<typeof storedLiteral>,
    channel: number,
    type: ColumnMetadata["type"],
  ): (builder: PageBuilder) => number {
    if (stored === undefined) {
      return (builder) => {
        builder.appendNull(channel);
        return 1;
      };
    }
    const append: AppendStored = appenderOf(type, channel, "utf-8");
    const { bytes, at, serial } = stored;
    return (builder) => append(builder, bytes, at, serial);
  }
}

function rangeOf({ low, high }: SplitPayload): RowidRange {
  return { ...(low !== undefined && { low: narrowed(BigInt(low)) }), ...(high !== undefined && { high: narrowed(BigInt(high)) }) };
}

function sizeOf(batch: readonly Ready[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes, 0);
}
