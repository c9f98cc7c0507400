/**
 * The Network port of the command line and of catalogs of other clusters: requests only, over keep-alive connections. Uses Node's built-in
 * HTTP client, because a library would take longer to load than the first query takes to run.
 */
import { readFileSync } from "node:fs";
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import {
  type Headers,
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type RequestHandler,
  type RequestOptions,
} from "../ports/network.ts";

const kinds: Readonly<Record<string, NetworkErrorKind>> = {
  ECONNREFUSED: "CONNECTION_REFUSED",
  ECONNRESET: "CONNECTION_RESET",
  EPIPE: "CONNECTION_RESET",
  ENOTFOUND: "HOST_UNREACHABLE",
  EAI_AGAIN: "HOST_UNREACHABLE",
  EHOSTUNREACH: "HOST_UNREACHABLE",
  ENETUNREACH: "HOST_UNREACHABLE",
  ETIMEDOUT: "HOST_UNREACHABLE",
};

/** Large, because session state travels in headers. */
const headerBytesMax = 2 * 1024 * 1024;
const answerBytesDefault = 1024 * 1024 * 1024;

export interface ClientNetworkOptions {
  /** Accepts certificates that cannot be verified. */
  readonly insecure?: boolean;
  /** PEM file of the certificates that sign the server's, in the place of the system's. */
  readonly truststorePath?: string;
  /** PEM file with the client's private key and certificate. */
  readonly keystorePath?: string;
  /** Of an encrypted private key. */
  readonly keystorePassword?: string;
  /** Bytes of an answer, at most; 1 GB if absent. */
  readonly answerBytesMax?: number;
}

export class ClientNetwork implements Network {
  readonly selfUri = "";
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;

  /** Throws if a file cannot be read. */
  readonly #answerBytesMax: number;

  constructor({
    answerBytesMax = answerBytesDefault,
    insecure = false,
    keystorePassword,
    keystorePath,
    truststorePath,
  }: ClientNetworkOptions = {}) {
    this.#answerBytesMax = answerBytesMax;
    const own = keystorePath === undefined ? undefined : readFileSync(keystorePath, "utf8");
    this.#https = new HttpsAgent({
      keepAlive: true,
      rejectUnauthorized: !insecure,
      ...(truststorePath === undefined ? {} : { ca: readFileSync(truststorePath, "utf8") }),
      ...(own === undefined ? {} : { cert: own, key: own }),
      ...(keystorePassword === undefined ? {} : { passphrase: keystorePassword }),
    });
  }

  request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      let over = false;
      const origin = /^https?:\/\/[^/]+/.exec(request.url)?.[0] ?? request.url;
      let destroy: () => void = () => undefined;
      const end = (finish: () => void): void => {
        over = true;
        clearTimeout(timeout);
        finish();
      };
      const fail = (kind: NetworkErrorKind, message: string): void => end(() => reject(new NetworkError(kind, message)));
      const timeout = setTimeout(() => {
        fail("TIMEOUT", `no answer from ${origin} within ${options.timeoutMs} ms`);
        destroy();
      }, options.timeoutMs);
      options.onAbortable?.(() => {
        fail("ABORTED", "request aborted");
        destroy();
      });
      const attempt = (repeated: boolean): void => {
        const asked = this.#open(request);
        destroy = () => void asked.destroy();
        asked.on("response", (incoming) => {
          readBody(incoming, this.#answerBytesMax).then(
            (body) => {
              if (body !== undefined) {
                end(() => resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming), body }));
                return;
              }
              fail("PROTOCOL_ERROR", `${origin}: the answer has more than ${this.#answerBytesMax} bytes`);
              destroy();
            },
            (error: NodeJS.ErrnoException) => fail("CONNECTION_RESET", `${origin}: ${error.message}`),
          );
        });
        asked.on("error", (error: NodeJS.ErrnoException) => {
          const kind = kindOf(error);
          // A kept-alive connection may close just when it is reused; an idempotent request is then repeated on another connection.
          if (kind === "CONNECTION_RESET" && asked.reusedSocket && request.method !== "POST" && !over) {
            attempt(true);
          } else {
            fail(
              repeated && kind === "CONNECTION_REFUSED" ? "CONNECTION_RESET" : kind,
              `${origin}: ${error.message || (error.code ?? "failed")}`,
            );
          }
        });
        asked.end(request.body);
      };
      try {
        attempt(false);
      } catch (error) {
        fail("PROTOCOL_ERROR", error instanceof Error ? error.message : String(error));
      }
    });
  }

  #open(request: HttpRequest): ClientRequest {
    const secure = request.url.startsWith("https:");
    return (secure ? httpsRequest : httpRequest)(request.url, {
      method: request.method,
      agent: secure ? this.#https : this.#http,
      maxHeaderSize: headerBytesMax,
      headers: { ...outgoingHeaders(request.headers), "content-length": request.body.length },
    });
  }

  serve(_handler: RequestHandler): Promise<void> {
    return Promise.reject(new NetworkError("PROTOCOL_ERROR", "this network only asks"));
  }

  close(): Promise<void> {
    this.#http.destroy();
    this.#https.destroy();
    return Promise.resolve();
  }
}

/** Several addresses of one name fail as one AggregateError with the code of the last one. */
function kindOf(error: NodeJS.ErrnoException): NetworkErrorKind {
  return kinds[error.code ?? ""] ?? "PROTOCOL_ERROR";
}

function outgoingHeaders(headers: Headers): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]));
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    const [first] = values ?? [];
    if (values !== undefined && first !== undefined) {
      headers[name] = values.length === 1 ? first : values;
    }
  }
  return headers;
}

/** Undefined for a body that is too large. */
async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
