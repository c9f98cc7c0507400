/**
 * Compression of the pages of Parquet files.
 */
import { gzip } from "pako";
import { compressSnappy } from "./snappy.ts";
import { compressZstd } from "./zstd.ts";

export type CompressionCodec = "NONE" | "SNAPPY" | "GZIP" | "ZSTD";

export interface Compressor {
  /** Parquet's number. */
  readonly codec: number;
  compress(bytes: Uint8Array): Uint8Array;
}

export function compressorOf(codec: CompressionCodec): Compressor {
  switch (codec) {
    case "NONE":
      return { codec: 0, compress: (bytes) => bytes };
    case "SNAPPY":
      return { codec: 1, compress: compressSnappy };
    case "GZIP":
      return { codec: 2, compress: (bytes) => gzip(bytes) };
    case "ZSTD":
      return { codec: 6, compress: compressZstd };
  }
}
