/**
 * The documents of Trino's spooled protocol: rows as segments, each encoded by itself, inside the answer or at an address of its own. Written by the coordinator, read by
 * the statement client. Facts: Trino's documentation of client protocol properties, and what trino-python-client and trino-go-client read.
 */
import { z } from "zod";
import { address, count } from "./fields.ts";

/** What a client may ask for in the header Query-Data-Encoding, the one it likes best first. */
export const queryDataEncodings = ["json", "json+lz4", "json+zstd"] as const;
export type QueryDataEncoding = (typeof queryDataEncodings)[number];

export function isQueryDataEncoding(text: string): text is QueryDataEncoding {
  return queryDataEncodings.some((encoding) => encoding === text);
}

const metadata = {
  /** Of the segment's first row, among all rows of the result. */
  rowOffset: count,
  rowsCount: count,
  /** Bytes of the segment as it is sent. */
  segmentSize: count,
  /** Of a compressed segment only: one without it is plain JSON, whatever the encoding. */
  uncompressedSize: count.optional(),
};

const inlineSegmentSchema = z.object({ type: z.literal("inline"), data: z.string(), metadata: z.object(metadata) });
const spooledSegmentSchema = z.object({
  type: z.literal("spooled"),
  uri: address,
  ackUri: address,
  metadata: z.object({ ...metadata, expiresAt: z.string().optional() }),
  /** To be sent with the request for the segment. */
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
