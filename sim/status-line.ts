/**
 * Progress of a long-running program on standard error. On a terminal it is a line that is overwritten; elsewhere, such as in a log, a
 * plain line once a minute.
 */

export interface StatusStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const plainEveryMs = 60_000;
const eraseLine = "\r\u001b[K";

export class StatusLine {
  readonly #stream: StatusStream;
  readonly #now: () => number;
  readonly #started: number;
  #saidAt: number;

  /** `now` returns milliseconds. */
  constructor({
    stream = process.stderr,
    now = () => performance.now(),
  }: { readonly stream?: StatusStream; readonly now?: () => number } = {}) {
    this.#stream = stream;
    this.#now = now;
    this.#started = now();
    this.#saidAt = this.#started;
  }

  /** Seconds since the work began. */
  get seconds(): number {
    return (this.#now() - this.#started) / 1000;
  }

  /** Estimated seconds for the rest of the work at the current rate. */
  secondsLeft(done: number, all: number): number {
    return Math.round((this.seconds / done) * (all - done));
  }

  /** `text` is called only when the line is shown. */
  show(text: () => string): void {
    if (this.#stream.isTTY === true) {
      this.#stream.write(`\r${text()}\u001b[K`);
    } else if (this.#now() - this.#saidAt >= plainEveryMs) {
      this.#saidAt = this.#now();
      this.#stream.write(`${text()}\n`);
    }
  }

  /** Progress callback for work that reports a count and a total. */
  showCount(what: string): (done: number, all: number) => void {
    return (done, all) => this.show(() => `${done.toLocaleString("en-US")}/${all.toLocaleString("en-US")} ${what}`);
  }

  /** Call it before other output, and at the end. */
  clear(): void {
    if (this.#stream.isTTY === true) {
      this.#stream.write(eraseLine);
    }
  }
}
