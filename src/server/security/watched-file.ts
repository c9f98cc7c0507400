/**
 * The value of a file that may change: read again when the file has changed, at most once in a period. A file that cannot be read or
 * understood leaves the former value in force.
 */
import { readFileSync, statSync } from "node:fs";

export interface WatchedFileOptions<T> {
  readonly path: string;
  readonly refreshMs: number;
  /** Throws an error with a one-line message. */
  readonly parse: (text: string) => T;
  /** Told once for each change that is not taken over. */
  readonly onComplaint: (message: string) => void;
  /** Monotonic time in milliseconds. */
  readonly nowMs?: () => number;
}

export class WatchedFile<T> {
  readonly #options: WatchedFileOptions<T>;
  readonly #nowMs: () => number;
  #value: T;
  #mark: string;
  #lookedMs: number;

  /** Throws if the file cannot be read. */
  constructor(options: WatchedFileOptions<T>) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#lookedMs = this.#nowMs();
    this.#mark = markOf(options.path);
    this.#value = options.parse(readFileSync(options.path, "utf8"));
  }

  value(): T {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lookedMs >= this.#options.refreshMs) {
      this.#lookedMs = nowMs;
      this.#look();
    }
    return this.#value;
  }

  #look(): void {
    const { onComplaint, parse, path } = this.#options;
    const mark = markOf(path);
    if (mark === this.#mark) {
      return;
    }
    this.#mark = mark;
    try {
      this.#value = parse(readFileSync(path, "utf8"));
    } catch (error) {
      onComplaint(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Calls back after each change of the value, which is looked at once in a period, until the returned function is called. */
export function watchChanges<T>(current: () => T, refreshMs: number, take: (value: T) => void): () => void {
  if (!Number.isFinite(refreshMs)) {
    return () => undefined;
  }
  let taken = current();
  const timer = setInterval(
    () => {
      const now = current();
      if (now !== taken) {
        taken = now;
        take(now);
      }
    },
    Math.max(1, refreshMs),
  );
  timer.unref();
  return () => clearInterval(timer);
}

/** Differs after a change of the file, also if it was replaced by another of the same time. */
function markOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? "" : `${facts.ino}:${facts.mtimeNs}:${facts.ctimeNs}:${facts.size}`;
}
