/**
 * Compresses to Snappy's raw format (google/snappy, format_description.txt).
 */
import { ByteBuffer } from "../byte-buffer.ts";
import { MatchTable } from "./matches.ts";

const distanceMax = 65_535;
const copyBytesMax = 64;

export function compressSnappy(bytes: Uint8Array): Uint8Array {
  const out = new ByteBuffer();
  out.reserve(bytes.length + 32);
  out.varint(bytes.length);
  const literals = new MatchTable().search({
    bytes,
    start: 0,
    end: bytes.length,
    distanceMax,
    onMatch: (from, at, length, distance) => {
      writeLiterals(out, bytes, from, at);
      for (let left = length; left > 0; ) {
        const copied = Math.min(left, copyBytesMax);
        out.byte(((copied - 1) << 2) | 2);
        out.byte(distance & 0xff);
        out.byte(distance >>> 8);
        left -= copied;
      }
    },
  });
  writeLiterals(out, bytes, literals, bytes.length);
  return out.take();
}

function writeLiterals(out: ByteBuffer, bytes: Uint8Array, from: number, to: number): void {
  if (to === from) {
    return;
  }
  const length = to - from - 1;
  if (length < 60) {
    out.byte(length << 2);
  } else {
    const lengthBytes = length < 0x100 ? 1 : length < 0x1_0000 ? 2 : length < 0x100_0000 ? 3 : 4;
    out.byte((59 + lengthBytes) << 2);
    for (let index = 0; index < lengthBytes; index++) {
      out.byte((length >>> (8 * index)) & 0xff);
    }
  }
  out.bytes(bytes.subarray(from, to));
}
