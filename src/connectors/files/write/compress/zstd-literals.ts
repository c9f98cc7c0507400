/**
 * The literals of a Zstandard block (RFC 8878, 3.1.1.3.1): as they are, one byte repeated, or in a Huffman code of their own. The weights
 * of the code are written directly, which allows bytes up to 128: text.
 */
import { ByteBuffer } from "../byte-buffer.ts";
import { BitWriter } from "./bit-writer.ts";

const types = Object.freeze({ raw: 0, repeated: 1, compressed: 2 });
const codeBitsMax = 11;
/** Greatest byte whose weight need not be written. */
const symbolMax = 128;
const directWeights = 127;
/** Fewer literals are not worth a code. */
const literalsMin = 64;
/** From this number on, four streams. */
const streamsMin = 1024;

export function writeLiterals(out: ByteBuffer, literals: Uint8Array): void {
  const [first] = literals;
  if (first !== undefined && literals.length > 2 && literals.every((byte) => byte === first)) {
    writeHeader(out, types.repeated, literals.length);
    out.byte(first);
    return;
  }
  if (!writeCompressed(out, literals)) {
    writeHeader(out, types.raw, literals.length);
    out.bytes(literals);
  }
}

/** Of the types without a code. */
function writeHeader(out: ByteBuffer, type: number, size: number): void {
  if (size < 32) {
    out.byte(type | (size << 3));
  } else if (size < 4096) {
    writeLittle(out, type | (1 << 2) | (size << 4), 2);
  } else {
    writeLittle(out, type | (3 << 2) | (size << 4), 3);
  }
}

function writeLittle(out: ByteBuffer, value: number, bytes: number): void {
  let rest = value;
  for (let index = 0; index < bytes; index++) {
    out.byte(rest % 256);
    rest = Math.floor(rest / 256);
  }
}

/** Returns false, and writes nothing, if that is not shorter. */
function writeCompressed(out: ByteBuffer, literals: Uint8Array): boolean {
  if (literals.length < literalsMin || literals.some((byte) => byte > symbolMax)) {
    return false;
  }
  const lengths = codeLengths(literals);
  const body = new ByteBuffer();
  const codes = writeCode(body, lengths);
  const isOne = literals.length < streamsMin;
  if (isOne) {
    writeStream(body, literals, codes);
  } else {
    writeStreams(body, literals, codes);
  }
  if (body.length >= literals.length) {
    return false;
  }
  const [format, bits] = isOne ? [0, 10] : literals.length < 16_384 ? [2, 14] : [3, 18];
  const header = types.compressed + format * 4 + literals.length * 16 + body.length * 2 ** (4 + bits);
  writeLittle(out, header, (4 + 2 * bits) / 8);
  out.bytes(body.written());
  return true;
}

interface Codes {
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The weights, and the codes that follow from them: ascending from the longest, symbols in order. */
function writeCode(out: ByteBuffer, lengths: Uint8Array): Codes {
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const last = lengths.findLastIndex((length) => length > 0);
  // The weight of the last symbol follows from the others.
  out.byte(directWeights + last);
  const weightOf = (symbol: number): number => {
    const length = symbol < last ? (lengths[symbol] as number) : 0;
    return length === 0 ? 0 : longest + 1 - length;
  };
  for (let symbol = 0; symbol < last; symbol += 2) {
    out.byte((weightOf(symbol) << 4) | weightOf(symbol + 1));
  }
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = longest; length > 0; length--) {
    lengths.forEach((own, symbol) => {
      if (own === length) {
        codes[symbol] = code++;
      }
    });
    code >>>= 1;
  }
  return { codes, lengths };
}

function writeStreams(out: ByteBuffer, literals: Uint8Array, codes: Codes): void {
  const part = Math.ceil(literals.length / 4);
  const streams = [0, 1, 2, 3].map((index) => {
    const stream = new ByteBuffer();
    writeStream(stream, literals.subarray(index * part, Math.min(literals.length, (index + 1) * part)), codes);
    return stream.take();
  });
  for (const { length } of streams.slice(0, 3)) {
    writeLittle(out, length, 2);
  }
  for (const stream of streams) {
    out.bytes(stream);
  }
}

/** From the last byte to the first: decoders read from the end. */
function writeStream(out: ByteBuffer, literals: Uint8Array, { codes, lengths }: Codes): void {
  const bits = new BitWriter(out);
  for (let at = literals.length - 1; at >= 0; at--) {
    const symbol = literals[at] as number;
    bits.add(codes[symbol] as number, lengths[symbol] as number);
  }
  bits.end();
}

/** Lengths of a Huffman code by symbol, at most `codeBitsMax`; there are at least two different literals. */
function codeLengths(literals: Uint8Array): Uint8Array {
  const counts = new Uint32Array(symbolMax + 1);
  for (const byte of literals) {
    counts[byte] = (counts[byte] as number) + 1;
  }
  for (;;) {
    const lengths = unlimitedLengths(counts);
    if (lengths.every((length) => length <= codeBitsMax)) {
      return lengths;
    }
    // Rare symbols become less rare, so that their codes are shorter.
    counts.forEach((count, symbol) => {
      counts[symbol] = count === 0 ? 0 : (count >>> 1) + 1;
    });
  }
}

interface Tree {
  readonly count: number;
  readonly symbols: readonly number[];
}

function unlimitedLengths(counts: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const trees: Tree[] = [...counts].flatMap((count, symbol) => (count === 0 ? [] : [{ count, symbols: [symbol] }]));
  while (trees.length > 1) {
    trees.sort((a, b) => b.count - a.count || (b.symbols[0] ?? 0) - (a.symbols[0] ?? 0));
    const [p, q] = [trees.pop() as Tree, trees.pop() as Tree];
    const symbols = [...p.symbols, ...q.symbols];
    for (const symbol of symbols) {
      lengths[symbol] = (lengths[symbol] as number) + 1;
    }
    trees.push({ count: p.count + q.count, symbols });
  }
  return lengths;
}
