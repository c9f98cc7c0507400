/**
 * A simulated object store of S3's protocol, which serves the files of a disk that all nodes share. Requests take simulated time, and some
 * of them fail as those of a real store do: it asks to slow down, breaks the connection, sends less than it promised, or says nothing. It
 * shares no code with the engine's client.
 */
import { type Headers, type HttpRequest, type HttpResponse, NetworkError } from "../../src/ports/network.ts";
import type { Outbound, OutboundOptions } from "../../src/ports/outbound.ts";
import { epochMillis } from "../world/clock.ts";
import type { SimulatedDisk } from "../world/disk.ts";
import type { Stream } from "../world/streams.ts";
import { type Incarnation, nanosPerMs, type World } from "../world/world.ts";

export interface StoreConditions {
  readonly delayNanosMin: number;
  readonly delayNanosMax: number;
  /** Percentage of requests that fail, in one of the ways that the seed draws. */
  readonly faultPercent: number;
  /** Entries of a page of a list. */
  readonly pageKeys: number;
}

type StoreFault = "slow-down" | "error" | "reset" | "cut-short" | "silent";
const faults: readonly StoreFault[] = ["slow-down", "slow-down", "error", "reset", "cut-short", "silent"];

/** Of the files on the shared disk, which may be written. */
export const lakeCatalog = Object.freeze({
  name: "lake",
  properties: { "connector.name": "files", "files.directory": "/lake", "files.writes-enabled": "true" },
});

export const storeCatalog = Object.freeze({
  name: "store",
  properties: {
    "connector.name": "files",
    "files.directory": "s3://lake/",
    "s3.endpoint": "http://store",
    "s3.path-style-access": "true",
    "s3.aws-access-key": "simulated",
    "s3.aws-secret-key": "simulated",
    "s3.socket-read-timeout": "2s",
  },
});

/** A request is refused if its time differs more from the store's. */
const skewMillisMax = 900_000;

export class SimulatedStore {
  readonly #world: World;
  readonly #disk: SimulatedDisk;
  readonly #stream: Stream;
  readonly #conditions: StoreConditions;
  readonly #isFaulty: () => boolean;
  /** Requests that failed. */
  failed = 0;

  constructor(
    world: World,
    options: {
      readonly disk: SimulatedDisk;
      readonly stream: Stream;
      readonly conditions: StoreConditions;
      /** Whether requests fail as drawn. */
      readonly isFaulty: () => boolean;
    },
  ) {
    this.#isFaulty = options.isFaulty;
    this.#world = world;
    this.#disk = options.disk;
    this.#stream = options.stream;
    this.#conditions = options.conditions;
  }

  open(incarnation: Incarnation): Outbound {
    return {
      request: (request, options) => this.#request(incarnation, request, options),
      accessKeys: () => Promise.resolve(undefined),
    };
  }

  #request(incarnation: Incarnation, request: HttpRequest, { timeoutMs, label }: OutboundOptions): Promise<HttpResponse> {
    const { delayNanosMin, delayNanosMax, faultPercent } = this.#conditions;
    const delayNanos = this.#stream.between(delayNanosMin, delayNanosMax);
    const fault = this.#stream.chance(faultPercent, 100) && this.#isFaulty() ? this.#stream.pick(faults) : undefined;
    if (fault !== undefined) {
      this.failed++;
      this.#world.note(incarnation.place, "store-fault", `${fault} ${label}`);
    }
    const lasts = fault === "silent" ? timeoutMs * nanosPerMs : Math.min(delayNanos, timeoutMs * nanosPerMs);
    return new Promise((resolve, reject) => {
      this.#world.on(incarnation, this.#world.nowNanos + lasts, "store", () => {
        if (fault === "silent") {
          reject(new NetworkError("TIMEOUT", `no answer from the store within ${timeoutMs} ms`));
        } else if (fault === "reset") {
          reject(new NetworkError("CONNECTION_RESET", "the connection was reset"));
        } else {
          resolve(this.#answer(request, fault));
        }
      });
    });
  }

  #answer(request: HttpRequest, fault: StoreFault | undefined): HttpResponse {
    const wallMillis = epochMillis + Math.floor(this.#world.nowNanos / nanosPerMs);
    const date = { date: new Date(wallMillis).toUTCString() };
    if (fault === "slow-down" || fault === "error") {
      return fault === "slow-down" ? failure(503, "SlowDown", date) : failure(500, "InternalError", date);
    }
    const { pathname, searchParams } = new URL(request.url);
    const signed = String(request.headers["authorization"] ?? "");
    if (!signed.startsWith("AWS4-HMAC-SHA256 Credential=simulated/") || !pathname.startsWith("/lake")) {
      return failure(403, "AccessDenied", date);
    }
    if (Math.abs(timeOf(String(request.headers["x-amz-date"])) - wallMillis) > skewMillisMax) {
      return failure(403, "RequestTimeTooSkewed", date);
    }
    const key = decodeURIComponent(pathname.slice("/lake/".length));
    if (key === "") {
      return this.#list(searchParams, fault);
    }
    const file = this.#disk.current(key);
    if (file === undefined) {
      return failure(404, "NoSuchKey", date);
    }
    const etag = `"${file.version}"`;
    if (request.method === "HEAD") {
      return { status: 200, headers: { etag, "content-length": String(file.bytes.length) }, body: new Uint8Array(0) };
    }
    if (request.headers["if-match"] !== undefined && request.headers["if-match"] !== etag) {
      return failure(412, "PreconditionFailed", date);
    }
    const [, first = "", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers["range"])) ?? [];
    const body = file.bytes.slice(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + body.length - 1}/${file.bytes.length}`;
    return {
      status: 206,
      headers: { etag, "content-range": range },
      body: fault === "cut-short" ? body.subarray(0, body.length >> 1) : body,
    };
  }

  /** A file that is renamed is another object: the store lists its current name only. */
  #list(query: URLSearchParams, fault: StoreFault | undefined): HttpResponse {
    const prefix = query.get("prefix") ?? "";
    const names = new Set<string>();
    for (const path of this.#disk.paths()) {
      if (path.startsWith(prefix)) {
        const slash = path.indexOf("/", prefix.length);
        names.add(slash < 0 ? path : path.slice(0, slash + 1));
      }
    }
    const all = [...names];
    const from = Math.max(0, all.indexOf(query.get("continuation-token") ?? ""));
    const next = all[from + this.#conditions.pageKeys];
    const entries = all.slice(from, from + this.#conditions.pageKeys).map((name) => {
      const file = this.#disk.current(name);
      return file === undefined
        ? `<CommonPrefixes><Prefix>${encodeURIComponent(name)}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${encodeURIComponent(name)}</Key><Size>${file.bytes.length}</Size><ETag>"${file.version}"</ETag></Contents>`;
    });
    const more = next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
    const document = `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${next !== undefined}</IsTruncated>${entries.join("")}${more}</ListBucketResult>`;
    return {
      status: 200,
      headers: {},
      body: new TextEncoder().encode(fault === "cut-short" ? document.slice(0, document.length / 2) : document),
    };
  }
}

function failure(status: number, code: string, headers: Headers): HttpResponse {
  return { status, headers, body: new TextEncoder().encode(`<Error><Code>${code}</Code></Error>`) };
}

/** Milliseconds since 1970 of `20260131T120000Z`. */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}
