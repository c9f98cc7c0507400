/**
 * Requests to nodes of other processes, by undici. A module of its own, so that a node that never asks another process does not load it.
 */
import { Agent, type Dispatcher, request as undiciRequest } from "undici";
import type { Headers, HttpRequest, HttpResponse } from "../../ports/network.ts";
import { internalSignatureHeader, type RequestSigner } from "../../protocol/http/internal-signature.ts";

export class HttpClient {
  readonly #agent: Agent;
  /** Opens a new connection for each request. */
  readonly #freshAgent: Agent;

  readonly #signer: RequestSigner | undefined;

  /** `signer`: of requests inside of the cluster; undefined if they are not signed. */
  constructor({ headerBytesMax, signer }: { readonly headerBytesMax: number; readonly signer: RequestSigner | undefined }) {
    this.#signer = signer;
    const common = { maxHeaderSize: headerBytesMax, headersTimeout: 0, bodyTimeout: 0, connectTimeout: 5_000 };
    this.#agent = new Agent({ ...common, keepAliveTimeout: 30_000, keepAliveMaxTimeout: 600_000, connections: 250 });
    this.#freshAgent = new Agent({ ...common, pipelining: 0 });
  }

  /** Rejects with undici's and the system's errors. */
  async ask(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const answer = await this.#answerTo(request, signal);
    const body = new Uint8Array(await answer.body.arrayBuffer());
    return { status: answer.statusCode, headers: lowerCase(answer.headers), body };
  }

  async destroy(): Promise<void> {
    await this.#agent.destroy();
    await this.#freshAgent.destroy();
  }

  /** A kept-alive connection may close just when it is reused. An idempotent request is then repeated once on a new connection. */
  async #answerTo(request: HttpRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const url = new URL(request.url);
    const signature = this.#signer?.sign(request.method, `${url.pathname}${url.search}`, request.body);
    const headers = signature === undefined ? request.headers : { ...request.headers, [internalSignatureHeader]: signature };
    const ask = (dispatcher: Agent): Promise<Dispatcher.ResponseData> =>
      undiciRequest(url, {
        method: request.method,
        dispatcher,
        headers: Object.entries(headers).flatMap(([name, value]) =>
          typeof value === "string" ? [name, value] : value.flatMap((one) => [name, one]),
        ),
        body: request.body.length === 0 && (request.method === "GET" || request.method === "HEAD") ? null : request.body,
        signal,
      });
    try {
      return await ask(this.#agent);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (request.method === "POST" || signal.aborted || (code !== "UND_ERR_SOCKET" && code !== "ECONNRESET" && code !== "EPIPE")) {
        throw error;
      }
      return ask(this.#freshAgent).catch(() => {
        // The first attempt was sent, so its error is reported.
        throw error;
      });
    }
  }
}

function lowerCase(headers: Record<string, string | string[] | undefined>): Headers {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value]])));
}
