/**
 * What a program that works for long says of how far it is, on standard error: a line that is written over at a terminal; elsewhere (a log, a build) a plain line
 * once a minute, so that who reads it later or waits for it knows that it goes on.
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

  /** `now` in milliseconds. */
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

  /** Seconds that the rest of the work needs if it goes on as it has. */
  secondsLeft(done: number, all: number): number {
    return Math.round((this.seconds / done) * (all - done));
  }

  /** The text is asked for only when it is shown. */
  show(text: () => string): void {
    if (this.#stream.isTTY === true) {
      this.#stream.write(`\r${text()}\u001b[K`);
    } else if (this.#now() - this.#saidAt >= plainEveryMs) {
      this.#saidAt = this.#now();
      this.#stream.write(`${text()}\n`);
    }
  }

  /** For work that tells how much of how much is done. */
  showCount(what: string): (done: number, all: number) => void {
    return (done, all) => this.show(() => `${done.toLocaleString("en-US")}/${all.toLocaleString("en-US")} ${what}`);
  }

  /** Before anything else is written, and at the end. */
  clear(): void {
    if (this.#stream.isTTY === true) {
      this.#stream.write(eraseLine);
    }
  }
}
