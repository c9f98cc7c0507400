/** Work that ends with a query or a reader, and work that several of them share. */
import type { Clock, Timer } from "../../ports/clock.ts";
import { type Lifetime, OpenLifetime } from "../../ports/lifetime.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { EndingQuery } from "../spi.ts";

/** What waits gets it when its lifetime ends. The failure of the query is known by then. */
export function endedError(): QueryError {
  return new QueryError("USER_CANCELED", "The query has ended");
}

/** Throws USER_CANCELED. */
export function requireWanted({ isOver }: Lifetime): void {
  if (isOver) {
    throw endedError();
  }
}

export function lifetimeOf(query: EndingQuery): Lifetime {
  const life = new OpenLifetime();
  query.onEnd(() => life.end());
  return life;
}

/** Resolves after `delayMs`. Rejects with USER_CANCELED when the lifetime ends before. */
export function pause(
  clock: Clock,
  life: Lifetime,
  { label, delayMs }: { readonly label: string; readonly delayMs: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.timer(label, delayMs, () => {
      forget();
      resolve();
    });
    const forget = life.onEnd(() => {
      timer.cancel();
      reject(endedError());
    });
  });
}

export interface Grace {
  readonly clock: Clock;
  /** Time after the end of the lifetime. */
  readonly graceMs: number;
}

/** Lifetimes of work that changes something. */
export interface Changing {
  /** Of changes: none begins after the end, and those under way are finished. */
  readonly changes: Lifetime;
  /** Of the removal of what is left. */
  readonly removal: Lifetime;
}

/** Work that changes something, and takes it back if the lifetime ends. For this it has the time of grace. */
export async function withGrace<T>(life: Lifetime, { clock, graceMs }: Grace, work: (changing: Changing) => Promise<T>): Promise<T> {
  const removal = new OpenLifetime();
  let timer: Timer | undefined;
  const forget = life.onEnd(() => {
    timer = clock.timer("store-cleanup", graceMs, () => removal.end());
  });
  try {
    return await work({ changes: graceful(life, removal), removal });
  } finally {
    forget();
    timer?.cancel();
  }
}

/** Nothing begins after the end of `life`; what is under way then may go on until that of `grace`. */
export function graceful(life: Lifetime, grace: Lifetime): Lifetime {
  return {
    get isOver() {
      return life.isOver;
    },
    onEnd: (callback) => life.onEnd(callback),
    grace,
  };
}

/** Work with a result that several wait for. It goes on until it is done, or until none of them is left. */
export class SharedWork<T> {
  readonly #life = new OpenLifetime();
  readonly #result: Promise<T>;
  #waiting = 0;
  #isDone = false;

  /** Whoever calls it waits for it in the same turn: until then nobody is left. */
  constructor(begin: (life: Lifetime) => Promise<T>) {
    this.#result = begin(this.#life);
    const done = (): void => {
      this.#isDone = true;
    };
    this.#result.then(done, done);
  }

  /** True if all have left before it was done: others begin it again. */
  get isGivenUp(): boolean {
    return this.#life.isOver;
  }

  /** Calls back at the end of the work: with true if it has failed or was given up. */
  onDone(callback: (isFailed: boolean) => void): void {
    this.#result.then(
      () => callback(false),
      () => callback(true),
    );
  }

  /** The result, or the error, of the work. Rejects with USER_CANCELED when the lifetime ends before. */
  wait(life: Lifetime): Promise<T> {
    if (this.#isDone) {
      return this.#result;
    }
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting--;
        reject(endedError());
        if (this.#waiting === 0) {
          this.#life.end();
        }
      };
      const forget = life.onEnd(leave);
      const settled = <V>(settle: (value: V) => void): ((value: V) => void) => {
        return (value) => {
          forget();
          settle(value);
        };
      };
      this.#result.then(settled(resolve), settled(reject));
    });
  }
}
