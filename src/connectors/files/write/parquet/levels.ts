/**
 * Parquet's hybrid of run lengths and bit packing, for levels and for indexes into dictionaries.
 */
import type { ByteBuffer } from "../byte-buffer.ts";

/** Values of a run that is worth its header; packed values come in groups of eight. */
const runMin = 8;

export function bitsOf(max: number): number {
  return 32 - Math.clz32(max);
}

/** Writes values [from, to) of less than 2^bits. */
export function writeHybrid(
  out: ByteBuffer,
  values: ArrayLike<number>,
  { from, to, bits }: { from: number; to: number; bits: number },
): void {
  let packedFrom = from;
  for (let at = from; at < to; ) {
    const value = values[at] as number;
    let end = at + 1;
    while (end < to && values[end] === value) {
      end++;
    }
    // Groups before the run are filled up from it, because only the last group of the values may be padded.
    const missing = (8 - ((at - packedFrom) % 8)) % 8;
    if (end - at >= runMin + missing) {
      writePacked(out, values, { from: packedFrom, to: at + missing, bits });
      out.varint((end - at - missing) * 2);
      for (let shift = 0; shift < bits; shift += 8) {
        out.byte((value >>> shift) & 0xff);
      }
      packedFrom = end;
    }
    at = end;
  }
  writePacked(out, values, { from: packedFrom, to, bits });
}

function writePacked(out: ByteBuffer, values: ArrayLike<number>, { from, to, bits }: { from: number; to: number; bits: number }): void {
  if (to === from) {
    return;
  }
  const groups = Math.ceil((to - from) / 8);
  out.varint(groups * 2 + 1);
  packBits(out, values, { from, to: from + groups * 8, end: to, bits });
}

/** Bits from the lowest of each byte; values at `end` and after are zero. */
export function packBits(
  out: ByteBuffer,
  values: ArrayLike<number>,
  { from, to, end, bits }: { from: number; to: number; end: number; bits: number },
): void {
  out.reserve(Math.ceil(((to - from) * bits) / 8));
  let held = 0;
  let heldBits = 0;
  for (let at = from; at < to; at++) {
    let value = at < end ? (values[at] as number) : 0;
    let left = bits;
    while (left > 0) {
      const taken = Math.min(left, 8 - heldBits);
      held |= (value & ((1 << taken) - 1)) << heldBits;
      heldBits += taken;
      value >>>= taken;
      left -= taken;
      if (heldBits === 8) {
        out.byte(held);
        held = 0;
        heldBits = 0;
      }
    }
  }
  if (heldBits > 0) {
    out.byte(held);
  }
}
