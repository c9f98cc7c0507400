/**
 * The output of the command line: standard output and error as values, so that tests can read them.
 */

export interface TextOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; 80 without a terminal. */
  readonly width: number;
  /** Height of the terminal in rows; 24 without a terminal. */
  readonly height: number;
  /** Resolves when more text can be written. */
  write(text: string): Promise<void>;
}

/** The reading end of the pipe was closed: `orrery-cli ... | head`. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

export class StreamOutput implements TextOutput {
  readonly #stream: NodeJS.WriteStream;
  #closed = false;
  /** Called once, when the reading end closes. */
  onClosed: () => void = () => undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    stream.on("error", () => {
      if (!this.#closed) {
        this.#closed = true;
        this.onClosed();
      }
    });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get width(): number {
    return this.#stream.columns || 80;
  }

  get height(): number {
    return this.#stream.rows || 24;
  }

  write(text: string): Promise<void> {
    if (this.#closed) {
      return Promise.reject(new OutputClosed("output is closed"));
    }
    if (this.#stream.write(text)) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      // An error also ends the wait; the next write reports it.
      const done = (): void => {
        this.#stream.off("drain", done);
        this.#stream.off("error", done);
        resolve();
      };
      this.#stream.on("drain", done);
      this.#stream.on("error", done);
    });
  }
}
