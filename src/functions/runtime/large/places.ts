/**
 * Ordinals of keys. A Map of the platform moves all of its keys at once when it grows, which takes tens of milliseconds for a million; so
 * the keys after the first ones are spread over several. Their shares differ by up to a factor of 2, so that they grow one after the other
 * and not all at about the same number of keys.
 */

/** Keys of the first map. */
const firstMax = 131_072;
const mapCount = 64;
const placeBits = 12;
/** Map of each part of the hashes: map n of 64 has a share proportional to 2^(n / 64). */
const mapOfPart: Uint8Array = Uint8Array.from({ length: 1 << placeBits }, (_, part) =>
  Math.min(mapCount - 1, Math.floor(mapCount * Math.log2(1 + part / (1 << placeBits)))),
);
/** 2^32 divided by the golden ratio: its multiples are spread evenly. */
const golden = 0x9e37_79b1;
const fractionScale = 0x4000_0000;

type Key = string | number | bigint | boolean | null;

export class Places {
  readonly #first = new Map<Key, number>();
  #more: readonly Map<Key, number>[] | undefined;

  get(key: Key): number | undefined {
    return this.#first.get(key) ?? (this.#more === undefined ? undefined : this.#more[mapOf(key)]?.get(key));
  }

  /** The key must be new. */
  set(key: Key, place: number): void {
    if (this.#first.size < firstMax) {
      this.#first.set(key, place);
      return;
    }
    this.#more ??= Array.from({ length: mapCount }, () => new Map<Key, number>());
    this.#more[mapOf(key)]?.set(key, place);
  }

  /** Keys of the largest map. */
  get largest(): number {
    return Math.max(this.#first.size, ...(this.#more ?? []).map(({ size }) => size));
  }
}

function mapOf(key: Key): number {
  return mapOfPart[Math.imul(wordOf(key), golden) >>> (32 - placeBits)] as number;
}

function wordOf(key: Key): number {
  switch (typeof key) {
    case "number":
      return key | 0 | ((key % 1) * fractionScale);
    case "bigint":
      return Number(BigInt.asIntN(32, key ^ (key >> 32n)));
    case "string": {
      const { length } = key;
      let word = length;
      // Texts differ at their beginning, in their middle or at their end.
      for (let index = 0; index < 4; index++) {
        word = Math.imul(word ^ (key.charCodeAt(index) | (key.charCodeAt(length - 1 - index) << 8)), golden);
        word ^= (key.charCodeAt((length * (index + 1)) / 5) << 16) | (word >>> 15);
      }
      return word;
    }
    default:
      return key === true ? 1 : 0;
  }
}
