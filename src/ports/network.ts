/**
 * Requests between nodes: bytes and headers in the shape of HTTP, without the types of any HTTP library. Header names are lower case in
 * both directions; a repeated header is an array.
 */

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE" | "HEAD";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** Absolute in an outgoing request (`http://host:port/v1/task?x=1`), path and query only in an incoming one (`/v1/task?x=1`). */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Bytes that belong to their owner and stay unchanged until they are released. */
export interface LentBytes {
  readonly bytes: Uint8Array;
  /** Called once. */
  release(): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The body in parts, and `body` is empty. Only for a requester that takes lent bytes; it releases each part. */
  readonly lent?: readonly LentBytes[];
}

/** Transport information about an incoming request. */
export interface RequestContext {
  /** `host:port` or host of the peer. */
  readonly remoteAddress: string;
  /** `http://host:port` under which the peer addressed this node (Host or forwarded headers), for links in responses. */
  readonly baseUri: string;
  /** True once the peer has disconnected; a long poll should then end early. */
  isAborted(): boolean;
  /** Calls back at most once, if the peer disconnects before the response. */
  onAbort(callback: () => void): void;
  /** The requester takes lent bytes. */
  readonly takesLent?: boolean;
}

export type RequestHandler = (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;

export interface RequestOptions {
  /** From sending the request to the last byte of the response, in milliseconds; after that the request fails with kind TIMEOUT. */
  readonly timeoutMs: number;
  /** Name of the request in traces: `task-update`. */
  readonly label: string;
  /** Receives a function that aborts the request (kind ABORTED). */
  readonly onAbortable?: (abort: () => void) => void;
  /** The response may have lent bytes in place of a body. */
  readonly takesLent?: boolean;
}

export type NetworkErrorKind = "CONNECTION_REFUSED" | "CONNECTION_RESET" | "HOST_UNREACHABLE" | "TIMEOUT" | "ABORTED" | "PROTOCOL_ERROR";

/** The server may or may not have processed the request; for CONNECTION_REFUSED it has not. */
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
  /** This node's own address, `http://host:port`, available once `serve` has resolved. */
  readonly selfUri: string;
  /** True if responses may lend bytes to nodes of the same process. */
  readonly lends?: boolean;
  /** Whether the node at this address is in the same process, so that bytes may be lent between the two. Absent: as `lends` says. */
  lendsTo?(uri: string): boolean;
  /** Rejects with NetworkError only. A response with any status resolves. */
  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse>;
  /** Starts serving requests. If a handler rejects, the peer gets a plain 500. */
  serve(handler: RequestHandler): Promise<void>;
  /** Stops serving; requests in flight are reset. */
  close(): Promise<void>;
}

export const noBody: Uint8Array = new Uint8Array(0);
