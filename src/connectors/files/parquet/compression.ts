/**
 * Decompresses pages of Parquet files directly into linear memory.
 */
import { decompressZstd } from "hyparquet-compressors";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import { BadData } from "../errors.ts";
import { gunzipInto } from "../inflate.ts";

const codecs: readonly string[] = Object.freeze(["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"]);

/** `target` has room for exactly `sizeBytes`. */
export function decompress(
  codec: number,
  input: Uint8Array,
  target: { readonly memory: MemoryContext; readonly address: Address; readonly sizeBytes: number },
): void {
  const { memory, address, sizeBytes } = target;
  const output = memory.linear.u8.subarray(address, address + sizeBytes);
  switch (codecs[codec]) {
    case "UNCOMPRESSED":
      requireSize(input.length, sizeBytes);
      output.set(input);
      return;
    case "SNAPPY":
      return snappy(input, output);
    case "GZIP":
      return gunzipInto(input, output);
    case "ZSTD":
      return zstd(input, output, memory);
    default:
      throw new BadData(`compression ${codecs[codec] ?? codec} is not supported`);
  }
}

function requireSize(found: number, promised: number): void {
  if (found !== promised) {
    throw new BadData(`a page has ${found} bytes instead of ${promised}`);
  }
}

/** The library allocates its own array, outside of linear memory. */
function zstd(input: Uint8Array, output: Uint8Array, memory: MemoryContext): void {
  memory.reserve(output.length);
  try {
    const bytes = input.length === 0 ? input : decompressZstd(input);
    requireSize(bytes.length, output.length);
    output.set(bytes);
  } catch (error) {
    throw error instanceof BadData ? error : new BadData("zstd: a page is damaged");
  } finally {
    memory.release(output.length);
  }
}

const damaged = "snappy: a page is damaged";
/** Shorter runs are copied byte by byte, which is faster than a call. */
const loopBytesMax = 32;

function snappy(input: Uint8Array, output: Uint8Array): void {
  let at = 0;
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = input[at++] ?? 0;
    size += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) {
      break;
    }
  }
  requireSize(size, output.length);
  let to = 0;
  while (at < input.length) {
    const tag = input[at++] as number;
    if ((tag & 3) === 0) {
      let length = (tag >>> 2) + 1;
      if (length > 60) {
        const bytes = length - 60;
        length = littleEndian(input, at, bytes) + 1;
        at += bytes;
      }
      if (at + length > input.length || to + length > output.length) {
        throw new BadData(damaged);
      }
      if (length > loopBytesMax) {
        output.set(input.subarray(at, at + length), to);
        to += length;
        at += length;
      } else {
        for (const end = at + length; at < end; ) {
          output[to++] = input[at++] as number;
        }
      }
      continue;
    }
    const kind = tag & 3;
    const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const bytes = kind === 1 ? 1 : kind === 2 ? 2 : 4;
    const offset = littleEndian(input, at, bytes) + (kind === 1 ? (tag >>> 5) * 256 : 0);
    at += bytes;
    if (offset === 0 || offset > to || to + length > output.length) {
      throw new BadData(damaged);
    }
    for (const end = to + length; to < end; to++) {
      output[to] = output[to - offset] as number;
    }
  }
  if (to !== output.length) {
    throw new BadData(damaged);
  }
}

function littleEndian(input: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > input.length) {
    throw new BadData(damaged);
  }
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) {
    value = value * 256 + (input[at + index] as number);
  }
  return value;
}
