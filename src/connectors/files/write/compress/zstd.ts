/**
 * Compresses to one Zstandard frame (RFC 8878) that says its size, without a checksum. Repetitions are found greedily, so that it is about
 * as dense as the fastest levels of the reference.
 */
import { ByteBuffer } from "../byte-buffer.ts";
import { MatchTable } from "./matches.ts";
import { writeLiterals } from "./zstd-literals.ts";
import { type Sequence, writeSequences } from "./zstd-sequences.ts";

const magic = 0xfd2fb528;
const blockBytesMax = 131_072;
const blockTypes = Object.freeze({ raw: 0, compressed: 2 });
/** Distances whose code the predefined distribution has. */
const distanceMax = 2 ** 26;
const lengthMax = 65_538;

export function compressZstd(bytes: Uint8Array): Uint8Array {
  const out = new ByteBuffer();
  out.reserve((bytes.length >>> 1) + 64);
  out.u32(magic);
  writeSize(out, bytes.length);
  const table = new MatchTable();
  for (let start = 0; start < bytes.length || start === 0; start += blockBytesMax) {
    const end = Math.min(bytes.length, start + blockBytesMax);
    const block = blockOf(bytes, start, end, table);
    const isSmaller = block.length < end - start;
    const content = isSmaller ? block : bytes.subarray(start, end);
    const header = (end === bytes.length ? 1 : 0) | ((isSmaller ? blockTypes.compressed : blockTypes.raw) << 1) | (content.length << 3);
    out.byte(header & 0xff);
    out.byte((header >>> 8) & 0xff);
    out.byte(header >>> 16);
    out.bytes(content);
  }
  return out.take();
}

/** A single segment: the window is the content. */
function writeSize(out: ByteBuffer, size: number): void {
  const singleSegment = 1 << 5;
  if (size < 256) {
    out.byte(singleSegment);
    out.byte(size);
  } else if (size < 65_792) {
    out.byte((1 << 6) | singleSegment);
    out.byte((size - 256) & 0xff);
    out.byte((size - 256) >>> 8);
  } else {
    out.byte((2 << 6) | singleSegment);
    out.u32(size);
  }
}

function blockOf(bytes: Uint8Array, start: number, end: number, table: MatchTable): Uint8Array {
  const literals = new ByteBuffer();
  const sequences: Sequence[] = [];
  const rest = table.search({
    bytes,
    start,
    end,
    distanceMax,
    onMatch: (from, at, length, distance) => {
      literals.bytes(bytes.subarray(from, at));
      for (let done = 0; done < length; ) {
        // What is left must be long enough to be a sequence too.
        const left = length - done;
        const part = left <= lengthMax ? left : Math.min(lengthMax, left - 3);
        sequences.push({ literals: done === 0 ? at - from : 0, length: part, distance });
        done += part;
      }
    },
  });
  literals.bytes(bytes.subarray(rest, end));
  const out = new ByteBuffer();
  writeLiterals(out, literals.take());
  writeSequences(out, sequences);
  return out.take();
}
