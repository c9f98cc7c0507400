/**
 * Client side of Trino's spooled protocol: reads segments that are inlined or fetched from their own addresses, compressed or not.
 */
import { decodeBase64 } from "../types/base64.ts";
import { JsonSyntaxError, parseJson } from "../protocol/json.ts";
import { decompressLz4, Lz4Error } from "../protocol/lz4.ts";
import type { QueryDataEncoding, Segment, SpooledData } from "../protocol/documents/spooling.ts";
import { decodeUtf8 } from "../types/utf8.ts";
import { ClientError } from "./requester.ts";

/** Encodings that the client can read. */
const readableEncodings: readonly QueryDataEncoding[] = ["json+lz4", "json"];
/** Segments that are fetched at once. */
const fetchedAheadMax = 4;

export interface SegmentReaderOptions {
  /** Fetches the bytes at an address. Throws ClientError. */
  readonly fetch: (uri: string, headers: Readonly<Record<string, readonly string[]>>) => Promise<Uint8Array>;
  /** Acknowledges a segment. Best effort, because segments expire. */
  readonly acknowledge: (uri: string) => Promise<void>;
}

type Row = readonly unknown[];

/** Reads the segments of one result in order. */
export class SegmentReader {
  readonly #options: SegmentReaderOptions;
  #rowCount = 0;

  constructor(options: SegmentReaderOptions) {
    this.#options = options;
  }

  /** Fetches the segments after the one that is read meanwhile. */
  async rows({ encoding, segments }: SpooledData): Promise<readonly Row[]> {
    const rows: Row[] = [];
    /** In order; those that are read are gone. */
    const fetched: Promise<Uint8Array>[] = [];
    let started = 0;
    for (const [index, segment] of segments.entries()) {
      for (; started < Math.min(segments.length, index + fetchedAheadMax); started++) {
        const bytes = this.#bytesOf(segments[started] as Segment);
        // It is awaited later, unless an earlier one fails.
        bytes.catch(() => undefined);
        fetched.push(bytes);
      }
      const { rowOffset, rowsCount } = segment.metadata;
      const bytes = (await fetched.shift()) as Uint8Array;
      const found = rowsIn(contentOf(bytes, segment, encoding));
      if (rowOffset !== this.#rowCount || rowsCount !== found.length) {
        throw bad(`rows ${rowOffset} to ${rowOffset + rowsCount}`, `${found.length} rows after ${this.#rowCount}`);
      }
      this.#rowCount += found.length;
      for (const row of found) {
        rows.push(row);
      }
      if (segment.type === "spooled") {
        await this.#options.acknowledge(segment.ackUri);
      }
    }
    return rows;
  }

  async #bytesOf(segment: Segment): Promise<Uint8Array> {
    if (segment.type === "spooled") {
      return this.#options.fetch(segment.uri, segment.headers ?? {});
    }
    const bytes = decodeBase64(segment.data);
    if (bytes === undefined) {
      throw bad("base64", "something else");
    }
    return bytes;
  }
}

function contentOf(bytes: Uint8Array, { metadata }: Segment, encoding: QueryDataEncoding): Uint8Array {
  if (bytes.length !== metadata.segmentSize) {
    throw bad(`${metadata.segmentSize} bytes`, `${bytes.length}`);
  }
  if (metadata.uncompressedSize === undefined) {
    return bytes;
  }
  if (encoding !== "json+lz4") {
    throw bad(readableEncodings.join(" or "), encoding);
  }
  try {
    return decompressLz4(bytes, metadata.uncompressedSize);
  } catch (error) {
    throw error instanceof Lz4Error ? bad("an LZ4 block", error.message) : error;
  }
}

function rowsIn(content: Uint8Array): readonly Row[] {
  try {
    const rows = parseJson(decodeUtf8(content));
    if (Array.isArray(rows) && rows.every((row) => Array.isArray(row))) {
      return rows;
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) {
      throw error;
    }
  }
  throw bad("an array of arrays", "something else");
}

function bad(expected: string, found: string): ClientError {
  return new ClientError("BAD_ANSWER", `The server's segment is not valid: expected ${expected}, got ${found}`);
}
