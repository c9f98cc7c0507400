/**
 * Documents of Trino's spooled protocol: rows in segments, each encoded separately, inline in the response or at an address of its own.
 * Sources: Trino's documentation of client protocol properties, trino-python-client and trino-go-client.
 */
import * as z from "zod";
import { address, count } from "./fields.ts";

/** Values that a client may list in the header Query-Data-Encoding, in order of preference. */
export const queryDataEncodings = ["json", "json+lz4", "json+zstd"] as const;
export type QueryDataEncoding = (typeof queryDataEncodings)[number];

export function isQueryDataEncoding(text: string): text is QueryDataEncoding {
  return queryDataEncodings.some((encoding) => encoding === text);
}

const metadata = {
  /** Ordinal of the segment's first row among all rows of the result. */
  rowOffset: count,
  rowsCount: count,
  /** Size of the segment as transferred, in bytes. */
  segmentSize: count,
  /** Present for compressed segments only: a segment without it is plain JSON, whatever the encoding. */
  uncompressedSize: count.optional(),
};

const inlineSegmentSchema = z.object({ type: z.literal("inline"), data: z.string(), metadata: z.object(metadata) });
const spooledSegmentSchema = z.object({
  type: z.literal("spooled"),
  uri: address,
  ackUri: address,
  metadata: z.object({ ...metadata, expiresAt: z.string().optional() }),
  /** Headers that the client must send with the request for the segment. */
  headers: z.record(z.string(), z.array(z.string())).optional(),
});

export const spooledDataSchema = z.object({
  encoding: z.enum(queryDataEncodings),
  segments: z.array(z.union([inlineSegmentSchema, spooledSegmentSchema])).min(1),
});
export type SpooledData = z.infer<typeof spooledDataSchema>;
export type Segment = SpooledData["segments"][number];
export type SegmentMetadata = z.infer<typeof inlineSegmentSchema>["metadata"];

export const segmentPath = "/v1/spooled";
