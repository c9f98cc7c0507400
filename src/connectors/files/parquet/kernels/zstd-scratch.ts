/**
 * Memory that the kernel for Zstandard (RFC 8878) works in: tables, literals of a block, and constants.
 */
/** Bytes of an entry of an FSE table: baseline (4), extra bits (1), bits of the next state (1), next state (2). */
export const fseEntryBytes = 8;
export const literalsMax = 131_072;
/** Vectors that copy literals read beyond them. */
const literalsRoom = 64;

/** Offsets in bytes. The tables of sequences are followed by one another in the order of their modes. */
export const scratch = Object.freeze({
  literalLengths: 0,
  offsets: 4096,
  matchLengths: 6144,
  weights: 10_240,
  huffman: 10_752,
  counts: 14_848,
  next: 15_360,
  symbolWeights: 15_872,
  ranks: 16_128,
  literalCodes: 16_192,
  matchCodes: 16_480,
  literalDefaults: 16_904,
  matchDefaults: 16_976,
  offsetDefaults: 17_088,
  state: 17_152,
  literals: 17_280,
});

export const zstdScratchBytes = scratch.literals + literalsMax + literalsRoom;

/** Offsets of the fields at `scratch.state`, each of four bytes. Logarithms of tables are -1 while there is none. */
export const field = Object.freeze({
  literalLog: 0,
  offsetLog: 4,
  matchLog: 8,
  huffmanBits: 12,
  literalsAt: 16,
  literalsLength: 20,
  headerLog: 24,
  headerSymbols: 28,
  repeats: 32,
  to: 44,
});

function times(count: number, value: number): readonly number[] {
  return Array<number>(count).fill(value);
}

const literalExtraBits: readonly number[] = [...times(16, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const matchExtraBits: readonly number[] = [...times(32, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const literalCounts: readonly number[] = [4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...times(4, -1)];
const matchCounts: readonly number[] = [1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)];
const offsetCounts: readonly number[] = [...times(6, 1), 2, 2, 2, ...times(15, 1), ...times(5, -1)];

export const literalSymbols = literalCounts.length;
export const matchSymbols = matchCounts.length;
export const offsetDefaultSymbols = offsetCounts.length;

/** Place of the constants in the scratch area. */
export const zstdConstantsAt = scratch.literalCodes;

/** What lies there before a kernel runs: codes of lengths, and the counts of the predefined tables. */
export function zstdConstants(): Uint8Array {
  const bytes = new Uint8Array(scratch.state - zstdConstantsAt);
  const view = new DataView(bytes.buffer);
  const writeCodes = (place: number, extraBits: readonly number[], first: number): void => {
    let base = first;
    for (const [code, bits] of extraBits.entries()) {
      view.setUint32(place - zstdConstantsAt + code * 8, base, true);
      view.setUint32(place - zstdConstantsAt + code * 8 + 4, bits, true);
      base += 2 ** bits;
    }
  };
  const writeCounts = (place: number, counts: readonly number[]): void => {
    for (const [symbol, count] of counts.entries()) {
      view.setInt16(place - zstdConstantsAt + symbol * 2, count, true);
    }
  };
  writeCodes(scratch.literalCodes, literalExtraBits, 0);
  writeCodes(scratch.matchCodes, matchExtraBits, 3);
  writeCounts(scratch.literalDefaults, literalCounts);
  writeCounts(scratch.matchDefaults, matchCounts);
  writeCounts(scratch.offsetDefaults, offsetCounts);
  return bytes;
}
