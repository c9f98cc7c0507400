/** A value that a server gives for a while, such as a token. Whoever needs it at the same time shares one request for it. */
import type { Clock } from "../../../ports/clock.ts";

export interface Expiring<T> {
  readonly value: T;
  readonly endsAtMillis: number;
}

/** The value is asked for anew this long before it ends. */
const marginMillis = 60_000;

export class ExpiringValue<T> {
  readonly #clock: Clock;
  readonly #ask: () => Promise<Expiring<T>>;
  #pending: Promise<Expiring<T>> | undefined;

  constructor(clock: Clock, ask: () => Promise<Expiring<T>>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  async get(): Promise<T> {
    for (;;) {
      const pending = (this.#pending ??= this.#ask());
      try {
        const { value, endsAtMillis } = await pending;
        if (this.#clock.wallMillis() < endsAtMillis - marginMillis) {
          return value;
        }
      } catch (error) {
        this.#forget(pending);
        throw error;
      }
      if (!this.#forget(pending)) {
        // Another one has begun to ask while this one waited.
        continue;
      }
      const asked = (this.#pending = this.#ask());
      try {
        // However short it is valid: a server whose values end within the margin is not asked without end.
        return (await asked).value;
      } catch (error) {
        this.#forget(asked);
        throw error;
      }
    }
  }

  /** The value is refused. */
  async drop(value: T): Promise<void> {
    const pending = this.#pending;
    if (pending !== undefined && (await pending.catch(() => undefined))?.value === value) {
      this.#forget(pending);
    }
  }

  #forget(pending: Promise<Expiring<T>>): boolean {
    const isKnown = this.#pending === pending;
    if (isKnown) {
      this.#pending = undefined;
    }
    return isKnown;
  }
}
