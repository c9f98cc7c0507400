/**
 * Pages of the rows of a statement. Rows are read in batches, one batch ahead of the pages, so the memory outside of the pages is bounded
 * and the database waits for a slow reader. Ends of pages depend on the rows alone.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { PageBuilder } from "../../../page/builder.ts";
import type { Page } from "../../../page/page.ts";
import type { DatabaseConnection, DatabaseCursor, DatabaseRow } from "../../../ports/databases.ts";
import type { PageSource } from "../../spi.ts";
import { OpenPage } from "../open-page.ts";
import type { AppendValue, RemoteDialect, SplitPayload } from "./dialect.ts";
import { requireWidth } from "./answers.ts";
import { type ConnectionPool, remoteError } from "./pool.ts";
import type { RemoteColumn } from "./remote-table.ts";

/** Size of a batch, in bytes of its values. */
const batchBytes = 1_048_576;
/** Rows of the first batch, when their size is not known. */
const firstRows = 256;

export interface RemotePageSourceOptions {
  readonly pool: ConnectionPool;
  readonly dialect: RemoteDialect;
  readonly sql: string;
  readonly columns: readonly RemoteColumn[];
  readonly split: SplitPayload;
  /** Rows of a batch; by their size if absent. */
  readonly fetchSize: number | undefined;
  readonly memory: MemoryContext;
}

export class RemotePageSource implements PageSource {
  readonly #options: RemotePageSourceOptions;
  readonly #append: readonly AppendValue[];
  readonly #batchRowsMax: number;
  readonly #page: OpenPage;
  #connection: DatabaseConnection | undefined;
  #cursor: DatabaseCursor | undefined;
  /** Rows that are read and not yet in a page, from `#next` on. */
  #rows: readonly DatabaseRow[] = [];
  #next = 0;
  /** The batch after them. */
  #ahead: readonly DatabaseRow[] | undefined;
  #loading: Promise<void> | undefined;
  /** The database has no more rows. */
  #ended = false;
  #isFirst = true;
  #failure: { readonly error: unknown } | undefined;
  #closed = false;
  #isCancelled = false;
  #completedBytes = 0;
  #completedRows = 0;

  constructor(options: RemotePageSourceOptions) {
    this.#options = options;
    this.#append = options.columns.map((column, channel) => options.dialect.appender(column, channel));
    this.#batchRowsMax = options.memory.knobs.value("page-rows");
    this.#page = new OpenPage(
      options.columns.map(({ type }) => type),
      options.memory,
      this.#batchRowsMax,
    );
  }

  get finished(): boolean {
    return this.#closed || (this.#isExhausted() && !this.#page.hasRows);
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  /** The first call starts the statement. */
  blocked(): Promise<void> | undefined {
    if (this.#closed || this.#failure !== undefined) {
      return undefined;
    }
    if (this.#isFirst) {
      this.#load();
    }
    return this.#isRead() && this.#ahead === undefined ? this.#loading : undefined;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.finished || this.blocked() !== undefined) {
      return undefined;
    }
    const builder = this.#page.start();
    while (!this.#page.isFull) {
      if (this.#isRead() && !this.#nextBatch()) {
        break;
      }
      this.#appendRow(builder, this.#rows[this.#next++] as DatabaseRow);
    }
    const isWhole = this.#page.isFull || this.#isExhausted();
    return isWhole && this.#page.hasRows ? this.#page.build() : undefined;
  }

  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#page.close();
    this.#rows = [];
    this.#ahead = undefined;
    const connection = this.#connection;
    if (connection === undefined) {
      return;
    }
    if (this.#loading === undefined) {
      this.#giveBack(connection);
    } else {
      // The statement that runs fails. The request may arrive late, so the connection must not run the statement of another reader. It is
      // closed at once, because a server that does not answer any more would keep it.
      this.#isCancelled = true;
      connection.cancel();
      connection.close();
    }
  }

  /** All rows are in pages. */
  #isExhausted(): boolean {
    return this.#ended && this.#loading === undefined && this.#ahead === undefined && this.#isRead();
  }

  #isRead(): boolean {
    return this.#next >= this.#rows.length;
  }

  /** False if the next batch is not there. */
  #nextBatch(): boolean {
    if (this.#ahead === undefined) {
      return false;
    }
    this.#rows = this.#ahead;
    this.#next = 0;
    this.#ahead = undefined;
    this.#load();
    return this.#rows.length > 0;
  }

  #appendRow(builder: PageBuilder, row: DatabaseRow): void {
    const append = this.#append;
    if (append.length === 0) {
      builder.appendRows(1);
    }
    let bytes = 1;
    for (let channel = 0; channel < append.length; channel++) {
      const value = row[channel];
      if (value === null || value === undefined) {
        builder.appendNull(channel);
      } else {
        bytes += (append[channel] as AppendValue)(builder, value);
      }
    }
    this.#page.bytes += bytes;
    this.#completedBytes += bytes;
    this.#completedRows++;
  }

  /** Starts to read the next batch. */
  #load(): void {
    if (this.#ended || this.#loading !== undefined) {
      return;
    }
    this.#isFirst = false;
    this.#loading = this.#read()
      .then((rows) => {
        requireWidth(rows, this.#append.length);
        this.#ahead = rows.length === 0 ? undefined : rows;
        this.#ended = rows.length === 0;
      })
      .catch((error: unknown) => {
        this.#failure = { error: remoteError(error) };
      })
      .then(() => {
        this.#loading = undefined;
        const connection = this.#connection;
        if (connection !== undefined && (this.#closed || this.#ended || this.#failure !== undefined)) {
          this.#giveBack(connection);
        }
      });
  }

  async #read(): Promise<readonly DatabaseRow[]> {
    if (this.#cursor === undefined) {
      const { pool, dialect, sql, split } = this.#options;
      const connection = await pool.acquire();
      this.#connection = connection;
      if (this.#closed) {
        return [];
      }
      await run(connection, [dialect.beginRead(split.snapshot), dialect.readSettings(split)].filter((one) => one !== "").join(";"));
      if (this.#closed) {
        return [];
      }
      this.#cursor = connection.open(sql);
    }
    return this.#cursor.read(this.#batchRows());
  }

  #batchRows(): number {
    const { fetchSize } = this.#options;
    if (fetchSize !== undefined) {
      return fetchSize;
    }
    if (this.#completedRows === 0) {
      return firstRows;
    }
    const rowBytes = Math.max(1, this.#completedBytes / this.#completedRows);
    return Math.max(1, Math.min(this.#batchRowsMax, Math.floor(batchBytes / rowBytes)));
  }

  #giveBack(connection: DatabaseConnection): void {
    const { pool, dialect } = this.#options;
    // After an error the statement is over.
    const cursor = this.#failure === undefined ? this.#cursor : undefined;
    this.#connection = undefined;
    this.#cursor = undefined;
    if (this.#isCancelled) {
      connection.close();
      pool.release(connection);
      return;
    }
    pool.giveBack(connection, async () => {
      await cursor?.close();
      await run(connection, dialect.endRead);
    });
  }
}

async function run(connection: DatabaseConnection, statements: string): Promise<void> {
  if (statements !== "") {
    await connection.query(statements);
  }
}
