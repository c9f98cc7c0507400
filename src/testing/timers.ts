/** Timers of a cluster that its end cancels. */

/** A timer that fires this much too late shows that the process was busy, in milliseconds. */
const lateMs = 50;
/** Time that a late timer gives to answers that wait in the process, in milliseconds. */
const graceMs = 200;

export class Timers {
  readonly #cancels = new Set<() => void>();

  /** Returns a function that cancels. */
  after(delayMs: number, callback: () => void): () => void {
    const handle = setTimeout(() => {
      this.#cancels.delete(cancel);
      callback();
    }, delayMs);
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      clearTimeout(handle);
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  /**
   * The timeout of a request. All nodes share one thread. If a test keeps it busy, timers fire before answers that are long there, so a
   * timer that fires late waits again.
   */
  timeout(delayMs: number, callback: () => void): () => void {
    const dueMs = performance.now() + delayMs;
    let cancel = this.after(delayMs, () => {
      if (performance.now() - dueMs > lateMs) {
        cancel = this.after(graceMs, callback);
      } else {
        callback();
      }
    });
    return () => cancel();
  }

  /** Never resolves if the timers are cancelled before. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  cancelAll(): void {
    for (const cancel of Array.from(this.#cancels)) {
      cancel();
    }
  }
}
