/**
 * The Network port between nodes and clients of one thread: a request is a call of the other node's handler. Bytes are copied, as over a
 * connection, so that neither side can change what the other one keeps.
 */
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";

/** The nodes of a thread, by address. */
export class Links {
  readonly #handlers = new Map<string, RequestHandler>();

  /** The network of a node at `http://host:port`, or of a client if the address is empty. */
  network(selfUri = ""): Network {
    return new LinkedNetwork(this.#handlers, selfUri);
  }

  /** Whether a node of this thread serves the address. */
  has(url: string): boolean {
    return this.#handlers.has(originOf(url));
  }
}

function originOf(url: string): string {
  return /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? "";
}

class LinkedNetwork implements Network {
  readonly selfUri: string;
  readonly #handlers: Map<string, RequestHandler>;

  constructor(handlers: Map<string, RequestHandler>, selfUri: string) {
    this.#handlers = handlers;
    this.selfUri = selfUri;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const call = new Call(request, options, { resolve, reject });
      const handler = this.#handlers.get(call.origin);
      if (handler === undefined) {
        call.fail("CONNECTION_REFUSED", `no node at ${call.origin}`);
      } else {
        call.start(handler);
      }
    });
  }

  serve(handler: RequestHandler): Promise<void> {
    this.#handlers.set(this.selfUri, handler);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#handlers.delete(this.selfUri);
    return Promise.resolve();
  }
}

interface Settle {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: NetworkError) => void;
}

/** One request until its response, failure, timeout or abortion, whichever is first. */
class Call {
  readonly origin: string;
  readonly #request: HttpRequest;
  readonly #settle: Settle;
  readonly #timeout: NodeJS.Timeout;
  readonly #onAbort: (() => void)[] = [];
  #isOver = false;

  constructor(request: HttpRequest, options: RequestOptions, settle: Settle) {
    this.#request = request;
    this.#settle = settle;
    this.origin = originOf(request.url);
    const giveUp = (): void => this.fail("TIMEOUT", `no answer from ${this.origin} within ${options.timeoutMs} ms`);
    this.#timeout = setTimeout(giveUp, options.timeoutMs);
    options.onAbortable?.(() => this.fail("ABORTED", "request aborted"));
  }

  start(handler: RequestHandler): void {
    const context: RequestContext = {
      remoteAddress: "127.0.0.1",
      baseUri: this.origin,
      isAborted: () => this.#isOver,
      onAbort: (callback) => void this.#onAbort.push(callback),
    };
    const url = this.#request.url.slice(this.origin.length);
    const incoming = { ...this.#request, url: url.startsWith("/") ? url : `/${url}`, body: this.#request.body.slice() };
    // The handler starts in a turn of its own: nodes never call each other while they are in the middle of something.
    setImmediate(() => {
      handler(incoming, context).then(
        (response) => this.#end(() => this.#settle.resolve({ ...response, body: response.body.slice() })),
        () => this.#end(() => this.#settle.resolve({ status: 500, headers: {}, body: new Uint8Array(0) })),
      );
    });
  }

  fail(kind: NetworkError["kind"], message: string): void {
    this.#end(() => {
      this.#settle.reject(new NetworkError(kind, message));
      for (const callback of this.#onAbort) {
        callback();
      }
    });
  }

  #end(finish: () => void): void {
    if (!this.#isOver) {
      this.#isOver = true;
      clearTimeout(this.#timeout);
      finish();
    }
  }
}
