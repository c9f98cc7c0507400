/** A client that inspects the cluster and is not part of the workload. */
import { type Headers, type HttpMethod, type HttpResponse, type Network, NetworkError } from "../../src/ports/network.ts";
import { encodeUtf8 } from "../../src/types/utf8.ts";

export class Operator {
  readonly #network: Network;

  constructor(network: Network) {
    this.#network = network;
  }

  /** Asks without caring for the answer; a node may be unreachable. */
  look(url: string): void {
    this.ask("GET", url).catch((error: unknown) => {
      if (!(error instanceof NetworkError)) {
        throw error;
      }
    });
  }

  ask(
    method: HttpMethod,
    url: string,
    options: { readonly headers?: Headers; readonly body?: string; readonly timeoutMs?: number } = {},
  ): Promise<HttpResponse> {
    return this.#network.request(
      { method, url, headers: options.headers ?? {}, body: encodeUtf8(options.body ?? "") },
      { timeoutMs: options.timeoutMs ?? 30_000, label: "operator" },
    );
  }
}
