/**
 * A statement and its rows, for programs: `for await (const row of client.query(sql))`. The statement is sent when its rows are first asked
 * for. Leaving the loop early cancels it on the server.
 */
import type { ColumnDocument, QueryResults } from "../protocol/documents/statement.ts";
import { ClientError, queryFailed } from "./errors.ts";
import type { StatementRun } from "./statement-client.ts";
import { type IntegerMode, type Row, rowDecoder, type Value } from "./values.ts";

export interface Column {
  readonly name: string;
  /** In SQL: `decimal(10,2)`. */
  readonly type: string;
}

export interface Warning {
  readonly name: string;
  readonly message: string;
}

/** What the server last reported about a statement. */
export interface Progress {
  readonly queryId: string;
  /** `QUEUED`, `WAITING_FOR_RESOURCES`, `PLANNING`, `STARTING`, `RUNNING`, `FINISHING`, `FINISHED` or `FAILED`. */
  readonly state: string;
  /** From 0 to 100; absent until it can be estimated. */
  readonly percentage?: number;
  readonly completedSplits: number;
  readonly totalSplits: number;
  readonly processedRows: number;
  readonly processedBytes: number;
  readonly elapsedTimeMillis: number;
  /** Page of the query in the server's web interface. */
  readonly infoUri: string;
}

export interface QueryResult {
  readonly queryId: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** What a statement other than a query did: `CREATE TABLE`, `INSERT`. */
  readonly updateType?: string;
  /** Rows that the statement changed. */
  readonly updateCount?: number;
  readonly warnings: readonly Warning[];
}

/** The part of AbortSignal that is used. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface QueryReading {
  readonly integers: IntegerMode;
  readonly signal: AbortSignalLike | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** The rows of one statement. They can be read once, in one of the ways below. */
export class Query implements AsyncIterable<Row> {
  readonly #run: StatementRun;
  readonly #reading: QueryReading;
  readonly #onAbort = (): void => void this.#run.cancel();
  /** Rows that were fetched to learn the columns. */
  #early: (readonly Row[])[] = [];
  #decode: ((row: readonly unknown[]) => Row) | undefined;
  #isRead = false;

  /** @internal Use `client.query`. */
  constructor(run: StatementRun, reading: QueryReading) {
    this.#run = run;
    this.#reading = reading;
    reading.signal?.addEventListener("abort", this.#onAbort);
  }

  /** Undefined until the server has answered. */
  get queryId(): string | undefined {
    return this.#run.queryId;
  }

  /** Undefined until the server has answered. */
  get progress(): Progress | undefined {
    return this.#run.results === undefined ? undefined : progressOf(this.#run.results);
  }

  get warnings(): readonly Warning[] {
    return (this.#run.results?.warnings ?? []).map(({ message, warningCode }) => ({ name: warningCode.name, message }));
  }

  /** Waits until the columns are known. None for a statement without rows. */
  async columns(): Promise<readonly Column[]> {
    while (this.#run.columns === undefined) {
      const rows = await this.#advance();
      if (rows === undefined) {
        break;
      }
      this.#early.push(rows);
    }
    return columnsOf(this.#run.columns);
  }

  /** The rows as they arrive, several at a time. */
  async *batches(): AsyncGenerator<readonly Row[], void, undefined> {
    if (this.#isRead) {
      throw new TypeError("The rows of a query can be read once; run the query again");
    }
    this.#isRead = true;
    try {
      for (;;) {
        const rows = this.#early.shift() ?? (await this.#advance());
        if (rows === undefined) {
          return;
        }
        if (rows.length > 0) {
          yield rows;
        }
      }
    } finally {
      await this.#end();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const rows of this.batches()) {
      yield* rows;
    }
  }

  /** Each row as an object by column names. Of two columns of one name, the last one counts. */
  async *objects(): AsyncGenerator<Readonly<Record<string, Value>>, void, undefined> {
    for await (const rows of this.batches()) {
      const columns = columnsOf(this.#run.columns);
      for (const row of rows) {
        yield Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
      }
    }
  }

  /** All rows in memory. */
  async rows(): Promise<Row[]> {
    const all: Row[] = [];
    for await (const rows of this.batches()) {
      for (const row of rows) {
        all.push(row);
      }
    }
    return all;
  }

  /** Runs the statement to its end: columns, all rows, and what it changed. */
  async result(): Promise<QueryResult> {
    const rows = await this.rows();
    const { updateType, updateCount } = this.#run.results ?? {};
    return {
      queryId: this.queryId ?? "",
      columns: columnsOf(this.#run.columns),
      rows,
      ...(updateType === undefined ? {} : { updateType }),
      ...(updateCount === undefined ? {} : { updateCount: Number(updateCount) }),
      warnings: this.warnings,
    };
  }

  /** Ends the query on the server. Whoever reads its rows gets a ClientError of kind INTERRUPTED. */
  async cancel(): Promise<void> {
    await this.#run.cancel();
  }

  /** The next rows, perhaps none; undefined at the end. */
  async #advance(): Promise<readonly Row[] | undefined> {
    this.#throwIfAborted();
    const isMore = await this.#run.follow();
    this.#throwIfAborted();
    const { error, columns, results, rows, state } = this.#run;
    if (state === "CANCELED") {
      throw new ClientError("INTERRUPTED", `Query ${this.queryId ?? ""} was canceled`.replace("  ", " "));
    }
    if (isMore && results !== undefined) {
      this.#reading.onProgress?.(progressOf(results));
    }
    if (error !== undefined) {
      throw queryFailed(error, this.queryId);
    }
    if (!isMore) {
      return undefined;
    }
    if (columns !== undefined) {
      this.#decode ??= rowDecoder(columns, this.#reading.integers);
    }
    return this.#decode === undefined ? [] : rows.map(this.#decode);
  }

  #throwIfAborted(): void {
    const { signal } = this.#reading;
    if (signal?.aborted === true) {
      throw signal.reason;
    }
  }

  async #end(): Promise<void> {
    this.#reading.signal?.removeEventListener("abort", this.#onAbort);
    this.#early = [];
    await this.#run.cancel();
  }
}

function columnsOf(columns: readonly ColumnDocument[] | undefined): readonly Column[] {
  return (columns ?? []).map(({ name, type }) => ({ name, type }));
}

function progressOf({ id, infoUri, stats }: QueryResults): Progress {
  return {
    queryId: id,
    state: stats.state,
    ...(stats.progressPercentage === undefined ? {} : { percentage: stats.progressPercentage }),
    completedSplits: stats.completedSplits,
    totalSplits: stats.totalSplits,
    processedRows: Number(stats.processedRows),
    processedBytes: Number(stats.processedBytes),
    elapsedTimeMillis: Number(stats.elapsedTimeMillis ?? 0),
    infoUri,
  };
}
