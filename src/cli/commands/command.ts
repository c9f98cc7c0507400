/**
 * A command of the shell: a line that begins with a backslash, as psql has them, or with a dot, as DuckDB has them.
 */
import type { OutputFormat } from "../formats/formats.ts";
import type { Settings } from "../settings.ts";

/** What commands can do. */
export interface CommandContext {
  readonly settings: Settings;
  print(text: string): Promise<void>;
  /** Runs a statement and prints its rows. Returns false if it failed. */
  query(sql: string): Promise<boolean>;
  /** Runs a statement and returns its rows; undefined if it failed, which is printed. */
  rows(sql: string): Promise<readonly (readonly unknown[])[] | undefined>;
  runFile(path: string): Promise<void>;
  /** Sends rows to a file from now on; to the terminal without a path. */
  sendTo(path: string | undefined): Promise<void>;
  open(target: string): Promise<void>;
  /** Opens the last statement, or a file, in the user's editor. */
  edit(path: string | undefined): Promise<void>;
  /** Runs the last statement again. */
  again(options: { readonly format?: OutputFormat; readonly watchSeconds?: number }): Promise<void>;
  printHistory(): Promise<void>;
  describeConnection(): Promise<void>;
  quit(): void;
}

export interface ShellCommand {
  /** The first one is shown in the help. */
  readonly names: readonly string[];
  readonly argument?: string;
  readonly help: string;
  run(context: CommandContext, argument: string): Promise<void>;
}

/** A command's argument is wrong. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
