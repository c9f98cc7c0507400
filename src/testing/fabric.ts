/**
 * The network of a cluster in one process. Requests between its nodes are direct calls, also if the nodes listen on sockets. Every
 * exchange, those of HTTP clients included, passes the partitions, the slow links and the rules in force.
 */
import type { Leg } from "../ports/fates.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";
import { BrokenAnswer, handlerFailed, Peer } from "../server/transport/pending.ts";
import { encodeUtf8 } from "../types/utf8.ts";
import type { Chaos, MessageRule } from "./chaos.ts";
import type { Timers } from "./timers.ts";

/** What serves at an address: one incarnation of a node. */
export interface Endpoint {
  readonly place: string;
  readonly uri: string;
  readonly handler: RequestHandler;
}

/** A request on its way. */
interface Exchange {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly ordinal: number;
  /** With path and query only. */
  readonly request: HttpRequest;
  readonly context: RequestContext;
  readonly handler: RequestHandler;
}

/** An exchange between two nodes, which the end of either node's incarnation ends. */
interface Open {
  readonly from: object;
  readonly to: Endpoint;
  fail(kind: NetworkErrorKind, message: string): void;
}

/** Label of requests that HTTP clients send. */
const clientLabel = "http";

export const clientPlace = "client";

export class Fabric {
  readonly #chaos: Chaos;
  readonly #timers: Timers;
  readonly #endpoints = new Map<string, Endpoint>();
  /** Addresses at which a node of this cluster listened once. */
  readonly #known = new Set<string>();
  readonly #open = new Set<Open>();
  readonly #cuts = new Map<string, number>();
  readonly #slowLinks = new Map<string, number>();
  readonly #ordinals = new Map<string, number>();

  constructor(chaos: Chaos, timers: Timers) {
    this.#chaos = chaos;
    this.#timers = timers;
  }

  serve(endpoint: Endpoint): void {
    this.#endpoints.set(endpoint.uri, endpoint);
    this.#known.add(endpoint.uri);
  }

  /** Ends an incarnation: connections to the endpoint are refused, and its exchanges in flight are reset. */
  drop(endpoint: Endpoint | undefined, sender: object): void {
    if (endpoint !== undefined && this.#endpoints.get(endpoint.uri) === endpoint) {
      this.#endpoints.delete(endpoint.uri);
    }
    for (const open of Array.from(this.#open)) {
      if (open.from === sender) {
        open.fail("ABORTED", "the node has ended");
      } else if (open.to === endpoint) {
        open.fail("CONNECTION_RESET", `connection to ${endpoint.place} reset`);
      }
    }
  }

  /** The network of the test itself, without sockets. */
  client(): Network {
    return {
      selfUri: "",
      request: (request, options) =>
        this.request(clientPlace, this, request, { ...options, label: clientLabel }) ??
        Promise.reject(new NetworkError("HOST_UNREACHABLE", `${request.url} is not of this cluster`)),
      serve: () => Promise.reject(new NetworkError("PROTOCOL_ERROR", "a client does not serve")),
      close: () => Promise.resolve(),
    };
  }

  closeClient(): void {
    this.drop(undefined, this);
  }

  /** Messages from one place to the other are lost. Cuts add up; the returned function takes back this one. */
  cut(from: string, to: string): () => void {
    return change(this.#cuts, linkName(from, to), 1);
  }

  /** Messages from one place to the other take this much longer. */
  slow(from: string, to: string, delayMs: number): () => void {
    return change(this.#slowLinks, linkName(from, to), delayMs);
  }

  /** Undefined if the address is none of this cluster's. `sender` is the incarnation that asks. */
  request(from: string, sender: object, request: HttpRequest, options: RequestOptions): Promise<HttpResponse> | undefined {
    const end = request.url.indexOf("/", request.url.indexOf("://") + 3);
    const uri = end < 0 ? request.url : request.url.slice(0, end);
    if (!this.#known.has(uri)) {
      return undefined;
    }
    const endpoint = this.#endpoints.get(uri);
    const local = { ...request, url: end < 0 ? "/" : request.url.slice(end), body: request.body.slice() };
    return endpoint === undefined
      ? Promise.reject(new NetworkError("CONNECTION_REFUSED", `nobody listens at ${uri}`))
      : this.#ask({ from, sender, endpoint, request: local, options });
  }

  #ask(asked: {
    readonly from: string;
    readonly sender: object;
    readonly endpoint: Endpoint;
    readonly request: HttpRequest;
    readonly options: RequestOptions;
  }): Promise<HttpResponse> {
    const { from, sender, endpoint, request, options } = asked;
    const { place: to, uri, handler } = endpoint;
    return new Promise((resolve, reject) => {
      const context = new Peer("127.0.0.1", uri);
      const open: Open = {
        from: sender,
        to: endpoint,
        fail: (kind, message) => {
          if (end()) {
            reject(new NetworkError(kind, message));
            context.leave();
          }
        },
      };
      const end = (): boolean => {
        cancelTimeout();
        return this.#open.delete(open);
      };
      const { label, timeoutMs } = options;
      const cancelTimeout = this.#timers.timeout(timeoutMs, () => open.fail("TIMEOUT", `no answer from ${uri} within ${timeoutMs} ms`));
      options.onAbortable?.(() => open.fail("ABORTED", "request aborted"));
      this.#open.add(open);
      this.#carry({ from, to, label, ordinal: this.#ordinal(from, to, label), request, context, handler }).then(
        (response) => {
          if (end()) {
            resolve({ ...response, body: response.body.slice() });
          }
        },
        (error: unknown) => {
          const message = error instanceof BrokenAnswer ? `connection to ${to} reset` : String(error);
          open.fail("CONNECTION_RESET", message);
        },
      );
    });
  }

  /** A request that came over a socket. Rejects with BrokenAnswer if the connection must end early. */
  arrive(endpoint: Endpoint, request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const { place: to, handler } = endpoint;
    const ordinal = this.#ordinal(clientPlace, to, clientLabel);
    return this.#carry({ from: clientPlace, to, label: clientLabel, ordinal, request, context, handler });
  }

  #ordinal(from: string, to: string, label: string): number {
    const name = `${linkName(from, to)} ${label}`;
    const ordinal = (this.#ordinals.get(name) ?? 0) + 1;
    this.#ordinals.set(name, ordinal);
    return ordinal;
  }

  async #carry(exchange: Exchange): Promise<HttpResponse> {
    const { from, to, handler, request, context } = exchange;
    const ruling = await this.#travel(exchange, "request", from, to);
    if (ruling?.fate === "status") {
      return answerOf(ruling);
    }
    if (ruling?.fate === "duplicated") {
      this.#repeat(exchange, ruling.delayMs ?? 0);
    }
    await turn();
    const answered = handler(request, context).catch(() => handlerFailed);
    if (ruling?.fate === "reset-delivered") {
      throw new BrokenAnswer();
    }
    const response = await answered;
    const onReturn = await this.#travel(exchange, "answer", to, from);
    if (onReturn?.fate === "truncated") {
      throw new BrokenAnswer(response);
    }
    return response;
  }

  /** One leg: waits as long as the message travels, for ever if it is lost. Rejects with BrokenAnswer for a reset. */
  async #travel(exchange: Exchange, leg: Leg, from: string, to: string): Promise<MessageRule | undefined> {
    const { label, ordinal, request } = exchange;
    const { method, url: path, headers } = request;
    const message = { from: exchange.from, to: exchange.to, label, ordinal, method, path, headers, leg };
    const { delayMs, ruling } = this.#chaos.verdictOn(message);
    const waitMs = delayMs + (this.#slowLinks.get(linkName(from, to)) ?? 0);
    if (waitMs > 0) {
      await this.#timers.pause(waitMs);
    }
    if ((this.#cuts.get(linkName(from, to)) ?? 0) > 0 || ruling?.fate === "lost" || ruling?.fate === "never-answered") {
      return silence();
    }
    if (ruling?.fate === "reset") {
      throw new BrokenAnswer();
    }
    return ruling;
  }

  /** The second arrival of a request. Its response goes nowhere. */
  #repeat({ handler, request, context }: Exchange, delayMs: number): void {
    const copy = { ...request, body: request.body.slice() };
    const peer = new Peer(context.remoteAddress, context.baseUri);
    this.#timers.after(delayMs, () => void handler(copy, peer).catch(() => handlerFailed));
  }
}

function linkName(from: string, to: string): string {
  return `${from}>${to}`;
}

function change(values: Map<string, number>, name: string, by: number): () => void {
  values.set(name, (values.get(name) ?? 0) + by);
  let isOver = false;
  return () => {
    if (!isOver) {
      isOver = true;
      values.set(name, (values.get(name) ?? 0) - by);
    }
  };
}

/** The requester's timeout or the end of a node ends the wait. */
function silence(): Promise<never> {
  return new Promise(() => undefined);
}

/** Requests that are sent first are served first, and never within the sender's own call. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function answerOf({ status = 503, answerHeaders, answerBody }: MessageRule): HttpResponse {
  const headers = { "content-type": "text/plain", ...(status === 503 ? { "retry-after": "1" } : {}), ...answerHeaders };
  return { status, headers, body: encodeUtf8(answerBody ?? "") };
}
