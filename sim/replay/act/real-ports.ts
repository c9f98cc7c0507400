/**
 * Clock and network of a user of a real cluster.
 */
import { request as httpRequest, Agent } from "node:http";
import type { Clock, MonotonicNanos, WallMillis } from "../../../src/ports/clock.ts";
import {
  type Headers,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type RequestOptions,
} from "../../../src/ports/network.ts";

export const realClock: Clock = {
  monotonicNanos: () => Math.round(performance.now() * 1e6) as MonotonicNanos,
  wallMillis: () => Date.now() as WallMillis,
  cpuNanos: () => Math.round(performance.now() * 1e6),
  timer(_label, delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

export class RealClientNetwork implements Network {
  readonly selfUri = "";
  readonly #agent = new Agent({ keepAlive: true });

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      let timedOut = false;
      const fail = (error: NodeJS.ErrnoException): void => {
        const kind = timedOut ? "TIMEOUT" : error.code === "ECONNREFUSED" ? "CONNECTION_REFUSED" : "CONNECTION_RESET";
        clearTimeout(timer);
        reject(new NetworkError(kind, `${request.url}: ${error.message}`));
      };
      const { "content-length": _length, ...headers } = request.headers;
      const outgoing = httpRequest(
        request.url,
        { method: request.method, headers: headers as Record<string, string | string[]>, agent: this.#agent },
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on("data", (piece: Buffer) => pieces.push(piece));
          answer.on("error", fail);
          answer.on("end", () => {
            clearTimeout(timer);
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Headers, body: new Uint8Array(Buffer.concat(pieces)) });
          });
        },
      );
      const timer = setTimeout(() => {
        timedOut = true;
        outgoing.destroy(new Error("no answer in time"));
      }, options.timeoutMs);
      options.onAbortable?.(() => outgoing.destroy(new Error("aborted")));
      outgoing.on("error", fail);
      outgoing.end(request.body);
    });
  }

  serve(): Promise<void> {
    return Promise.reject(new Error("a user serves nothing"));
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }
}
