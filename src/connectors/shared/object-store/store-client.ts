/**
 * Requests to a store: a bound on how many run at once, and repetition of those that fail in a way that passes, as AWS's clients do it in
 * their standard retry mode. Pauses grow exponentially and are drawn at random up to that. A bucket of tokens stops repetitions when most
 * requests fail.
 */
import { type Clock, sleep } from "../../../ports/clock.ts";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../../ports/network.ts";
import type { Outbound } from "../../../ports/outbound.ts";
import type { RandomStream } from "../../../ports/random.ts";
import { StorageError } from "../../../ports/storage.ts";

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
  readonly make: () => Promise<HttpRequest>;
  readonly label: string;
  readonly bodyBytesMax: number;
  /** For messages: the path of the file. */
  readonly path: string;
  /** Why a response must be asked for again, besides its status; undefined if it is whole. */
  readonly flaw?: (response: HttpResponse) => string | undefined;
}

export class StoreClient {
  readonly #options: StoreClientOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #tokens = tokensMax;

  constructor(options: StoreClientOptions) {
    this.#options = options;
  }

  /** A response with a status that does not pass by itself. StorageError IO if there is none after all repetitions. */
  async send(request: StoreRequest): Promise<HttpResponse> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request);
      if (typeof outcome !== "string") {
        this.#tokens = Math.min(tokensMax, this.#tokens + (attempt === 0 ? successTokens : retryTokens));
        return outcome;
      }
      if (attempt >= this.#options.retriesMax || this.#tokens < retryTokens) {
        const why = attempt >= this.#options.retriesMax ? "" : ", and too many other requests failed";
        throw new StorageError("IO", request.path, `${outcome} (${attempt + 1} ${attempt === 0 ? "attempt" : "attempts"}${why})`);
      }
      this.#tokens -= retryTokens;
      const pauseMs = Math.min(pauseMsMax, pauseMsMin * 2 ** attempt);
      await sleep(this.#options.clock, "object-store-retry", 1 + this.#options.random.nextInt(pauseMs));
    }
  }

  /** The response, or what went wrong in a way that may pass. */
  async #attempt({ make, label, bodyBytesMax, path, flaw }: StoreRequest): Promise<HttpResponse | string> {
    // Before the request has its place: signing may need a token, which is asked for by another request.
    const request = await make();
    await this.#enter();
    try {
      const response = await this.#options.outbound.request(request, { label, bodyBytesMax, timeoutMs: this.#options.timeoutMs });
      return passingStatuses.includes(response.status)
        ? `the server answered with status ${response.status}`
        : (flaw?.(response) ?? response);
    } catch (error) {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
      if (error.kind === "PROTOCOL_ERROR") {
        throw new StorageError("IO", path, error.message);
      }
      return error.message;
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#options.connectionsMax) {
      this.#running++;
      return;
    }
    // The place passes from the request that leaves to the one that waits.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#running--;
    } else {
      next();
    }
  }
}
