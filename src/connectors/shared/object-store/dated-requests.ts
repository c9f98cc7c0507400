/**
 * Requests that carry the time of their sender, which a server refuses if its own clock is far from it, or a token, which it may refuse at
 * any time. They are sent again with the time of the server, or with another token.
 */
import type { Clock } from "../../../ports/clock.ts";
import { type Lifetime, unending } from "../../../ports/lifetime.ts";
import type { HttpMethod, HttpRequest, HttpResponse } from "../../../ports/network.ts";
import type { ExpiringValue } from "./expiring.ts";
import { headerOf } from "./responses.ts";
import type { StoreClient } from "./store-client.ts";
import { parseHttpTime } from "./times.ts";

const correctionsMax = 3;
/** Tokens that are tried for one request. */
const tokensMax = 3;
/** Difference of two clocks that explains why a request was refused, as AWS's clients see it. */
const offMillisMin = 300_000;

/** A request for an object; `key` is empty for one of the bucket. */
export interface ObjectRequest {
  readonly method: HttpMethod;
  readonly key: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface ObjectRequestOptions {
  readonly bodyBytesMax: number;
  readonly label: string;
  readonly flaw?: (response: HttpResponse) => string | undefined;
}

/** Why status 403: because of the time; perhaps because of it, if the clocks differ; for another reason. */
export type Refusal = "time" | "unknown" | "other";

export interface DatedRequestOptions {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly make: (request: ObjectRequest, wallMillis: number, life: Lifetime) => Promise<HttpRequest>;
  readonly refusalOf: (response: HttpResponse) => Refusal;
  /** Present if requests may carry a token; undefined if this one has another credential. */
  readonly token?: () => Promise<ExpiringValue<string> | undefined>;
}

interface Clocks {
  /** What the server's clock is ahead of the node's, in milliseconds. */
  aheadMillis: number;
}

export class DatedRequests {
  readonly #options: DatedRequestOptions;
  readonly #clocks: Clocks;
  readonly #life: Lifetime;

  constructor(options: DatedRequestOptions, clocks: Clocks = { aheadMillis: 0 }, life: Lifetime = unending) {
    this.#options = options;
    this.#clocks = clocks;
    this.#life = life;
  }

  /** The same requests, which end with the lifetime. */
  until(life: Lifetime): DatedRequests {
    return new DatedRequests({ ...this.#options, client: this.#options.client.until(life) }, this.#clocks, life);
  }

  /** With another token if that of the request is refused: it may have been revoked. */
  async send(request: ObjectRequest, options: ObjectRequestOptions): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt++) {
      const token = await this.#options.token?.();
      const text = await token?.get(this.#life);
      const response = await this.#send(request, options);
      if (token === undefined || text === undefined || response.status !== 401 || attempt === tokensMax) {
        return response;
      }
      await token.drop(text, this.#life);
    }
  }

  async #send(request: ObjectRequest, options: ObjectRequestOptions): Promise<HttpResponse> {
    const { client, clock, make } = this.#options;
    // The clock may be set while a request is under way: what counts is the time that the request has.
    let requestMillis = 0;
    const signed = (life: Lifetime): Promise<HttpRequest> => {
      requestMillis = clock.wallMillis() + this.#clocks.aheadMillis;
      return make(request, requestMillis, life);
    };
    for (let correction = 0; ; correction++) {
      const response = await client.send({ make: signed, path: request.key, ...options });
      if (correction === correctionsMax || !this.#correctsClock(response, requestMillis)) {
        return response;
      }
    }
  }

  /** A request is valid for a quarter of an hour. An error has the server's time; that of a HEAD may have no code. */
  #correctsClock(response: HttpResponse, requestMillis: number): boolean {
    const time = parseHttpTime(headerOf(response.headers, "date") ?? "");
    if (response.status !== 403 || time === undefined) {
      return false;
    }
    const isOff = Math.abs(time - requestMillis) > offMillisMin;
    const refusal = this.#options.refusalOf(response);
    if (refusal === "other" || (refusal === "unknown" && !isOff)) {
      return false;
    }
    this.#clocks.aheadMillis = time - this.#options.clock.wallMillis();
    return true;
  }
}
