/**
 * Result rows of one query as segments: small results are inlined in the answer, others go to the segment store. If the store has no room,
 * a segment is inlined whatever its size, so that a full disk slows a result down and does not fail it.
 */
import { knobOf, type Knobs } from "../../../ports/knobs.ts";
import { encodeBase64 } from "../../../types/base64.ts";
import { compressLz4 } from "../../../protocol/lz4.ts";
import {
  isQueryDataEncoding,
  type QueryDataEncoding,
  type Segment,
  type SegmentMetadata,
  segmentPath,
  type SpooledData,
} from "../../../protocol/documents/spooling.ts";
import { formatTimestamp } from "../../../protocol/timestamp.ts";
import type { TakenRows } from "../rows.ts";
import type { SegmentStore } from "./segment-store.ts";

export interface SpoolingLimits {
  /** protocol.spooling.maximum-segment-size, in bytes before compression. */
  readonly segmentBytesMax: number;
  /** protocol.spooling.inlining.max-size */
  readonly inlineBytesMax: number;
  /** protocol.spooling.inlining.max-rows */
  readonly inlineRowsMax: number;
}

/** Configuration of the spooled protocol. */
export interface Spooling {
  readonly store: SegmentStore;
  readonly limits: SpoolingLimits;
  readonly knobs?: Knobs | undefined;
  /** Absent if the platform has no zstd. */
  readonly compressZstd?: (bytes: Uint8Array) => Uint8Array;
}

/**
 * The first encoding of the client's list that the coordinator supports. Undefined: the client gets rows in the answer, without segments.
 */
export function encodingOf(asked: readonly string[], { compressZstd }: Spooling): QueryDataEncoding | undefined {
  return asked.filter(isQueryDataEncoding).find((encoding) => encoding !== "json+zstd" || compressZstd !== undefined);
}

export class SpooledRows {
  readonly #spooling: Spooling;
  readonly #queryId: string;
  readonly #encoding: QueryDataEncoding;
  #rowOffset = 0;

  constructor(spooling: Spooling, query: { readonly id: string; readonly encoding: QueryDataEncoding }) {
    this.#spooling = spooling;
    this.#queryId = query.id;
    this.#encoding = query.encoding;
  }

  /** Segments per answer: clients fetch several in parallel. */
  get segmentsMax(): number {
    return knobOf(this.#spooling, "answer-segments");
  }

  /** The `data` of an answer; undefined if no rows are available. `take` returns rows, possibly a little more than the requested bytes. */
  async data(take: (bytesMax: number) => TakenRows | undefined, options: { readonly baseUri: string }): Promise<SpooledData | undefined> {
    const segments: Segment[] = [];
    while (segments.length < this.segmentsMax) {
      const rows = take(this.#spooling.limits.segmentBytesMax);
      if (rows === undefined) {
        break;
      }
      const segment = await this.#segment(rows, options.baseUri);
      segments.push(segment);
      if (segment.type === "inline") {
        break;
      }
    }
    return segments.length === 0 ? undefined : { encoding: this.#encoding, segments };
  }

  async #segment(rows: TakenRows, baseUri: string): Promise<Segment> {
    const { limits, store } = this.#spooling;
    const { bytes, uncompressedSize } = this.#encoded(rows.json);
    const metadata: SegmentMetadata = {
      rowOffset: this.#rowOffset,
      rowsCount: rows.rowCount,
      segmentSize: bytes.length,
      ...(uncompressedSize === undefined ? {} : { uncompressedSize }),
    };
    this.#rowOffset += rows.rowCount;
    const isSmall = rows.json.length <= limits.inlineBytesMax && rows.rowCount <= limits.inlineRowsMax;
    const stored = isSmall ? undefined : await store.put(this.#queryId, bytes);
    if (stored === undefined) {
      return { type: "inline", data: encodeBase64(bytes), metadata };
    }
    return {
      type: "spooled",
      uri: `${baseUri}${segmentPath}/download/${stored.id}`,
      ackUri: `${baseUri}${segmentPath}/ack/${stored.id}`,
      metadata: { ...metadata, expiresAt: formatTimestamp(stored.expiresMillis) },
    };
  }

  /** Compresses if the encoding has compression and the result is smaller. */
  #encoded(json: Uint8Array): { readonly bytes: Uint8Array; readonly uncompressedSize?: number } {
    if (this.#encoding === "json" || json.length < knobOf(this.#spooling, "compressed-bytes")) {
      return { bytes: json };
    }
    const compress = this.#encoding === "json+lz4" ? compressLz4 : this.#spooling.compressZstd;
    const bytes = compress?.(json) ?? json;
    return bytes.length < json.length ? { bytes, uncompressedSize: json.length } : { bytes: json };
  }
}
