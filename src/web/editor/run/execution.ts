/** One statement of a run: its progress, its rows up to a limit, its error. The view reads it after each change of `version`. */
import { signal } from "@preact/signals";
import { ClientError } from "../../../client/requester.ts";
import type { Row, StatementClient, StatementRun } from "../../../client/statement-client.ts";
import type { ColumnDocument, QueryResults, StatementError } from "../../../protocol/documents/statement.ts";
import { type ColumnType, parseColumnType } from "../results/column-types.ts";

export type ExecutionState =
  | "waiting"
  | "running"
  | "finished"
  | "failed"
  | "canceled"
  /** More rows exist than are kept; the rest was not fetched. */
  | "limited";

/** How a statement is run. */
export type RunMode = "run" | "explain" | "analyze";

export interface StatementText {
  readonly sql: string;
  /** Offset of the statement in the text of the tab. */
  readonly offset: number;
  readonly mode: RunMode;
}

const prefixes: Readonly<Record<RunMode, string>> = { run: "", explain: "EXPLAIN ", analyze: "EXPLAIN ANALYZE " };

export interface ExecutionLimits {
  readonly rowsMax: number;
  /** Estimated bytes of all kept rows. */
  readonly bytesMax: number;
}

/** Repaints at most this often while rows arrive. */
const repaintMs = 60;

export class Execution {
  readonly statement: StatementText;
  readonly version = signal(0);
  state: ExecutionState = "waiting";
  columns: readonly ColumnDocument[] = [];
  types: readonly ColumnType[] = [];
  rows: Row[] = [];
  results: QueryResults | undefined;
  /** An error of the connection; errors of the query are in `results`. */
  clientError: ClientError | undefined;
  startedMs = 0;
  elapsedMs = 0;
  /** Rows were given up to make room for those of later statements. */
  isDropped = false;
  readonly #limits: ExecutionLimits;
  #bytes = 0;
  #run: StatementRun | undefined;
  #repaint: ReturnType<typeof setTimeout> | undefined;

  constructor(statement: StatementText, limits: ExecutionLimits) {
    this.statement = statement;
    this.#limits = limits;
  }

  /** As sent. */
  get sql(): string {
    return prefixes[this.statement.mode] + this.statement.sql;
  }

  /** Length of what was put in front of the statement. */
  get prefixLength(): number {
    return prefixes[this.statement.mode].length;
  }

  get queryId(): string | undefined {
    return this.results?.id;
  }

  get error(): StatementError | undefined {
    return this.results?.error;
  }

  get isOver(): boolean {
    return this.state !== "waiting" && this.state !== "running";
  }

  /** Resolves when the statement is over; never rejects. */
  async start(client: StatementClient): Promise<void> {
    if (this.isOver) {
      return;
    }
    const run = client.submit(this.sql);
    this.#run = run;
    this.state = "running";
    this.startedMs = Date.now();
    const since = performance.now();
    this.#changed();
    try {
      while (!this.isOver && (await run.advance())) {
        this.elapsedMs = performance.now() - since;
        await this.#take(run);
      }
      this.#end(run.state === "FINISHED" ? "finished" : run.state === "FAILED" ? "failed" : "canceled");
    } catch (error) {
      this.clientError = error instanceof ClientError ? error : new ClientError("UNREACHABLE", String(error));
      this.#end("failed");
    }
    this.results = run.results ?? this.results;
    this.elapsedMs = performance.now() - since;
    this.#run = undefined;
    clearTimeout(this.#repaint);
    this.#repaint = undefined;
    this.version.value++;
  }

  async cancel(): Promise<void> {
    const run = this.#run;
    this.#end("canceled");
    this.version.value++;
    await run?.cancel();
  }

  /** Gives up the rows. */
  drop(): void {
    this.isDropped = this.rows.length > 0;
    this.rows = [];
    this.version.value++;
  }

  async #take(run: StatementRun): Promise<void> {
    this.results = run.results;
    if (run.columns !== undefined && run.columns !== this.columns) {
      this.columns = run.columns;
      this.types = run.columns.map(({ type }) => parseColumnType(type));
    }
    for (const row of run.rows) {
      if (this.rows.length >= this.#limits.rowsMax || this.#bytes > this.#limits.bytesMax) {
        this.#end("limited");
        // The rest is not fetched, and the query does not wait for it.
        await run.cancel();
        break;
      }
      this.rows.push(row);
      this.#bytes += sizeOf(row);
    }
    this.#changed();
  }

  /** The first end counts. */
  #end(state: ExecutionState): void {
    if (!this.isOver) {
      this.state = state;
    }
  }

  #changed(): void {
    this.#repaint ??= setTimeout(() => {
      this.#repaint = undefined;
      this.version.value++;
    }, repaintMs);
  }
}

/** Estimated bytes of a value in the browser's memory. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") {
    return 24 + value.length;
  }
  if (typeof value !== "object" || value === null) {
    return 8;
  }
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 32);
}
