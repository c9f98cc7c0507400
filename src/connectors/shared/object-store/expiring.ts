/**
 * A value that a server gives for a while, such as a token. Whoever needs it at the same time shares one request for it, which goes on as
 * long as one of them waits.
 */
import type { Clock } from "../../../ports/clock.ts";
import type { Lifetime } from "../../../ports/lifetime.ts";
import { SharedWork } from "../lifetime.ts";

export interface Expiring<T> {
  readonly value: T;
  readonly endsAtMillis: number;
}

/** The value is asked for anew this long before it ends. */
const marginMillis = 60_000;

export class ExpiringValue<T> {
  readonly #clock: Clock;
  readonly #ask: (life: Lifetime) => Promise<Expiring<T>>;
  #pending: SharedWork<Expiring<T>> | undefined;

  constructor(clock: Clock, ask: (life: Lifetime) => Promise<Expiring<T>>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Rejects with USER_CANCELED when the lifetime ends before. */
  async get(life: Lifetime): Promise<T> {
    for (;;) {
      const pending = this.#pending?.isGivenUp === false ? this.#pending : this.#begin();
      try {
        const { value, endsAtMillis } = await pending.wait(life);
        if (this.#clock.wallMillis() < endsAtMillis - marginMillis) {
          return value;
        }
      } catch (error) {
        this.#failed(pending, life);
        throw error;
      }
      if (!this.#forget(pending)) {
        // Another one has begun to ask while this one waited.
        continue;
      }
      const asked = this.#begin();
      try {
        // However short it is valid: a server whose values end within the margin is not asked without end.
        return (await asked.wait(life)).value;
      } catch (error) {
        this.#failed(asked, life);
        throw error;
      }
    }
  }

  /** The value is refused. */
  async drop(value: T, life: Lifetime): Promise<void> {
    const pending = this.#pending;
    if (pending !== undefined && (await pending.wait(life).catch(() => undefined))?.value === value) {
      this.#forget(pending);
    }
  }

  #begin(): SharedWork<Expiring<T>> {
    this.#pending = new SharedWork(this.#ask);
    return this.#pending;
  }

  /** Whoever stops to wait leaves the request to the others. */
  #failed(pending: SharedWork<Expiring<T>>, life: Lifetime): void {
    if (!life.isOver) {
      this.#forget(pending);
    }
  }

  #forget(pending: SharedWork<Expiring<T>>): boolean {
    const isKnown = this.#pending === pending;
    if (isKnown) {
      this.#pending = undefined;
    }
    return isKnown;
  }
}
