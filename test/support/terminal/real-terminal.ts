/**
 * Real terminals for end-to-end tests: tmux, whose screen can be read, and `script` of util-linux, which gives a program a terminal and
 * passes what it writes.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function hasProgram(name: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A window of a tmux server of its own. */
export class TmuxTerminal {
  readonly #folder = mkdtempSync(join(tmpdir(), "orrery-tmux-"));
  readonly #size: TerminalSize;
  #isClosed = false;

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  start(command: string, environment: Readonly<Record<string, string>>): void {
    const assignments = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
    const { columns, rows } = this.#size;
    // `cat` keeps the window open after the program has ended.
    const line = `env ${assignments.join(" ")} ${command}; echo "exit code $?"; cat`;
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(rows), "sleep 0.2; " + line);
    this.#tmux("pipe-pane", "-O", `cat > ${this.#recording}`);
  }

  get #recording(): string {
    return join(this.#folder, "output");
  }

  /** All that was written to the terminal. */
  get output(): string {
    return readFileSync(this.#recording, "utf8");
  }

  /** Types characters. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", "--", withSemicolon(text));
  }

  /** Presses keys by tmux's names: `Enter`, `Up`, `C-r`. */
  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  paste(text: string): void {
    this.#tmux("set-buffer", "--", withSemicolon(text));
    this.#tmux("paste-buffer", "-p");
  }

  /** Rows of the screen without blanks at their ends, and without empty rows at the bottom. */
  lines(): readonly string[] {
    const lines = this.#tmux("capture-pane", "-p")
      .split("\n")
      .map((line) => line.trimEnd());
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }

  /** Rows with the sequences that select colours. */
  colored(): string {
    return this.#tmux("capture-pane", "-p", "-e");
  }

  /** Waits until the screen shows the text. */
  shows(text: string): Promise<readonly string[]> {
    return this.until((lines) => lines.join("\n").includes(text));
  }

  /** Waits until the screen is as wanted; bounded by the test's own timeout, which closes the terminal. */
  async until(isWanted: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    while (!this.#isClosed) {
      const lines = this.lines();
      if (isWanted(lines)) {
        return lines;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("the terminal was closed");
  }

  close(): void {
    this.#isClosed = true;
    try {
      this.#tmux("kill-server");
    } catch {
      // The server has ended with its last window.
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): string {
    const { TMUX: _outer, ...environment } = process.env;
    return execFileSync("tmux", ["-S", join(this.#folder, "socket"), ...args], { encoding: "utf8", env: environment });
  }
}

/** tmux takes a semicolon at the end of an argument for its own. */
function withSemicolon(text: string): string {
  return text.replace(/;$/, "\\;");
}

/** A program on a terminal of `script`: keys in, bytes out. */
export class ScriptTerminal {
  readonly #child: ChildProcess;
  #output = "";
  readonly ended: Promise<number | null>;

  constructor(command: string, { columns, rows }: TerminalSize, environment: Readonly<Record<string, string>>) {
    this.#child = spawn("script", ["-qec", `stty cols ${columns} rows ${rows}; ${command}`, "/dev/null"], {
      env: { ...process.env, ...environment },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
    });
    this.ended = new Promise((resolve) => this.#child.on("close", resolve));
  }

  get output(): string {
    return this.#output;
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  async writes(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
