/**
 * In-process network with direct calls for end-to-end tests of the engine: it copies bytes and adds no delay.
 */
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../../../src/ports/network.ts";

/** Handlers by address. */
export class DirectLinks {
  readonly handlers = new Map<string, RequestHandler>();

  network(selfUri: string): DirectNetwork {
    return new DirectNetwork(this, selfUri);
  }
}

export class DirectNetwork implements Network {
  readonly selfUri: string;
  readonly #links: DirectLinks;

  constructor(links: DirectLinks, selfUri: string) {
    this.#links = links;
    this.selfUri = selfUri;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const { origin, pathname, search } = new URL(request.url);
      const handler = this.#links.handlers.get(origin);
      const aborts: (() => void)[] = [];
      let over = false;
      const end = (finish: () => void): void => {
        if (!over) {
          over = true;
          clearTimeout(timeout);
          finish();
        }
      };
      const giveUp = (error: NetworkError): void =>
        end(() => {
          reject(error);
          for (const abort of aborts) {
            abort();
          }
        });
      const timeout = setTimeout(() => giveUp(new NetworkError("TIMEOUT", `no answer from ${origin}`)), options.timeoutMs);
      options.onAbortable?.(() => giveUp(new NetworkError("ABORTED", "request aborted")));
      if (handler === undefined) {
        giveUp(new NetworkError("CONNECTION_REFUSED", `nobody listens at ${origin}`));
        return;
      }
      const context: RequestContext = {
        remoteAddress: "127.0.0.1",
        baseUri: origin,
        isAborted: () => over,
        onAbort: (callback) => aborts.push(callback),
      };
      setImmediate(() => {
        handler({ ...request, url: `${pathname}${search}`, body: request.body.slice() }, context).then(
          (response) => end(() => resolve({ ...response, body: response.body.slice() })),
          () => giveUp(new NetworkError("CONNECTION_RESET", "the handler failed")),
        );
      });
    });
  }

  serve(handler: RequestHandler): Promise<void> {
    this.#links.handlers.set(this.selfUri, handler);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#links.handlers.delete(this.selfUri);
    return Promise.resolve();
  }
}
