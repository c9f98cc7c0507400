/**
 * The shell's history: a file of lines, oldest first. Read and write errors are ignored.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import type { ShellHistory } from "./shell.ts";

const entriesMax = 1000;

export class FileHistory implements ShellHistory {
  readonly #path: string;
  readonly #entries: string[];

  constructor(path: string) {
    this.#path = path;
    this.#entries = read(path);
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  add(entry: string): void {
    if (entry === this.#entries.at(-1)) {
      return;
    }
    this.#entries.push(entry);
    try {
      appendFileSync(this.#path, `${entry}\n`, { mode: 0o600 });
    } catch {
      // The home directory is not writable: the history lasts until the shell ends.
    }
  }
}

/** Keeps the newest entries, and truncates the file when it holds twice as many. */
function read(path: string): string[] {
  try {
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const kept = lines.slice(-entriesMax);
    if (lines.length > 2 * entriesMax) {
      writeFileSync(path, `${kept.join("\n")}\n`, { mode: 0o600 });
    }
    return kept;
  } catch {
    return [];
  }
}
