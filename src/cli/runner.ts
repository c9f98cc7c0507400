/**
 * Runs one statement and prints its rows, progress, summary or error.
 */
import type { Clock, Timer } from "../ports/clock.ts";
import { ClientError } from "../client/requester.ts";
import type { StatementRun } from "../client/statement-client.ts";
import type { QueryResults, StatementError } from "../protocol/documents/statement.ts";
import type { Connection } from "./connection.ts";
import { isForPeople, type OutputFormat, rowPrinter } from "./formats/formats.ts";
import { type DrawStyle, plainStyle, type RowPrinter } from "./formats/printer.ts";
import { type Paint, unpainted } from "./formats/style.ts";
import { OutputClosed, type TextOutput } from "./output/output.ts";
import { ProgressDisplay } from "./progress/progress-display.ts";
import { progressLines } from "./progress/stage-tree.ts";
import { progressLine, summary } from "./progress/status.ts";

export interface RunnerOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly interactive: boolean;
  /** `lines`: also where standard error is not a terminal, as a line a second. */
  readonly progress: "on" | "off" | "lines";
  readonly debug: boolean;
  /** Names that may have been meant, for an error that names one that does not exist; `undefined` for none. */
  readonly suggest?: (sql: string, error: StatementError) => Promise<string | undefined>;
}

export type RunOutcome = "FINISHED" | "FAILED" | "CANCELED" | "UNREACHABLE";

/** An output that may hold text back, or that the user leaves when it has been read. */
export interface EndingOutput extends TextOutput {
  /** Idempotent. */
  end?(): Promise<void>;
}

export interface RunOptions {
  readonly format: OutputFormat;
  /** Where rows go; standard output if absent. */
  readonly output?: EndingOutput;
  readonly style?: DrawStyle;
  /** The summary is not printed. */
  readonly isQuiet?: boolean;
}

/** A statement that is done sooner shows no progress in the shell, in milliseconds. */
const quietMs = 150;

/** Time between two lines of progress in a log, in milliseconds. */
const progressLineMs = 1000;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #display: ProgressDisplay;
  #run: StatementRun | undefined;
  #startNanos = 0;
  #lastLineMs = 0;
  #quietTimer: Timer | undefined;
  #elapsedMsOfLast = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#display = new ProgressDisplay(options.stderr);
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Duration of the last statement that succeeded, in milliseconds, without the time in a pager. */
  get elapsedMs(): number {
    return this.#elapsedMsOfLast;
  }

  /** Cancels the running statement; `run` then returns CANCELED. */
  cancel(): void {
    void this.#run?.cancel();
  }

  /** Ends the running statement early: it continues with the rows it has. */
  cancelPartially(): void {
    void this.#run?.cancelLeafStage();
  }

  async run(sql: string, options: RunOptions): Promise<RunOutcome> {
    const run = this.#options.connection.client.submit(sql);
    this.#run = run;
    this.#startNanos = this.#options.clock.monotonicNanos();
    this.#lastLineMs = 0;
    try {
      return await this.#follow(run, options);
    } catch (error) {
      await this.#hideProgress();
      await options.output?.end?.();
      if (error instanceof OutputClosed) {
        await run.cancel();
        return "CANCELED";
      }
      if (error instanceof ClientError) {
        return await this.#explain(run, error);
      }
      throw error;
    } finally {
      this.#run = undefined;
    }
  }

  async #follow(run: StatementRun, options: RunOptions): Promise<RunOutcome> {
    const output = options.output ?? this.#options.stdout;
    const style = options.style ?? plainStyle;
    let printer: RowPrinter | undefined;
    let rowCount = 0;
    while (await run.follow()) {
      if (run.rows.length > 0 && run.results?.updateType === undefined) {
        await this.#hideProgress();
        printer ??= rowPrinter(options.format, { columns: run.columns ?? [], output, style });
        await printer.rows(run.rows);
        rowCount += run.rows.length;
      }
      await this.#showProgress(run, { hasRows: rowCount > 0, style });
    }
    await this.#hideProgress();
    if (run.state === "CANCELED" || run.error !== undefined) {
      // The rows before the failure are shown, and a pager is left, before anything is said about it.
      await options.output?.end?.();
    }
    await this.#tellWarnings(run, style);
    if (run.state === "CANCELED") {
      return await this.#tellCanceled(run);
    }
    if (run.error !== undefined) {
      await this.#tellFailure(run, run.error, style);
      return "FAILED";
    }
    if (run.columns !== undefined && run.results?.updateType === undefined) {
      printer ??= rowPrinter(options.format, { columns: run.columns, output, style });
      await printer.finish();
    }
    await this.#tellEnd(run, options, printer === undefined ? undefined : countLine(rowCount, run, printer));
    return "FINISHED";
  }

  get #elapsedMs(): number {
    return (this.#options.clock.monotonicNanos() - this.#startNanos) / 1e6;
  }

  async #showProgress(run: StatementRun, { hasRows, style }: { readonly hasRows: boolean; readonly style: DrawStyle }): Promise<void> {
    const { stderr, progress, interactive } = this.#options;
    if (progress === "off" || run.results === undefined || run.state !== "RUNNING") {
      return;
    }
    const elapsedMs = this.#elapsedMs;
    const { width, height } = stderr;
    if (!stderr.isTerminal) {
      if (progress === "lines" && elapsedMs - this.#lastLineMs >= progressLineMs) {
        this.#lastLineMs = elapsedMs;
        await stderr.write(`${progressLine(run.results, elapsedMs, Infinity)}\n`);
      }
    } else if (interactive && !hasRows) {
      const draw = (results: QueryResults): Promise<void> =>
        this.#display.show(progressLines(results, { elapsedMs: this.#elapsedMs, width, height, paint: style.paint }));
      if (elapsedMs >= quietMs) {
        return await draw(run.results);
      }
      this.#quietTimer?.cancel();
      this.#quietTimer = this.#options.clock.timer("shell-progress", quietMs - elapsedMs, () => {
        void (run.results === undefined || run.state !== "RUNNING" ? undefined : draw(run.results));
      });
    } else {
      await this.#display.show([progressLine(run.results, elapsedMs, width)]);
    }
  }

  async #hideProgress(): Promise<void> {
    this.#quietTimer?.cancel();
    await this.#display.hide();
  }

  async #tellWarnings(run: StatementRun, { paint }: DrawStyle): Promise<void> {
    for (const { message } of run.results?.warnings ?? []) {
      await this.#options.stderr.write(`${paint("warning", "WARNING:")} ${message}\n`);
    }
  }

  async #tellEnd(run: StatementRun, options: RunOptions, count: string | undefined): Promise<void> {
    const { stdout, stderr, interactive, debug } = this.#options;
    const { results } = run;
    if (results === undefined) {
      return;
    }
    const elapsedMs = this.#elapsedMs;
    this.#elapsedMsOfLast = elapsedMs;
    if (results.updateType !== undefined) {
      await (interactive ? stdout : stderr).write(`${updateText(results.updateType, results.updateCount)}\n`);
    } else if (interactive && isForPeople(options.format) && count !== undefined) {
      await (options.output ?? stdout).write(`(${count})\n`);
    }
    await options.output?.end?.();
    if (!interactive) {
      await (debug ? stderr.write(summary(results, elapsedMs, debug)) : undefined);
    } else if (options.isQuiet !== true) {
      const { paint } = options.style ?? plainStyle;
      await stdout.write(`\n${paint("status", summary(results, elapsedMs, debug).trimEnd())}\n\n`);
    }
  }

  async #tellCanceled(run: StatementRun): Promise<RunOutcome> {
    const { stderr } = this.#options;
    await stderr.write(`Query${run.queryId === undefined ? "" : ` ${run.queryId}`} was canceled\n`);
    return "CANCELED";
  }

  async #tellFailure(run: StatementRun, error: StatementError, { paint }: DrawStyle): Promise<void> {
    const { stderr, interactive, debug, suggest } = this.#options;
    await stderr.write(`${paint("error", `Query ${run.queryId ?? ""} failed:`)} ${error.message}\n`);
    if (interactive && error.errorLocation !== undefined) {
      await stderr.write(caret(run.sql, error.errorLocation, paint));
    }
    const suggestion = await suggest?.(run.sql, error);
    if (suggestion !== undefined) {
      await stderr.write(`${paint("good", "Did you mean")} ${suggestion}?\n`);
    }
    if (debug) {
      await stderr.write(`${error.errorName} (${error.errorCode}, ${error.errorType})\n`);
      await stderr.write((error.failureInfo?.stack ?? []).map((line) => `    at ${line}\n`).join(""));
    }
    if (interactive) {
      await stderr.write("\n");
    }
  }

  async #explain(run: StatementRun, error: ClientError): Promise<RunOutcome> {
    const { connection, stderr } = this.#options;
    if (error.kind !== "UNREACHABLE") {
      await stderr.write(`${error.message}\n`);
      return "FAILED";
    }
    const advice =
      run.queryId === undefined
        ? "start one with 'npm start', or name another with --server"
        : `query ${run.queryId} may still be running there`;
    await stderr.write(`Cannot reach the server at ${connection.server} (${reason(error.message)}): ${advice}\n`);
    return "UNREACHABLE";
  }
}

/** The message of a network error without the address, which the line already contains. */
function reason(message: string): string {
  return message.replace(/^https?:\/\/[^\s]+?: /, "");
}

/** `25 rows`, and what of them is not shown. */
function countLine(rowCount: number, run: StatementRun, { hiddenColumns = 0 }: RowPrinter): string {
  const columnCount = run.columns?.length ?? 0;
  const hidden =
    hiddenColumns === 0 ? "" : `, ${columnCount - hiddenColumns} of ${columnCount} columns; ${hiddenColumns} hidden, \\x shows all`;
  return `${rowsText(rowCount)}${hidden}`;
}

function rowsText(count: number): string {
  return count === 1 ? "1 row" : `${count} rows`;
}

function updateText(updateType: string, count: number | bigint | undefined): string {
  return count === undefined ? updateType : `${updateType}: ${rowsText(Number(count))}`;
}

/** The line of the statement with the error, and a caret below the position. */
export function caret(
  sql: string,
  location: { readonly lineNumber: number; readonly columnNumber: number },
  paint: Paint = unpainted,
): string {
  const line = sql.split(/\r\n|\r|\n/)[location.lineNumber - 1];
  if (line === undefined) {
    return "";
  }
  // Tabs are kept, so that the caret lines up with the character above it.
  const lead = line.slice(0, location.columnNumber - 1).replaceAll(/[^\t]/g, " ");
  return `${line}\n${lead}${paint("error", "^")}\n`;
}
