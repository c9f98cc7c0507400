/**
 * Time limit of a command: a number of seconds, or Ctrl-C before that.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stop: AbortSignal;
  readonly #abort = (): void => this.#controller.abort();

  constructor(seconds: number, stop: AbortSignal) {
    this.#timer = setTimeout(this.#abort, seconds * 1000);
    this.#stop = stop;
    stop.addEventListener("abort", this.#abort);
    if (stop.aborted) {
      this.#abort();
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#abort);
  }
}
