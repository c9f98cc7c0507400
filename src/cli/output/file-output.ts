/**
 * Output to a file, for `\o`.
 */
import { createWriteStream, type WriteStream } from "node:fs";
import type { TextOutput } from "./output.ts";

export interface ClosableOutput extends TextOutput {
  close(): Promise<void>;
}

class FileOutput implements ClosableOutput {
  readonly isTerminal = false;
  readonly width = 80;
  readonly height = 24;
  readonly #stream: WriteStream;

  constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#stream.end(() => resolve());
    });
  }
}

/** Replaces the file. Rejects if it cannot be written. */
export function openFileOutput(path: string): Promise<ClosableOutput> {
  return new Promise((resolve, reject) => {
    const stream = createWriteStream(path, { mode: 0o644 });
    stream.on("error", reject);
    stream.on("open", () => resolve(new FileOutput(stream)));
  });
}
