/**
 * The interactive shell's logic: lines in, statements and commands out. It knows no terminal: shell-terminal.ts feeds it lines and shows its prompt, tests feed it
 * lines and read what was written.
 */
import type { StatementClient } from "../client/statement-client.ts";
import type { OutputFormat } from "./formats/formats.ts";
import type { Runner } from "./runner.ts";
import { type SplitStatement, StatementSplitter } from "./splitter.ts";
import type { TextOutput } from "./terminal.ts";

export interface ShellOptions {
  readonly client: StatementClient;
  readonly runner: Runner;
  readonly stdout: TextOutput;
  readonly format: OutputFormat;
  readonly history: ShellHistory;
}

export interface ShellHistory {
  readonly entries: readonly string[];
  add(entry: string): void;
}

const helpText = `
Statements end with ; or, to see a column a line, with \\G. They may span lines.

Commands:
  help, \\h        this text
  history         statements so far
  clear           clear the screen
  quit, exit, \\q  leave; so does Ctrl-D
  \\l              catalogs (SHOW CATALOGS)
  \\dt             tables of the current schema (SHOW TABLES)
  \\d NAME         columns of a table (DESCRIBE NAME); tables without a name

Ctrl-C cancels the query that is running, or the line that is being typed. Tab completes names of tables and keywords.

Some statements to begin with:
  SHOW CATALOGS;
  SHOW SCHEMAS FROM tpch;
  USE tpch.tiny;
  SELECT * FROM nation;
  EXPLAIN SELECT count(*) FROM lineitem;

`;

export class Shell {
  readonly #options: ShellOptions;
  readonly #splitter = new StatementSplitter();
  #over = false;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** `quit` was said. */
  get isOver(): boolean {
    return this.#over;
  }

  get prompt(): string {
    const { catalog, schema } = this.#options.client.session;
    const name = schema === undefined ? "orrery" : `orrery:${catalog === undefined ? "" : `${catalog}.`}${schema}`;
    return this.#splitter.isEmpty ? `${name}> ` : `${"-".repeat(Math.max(0, name.length - 1))}>> `.padStart(name.length + 2);
  }

  /** Does the shell wait for the rest of a statement? */
  get isInsideStatement(): boolean {
    return !this.#splitter.isEmpty;
  }

  /** Forgets the statement that has been begun. */
  abandonStatement(): void {
    this.#splitter.reset();
  }

  /** Takes a line, without its end, and does what it completes. */
  async line(text: string): Promise<void> {
    if (this.#splitter.isEmpty) {
      const command = text.trim().replace(/\s*;\s*$/, "");
      if (await this.#command(command)) {
        return;
      }
    }
    for (const statement of this.#splitter.feed(`${text}\n`)) {
      await this.#run(statement);
      if (this.#over) {
        return;
      }
    }
  }

  async #run(statement: SplitStatement): Promise<void> {
    this.#options.history.add(`${statement.sql.replaceAll(/\s*\n\s*/g, " ")}${statement.vertical ? "\\G" : ";"}`);
    await this.#options.runner.run(statement.sql, statement.vertical ? "VERTICAL" : this.#options.format);
  }

  async #command(command: string): Promise<boolean> {
    const { stdout, history } = this.#options;
    const [word = "", ...words] = command.split(/\s+/);
    switch (words.length === 0 || word.startsWith("\\") ? word.toLowerCase() : "") {
      case "quit":
      case "exit":
      case "\\q":
        this.#over = true;
        return true;
      case "help":
      case "\\h":
      case "\\?":
        await stdout.write(helpText);
        return true;
      case "history":
        await stdout.write(history.entries.map((entry, index) => `${String(index + 1).padStart(5)}  ${entry}\n`).join(""));
        return true;
      case "clear":
        await stdout.write("\u001b[H\u001b[2J");
        return true;
      case "\\l":
        return await this.#shorthand("SHOW CATALOGS");
      case "\\dt":
        return await this.#shorthand(words.length === 0 ? "SHOW TABLES" : `SHOW TABLES FROM ${words.join(" ")}`);
      case "\\d":
        return await this.#shorthand(words.length === 0 ? "SHOW TABLES" : `DESCRIBE ${words.join(" ")}`);
      default:
        return await this.#unknownCommand(word);
    }
  }

  async #shorthand(sql: string): Promise<boolean> {
    await this.#options.runner.run(sql, this.#options.format);
    return true;
  }

  /** No statement begins with a backslash. */
  async #unknownCommand(word: string): Promise<boolean> {
    if (!word.startsWith("\\") || /^\\g$/i.test(word)) {
      return false;
    }
    await this.#options.stdout.write(`Unknown command ${word}; type help for the list\n`);
    return true;
  }
}
