/**
 * Decoders of Parquet's encodings as their specifications read, value by value over plain arrays. Each returns undefined if the bytes are
 * damaged.
 */

/** Bits [first, first + width) of little-endian bytes; missing bytes are undefined. */
function bitsAt(bytes: Uint8Array, first: number, width: number): bigint | undefined {
  let value = 0n;
  for (let bit = 0; bit < width; bit++) {
    const byte = bytes[(first + bit) >>> 3];
    if (byte === undefined) {
      return undefined;
    }
    value |= BigInt((byte >>> ((first + bit) & 7)) & 1) << BigInt(bit);
  }
  return value;
}

class Cursor {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}

  varint(bytesMax: number): bigint | undefined {
    let value = 0n;
    for (let index = 0; index < bytesMax; index++) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) {
        return undefined;
      }
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) {
        return value;
      }
    }
    return undefined;
  }

  zigzag(): bigint | undefined {
    const raw = this.varint(10);
    return raw === undefined ? undefined : (BigInt.asUintN(64, raw) >> 1n) ^ -(raw & 1n);
  }
}

export function naiveRuns(bytes: Uint8Array, bitWidth: number, count: number, limit: number): readonly number[] | undefined {
  const cursor = new Cursor(bytes);
  const values: number[] = [];
  while (values.length < count) {
    const raw = cursor.varint(5);
    const head = raw === undefined ? undefined : Number(BigInt.asUintN(32, raw));
    if (head === undefined || head >>> 1 === 0) {
      return undefined;
    }
    const left = count - values.length;
    if (head % 2 === 0) {
      const value = bitsAt(bytes, cursor.at * 8, Math.ceil(bitWidth / 8) * 8);
      if (value === undefined) {
        return undefined;
      }
      cursor.at += Math.ceil(bitWidth / 8);
      values.push(...Array.from({ length: Math.min(head >>> 1, left) }, () => Number(value)));
    } else {
      const groups = head >>> 1;
      for (let index = 0; index < Math.min(groups * 8, left); index++) {
        const value = bitsAt(bytes, cursor.at * 8 + index * bitWidth, bitWidth);
        if (value === undefined) {
          return undefined;
        }
        values.push(Number(value));
      }
      cursor.at = Math.min(bytes.length, cursor.at + groups * bitWidth);
    }
  }
  return values.every((value) => value < limit) ? values : undefined;
}

export function naiveDeltas(bytes: Uint8Array, count: number): readonly bigint[] | undefined {
  const cursor = new Cursor(bytes);
  const header = [cursor.varint(10), cursor.varint(10), cursor.varint(10)].map((value) =>
    value === undefined ? undefined : BigInt.asUintN(64, value),
  );
  const first = cursor.zigzag();
  const [blockValues, miniblocks, total] = header;
  if (blockValues === undefined || miniblocks === undefined || total === undefined || first === undefined || total !== BigInt(count)) {
    return undefined;
  }
  if (miniblocks === 0n || miniblocks > 0xffffn || blockValues % miniblocks !== 0n) {
    return undefined;
  }
  const miniblockValues = Number(blockValues / miniblocks);
  if (miniblockValues === 0 || miniblockValues > 0x100_0000 || miniblockValues % 8 !== 0) {
    return undefined;
  }
  const values = count === 0 ? [] : [BigInt.asIntN(64, first)];
  while (values.length < count) {
    const minimum = cursor.zigzag();
    const widths = bytes.subarray(cursor.at, cursor.at + Number(miniblocks));
    cursor.at += Number(miniblocks);
    if (minimum === undefined || widths.length < Number(miniblocks)) {
      return undefined;
    }
    for (let miniblock = 0; miniblock < widths.length && values.length < count; miniblock++) {
      const width = widths[miniblock] as number;
      const size = (miniblockValues / 8) * width;
      if (width > 64 || cursor.at + size > bytes.length) {
        return undefined;
      }
      for (let index = 0; index < miniblockValues && values.length < count; index++) {
        const delta = bitsAt(bytes, cursor.at * 8 + index * width, width) as bigint;
        values.push(BigInt.asIntN(64, (values.at(-1) as bigint) + minimum + delta));
      }
      cursor.at += size;
    }
  }
  return values;
}

export function naiveSnappy(input: Uint8Array, sizeBytes: number): Uint8Array | undefined {
  const cursor = new Cursor(input);
  if (cursor.varint(5) !== BigInt(sizeBytes)) {
    return undefined;
  }
  const output: number[] = [];
  const number = (bytes: number): number | undefined => {
    const value = bitsAt(input, cursor.at * 8, bytes * 8);
    cursor.at += bytes;
    return value === undefined ? undefined : Number(value);
  };
  while (cursor.at < input.length) {
    const tag = input[cursor.at++] as number;
    const kind = tag & 3;
    if (kind === 0) {
      const long = tag >>> 2;
      const last = long < 60 ? long : number(long - 59);
      if (last === undefined || cursor.at + last + 1 > input.length || output.length + last + 1 > sizeBytes) {
        return undefined;
      }
      output.push(...input.subarray(cursor.at, cursor.at + last + 1));
      cursor.at += last + 1;
      continue;
    }
    const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const low = number(kind === 1 ? 1 : kind === 2 ? 2 : 4);
    const offset = low === undefined ? undefined : low + (kind === 1 ? (tag >>> 5) * 256 : 0);
    if (!repeat(output, { offset, length, sizeBytes })) {
      return undefined;
    }
  }
  return output.length === sizeBytes ? Uint8Array.from(output) : undefined;
}

function repeat(
  output: number[],
  { offset, length, sizeBytes }: { readonly offset: number | undefined; readonly length: number; readonly sizeBytes: number },
): boolean {
  if (offset === undefined || offset === 0 || offset > output.length || output.length + length > sizeBytes) {
    return false;
  }
  for (let index = 0; index < length; index++) {
    output.push(output[output.length - offset] as number);
  }
  return true;
}

export function naiveLz4(input: Uint8Array, sizeBytes: number): Uint8Array | undefined {
  const output: number[] = [];
  let at = 0;
  const extended = (start: number): number | undefined => {
    let length = start;
    if (start === 15) {
      for (let byte = 255; byte === 255; ) {
        const next = input[at++];
        if (next === undefined) {
          return undefined;
        }
        byte = next;
        length += byte;
      }
    }
    return length;
  };
  while (at < input.length) {
    const token = input[at++] as number;
    const literals = extended(token >>> 4);
    if (literals === undefined || at + literals > input.length || output.length + literals > sizeBytes) {
      return undefined;
    }
    output.push(...input.subarray(at, at + literals));
    at += literals;
    if (at === input.length) {
      return output.length === sizeBytes ? Uint8Array.from(output) : undefined;
    }
    const offset = at + 2 > input.length ? undefined : Number(bitsAt(input, at * 8, 16));
    at += 2;
    const match = extended(token & 15);
    if (match === undefined || !repeat(output, { offset, length: match + 4, sizeBytes })) {
      return undefined;
    }
  }
  return undefined;
}
