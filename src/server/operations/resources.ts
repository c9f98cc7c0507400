/**
 * Resources that the server answers itself, beside those of its node: /metrics, /v1/openapi.json. They are only read.
 */
import { type HttpRequest, type HttpResponse, noBody } from "../../ports/network.ts";
import { headerValues } from "../../protocol/http/headers.ts";
import { type AnswerHook, parsePath, textResponse } from "../../protocol/http/http.ts";

/** `accept` is the Accept header, empty if there is none. */
export type ResourceHandler = (accept: string) => Promise<HttpResponse> | HttpResponse;

export class ServerResources {
  readonly #handlers: ReadonlyMap<string, ResourceHandler>;
  readonly #onAnswered: AnswerHook;

  /** `handlers` are by path. */
  constructor(handlers: ReadonlyMap<string, ResourceHandler>, onAnswered: AnswerHook) {
    this.#handlers = handlers;
    this.#onAnswered = onAnswered;
  }

  get paths(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  /** Undefined if the request is for the node. */
  answer(request: HttpRequest): Promise<HttpResponse> | undefined {
    const { path } = parsePath(request.url);
    const handler = this.#handlers.get(path);
    return handler === undefined ? undefined : this.#answer(request, path, handler);
  }

  async #answer({ headers, method }: HttpRequest, path: string, handler: ResourceHandler): Promise<HttpResponse> {
    const isRead = method === "GET" || method === "HEAD";
    const response = isRead
      ? await handler(headerValues(headers, "accept").join(","))
      : textResponse(405, `${method} is not allowed on ${path}, only GET`, { allow: "GET" });
    this.#onAnswered({ method, pattern: path, status: response.status });
    return method === "HEAD" ? { ...response, body: noBody } : response;
  }
}
