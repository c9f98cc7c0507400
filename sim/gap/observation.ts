/**
 * Observations of a transport in one situation, in words that apply to real sockets and to the simulated world: the result at the sender,
 * how often the receiver's handler ran, its input, and whether it was notified that the sender had disconnected.
 */
import {
  type Headers,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  noBody,
  type RequestContext,
  type RequestHandler,
} from "../../src/ports/network.ts";

/** Maximum size of a request body on both sides, in bytes. */
export const bodyBytesMax: number = 1024 * 1024;

export interface AskOptions {
  /** If absent, the time-out is long enough for any machine. Omit it when a response is expected. */
  readonly timeoutMs?: number;
  readonly onAbortable?: (abort: () => void) => void;
  /** Its address begins with `placeOfB` on both sides. */
  readonly request?: Partial<HttpRequest>;
}

/** Address of the responding node in situations. */
export const placeOfB = "http://b:8080";

/** Sends a request for `/x` unless `options` override it; the address `placeOfB` is replaced by `target`. */
export function askOver(network: Network, target: string, method: HttpMethod, options: AskOptions): Promise<HttpResponse> {
  const request = { method, url: `${placeOfB}/x`, headers: {}, body: noBody, ...options.request };
  return network.request(
    { ...request, url: request.url.replace(placeOfB, target) },
    {
      timeoutMs: options.timeoutMs ?? 120_000,
      label: "ask",
      ...(options.onAbortable === undefined ? {} : { onAbortable: options.onAbortable }),
    },
  );
}

/** A handler that counts its calls and notifications. */
export class ObservedHandler {
  runs = 0;
  toldOfAbort = false;
  readonly headers: Headers[] = [];
  readonly bodies: Uint8Array[] = [];
  readonly baseUris: string[] = [];
  readonly handle: RequestHandler;

  constructor(answer: (context: RequestContext, run: number, request: HttpRequest) => Promise<HttpResponse>) {
    this.handle = (request, context) => {
      this.runs++;
      this.headers.push(request.headers);
      this.bodies.push(request.body);
      this.baseUris.push(context.baseUri);
      context.onAbort(() => {
        this.toldOfAbort = true;
      });
      return answer(context, this.runs, request);
    };
  }

  /** Description: `handled once`, `handled twice, told that the sender is gone`. */
  describe(): string {
    const times = handledTimes(this.runs);
    return this.toldOfAbort ? `${times}, told that the sender is gone` : times;
  }
}

export function handledTimes(count: number): string {
  return ["never handled", "handled once", "handled twice"][count] ?? `handled ${count} times`;
}

/** Returns `200`, or an error such as `CONNECTION_RESET`; `failed` if the error is not a NetworkError. */
export async function outcomeOf(asked: Promise<HttpResponse>): Promise<string> {
  try {
    return String((await asked).status);
  } catch (error) {
    return error instanceof NetworkError ? error.kind : `failed: ${String(error)}`;
  }
}

export function ok(body: Uint8Array | string = "", headers: Headers = {}): HttpResponse {
  return { status: 200, headers, body: typeof body === "string" ? new TextEncoder().encode(body) : body };
}

/** Names of headers that the receiver of a message saw although its sender had not set them, sorted. */
export function addedHeaders(seen: Headers | undefined, sent: Headers): string {
  return (
    Object.keys(seen ?? {})
      .filter((name) => !(name in sent))
      .sort((a, b) => (a < b ? -1 : 1))
      .join(" ") || "none"
  );
}
