/**
 * Zstandard, if this version of Node has it (22.15 or newer), for clients that ask for `json+zstd`.
 */
import * as zlib from "node:zlib";

type CompressZstd = (bytes: Uint8Array) => Uint8Array;

interface MaybeZstd {
  readonly zstdCompressSync?: CompressZstd;
}

export function platformZstd(): CompressZstd | undefined {
  const { zstdCompressSync } = zlib as MaybeZstd;
  return zstdCompressSync === undefined ? undefined : (bytes) => zstdCompressSync(bytes);
}
