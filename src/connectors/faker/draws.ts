/**
 * Random numbers of one value: they depend on the seed, the table, the column and the row alone, so that a row is the same in every query,
 * whatever splits and nodes read it.
 */

/** A hash of a text in 32 bits (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

export class Draws {
  #state = 0;

  /** The numbers of a row. `column` is a hash of all that is the same for the rows of a column. */
  start(column: number, row: number): void {
    const high = Math.floor(row / 0x1_0000_0000);
    this.#state = mixed(column ^ mixed(row >>> 0) ^ Math.imul(high, 0x9e3779b1));
  }

  /** Uniform in [0, 2^32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return mixed(this.#state) >>> 0;
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    return (this.next() * 0x20_0000 + (this.next() >>> 11)) / 0x20_0000_0000_0000;
  }

  /** Uniform in [0, bound); `bound` up to 2^32. */
  below(bound: number): number {
    const fair = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    let drawn = this.next();
    while (drawn >= fair) {
      drawn = this.next();
    }
    return drawn % bound;
  }

  /** Uniform in [low, high]; of at most 128 bits. */
  between(low: bigint, high: bigint): bigint {
    const count = high - low + 1n;
    let drawn = 0n;
    // 64 bits more than the range has: the bias is below 2^-64.
    for (let bits = count; ; bits >>= 32n) {
      drawn = (drawn << 32n) | BigInt(this.next());
      if (bits === 0n) {
        drawn = (drawn << 32n) | BigInt(this.next());
        return low + (drawn % count);
      }
    }
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** The finalizer of MurmurHash3. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
