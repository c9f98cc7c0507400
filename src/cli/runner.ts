/**
 * Runs one statement and prints its rows, progress, summary or error.
 */
import type { Clock } from "../ports/clock.ts";
import { ClientError } from "../client/requester.ts";
import type { StatementClient, StatementRun } from "../client/statement-client.ts";
import type { StatementError } from "../protocol/documents/statement.ts";
import { isForPeople, type OutputFormat, rowPrinter } from "./formats/formats.ts";
import type { RowPrinter } from "./formats/printer.ts";
import { progressLine, summary } from "./status.ts";
import { OutputClosed, type TextOutput } from "./terminal.ts";

export interface RunnerOptions {
  readonly client: StatementClient;
  readonly clock: Clock;
  readonly server: string;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly interactive: boolean;
  readonly progress: boolean;
  readonly debug: boolean;
}

export type RunOutcome = "FINISHED" | "FAILED" | "CANCELED" | "UNREACHABLE";

const eraseLine = "\r\u001b[K";

export class Runner {
  readonly #options: RunnerOptions;
  #run: StatementRun | undefined;
  #progressShown = false;
  #startNanos = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Cancels the running statement; `run` then returns CANCELED. */
  cancel(): void {
    void this.#run?.cancel();
  }

  async run(sql: string, format: OutputFormat): Promise<RunOutcome> {
    const run = this.#options.client.submit(sql);
    this.#run = run;
    this.#startNanos = this.#options.clock.monotonicNanos();
    try {
      return await this.#follow(run, format);
    } catch (error) {
      await this.#hideProgress();
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

  async #follow(run: StatementRun, format: OutputFormat): Promise<RunOutcome> {
    let printer: RowPrinter | undefined;
    let rowCount = 0;
    while (await run.advance()) {
      if (run.rows.length > 0 && run.results?.updateType === undefined) {
        await this.#hideProgress();
        printer ??= rowPrinter(format, run.columns ?? [], this.#options.stdout);
        await printer.rows(run.rows);
        rowCount += run.rows.length;
      }
      await this.#showProgress(run);
    }
    await this.#hideProgress();
    await this.#tellWarnings(run);
    if (run.state === "CANCELED") {
      return await this.#tellCanceled(run);
    }
    if (run.error !== undefined) {
      await this.#tellFailure(run, run.error);
      return "FAILED";
    }
    if (run.columns !== undefined && run.results?.updateType === undefined) {
      printer ??= rowPrinter(format, run.columns, this.#options.stdout);
      await printer.finish();
    }
    await this.#tellEnd(run, format, printer === undefined ? undefined : rowCount);
    return "FINISHED";
  }

  get #elapsedMs(): number {
    return (this.#options.clock.monotonicNanos() - this.#startNanos) / 1e6;
  }

  async #showProgress(run: StatementRun): Promise<void> {
    const { stderr, progress } = this.#options;
    if (progress && stderr.isTerminal && run.results !== undefined && run.state === "RUNNING") {
      this.#progressShown = true;
      await stderr.write(eraseLine + progressLine(run.results, this.#elapsedMs, stderr.width));
    }
  }

  async #hideProgress(): Promise<void> {
    if (this.#progressShown) {
      this.#progressShown = false;
      await this.#options.stderr.write(eraseLine);
    }
  }

  async #tellWarnings(run: StatementRun): Promise<void> {
    for (const { message } of run.results?.warnings ?? []) {
      await this.#options.stderr.write(`WARNING: ${message}\n`);
    }
  }

  async #tellEnd(run: StatementRun, format: OutputFormat, rowCount: number | undefined): Promise<void> {
    const { stdout, stderr, interactive, debug } = this.#options;
    const { results } = run;
    if (results === undefined) {
      return;
    }
    if (results.updateType !== undefined) {
      await (interactive ? stdout : stderr).write(`${updateText(results.updateType, results.updateCount)}\n`);
    } else if (interactive && isForPeople(format) && rowCount !== undefined) {
      await stdout.write(`(${rowsText(rowCount)})\n`);
    }
    if (interactive) {
      await stdout.write(`\n${summary(results, this.#elapsedMs, debug)}\n`);
    } else if (debug) {
      await stderr.write(summary(results, this.#elapsedMs, debug));
    }
  }

  async #tellCanceled(run: StatementRun): Promise<RunOutcome> {
    const { stderr } = this.#options;
    await stderr.write(`Query${run.queryId === undefined ? "" : ` ${run.queryId}`} was canceled\n`);
    return "CANCELED";
  }

  async #tellFailure(run: StatementRun, error: StatementError): Promise<void> {
    const { stderr, interactive, debug } = this.#options;
    await stderr.write(`Query ${run.queryId ?? ""} failed: ${error.message}\n`);
    if (interactive && error.errorLocation !== undefined) {
      await stderr.write(caret(run.sql, error.errorLocation));
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
    const { server, stderr } = this.#options;
    if (error.kind !== "UNREACHABLE") {
      await stderr.write(`${error.message}\n`);
      return "FAILED";
    }
    const advice =
      run.queryId === undefined
        ? "start one with 'npm start', or name another with --server"
        : `query ${run.queryId} may still be running there`;
    await stderr.write(`Cannot reach the server at ${server} (${reason(error.message)}): ${advice}\n`);
    return "UNREACHABLE";
  }
}

/** The message of a network error without the address, which the line already contains. */
function reason(message: string): string {
  return message.replace(/^https?:\/\/[^\s]+?: /, "");
}

function rowsText(count: number): string {
  return count === 1 ? "1 row" : `${count} rows`;
}

function updateText(updateType: string, count: number | bigint | undefined): string {
  return count === undefined ? updateType : `${updateType}: ${rowsText(Number(count))}`;
}

/** The line of the statement with the error, and a caret below the position. */
export function caret(sql: string, location: { readonly lineNumber: number; readonly columnNumber: number }): string {
  const line = sql.split(/\r\n|\r|\n/)[location.lineNumber - 1];
  if (line === undefined) {
    return "";
  }
  // Tabs are kept, so that the caret lines up with the character above it.
  const lead = line.slice(0, location.columnNumber - 1).replaceAll(/[^\t]/g, " ");
  return `${line}\n${lead}^\n`;
}
