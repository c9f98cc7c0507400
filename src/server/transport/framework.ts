/**
 * Fastify between a server's sockets and the node. It is loaded when it is needed: a node on a thread may never serve a request over HTTP.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import type { HttpMethod } from "../../ports/network.ts";
import type { RefusedRequest } from "../edge/intake.ts";
import { answerUnderPressure, type Pressure } from "../edge/pressure.ts";

export interface FrameworkOptions {
  readonly bodyBytesMax: number;
  /** Of the node at first; then further ones, for all addresses of `localhost`. */
  readonly nextServer: (handler: RequestListener) => Server;
  /** Called when the headers of a request are complete. Undefined admits it. */
  readonly check: (raw: IncomingMessage, response: ServerResponse) => RefusedRequest | undefined | Promise<RefusedRequest | undefined>;
  readonly body: (raw: IncomingMessage) => Promise<Uint8Array>;
  readonly pressure: Pressure;
  /** A request gets this status and message in place of an answer of the node. */
  readonly onFailed: (raw: IncomingMessage, status: number, message: string) => void;
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export interface Framework {
  readonly handle: RequestListener;
  /** Resolves to the port. The host `localhost` has each of its addresses. */
  listen(place: { readonly host: string; readonly port: number }): Promise<number>;
  close(): Promise<void>;
}

const methods: readonly HttpMethod[] = ["GET", "POST", "PUT", "DELETE", "HEAD"];

export async function createFramework(options: FrameworkOptions): Promise<Framework> {
  const { answer, body, bodyBytesMax, check, onFailed, nextServer, pressure } = options;
  let handle: RequestListener = (_request, response) => response.destroy();
  const fastify = Fastify({
    bodyLimit: bodyBytesMax,
    forceCloseConnections: true,
    serverFactory: (handler: RequestListener) => {
      handle = handler;
      return nextServer(handler);
    },
    logger: false,
    exposeHeadRoutes: false,
    // Malformed URLs never reach the routes.
    frameworkErrors: (error, _request, reply) => {
      void (reply as unknown as FastifyReply)
        .code(error.statusCode ?? 400)
        .type("text/plain")
        .send(error.message);
    },
  });
  await answerUnderPressure(fastify, pressure);
  fastify.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    const refused = check(raw, reply.raw);
    // Every body is treated as bytes, whatever its declared type: clients of four families send five types, some malformed.
    raw.headers["content-type"] = "application/octet-stream";
    if (refused instanceof Promise) {
      refused.then(done, done);
    } else {
      done(refused);
    }
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (request: FastifyRequest) => body(request.raw));
  fastify.setErrorHandler(
    (error: { statusCode?: number; message: string; headers?: Record<string, string | string[]> }, request, reply) => {
      const status = error.statusCode ?? 500;
      onFailed(request.raw, status, error.message);
      return reply
        .code(status)
        .headers(status === 503 ? { "retry-after": "1" } : (error.headers ?? {}))
        .type("text/plain")
        .send(error.message);
    },
  );
  fastify.route({ method: [...methods], url: "/*", handler: answer });
  fastify.setNotFoundHandler((request, reply) => answer(request, reply));
  await fastify.ready();
  return {
    handle: (request, response) => handle(request, response),
    async listen(place) {
      await fastify.listen(place);
      const address = fastify.server.address();
      return address !== null && typeof address === "object" ? address.port : place.port;
    },
    close: () => fastify.close(),
  };
}
