/**
 * Requests between nodes: bytes and headers only, HTTP's shape, no HTTP library's types.
 * Header names are lower case in both directions; a header that repeats is an array.
 */

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE" | "HEAD";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** Absolute on the way out (`http://host:port/v1/task?x=1`); on arrival path and query only (`/v1/task?x=1`). */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** What the transport knows about an arrived request besides its bytes. */
export interface RequestContext {
  /** `host:port` or host of the peer. */
  readonly remoteAddress: string;
  /** `http://host:port` under which the peer addressed this node (Host or forwarded headers), for links in answers. */
  readonly baseUri: string;
  /** True once the peer is known to be gone; a long poll should end early. */
  isAborted(): boolean;
  /** Calls back at most once, when the peer goes away before the answer. */
  onAbort(callback: () => void): void;
}

export type RequestHandler = (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;

export interface RequestOptions {
  /** From sending to the last byte of the answer; past it the request fails with kind TIMEOUT. */
  readonly timeoutMs: number;
  /** Names the request in traces: `task-update`. */
  readonly label: string;
  /** Called with a function that aborts the request (kind ABORTED). */
  readonly onAbortable?: (abort: () => void) => void;
}

export type NetworkErrorKind = "CONNECTION_REFUSED" | "CONNECTION_RESET" | "HOST_UNREACHABLE" | "TIMEOUT" | "ABORTED" | "PROTOCOL_ERROR";

/** The request may or may not have been carried out (never for CONNECTION_REFUSED). */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  constructor(
    readonly kind: NetworkErrorKind,
    message: string,
  ) {
    super(message);
  }
}

export interface Network {
  /** This node's own address, `http://host:port`, once `serve` has resolved. */
  readonly selfUri: string;
  /** Rejects with NetworkError only. Any status is an answer. */
  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse>;
  /** Starts to answer requests. A handler that rejects becomes a plain 500. */
  serve(handler: RequestHandler): Promise<void>;
  /** Stops to answer; requests in flight are reset. */
  close(): Promise<void>;
}

export const noBody: Uint8Array = new Uint8Array(0);
