/**
 * Parquet's integer encodings: the RLE/bit-packing hybrid and DELTA_BINARY_PACKED. All reads stay within given bounds of linear memory.
 */
import type { LinearMemory, Address } from "../../../memory/memory.ts";
import { BadData } from "../errors.ts";

const damaged = "a page is damaged";

/** Bytes [at, end) of linear memory, read forward. */
export class ByteCursor {
  readonly linear: LinearMemory;
  at: Address;
  readonly end: Address;

  constructor(linear: LinearMemory, at: Address, end: Address) {
    this.linear = linear;
    this.at = at;
    this.end = end;
  }

  /** Skips `bytes` bytes and returns the address of the first. */
  skip(bytes: number): Address {
    const at = this.at;
    if (bytes < 0 || at + bytes > this.end) {
      throw new BadData(damaged);
    }
    this.at = at + bytes;
    return at;
  }

  byte(): number {
    return this.linear.u8[this.skip(1)] as number;
  }

  uint32(): number {
    return this.linear.view.getUint32(this.skip(4), true);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw new BadData(damaged);
  }

  zigzag(): bigint {
    let raw = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      raw |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return (raw >> 1n) ^ -(raw & 1n);
      }
    }
    throw new BadData(damaged);
  }
}

/** Reads `count` values of up to 32 bits into u32[target...] or, if `bytes` is set, u8[target...]. */
export function readRuns(
  cursor: ByteCursor,
  options: { readonly bitWidth: number; readonly count: number; readonly target: Address; readonly bytes: boolean },
): void {
  const { bitWidth, count, target, bytes } = options;
  const { u8, u32 } = cursor.linear;
  const out: Uint8Array | Uint32Array = bytes ? u8 : u32;
  const base = bytes ? target : target >>> 2;
  if (bitWidth > 32) {
    throw new BadData(damaged);
  }
  if (bitWidth === 0) {
    out.fill(0, base, base + count);
    return;
  }
  const valueBytes = (bitWidth + 7) >>> 3;
  for (let done = 0; done < count; ) {
    const head = cursor.varint();
    if (head % 2 === 0) {
      const times = Math.min(head / 2, count - done);
      const at = cursor.skip(valueBytes);
      let value = 0;
      for (let index = valueBytes - 1; index >= 0; index--) {
        value = value * 256 + (u8[at + index] as number);
      }
      if (times === 0) {
        throw new BadData(damaged);
      }
      out.fill(value, base + done, base + done + times);
      done += times;
    } else {
      const values = Math.min(((head - 1) / 2) * 8, count - done);
      // The last group of a page may be cut to the bytes that hold values.
      const groupBytes = ((head - 1) / 2) * bitWidth;
      const at = cursor.skip(Math.min(groupBytes, cursor.end - cursor.at));
      if (Math.ceil((values * bitWidth) / 8) > cursor.at - at || values === 0) {
        throw new BadData(damaged);
      }
      unpack(cursor.linear, { at, bitWidth, values }, out, base + done);
      done += values;
    }
  }
}

function unpack(
  { u8 }: LinearMemory,
  packed: { readonly at: Address; readonly bitWidth: number; readonly values: number },
  out: Uint8Array | Uint32Array,
  to: number,
): void {
  const { bitWidth, values } = packed;
  let at = packed.at;
  let bits = 0;
  let bitCount = 0;
  if (bitWidth <= 24) {
    const mask = (1 << bitWidth) - 1;
    for (let index = to; index < to + values; index++) {
      while (bitCount < bitWidth) {
        bits |= (u8[at++] as number) << bitCount;
        bitCount += 8;
      }
      out[index] = bits & mask;
      bits >>>= bitWidth;
      bitCount -= bitWidth;
    }
    return;
  }
  // A double holds the buffered bits, at most 39.
  const modulus = 2 ** bitWidth;
  for (let index = to; index < to + values; index++) {
    while (bitCount < bitWidth) {
      bits += (u8[at++] as number) * 2 ** bitCount;
      bitCount += 8;
    }
    out[index] = bits % modulus;
    bits = Math.floor(bits / modulus);
    bitCount -= bitWidth;
  }
}

/** Passes each value to `onValue` in order, at most `count` of them; 64-bit arithmetic wraps. Returns their number. */
export function readDeltas(cursor: ByteCursor, count: number, onValue: (index: number, value: bigint) => void): number {
  const blockValues = cursor.varint();
  const miniblocks = cursor.varint();
  const total = cursor.varint();
  let value = BigInt.asIntN(64, cursor.zigzag());
  const miniblockValues = blockValues / miniblocks;
  if (total > count || !Number.isInteger(miniblockValues) || miniblockValues % 8 !== 0 || miniblocks === 0) {
    throw new BadData(damaged);
  }
  if (total === 0) {
    return 0;
  }
  onValue(0, value);
  for (let done = 1; done < total; ) {
    const minimum = cursor.zigzag();
    const widths = cursor.skip(miniblocks);
    for (let miniblock = 0; miniblock < miniblocks && done < total; miniblock++) {
      const bitWidth = cursor.linear.u8[widths + miniblock] as number;
      const values = Math.min(miniblockValues, total - done);
      if (bitWidth > 64) {
        throw new BadData(damaged);
      }
      const at = cursor.skip((miniblockValues * bitWidth) / 8);
      for (let index = 0; index < values; index++) {
        value = BigInt.asIntN(64, value + minimum + bitsAt(cursor.linear.u8, at, index * bitWidth, bitWidth));
        onValue(done++, value);
      }
    }
  }
  return total;
}

function bitsAt(u8: Uint8Array, start: Address, firstBit: number, bitWidth: number): bigint {
  if (bitWidth <= 24) {
    let bits = 0;
    const at = start + (firstBit >>> 3);
    const shift = firstBit & 7;
    for (let index = 0; index * 8 < shift + bitWidth; index++) {
      bits += (u8[at + index] as number) * 2 ** (8 * index);
    }
    return BigInt((bits >>> shift) & ((1 << bitWidth) - 1));
  }
  let value = 0n;
  for (let bit = 0; bit < bitWidth; ) {
    const place = firstBit + bit;
    const shift = place & 7;
    const take = Math.min(8 - shift, bitWidth - bit);
    const part = ((u8[start + (place >>> 3)] as number) >>> shift) & ((1 << take) - 1);
    value |= BigInt(part) << BigInt(bit);
    bit += take;
  }
  return value;
}
