/**
 * Writes the rows of a task to a staging table, in statements of many rows. Each row has the id of its sink, so that the commit takes the
 * rows of finished sinks only.
 */
import type { DatabaseConnection } from "../../../ports/databases.ts";
import type { LinearMemory } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { readValue } from "../../../page/reader.ts";
import type { ColumnMetadata, Json, PageSink } from "../../spi.ts";
import type { Connections } from "./pool.ts";
import type { PageValue } from "../../../page/reader.ts";

/** Characters of a statement after which it is run, whatever its rows: servers of Trino take a million. */
const statementCharacters = 524_288;
/** Bytes of statements that wait. */
const waitingBytesMax = 4_194_304;

/** How rows are written into a statement. The first value of each row is the id of the sink. */
export interface RowsForm {
  value(column: ColumnMetadata, value: PageValue): string;
  row(values: readonly string[]): string;
  statement(rows: readonly string[]): string;
}

export interface RemoteSinkOptions {
  readonly pool: Connections;
  readonly form: RowsForm;
  /** Id of the sink as a literal of a fragment. */
  readonly id: string;
  readonly columns: readonly ColumnMetadata[];
  readonly rowsMax: number;
  readonly linear: LinearMemory;
}

/** What a sink has written. Plain JSON. */
export interface SinkFragment {
  readonly id: string;
  readonly rows: number;
}

export class RemoteSink implements PageSink {
  readonly #options: RemoteSinkOptions;
  #rows: string[] = [];
  #bytes = 0;
  #count = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isAborted = false;
  /** Runs a statement. */
  #connection: DatabaseConnection | undefined;

  constructor(options: RemoteSinkOptions) {
    this.#options = options;
  }

  append(page: Page): void {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const { columns, form, linear, rowsMax } = this.#options;
    for (let position = 0; position < page.positionCount; position++) {
      const row = form.row(columns.map((column, index) => form.value(column, readValue(linear, page, index, position))));
      this.#rows.push(row);
      this.#bytes += row.length;
      this.#count++;
      if (this.#rows.length >= rowsMax || this.#bytes >= statementCharacters) {
        this.#flush();
      }
    }
  }

  blocked(): Promise<void> | undefined {
    return this.#waitingBytes > waitingBytesMax && this.#failure === undefined ? this.#running : undefined;
  }

  async finish(): Promise<Json> {
    this.#flush();
    while (this.#running !== undefined) {
      await this.#running;
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const fragment: SinkFragment = { id: this.#options.id, rows: this.#count };
    return fragment as unknown as Json;
  }

  /** The rows that are staged belong to no fragment. The statement that runs is stopped: a server that does not answer would keep it. */
  abort(): void {
    this.#isAborted = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#rows = [];
    this.#connection?.cancel();
    this.#connection?.close();
  }

  async #run(statement: string): Promise<void> {
    await this.#options.pool.use(async (connection) => {
      // It may have been aborted while it waited for the connection.
      if (this.#isAborted) {
        return;
      }
      this.#connection = connection;
      try {
        await connection.query(statement);
      } finally {
        this.#connection = undefined;
      }
    });
  }

  #flush(): void {
    if (this.#rows.length > 0) {
      this.#waiting.push(this.#options.form.statement(this.#rows));
      this.#waitingBytes += this.#bytes;
      this.#rows = [];
      this.#bytes = 0;
    }
    this.#start();
  }

  /** Statements run one after the other; `#running` resolves after each. */
  #start(): void {
    const statement = this.#waiting[0];
    if (this.#running !== undefined || statement === undefined || this.#isAborted || this.#failure !== undefined) {
      return;
    }
    this.#running = this.#run(statement)
      .then(
        () => {
          this.#waiting.shift();
          this.#waitingBytes = this.#waiting.length === 0 ? 0 : Math.max(0, this.#waitingBytes - statement.length);
        },
        (error: unknown) => {
          this.#failure = { error };
        },
      )
      .then(() => {
        this.#running = undefined;
        this.#start();
      });
  }
}
