/**
 * Decompresses gzip (RFC 1951, 1952) piece by piece: input comes in any pieces, output goes out in pieces, 32 KiB of it are remembered. Every member's
 * checksum and length are verified. Called by byte-stream.ts and, for pages of Parquet files, by parquet/compression.ts.
 */
import { BadData } from "./errors.ts";

const windowBytes = 32768;
/** One symbol with all its bits takes at most 48 bits. */
const symbolBytesMax = 8;
/** The description of a block's codes. */
const codesBytesMax = 640;
const codeBitsMax = 15;
/** A symbol puts out up to 258 bytes. */
const roomBytes = 258;

const lengthBase = tableOf(29, 3, (index) => (index < 4 ? 0 : (index >> 2) - 1), 1);
const lengthBits = Uint8Array.from({ length: 29 }, (_, index) => (index < 4 || index === 28 ? 0 : (index >> 2) - 1));
const distanceBase = tableOf(30, 1, (index) => (index < 2 ? 0 : (index >> 1) - 1), 0);
const distanceBits = Uint8Array.from({ length: 30 }, (_, index) => (index < 2 ? 0 : (index >> 1) - 1));
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value;
});

/** First value of each code; the last length code is 258 alone. */
function tableOf(count: number, first: number, bits: (index: number) => number, lengths: 0 | 1): Uint16Array {
  const table = new Uint16Array(count);
  let next = first;
  for (let index = 0; index < count; index++) {
    table[index] = next;
    next += 1 << bits(index);
  }
  if (lengths === 1) {
    table[count - 1] = 258;
  }
  return table;
}

export function crc32(bytes: Uint8Array, start: number, end: number, before = 0): number {
  let crc = ~before;
  for (let at = start; at < end; at++) {
    crc = (crcTable[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** Canonical Huffman code as a table by the next 15 bits: symbol << 4 | length; 0 where no code begins so. */
class Code {
  readonly table: Uint16Array;
  readonly bits: number;

  constructor(lengths: Uint8Array) {
    const counts = new Uint16Array(codeBitsMax + 2);
    let longest = 1;
    for (const length of lengths) {
      counts[length] = (counts[length] as number) + 1;
      longest = Math.max(longest, length);
    }
    this.bits = longest;
    this.table = new Uint16Array(1 << longest);
    const next = new Uint32Array(codeBitsMax + 2);
    let code = 0;
    for (let length = 1; length <= longest; length++) {
      code = (code + (length === 1 ? 0 : (counts[length - 1] as number))) << 1;
      next[length] = code;
      if (code + (counts[length] as number) > 1 << length) {
        throw new BadData("gzip: a code has too many symbols");
      }
    }
    lengths.forEach((length, symbol) => {
      if (length > 0) {
        const own = next[length] as number;
        next[length] = own + 1;
        for (let index = reversed(own, length); index < this.table.length; index += 1 << length) {
          this.table[index] = (symbol << 4) | length;
        }
      }
    });
  }
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) {
    result |= ((code >> bit) & 1) << (length - 1 - bit);
  }
  return result;
}

const fixedLiterals = new Code(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
);
const fixedDistances = new Code(new Uint8Array(30).fill(5));

type State = "member" | "block" | "stored" | "codes" | "trailer" | "end";

export class Inflater {
  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #isLast = false;
  /** Bits taken from the input and not used yet. */
  #bits = 0;
  #bitCount = 0;
  #state: State = "member";
  #finalBlock = false;
  #storedBytes = 0;
  #literals: Code = fixedLiterals;
  #distances: Code = fixedDistances;
  /** The last 32 KiB and what was not handed out yet. */
  readonly #out: Uint8Array;
  #outAt = windowBytes;
  /** Of the member, as far as the checksum goes: up to #checkedTo in #out. */
  #memberBytes = 0;
  #crc = 0;
  #checkedTo = windowBytes;

  constructor(outBytes = 262144) {
    this.#out = new Uint8Array(windowBytes + outBytes);
  }

  /** The next input; `isLast` when nothing follows. */
  push(bytes: Uint8Array, isLast: boolean): void {
    const rest = this.#input.subarray(this.#at);
    this.#input = rest.length === 0 ? bytes : joined(rest, bytes);
    this.#at = 0;
    this.#isLast = isLast;
  }

  get finished(): boolean {
    return this.#state === "end";
  }

  /** Decompressed bytes, valid until the next call; empty when more input is needed or nothing is left. */
  pull(): Uint8Array {
    if (this.#outAt > this.#out.length - roomBytes) {
      this.#out.copyWithin(0, this.#outAt - windowBytes, this.#outAt);
      this.#outAt = windowBytes;
      this.#checkedTo = windowBytes;
    }
    const from = this.#outAt;
    for (;;) {
      const before = this.#state;
      const consumed = this.#at;
      const produced = this.#outAt;
      this.#step();
      if (this.#outAt > this.#out.length - roomBytes || (before === this.#state && consumed === this.#at && produced === this.#outAt)) {
        break;
      }
    }
    return this.#out.subarray(from, this.#outAt);
  }

  #step(): void {
    switch (this.#state) {
      case "member":
        return this.#readMember();
      case "block":
        return this.#readBlock();
      case "stored":
        return this.#copyStored();
      case "codes":
        return this.#decode();
      case "trailer":
        return this.#readTrailer();
      case "end":
        return;
    }
  }

  get #left(): number {
    return this.#input.length - this.#at;
  }

  #has(bytes: number): boolean {
    return this.#isLast || this.#left >= bytes;
  }

  #readMember(): void {
    if (!this.#has(2048)) {
      return;
    }
    if (this.#left === 0) {
      this.#state = "end";
      return;
    }
    let at = this.#at;
    const byte = (): number => {
      if (at >= this.#input.length) {
        throw new BadData("gzip: the file ends too early");
      }
      return this.#input[at++] as number;
    };
    if (byte() !== 0x1f || byte() !== 0x8b || byte() !== 8) {
      throw new BadData("gzip: this is not a gzip file");
    }
    const flags = byte();
    at += 6;
    if (flags & 4) {
      at += byte() | (byte() << 8);
    }
    for (const flag of [8, 16]) {
      if (flags & flag) {
        while (byte() !== 0) {
          // Names and comments end with a zero byte.
        }
      }
    }
    at += flags & 2 ? 2 : 0;
    this.#at = at;
    this.#memberBytes = 0;
    this.#crc = 0;
    this.#state = "block";
  }

  #readBlock(): void {
    if (!this.#has(codesBytesMax)) {
      return;
    }
    this.#finalBlock = this.#take(1) === 1;
    switch (this.#take(2)) {
      case 0: {
        this.#take(this.#bitCount & 7);
        const length = this.#take(16);
        if ((length ^ this.#take(16)) !== 0xffff) {
          throw new BadData("gzip: a stored block is damaged");
        }
        this.#storedBytes = length;
        this.#state = "stored";
        return;
      }
      case 1:
        this.#literals = fixedLiterals;
        this.#distances = fixedDistances;
        this.#state = "codes";
        return;
      case 2:
        this.#readCodes();
        this.#state = "codes";
        return;
      default:
        throw new BadData("gzip: a block is of no known kind");
    }
  }

  #readCodes(): void {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const lengthCount = this.#take(4) + 4;
    const codeLengths = new Uint8Array(19);
    for (let index = 0; index < lengthCount; index++) {
      codeLengths[codeLengthOrder[index] as number] = this.#take(3);
    }
    const code = new Code(codeLengths);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let index = 0; index < lengths.length; ) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        lengths[index++] = symbol;
        continue;
      }
      const repeated = symbol === 16 ? (lengths[index - 1] ?? 0) : 0;
      const times = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (index + times > lengths.length || (symbol === 16 && index === 0)) {
        throw new BadData("gzip: the codes of a block are damaged");
      }
      lengths.fill(repeated, index, index + times);
      index += times;
    }
    this.#literals = new Code(lengths.subarray(0, literalCount));
    this.#distances = new Code(lengths.subarray(literalCount));
  }

  #decode(): void {
    const out = this.#out;
    const { table, bits: codeBits } = this.#literals;
    const mask = (1 << codeBits) - 1;
    const outEnd = out.length - roomBytes;
    while (this.#outAt <= outEnd && this.#has(symbolBytesMax)) {
      const symbol = this.#run(out, table, mask);
      if (symbol === 256) {
        this.#endBlock();
        return;
      }
      if (symbol > 256) {
        this.#copyBack(symbol - 257);
      }
    }
    this.#check();
  }

  /** Literals up to the next symbol that is none, which it returns; -1 at the end of the input or of the room. The inner loop: only locals. */
  #run(out: Uint8Array, table: Uint16Array, mask: number): number {
    const input = this.#input;
    const inputEnd = input.length - symbolBytesMax;
    const outEnd = out.length - roomBytes;
    let bits = this.#bits;
    let bitCount = this.#bitCount;
    let at = this.#at;
    let outAt = this.#outAt;
    let found = -1;
    while (at <= inputEnd && outAt <= outEnd) {
      while (bitCount < codeBitsMax) {
        bits |= (input[at++] as number) << bitCount;
        bitCount += 8;
      }
      const entry = table[bits & mask] as number;
      const length = entry & 15;
      if (length === 0) {
        throw new BadData("gzip: a code is damaged");
      }
      bits >>>= length;
      bitCount -= length;
      const symbol = entry >> 4;
      if (symbol >= 256) {
        found = symbol;
        break;
      }
      out[outAt++] = symbol;
    }
    this.#bits = bits;
    this.#bitCount = bitCount;
    this.#at = at;
    this.#outAt = outAt;
    if (found < 0 && this.#isLast && outAt <= outEnd) {
      // So close to the end every bit counts.
      const symbol = this.#symbol(this.#literals);
      if (symbol >= 256) {
        return symbol;
      }
      out[this.#outAt++] = symbol;
    }
    return found;
  }

  #copyBack(lengthCode: number): void {
    if (lengthCode > 28) {
      throw new BadData("gzip: a length is damaged");
    }
    const length = (lengthBase[lengthCode] as number) + this.#take(lengthBits[lengthCode] as number);
    const distanceCode = this.#symbol(this.#distances);
    if (distanceCode > 29) {
      throw new BadData("gzip: a distance is damaged");
    }
    const distance = (distanceBase[distanceCode] as number) + this.#take(distanceBits[distanceCode] as number);
    const at = this.#outAt;
    if (distance > this.#memberBytes + at - this.#checkedTo) {
      throw new BadData("gzip: a distance is damaged");
    }
    const out = this.#out;
    for (let index = at; index < at + length; index++) {
      out[index] = out[index - distance] as number;
    }
    this.#outAt = at + length;
  }

  /** Brings the checksum up to the output. */
  #check(): void {
    const from = this.#checkedTo;
    this.#crc = crc32(this.#out, from, this.#outAt, this.#crc);
    this.#memberBytes += this.#outAt - from;
    this.#checkedTo = this.#outAt;
  }

  #endBlock(): void {
    this.#check();
    this.#state = this.#finalBlock ? "trailer" : "block";
  }

  #copyStored(): void {
    const count = Math.min(this.#storedBytes, this.#left, this.#out.length - this.#outAt);
    this.#out.set(this.#input.subarray(this.#at, this.#at + count), this.#outAt);
    this.#at += count;
    this.#outAt += count;
    this.#storedBytes -= count;
    if (this.#storedBytes === 0) {
      this.#endBlock();
    } else {
      this.#check();
      if (this.#left === 0 && this.#isLast) {
        throw new BadData("gzip: the file ends too early");
      }
    }
  }

  #readTrailer(): void {
    if (!this.#has(8)) {
      return;
    }
    this.#take(this.#bitCount & 7);
    const crc = (this.#take(16) | (this.#take(16) << 16)) >>> 0;
    const length = (this.#take(16) | (this.#take(16) << 16)) >>> 0;
    if (crc !== this.#crc || length !== this.#memberBytes % 4294967296) {
      throw new BadData("gzip: the checksum is wrong");
    }
    this.#state = "member";
  }

  /** Up to 16 bits. */
  #take(count: number): number {
    this.#need(count);
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  /** Past the end the bits are zero: a code may end before as many bits as the longest has. */
  #need(count: number): void {
    while (this.#bitCount < count) {
      if (this.#at >= this.#input.length) {
        throw new BadData("gzip: the file ends too early");
      }
      this.#bits |= (this.#input[this.#at++] as number) << this.#bitCount;
      this.#bitCount += 8;
    }
  }

  #symbol(code: Code): number {
    while (this.#bitCount < code.bits && this.#at < this.#input.length) {
      this.#bits |= (this.#input[this.#at++] as number) << this.#bitCount;
      this.#bitCount += 8;
    }
    const entry = code.table[this.#bits & ((1 << code.bits) - 1)] as number;
    const length = entry & 15;
    if (length === 0 || length > this.#bitCount) {
      throw new BadData(this.#at >= this.#input.length ? "gzip: the file ends too early" : "gzip: a code is damaged");
    }
    this.#bits >>>= length;
    this.#bitCount -= length;
    return entry >> 4;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** All of a gzip file whose size is known, into `target`. */
export function gunzipInto(input: Uint8Array, target: Uint8Array): void {
  const inflater = new Inflater();
  inflater.push(input, true);
  let at = 0;
  for (let piece = inflater.pull(); piece.length > 0; piece = inflater.pull()) {
    if (at + piece.length > target.length) {
      throw new BadData("gzip: there is more than was promised");
    }
    target.set(piece, at);
    at += piece.length;
  }
  if (at !== target.length) {
    throw new BadData("gzip: there is less than was promised");
  }
}
