/**
 * Requests to a store: a bound on how many run at once, and repetition of those that fail in a way that passes, as AWS's clients do it in
 * their standard retry mode. Pauses grow exponentially and are drawn at random up to that. A bucket of tokens stops repetitions when most
 * requests fail. All of it ends with the query or the reader that it is for.
 */
import type { Clock } from "../../../ports/clock.ts";
import { type Lifetime, unending } from "../../../ports/lifetime.ts";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../../ports/network.ts";
import type { Outbound } from "../../../ports/outbound.ts";
import type { RandomStream } from "../../../ports/random.ts";
import { StorageError } from "../../../ports/storage.ts";
import { endedError, pause, requireWanted } from "../lifetime.ts";

const pauseMsMin = 100;
const pauseMsMax = 20_000;
/** Tokens of the bucket, what a repetition takes from it, and what a success without one returns. */
const tokensMax = 500;
const retryTokens = 5;
const successTokens = 1;
const passingStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

export interface StoreClientOptions {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly random: RandomStream;
  /** Requests at once. */
  readonly connectionsMax: number;
  /** Repetitions of one request. */
  readonly retriesMax: number;
  readonly timeoutMs: number;
}

export interface StoreRequest {
  /** Makes the request anew for each attempt. */
  readonly make: (life: Lifetime) => Promise<HttpRequest>;
  readonly label: string;
  readonly bodyBytesMax: number;
  /** For messages: the path of the file. */
  readonly path: string;
  /** Why a response must be asked for again, besides its status; undefined if it is whole. */
  readonly flaw?: (response: HttpResponse) => string | undefined;
}

/** Of all requests of a catalog: their places, and the tokens for repetitions. */
class Bounds {
  readonly #connectionsMax: number;
  #waiting: { readonly take: () => void }[] = [];
  #running = 0;
  tokens = tokensMax;

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
  }

  /** Throws USER_CANCELED. */
  async enter(life: Lifetime): Promise<void> {
    requireWanted(life);
    if (this.#running < this.#connectionsMax) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      // The place passes from the request that leaves to the one that waits.
      const waiter = {
        take: () => {
          forget();
          resolve();
        },
      };
      const forget = life.onEnd(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        reject(endedError());
      });
      this.#waiting.push(waiter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#running--;
    } else {
      next.take();
    }
  }
}

export class StoreClient {
  readonly #options: StoreClientOptions;
  readonly #bounds: Bounds;
  readonly #life: Lifetime;

  constructor(options: StoreClientOptions, bounds: Bounds = new Bounds(options.connectionsMax), life: Lifetime = unending) {
    this.#options = options;
    this.#bounds = bounds;
    this.#life = life;
  }

  /** The same client, with the same bounds. Its requests end with the lifetime. */
  until(life: Lifetime): StoreClient {
    return new StoreClient(this.#options, this.#bounds, life);
  }

  /**
   * A response with a status that does not pass by itself. StorageError IO if there is none after all repetitions; USER_CANCELED if the
   * lifetime ends before.
   */
  async send(request: StoreRequest): Promise<HttpResponse> {
    const { clock, random, retriesMax } = this.#options;
    const bounds = this.#bounds;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request);
      if (typeof outcome !== "string") {
        bounds.tokens = Math.min(tokensMax, bounds.tokens + (attempt === 0 ? successTokens : retryTokens));
        return outcome;
      }
      if (attempt >= retriesMax || bounds.tokens < retryTokens) {
        const why = attempt >= retriesMax ? "" : ", and too many other requests failed";
        throw new StorageError("IO", request.path, `${outcome} (${attempt + 1} ${attempt === 0 ? "attempt" : "attempts"}${why})`);
      }
      bounds.tokens -= retryTokens;
      const pauseMs = Math.min(pauseMsMax, pauseMsMin * 2 ** attempt);
      await pause(clock, this.#life, { label: "object-store-retry", delayMs: 1 + random.nextInt(pauseMs) });
    }
  }

  /** The response, or what went wrong in a way that may pass. */
  async #attempt({ make, label, bodyBytesMax, path, flaw }: StoreRequest): Promise<HttpResponse | string> {
    const { outbound, timeoutMs } = this.#options;
    // Before the request has its place: signing may need a token, which is asked for by another request.
    const request = await make(this.#life);
    await this.#bounds.enter(this.#life);
    let forget: (() => void) | undefined;
    try {
      const onAbortable = (abort: () => void): void => {
        forget = (this.#life.grace ?? this.#life).onEnd(abort);
      };
      const response = await outbound.request(request, { label, bodyBytesMax, timeoutMs, onAbortable });
      return passingStatuses.includes(response.status)
        ? `the server answered with status ${response.status}`
        : (flaw?.(response) ?? response);
    } catch (error) {
      requireWanted(this.#life);
      if (!(error instanceof NetworkError)) {
        throw error;
      }
      if (error.kind === "PROTOCOL_ERROR") {
        throw new StorageError("IO", path, error.message);
      }
      return error.message;
    } finally {
      forget?.();
      this.#bounds.leave();
    }
  }
}
