/**
 * The logic of the interactive shell: lines in, statements and commands out. Independent of the terminal, so that tests can pass lines and
 * read the output.
 */
import { ClientError } from "../client/requester.ts";
import { type Clock, sleep } from "../ports/clock.ts";
import type { CommandContext } from "./commands/command.ts";
import { commandOf, runCommand } from "./commands/commands.ts";
import type { Connection } from "./connection.ts";
import type { OutputFormat } from "./formats/formats.ts";
import { type Paint, unpainted } from "./formats/style.ts";
import type { ClosableOutput } from "./output/file-output.ts";
import type { TextOutput } from "./output/output.ts";
import { PagedOutput, type PagerProcess } from "./output/pager.ts";
import type { EndingOutput, Runner, RunOptions, RunOutcome } from "./runner.ts";
import { formatOf, type Settings } from "./settings.ts";
import { type SplitStatement, StatementSplitter } from "./splitter.ts";

export interface ShellHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  add(entry: string): void;
}

/** What the shell needs of the machine that it runs on. */
export interface ShellHost {
  readFile(path: string): Promise<string>;
  openOutput(path: string): Promise<ClosableOutput>;
  /** Absent if there is no pager. */
  readonly startPager?: () => PagerProcess;
  /** Opens the user's editor; undefined if it failed. */
  edit(text: string, path?: string): Promise<string | undefined>;
  /** Switches the connection to another server; rejects with the reason if the target is none. */
  open(target: string): Promise<void>;
}

export interface ShellOptions {
  readonly connection: Connection;
  readonly runner: Runner;
  readonly clock: Clock;
  readonly stdout: TextOutput;
  readonly paint: Paint;
  readonly settings: Settings;
  readonly history: ShellHistory;
  readonly host: ShellHost;
  /** Called after a statement that may have changed names of catalogs, schemas, tables or columns. */
  readonly onNamesChanged: () => void;
}

/** Depth of files that read files. */
const filesMax = 16;

export class Shell {
  readonly #options: ShellOptions;
  readonly #splitter = new StatementSplitter();
  readonly #context: CommandContext;
  #over = false;
  #last: SplitStatement | undefined;
  /** Where rows go instead of the terminal. */
  #file: ClosableOutput | undefined;
  #openFiles = 0;
  #isInterrupted = false;
  #endPause: (() => void) | undefined;
  #nextText = "";

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#context = this.#commandContext();
  }

  /** True after `quit`. */
  get isOver(): boolean {
    return this.#over;
  }

  get prompt(): string {
    return `${this.#name}> `;
  }

  /** Before the second line of a statement, as wide as the prompt. */
  get continuation(): string {
    return `${"-".repeat(Math.max(0, this.#name.length - 1))}>> `.padStart(this.#name.length + 2);
  }

  get #name(): string {
    const { catalog, schema } = this.#options.connection.session;
    return schema === undefined ? "orrery" : `orrery:${catalog === undefined ? "" : `${catalog}.`}${schema}`;
  }

  /** True if `submit` runs all of the text, so that Enter need not wait for more. */
  isComplete(text: string): boolean {
    if (!text.trim().includes("\n") && commandOf(text) !== undefined) {
      return true;
    }
    const splitter = new StatementSplitter();
    return splitter.feed(`${text}\n`).length > 0 && splitter.isEmpty;
  }

  /** Text to begin the next statement with, which was edited elsewhere. */
  takeNextText(): string {
    const text = this.#nextText;
    this.#nextText = "";
    return text;
  }

  /** Cancels what runs, and what waits to run. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#endPause?.();
    this.#options.runner.cancel();
  }

  cancelPartially(): void {
    this.#options.runner.cancelPartially();
  }

  /** Runs what the user has entered, and keeps it in the history as one entry. */
  async submit(text: string): Promise<void> {
    if (text.trim() === "") {
      return;
    }
    this.#options.history.add(text.trim());
    await this.#script(text);
  }

  /** Runs the statements and commands of a file, which is not kept in the history. */
  async runFile(path: string): Promise<void> {
    if (this.#openFiles >= filesMax) {
      await this.#options.stdout.write(`${path}: more than ${filesMax} files that read files\n`);
      return;
    }
    const text = await this.#try(path, () => this.#options.host.readFile(path));
    if (text !== undefined) {
      this.#openFiles++;
      try {
        await this.#script(text);
      } finally {
        this.#openFiles--;
      }
    }
  }

  /** Closes the file of `\o`. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #script(text: string): Promise<void> {
    this.#isInterrupted = false;
    this.#splitter.reset();
    for (const line of text.split(/\r\n|\r|\n/)) {
      await this.#line(line);
      if (this.#over || this.#isInterrupted) {
        break;
      }
    }
    const rest = this.#splitter.rest();
    if (rest !== "" && !this.#over && !this.#isInterrupted) {
      await this.#run({ sql: rest, vertical: false });
    }
  }

  async #line(text: string): Promise<void> {
    const command = this.#splitter.isEmpty ? commandOf(text) : undefined;
    if (command !== undefined) {
      await runCommand(command, this.#context);
      return;
    }
    for (const statement of this.#splitter.feed(`${text}\n`)) {
      await this.#run(statement);
      if (this.#over || this.#isInterrupted) {
        this.#splitter.reset();
        return;
      }
    }
  }

  async #run(statement: SplitStatement): Promise<void> {
    this.#last = statement;
    if (statement.watchSeconds !== undefined) {
      await this.#watch(statement, statement.watchSeconds);
      return;
    }
    await this.#runOnce(statement.sql, statement.vertical ? { format: "VERTICAL" } : {});
  }

  async #runOnce(sql: string, options: Partial<RunOptions> = {}): Promise<RunOutcome> {
    const { settings, runner, stdout, paint } = this.#options;
    const format = options.format ?? formatOf(settings);
    const style = { paint: this.#file === undefined ? paint : unpainted, nullText: settings.nullText, wide: "fit" as const };
    const outcome = await runner.run(sql, { output: this.#output(format), style, ...options, format });
    if (/^\s*(create|drop|alter|call|refresh|execute)\b/i.test(sql)) {
      this.#options.onNamesChanged();
    }
    if (settings.timing && outcome === "FINISHED") {
      await stdout.write(`Time: ${runner.elapsedMs.toFixed(3)} ms\n`);
    }
    return outcome;
  }

  #output(format: OutputFormat): EndingOutput {
    const { stdout, settings, host } = this.#options;
    if (this.#file !== undefined || !settings.pager || !stdout.isTerminal || host.startPager === undefined) {
      return this.#file ?? stdout;
    }
    return new PagedOutput(stdout, { start: host.startPager, isForWide: format === "ALIGNED" });
  }

  /** What commands say goes to the terminal, through the pager if it is long. */
  async #print(text: string): Promise<void> {
    const { stdout, settings, host } = this.#options;
    if (!settings.pager || !stdout.isTerminal || host.startPager === undefined) {
      return stdout.write(text);
    }
    const output = new PagedOutput(stdout, { start: host.startPager, isForWide: false });
    await output.write(text);
    await output.end();
  }

  async #watch({ sql, vertical }: SplitStatement, seconds: number): Promise<void> {
    const { clock, stdout, settings, paint } = this.#options;
    this.#isInterrupted = false;
    const format: OutputFormat = vertical ? "VERTICAL" : formatOf(settings);
    for (let turn = 1; !this.#isInterrupted; turn++) {
      await stdout.write(paint("status", `-- every ${seconds} s, run ${turn}; Ctrl-C ends\n`));
      const outcome = await this.#runOnce(sql, { format, isQuiet: true, output: this.#file ?? stdout });
      if (outcome !== "FINISHED" || this.#isInterrupted) {
        return;
      }
      const interrupted = new Promise<void>((resolve) => {
        this.#endPause = resolve;
      });
      await Promise.race([sleep(clock, "shell-watch", seconds * 1000), interrupted]);
      this.#endPause = undefined;
    }
  }

  #commandContext(): CommandContext {
    const { stdout, settings, history } = this.#options;
    return {
      settings,
      print: (text) => this.#print(text),
      query: async (sql) => (await this.#runOnce(sql, { isQuiet: true })) === "FINISHED",
      rows: (sql) => this.#rows(sql),
      runFile: (path) => this.runFile(path),
      sendTo: (path) => this.#sendTo(path),
      open: async (target) => {
        if ((await this.#try(target, () => this.#options.host.open(target).then(() => true))) === true) {
          await this.#describeConnection();
        }
      },
      edit: (path) => this.#edit(path),
      again: (options) => this.#again(options),
      printHistory: () => stdout.write(history.entries.map((entry, index) => `${String(index + 1).padStart(5)}  ${entry}\n`).join("")),
      describeConnection: () => this.#describeConnection(),
      quit: () => {
        this.#over = true;
      },
    };
  }

  async #rows(sql: string): Promise<readonly (readonly unknown[])[] | undefined> {
    const run = this.#options.connection.asking().submit(sql);
    const rows = await this.#try("error", () => run.collect());
    if (rows !== undefined && run.error !== undefined) {
      await this.#options.stdout.write(`${run.error.message}\n`);
      return undefined;
    }
    return rows;
  }

  async #describeConnection(): Promise<void> {
    const { session, server } = this.#options.connection;
    const { user, catalog, schema } = session;
    const place = schema === undefined ? "" : `, schema ${catalog === undefined ? "" : `${catalog}.`}${schema}`;
    await this.#options.stdout.write(`Connected to ${server} as ${user}${place}\n`);
  }

  async #sendTo(path: string | undefined): Promise<void> {
    await this.close();
    if (path !== undefined) {
      this.#file = await this.#try(path, () => this.#options.host.openOutput(path));
    }
  }

  async #edit(path: string | undefined): Promise<void> {
    const last = this.#last === undefined ? "" : `${this.#last.sql};`;
    const edited = await this.#try("edit", () => this.#options.host.edit(last, path));
    this.#nextText = edited ?? "";
  }

  async #again({ format, watchSeconds }: { readonly format?: OutputFormat; readonly watchSeconds?: number }): Promise<void> {
    if (this.#last === undefined) {
      await this.#options.stdout.write("No statement was run yet\n");
      return;
    }
    const { sql } = this.#last;
    await this.#run({ sql, vertical: format === "VERTICAL", ...(watchSeconds === undefined ? {} : { watchSeconds }) });
  }

  /** Returns undefined after an error, which is printed. */
  async #try<Result>(subject: string, action: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Error)) {
        throw error;
      }
      const message = error instanceof ClientError ? error.message : error.message.replace(/^E[A-Z]+: /, "");
      await this.#options.stdout.write(`${subject}: ${message}\n`);
      return undefined;
    }
  }
}

/** Default settings of a shell. */
export function shellSettings(format: OutputFormat | undefined, pager: boolean): Settings {
  return { format: format ?? "AUTO", expanded: "off", timing: false, pager, nullText: "NULL" };
}
