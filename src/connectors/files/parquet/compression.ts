/**
 * Decompresses pages of Parquet files directly into linear memory.
 */
import { decompressBrotli } from "hyparquet-compressors";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { BadData } from "../../shared/file-errors.ts";
import { gunzipInto } from "../inflate.ts";
import type { ParquetKernels } from "./kernels/kernels.ts";
import { snappyTableBytes } from "./kernels/blocks.ts";
import { zstdScratchBytes } from "./kernels/zstd-scratch.ts";

const codecs: readonly string[] = Object.freeze(["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"]);

interface Target {
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
  readonly address: Address;
  readonly sizeBytes: number;
}

/** `target` has room for exactly `sizeBytes`. Pages that are read again and again are decompressed twice. */
export function decompress(codec: number, input: Uint8Array, target: Target): void {
  const { address, kernels, memory, sizeBytes } = target;
  if (codecs[codec] === "UNCOMPRESSED") {
    decompressAnew(codec, input, target);
    return;
  }
  const output = memory.linear.u8.subarray(address, address + sizeBytes);
  kernels.pages.read({ codec, bytes: input, uncompressedBytes: sizeBytes }, output, () => decompressAnew(codec, input, target));
}

function decompressAnew(codec: number, input: Uint8Array, target: Target): void {
  const { memory, address, sizeBytes } = target;
  const output = memory.linear.u8.subarray(address, address + sizeBytes);
  // Writers leave out the compressed form of nothing.
  if (input.length === 0 && sizeBytes === 0) {
    return;
  }
  switch (codecs[codec]) {
    case "UNCOMPRESSED":
      requireSize(input.length, sizeBytes);
      output.set(input);
      return;
    case "SNAPPY":
      return withKernel("snappy", input, target);
    case "LZ4_RAW":
      return withKernel("lz4", input, target);
    case "LZ4":
      return framedLz4(input, target);
    case "BROTLI":
      return brotli(input, output, memory);
    case "GZIP":
      return gunzipInto(input, output);
    case "ZSTD":
      return withKernel("zstd", input, target);
    default:
      throw new BadData(`compression ${codecs[codec] ?? codec} is not supported`);
  }
}

function requireSize(found: number, promised: number): void {
  if (found !== promised) {
    throw new BadData(`a page has ${found} bytes instead of ${promised}`);
  }
}

/** The library does not tell a stream that is too short: its end stays zero. */
function brotli(input: Uint8Array, output: Uint8Array, memory: MemoryContext): void {
  memory.reserve(output.length);
  try {
    output.set(decompressBrotli(input, output.length));
  } catch (error) {
    throw error instanceof BadData ? error : new BadData("brotli: a page is damaged");
  } finally {
    memory.release(output.length);
  }
}

type KernelCodec = "snappy" | "lz4" | "zstd";

/** Whether the input is well-formed and fills the target. */
export function decompressZstd(input: Uint8Array, target: Target): boolean {
  return isDecompressed("zstd", input, target);
}

/** Whether the input is well-formed and fills the target. */
export function decompressSnappy(input: Uint8Array, target: Target): boolean {
  return isDecompressed("snappy", input, target);
}

function withKernel(codec: KernelCodec, input: Uint8Array, target: Target): void {
  if (!isDecompressed(codec, input, target)) {
    throw new BadData(`${codec}: a page is damaged`);
  }
}

/** Bytes of memory that a kernel works in. */
const scratchBytes: Readonly<Record<KernelCodec, number>> = Object.freeze({ snappy: snappyTableBytes, lz4: 0, zstd: zstdScratchBytes });

function isDecompressed(codec: KernelCodec, input: Uint8Array, { memory, kernels, address, sizeBytes }: Target): boolean {
  const { linear } = memory;
  const at = memory.allocate(Math.max(1, input.length));
  linear.u8.set(input, at);
  const scratch = scratchBytes[codec] === 0 ? 0 : memory.allocate(scratchBytes[codec]);
  const from = { at, end: at + input.length };
  const to = { at: address, end: address + sizeBytes };
  let isWhole: boolean;
  switch (codec) {
    case "snappy":
      isWhole = kernels.decompressSnappy(from, to, { linear, scratch });
      break;
    case "lz4":
      isWhole = kernels.decompressLz4(from, to, address) === to.end;
      break;
    case "zstd":
      isWhole = kernels.decompressZstd(from, to, { linear, scratch });
      break;
  }
  if (scratch !== 0) {
    memory.free(scratch);
  }
  memory.free(at);
  return isWhole;
}

/** Codec LZ4 is deprecated because writers disagree: Hadoop's frames each block with both sizes in big-endian, others write one block. */
function framedLz4(input: Uint8Array, target: Target): void {
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  let at = 0;
  let done = 0;
  while (at + 8 <= input.length) {
    const sizeBytes = view.getUint32(at, false);
    const end = at + 8 + view.getUint32(at + 4, false);
    if (end > input.length || done + sizeBytes > target.sizeBytes) {
      break;
    }
    if (!isDecompressed("lz4", input.subarray(at + 8, end), { ...target, address: target.address + done, sizeBytes })) {
      break;
    }
    at = end;
    done += sizeBytes;
  }
  if (at !== input.length || done !== target.sizeBytes) {
    withKernel("lz4", input, target);
  }
}
