/** Stands before an HTTP server, and fails some of the requests: instead of the server, or when it has answered. */
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeServer, listenOnLoopback } from "./listening.ts";

/** `lost`: the server carries the request out, and its answer gets lost. */
export type ProxyFault = "busy" | "error-500" | "reset" | "cut-short" | "lost";

export class FaultyProxy {
  readonly #server: Server;
  /** Asked for each request. */
  fault: (request: { readonly method: string; readonly url: string }) => ProxyFault | undefined = () => undefined;
  /** Called with each request, which waits for it. */
  onRequest: (request: { readonly method: string; readonly url: string }) => Promise<void> | void = () => undefined;

  /** `origin` of the server: `http://127.0.0.1:1234`. */
  constructor(origin: string) {
    this.#server = createServer((request, response) => void this.#pass(request, response, origin));
  }

  listen(): Promise<string> {
    return listenOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #pass(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    const { method = "GET", url = "/", headers } = request;
    await this.onRequest({ method, url });
    const fault = this.fault({ method, url });
    if (fault === "busy" || fault === "error-500") {
      request.resume();
      request.on("end", () => response.writeHead(fault === "busy" ? 503 : 500).end());
      return;
    }
    if (fault === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    const sent = ask(`${origin}${url}`, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const body = Buffer.concat(parts);
        if (fault === "lost") {
          request.socket.resetAndDestroy();
          return;
        }
        const cut = fault === "cut-short" && body.length > 0;
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.write(cut ? body.subarray(0, body.length >> 1) : body, () => (cut ? request.socket.resetAndDestroy() : response.end()));
      });
    });
    sent.on("error", () => request.socket.resetAndDestroy());
    request.pipe(sent);
  }
}
