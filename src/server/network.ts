/**
 * The Network port over real HTTP: Fastify answers, undici asks. A request to the node's own address goes straight to its handler.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import underPressure from "@fastify/under-pressure";
import { Agent, request as undiciRequest } from "undici";
import {
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  noBody,
  type RequestContext,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";

export interface RealNetworkOptions {
  readonly host: string;
  /** 0 lets the system pick one. */
  readonly port: number;
  /** Name in `selfUri` when the node listens on all interfaces. */
  readonly externalHost?: string;
  readonly bodyBytesMax: number;
  /** Past this event loop delay requests get 503 with Retry-After. */
  readonly eventLoopDelayMsMax: number;
  readonly processForwarded: boolean;
}

const headerBytesMax = 2 * 1024 * 1024;
const methods: readonly HttpMethod[] = ["GET", "POST", "PUT", "DELETE", "HEAD"];
/** Answered even under pressure: whoever watches the node must see that it lives. */
const alwaysAnswered = /^\/(livez|readyz|v1\/status|v1\/info)(\/|\?|$)/;

export class RealNetwork implements Network {
  readonly #options: RealNetworkOptions;
  readonly #agent: Agent;
  #server: FastifyInstance | undefined;
  #handler: RequestHandler | undefined;
  #selfUri = "";

  constructor(options: RealNetworkOptions) {
    this.#options = options;
    this.#agent = new Agent({
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 600_000,
      connections: 250,
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: 5_000,
    });
  }

  get selfUri(): string {
    return this.#selfUri;
  }

  async serve(handler: RequestHandler): Promise<void> {
    const server = Fastify({
      bodyLimit: this.#options.bodyBytesMax,
      forceCloseConnections: true,
      http: { maxHeaderSize: headerBytesMax },
      keepAliveTimeout: 75_000,
      requestTimeout: 0,
      logger: false,
      exposeHeadRoutes: false,
    });
    await server.register(underPressure, {
      maxEventLoopDelay: this.#options.eventLoopDelayMsMax,
      retryAfter: 1,
      pressureHandler: (request: FastifyRequest, reply: FastifyReply) => {
        if (alwaysAnswered.test(request.url)) {
          return;
        }
        void reply.code(503).header("retry-after", "1").type("text/plain").send("Server is overloaded, try again");
      },
    });
    // Any body is bytes to us, whatever its declared type: clients of four families send five different ones.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    server.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
      const status = error.statusCode ?? 500;
      const text = status === 413 ? `Request body is larger than ${this.#options.bodyBytesMax} bytes` : error.message;
      return reply.code(status).type("text/plain").send(text);
    });
    const answer = (request: FastifyRequest, reply: FastifyReply): Promise<void> => this.#answer(request, reply);
    server.route({ method: [...methods], url: "/*", handler: answer });
    server.setNotFoundHandler((request, reply) => answer(request, reply));
    this.#handler = handler;
    this.#server = server;
    await server.listen({ host: this.#options.host, port: this.#options.port });
    const address = server.server.address();
    const port = address !== null && typeof address === "object" ? address.port : this.#options.port;
    const host =
      this.#options.externalHost ?? (this.#options.host === "0.0.0.0" || this.#options.host === "::" ? "127.0.0.1" : this.#options.host);
    this.#selfUri = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  async request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    if (this.#handler !== undefined && request.url.startsWith(`${this.#selfUri}/`)) {
      return this.#requestSelf(request, options, this.#handler);
    }
    const controller = new AbortController();
    let timedOut = false;
    const timeout = setTimeout(() => {
      timedOut = true;
      controller.abort();
    }, options.timeoutMs);
    options.onAbortable?.(() => controller.abort());
    try {
      const answer = await undiciRequest(request.url, {
        method: request.method,
        dispatcher: this.#agent,
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === "string" ? [name, value] : value.flatMap((one) => [name, one]),
        ),
        body: request.body.length === 0 && (request.method === "GET" || request.method === "HEAD") ? null : request.body,
        signal: controller.signal,
      });
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
    const server = this.#server;
    this.#server = undefined;
    this.#handler = undefined;
    await server?.close();
    await this.#agent.destroy();
  }

  #requestSelf(request: HttpRequest, options: RequestOptions, handler: RequestHandler): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const abortCallbacks: (() => void)[] = [];
      let over = false;
      const end = (finish: () => void): void => {
        if (!over) {
          over = true;
          clearTimeout(timeout);
          finish();
        }
      };
      const abandon = (kind: NetworkErrorKind, message: string): void =>
        end(() => {
          reject(new NetworkError(kind, message));
          for (const callback of abortCallbacks) {
            callback();
          }
        });
      const timeout = setTimeout(
        () => abandon("TIMEOUT", `no answer from ${this.#selfUri} within ${options.timeoutMs} ms`),
        options.timeoutMs,
      );
      options.onAbortable?.(() => abandon("ABORTED", "request aborted"));
      const context: RequestContext = {
        remoteAddress: "127.0.0.1",
        baseUri: this.#selfUri,
        isAborted: () => over,
        onAbort: (callback) => abortCallbacks.push(callback),
      };
      handler({ ...request, url: request.url.slice(this.#selfUri.length) }, context).then(
        (response) => end(() => resolve(response)),
        () => end(() => resolve({ status: 500, headers: { "content-type": "text/plain" }, body: noBody })),
      );
    });
  }

  async #answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const handler = this.#handler;
    if (handler === undefined) {
      reply.raw.destroy();
      return reply.hijack() as never;
    }
    const raw = request.raw;
    const body = request.body instanceof Uint8Array ? request.body : noBody;
    const headers: Record<string, string | readonly string[]> = {};
    for (const [name, value] of Object.entries(raw.headersDistinct)) {
      if (value !== undefined) {
        headers[name] = value.length === 1 ? (value[0] as string) : value;
      }
    }
    let aborted = false;
    let finished = false;
    const context: RequestContext = {
      remoteAddress: raw.socket.remoteAddress ?? "",
      baseUri: this.#baseUri(headers),
      isAborted: () => aborted,
      onAbort: (callback) =>
        raw.socket.once("close", () => {
          if (!finished) {
            callback();
          }
        }),
    };
    raw.socket.setMaxListeners(0);
    reply.raw.once("close", () => {
      aborted = !finished;
    });
    const response = await handler({ method: request.method as HttpMethod, url: pathOf(raw.url ?? "/"), headers, body }, context);
    finished = true;
    void reply.code(response.status);
    for (const [name, value] of Object.entries(response.headers)) {
      void reply.header(name, value);
    }
    if (response.body.length === 0) {
      await reply.send();
    } else {
      await reply.send(Buffer.from(response.body.buffer, response.body.byteOffset, response.body.byteLength));
    }
  }

  #baseUri(headers: Headers): string {
    const first = (name: string): string | undefined => {
      const value = headers[name];
      const text = typeof value === "string" ? value : value?.[0];
      return text === undefined || text === "" ? undefined : (text.split(",")[0] as string).trim();
    };
    if (this.#options.processForwarded) {
      const host = first("x-forwarded-host") ?? first("host");
      const port = first("x-forwarded-port");
      if (host !== undefined) {
        const withPort = port === undefined || /:\d+$/.test(host) ? host : `${host}:${port}`;
        return `${first("x-forwarded-proto") ?? "http"}://${withPort}`;
      }
    }
    const host = first("host");
    return host === undefined || !/^[\w.:[\]-]+$/.test(host) ? this.#selfUri : `http://${host}`;
  }
}

/** Some clients put the whole address into the request line. */
function pathOf(url: string): string {
  const absolute = /^https?:\/\/[^/?#]+/.exec(url);
  if (absolute === null) {
    return url;
  }
  const rest = url.slice(absolute[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function lowerCase(headers: Record<string, string | string[] | undefined>): Headers {
  const result: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      result[name.toLowerCase()] = value;
    }
  }
  return result;
}

function networkError(
  error: NodeJS.ErrnoException,
  facts: { timedOut: boolean; aborted: boolean; url: string; timeoutMs: number },
): NetworkError {
  const origin = new URL(facts.url).origin;
  if (facts.timedOut) {
    return new NetworkError("TIMEOUT", `no answer from ${origin} within ${facts.timeoutMs} ms`);
  }
  if (facts.aborted) {
    return new NetworkError("ABORTED", "request aborted");
  }
  const kinds: Readonly<Record<string, NetworkErrorKind>> = {
    ECONNREFUSED: "CONNECTION_REFUSED",
    ECONNRESET: "CONNECTION_RESET",
    EPIPE: "CONNECTION_RESET",
    UND_ERR_SOCKET: "CONNECTION_RESET",
    UND_ERR_CLOSED: "CONNECTION_RESET",
    UND_ERR_DESTROYED: "CONNECTION_RESET",
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "CONNECTION_RESET",
    UND_ERR_CONNECT_TIMEOUT: "HOST_UNREACHABLE",
    ENOTFOUND: "HOST_UNREACHABLE",
    EAI_AGAIN: "HOST_UNREACHABLE",
    EHOSTUNREACH: "HOST_UNREACHABLE",
    ENETUNREACH: "HOST_UNREACHABLE",
    ETIMEDOUT: "TIMEOUT",
  };
  const code = error.code ?? (error.cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  return new NetworkError(kinds[code] ?? "PROTOCOL_ERROR", `${origin}: ${error.message}`);
}
