/**
 * The logic of the interactive shell: lines in, statements and commands out. Independent of the terminal, so that tests can pass lines and
 * read the output.
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
A statement ends with ; or, for vertical output, with \\G. It can span several lines.

Commands:
  help, \\h        show this text
  history         list previous statements
  clear           clear the screen
  quit, exit, \\q  quit (or Ctrl-D)
  \\l              list catalogs (SHOW CATALOGS)
  \\dt             list tables of the current schema (SHOW TABLES)
  \\d NAME         describe a table (DESCRIBE NAME); without a name, list tables

Ctrl-C cancels the running query or clears the input. Tab completes table names and keywords.

Examples:
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

  /** True after `quit`. */
  get isOver(): boolean {
    return this.#over;
  }

  get prompt(): string {
    const { catalog, schema } = this.#options.client.session;
    const name = schema === undefined ? "orrery" : `orrery:${catalog === undefined ? "" : `${catalog}.`}${schema}`;
    return this.#splitter.isEmpty ? `${name}> ` : `${"-".repeat(Math.max(0, name.length - 1))}>> `.padStart(name.length + 2);
  }

  /** True if the shell waits for the rest of a statement. */
  get isInsideStatement(): boolean {
    return !this.#splitter.isEmpty;
  }

  /** Discards the incomplete statement. */
  abandonStatement(): void {
    this.#splitter.reset();
  }

  /** Takes one line without its line break, and runs the statements that it completes. */
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

  /** No SQL statement begins with a backslash. */
  async #unknownCommand(word: string): Promise<boolean> {
    if (!word.startsWith("\\") || /^\\g$/i.test(word)) {
      return false;
    }
    await this.#options.stdout.write(`Unknown command ${word}; type help for the list\n`);
    return true;
  }
}
