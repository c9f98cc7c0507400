/**
 * The shell on a terminal: readline's editing, history and keys around the logic of shell.ts.
 */
import { createInterface, type Interface } from "node:readline";
import type { Completion } from "./completion.ts";
import type { Runner } from "./runner.ts";
import type { Shell, ShellHistory } from "./shell.ts";

export interface ShellTerminalOptions {
  readonly shell: Shell;
  readonly runner: Runner;
  readonly completion: Completion;
  readonly history: ShellHistory;
}

/** Resolves when the user quits. */
export function runShellTerminal(options: ShellTerminalOptions): Promise<void> {
  return new ShellTerminal(options).run();
}

class ShellTerminal {
  readonly #options: ShellTerminalOptions;
  readonly #readline: Interface;
  /** Lines typed while a statement ran. */
  readonly #waiting: string[] = [];
  #busy = false;
  #leaving = false;
  #closed = false;

  constructor(options: ShellTerminalOptions) {
    this.#options = options;
    this.#readline = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      historySize: 1000,
      history: [...options.history.entries].reverse(),
      completer: (line: string, callback: (error: null, result: [string[], string]) => void) => {
        void this.#complete(line).then((result) => callback(null, result));
      },
    });
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#readline.on("line", (line) => {
        this.#leaving = false;
        this.#waiting.push(line);
        this.#work().catch(reject);
      });
      this.#readline.on("SIGINT", () => this.#interrupt());
      this.#readline.on("close", () => {
        this.#closed = true;
        this.#options.runner.cancel();
        if (!this.#options.shell.isOver) {
          process.stdout.write("\n");
        }
        resolve();
      });
      this.#prompt();
    });
  }

  async #complete(line: string): Promise<[string[], string]> {
    if (this.#busy) {
      return [[], line];
    }
    const [words, word] = await this.#options.completion.complete(line);
    return [[...words], word];
  }

  #prompt(): void {
    if (!this.#closed) {
      this.#readline.setPrompt(this.#options.shell.prompt);
      this.#readline.prompt();
    }
  }

  async #work(): Promise<void> {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    for (let line = this.#waiting.shift(); line !== undefined && !this.#closed; line = this.#waiting.shift()) {
      await this.#options.shell.line(line);
      if (this.#options.shell.isOver) {
        this.#readline.close();
        return;
      }
    }
    this.#busy = false;
    this.#prompt();
  }

  /** Ctrl-C: cancels the running query, or clears the input; a second one at an empty prompt quits. */
  #interrupt(): void {
    if (this.#options.runner.isRunning) {
      this.#waiting.length = 0;
      this.#options.runner.cancel();
      return;
    }
    const typed = this.#readline.line !== "" || this.#options.shell.isInsideStatement;
    if (!typed && this.#leaving) {
      this.#readline.close();
      return;
    }
    this.#leaving = !typed;
    this.#options.shell.abandonStatement();
    process.stdout.write(typed ? "^C\n" : "^C\n(Ctrl-C again, Ctrl-D or quit to leave)\n");
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    this.#prompt();
  }
}
