/**
 * Turns of admitted queries to be planned and started, in the order of their admission. A query has its turn until it ends or a
 * tenth of a second has passed, so a crowd of short queries runs a few at a time: each of them ends sooner, and fewer are in memory. Long
 * queries only begin one after the other.
 */
import type { Clock, MonotonicNanos, Timer } from "../../ports/clock.ts";
import { type Knobs, knobOf } from "../../ports/knobs.ts";

export interface TurnPlace {
  /** From 1 on. */
  readonly number: number;
  /** Queries that wait for their turn. */
  readonly of: number;
}

export class StartTurns {
  readonly #clock: Clock;
  /** Turns at the same time. */
  readonly #countMax: number;
  readonly #turnMs: number;
  /** When each turn began, the oldest first. Turns that are over stay until somebody asks for one. */
  readonly #begun = new Map<string, MonotonicNanos>();
  readonly #waiting = new Map<string, () => void>();
  #timer: Timer | undefined;

  constructor(ports: { readonly clock: Clock; readonly knobs?: Knobs | undefined }) {
    this.#clock = ports.clock;
    this.#countMax = knobOf(ports, "starting-queries");
    this.#turnMs = knobOf(ports, "start-turn-ms");
  }

  /** Undefined if the query has its turn at once. The promise resolves when it has, or when it has left. */
  enter(id: string): Promise<void> | undefined {
    this.#forget();
    if (this.#waiting.size === 0 && this.#begun.size < this.#countMax) {
      this.#begin(id);
      return undefined;
    }
    const turn = new Promise<void>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#watch();
    return turn;
  }

  /** Has no effect on a query that has never entered. */
  leave(id: string): void {
    this.#begun.delete(id);
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
    this.#next();
  }

  /** Undefined for a query that does not wait. */
  place(id: string): TurnPlace | undefined {
    const index = this.#waiting.has(id) ? [...this.#waiting.keys()].indexOf(id) : -1;
    return index < 0 ? undefined : { number: index + 1, of: this.#waiting.size };
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #begin(id: string): void {
    this.#begun.set(id, this.#clock.monotonicNanos());
  }

  #next(): void {
    this.#forget();
    for (const [id, resolve] of this.#waiting) {
      if (this.#begun.size >= this.#countMax) {
        break;
      }
      this.#waiting.delete(id);
      this.#begin(id);
      resolve();
    }
    this.#watch();
  }

  #forget(): void {
    const now = this.#clock.monotonicNanos();
    for (const [id, began] of this.#begun) {
      if (now - began < this.#turnMs * 1e6) {
        return;
      }
      this.#begun.delete(id);
    }
  }

  /** A timer runs only while somebody waits. */
  #watch(): void {
    if (this.#waiting.size === 0) {
      this.close();
      return;
    }
    const [oldest] = this.#begun.values();
    if (this.#timer !== undefined || oldest === undefined) {
      return;
    }
    const leftMs = this.#turnMs - (this.#clock.monotonicNanos() - oldest) / 1e6;
    this.#timer = this.#clock.timer("start-turns", Math.max(0, leftMs), () => {
      this.#timer = undefined;
      this.#next();
    });
  }
}
