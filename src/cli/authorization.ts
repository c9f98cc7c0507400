/**
 * Credentials on requests to one server, and to no other: segments of results may lie elsewhere.
 */
import type { HttpRequest, HttpResponse, Network, RequestHandler, RequestOptions } from "../ports/network.ts";

export class AuthorizedNetwork implements Network {
  readonly selfUri = "";
  readonly #inner: Network;
  readonly #origin: string;
  readonly #credentials: string;

  constructor(inner: Network, { credentials, server }: { readonly server: string; readonly credentials: string }) {
    this.#inner = inner;
    this.#origin = new URL(server).origin;
    this.#credentials = credentials;
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    const isOwn = URL.canParse(request.url) && new URL(request.url).origin === this.#origin;
    const headers = isOwn ? { ...request.headers, authorization: this.#credentials } : request.headers;
    return this.#inner.request({ ...request, headers }, options);
  }

  serve(handler: RequestHandler): Promise<void> {
    return this.#inner.serve(handler);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** Values of the header Authorization. */
export function basicCredentials(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;
}

export function bearerCredentials(token: string): string {
  return `Bearer ${token}`;
}
