/**
 * LZ4 blocks (the format of LZ4's lz4_Block_format.md): the compression of `json+lz4` segments. A plain greedy compressor with one hash
 * table, and a reader that trusts nothing it reads. Blocks carry no size: the sender of a block tells the length of its content.
 */

const matchBytesMin = 4;
/** The last five bytes of a block are literals, and its last match begins at least twelve bytes before the end. */
const lastLiterals = 5;
const matchStartsBeforeEnd = 12;
const offsetMax = 65_535;
const hashBits = 14;
/** After each 2^skipShift positions without a match, the step grows by one. */
const skipShift = 6;
/** Shorter runs are copied byte by byte, which is faster than a call. */
const loopBytesMax = 32;

export class Lz4Error extends Error {
  override readonly name = "Lz4Error";
}

/** Maximum size of the compressed block, in bytes; incompressible input grows slightly. */
export function lz4BytesMax(byteCount: number): number {
  return byteCount + Math.floor(byteCount / 255) + 16;
}

export function compressLz4(input: Uint8Array): Uint8Array {
  const output = new Uint8Array(lz4BytesMax(input.length));
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  /** By hash of four bytes: 1 + the position of their last occurrence. */
  const table = new Int32Array(1 << hashBits);
  const matchesEnd = input.length - lastLiterals;
  let anchor = 0;
  let at = 0;
  let position = 0;
  while (position <= input.length - matchStartsBeforeEnd) {
    const word = view.getUint32(position, true);
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
    const candidate = (table[slot] as number) - 1;
    table[slot] = position + 1;
    if (candidate < 0 || position - candidate > offsetMax || view.getUint32(candidate, true) !== word) {
      position += 1 + ((position - anchor) >>> skipShift);
      continue;
    }
    let length = matchBytesMin;
    while (position + length < matchesEnd && input[candidate + length] === input[position + length]) {
      length++;
    }
    at = writeSequence(output, at, { input, anchor, end: position, offset: position - candidate, length });
    position += length;
    anchor = position;
  }
  at = writeSequence(output, at, { input, anchor, end: input.length, offset: 0, length: 0 });
  return output.subarray(0, at);
}

interface Sequence {
  readonly input: Uint8Array;
  /** Start of the literals. */
  readonly anchor: number;
  readonly end: number;
  /** Distance of the match backward; 0 for the last sequence, which has no match. */
  readonly offset: number;
  readonly length: number;
}

/** Returns the position after the sequence. */
function writeSequence(output: Uint8Array, start: number, { input, anchor, end, offset, length }: Sequence): number {
  const literals = end - anchor;
  const more = offset === 0 ? 0 : length - matchBytesMin;
  let at = start;
  output[at++] = (Math.min(literals, 15) << 4) | Math.min(more, 15);
  at = writeRest(output, at, literals);
  copy(input, anchor, { output, at, length: literals });
  at += literals;
  if (offset === 0) {
    return at;
  }
  output[at++] = offset & 0xff;
  output[at++] = offset >>> 8;
  return writeRest(output, at, more);
}

interface Target {
  readonly output: Uint8Array;
  readonly at: number;
  readonly length: number;
}

function copy(source: Uint8Array, start: number, { output, at, length }: Target): void {
  if (length > loopBytesMax) {
    output.set(source.subarray(start, start + length), at);
    return;
  }
  for (let index = 0; index < length; index++) {
    output[at + index] = source[start + index] as number;
  }
}

/** Writes the part of a length beyond the 15 that fit in the token. */
function writeRest(output: Uint8Array, start: number, length: number): number {
  let at = start;
  if (length >= 15) {
    let rest = length - 15;
    for (; rest >= 255; rest -= 255) {
      output[at++] = 255;
    }
    output[at++] = rest;
  }
  return at;
}

/** Decompresses a block to exactly `byteCount` bytes. Throws Lz4Error for any other input. */
export function decompressLz4(block: Uint8Array, byteCount: number): Uint8Array {
  const output = new Uint8Array(byteCount);
  let at = 0;
  let written = 0;
  const next = (): number => {
    const byte = block[at++];
    if (byte === undefined) {
      throw new Lz4Error("the block ends too early");
    }
    return byte;
  };
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? next() : 0; ; byte = next()) {
      length += byte;
      if (byte !== 255) {
        return length;
      }
    }
  };
  while (at < block.length) {
    const token = next();
    const literals = lengthOf(token >>> 4);
    if (at + literals > block.length || written + literals > byteCount) {
      throw new Lz4Error("literals beyond the end");
    }
    copy(block, at, { output, at: written, length: literals });
    at += literals;
    written += literals;
    if (at === block.length) {
      break;
    }
    const offset = next() | (next() << 8);
    const length = lengthOf(token & 15) + matchBytesMin;
    if (offset === 0 || offset > written || written + length > byteCount) {
      throw new Lz4Error("a match outside of what was written");
    }
    for (const end = written + length; written < end; written++) {
      output[written] = output[written - offset] as number;
    }
  }
  if (written !== byteCount) {
    throw new Lz4Error(`${written} bytes instead of ${byteCount}`);
  }
  return output;
}
