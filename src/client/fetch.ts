/**
 * The ports of a statement client without a node, by the platform's own fetch and timers. It runs in browsers and in Node.
 *
 * In a browser an address may be relative (`/v1/statement`): it is resolved against the page's. Cookies and stored credentials go to the
 * page's own origin only.
 */
import type { Clock, MonotonicNanos, WallMillis } from "../ports/clock.ts";
import {
  type Headers as HeaderRecord,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestOptions,
} from "../ports/network.ts";

export interface FetchNetworkOptions {
  /** Sent with each request, for example `authorization`. Headers of the request itself win. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Codes of Node's fetch, found on the causes of its error. Browsers have none. */
const kinds: Readonly<Record<string, NetworkErrorKind>> = {
  ECONNREFUSED: "CONNECTION_REFUSED",
  ECONNRESET: "CONNECTION_RESET",
  EPIPE: "CONNECTION_RESET",
  UND_ERR_SOCKET: "CONNECTION_RESET",
  UND_ERR_HEADERS_TIMEOUT: "TIMEOUT",
  UND_ERR_BODY_TIMEOUT: "TIMEOUT",
  UND_ERR_INVALID_ARG: "PROTOCOL_ERROR",
  UND_ERR_HEADERS_OVERFLOW: "PROTOCOL_ERROR",
};

/** A network that sends requests and serves none. */
export function fetchNetwork(options: FetchNetworkOptions = {}): Network {
  const send = options.fetch ?? ((request: Request) => fetch(request));
  return {
    selfUri: "",
    request: (request, requestOptions) =>
      exchange(send, { ...request, headers: { ...options.headers, ...request.headers } }, requestOptions),
    serve: () => Promise.reject(new NetworkError("PROTOCOL_ERROR", "this network only sends requests")),
    close: () => Promise.resolve(),
  };
}

async function exchange(
  send: (request: Request) => Promise<Response>,
  request: HttpRequest,
  options: RequestOptions,
): Promise<HttpResponse> {
  const abortion = new AbortController();
  const target = /^https?:\/\/[^/]+/.exec(request.url)?.[0] ?? request.url;
  const timeout = setTimeout(
    () => abortion.abort(new NetworkError("TIMEOUT", `no answer from ${target} within ${options.timeoutMs} ms`)),
    options.timeoutMs,
  );
  options.onAbortable?.(() => abortion.abort(new NetworkError("ABORTED", "request aborted")));
  try {
    const outgoing = platformRequest(request, abortion.signal);
    const response = await send(outgoing);
    return { status: response.status, headers: recordOf(response.headers), body: new Uint8Array(await response.arrayBuffer()) };
  } catch (error) {
    throw networkError(error, abortion.signal, target);
  } finally {
    clearTimeout(timeout);
  }
}

/** Throws NetworkError if the address or a header is not valid. */
function platformRequest(request: HttpRequest, signal: AbortSignal): Request {
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      for (const one of typeof value === "string" ? [value] : value) {
        headers.append(name, one);
      }
    }
    const body = request.method === "GET" || request.method === "HEAD" || request.body.length === 0 ? {} : { body: request.body.slice() };
    // A response of a poll is good for one reading: it must not come from a cache.
    const init = { method: request.method, headers, signal, cache: "no-store" as const, ...body };
    return new Request(request.url, init);
  } catch (error) {
    throw new NetworkError("PROTOCOL_ERROR", `${request.url}: ${messageOf(error)}`);
  }
}

function recordOf(headers: Headers): HeaderRecord {
  const record: Record<string, string> = {};
  headers.forEach((value, name) => {
    record[name] = value;
  });
  return record;
}

function networkError(error: unknown, signal: AbortSignal, target: string): NetworkError {
  if (signal.reason instanceof NetworkError) {
    return signal.reason;
  }
  if (error instanceof NetworkError) {
    return error;
  }
  const [kind, message] = causeOf(error);
  return new NetworkError(kind, `${target}: ${message}`);
}

/**
 * A browser does not say why a request failed. HOST_UNREACHABLE leaves open whether the server processed it, so the client repeats only
 * idempotent requests.
 */
function causeOf(error: unknown): readonly [NetworkErrorKind, string] {
  let deepest = error;
  for (let current = error; current instanceof Error; current = current.cause) {
    deepest = current;
    const kind = "code" in current && typeof current.code === "string" ? kinds[current.code] : undefined;
    if (kind !== undefined) {
      return [kind, messageOf(current)];
    }
  }
  return ["HOST_UNREACHABLE", messageOf(deepest)];
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  // Several addresses of one name fail as one AggregateError without a message.
  return error.message === "" && "code" in error ? String(error.code) : error.message;
}

/** The platform's time and timers. A platform without a counter of CPU time has none: `cpuNanos` is 0. */
export function platformClock(): Clock {
  return {
    monotonicNanos: () => Math.round(performance.now() * 1e6) as MonotonicNanos,
    wallMillis: () => Date.now() as WallMillis,
    cpuNanos: () => 0,
    timer: (_label, delayMs, callback) => {
      const handle = setTimeout(callback, delayMs);
      return { cancel: () => clearTimeout(handle) };
    },
    turn: () => new Promise((resolve) => void setTimeout(resolve, 0)),
  };
}
