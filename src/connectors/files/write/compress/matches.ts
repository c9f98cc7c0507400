/**
 * Finds repetitions: the greedy search of LZ4 and Snappy, with one candidate for each hash of four bytes. Steps grow where nothing
 * repeats.
 */
const hashBits = 14;
/** After 2^skipBits bytes without a repetition the search goes on in larger steps. */
const skipBits = 6;

export interface MatchSearch {
  readonly bytes: Uint8Array;
  /** The block: repetitions may begin in it, and refer to what is before it. */
  readonly start: number;
  readonly end: number;
  readonly distanceMax: number;
  /** Literals [from, at), then `length` bytes as `distance` before. */
  readonly onMatch: (from: number, at: number, length: number, distance: number) => void;
}

export class MatchTable {
  readonly #last = new Int32Array(1 << hashBits).fill(-1);

  /** Returns where the literals at the end of the block begin. */
  search({ bytes, start, end, distanceMax, onMatch }: MatchSearch): number {
    const last = this.#last;
    let literals = start;
    // The last bytes of a block are literals: no read reaches beyond it.
    for (let at = start; at + 4 <= end; ) {
      const four = wordAt(bytes, at);
      const slot = Math.imul(four, 0x9e3779b1) >>> (32 - hashBits);
      const candidate = last[slot] as number;
      last[slot] = at;
      if (candidate < 0 || at - candidate > distanceMax || wordAt(bytes, candidate) !== four) {
        at += 1 + ((at - literals) >>> skipBits);
        continue;
      }
      let length = 4;
      while (at + length < end && bytes[candidate + length] === bytes[at + length]) {
        length++;
      }
      onMatch(literals, at, length, at - candidate);
      at += length;
      literals = at;
    }
    return literals;
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}
