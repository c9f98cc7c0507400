/**
 * Segments of the spooled protocol, checked on the bytes that cross the network. Rows continue from segment to segment; a segment has the
 * same bytes each time, and the size that its document announced; none is served to a request that came after its acknowledgement, and each
 * is there until then, unless its query fails or its time is over; and stored segments stay within the coordinator's bound.
 */
import { durationProperty, sizeProperty } from "../../properties.ts";
import type { Properties } from "../../plan.ts";
import { nanosPerMs, nanosPerSecond } from "../../world/world.ts";
import { check, type Verdict } from "../violation.ts";
import type { Observed } from "./wire.ts";

const oracle = "segments";

interface Metadata {
  readonly rowOffset: number;
  readonly rowsCount: number;
  readonly segmentSize: number;
}

interface Document {
  readonly id: string;
  readonly data?: readonly unknown[] | { readonly segments: readonly { readonly uri?: string; readonly metadata: Metadata }[] };
}

export interface SegmentOptions {
  readonly verdict: Verdict;
  readonly coordinator: string;
  readonly properties: Properties;
  /** Spooled bytes of the coordinator; undefined while it is down. */
  readonly spooledBytes: () => number | undefined;
  readonly incarnations: (place: string) => number;
  /** Time of the monotonic clock at a place. */
  readonly localNanos: (place: string) => number;
  /** Whether the coordinator shuts down. */
  readonly isLeaving: () => boolean;
}

interface ToldSegment {
  readonly queryId: string;
  /** Of the coordinator that told it. */
  readonly incarnation: number;
  readonly toldNanos: number;
}

/** A segment is stored before it is told, and then waits for a disk that may be slow. */
const storedNanos = 2 * nanosPerSecond;

export class SegmentOracle {
  readonly #options: SegmentOptions;
  readonly #storageBytesMax: number;
  readonly #ttlNanos: number;
  readonly #told = new Map<string, ToldSegment>();
  /** Queries that failed or were cancelled: their segments are gone at once. */
  readonly #dropped = new Set<string>();
  /** Size by the segment's path. */
  readonly #sizes = new Map<string, number>();
  readonly #bodies = new Map<string, string>();
  /** Time of the first answer to an acknowledgement, by the segment's path. */
  readonly #acknowledged = new Map<string, number>();
  /** By the coordinator's incarnation and the query: tokens of observed responses, and the first row of the next response. */
  readonly #queries = new Map<string, { readonly tokens: Set<string>; nextRow: number }>();

  constructor(options: SegmentOptions) {
    this.#options = options;
    this.#ttlNanos = durationProperty(options.properties, "fs.segment.ttl") * nanosPerMs;
    this.#storageBytesMax = sizeProperty(options.properties, "protocol.spooling.maximum-storage-size");
  }

  observe(answer: Observed): void {
    const { path, request, response, to } = answer;
    if (to !== this.#options.coordinator) {
      return;
    }
    if (request.method === "DELETE" && response.status < 300 && path.startsWith("/v1/statement/")) {
      this.#dropped.add(path.split("/")[3] ?? "");
    }
    if (response.status === 404 && request.method === "GET") {
      this.#missed(path);
    }
    if (response.status !== 200 || request.method !== "GET") {
      return;
    }
    if (path.startsWith("/v1/statement/") && answer.text().includes('"segments":')) {
      this.#answered(path, answer.json() as Document);
    } else if (path.startsWith("/v1/spooled/download/")) {
      this.#downloaded(path, answer);
    } else if (path.startsWith("/v1/spooled/ack/")) {
      const segment = path.replace("/ack/", "/download/");
      this.#acknowledged.set(segment, this.#acknowledged.get(segment) ?? answer.nowNanos);
    }
  }

  queryEnded(queryId: string, state: string): void {
    if (state === "FAILED") {
      this.#dropped.add(queryId);
    }
  }

  /** A client asked for a segment and was told that there is none. */
  #missed(path: string): void {
    const { coordinator, incarnations, isLeaving, localNanos } = this.#options;
    const told = this.#told.get(path);
    if (told === undefined || told.incarnation !== incarnations(coordinator) || isLeaving()) {
      return;
    }
    const ageNanos = localNanos(coordinator) - told.toldNanos;
    this.#check(
      this.#acknowledged.has(path) || this.#dropped.has(told.queryId) || ageNanos >= this.#ttlNanos - storedNanos,
      () =>
        `${path} of ${told.queryId} is not found ${(ageNanos / nanosPerMs).toFixed(0)} ms after it was told, and nobody has acknowledged it`,
    );
  }

  #answered(path: string, { id, data }: Document): void {
    const { coordinator, incarnations, spooledBytes } = this.#options;
    const key = `${incarnations(coordinator)} ${id}`;
    const query = this.#queries.get(key) ?? { tokens: new Set<string>(), nextRow: 0 };
    this.#queries.set(key, query);
    if (data === undefined || !("segments" in data) || query.tokens.has(path)) {
      return;
    }
    query.tokens.add(path);
    for (const { uri, metadata } of data.segments) {
      this.#check(
        metadata.rowOffset === query.nextRow,
        () => `a segment of ${id} begins at row ${metadata.rowOffset}, after ${query.nextRow} rows`,
      );
      query.nextRow = metadata.rowOffset + metadata.rowsCount;
      if (uri !== undefined) {
        const segment = uri.replace(/^http:\/\/[^/]+/, "");
        this.#sizes.set(segment, metadata.segmentSize);
        const toldNanos = this.#options.localNanos(coordinator);
        this.#told.set(segment, { queryId: id, incarnation: incarnations(coordinator), toldNanos });
      }
    }
    const kept = spooledBytes() ?? 0;
    this.#check(kept <= this.#storageBytesMax, () => `segments of ${kept} bytes are kept, and may be ${this.#storageBytesMax}`);
  }

  #downloaded(path: string, { arrivedNanos, response, text }: Observed): void {
    const size = this.#sizes.get(path);
    const body = text();
    this.#check(
      size === undefined || size === response.body.length,
      () => `${path} has ${response.body.length} bytes, and ${size} were announced`,
    );
    this.#check((this.#bodies.get(path) ?? body) === body, () => `${path} has other bytes the second time`);
    this.#bodies.set(path, body);
    this.#check(arrivedNanos <= (this.#acknowledged.get(path) ?? arrivedNanos), () => `${path} was given after its acknowledgement`);
  }

  #check(holds: boolean, sentence: () => string): void {
    check(this.#options.verdict, "safety", oracle, holds, sentence);
  }
}
