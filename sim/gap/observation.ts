/**
 * What a transport does in one situation, told in words that mean the same over real sockets and in the simulated world: what the sender learned, how often
 * the receiver's handler ran, what it was given, and whether it was told that the sender had gone.
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

/** Of a request, as both sides take it. */
export const bodyBytesMax: number = 1024 * 1024;

export interface AskOptions {
  /** Left out where the answer comes: then it is long enough for any machine. */
  readonly timeoutMs?: number;
  readonly onAbortable?: (abort: () => void) => void;
  /** Its address begins with `placeOfB`, whatever the side. */
  readonly request?: Partial<HttpRequest>;
}

/** The answering node's address, as situations write it. */
export const placeOfB = "http://b:8080";

/** A request of `/x` unless `options` say otherwise; what is addressed to `placeOfB` goes to `target`. */
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

/** A handler that keeps count of what happens to it. */
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

  /** `handled once`, `handled twice, told that the sender is gone`. */
  describe(): string {
    const times = handledTimes(this.runs);
    return this.toldOfAbort ? `${times}, told that the sender is gone` : times;
  }
}

export function handledTimes(count: number): string {
  return ["never handled", "handled once", "handled twice"][count] ?? `handled ${count} times`;
}

/** `200`, `CONNECTION_RESET`; `failed` for what is no NetworkError. */
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

/** Names of headers that the receiver of a message saw and its sender had not set, sorted. */
export function addedHeaders(seen: Headers | undefined, sent: Headers): string {
  return (
    Object.keys(seen ?? {})
      .filter((name) => !(name in sent))
      .sort((a, b) => (a < b ? -1 : 1))
      .join(" ") || "none"
  );
}
