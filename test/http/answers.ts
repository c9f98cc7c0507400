/**
 * Responses of real servers, proxies and networks, and two ways to produce them: msw for Node's own HTTP client, and a server below HTTP
 * for undici, which msw cannot intercept. msw cannot reset connections; that case uses the second way for both.
 */
import { syncBuiltinESMExports } from "node:module";
import { delay, http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach } from "vitest";
import {
  type HttpRequest,
  type HttpResponse as HttpAnswer,
  type Network,
  NetworkError,
  type RequestOptions,
} from "../../src/ports/network.ts";
import { ClientNetwork } from "../../src/client/http.ts";
import { RealNetwork } from "../../src/server/transport/network.ts";
import { rawResponse, startRawServer } from "../support/raw-server.ts";

export type Answer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | Uint8Array;
    }
  /** The connection is reset after the request has arrived. */
  | { readonly kind: "reset" }
  /** The connection is closed within the body. */
  | { readonly kind: "cut"; readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array }
  /** No response: the requester's timeout expires as soon as the request has arrived, on any machine. */
  | { readonly kind: "silence" };

export interface Arrived {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Counted from 0. */
  readonly index: number;
}

export type Script = (arrived: Arrived) => Answer;

export interface Transport {
  readonly network: Network;
  /** Without a trailing slash. */
  readonly uri: string;
  readonly arrived: readonly Arrived[];
}

export function answer(status: number, body: string | Uint8Array = "", headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: "answer", status, headers, body };
}

/** A network without timeouts until `endPatience`, which fails pending requests with a timeout. */
class ImpatientNetwork implements Network {
  readonly selfUri = "";
  readonly #inner: Network;
  readonly #ends = new Set<() => void>();

  constructor(inner: Network) {
    this.#inner = inner;
  }

  async request(request: HttpRequest, options: RequestOptions): Promise<HttpAnswer> {
    let isOver = false;
    let end: () => void = () => undefined;
    const answer = this.#inner.request(request, {
      ...options,
      timeoutMs: 300_000,
      onAbortable: (abort) => {
        end = () => {
          isOver = true;
          abort();
        };
        options.onAbortable?.(abort);
      },
    });
    this.#ends.add(end);
    try {
      return await answer;
    } catch (error) {
      throw isOver ? new NetworkError("TIMEOUT", `no answer from ${new URL(request.url).origin} in time`) : error;
    } finally {
      this.#ends.delete(end);
    }
  }

  endPatience(): void {
    for (const end of this.#ends) {
      end();
    }
  }

  serve(): Promise<void> {
    return Promise.reject(new Error("a client does not serve"));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** As text with one character per byte. */
function latin1(body: string | Uint8Array): string {
  return Buffer.from(body).toString("latin1");
}

const closers: (() => Promise<void>)[] = [];

/** Call once in a test file. */
export function closeTransports(): void {
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });
}

export async function overSockets(script: Script, makeNetwork: () => Network = undici): Promise<Transport> {
  const arrived: Arrived[] = [];
  const server = await startRawServer((socket, { text }) => {
    const [, method = "", url = ""] = /^(\S+) (\S+)/.exec(text) ?? [];
    const one = { method, url, index: arrived.length };
    arrived.push(one);
    const given = script(one);
    switch (given.kind) {
      case "answer":
        socket.write(rawLatin1(given.status, latin1(given.body), given.headers), "latin1");
        break;
      case "reset":
        socket.resetAndDestroy();
        break;
      case "cut": {
        const whole = rawLatin1(200, latin1(given.body), given.headers);
        const head = whole.indexOf("\r\n\r\n") + 4;
        socket.end(whole.slice(0, head + Math.floor((whole.length - head) / 2)), "latin1");
        break;
      }
      case "silence":
        network.endPatience();
    }
  });
  const network = new ImpatientNetwork(makeNetwork());
  closers.push(() => server.close());
  closers.push(() => network.close());
  return { network, uri: server.uri, arrived };
}

function rawLatin1(status: number, body: string, headers: Readonly<Record<string, string>>): string {
  return rawResponse(status, body, { ...headers, "content-length": String(body.length) });
}

function undici(): Network {
  return new RealNetwork({ host: "127.0.0.1", port: 0, bodyBytesMax: 1, eventLoopDelayMsMax: 60_000, processForwarded: false });
}

const interceptor = setupServer();
let intercepting = false;

/** Call once in a test file that uses `overMsw`. */
export function closeMsw(): void {
  afterEach(() => interceptor.resetHandlers());
  afterAll(() => {
    interceptor.close();
    syncBuiltinESMExports();
    intercepting = false;
  });
}

export function overMsw(script: Script): Promise<Transport> {
  if (!intercepting) {
    interceptor.listen({ onUnhandledRequest: "bypass" });
    // msw replaces functions of node:http; modules that import them by name see the replacement only after this call.
    syncBuiltinESMExports();
    intercepting = true;
  }
  const arrived: Arrived[] = [];
  interceptor.use(
    http.all("http://presto.test/*", async ({ request }) => {
      const one = { method: request.method, url: request.url.slice("http://presto.test".length), index: arrived.length };
      arrived.push(one);
      const given = script(one);
      switch (given.kind) {
        case "answer":
          return new HttpResponse(given.status === 204 ? null : Buffer.from(given.body), { status: given.status, headers: given.headers });
        case "reset":
          return HttpResponse.error();
        case "cut":
          return new HttpResponse(brokenStream(Buffer.from(given.body)), { status: 200, headers: given.headers });
        case "silence":
          network.endPatience();
          await delay("infinite");
          return HttpResponse.error();
      }
    }),
  );
  const network = new ImpatientNetwork(new ClientNetwork());
  closers.push(() => network.close());
  return Promise.resolve({ network, uri: "http://presto.test", arrived });
}

function brokenStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let pulled = false;
  return new ReadableStream({
    pull(controller) {
      if (pulled) {
        controller.error(new Error("cut"));
      } else {
        pulled = true;
        controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)));
      }
    },
  });
}
