/** Servers of HTTP in this process whose responses are altered: stores of objects, catalogs, and what gives their tokens. */
import { type HttpRequest, type HttpResponse, NetworkError } from "../../../../../../src/ports/network.ts";
import type { Outbound, OutboundOptions } from "../../../../../../src/ports/outbound.ts";
import type { Random } from "../../../random.ts";
import { drawByteEdit, edited } from "../../bytes.ts";
import { editJson } from "../../targets/json-edits.ts";
import { EditScript } from "../edits.ts";
import { oddValues } from "../odd-values.ts";

/** More than a listing of the folder and its repetitions take, if each page of a list is asked for up to its bound. */
const requestsMax = 25_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const statuses = [200, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 409, 410, 412, 416, 418, 419, 429, 500, 503] as const;
const names = [
  "etag",
  "content-range",
  "content-length",
  "last-modified",
  "date",
  "location",
  "content-encoding",
  "content-type",
  "x-amz-bucket-region",
  "x-goog-generation",
  "x-ms-error-code",
  "x-ms-meta-hdi_isfolder",
] as const;
const values = [
  "",
  "0",
  "-1",
  "1e9",
  "1073741824",
  "99999999999999999999",
  '"other"',
  'W/"weak"',
  "bytes 0-0/1",
  "bytes */*",
  "bytes 9-1/5",
  "bytes 0-9999999/99999999999",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Sun, 31 Feb 2199 25:61:61 GMT",
  "https://elsewhere.example/t/a.csv",
  "file:///etc/passwd",
  "gzip",
  "eu-west-7",
  "AuthenticationFailed",
  "ContainerNotFound",
  "true",
  "x".repeat(100_000),
] as const;

export interface WebServers {
  readonly sound: (request: HttpRequest) => HttpResponse;
  /** Bodies in the place of a sound one. */
  readonly documents: readonly string[];
  /** A page of a list that has another one behind it, if the request is for a list. */
  readonly morePages: (request: HttpRequest, number: number) => HttpResponse | undefined;
}

export function response(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, body: typeof body === "string" ? encoder.encode(body) : body };
}

export class AlteredWeb {
  readonly #servers: WebServers;
  script = new EditScript([]);
  requests: HttpRequest[] = [];
  #endless = 0;

  constructor(servers: WebServers) {
    this.#servers = servers;
  }

  begin(script: EditScript): void {
    this.script = script;
    this.requests = [];
    this.#endless = 0;
  }

  /** What a node reaches. */
  get outbound(): Outbound {
    return {
      request: (request, options) => this.#request(request, options),
      accessKeys: () => Promise.resolve(undefined),
      azureSettings: () => Promise.resolve({}),
      googleCredentials: () => Promise.resolve(undefined),
      rsaSignature: (_key, bytes) => Promise.resolve(bytes.slice(0, 32)),
    };
  }

  #request(request: HttpRequest, { bodyBytesMax }: OutboundOptions): Promise<HttpResponse> {
    this.requests.push(request);
    if (this.requests.length > requestsMax) {
      return Promise.reject(new Error("more requests than any listing needs"));
    }
    const outcome = this.#answer(request);
    if (request.method === "HEAD" && !(outcome instanceof NetworkError)) {
      return Promise.resolve({ ...outcome, body: new Uint8Array(0) });
    }
    return outcome instanceof NetworkError
      ? Promise.reject(outcome)
      : outcome.body.length > bodyBytesMax
        ? Promise.reject(new NetworkError("PROTOCOL_ERROR", `the response is longer than ${bodyBytesMax} bytes`))
        : Promise.resolve(outcome);
  }

  #answer(request: HttpRequest): HttpResponse | NetworkError {
    const random = this.script.next();
    const sound = this.#servers.sound(request);
    const more = this.#endless > 0 ? this.#servers.morePages(request, this.#endless) : undefined;
    if (more !== undefined) {
      this.#endless++;
      return more;
    }
    return random === undefined ? sound : this.#altered(random, sound);
  }

  #altered(random: Random, sound: HttpResponse): HttpResponse | NetworkError {
    const { body, headers, status } = sound;
    const { documents } = this.#servers;
    switch (random.below(14)) {
      case 0:
        return new NetworkError(
          random.pick(["TIMEOUT", "CONNECTION_RESET", "PROTOCOL_ERROR", "HOST_UNREACHABLE"]),
          "the connection failed",
        );
      case 1:
        this.#endless = 1;
        return sound;
      case 2:
      case 3:
        return { ...sound, status: random.pick(statuses) };
      case 4:
      case 5:
        return { ...sound, headers: { ...headers, [random.pick(names)]: random.pick(values) } };
      case 6: {
        const left = { ...headers };
        delete left[random.pick(Object.keys(headers).length === 0 ? names : Object.keys(headers))];
        return { status, headers: left, body };
      }
      case 7:
        return { ...sound, body: body.slice(0, random.below(body.length + 1)) };
      case 8:
        return { ...sound, body: Buffer.concat([body, random.pick(oddValues)]) };
      case 9:
        return {
          status: 200,
          headers: { ...headers, "content-length": "1073741824" },
          body: new Uint8Array(random.pick([0, 1000, 40_000_000])),
        };
      case 10:
        return response(random.pick([200, 200, 200, 206, 403, 404]), random.pick(documents), { ...(headers as Record<string, string>) });
      case 11:
      case 12:
        return { ...sound, body: this.#editedDocument(random, body) };
      default:
        return { ...sound, body: this.#editedBytes(random, body) };
    }
  }

  /** JSON stays JSON. */
  #editedDocument(random: Random, body: Uint8Array): Uint8Array {
    if (body[0] === "{".charCodeAt(0)) {
      try {
        return encoder.encode(JSON.stringify(editJson(random, JSON.parse(decoder.decode(body)))));
      } catch {
        // Lines of JSON are no document.
      }
    }
    return this.#editedBytes(random, body);
  }

  #editedBytes(random: Random, body: Uint8Array): Uint8Array {
    return body.length === 0 ? encoder.encode(random.pick(this.#servers.documents)) : edited(body, drawByteEdit(random, body));
  }
}
