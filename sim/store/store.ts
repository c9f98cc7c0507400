/**
 * A simulated object store that speaks the protocol of S3 or of Azure. One bucket serves the files of a disk that all nodes share, for
 * reading; another one has objects of its own, which nodes write. Requests take simulated time, and some of them fail as those of a real
 * store do: it asks to slow down, breaks the connection, sends less than it promised, or says nothing. A request that has been sent is
 * carried out although its sender dies, and one whose answer is lost may have been. It shares no code with the engine's client.
 */
import { type HttpRequest, type HttpResponse, NetworkError } from "../../src/ports/network.ts";
import { crc32 } from "../../src/types/crc32.ts";
import type { Outbound, OutboundOptions } from "../../src/ports/outbound.ts";
import { epochMillis } from "../world/clock.ts";
import type { SimulatedDisk } from "../world/disk.ts";
import type { Stream } from "../world/streams.ts";
import { type Incarnation, nanosPerMs, type World } from "../world/world.ts";
import { azureDoor } from "./azure.ts";
import { Bucket, type Objects, type StoreDoor } from "./objects.ts";
import { s3Door } from "./s3.ts";

export type StoreProtocol = "s3" | "azure";

export interface StoreConditions {
  readonly delayNanosMin: number;
  readonly delayNanosMax: number;
  /** Percentage of requests that fail, in one of the ways that the seed draws. */
  readonly faultPercent: number;
  /** Percentage of writes that are carried out, and whose answers are lost. */
  readonly lostPercent?: number;
  /** Percentage of questions about a table's description after which another cluster writes the description anew, as it is. */
  readonly replacedPercent?: number;
  /** Entries of a page of a list. */
  readonly pageKeys: number;
  /** S3's if absent. */
  readonly protocol?: StoreProtocol;
}

type StoreFault = "slow-down" | "error" | "reset" | "cut-short" | "silent";
const faults: readonly StoreFault[] = ["slow-down", "slow-down", "error", "reset", "cut-short", "silent"];

/** Of the files on the shared disk, which may be written. */
export const lakeCatalog = Object.freeze({
  name: "lake",
  properties: { "connector.name": "files", "files.directory": "/lake", "files.writes-enabled": "true" },
});

const storeProperties: Readonly<Record<StoreProtocol, Readonly<Record<string, string>>>> = Object.freeze({
  s3: {
    "s3.endpoint": "http://store",
    "s3.path-style-access": "true",
    "s3.aws-access-key": "simulated",
    "s3.aws-secret-key": "simulated",
  },
  azure: { "azure.endpoint": "http://store", "azure.account-name": "simulated", "azure.access-key": "c2ltdWxhdGVk" },
});

const doors: Readonly<Record<StoreProtocol, StoreDoor>> = Object.freeze({ s3: s3Door, azure: azureDoor });
const schemes: Readonly<Record<StoreProtocol, string>> = Object.freeze({ s3: "s3", azure: "az" });

/** Of the store: `bucket` has tables that are written to it; `store` reads the files of the lake, if there is one. */
export function storeCatalogs({ protocol = "s3" }: StoreConditions, hasLake: boolean) {
  const shared = { "connector.name": "files", ...storeProperties[protocol], "s3.socket-read-timeout": "2s" };
  const scheme = schemes[protocol];
  return [
    { name: "bucket", properties: { ...shared, "files.directory": `${scheme}://bucket/`, "files.writes-enabled": "true" } },
    ...(hasLake ? [{ name: "store", properties: { ...shared, "files.directory": `${scheme}://lake/` } }] : []),
  ];
}

export class SimulatedStore {
  readonly #world: World;
  readonly #disk: SimulatedDisk | undefined;
  readonly #bucket = new Bucket();
  readonly #stream: Stream;
  readonly #conditions: StoreConditions;
  readonly #door: StoreDoor;
  readonly #isFaulty: () => boolean;
  #requests = 0;
  /** Requests that failed. */
  failed = 0;

  constructor(
    world: World,
    options: {
      /** Of the lake, if there is one. */
      readonly disk: SimulatedDisk | undefined;
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
    this.#door = doors[options.conditions.protocol ?? "s3"];
  }

  open(incarnation: Incarnation): Outbound {
    return {
      request: (request, options) => this.#request(incarnation, request, options),
      accessKeys: () => Promise.resolve(undefined),
      azureSettings: () => Promise.resolve({}),
      googleCredentials: () => Promise.resolve(undefined),
      rsaSignature: () => Promise.resolve(undefined),
    };
  }

  #request(incarnation: Incarnation, request: HttpRequest, { timeoutMs, label, onAbortable }: OutboundOptions): Promise<HttpResponse> {
    const { delayNanosMin, delayNanosMax, faultPercent, lostPercent = 0 } = this.#conditions;
    const delayNanos = this.#stream.between(delayNanosMin, delayNanosMax);
    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    const losesAnswer = isWrite && this.#stream.chance(lostPercent, 100) && this.#isFaulty();
    const drawn = this.#stream.chance(faultPercent, 100) && this.#isFaulty() ? this.#stream.pick(faults) : undefined;
    const fault = losesAnswer ? "reset" : drawn;
    if (fault !== undefined) {
      this.failed++;
      this.#world.note(incarnation.place, "store-fault", `${fault} ${label}`);
    }
    if (isWrite) {
      this.#noteChange(incarnation.place, request);
    }
    const lasts = fault === "silent" ? timeoutMs * nanosPerMs : Math.min(delayNanos, timeoutMs * nanosPerMs);
    const { nowNanos } = this.#world;
    // The answers to these are lost, to half of them after the request was carried out.
    const isLost = fault === "silent" || fault === "reset";
    const isRefused = fault === "slow-down" || fault === "error" || (isLost && !losesAnswer && this.#stream.chance(1, 2));
    let answer: HttpResponse | undefined;
    if (!isRefused) {
      // Bodies are the sender's memory, which it uses again after an answer.
      const sent = { ...request, body: request.body.slice() };
      this.#world.at(nowNanos + Math.floor(Math.min(delayNanos, lasts) / 2), "store", () => {
        answer = this.#answer(sent);
        this.#replace(sent);
      });
    }
    const id = this.#requests++;
    this.#world.note(incarnation.place, "store-request", `${id} ${label}`);
    return new Promise((resolve, reject) => {
      let isOver = false;
      const over = (): boolean => {
        const wasOver = isOver;
        isOver = true;
        if (!wasOver) {
          this.#world.note(incarnation.place, "store-answer", `${id} ${label}`);
        }
        return wasOver;
      };
      onAbortable?.(() => {
        if (!over()) {
          reject(new NetworkError("ABORTED", "the request was aborted"));
        }
      });
      this.#world.on(incarnation, nowNanos + lasts, "store", () => {
        if (over()) {
          return;
        }
        if (fault === "silent") {
          reject(new NetworkError("TIMEOUT", `no answer from the store within ${timeoutMs} ms`));
        } else if (fault === "reset") {
          reject(new NetworkError("CONNECTION_RESET", "the connection was reset"));
        } else {
          const { body, headers, status } = answer ?? this.#refusal(fault);
          // The answer to a HEAD has no body, not even if it is an error.
          const length = request.method === "HEAD" ? 0 : fault === "cut-short" ? body.length >> 1 : body.length;
          resolve({ status, headers: { ...headers, date: new Date(this.#wallMillis).toUTCString() }, body: body.subarray(0, length) });
        }
      });
    });
  }

  /** Puts and removals of the description of a table, with what tells two of them apart. */
  #noteChange(place: string, { body, method, url }: HttpRequest): void {
    const key = /^\/bucket\/(.*\/\.orrery-table)$/.exec(new URL(url).pathname)?.[1];
    if (key !== undefined) {
      this.#world.note(place, "store-change", `${method} ${decodeURIComponent(key)} ${crc32(body)}`);
    }
  }

  /** Its version changes between the question and the request that depends on it. */
  #replace({ method, url }: HttpRequest): void {
    const { replacedPercent = 0 } = this.#conditions;
    const key = method === "HEAD" ? /^\/bucket\/(.*\/\.orrery-table)$/.exec(new URL(url).pathname)?.[1] : undefined;
    if (key !== undefined && replacedPercent > 0 && this.#stream.chance(replacedPercent, 100) && this.#isFaulty()) {
      const found = this.#bucket.find(decodeURIComponent(key));
      if (found !== undefined) {
        this.#bucket.put(decodeURIComponent(key), found.bytes, this.#wallMillis);
      }
    }
  }

  get #wallMillis(): number {
    return epochMillis + Math.floor(this.#world.nowNanos / nanosPerMs);
  }

  #refusal(fault: StoreFault | undefined): HttpResponse {
    return fault === "slow-down" ? this.#door.failure(503, "SlowDown") : this.#door.failure(500, "InternalError");
  }

  #answer(request: HttpRequest): HttpResponse {
    const { pathname, searchParams: query } = new URL(request.url);
    const [, name = "", path = ""] = /^\/([^/]*)\/?(.*)$/.exec(pathname) ?? [];
    const wallMillis = this.#wallMillis;
    const denied = this.#door.denied(request, wallMillis);
    const objects = name === "bucket" ? this.#bucket : name === "lake" ? this.#files : undefined;
    if (denied !== undefined || objects === undefined) {
      return this.#door.failure(403, denied ?? "AccessDenied");
    }
    const { pageKeys } = this.#conditions;
    const bucket = objects === this.#bucket ? this.#bucket : undefined;
    return this.#door.answer(request, { key: decodeURIComponent(path), query, wallMillis, pageKeys }, { objects, bucket });
  }

  /** A file that is renamed is another object: the store lists its current name only. */
  get #files(): Objects | undefined {
    const disk = this.#disk;
    return (
      disk && {
        keys: () => [...disk.paths()],
        find: (key) => {
          const file = disk.current(key);
          return file === undefined ? undefined : { bytes: file.bytes, etag: `"${file.version}"` };
        },
      }
    );
  }
}
