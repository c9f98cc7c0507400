/**
 * Numbers of the file format: big-endian integers, and varints of one to nine bytes. Callers check that what was read lies within its page.
 */

/** A row id, or another signed integer of 64 bits; a bigint only if it is no safe integer. */
export type Rowid = number | bigint;

const shiftOfByte = 128;
const lastVarintByte = 8;
/** A varint of so many bytes is a safe integer. */
const safeVarintBytes = 7;

export function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

export function u32(bytes: Uint8Array, at: number): number {
  return ((((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0) as number;
}

/** Offset behind the varint. */
export function varintEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < at + lastVarintByte && (bytes[end] ?? 0) >= 0x80) {
    end++;
  }
  return end + 1;
}

/** As a number without a sign: exact if it is safe, and greater than all safe integers otherwise. */
export function varint(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let index = 0; index < lastVarintByte; index++) {
    const byte = bytes[at + index] ?? 0;
    value = value * shiftOfByte + (byte & 0x7f);
    if (byte < 0x80) {
      return value;
    }
  }
  return value * 256 + (bytes[at + lastVarintByte] ?? 0);
}

/** A varint with its sign. */
export function signedVarint(bytes: Uint8Array, at: number): Rowid {
  const end = varintEnd(bytes, at);
  if (end - at <= safeVarintBytes) {
    return varint(bytes, at);
  }
  let value = 0n;
  for (let index = at; index < end; index++) {
    const byte = BigInt(bytes[index] ?? 0);
    value = index - at === lastVarintByte ? (value << 8n) | byte : (value << 7n) | (byte & 0x7fn);
  }
  return narrowed(BigInt.asIntN(64, value));
}

/** A big-endian integer of `width` bytes, up to 8, with its sign. */
export function signed(bytes: Uint8Array, at: number, width: number): Rowid {
  const first = bytes[at] ?? 0;
  let value = first >= 0x80 ? first - 256 : first;
  if (width <= 6) {
    for (let index = 1; index < width; index++) {
      value = value * 256 + (bytes[at + index] ?? 0);
    }
    return value;
  }
  return narrowed((BigInt(u32(bytes, at) | 0) << 32n) | BigInt(u32(bytes, at + 4)));
}

export function narrowed(value: bigint): Rowid {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
