/**
 * The sequences of a Zstandard block (RFC 8878, 3.1.1.3.2), with the predefined distributions of codes.
 */
import type { ByteBuffer } from "../byte-buffer.ts";
import { BitWriter } from "./bit-writer.ts";

/** `literals` bytes of the literals, then `length` bytes as `distance` before. */
export interface Sequence {
  readonly literals: number;
  readonly length: number;
  readonly distance: number;
}

/** Values of a code: from `base`, told apart by `bits` further bits. */
interface CodeTable {
  readonly bases: readonly number[];
  readonly bits: readonly number[];
}

function codeTable(first: number, bits: readonly number[]): CodeTable {
  const bases: number[] = [];
  let base = first;
  for (const width of bits) {
    bases.push(base);
    base += 2 ** width;
  }
  return { bases, bits };
}

function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}

const literalCodes = codeTable(0, [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const lengthCodes = codeTable(3, [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
/** Values 1 to 3 mean distances of former sequences. */
const distanceOffset = 3;

function codeOf({ bases }: CodeTable, value: number): number {
  let [low, high] = [0, bases.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((bases[middle] as number) <= value) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** States of a finite state entropy coder for a distribution; -1 is a probability below 1. */
class Coder {
  readonly #log: number;
  readonly #states: Uint16Array;
  readonly #deltaBits: Int32Array;
  readonly #deltaState: Int32Array;
  #state = 0;

  constructor(log: number, distribution: readonly number[]) {
    const size = 1 << log;
    this.#log = log;
    this.#states = new Uint16Array(size);
    this.#deltaBits = new Int32Array(distribution.length);
    this.#deltaState = new Int32Array(distribution.length);
    const symbols = spread(size, distribution);
    const next: number[] = [];
    let total = 0;
    distribution.forEach((probability, symbol) => {
      next.push(total);
      const count = Math.abs(probability);
      const bits = count <= 1 ? log : log - (31 - Math.clz32(count - 1));
      this.#deltaBits[symbol] = (bits << 16) - (count <= 1 ? size : count << bits);
      this.#deltaState[symbol] = total - count;
      total += count;
    });
    symbols.forEach((symbol, place) => {
      this.#states[next[symbol] as number] = size + place;
      next[symbol] = (next[symbol] as number) + 1;
    });
  }

  begin(symbol: number): void {
    const delta = this.#deltaBits[symbol] as number;
    const bits = (delta + (1 << 15)) >>> 16;
    this.#move(symbol, (bits << 16) - delta, bits);
  }

  write(out: BitWriter, symbol: number): void {
    const bits = (this.#state + (this.#deltaBits[symbol] as number)) >>> 16;
    out.add(this.#state, bits);
    this.#move(symbol, this.#state, bits);
  }

  end(out: BitWriter): void {
    out.add(this.#state, this.#log);
  }

  #move(symbol: number, value: number, bits: number): void {
    this.#state = this.#states[(value >>> bits) + (this.#deltaState[symbol] as number)] as number;
  }
}

/** The symbol of each state. */
function spread(size: number, distribution: readonly number[]): readonly number[] {
  const symbols = Array.from({ length: size }, () => 0);
  let high = size - 1;
  distribution.forEach((probability, symbol) => {
    if (probability === -1) {
      symbols[high--] = symbol;
    }
  });
  const step = (size >>> 1) + (size >>> 3) + 3;
  let place = 0;
  distribution.forEach((probability, symbol) => {
    for (let index = 0; index < probability; index++) {
      symbols[place] = symbol;
      do {
        place = (place + step) & (size - 1);
      } while (place > high);
    }
  });
  return symbols;
}

const literalDistribution = [
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
];
const lengthDistribution = [1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array.from({ length: 37 }, () => 1), -1, -1, -1, -1, -1, -1, -1];
const distanceDistribution = [1, 1, 1, 1, 1, 1, 2, 2, 2, ...Array.from({ length: 15 }, () => 1), -1, -1, -1, -1, -1];

function writeCount(out: ByteBuffer, count: number): void {
  if (count < 0x80) {
    out.byte(count);
  } else if (count < 0x7f00) {
    out.byte((count >>> 8) + 0x80);
    out.byte(count & 0xff);
  } else {
    out.byte(0xff);
    out.byte((count - 0x7f00) & 0xff);
    out.byte((count - 0x7f00) >>> 8);
  }
}

export function writeSequences(out: ByteBuffer, sequences: readonly Sequence[]): void {
  writeCount(out, sequences.length);
  if (sequences.length === 0) {
    return;
  }
  // All three kinds of codes have their predefined distribution.
  out.byte(0);
  const bits = new BitWriter(out);
  const coders = {
    literals: new Coder(6, literalDistribution),
    length: new Coder(6, lengthDistribution),
    distance: new Coder(5, distanceDistribution),
  };
  for (let index = sequences.length - 1; index >= 0; index--) {
    const { literals, length, distance } = sequences[index] as Sequence;
    const [literalCode, lengthCode] = [codeOf(literalCodes, literals), codeOf(lengthCodes, length)];
    const value = distance + distanceOffset;
    const distanceCode = 31 - Math.clz32(value);
    if (index === sequences.length - 1) {
      coders.length.begin(lengthCode);
      coders.distance.begin(distanceCode);
      coders.literals.begin(literalCode);
    } else {
      coders.distance.write(bits, distanceCode);
      coders.length.write(bits, lengthCode);
      coders.literals.write(bits, literalCode);
    }
    bits.add(literals - (literalCodes.bases[literalCode] as number), literalCodes.bits[literalCode] as number);
    bits.add(length - (lengthCodes.bases[lengthCode] as number), lengthCodes.bits[lengthCode] as number);
    bits.add(value - 2 ** distanceCode, distanceCode);
  }
  coders.length.end(bits);
  coders.distance.end(bits);
  coders.literals.end(bits);
  bits.end();
}
