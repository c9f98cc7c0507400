/**
 * Requests to nodes of other processes, by undici. Signs them, and repeats an idempotent one once when a kept-alive connection has closed.
 */
import { Agent, buildConnector, type Dispatcher, request as undiciRequest } from "undici";
import { type HttpRequest, type HttpResponse, type RequestOptions } from "../../ports/network.ts";
import { internalSignatureHeader, type RequestSigner } from "../../protocol/http/internal-signature.ts";
import type { Tls } from "../security/tls.ts";
import { lowerCase, networkError } from "./http-outcomes.ts";
import { headerBytesMax } from "./listeners.ts";

const connectMsMax = 5_000;

export class HttpClient {
  readonly #signer: RequestSigner | undefined;
  readonly #agent: Agent;
  /** Opens a new connection for each request. */
  readonly #freshAgent: Agent;

  /** `tls`: the keys of the cluster, if nodes use HTTPS between each other. */
  constructor({ signer, tls }: { readonly signer: RequestSigner | undefined; readonly tls: Tls | undefined }) {
    const connect = tls === undefined ? { connectTimeout: connectMsMax } : { connect: tls.connector(buildConnector, connectMsMax) };
    const common = { maxHeaderSize: headerBytesMax, headersTimeout: 0, bodyTimeout: 0, ...connect };
    this.#signer = signer;
    this.#agent = new Agent({ ...common, keepAliveTimeout: 30_000, keepAliveMaxTimeout: 600_000, connections: 250 });
    this.#freshAgent = new Agent({ ...common, pipelining: 0 });
  }

  /** Rejects with NetworkError. */
  async request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const controller = new AbortController();
    let timedOut = false;
    const timeout = setTimeout(() => {
      timedOut = true;
      controller.abort();
    }, options.timeoutMs);
    options.onAbortable?.(() => controller.abort());
    try {
      const answer = await this.#ask(request, controller.signal);
      const body = new Uint8Array(await answer.body.arrayBuffer());
      return { status: answer.statusCode, headers: lowerCase(answer.headers), body };
    } catch (error) {
      throw networkError(error as NodeJS.ErrnoException, {
        timedOut,
        aborted: controller.signal.aborted,
        url: request.url,
        timeoutMs: options.timeoutMs,
      });
    } finally {
      clearTimeout(timeout);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
    await this.#freshAgent.destroy();
  }

  /** A kept-alive connection may close just when it is reused. An idempotent request is then repeated once on a new connection. */
  async #ask(request: HttpRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
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
