/**
 * Ports that a test controls: a network that is a table of handlers, and random texts that count up.
 */
import { noPoints } from "../../../src/ports/points.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../../../src/ports/network.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { Random } from "../../../src/ports/random.ts";
import type { ManualClock } from "../../support/manual-clock.ts";

/** All hosts of a test. A host without a handler refuses connections; a host in `silent` never answers. */
export class Hosts {
  readonly handlers = new Map<string, RequestHandler>();
  readonly silent = new Set<string>();
  readonly log: string[] = [];
  /** Error kind by request label; such requests fail with it. */
  readonly failing = new Map<string, NetworkErrorKind>();
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  network(uri: string): Network {
    return {
      selfUri: uri,
      request: (request, options) => this.#request(request, options),
      serve: (handler) => {
        this.handlers.set(uri, handler);
        return Promise.resolve();
      },
      close: () => {
        this.handlers.delete(uri);
        return Promise.resolve();
      },
    };
  }

  #request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const uri = /^http:\/\/[^/]+/.exec(request.url)?.[0] ?? "";
    this.log.push(`${options.label} ${request.method} ${request.url}`);
    const handler = this.handlers.get(uri);
    const kind = this.failing.get(options.label);
    if (kind !== undefined) {
      return Promise.reject(new NetworkError(kind, `${kind} ${uri}`));
    }
    if (this.silent.has(uri)) {
      return new Promise((_resolve, reject) => {
        this.#clock.timer("request-timeout", options.timeoutMs, () => reject(new NetworkError("TIMEOUT", `no answer from ${uri}`)));
      });
    }
    if (handler === undefined) {
      return Promise.reject(new NetworkError("CONNECTION_REFUSED", `${uri} refused`));
    }
    return handler({ ...request, url: request.url.slice(uri.length) }, contextOf(uri));
  }
}

export function contextOf(baseUri: string): RequestContext {
  return { remoteAddress: "10.0.0.1:1", baseUri, isAborted: () => false, onAbort: () => undefined };
}

/** Draws differ from each other and between incarnations of a test's nodes. */
export function countingRandom(seed = 0): Random {
  let drawn = seed * 1000;
  return {
    stream: () => ({
      nextInt: () => 0,
      nextText: (length) => String((drawn += 1)).padStart(length, "0"),
    }),
  };
}

export function portsOf(clock: ManualClock, network: Network, random: Random = countingRandom()): Ports {
  const storage = { list: () => Promise.resolve([]), remove: () => Promise.resolve() } as unknown as Ports["storage"];
  const silent = (): void => undefined;
  return {
    clock,
    network,
    random,
    storage,
    openFolder: () => storage,
    log: { info: silent, warn: silent, error: silent },
    points: noPoints,
  };
}
