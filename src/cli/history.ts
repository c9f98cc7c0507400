/**
 * The shell's history: a file of entries, oldest first, one a line. An entry of several lines is a JSON string, so that older builds and
 * other tools can read the rest. Read and write errors are ignored.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import type { ShellHistory } from "./shell.ts";

const entriesMax = 1000;
/** A longer entry is not kept for later shells, in characters. */
const entryLengthMax = 100_000;

export class FileHistory implements ShellHistory {
  readonly #path: string;
  #entries: string[];

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
    if (this.#entries.length > 2 * entriesMax) {
      this.#entries = this.#entries.slice(-entriesMax);
    }
    if (entry.length > entryLengthMax) {
      return;
    }
    try {
      appendFileSync(this.#path, `${lineOf(entry)}\n`, { mode: 0o600 });
    } catch {
      // The home directory is not writable: the history lasts until the shell ends.
    }
  }
}

function lineOf(entry: string): string {
  return /[\r\n]|^"/.test(entry) ? JSON.stringify(entry) : entry;
}

function entryOf(line: string): string {
  if (!line.startsWith('"')) {
    return line;
  }
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? entry : line;
  } catch {
    return line;
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
    return kept.map(entryOf);
  } catch {
    return [];
  }
}
