/**
 * The Network port between nodes and clients of one thread: a request is a call of the other node's handler. Bytes are copied, as over a
 * connection, so that neither side can change what the other one keeps; only pages are lent.
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
import { releaseAll } from "../page/frame.ts";

/** A node that serves, and the requests that it has not answered. */
interface Serving {
  readonly handler: RequestHandler;
  readonly calls: Set<Call>;
}

/** The nodes of a thread, by address. */
export class Links {
  readonly #nodes = new Map<string, Serving>();

  /** The network of a node at `http://host:port`, or of a client if the address is empty. */
  network(selfUri = ""): Network {
    return new LinkedNetwork(this.#nodes, selfUri);
  }

  /** Whether a node of this thread serves the address. */
  has(url: string): boolean {
    return this.#nodes.has(originOf(url));
  }
}

function originOf(url: string): string {
  return /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? "";
}

class LinkedNetwork implements Network {
  readonly lends = true;
  readonly selfUri: string;
  readonly #nodes: Map<string, Serving>;
  /** Requests of this network without a response. */
  readonly #sent = new Set<Call>();

  constructor(nodes: Map<string, Serving>, selfUri: string) {
    this.#nodes = nodes;
    this.selfUri = selfUri;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const node = this.#nodes.get(originOf(request.url));
      const call = new Call(request, options, {
        resolve,
        reject,
        ended: () => {
          this.#sent.delete(call);
          node?.calls.delete(call);
        },
      });
      this.#sent.add(call);
      if (node === undefined) {
        call.fail("CONNECTION_REFUSED", `no node at ${call.origin}`);
      } else {
        node.calls.add(call);
        call.start(node.handler);
      }
    });
  }

  serve(handler: RequestHandler): Promise<void> {
    this.#nodes.set(this.selfUri, { handler, calls: new Set() });
    return Promise.resolve();
  }

  /** Requests to this node, and its own, are reset: a timer of one would keep the process alive. */
  close(): Promise<void> {
    const served = this.#nodes.get(this.selfUri)?.calls ?? [];
    this.#nodes.delete(this.selfUri);
    for (const call of [...served, ...this.#sent]) {
      call.fail("CONNECTION_RESET", `${call.origin}: the connection was closed`);
    }
    return Promise.resolve();
  }
}

interface Settle {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: NetworkError) => void;
  readonly ended: () => void;
}

/** One request until its response, failure, timeout or abortion, whichever is first. */
class Call {
  readonly origin: string;
  readonly #request: HttpRequest;
  readonly #settle: Settle;
  readonly #timeout: NodeJS.Timeout;
  readonly #takesLent: boolean;
  readonly #onAbort: (() => void)[] = [];
  #isOver = false;

  constructor(request: HttpRequest, options: RequestOptions, settle: Settle) {
    this.#request = request;
    this.#settle = settle;
    this.#takesLent = options.takesLent === true;
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
      takesLent: this.#takesLent,
    };
    const url = this.#request.url.slice(this.origin.length);
    const incoming = { ...this.#request, url: url.startsWith("/") ? url : `/${url}`, body: this.#request.body.slice() };
    // The handler starts in a turn of its own: nodes never call each other while they are in the middle of something.
    setImmediate(() => {
      handler(incoming, context).then(
        (response) => this.#answered(response),
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

  #answered(response: HttpResponse): void {
    if (this.#isOver) {
      releaseAll(response.lent ?? []);
    }
    this.#end(() => this.#settle.resolve({ ...response, body: response.body.slice() }));
  }

  #end(finish: () => void): void {
    if (!this.#isOver) {
      this.#isOver = true;
      clearTimeout(this.#timeout);
      this.#settle.ended();
      finish();
    }
  }
}
