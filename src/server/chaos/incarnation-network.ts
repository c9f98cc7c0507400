/**
 * The networks of a coordinator that can restart within its process. All incarnations share one listening network; each has its own port
 * to it, which is silent for ever once the incarnation has ended.
 */
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../../ports/network.ts";
import { BrokenAnswer } from "../transport/pending.ts";

export class SharedNetwork {
  readonly #network: Network;
  #serving: Promise<void> | undefined;
  #current: IncarnationNetwork | undefined;

  constructor(network: Network) {
    this.#network = network;
  }

  /** The port of the next incarnation. */
  incarnation(): IncarnationNetwork {
    return new IncarnationNetwork(this.#network, (network) => {
      this.#current = network;
      this.#serving ??= this.#network.serve((request, context) => this.#dispatch(request, context));
      return this.#serving;
    });
  }

  /** Between two incarnations, connections are reset. */
  #dispatch(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    return this.#current?.arrive(request, context) ?? Promise.reject(new BrokenAnswer());
  }
}

export class IncarnationNetwork implements Network {
  readonly #network: Network;
  readonly #onServe: (network: IncarnationNetwork) => Promise<void>;
  /** Resets the requests that the incarnation has not answered. */
  readonly #open = new Set<() => void>();
  #handler: RequestHandler | undefined;
  #isOver = false;

  constructor(network: Network, onServe: (network: IncarnationNetwork) => Promise<void>) {
    this.#network = network;
    this.#onServe = onServe;
  }

  get selfUri(): string {
    return this.#network.selfUri;
  }

  get lends(): boolean {
    return this.#network.lends === true;
  }

  lendsTo(uri: string): boolean {
    return this.#network.lendsTo?.(uri) ?? this.lends;
  }

  async serve(handler: RequestHandler): Promise<void> {
    this.#handler = handler;
    await this.#onServe(this);
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return this.#isOver ? Promise.reject(new NetworkError("ABORTED", "the node has ended")) : this.#network.request(request, options);
  }

  /** Ends the incarnation as a crash would: what it has not answered is reset, and it sends nothing more. */
  crash(): void {
    this.#isOver = true;
    this.#handler = undefined;
    for (const reset of this.#open) {
      reset();
    }
    this.#open.clear();
  }

  /** The last incarnation closes the shared network. */
  async close(): Promise<void> {
    if (!this.#isOver) {
      this.crash();
      await this.#network.close();
    }
  }

  arrive(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const handler = this.#handler;
    return new Promise((resolve, reject) => {
      if (handler === undefined) {
        reject(new BrokenAnswer());
        return;
      }
      const reset = (): void => reject(new BrokenAnswer());
      this.#open.add(reset);
      handler(request, context)
        .then(resolve, reject)
        .finally(() => this.#open.delete(reset));
    });
  }
}
