/**
 * Documents that are fetched again and again. A poll ends with its component, pauses while the page is hidden, and never has two requests
 * under way. After a failure it waits longer, up to 10 seconds, and keeps the last document. It asks at once when the coordinator answers
 * another request again.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { onRecovery } from "./connection.ts";
import { fetchJson, RequestFailure } from "./request.ts";

export interface Polled<Document> {
  /** The latest document; undefined before the first. */
  readonly document: Document | undefined;
  /** Why the last request failed; undefined after a success. */
  readonly failure: RequestFailure | undefined;
  /** Milliseconds of `performance.now()` at the latest document. */
  readonly receivedMs: number;
  readonly headers: Headers | undefined;
}

const failureDelayMsMax = 10_000;

export class Poll<Document> {
  readonly #state = signal<Polled<Document>>({ document: undefined, failure: undefined, receivedMs: 0, headers: undefined });
  readonly #path: string;
  readonly #delayMs: (document: Document) => number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | undefined;
  #failures = 0;
  #stopped = true;
  #forget: () => void = () => undefined;
  readonly #onVisibility = (): void => {
    if (document.hidden) {
      this.#pause();
    } else {
      this.refresh();
    }
  };

  /** `delayMs`: time between an answer and the next request; undefined ends the poll, because the document no longer changes. */
  constructor(path: string, delayMs: (document: Document) => number | undefined) {
    this.#path = path;
    this.#delayMs = delayMs;
  }

  get state(): ReadonlySignal<Polled<Document>> {
    return this.#state;
  }

  start(): void {
    this.#stopped = false;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#forget = onRecovery(() => {
      if (this.#state.value.failure !== undefined && !document.hidden) {
        this.refresh();
      }
    });
    if (!document.hidden) {
      this.refresh();
    }
  }

  stop(): void {
    this.#stopped = true;
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#forget();
    this.#pause();
  }

  /** Requests the document now. */
  refresh(): void {
    this.#pause();
    if (!this.#stopped) {
      void this.#ask();
    }
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #ask(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    let delayMs: number | undefined;
    try {
      const { document: received, headers } = await fetchJson<Document>(this.#path, abort.signal);
      if (abort.signal.aborted) {
        return;
      }
      this.#failures = 0;
      this.#state.value = { document: received, failure: undefined, receivedMs: performance.now(), headers };
      delayMs = this.#delayMs(received);
    } catch (error) {
      if (abort.signal.aborted) {
        return;
      }
      const failure = error instanceof RequestFailure ? error : new RequestFailure(0, String(error));
      this.#state.value = { ...this.#state.value, failure };
      // What is gone does not come back.
      delayMs = failure.status === 404 || failure.status === 410 ? undefined : Math.min(failureDelayMsMax, 1000 * 2 ** this.#failures++);
    }
    if (delayMs !== undefined && !this.#stopped && !document.hidden) {
      this.#timer = setTimeout(() => void this.#ask(), delayMs);
    }
  }
}

/** Polls while the component is shown. */
export function usePoll<Document>(path: string, delayMs: number | ((document: Document) => number | undefined)): Poll<Document> {
  const poll = useMemo(() => new Poll<Document>(path, typeof delayMs === "number" ? () => delayMs : delayMs), [path]);
  useEffect(() => {
    poll.start();
    return () => poll.stop();
  }, [poll]);
  return poll;
}
