/** A promise that events of the ports resolve later: what drivers and readers wait on. */
export interface Deferred {
  readonly promise: Promise<void>;
  /** Idempotent. */
  resolve(): void;
}

export function defer(): Deferred {
  let settle: () => void = noop;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

function noop(): void {}

/** One waiter at a time for one kind of event; `wake` lets go whoever waits. */
export class Signal {
  #waiting: Deferred | undefined;

  get isAwaited(): boolean {
    return this.#waiting !== undefined;
  }

  wait(): Promise<void> {
    this.#waiting ??= defer();
    return this.#waiting.promise;
  }

  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve();
  }
}
