/** Where the command line writes: standard output and error as values, so that tests can read what was said. */

export interface TextOutput {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 when there is none. */
  readonly width: number;
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>;
}

/** The other end has gone away: `orrery-cli ... | head`. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

export class StreamOutput implements TextOutput {
  readonly #stream: NodeJS.WriteStream;
  #closed = false;
  /** Called once, when the other end goes away. */
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
    return this.#stream.columns ?? 80;
  }

  write(text: string): Promise<void> {
    if (this.#closed) {
      return Promise.reject(new OutputClosed("output is closed"));
    }
    if (this.#stream.write(text)) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      // An error ends the wait as well; the next write reports it.
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
