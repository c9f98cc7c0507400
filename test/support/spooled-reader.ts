/**
 * A reader of Trino's spooled protocol that shares no code with the engine: written from Trino's documentation and the checks of its Python
 * and Go clients. Node provides Base64 and gzip, hyparquet-compressors reads LZ4 blocks.
 */
import { compressors } from "hyparquet-compressors";
import * as zlib from "node:zlib";

export interface SpooledData {
  readonly encoding: string;
  readonly segments: readonly {
    readonly type: string;
    readonly data?: string;
    readonly uri?: string;
    readonly ackUri?: string;
    readonly headers?: Readonly<Record<string, readonly string[]>>;
    readonly metadata: {
      readonly rowOffset: number;
      readonly rowsCount: number;
      readonly segmentSize: number;
      readonly uncompressedSize?: number;
      readonly expiresAt?: string;
    };
  }[];
}

export type Get = (uri: string) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

const zstd = (zlib as unknown as { readonly zstdDecompressSync?: (bytes: Uint8Array) => Buffer }).zstdDecompressSync;
const lz4 = compressors["LZ4_RAW"] as (input: Uint8Array, outputLength: number) => Uint8Array;

/** Rows of one response; throws if a client would reject it. */
export async function readSpooled(data: SpooledData, get: Get, firstRow: number): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for (const { type, metadata, ...segment } of data.segments) {
    let bytes: Uint8Array;
    if (type === "inline") {
      bytes = Buffer.from(segment.data ?? "", "base64");
    } else {
      const answer = await get(segment.uri ?? "");
      if (answer.status !== 200) {
        throw new Error(`${segment.uri} answered ${answer.status}`);
      }
      bytes = answer.body;
    }
    if (metadata.segmentSize !== bytes.length) {
      throw new Error(`segment size mismatch: expected ${metadata.segmentSize} bytes, got ${bytes.length}`);
    }
    const content = contentOf(data.encoding, bytes, metadata.uncompressedSize);
    const found = JSON.parse(Buffer.from(content).toString("utf8")) as unknown[][];
    if (found.length !== metadata.rowsCount || metadata.rowOffset !== firstRow + rows.length) {
      throw new Error(`${found.length} rows after ${firstRow + rows.length}: ${JSON.stringify(metadata)}`);
    }
    rows.push(...found);
    if (type !== "inline") {
      await get(segment.ackUri ?? "");
    }
  }
  return rows;
}

function contentOf(encoding: string, bytes: Uint8Array, uncompressedSize: number | undefined): Uint8Array {
  if (uncompressedSize === undefined) {
    return bytes;
  }
  const content = encoding === "json+lz4" ? lz4(bytes, uncompressedSize) : encoding === "json+zstd" ? zstd?.(bytes) : undefined;
  if (content?.length !== uncompressedSize) {
    throw new Error(`decompressed size mismatch: expected ${uncompressedSize} bytes, got ${content?.length}`);
  }
  return content;
}
