/** Codecs of blocks of Avro files: those of the specification but `bzip2` and `xz`, which Iceberg does not write. */
import { Inflate } from "pako";
import { joinBytes } from "../../../types/bytes.ts";
import { crc32 } from "../../../types/crc32.ts";
import { BadData } from "../../shared/file-errors.ts";
import { decompressSnappy } from "../parquet/compression.ts";
import { ZstdInflater } from "../zstd.ts";
import type { LakeReader } from "./rows.ts";

const blockBytesMax = 1_073_741_824;
const checksumBytes = 4;
const expansionMax = 64;
const damaged = "a block of the Avro file is damaged";

/** Throws BadData. */
export function decompressBlock(codec: string, bytes: Uint8Array, reader: Pick<LakeReader, "kernels" | "memory">): Uint8Array {
  switch (codec) {
    case "null":
      return bytes;
    case "deflate":
      return inflated(bytes);
    case "snappy":
      return unsnapped(bytes, reader);
    case "zstandard":
      return unzstd(bytes, reader);
    default:
      throw new BadData(`Avro files of codec ${codec.slice(0, 50)} are not supported`);
  }
}

/** Pieces of one block. */
class Pieces {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(piece: Uint8Array): void {
    requireBounded(this.#length + piece.length);
    this.#length += piece.length;
    this.#parts.push(piece);
  }

  whole(): Uint8Array {
    return joinBytes(this.#parts);
  }
}

function requireBounded(length: number): void {
  if (length > blockBytesMax) {
    throw new BadData(`a block of the Avro file is larger than ${blockBytesMax} bytes`);
  }
}

function inflated(bytes: Uint8Array): Uint8Array {
  const inflate = new Inflate({ raw: true });
  const pieces = new Pieces();
  inflate.onData = (piece) => pieces.add(piece as Uint8Array);
  inflate.push(bytes, true);
  if (inflate.err !== 0) {
    throw new BadData(damaged);
  }
  return pieces.whole();
}

function unzstd(bytes: Uint8Array, { memory }: Pick<LakeReader, "memory">): Uint8Array {
  const window = memory.child("block of Avro");
  const inflater = new ZstdInflater(window);
  const pieces = new Pieces();
  try {
    inflater.push(bytes, true);
    while (!inflater.finished) {
      const piece = inflater.pull();
      if (piece.length === 0 && !inflater.finished) {
        throw new BadData(damaged);
      }
      pieces.add(piece);
    }
  } finally {
    window.close();
  }
  return pieces.whole();
}

/** Behind the compressed bytes is the checksum of the others (CRC-32, big-endian). */
function unsnapped(bytes: Uint8Array, { kernels, memory }: Pick<LakeReader, "kernels" | "memory">): Uint8Array {
  const end = bytes.length - checksumBytes;
  if (end < 1) {
    throw new BadData(damaged);
  }
  const compressed = bytes.subarray(0, end);
  const sizeBytes = snappySize(compressed);
  const address = memory.allocate(Math.max(1, sizeBytes));
  try {
    const isWhole = decompressSnappy(compressed, { memory, kernels, address, sizeBytes });
    const whole = memory.linear.u8.slice(address, address + sizeBytes);
    if (!isWhole || crc32(whole) !== new DataView(bytes.buffer, bytes.byteOffset + end, checksumBytes).getUint32(0)) {
      throw new BadData(damaged);
    }
    return whole;
  } finally {
    memory.free(address);
  }
}

/** The first bytes are the size: seven bits a byte, the lowest first. Three bytes expand to 64 at most. */
function snappySize(bytes: Uint8Array): number {
  let size = 0;
  for (let at = 0; at < 5; at++) {
    const byte = bytes[at] ?? 0;
    size += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) {
      if (size > bytes.length * expansionMax) {
        throw new BadData(damaged);
      }
      requireBounded(size);
      return size;
    }
  }
  throw new BadData(damaged);
}
